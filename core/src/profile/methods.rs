//! What a document says of a method: each tag is checked by itself, and refused with its reason.

use super::finding::FindingCode;
use super::merge::{Merge, Spot};
use super::near::nearest_place;
use super::position::find;
use super::relpath::{RelPath, Root};
use super::resolved::{Node, Shape};
use super::tags::{Effect, Grant, Idempotency, Outcome, Tagged};
use crate::interface::Mode;

impl Merge<'_> {
    /// A title of a method or of one case. `None` where it does not fit.
    pub(super) fn intent(
        &mut self,
        name: &str,
        spot: &Spot,
        intent: &str,
    ) -> Option<Tagged<String>> {
        for place in placeholders(intent) {
            let known = RelPath::parse(place, Root::Args)
                .ok()
                .is_some_and(|path| find(self.target(name), &path).is_some());
            if !known {
                let message = "the title names a position that is not there";
                let what = (FindingCode::NoPlace, "intent", message);
                let advice = format!("`{{{place}}}` must be a position of the arguments");
                self.report(spot, &["intent"], what, advice);
                return None;
            }
        }
        Some(self.tagged(intent.to_owned()))
    }

    /// An effect of a method or of one case. `None` where it does not fit.
    pub(super) fn effect(
        &mut self,
        name: &str,
        spot: &Spot,
        effect: &Effect,
    ) -> Option<Tagged<Effect>> {
        let mut effect = effect.clone();
        effect.grant = effect.grant.filter(|grant| self.grant(name, spot, grant));
        if self.target(name).mode.is_query() && !effect.kind.is_read() {
            let what = (
                FindingCode::Contradictory,
                "effect",
                "a query changes nothing",
            );
            let advice = "say `\"kind\": \"read\"`, or leave `effect` out".to_owned();
            self.report(spot, &["effect", "kind"], what, advice);
            return None;
        }
        Some(self.tagged(effect))
    }

    fn grant(&mut self, name: &str, spot: &Spot, grant: &Grant) -> bool {
        for (key, place) in [("to", &grant.to), ("amount", &grant.amount)] {
            let known = RelPath::parse(place, Root::Args).ok().is_some_and(|path| {
                path.root == Root::Args && find(self.target(name), &path).is_some()
            });
            if !known {
                let message = "the grant names a position that is not there";
                let what = (FindingCode::NoPlace, "effect.grant", message);
                let advice = format!("`{place}` must be a position of the arguments");
                self.report(spot, &["effect", "grant", key], what, advice);
                return false;
            }
        }
        true
    }

    pub(super) fn idempotency(&mut self, name: &str, mode: Mode, idempotency: &Idempotency) {
        let target = self.target(name);
        let stamp = &idempotency.stamp;
        let is_stamp = stamp.root == Root::Args
            && find(target, stamp).is_some_and(|node| {
                matches!(
                    node.through_opts(),
                    (
                        0 | 1,
                        Node {
                            shape: Shape::Nat64,
                            ..
                        }
                    )
                )
            });
        let is_cap = idempotency.cap.as_ref().is_none_or(|cap| {
            cap.root == Root::Results
                && find(target, cap).is_none_or(|node| matches!(node.shape, Shape::Nat64))
        });
        let (key, message, advice) = if mode != Mode::Update {
            (
                "stamp",
                "only an update is told from a repeated one",
                "leave `idempotency` out",
            )
        } else if !is_stamp {
            (
                "stamp",
                "the stamp must be a `nat64` or `opt nat64` in the arguments",
                "name the field that carries the time of creation, in nanoseconds",
            )
        } else if !is_cap {
            (
                "cap",
                "the cap must be a `nat64` in the reply",
                "name the place where the reply tells the canister's own time, in nanoseconds",
            )
        } else {
            let known = idempotency
                .cap
                .clone()
                .filter(|cap| find(target, cap).is_some());
            let tagged = self.tagged(Idempotency {
                cap: known,
                ..idempotency.clone()
            });
            self.target(name).idempotency = Some(tagged);
            return;
        };
        let what = (FindingCode::Stamp, "idempotency", message);
        let keys = ["idempotency", key];
        self.report(&Spot::of_method(name), &keys, what, advice.to_owned());
    }

    /// The classes that a method can have. A general document's classes of cases that the canister
    /// lacks say nothing; in a document about this interface they are reported, and stay, so that
    /// the tool layer can refuse the method.
    pub(super) fn outcome(
        &mut self,
        name: &str,
        spot: &Spot,
        outcome: &Outcome,
    ) -> Tagged<Outcome> {
        let mut classes = Vec::new();
        for (path, class) in &outcome.classes {
            if find(self.target(name), path).is_none() {
                if self.document.candid.is_some() {
                    continue;
                }
                let key = path.to_string();
                let what = (
                    FindingCode::NoPlace,
                    "outcome",
                    "the reply has no such case",
                );
                let found = self.into.findings.len();
                let advice = nearest_place(self.target(name), path, found);
                let at = Spot {
                    place: format!("{} {key}", spot.place),
                    ..spot.clone()
                };
                self.report(&at, &["outcome", &key], what, advice);
            }
            classes.push((path.clone(), *class));
        }
        self.tagged(Outcome {
            classes,
            default: outcome.default,
        })
    }
}

/// The positions that a title names: `{amount}`.
fn placeholders(intent: &str) -> impl Iterator<Item = &str> {
    intent
        .split('{')
        .skip(1)
        .map(|part| part.split('}').next().unwrap_or_default())
}
