//! What a history came to: by the ledgers' logs and by every answer that a page was given.

use crate::machine::Machine;
use crate::net::{Effect, Posted, hash};
use countersign_core::ids::{IdentityHash, PreviewId};
use countersign_core::intent::{EndKind, Held, Intent};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with a history, each in words.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// An intent, or a wish, with more than one effect.
    pub duplicated: Vec<String>,
    /// Something was sent, promised or told that nothing explains.
    pub lost: Vec<String>,
    /// An answer said that nothing happened, and it had or did.
    pub false_failed: Vec<String>,
    /// An intent that nothing but a new call of the agent can end.
    pub stuck: Vec<String>,
}

impl Verdict {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.all().next().is_none()
    }

    /// Everything that is wrong.
    pub fn all(&self) -> impl Iterator<Item = String> {
        let named = [
            ("duplicated", &self.duplicated),
            ("lost", &self.lost),
            ("false failed", &self.false_failed),
            ("stuck", &self.stuck),
        ];
        named
            .into_iter()
            .flat_map(|(name, list)| list.iter().map(move |text| format!("{name}: {text}")))
    }
}

/// The effects of an intent: those with its stamp on its ledger.
pub fn effects_of<'e>(intent: &Intent, effects: &'e [Effect]) -> Vec<&'e Effect> {
    let prepared = intent.prepared();
    let stamp = prepared.stamp.as_ref().map(|stamp| stamp.at.as_nanos());
    effects
        .iter()
        .filter(|effect| effect.ledger == prepared.canister && effect.stamp == stamp)
        .collect()
}

/// Judges a history that has come to its end.
#[must_use]
pub fn judge(machine: &Machine<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    let intents = machine.intents();
    // What a journal knew that was put away for an older one: nobody can be asked about it now.
    let known = |intent: &Intent| intents.iter().any(|own| own.preview() == intent.preview());
    let forgotten: Vec<&Intent> = machine
        .put_away
        .iter()
        .filter(|gone| !known(gone))
        .collect();
    let net = machine.net.borrow();
    let effects = &net.effects;

    let mut by_identity: BTreeMap<String, usize> = BTreeMap::new();
    let mut explained = 0;
    for intent in &intents {
        let own = effects_of(intent, effects);
        explained += own.len();
        if own.len() > 1 {
            let many = format!("{} has {} effects", intent.preview(), own.len());
            verdict.duplicated.push(many);
        }
        if !own.is_empty() && !machine.yeses.contains(&intent.preview()) {
            let text = format!("{} has an effect and no yes", intent.preview());
            verdict.lost.push(text);
        }
        let identity = identity_text(&intent.prepared().identity);
        *by_identity.entry(identity).or_default() += own.len();
        let done = intent.end().is_some_and(|end| end.kind.is_effect());
        if done && own.is_empty() {
            let text = format!("{} ended as done and has no effect", intent.preview());
            verdict.lost.push(text);
        }
        let denied = intent.end().is_some_and(|end| !end.kind.is_effect());
        if denied && !own.is_empty() {
            let text = format!("{} ended as not done and has an effect", intent.preview());
            verdict.false_failed.push(text);
        }
        if intent.end().is_none() {
            verdict.stuck.push(format!("{intent:?}"));
        }
    }
    for (identity, count) in by_identity {
        if count > 1 {
            let text = format!("the wish {identity} has {count} effects");
            verdict.duplicated.push(text);
        }
    }
    for intent in &forgotten {
        let own = effects_of(intent, effects).len();
        explained += own;
        if own > 1 {
            let many = format!("{}, since forgotten, has {own} effects", intent.preview());
            verdict.duplicated.push(many);
        }
    }
    if explained != effects.len() {
        let text = format!("{} effects, {explained} of intents", effects.len());
        verdict.lost.push(text);
    }
    let recorded = |preview: &PreviewId| {
        let mut all = intents.iter().chain(&machine.put_away);
        all.any(|intent| intent.preview() == *preview)
    };
    let forsaken = machine.yeses.iter().filter(|yes| !recorded(yes));
    let forsaken = forsaken.map(|yes| format!("a yes to {yes}, of which there is no record"));
    verdict.lost.extend(forsaken);
    let handed_over: BTreeSet<_> = intents
        .iter()
        .chain(&machine.put_away)
        .flat_map(Intent::envelopes)
        .filter(|envelope| envelope.handed_over.is_some())
        .map(|envelope| hash(&envelope.signed.call))
        .collect();
    let unexplained = net.posted.keys().filter(|by| !handed_over.contains(*by));
    let unexplained = unexplained.count();
    if unexplained > 0 {
        let text = format!("{unexplained} posted calls of no record");
        verdict.lost.push(text);
    }
    if machine.restless {
        verdict
            .stuck
            .push("the worker never came to rest".to_owned());
    }
    let all: Vec<&Intent> = intents.iter().chain(forgotten).collect();
    let sent = Sent {
        posted: &net.posted,
        versions: intents.iter().chain(&machine.put_away).collect(),
    };
    for heard in &machine.heard {
        answer(heard.seq, &heard.told, &all, effects, &sent, &mut verdict);
    }
    verdict
}

