//! The tools of several canisters together: one tool for one method of one shape, under a name that
//! stays.

use super::{
    canister::Canister,
    definition::{commit_definition, definition},
    names::{Dialect, Names, plain},
    plan::{Plan, Plans, ToolKind, prefix},
    reader::{Kind, Member, Reader},
    shape::IdForm,
};
use crate::{
    format::integer::Bounds,
    ids::{ContentHash, Principal},
    profile::{Param, Source},
};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Names that a grant holds: a tool keeps the name under which a site first had it, whatever
/// canisters come and go. To be stored with the grant, in this order.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct NameBook(Vec<NameEntry>);

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct NameEntry {
    method: String,
    /// The case that its arguments have, where it has one fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    case: Option<String>,
    /// Whether the tool prepares, which its name says.
    prepares: bool,
    shape: ContentHash,
    /// What stands after the method's name; empty for the first shape.
    suffix: String,
}

/// The tools of a site's canisters.
#[derive(Clone, Debug)]
pub struct Catalog {
    tools: Vec<Tool>,
}

/// One tool, and the canisters it calls.
#[derive(Clone, Debug)]
pub struct Tool {
    names: Names,
    entries: Vec<Entry>,
}

/// A canister with the plan by which its own interface is called.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The canister.
    pub canister: Canister,
    /// The plan.
    pub plan: Rc<Plan>,
}

impl Tool {
    /// The tool's name.
    #[must_use]
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// The canisters in order of acceptance; at least one.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The plan of the first canister, which all share in shape.
    #[must_use]
    pub fn first(&self) -> &Plan {
        &self.entries[0].plan
    }

    /// The entry of a canister.
    #[must_use]
    pub fn entry(&self, canister: &Principal) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.canister.id == *canister)
    }

    /// What a model is told of it.
    #[must_use]
    pub fn definition(&self, dialect: Dialect) -> Value {
        definition(self, dialect)
    }
}

impl Catalog {
    /// Puts the tools of canisters together, in order of acceptance, and adds to `book` the names
    /// that are new.
    #[must_use]
    pub fn new(canisters: &[(Canister, &Plans)], book: &mut NameBook) -> Self {
        let mut held = Held::of(book);
        let mut places: HashMap<(Names, ContentHash), usize> = HashMap::new();
        let mut tools: Vec<Tool> = Vec::new();
        for (canister, plans) in canisters {
            for plan in plans.iter() {
                let shape = shape_of(plan);
                let names = book.names(&mut held, shape, canister, plan);
                let entry = Entry {
                    canister: canister.clone(),
                    plan: Rc::clone(plan),
                };
                let place = *places
                    .entry((names.clone(), shape))
                    .or_insert_with(|| tools.len());
                match tools.get_mut(place) {
                    Some(tool) => tool.entries.push(entry),
                    None => tools.push(Tool {
                        names,
                        entries: vec![entry],
                    }),
                }
            }
        }
        tools.sort_by(|a, b| a.names.cmp(&b.names));
        Self { tools }
    }

    /// The tools, sorted by name.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool of this name, in either dialect.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.names.is(name))
    }

    /// The definitions of all tools, and of `commit` where one of them prepares, sorted by name.
    #[must_use]
    pub fn definitions(&self, dialect: Dialect) -> Vec<Value> {
        let mut out: Vec<_> = self
            .tools
            .iter()
            .map(|tool| tool.definition(dialect))
            .collect();
        if self
            .tools
            .iter()
            .any(|tool| tool.first().kind == ToolKind::Prepare)
        {
            out.push(commit_definition(dialect));
        }
        sort_definitions(&mut out);
        out
    }
}

/// Sorts definitions by name, which is the order in which they are listed.
pub fn sort_definitions(definitions: &mut [Value]) {
    definitions.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
}

/// The hash of a list of definitions, told as `catalog`: SHA-256 of its JSON.
#[must_use]
pub fn catalog_hash(definitions: &[Value]) -> ContentHash {
    let json = Value::Array(definitions.to_vec()).to_string();
    ContentHash::of(json.as_bytes())
}

/// What a book holds, to be found at once: an interface may have thousands of methods.
struct Held {
    /// The names of each tool.
    known: HashMap<Key, Names>,
    /// Every name, in either dialect.
    taken: HashSet<String>,
}

/// The method, the case that is fixed in its arguments, and the shape.
type Key = (String, Option<String>, ContentHash);

impl Held {
    fn of(book: &NameBook) -> Self {
        let mut held = Self {
            known: HashMap::new(),
            taken: HashSet::new(),
        };
        book.0.iter().for_each(|entry| held.add(entry));
        held
    }

    fn add(&mut self, entry: &NameEntry) {
        let names = entry.names();
        for dialect in Dialect::ALL {
            self.taken.insert(names.get(dialect).to_owned());
        }
        // The first entry counts.
        self.known.entry(entry.key()).or_insert(names);
    }

    fn meets(&self, names: &Names) -> bool {
        let mut both = Dialect::ALL.iter().map(|dialect| names.get(*dialect));
        both.any(|name| self.taken.contains(name))
    }
}

