//! From the files of a command line to what the library works on.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::World;
use super::args::{Canisters, Sources};
use super::diagnostic::{Diagnostic, Failure, Span};
use super::exit;
use super::locate;
use crate::format::name::{NameEntry, NameSets};
use crate::ids::Principal;
use crate::interface::Interface;
use crate::json::Json;
use crate::profile::{Document, DocumentError, Finding, Resolved, Source, packs, resolve};
use crate::tools::{Canister, Plans, RefValue, build_plans};

/// An interface with its profiles, merged.
pub(super) struct Loaded {
    pub(super) interface: Text,
    pub(super) profiles: Vec<Text>,
    pub(super) resolved: Rc<Resolved>,
    pub(super) plans: Plans,
    /// What was wrong with the profiles before they were merged.
    pub(super) findings: Vec<Finding>,
    /// The documents that could not be kept, and why.
    pub(super) refused: Vec<Diagnostic>,
}

/// A file's name and text.
pub(super) struct Text {
    pub(super) file: String,
    pub(super) text: String,
    /// The name of the document in it.
    pub(super) document: String,
}

/// What becomes of a document with tags that the format lacks.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Strictness {
    /// It is refused, as the wallet refuses it.
    Strict,
    /// Everything that is wrong is told, and the rest is looked at.
    Lenient,
}

/// Reads and merges.
pub(super) fn load(
    sources: &Sources,
    strictness: Strictness,
    world: &mut dyn World,
) -> Result<Loaded, Failure> {
    let stdin = core::iter::once(&sources.interface).chain(&sources.profiles);
    if stdin.filter(|path| *path == "-").count() > 1 {
        let message = "only one file can be the standard input";
        return Err(Diagnostic::error("E_USAGE", message).into_failure(exit::USAGE));
    }
    let text = text_of(&sources.interface, world)?;
    let interface = Interface::parse(&text).map_err(|error| {
        let shown = error.to_string();
        let prefix = error.line().map(|line| format!("line {line}: "));
        let message = prefix.and_then(|prefix| shown.strip_prefix(&prefix));
        Diagnostic::error(error.code(), message.unwrap_or(&shown))
            .in_file(&sources.interface, locate::of_refusal(&text, &error))
            .into_failure(exit::FILE)
    })?;
    let mut documents = Vec::new();
    let mut profiles = Vec::new();
    let (mut findings, mut refused) = (Vec::new(), Vec::new());
    for file in &sources.profiles {
        let text = text_of(file, world)?;
        let document = match Document::parse(&text) {
            Ok(document) => Some(document),
            Err(error) if strictness == Strictness::Strict => {
                return Err(refusal(file, &text, &error).into_failure(exit::FILE));
            }
            Err(error) => {
                let (document, found) = Document::read_leniently(&text, file, Source::Person);
                findings.extend(found);
                if document.is_none() {
                    // The last finding says the same without the place.
                    findings.pop();
                    refused.push(refusal(file, &text, &error));
                }
                document
            }
        };
        profiles.push(Text {
            file: file.clone(),
            document: document
                .as_ref()
                .map_or_else(|| file.clone(), |d| d.name.clone()),
            text,
        });
        documents.extend(document);
    }
    let packs = if sources.packs {
        packs::all()
    } else {
        Vec::new()
    };
    let resolved = Rc::new(resolve(&interface, &packs, &documents));
    Ok(Loaded {
        plans: build_plans(&resolved),
        resolved,
        interface: Text {
            file: sources.interface.clone(),
            text,
            document: String::new(),
        },
        profiles,
        findings,
        refused,
    })
}

