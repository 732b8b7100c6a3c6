//! What tools an interface gives, and how each reads its inputs and fills its arguments.

use super::{
    names::{Dialect, Names, plain},
    reader::{Reader, one_line},
    skip::{Place, SkipReason, Skipped},
};
use crate::{
    interface::{IDLValue, Mode, Tuple},
    profile::{
        Class, Effect, Idempotency, Node, RelPath, Resolved, ResolvedMethod, Root, Shape, Source,
        Step, Tagged, TimeUnit, ValueTag,
    },
};
use choice::{Chosen, choice_of};
pub use layout::Role;
pub(super) use layout::{Fixed, Layout, Slot};
use outcome::outcome_keys;
pub(super) use outcome::{ELEMENTS, outcome_faults};
pub use showing::plan_for_showing;
use slots::{fields_of, layout, shared};
use std::{collections::BTreeMap, rc::Rc};

mod choice;
mod layout;
mod outcome;
mod showing;
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
    /// The tools that call a method with whatever arguments, by method.
    pub plans: BTreeMap<String, Rc<Plan>>,
    /// The tools that call a method with one case of a variant in its arguments, by method and case.
    pub cases: BTreeMap<(String, String), Rc<Plan>>,
    /// In order of the methods' names, and of their cases'.
    pub skipped: Vec<Skipped>,
}

impl Plans {
    /// Every tool: those of whole methods, then those of cases.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Plan>> {
        self.plans.values().chain(self.cases.values())
    }

    /// The tool that calls a method with these argument bytes.
    #[must_use]
    pub fn of_call(&self, method: &str, arg: &[u8]) -> Option<&Rc<Plan>> {
        if let Some(plan) = self.plans.get(method) {
            return Some(plan);
        }
        let mut cases = (self.cases.values()).filter(|plan| plan.method() == method);
        // They all have the method's arguments.
        let first = cases.clone().next()?;
        let args = first.args.decode_exact(arg).ok()?;
        cases.find(|plan| plan.makes(&args))
    }
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
    /// An argument each.
    pub(super) layout: Vec<Layout>,
    pub(super) classes: Vec<(Vec<String>, Class)>,
    pub(super) default: Option<Class>,
    /// Whether every word and class is a built-in pack's.
    pub(super) built_in: bool,
    /// Whose words the title is; `None` where it is the method's name.
    pub(super) title_from: Option<Source>,
    /// Whose word the classes are.
    pub(super) classes_from: Option<Source>,
    method: String,
    /// The one case that its arguments have, by its place.
    case: Option<RelPath>,
    /// Shared by the cases of a method.
    pub(super) args: Rc<Tuple>,
    pub(super) results: Rc<Tuple>,
    pub(super) resolved: Rc<Resolved>,
}

/// An input of a tool, beside the one that chooses the canister.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) names: Names,
    pub(super) reader: Reader,
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
        &self.method
    }

    /// The case that its arguments have, where it calls the method with one case alone.
    #[must_use]
    pub fn case(&self) -> Option<&str> {
        match self.case.as_ref()?.steps.last()? {
            Step::Member(name) => Some(name),
            Step::Number(_) | Step::Elements => None,
        }
    }

    /// The place of that case.
    pub(super) const fn case_path(&self) -> Option<&RelPath> {
        self.case.as_ref()
    }

    /// Whether arguments have the case that the tool makes.
    pub(super) fn makes(&self, args: &[IDLValue]) -> bool {
        args.len() == self.layout.len()
            && self
                .layout
                .iter()
                .zip(args)
                .all(|(layout, value)| layout.makes(value))
    }

    /// What calling it does.
    #[must_use]
    pub const fn kind(&self) -> ToolKind {
        self.kind
    }

    /// How the method is called.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.resolved_method().mode
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
    pub fn resolved_method(&self) -> &ResolvedMethod {
        self.resolved
            .methods
            .get(&self.method)
            .expect("a plan is made of a method of its resolved form")
    }

    /// The slots in the order in which they stand in the arguments.
    pub(super) fn slots(&self) -> Vec<&Slot> {
        let mut slots = Vec::new();
        self.layout
            .iter()
            .for_each(|layout| layout.add_slots(&mut slots));
        slots
    }
}

/// Makes the tools of an interface.
#[must_use]
pub fn build_plans(resolved: &Rc<Resolved>) -> Plans {
    let mut made = Vec::new();
    let mut skipped = Vec::new();
    for method in resolved.methods.values() {
        for (case, plan) in tools_of(resolved, method) {
            match plan {
                Ok(plan) => made.push(Rc::new(plan)),
                Err(reason) => skipped.push(Skipped {
                    method: method.name.clone(),
                    case,
                    reason,
                }),
            }
        }
    }
    let (mut plans, mut cases) = (BTreeMap::new(), BTreeMap::new());
    for plan in &made {
        let (method, case) = (plan.method.clone(), plan.case().map(str::to_owned));
        if let Some(reason) = name_taken(plan, &made) {
            skipped.push(Skipped {
                method,
                case,
                reason,
            });
        } else if let Some(case) = case {
            cases.insert((method, case), Rc::clone(plan));
        } else {
            plans.insert(method, Rc::clone(plan));
        }
    }
    skipped.sort_by(|a, b| (&a.method, &a.case).cmp(&(&b.method, &b.case)));
    Plans {
        plans,
        cases,
        skipped,
    }
}

fn name_taken(plan: &Rc<Plan>, all: &[Rc<Plan>]) -> Option<SkipReason> {
    let told = plan.names.get(Dialect::Full);
    let ours = Dialect::ALL
        .iter()
        .any(|dialect| is_ours(plan.names.get(*dialect)));
    if ours {
        return Some(SkipReason::OurName(told.to_owned()));
    }
    all.iter()
        .any(|other| !Rc::ptr_eq(other, plan) && other.names.meet(&plan.names))
        .then(|| SkipReason::SameTool(told.to_owned()))
}

