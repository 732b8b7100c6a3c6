//! What is taken from a document that nobody vouches for: one that a canister certifies about itself,
//! or that a site gives. It can only narrow.
//!
//! Taken are bounds of texts and numbers, where no pack speaks, and words, as quotes. Everything else
//! is left out, and told as the change that it would make.

use super::document::{CaseTags, MethodTags, PositionTags};
use super::finding::FindingCode;
use super::merge::{Merge, Spot};
use super::position::{MAX_END, Refused, find};
use super::relpath::RelPath;
use super::tags::{
    Class, Effect, Idempotency, Outcome, Param, RangeTag, Reconcile, Source, Tagged, Tags,
    TimeUnit, ValueTag,
};

pub(super) const COVERED: &str = "it is left out: a built-in pack says what this is";
const NOT_THEIRS: &str = "it is left out: a canister or a site does not say this, the person does";

/// Why bounds that an untrusted document sets are left out at a position with these tags, if they
/// are. A second pattern cannot be had beside the first, so whoever spoke first is kept.
pub(super) fn bounds_stand(known: &Tags, tag: &'static str) -> Option<Refused> {
    let covered = known.is_said(Source::Pack);
    let taken = if tag == "text" {
        known.text.is_some()
    } else {
        known.range.is_some()
    };
    let (message, advice) = match (covered, taken) {
        (_, true) => (
            "the bounds that stand there would be replaced",
            if covered {
                COVERED
            } else {
                "it is left out: an earlier document bounds this"
            },
        ),
        (true, false) => ("the value would be bounded", COVERED),
        (false, false) => return None,
    };
    Some(Refused {
        code: FindingCode::NotTrusted,
        tag,
        message: message.into(),
        advice,
    })
}