impl Loaded {
    /// A finding as a message, at its place in the file.
    pub(super) fn diagnostic(&self, finding: &Finding) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(finding.code.as_str(), finding.message.as_str());
        diagnostic.severity = finding.code.severity().into();
        let text = self.profiles.iter().find(|text| {
            finding.from.source != Source::Pack && text.document == finding.from.document
        });
        if let Some(text) = text {
            let span = locate::of_keys(&text.text, &finding.at);
            diagnostic = diagnostic.in_file(&text.file, span);
        }
        if !finding.place.is_empty() {
            diagnostic = diagnostic.noted("place", finding.place.as_str());
        }
        diagnostic.noted("help", finding.advice.as_str())
    }

    /// Where a message stands among the others: by file as the command line has them, and by place.
    pub(super) fn order(&self, message: &Diagnostic) -> (usize, usize, usize) {
        let Some(place) = &message.place else {
            return (0, 0, 0);
        };
        let files = self.profiles.iter().map(|text| &text.file);
        let file = files.take_while(|file| **file != place.file).count();
        let span = place.span.as_ref();
        (
            file,
            span.map_or(0, |s| s.line),
            span.map_or(0, |s| s.column),
        )
    }

    /// What the merge has to say of the profiles, as warnings beside an answer. What packs say of
    /// methods that are other methods here is no business of the author's.
    pub(super) fn warnings(&self) -> String {
        let found = self.resolved.findings.iter();
        let own = found.filter(|finding| finding.from.source != Source::Pack);
        let messages: Vec<_> = own.map(|finding| self.diagnostic(finding)).collect();
        super::diagnostic::page(&messages)
    }
}

/// The refusal of a profile, at its place.
fn refusal(file: &str, text: &str, error: &DocumentError) -> Diagnostic {
    let (message, span) = match error {
        DocumentError::Format { message, at } => {
            let span = at.and_then(|(line, column)| {
                let start = line_start(text, line)?;
                // The reader counts in bytes, and may stand behind the last of them.
                let at = (start + column.saturating_sub(1)).min(text.len());
                let at = (0..=at).rev().find(|at| text.is_char_boundary(*at))?;
                let end = text
                    .get(at..)?
                    .chars()
                    .next()
                    .map_or(at, |c| at + c.len_utf8());
                Span::of(text, at, end)
            });
            (format!("the profile cannot be read: {message}"), span)
        }
        DocumentError::Place(error) => {
            let quoted = serde_json::to_string(&error.text).unwrap_or_default();
            let at = text.find(&quoted);
            let span = at.and_then(|at| Span::of(text, at, at + quoted.len()));
            (error.to_string(), span)
        }
        DocumentError::TooLarge => (error.to_string(), None),
        DocumentError::Chain => {
            let keys = ["chain".to_owned()];
            (error.to_string(), locate::of_keys(text, &keys))
        }
        DocumentError::Interface(_) => {
            let keys = ["candid".to_owned()];
            (error.to_string(), locate::of_keys(text, &keys))
        }
    };
    Diagnostic::error(error.code(), message).in_file(file, span)
}

/// The byte at which a line begins.
fn line_start(text: &str, line: usize) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text.get(start..)?.find('\n')? + 1;
    }
    Some(start)
}

/// A file's text.
pub(super) fn text_of(file: &str, world: &mut dyn World) -> Result<String, Failure> {
    let unreadable = |message: String| {
        Diagnostic::error("E_FILE", message)
            .in_file(file, None)
            .into_failure(exit::FILE)
    };
    let bytes = world
        .read(file)
        .map_err(|why| unreadable(format!("the file cannot be read: {why}")))?;
    String::from_utf8(bytes).map_err(|_| unreadable("the file is no text in UTF-8".to_owned()))
}