/// Whether a name belongs to the wallet's own tools.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    name == COMMIT || name.starts_with(OURS)
}

/// The tools of a method, each with its case where it has one.
fn tools_of(
    resolved: &Rc<Resolved>,
    method: &ResolvedMethod,
) -> Vec<(Option<String>, Result<Plan, SkipReason>)> {
    let types = Types {
        args: Rc::new(tuple(resolved, &method.args)),
        results: Rc::new(tuple(resolved, &method.results)),
    };
    if method.cases.is_empty() {
        return vec![(None, plan(resolved, method, None, &types))];
    }
    let stamp = method.idempotency.as_ref().map(|tagged| &tagged.tag.stamp);
    let choice = choice_of(method).and_then(|choice| {
        // What every case lacks is told once.
        shared(method, &choice, stamp)?;
        Ok(choice)
    });
    let choice = match choice {
        Ok(choice) => choice,
        Err(reason) => return vec![(None, Err(reason))],
    };
    let cases = choice.cases().map(|(name, chosen)| {
        let plan = match chosen {
            Ok(chosen) => plan(resolved, method, Some(&chosen), &types),
            Err(reason) => Err(reason),
        };
        (Some(name), plan)
    });
    cases.collect()
}

/// The types of a method, which all its tools share.
struct Types {
    args: Rc<Tuple>,
    results: Rc<Tuple>,
}

fn plan(
    resolved: &Rc<Resolved>,
    method: &ResolvedMethod,
    case: Option<&Chosen<'_>>,
    types: &Types,
) -> Result<Plan, SkipReason> {
    let said = case.map(|case| case.said);
    let intent = said
        .and_then(|said| said.intent.as_ref())
        .or(method.intent.as_ref());
    let effect = said
        .and_then(|said| said.effect.as_ref())
        .or(method.effect.as_ref());
    let outcome = said
        .and_then(|said| said.outcome.as_ref())
        .or(method.outcome.as_ref());
    let idempotency = method.idempotency.as_ref();
    let kind = tool_kind(method, intent, effect.map(|tagged| &tagged.tag))?;
    let stamp = match idempotency {
        Some(tagged) => Some(check_stamp(method, &tagged.tag, kind)?),
        None => None,
    };
    let (layout, params) = layout(method, case, stamp)?;
    let classes = match (kind, outcome) {
        (ToolKind::Prepare, Some(outcome)) => outcome_keys(resolved, method, &outcome.tag)?,
        (ToolKind::Prepare, None) => return Err(SkipReason::NoOutcome),
        (ToolKind::Read { .. }, _) => Vec::new(),
    };
    let default = outcome.and_then(|outcome| outcome.tag.default);
    let renews = classes.iter().any(|(_, class)| *class == Class::RetryNew)
        || default == Some(Class::RetryNew);
    if renews && idempotency.is_none() {
        return Err(SkipReason::RenewWithoutStamp);
    }
    let exact = match case {
        Some(case) => format!("{}_{}", method.name, case.name),
        None => method.name.clone(),
    };
    Ok(Plan {
        names: Names::new(prefix(kind == ToolKind::Prepare), &exact, ""),
        kind,
        title: intent.map_or_else(|| plain(&exact), |tagged| one_line(&tagged.tag)),
        effect: effect.map(|tagged| tagged.tag.clone()),
        idempotency: idempotency.map(|tagged| tagged.tag.clone()),
        params,
        layout,
        classes,
        default,
        built_in: [
            source(intent),
            source(effect),
            source(idempotency),
            source(outcome),
        ]
        .into_iter()
        .flatten()
        .all(|source| source == Source::Pack),
        title_from: source(intent),
        classes_from: source(outcome),
        method: method.name.clone(),
        case: case.map(|case| case.node.path.clone()),
        args: Rc::clone(&types.args),
        results: Rc::clone(&types.results),
        resolved: Rc::clone(resolved),
    })
}

fn source<T>(tagged: Option<&Tagged<T>>) -> Option<Source> {
    tagged.map(|tagged| tagged.from.source)
}

fn tuple(resolved: &Resolved, nodes: &[Node]) -> Tuple {
    let types: Vec<_> = nodes.iter().map(|node| node.ty.clone()).collect();
    Tuple::new(&resolved.env, &types)
}

fn tool_kind(
    method: &ResolvedMethod,
    intent: Option<&Tagged<String>>,
    effect: Option<&Effect>,
) -> Result<ToolKind, SkipReason> {
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
            if intent.is_none() {
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
    let (name, alone) = match (place.root, place.index, place.steps.as_slice()) {
        (Root::Args, 0, [Step::Member(name)]) => (name, None),
        (Root::Args, 0, [Step::Member(name), Step::Member(alone)]) => (name, Some(alone)),
        (Root::Args | Root::Results, _, _) => return Err(SkipReason::StampPlace),
    };
    let field = fields_of(argument)
        .and_then(|fields| fields.iter().find(|field| field.name() == *name))
        .ok_or(SkipReason::StampPlace)?;
    let node = match alone {
        None => &field.node,
        // Older ledgers wrap the time in a record of its own.
        Some(alone) => match field.node.through_opts() {
            (0 | 1, record) => match fields_of(record) {
                Some([only]) if only.name() == *alone && !only.node.is_opt() => &only.node,
                Some(_) | None => return Err(SkipReason::StampPlace),
            },
            _ => return Err(SkipReason::StampPlace),
        },
    };
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