/// Whether the ends are numbers that a definition may hold, since a model reads them.
fn is_short(range: &RangeTag) -> bool {
    let ends = [&range.min, &range.max];
    ends.into_iter().flatten().all(|end| {
        let digits = end.strip_prefix('-').unwrap_or(end);
        end.len() <= MAX_END && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

impl Merge<'_> {
    /// Tells what an untrusted document says of a method, and keeps its title as a quote.
    pub(super) fn untrusted_method(&mut self, name: &str, tags: &MethodTags) {
        let MethodTags {
            intent,
            effect,
            idempotency,
            outcome,
            reconcile,
            names,
            cases,
            at: _,
        } = tags;
        let spot = Spot::of_method(name);
        if let Some(intent) = intent {
            let quote = self.tagged(intent.clone());
            self.target(name).quoted.push((None, quote));
        }
        if let Some(effect) = effect {
            let covered = is_pack(self.target(name).effect.as_ref());
            self.dropped(&spot, &["effect"], covered, effect_change(effect));
        }
        if let Some(idempotency) = idempotency {
            let covered = is_pack(self.target(name).idempotency.as_ref());
            self.dropped(&spot, &["idempotency"], covered, stamp_change(idempotency));
        }
        if let Some(outcome) = outcome {
            let covered = is_pack(self.target(name).outcome.as_ref());
            self.dropped_outcome(&spot, covered, outcome);
        }
        if let Some(Reconcile::Icrc3Blocks) = reconcile {
            let covered = is_pack(self.target(name).reconcile.as_ref());
            self.dropped(&spot, &["reconcile"], covered, log_change());
        }
        for (set, _) in names {
            let covered = is_pack(self.into.names.get(set));
            let change = "the names that its reply lists could stand for values";
            self.dropped(&spot, &["names", set], covered, change.to_owned());
        }
        for (path, case) in cases {
            self.untrusted_case(name, path, case);
        }
    }

    fn untrusted_case(&mut self, name: &str, path: &RelPath, tags: &CaseTags) {
        let CaseTags {
            intent,
            effect,
            outcome,
        } = tags;
        let spot = Spot::of_part(name, "cases", path);
        if find(self.target(name), path).is_none() {
            let message = "the method has no such position";
            let what = (FindingCode::NoPlace, "cases", message);
            self.report(&spot, &[], what, "it says nothing".to_owned());
            return;
        }
        let change = "this case would have a tool of its own".to_owned();
        let known = self.target(name).cases.get(path).cloned();
        let known = known.unwrap_or_default();
        self.dropped(&spot, &[], known.is_said(Source::Pack), change);
        if let Some(intent) = intent {
            let quote = self.tagged(intent.clone());
            let place = Some(path.clone());
            self.target(name).quoted.push((place, quote));
        }
        if let Some(effect) = effect {
            let covered = is_pack(known.effect.as_ref());
            self.dropped(&spot, &["effect"], covered, effect_change(effect));
        }
        if let Some(outcome) = outcome {
            let covered = is_pack(known.outcome.as_ref());
            self.dropped_outcome(&spot, covered, outcome);
        }
    }

    fn dropped_outcome(&mut self, spot: &Spot, covered: bool, outcome: &Outcome) {
        for (path, class) in &outcome.classes {
            let key = path.to_string();
            let change = format!(
                "a reply `{}` would count as {}",
                word(&key),
                class_change(*class)
            );
            self.dropped(spot, &["outcome", &key], covered, change);
        }
        if let Some(class) = outcome.default {
            let change = format!("every other reply would count as {}", class_change(class));
            self.dropped(spot, &["outcome", "default"], covered, change);
        }
    }

    /// Tells that the names of the person's address book are not given out on an untrusted word.
    pub(super) fn untrusted_names(&mut self) {
        for (set, _) in &self.document.names {
            let spot = Spot {
                at: vec!["names".to_owned()],
                place: String::new(),
            };
            let covered = is_pack(self.into.names.get(set));
            let change = "names of the person's address book could stand for values";
            self.dropped(&spot, &[set], covered, change.to_owned());
        }
    }

    /// What an untrusted document may say of a position. The rest is told.
    pub(super) fn narrowed(
        &mut self,
        spot: &Spot,
        known: &Tags,
        tags: &PositionTags,
    ) -> PositionTags {
        let PositionTags {
            describe,
            value,
            text,
            range,
            auto,
            ui,
            payer,
            named,
        } = tags;
        let covered = known.is_said(Source::Pack);
        let mut drop = |keys: &[&str], change: String| self.dropped(spot, keys, covered, change);
        if let Some(value) = value {
            drop(&["value"], value_change(value));
        }
        if auto.is_some() {
            let change = "the position would be left empty, and nobody asked for it";
            drop(&["auto"], change.to_owned());
        }
        if let Some(ui) = ui {
            drop(&["ui", "hidden"], hidden_change(ui.hidden).to_owned());
        }
        if payer.is_some() {
            let change = "whether the position names who pays would be for this profile to say";
            drop(&["payer"], change.to_owned());
        }
        if let Some(set) = named {
            let change = format!(
                "a name of `{}` could be given in place of the value, and stand beside it",
                word(set)
            );
            drop(&["named"], change);
        }
        let range = range.as_ref().filter(|range| is_short(range));
        if range.is_none() && tags.range.is_some() {
            let change = "a bound that is no number of at most 40 digits would be told";
            drop(&["range"], change.to_owned());
        }
        // Where bounds stand already, `put` says so.
        PositionTags {
            describe: describe.clone(),
            text: text.clone(),
            range: range.cloned(),
            ..PositionTags::default()
        }
    }

    fn dropped(&mut self, spot: &Spot, keys: &[&str], covered: bool, change: String) {
        let tag = keys.first().copied().unwrap_or("cases");
        let advice = if covered { COVERED } else { NOT_THEIRS };
        let what = (FindingCode::NotTrusted, tag, change.as_str());
        self.report(spot, keys, what, advice.to_owned());
    }
}

pub(super) fn is_pack<T>(tagged: Option<&Tagged<T>>) -> bool {
    tagged.is_some_and(|tagged| tagged.from.source == Source::Pack)
}

pub(super) fn title_change() -> String {
    "the call would have another title".to_owned()
}

pub(super) fn log_change() -> String {
    "an unknown end of the call would be settled from the canister's own log".to_owned()
}

/// What it would change that a position is hidden, or is not.
pub(super) const fn hidden_change(hidden: bool) -> &'static str {
    if hidden {
        "the position would be hidden, and left empty"
    } else {
        "the position would be asked for where it is hidden"
    }
}

/// A name or a path of a document as it stands in a sentence of ours: it cannot go on as one.
pub(super) fn word(text: &str) -> String {
    const MOST: usize = 80;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.$[]()-:".contains(c);
    let kept = text.chars().take(MOST);
    kept.map(|c| if plain(c) { c } else { '_' }).collect()
}

pub(super) fn effect_change(effect: &Effect) -> String {
    let kind = effect.kind.as_str();
    if effect.replicated {
        return format!("the call would be told as `{kind}`, and sent without asking the person");
    }
    let end = if effect.irreversible { "cannot" } else { "can" };
    let mut change = format!("the call would be told as `{kind}`, which {end} be undone");
    if let Some(grant) = &effect.grant {
        let (to, amount) = (word(&grant.to), word(&grant.amount));
        change.push_str(&format!(", and as giving `{amount}` to `{to}`"));
    }
    change
}

pub(super) fn stamp_change(idempotency: &Idempotency) -> String {
    let stamp = word(&idempotency.stamp.to_string());
    format!("the wallet would fill `{stamp}`, and say that the canister drops repeats by it")
}

pub(super) const fn class_change(class: Class) -> &'static str {
    match class {
        Class::Success => "done",
        Class::AlreadyDone => "done by an earlier call",
        Class::RetrySame => "not done, and the same call be sent again",
        Class::RetryNew => "not done, and a new call be made in its place",
        Class::FixInput => "not done, because of its input",
        Class::Fail => "not done",
    }
}

pub(super) fn value_change(value: &ValueTag) -> String {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Nanoseconds => "nanoseconds",
        TimeUnit::Microseconds => "microseconds",
        TimeUnit::Milliseconds => "milliseconds",
        TimeUnit::Seconds => "seconds",
    };
    match value {
        ValueTag::Amount { decimals, .. } => match decimals {
            Param::Literal(digits) => {
                format!("the number would be shown as an amount with {digits} decimals")
            }
            Param::Query(method) => {
                let method = word(method);
                format!("the number would be shown as an amount with the decimals of `{method}`")
            }
        },
        ValueTag::Timestamp { unit: of } => {
            format!(
                "the number would be shown as a date, counted in {}",
                unit(of)
            )
        }
        ValueTag::Duration { unit: of } => {
            format!(
                "the number would be shown as a length of time, in {}",
                unit(of)
            )
        }
        ValueTag::Account => "the value would be shown as an account".to_owned(),
        ValueTag::AccountId => "the value would be shown as an account identifier".to_owned(),
        ValueTag::Principal => "the value would be shown as a principal".to_owned(),
        ValueTag::Subaccount => "the bytes would be shown as a subaccount".to_owned(),
        ValueTag::Memo => "the bytes would be shown as text".to_owned(),
        ValueTag::Blob => "the bytes would be shown as they are".to_owned(),
    }
}