fn answer(
    seq: u64,
    told: &Value,
    intents: &[&Intent],
    effects: &[Effect],
    sent: &Sent<'_>,
    verdict: &mut Verdict,
) {
    let Some(preview) = told["preview"]["preview_id"].as_str() else {
        return;
    };
    let named = |preview: &str| {
        let mut all = intents.iter().copied();
        all.find(|intent| intent.preview().to_string() == preview)
    };
    let Some(intent) = named(preview) else {
        let text = format!("a preview was told that is not stored: {told}");
        verdict.lost.push(text);
        return;
    };
    let outcome = told["outcome"].as_str().unwrap_or_default();
    let earlier = told["earlier_outcome"].is_string();
    // A renewal is told with the successor's preview: it is its predecessor of which it is said.
    let of = match (outcome, intent.prepared().line.predecessor) {
        ("retry_new", Some(predecessor)) => before(intents, predecessor).unwrap_or(intent),
        _ => intent,
    };
    let own = effects_of(of, effects);
    match outcome {
        "success" | "already_done" if own.is_empty() => {
            verdict
                .lost
                .push(format!("told as done without an effect: {told}"));
        }
        "not_executed" | "fail" | "fix_input" | "retry_new" | "retry_same" | "declined"
            if !earlier =>
        {
            // What was posted before the answer and took effect, whenever.
            let sent_before = own.iter().find(|effect| {
                let by = effect.by.or_else(|| sent.last(of, effect.seq));
                by.and_then(|by| sent.posted.get(&by))
                    .is_some_and(|at| *at < seq)
            });
            if let Some(effect) = sent_before {
                let text = format!("at {seq}, with an effect at {}: {told}", effect.seq);
                verdict.false_failed.push(text);
            }
        }
        _ => {}
    }
}

/// What was sent, and of what.
struct Sent<'a> {
    posted: &'a BTreeMap<Posted, u64>,
    /// Every intent, and as each journal had it that was put away: what came back may lack an
    /// envelope.
    versions: Vec<&'a Intent>,
}

impl Sent<'_> {
    /// The envelope of an intent that was posted last before something.
    fn last(&self, intent: &Intent, seq: u64) -> Option<Posted> {
        let versions = self.versions.iter();
        let own = versions.filter(|version| version.preview() == intent.preview());
        let envelopes = own.flat_map(|version| version.envelopes());
        envelopes
            .map(|envelope| hash(&envelope.signed.call))
            .filter_map(|by| Some((*self.posted.get(&by)?, by)))
            .filter(|(at, _)| *at < seq)
            .max()
            .map(|(_, by)| by)
    }
}

fn before<'i>(intents: &[&'i Intent], predecessor: PreviewId) -> Option<&'i Intent> {
    let mut all = intents.iter().copied();
    all.find(|intent| intent.preview() == predecessor)
}

fn identity_text(identity: &IdentityHash) -> String {
    format!("{identity:?}")
}

/// Why an intent that may have executed is left to the person.
#[must_use]
pub fn held(intent: &Intent) -> &'static str {
    match intent.held() {
        None => "held: not settled by the log",
        Some(Held::Unstamped) => "held: unstamped",
        Some(Held::RejectsSpent) => "held: rejects spent",
        Some(Held::RetriesSpent) => "held: retries spent",
        Some(Held::AnsweredAfterUnknown) => "held: answered after unknown",
        Some(Held::UntrustedClass) => "held: class of a stranger's profile",
        Some(Held::OtherBlock) => "held: another block",
        Some(Held::Restored) => "held: restored",
    }
}

/// Whether what a history has met is a reason for this.
#[must_use]
pub fn explains(met: &BTreeMap<&'static str, u64>, why: &str) -> bool {
    let any = |names: &[&str]| names.iter().any(|name| met.contains_key(name));
    match why {
        "held: restored" => any(&["journal restored"]),
        "held: rejects spent" => any(&["rejected before", "rejected after"]),
        "held: retries spent" => any(&["throttled"]),
        "held: answered after unknown" => any(&[
            "fee changed",
            "throttled",
            "ledger's clock ahead",
            "ledger's clock behind",
        ]),
        // With a log that can be read there is no reason for any other.
        _ => false,
    }
}

/// How an intent ended, in a word for counts.
#[must_use]
pub const fn ended(intent: &Intent) -> &'static str {
    match intent.end() {
        None => "open",
        Some(end) => match &end.kind {
            EndKind::Done(_) => "done",
            EndKind::Found { .. } => "found",
            EndKind::Absent(_) => "absent",
            EndKind::Refused(_) => "refused",
            EndKind::RetriesSpent(_) => "retries spent",
            EndKind::Declined => "declined",
            EndKind::Expired => "expired",
            EndKind::Superseded { .. } => "superseded",
            EndKind::Differs => "differs",
            EndKind::RenewRefused(_) => "renewal refused",
            EndKind::ByHand { .. } => "by hand",
        },
    }
}
