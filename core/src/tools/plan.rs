//! What tools an interface gives, and how each reads its inputs and fills its arguments.

use super::{
    names::{Dialect, Names, plain},
    reader::{Reader, one_line},
    skip::{Place, SkipReason, Skipped},
};
use crate::{
    interface::{Mode, Tuple},
    profile::{
        Class, Effect, Idempotency, Node, Resolved, ResolvedMethod, Root, Shape, Source, Step,
        TimeUnit, ValueTag,
    },
};
use outcome::outcome_keys;
use slots::{fields_of, layout};
use std::{collections::BTreeMap, rc::Rc};

mod outcome;
mod slots;

/// The tool that sends.
pub const COMMIT: &str = "commit";
/// What the names of the wallet's own tools begin with.
pub const OURS: &str = "wallet_";
/// The input that chooses the canister.
pub const CANISTER_ID: &str = "canister_id";

/// What stands before the method's name in a tool's name.
pub(super) const fn prefix(prepares: bool) -> &'static str {
    if prepares { "prepare_" } else { "" }
}

/// The tools of one interface, and the methods that have none.
#[derive(Clone, Debug)]
pub struct Plans {
    /// By method.
    pub plans: BTreeMap<String, Rc<Plan>>,
    /// In order of the methods' names.
    pub skipped: Vec<Skipped>,
}

/// What calling a tool does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ToolKind {
    /// Reads at once.
    Read {
        /// Whether it is sent as an update call, once, so that the answer is certified.
        replicated: bool,
    },
    /// Prepares a call that a person has to countersign.
    Prepare,
}

/// One tool: how it reads its inputs, what it fills in, and what its replies mean.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) names: Names,
    pub(super) kind: ToolKind,
    pub(super) title: String,
    pub(super) effect: Option<Effect>,
    pub(super) idempotency: Option<Idempotency>,
    pub(super) params: Vec<Input>,
    pub(super) layout: Layout,
    pub(super) classes: Vec<(Vec<String>, Class)>,
    pub(super) default: Option<Class>,
    /// Whether every word and class is a built-in pack's.
    pub(super) built_in: bool,
    pub(super) method: ResolvedMethod,
    pub(super) args: Tuple,
    pub(super) results: Tuple,
    pub(super) resolved: Rc<Resolved>,
}

/// An input of a tool, beside the one that chooses the canister.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) names: Names,
    pub(super) reader: Reader,
}

/// How the arguments are made of slots.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// One record, a slot a field.
    Fields(Vec<Slot>),
    /// A slot an argument.
    Arguments(Vec<Slot>),
}

/// A place in the arguments that is filled as a whole.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The field's name; of an argument, `arg0`.
    pub(super) exact: String,
    pub(super) role: Role,
    pub(super) optional: bool,
}

/// Who fills a slot.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// The caller, by an input.
    Param,
    /// Left empty, as the profile says.
    Auto,
    /// The wallet, with the idempotency stamp.
    Stamp,
    /// Left empty, and never told of.
    Hidden,
    /// There is nothing to say: `null` or `reserved`.
    None,
}

impl Role {
    /// The word of the seed's plans.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Param => "param",
            Self::Auto => "auto",
            Self::Stamp => "stamp",
            Self::Hidden => "hidden",
            Self::None => "none",
        }
    }
}

impl Plan {
    /// The tool's name in both dialects, before canisters of another shape are told apart.
    #[must_use]
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// The method it calls.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method.name
    }

    /// What calling it does.
    #[must_use]
    pub const fn kind(&self) -> ToolKind {
        self.kind
    }

    /// How the method is called.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.method.mode
    }

    /// What the call does, in the profile's words.
    #[must_use]
    pub const fn effect(&self) -> Option<&Effect> {
        self.effect.as_ref()
    }

    /// How the canister tells a repeated call from a new one.
    #[must_use]
    pub const fn idempotency(&self) -> Option<&Idempotency> {
        self.idempotency.as_ref()
    }

    /// Whether all that is said of the method comes from built-in packs.
    #[must_use]
    pub const fn is_built_in(&self) -> bool {
        self.built_in
    }

    /// The resolved form that the plan was made from.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// The method's resolved form.
    #[must_use]
    pub const fn resolved_method(&self) -> &ResolvedMethod {
        &self.method
    }

    pub(super) fn slots(&self) -> &[Slot] {
        match &self.layout {
            Layout::Fields(slots) | Layout::Arguments(slots) => slots,
        }
    }
}

/// Makes the tools of an interface.
#[must_use]
pub fn build_plans(resolved: &Rc<Resolved>) -> Plans {
    let mut plans = BTreeMap::new();
    let mut skipped = Vec::new();
    for (name, method) in &resolved.methods {
        match plan(resolved, method) {
            Ok(plan) => {
                plans.insert(name.clone(), plan);
            }
            Err(reason) => skipped.push(Skipped {
                method: name.clone(),
                reason,
            }),
        }
    }
    let in_the_way: Vec<(String, SkipReason)> = plans
        .iter()
        .filter_map(|(name, plan)| Some((name.clone(), name_taken(plan, &plans)?)))
        .collect();
    for (method, reason) in in_the_way {
        plans.remove(&method);
        skipped.push(Skipped { method, reason });
    }
    skipped.sort_by(|a, b| a.method.cmp(&b.method));
    Plans {
        plans: plans
            .into_iter()
            .map(|(name, plan)| (name, Rc::new(plan)))
            .collect(),
        skipped,
    }
}

