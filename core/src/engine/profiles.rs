//! Profiles that canisters, sites and the person give: whose word each is, and what the person is
//! told of it.

use super::records::{Asked, Code};
use crate::confirm::view::{ProfileChange, ProfileFrom, ProfileQuote, ProfileView};
use crate::ids::ContentHash;
use crate::interface::Interface;
use crate::profile::{
    Applied, Class, Document, Finding, FindingCode, Given, MethodTags, Resolved, Source, packs,
    resolve_given,
};
use crate::text::Untrusted;
use std::rc::Rc;

/// The most changes, problems and quotes of a profile that are listed, each.
const MOST_LISTED: usize = 200;

/// A profile that was given for a canister.
#[derive(Clone, Debug)]
pub(super) struct GivenProfile {
    /// SHA-256 of the text.
    pub(super) hash: ContentHash,
    /// The text.
    pub(super) text: String,
    from: ProfileFrom,
    trusted: bool,
    /// What it says; or why it cannot be read.
    document: Result<Rc<Document>, String>,
}

/// Reads a profile's text, where it is trusted without what only a canister certifies.
pub(super) fn read_profile(text: &str, source: Source) -> Result<Document, String> {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    if document.candid.is_some() {
        // Comparing two interfaces is work that a stranger does not give the wallet.
        return Err(
            "only a built-in profile has `candid`: this one is for one canister".to_owned(),
        );
    }
    Ok(match source {
        Source::Person => document.without_stated_units().0,
        Source::Pack | Source::Canister | Source::Site => document,
    })
}

impl GivenProfile {
    fn read(text: &str, from: ProfileFrom, trusted: impl Fn(&ContentHash) -> bool) -> Self {
        let hash = ContentHash::of(text.as_bytes());
        let trusted = trusted(&hash);
        let source = if trusted {
            Source::Person
        } else {
            untrusted(from)
        };
        Self {
            hash,
            text: text.to_owned(),
            from,
            trusted,
            document: read_profile(text, source).map(Rc::new),
        }
    }

    /// Whether the person trusts it for whoever asks for the canister: what a site gave is for that
    /// site.
    pub(super) const fn is_kept(&self) -> bool {
        let of_a_site = matches!(self.from, ProfileFrom::Site);
        self.trusted && self.document.is_ok() && !of_a_site
    }

    /// What it is merged as, if it is: what a person pasted says nothing before it is trusted.
    pub(super) fn applied(&self) -> Option<(Applied, &Document)> {
        let document = self.document.as_ref().ok()?;
        let source = match (self.trusted, self.from) {
            (true, _) => Source::Person,
            (false, ProfileFrom::Canister) => Source::Canister,
            (false, ProfileFrom::Site) => Source::Site,
            (false, ProfileFrom::Person) => return None,
        };
        let applied = Applied {
            source,
            text: self.hash,
        };
        Some((applied, document))
    }

    /// What the person is told of it, with all that trusting it would change or with a count of what
    /// is not listed: such a profile cannot be trusted.
    pub(super) fn view(&self, interface: &Interface) -> ProfileView {
        let mut view = ProfileView {
            hash: self.hash,
            name: None,
            from: self.from,
            trusted: self.trusted,
            changes: Vec::new(),
            problems: Vec::new(),
            further: 0,
            quotes: Vec::new(),
        };
        let whole = match Document::parse(&self.text) {
            Ok(whole) if self.document.is_ok() => whole,
            Ok(_) | Err(_) => {
                let why = self.document.as_ref().err().map_or("", String::as_str);
                view.problems.push(ProfileChange {
                    place: String::new(),
                    what: Untrusted::new(why).to_string(),
                    never: true,
                });
                return view;
            }
        };
        view.name = Some(Untrusted::quoted(&whole.name).to_string());
        let narrowed = alone(interface, untrusted(self.from), &whole);
        let (certified, stated) = whole.clone().without_stated_units();
        let trusted = alone(interface, Source::Person, &certified);
        let own = |finding: &&Finding| finding.from.source != Source::Pack;
        // What is said of a type is left out at one position and acts at another, so only what acts
        // nowhere is told as never.
        let even_then = |at: &[String]| {
            let of_a_type = at.first().is_some_and(|key| key == "types");
            let left_out = trusted.findings.iter().filter(own);
            stated.iter().any(|unit| unit.at == at)
                || hands_back(&whole.methods, at)
                || (!of_a_type && left_out.clone().any(|finding| finding.at == at))
        };
        let (dropped, _): (Vec<_>, Vec<_>) = (narrowed.findings.iter().filter(own))
            .partition(|finding| finding.code == FindingCode::NotTrusted);
        let wrong = (trusted.findings.iter().filter(own))
            .filter(|finding| finding.code != FindingCode::NotTrusted);
        let told = |finding: &Finding, never: bool| ProfileChange {
            place: Untrusted::new(&finding.place).to_string(),
            what: Untrusted::new(&finding.message).to_string(),
            never,
        };
        view.changes = dropped
            .iter()
            .map(|finding| told(finding, even_then(&finding.at)))
            .collect();
        // What trust would change is read first.
        view.changes.sort_by_key(|change| change.never);
        view.problems = wrong.map(|finding| told(finding, true)).collect();
        view.quotes = quotes(&narrowed);
        for list in [&mut view.changes, &mut view.problems] {
            let over = list.len().saturating_sub(MOST_LISTED);
            view.further = view
                .further
                .saturating_add(u32::try_from(over).unwrap_or(u32::MAX));
            list.truncate(MOST_LISTED);
        }
        view
    }
}