/// The canisters of a command line.
pub(super) fn canisters(args: &Canisters, world: &mut dyn World) -> Result<Vec<Canister>, Failure> {
    let (shared, own) = match &args.refs {
        Some(file) => refs(file, &text_of(file, world)?)?,
        None => (BTreeMap::new(), BTreeMap::new()),
    };
    let canister = |id: Principal, label: Option<&str>| {
        let mut refs = shared.clone();
        refs.extend(own.get(&id).cloned().unwrap_or_default());
        Canister::new(id, label, refs)
    };
    if args.canisters.is_empty() {
        let id = match own.keys().collect::<Vec<_>>().as_slice() {
            [id] => **id,
            _ => Principal::management_canister(),
        };
        return Ok(vec![canister(id, None)]);
    }
    let mut out: Vec<Canister> = Vec::new();
    for written in &args.canisters {
        let (id, label) = match written.split_once('=') {
            Some((id, label)) => (id, Some(label)),
            None => (written.as_str(), None),
        };
        let id = Principal::from_text(id).map_err(|_| {
            let message = format!("`{id}` is no canister id: write --canister ID=LABEL");
            Diagnostic::error("E_USAGE", message).into_failure(exit::USAGE)
        })?;
        if out.iter().any(|other| other.id == id) {
            let message = format!("the canister {id} is given twice");
            return Err(Diagnostic::error("E_USAGE", message).into_failure(exit::USAGE));
        }
        out.push(canister(id, label));
    }
    Ok(out)
}

type Refs = BTreeMap<String, RefValue>;

/// Reads replies: those of all canisters, and those of each.
fn refs(file: &str, text: &str) -> Result<(Refs, BTreeMap<Principal, Refs>), Failure> {
    let refused = |message: String| {
        Diagnostic::error("E_REFS", message)
            .in_file(file, None)
            .noted(
                "help",
                "write {\"query:icrc1_decimals\": 8, \"query:icrc1_symbol\": \"TKA\"}",
            )
            .into_failure(exit::FILE)
    };
    let json = Json::parse(text).map_err(|error| refused(error.to_string()))?;
    let object = json
        .as_object()
        .ok_or_else(|| refused("the replies are no JSON object".to_owned()))?;
    let (mut shared, mut own) = (Refs::new(), BTreeMap::new());
    for (name, value) in object.iter() {
        if let Some(replies) = value.as_object() {
            let id = Principal::from_text(name)
                .map_err(|_| refused(format!("`{name}` is no canister id")))?;
            let mut refs = Refs::new();
            for (name, value) in replies.iter() {
                refs.insert(name.to_owned(), reply(name, value).map_err(refused)?);
            }
            own.insert(id, refs);
        } else {
            shared.insert(name.to_owned(), reply(name, value).map_err(refused)?);
        }
    }
    Ok((shared, own))
}

/// Reads sets of names; none without a file.
pub(super) fn names(file: Option<&str>, world: &mut dyn World) -> Result<NameSets, Failure> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Entry {
        name: String,
        value: String,
    }
    let mut sets = NameSets::default();
    let Some(file) = file else {
        return Ok(sets);
    };
    let text = text_of(file, world)?;
    let read: BTreeMap<String, Vec<Entry>> = serde_json::from_str(&text).map_err(|error| {
        Diagnostic::error("E_NAMES", error.to_string())
            .in_file(file, None)
            .noted(
                "help",
                "write {\"account\": [{\"name\": \"Main\", \"value\": \"1\"}]}",
            )
            .into_failure(exit::FILE)
    })?;
    for (set, entries) in read {
        let entries = entries
            .into_iter()
            .map(|Entry { name, value }| NameEntry { label: name, value });
        sets.insert(&set, entries.collect());
    }
    Ok(sets)
}

fn reply(name: &str, value: &Json) -> Result<RefValue, String> {
    let known = name
        .strip_prefix("query:")
        .is_some_and(|method| !method.is_empty());
    if !known {
        return Err(format!(
            "`{name}` is no reference: write `query:` and a method's name"
        ));
    }
    match value {
        Json::String(text) => Ok(RefValue::Text(text.clone())),
        Json::Number(number) => number
            .as_str()
            .parse()
            .map(RefValue::Number)
            .map_err(|_| format!("`{name}` is no whole number")),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => {
            Err(format!("`{name}` is neither a number nor a text"))
        }
    }
}
