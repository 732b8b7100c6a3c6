//! What a pack says stays: a person's profile adds to it, and changes nothing of it.
//!
//! A tag that would change what a pack says of a method or a position is left out, and told as the
//! change that it would make. One that says the same is the pack's word.

use super::document::{PositionTags, Ui};
use super::finding::FindingCode;
use super::merge::{Merge, Spot};
use super::narrow::{COVERED, class_change, hidden_change, is_pack, value_change, word};
use super::position::Refused;
use super::resolved::{Node, ResolvedMethod, Shape};
use super::tags::{Outcome, Source, Tagged};

impl Merge<'_> {
    /// Whether what this document says of a method, or of a case of it, may stand there. `known` is
    /// what stands there now.
    pub(super) fn may_say<T: PartialEq>(
        &mut self,
        spot: &Spot,
        tag: &str,
        (known, said): (Option<&Tagged<T>>, &T),
        change: impl FnOnce() -> String,
    ) -> bool {
        let Some(known) = self.pack_over(known) else {
            return true;
        };
        if known.tag != *said {
            self.stays(spot, &[tag], &change());
        }
        false
    }

    /// Whether this document may say what no pack says of a method that packs speak of: how a repeated
    /// call is told from a new one, and how its end is found. A pack leaves that out on purpose.
    pub(super) fn may_add(
        &mut self,
        spot: &Spot,
        tag: &str,
        covered: bool,
        change: impl FnOnce() -> String,
    ) -> bool {
        let stays = covered && self.from.source != Source::Pack;
        if stays {
            self.stays(spot, &[tag], &change());
        }
        !stays
    }

    /// [`Self::may_say`] of classes of replies, of which each that differs is told.
    pub(super) fn may_class(
        &mut self,
        spot: &Spot,
        known: Option<&Tagged<Outcome>>,
        said: &Outcome,
    ) -> bool {
        let Some(known) = self.pack_over(known) else {
            return true;
        };
        for (path, class) in &said.classes {
            if !known.tag.classes.contains(&(path.clone(), *class)) {
                let key = path.to_string();
                let change = format!(
                    "a reply `{}` would count as {}",
                    word(&key),
                    class_change(*class)
                );
                self.stays(spot, &["outcome", &key], &change);
            }
        }
        if let Some(class) = said.default
            && known.tag.default != Some(class)
        {
            let change = format!("every other reply would count as {}", class_change(class));
            self.stays(spot, &["outcome", "default"], &change);
        }
        false
    }

    /// What stands there, where it is a pack's and this document is none.
    fn pack_over<'t, T>(&self, known: Option<&'t Tagged<T>>) -> Option<&'t Tagged<T>> {
        known.filter(|known| self.from.source != Source::Pack && is_pack(Some(known)))
    }

    /// Tells what a pack's word keeps from being said.
    pub(super) fn stays(&mut self, spot: &Spot, keys: &[&str], change: &str) {
        let tag = keys.first().copied().unwrap_or("cases");
        let what = (FindingCode::Covered, tag, change);
        self.report(spot, keys, what, COVERED.to_owned());
    }
}

/// What may be said of a position beside what packs say of it. The rest is refused, but for what they
/// say, too.
///
/// Bounds, descriptions and names are added where there are none. What the value is, who fills it and
/// who pays by it is for the pack that speaks of the position, or of one below it.
pub(super) fn beside_packs(
    node: &Node,
    tags: &PositionTags,
    refused: &mut Vec<Refused>,
) -> PositionTags {
    let known = &node.tags;
    let covered = is_covered(node);
    let mut stays = |tag, change: String| {
        refused.push(Refused {
            code: FindingCode::Covered,
            tag,
            message: change.into(),
            advice: COVERED,
        });
    };
    fn over<'t, T: PartialEq>(
        known: Option<&Tagged<T>>,
        said: Option<&'t T>,
        covered: bool,
        change: impl FnOnce(&T) -> Option<String>,
        mut stays: impl FnMut(String),
    ) -> Option<&'t T> {
        let said = said?;
        if !covered && !is_pack(known) {
            return Some(said);
        }
        if known.is_none_or(|known| known.tag != *said)
            && let Some(change) = change(said)
        {
            stays(change);
        }
        None
    }
    let told = |change: &str| Some(change.to_owned());
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
    let bounds = "the bounds that stand there would be replaced";
    let hidden = ui.map(|ui| ui.hidden);
    let hidden = over(
        known.hidden.as_deref(),
        hidden.as_ref(),
        covered,
        |hidden| (*hidden || known.is_hidden()).then(|| hidden_change(*hidden).to_owned()),
        |change| stays("ui.hidden", change),
    );
    let hidden = hidden.map(|hidden| Ui { hidden: *hidden });
    PositionTags {
        describe: over(
            known.describe.as_deref(),
            describe.as_ref(),
            false,
            |_| told("the position would be described otherwise"),
            |change| stays("describe", change),
        )
        .cloned(),
        value: over(
            known.value.as_deref(),
            value.as_ref(),
            covered,
            |value| Some(value_change(value)),
            |change| stays("value", change),
        )
        .cloned(),
        text: over(
            known.text.as_deref(),
            text.as_ref(),
            false,
            |_| told(bounds),
            |change| stays("text", change),
        )
        .cloned(),
        range: over(
            known.range.as_deref(),
            range.as_ref(),
            false,
            |_| told(bounds),
            |change| stays("range", change),
        )
        .cloned(),
        auto: over(
            known.auto.as_deref(),
            auto.as_ref(),
            covered,
            |_| told("the position would be left empty, and nobody asked for it"),
            |change| stays("auto", change),
        )
        .copied(),
        ui: hidden,
        payer: over(
            known.payer.as_deref(),
            payer.as_ref(),
            covered,
            |payer| {
                let change = if *payer {
                    "the position would name who pays"
                } else {
                    "the position would no longer name who pays"
                };
                (*payer != known.is_payer()).then(|| change.to_owned())
            },
            |change| stays("payer", change),
        )
        .copied(),
        named: over(
            known.named.as_deref(),
            named.as_ref(),
            false,
            |_| told("names of another set could be given in place of the value"),
            |change| stays("named", change),
        )
        .cloned(),
    }
}

/// Whether a pack says what a method, or a case of it, does or what its replies mean.
pub(super) fn is_covered_method(method: &ResolvedMethod) -> bool {
    let cases = method.cases.values();
    is_pack(method.effect.as_ref())
        || is_pack(method.outcome.as_ref())
        || cases.into_iter().any(|case| case.is_said(Source::Pack))
}

/// Whether a pack says anything of a position, or of one below it.
pub(super) fn is_covered(node: &Node) -> bool {
    node.tags.is_said(Source::Pack)
        || match &node.shape {
            Shape::Record(fields) => fields.iter().any(|field| is_covered(&field.node)),
            Shape::Variant(cases) => cases.iter().any(|case| is_covered(&case.node)),
            Shape::Opt(inner) | Shape::Vec(inner) => is_covered(inner),
            _ => false,
        }
}