/// Whether an outcome at these keys is a class that acts from no profile: to send the same call again,
/// or to make a new one.
fn hands_back(methods: &[(String, MethodTags)], at: &[String]) -> bool {
    let [_, name, tag, key] = at else {
        return false;
    };
    let method = methods.iter().find(|(method, _)| method == name);
    let outcome = method.and_then(|(_, tags)| tags.outcome.as_ref());
    let Some(outcome) = outcome.filter(|_| tag == "outcome") else {
        return false;
    };
    let mut classes = outcome.classes.iter();
    let class = classes.find(|(path, _)| path.to_string() == *key);
    let class = class.map(|(_, class)| *class).or(outcome.default);
    matches!(class, Some(Class::RetryNew | Class::RetrySame))
}

/// Whose word a profile is while it is not trusted. A pasted one is told as if it were a site's.
const fn untrusted(from: ProfileFrom) -> Source {
    match from {
        ProfileFrom::Canister => Source::Canister,
        ProfileFrom::Site | ProfileFrom::Person => Source::Site,
    }
}

/// An interface with the packs and this document.
fn alone(interface: &Interface, source: Source, document: &Document) -> Resolved {
    merged(interface, &[(source, document)])
}

/// An interface with the packs and these documents.
pub(super) fn merged(interface: &Interface, profiles: &[(Source, &Document)]) -> Resolved {
    let packs = packs::all();
    let packs = packs.iter().map(|document| Given {
        source: Source::Pack,
        document,
    });
    let profiles = profiles.iter().map(|(source, document)| Given {
        source: *source,
        document,
    });
    resolve_given(interface, &packs.chain(profiles).collect::<Vec<_>>())
}

/// The titles and descriptions that are kept as quotes.
fn quotes(resolved: &Resolved) -> Vec<ProfileQuote> {
    let mut quotes = Vec::new();
    let mut quote = |place: &dyn Fn() -> String, words: &str| {
        if quotes.len() < MOST_LISTED {
            quotes.push(ProfileQuote {
                place: Untrusted::quoted(&place()).to_string(),
                words: quoted(words),
            });
        }
    };
    for (name, method) in &resolved.methods {
        for (path, words) in &method.quoted {
            let place = || match path {
                Some(path) => format!("{name} {path}"),
                None => name.clone(),
            };
            quote(&place, &words.tag);
        }
        method.each_node(&mut |node| {
            for words in &node.tags.quoted {
                quote(&|| format!("{name} {}", node.path), &words.tag);
            }
        });
    }
    quotes
}

/// The longest quote, in characters.
const MAX_QUOTE: usize = 120;

/// Words of a profile as they are quoted: in one line, cut and escaped.
pub(super) fn quoted(words: &str) -> String {
    let line: String = words.chars().take(MAX_QUOTE).collect();
    Untrusted::quoted(&line).to_string()
}

/// The profiles that were given for a canister, in the order in which they are merged: what its
/// metadata holds, what the site gives, what the person trusted before, what the person pasted. The
/// same text counts once.
pub(super) fn given_profiles(
    asked: &Asked,
    code: &Code,
    metadata: Option<&str>,
    kept: &[String],
) -> Vec<GivenProfile> {
    let is_kept = |hash: &ContentHash| kept.iter().any(|k| ContentHash::of(k.as_bytes()) == *hash);
    let trusted = |hash: &ContentHash| {
        let mut said = asked.trust.iter();
        let said = said.find(|said| said.profile == *hash && said.code == *code);
        said.map_or_else(|| is_kept(hash), |said| said.trusted)
    };
    let of = |from| move |text| (from, text);
    let texts = (metadata.into_iter().map(of(ProfileFrom::Canister)))
        .chain(asked.site_profile.as_deref().map(of(ProfileFrom::Site)))
        .chain(kept.iter().map(String::as_str).map(of(ProfileFrom::Person)))
        .chain(asked.profile.as_deref().map(of(ProfileFrom::Person)));
    let mut given: Vec<GivenProfile> = Vec::new();
    for (from, text) in texts {
        let profile = GivenProfile::read(text, from, trusted);
        if given.iter().all(|before| before.hash != profile.hash) {
            given.push(profile);
        }
    }
    given
}