impl NameBook {
    /// The names of this tool; a new shape gets new ones.
    fn names(
        &mut self,
        held: &mut Held,
        shape: ContentHash,
        canister: &Canister,
        plan: &Plan,
    ) -> Names {
        let mut new = NameEntry {
            method: plan.method().to_owned(),
            case: plan.case().map(str::to_owned),
            prepares: plan.kind == ToolKind::Prepare,
            shape,
            suffix: String::new(),
        };
        if let Some(names) = held.known.get(&new.key()) {
            return names.clone();
        }
        if held.meets(&new.names()) {
            let label = canister.label().unwrap_or("canister");
            let label = plain(label).chars().take(16).collect::<String>();
            new.suffix = format!("_{label}");
            let mut count = 2;
            while held.meets(&new.names()) {
                new.suffix = format!("_{label}_{count}");
                count += 1;
            }
        }
        held.add(&new);
        let names = new.names();
        self.0.push(new);
        names
    }
}

impl NameEntry {
    fn key(&self) -> Key {
        (self.method.clone(), self.case.clone(), self.shape)
    }

    fn names(&self) -> Names {
        let exact = match &self.case {
            Some(case) => format!("{}_{case}", self.method),
            None => self.method.clone(),
        };
        Names::new(prefix(self.prepares), &exact, &self.suffix)
    }
}

/// A hash of what makes two methods one tool: how they are called, what they ask for and fill in, and
/// what they do. Words of packs are not in it, since they change with the wallet alone.
fn shape_of(plan: &Plan) -> ContentHash {
    let mut out = String::new();
    let mut part = |text: &str| {
        out.push_str(&text.len().to_string());
        out.push(':');
        out.push_str(text);
    };
    part(match plan.kind {
        ToolKind::Read { replicated: false } => "read",
        ToolKind::Read { replicated: true } => "replicated read",
        ToolKind::Prepare => "prepare",
    });
    part(plan.mode().as_str());
    if let Some(effect) = &plan.effect {
        part(effect.kind.as_str());
        part(if effect.irreversible {
            "irreversible"
        } else {
            "reversible"
        });
    }
    if let Some(case) = plan.case_path() {
        part("case");
        part(&case.to_string());
    }
    for slot in plan.slots() {
        part(&slot.exact);
        part(slot.role.as_str());
    }
    for input in &plan.params {
        write_reader(&mut part, &input.reader);
    }
    if plan.title_from.is_some_and(|source| source != Source::Pack) {
        part(&plan.title);
    }
    ContentHash::of(out.as_bytes())
}

fn write_reader(part: &mut impl FnMut(&str), reader: &Reader) {
    part(if reader.optional {
        "optional"
    } else {
        "required"
    });
    if let Some(words) = &reader.foreign_words {
        part(words);
    }
    if let Some(set) = &reader.named {
        part("named");
        part(set);
    }
    match &reader.kind {
        Kind::Amount { unit, bounds, .. } => {
            part("amount");
            part(&param_text(&unit.decimals, u8::to_string));
            part(&param_text(&unit.symbol, String::clone));
            part(&ends(bounds));
        }
        Kind::Account { as_text: false } => part("account"),
        Kind::Account { as_text: true } => part("account text"),
        Kind::AccountId(form) => part(match form {
            IdForm::Blob => "account id",
            IdForm::Record => "account id record",
            IdForm::Text => "account id text",
        }),
        Kind::Principal => part("principal"),
        Kind::Subaccount => part("subaccount"),
        Kind::Blob(length) => part(&format!("blob {:?} {:?}", length.min, length.max)),
        Kind::Time { unit, bounds, .. } => part(&format!("time {} {}", unit.nanos(), ends(bounds))),
        Kind::Duration { unit, bounds, .. } => {
            part(&format!("duration {} {}", unit.nanos(), ends(bounds)))
        }
        Kind::Integer { bounds, .. } => part(&format!("integer {}", ends(bounds))),
        Kind::Text(rules) => {
            let form = match rules.form {
                Some(crate::format::text::Form::Url) => "url",
                Some(crate::format::text::Form::Email) => "email",
                None => "",
            };
            part(&format!("text {:?} {:?} {form}", rules.min, rules.max));
            part(rules.pattern.as_ref().map_or("", |p| p.source()));
            if rules.pattern_untold {
                part("untold");
            }
        }
        Kind::Bool => part("bool"),
        Kind::Record(members) => write_members(part, "record", members),
        Kind::Variant(members) => write_members(part, "variant", members),
        Kind::Vec(element) => {
            part("vec");
            write_reader(part, element);
        }
        Kind::Nothing => part("nothing"),
    }
}

fn write_members(part: &mut impl FnMut(&str), kind: &str, members: &[Member]) {
    part(kind);
    part(&members.len().to_string());
    for member in members {
        part(&member.exact);
        write_reader(part, &member.reader);
    }
}

fn param_text<T>(param: &Param<T>, literal: impl Fn(&T) -> String) -> String {
    match param {
        Param::Literal(value) => format!("={}", literal(value)),
        Param::Query(method) => format!("query:{method}"),
    }
}

fn ends(bounds: &Bounds) -> String {
    let end = |end: Option<&BigInt>| end.map_or_else(String::new, BigInt::to_string);
    let (min, max) = bounds.ends();
    format!("{}..{}", end(min), end(max))
}