fn name_taken(plan: &Plan, all: &BTreeMap<String, Plan>) -> Option<SkipReason> {
    let told = plan.names.get(Dialect::Full);
    let ours = Dialect::ALL
        .iter()
        .any(|dialect| is_ours(plan.names.get(*dialect)));
    if ours {
        return Some(SkipReason::OurName(told.to_owned()));
    }
    all.values()
        .any(|other| other.method.name != plan.method.name && other.names.meet(&plan.names))
        .then(|| SkipReason::SameTool(told.to_owned()))
}

/// Whether a name belongs to the wallet's own tools.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    name == COMMIT || name.starts_with(OURS)
}

fn plan(resolved: &Rc<Resolved>, method: &ResolvedMethod) -> Result<Plan, SkipReason> {
    let kind = tool_kind(method)?;
    let effect = method.effect.as_ref().map(|tagged| &tagged.tag);
    let idempotency = method.idempotency.as_ref().map(|tagged| &tagged.tag);
    let stamp = match idempotency {
        Some(tag) => Some(check_stamp(method, tag, kind)?),
        None => None,
    };
    let (layout, params) = layout(method, stamp)?;
    let outcome = method.outcome.as_ref().map(|tagged| &tagged.tag);
    let classes = match (kind, outcome) {
        (ToolKind::Prepare, Some(outcome)) => outcome_keys(resolved, method, outcome)?,
        (ToolKind::Prepare, None) => return Err(SkipReason::NoOutcome),
        (ToolKind::Read { .. }, _) => Vec::new(),
    };
    let default = outcome.and_then(|outcome| outcome.default);
    let renews = classes.iter().any(|(_, class)| *class == Class::RetryNew)
        || default == Some(Class::RetryNew);
    if renews && idempotency.is_none() {
        return Err(SkipReason::RenewWithoutStamp);
    }
    Ok(Plan {
        names: Names::new(prefix(kind == ToolKind::Prepare), &method.name, ""),
        kind,
        title: method
            .intent
            .as_ref()
            .map_or_else(|| plain(&method.name), |tagged| one_line(&tagged.tag)),
        effect: effect.cloned(),
        idempotency: idempotency.cloned(),
        params,
        layout,
        classes,
        default,
        built_in: is_built_in(method),
        method: method.clone(),
        args: tuple(resolved, &method.args),
        results: tuple(resolved, &method.results),
        resolved: Rc::clone(resolved),
    })
}

fn tuple(resolved: &Resolved, nodes: &[Node]) -> Tuple {
    let types: Vec<_> = nodes.iter().map(|node| node.ty.clone()).collect();
    Tuple::new(&resolved.env, &types)
}

fn is_built_in(method: &ResolvedMethod) -> bool {
    let sources = [
        method.intent.as_ref().map(|tagged| tagged.from.source),
        method.effect.as_ref().map(|tagged| tagged.from.source),
        method.idempotency.as_ref().map(|tagged| tagged.from.source),
        method.outcome.as_ref().map(|tagged| tagged.from.source),
    ];
    sources
        .into_iter()
        .flatten()
        .all(|source| source == Source::Pack)
}

fn tool_kind(method: &ResolvedMethod) -> Result<ToolKind, SkipReason> {
    let effect = method.effect.as_ref().map(|tagged| &tagged.tag);
    let replicated = effect.is_some_and(|effect| effect.replicated);
    let kind = match method.mode {
        Mode::Oneway => return Err(SkipReason::Oneway),
        Mode::Query | Mode::CompositeQuery => ToolKind::Read { replicated: false },
        Mode::Update if replicated => match effect {
            Some(effect) if effect.kind.is_read() && !effect.irreversible => {
                ToolKind::Read { replicated: true }
            }
            Some(_) | None => return Err(SkipReason::Replicated),
        },
        Mode::Update => {
            if method.intent.is_none() {
                return Err(SkipReason::NoIntent);
            }
            if effect.is_none() {
                return Err(SkipReason::NoEffect);
            }
            return Ok(ToolKind::Prepare);
        }
    };
    match method.results.len() {
        0 | 1 => Ok(kind),
        several => Err(SkipReason::Results(several)),
    }
}

/// The name of the field that carries the stamp.
fn check_stamp<'a>(
    method: &ResolvedMethod,
    tag: &'a Idempotency,
    kind: ToolKind,
) -> Result<&'a str, SkipReason> {
    if kind != ToolKind::Prepare {
        return Err(SkipReason::StampedRead);
    }
    let [argument] = method.args.as_slice() else {
        return Err(SkipReason::StampArguments);
    };
    let place = &tag.stamp;
    let name = match (place.root, place.index, place.steps.as_slice()) {
        (Root::Args, 0, [Step::Member(name)]) => name,
        (Root::Args | Root::Results, _, _) => return Err(SkipReason::StampPlace),
    };
    let field = fields_of(argument)
        .and_then(|fields| fields.iter().find(|field| field.name() == *name))
        .ok_or(SkipReason::StampPlace)?;
    let node = &field.node;
    let (opts, inner) = node.through_opts();
    let nanoseconds = match node.tags.value() {
        None
        | Some(ValueTag::Timestamp {
            unit: TimeUnit::Nanoseconds,
        }) => true,
        Some(
            ValueTag::Timestamp { .. }
            | ValueTag::Amount { .. }
            | ValueTag::Account
            | ValueTag::AccountId
            | ValueTag::Principal
            | ValueTag::Subaccount
            | ValueTag::Memo
            | ValueTag::Blob
            | ValueTag::Duration { .. },
        ) => false,
    };
    let holds = matches!(inner.shape, Shape::Nat64 | Shape::Nat | Shape::Int);
    if opts > 1 || !nanoseconds || !holds {
        return Err(SkipReason::StampType(Place::of(&node.path)));
    }
    Ok(name)
}
