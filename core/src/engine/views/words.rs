//! Whose words stand in a call's view: the person's profiles, and what canisters and sites say,
//! which is quoted.

use crate::confirm::view::{ProfileFrom, Quote};
use crate::engine::profiles::quoted;
use crate::interface::Interface;
use crate::profile::{Provenance, RelPath, Resolved, Source, Tagged};
use crate::tools::{plain, plain_path};
use std::collections::BTreeMap;

/// The person's profiles that say something of a method, by name.
pub(super) fn persons_of(resolved: &Resolved, method: &str) -> Vec<String> {
    fn from<T>(tagged: Option<&Tagged<T>>) -> Option<&Provenance> {
        tagged.map(|tagged| &tagged.from)
    }
    let Some(method) = resolved.methods.get(method) else {
        return Vec::new();
    };
    let mut tags_positions = false;
    method.each_node(&mut |node| tags_positions |= node.tags.is_said(Source::Person));
    let of_method = [
        from(method.intent.as_ref()),
        from(method.effect.as_ref()),
        from(method.idempotency.as_ref()),
        from(method.outcome.as_ref()),
        from(method.reconcile.as_ref()),
    ];
    let of_cases = method.cases.values().flat_map(|case| {
        let (intent, effect) = (from(case.intent.as_ref()), from(case.effect.as_ref()));
        [intent, effect, from(case.outcome.as_ref())]
    });
    let of_method: Vec<&Provenance> = of_method.into_iter().chain(of_cases).flatten().collect();
    let documents = resolved.documents.iter().filter(|from| {
        from.source == Source::Person && (tags_positions || of_method.contains(from))
    });
    documents.map(|from| plain(&from.document)).collect()
}

/// The most quotes that stand beside a call. They decide nothing.
const MOST_QUOTES: usize = 60;

/// What canisters and sites say of a method and its arguments.
pub(super) fn quotes_of(resolved: &Resolved, method: &str) -> Vec<Quote> {
    let mut quotes = Vec::new();
    let mut quote = |path: Option<&RelPath>, words: &Tagged<String>| {
        if quotes.len() >= MOST_QUOTES {
            return;
        }
        let by = match words.from.source {
            Source::Canister => ProfileFrom::Canister,
            Source::Site => ProfileFrom::Site,
            Source::Pack | Source::Person => return,
        };
        quotes.push(Quote {
            by,
            about: path.map(|path| plain_path(path).short()),
            words: quoted(&words.tag),
        });
    };
    if let Some(method) = resolved.methods.get(method) {
        for (path, words) in &method.quoted {
            quote(path.as_ref(), words);
        }
        for node in &method.args {
            node.each(&mut |node| {
                for words in &node.tags.quoted {
                    quote(Some(&node.path), words);
                }
            });
        }
    }
    quotes
}

/// The names of an interface as paths show them, each with its hash. Names that are shown alike and
/// are not the same have none.
pub(super) fn hashes_of(interface: &Interface) -> BTreeMap<String, Option<u32>> {
    let mut hashes = BTreeMap::new();
    for (label, hash) in interface.labels() {
        hashes
            .entry(plain(&label))
            .and_modify(|known| *known = None)
            .or_insert(Some(hash));
    }
    hashes
}

/// A path whose names have their hashes, which are all that the bytes hold of them.
pub(super) fn with_hashes(path: &str, hashes: &BTreeMap<String, Option<u32>>) -> String {
    let members = path.split('.').map(|member| {
        let end = member.find('[').unwrap_or(member.len());
        let (name, index) = member.split_at(end);
        match hashes.get(name) {
            Some(Some(hash)) => format!("{name}#{hash}{index}"),
            Some(None) => format!("{name}#?{index}"),
            None => member.to_owned(),
        }
    });
    members.collect::<Vec<_>>().join(".")
}
