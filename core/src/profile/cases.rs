//! What documents say of calling a method with one case of a variant: `manage_neuron` does as many
//! different things as its command has cases.

use super::covered::is_covered;
use super::document::CaseTags;
use super::finding::FindingCode;
use super::merge::{Merge, Spot};
use super::narrow::{effect_change, is_pack, title_change};
use super::near::nearest_place;
use super::position::find;
use super::relpath::{RelPath, Root};
use super::resolved::{ResolvedMethod, Shape};
use super::tags::Source;

impl Merge<'_> {
    /// Puts what the document says of a case on it.
    pub(super) fn case(&mut self, name: &str, path: &RelPath, tags: &CaseTags) {
        let spot = Spot::of_part(name, "cases", path);
        if find(self.target(name), path).is_none() {
            let what = (
                FindingCode::NoPlace,
                "cases",
                "the method has no such position",
            );
            let found = self.into.findings.len();
            let advice = nearest_place(self.target(name), path, found);
            self.report(&spot, &[], what, advice);
            return;
        }
        if !is_choice(self.target(name), path) {
            let message = "a case with a tool of its own is one of the only argument, or of a field \
                           of it";
            let what = (FindingCode::Misfit, "cases", message);
            let advice =
                "name a case such as `command.Follow`, or describe the position under `at`";
            self.report(&spot, &[], what, advice.to_owned());
            return;
        }
        let target = self.target(name);
        let new = !target.cases.contains_key(path);
        let mut known = target.cases.get(path).cloned().unwrap_or_default();
        // What is said of the method is said of each case that says nothing else.
        known.effect = known.effect.or_else(|| target.effect.clone());
        known.outcome = known.outcome.or_else(|| target.outcome.clone());
        if !new {
            known.intent = known.intent.or_else(|| target.intent.clone());
        }
        // A first case takes the place of the tool that a pack gives the method.
        let whole = target.cases.is_empty() && is_pack(target.effect.as_ref());
        let covered = find(target, path).is_some_and(is_covered);
        if new && self.from.source != Source::Pack && (whole || covered) {
            self.stays(&spot, &[], "this case would have a tool of its own");
            return;
        }
        let intent = tags.intent.as_ref().filter(|intent| {
            self.may_say(
                &spot,
                "intent",
                (known.intent.as_ref(), *intent),
                title_change,
            )
        });
        let intent = intent.and_then(|intent| self.intent(name, &spot, intent));
        let effect = tags.effect.as_ref().filter(|effect| {
            let change = || effect_change(effect);
            self.may_say(&spot, "effect", (known.effect.as_ref(), *effect), change)
        });
        let effect = effect.and_then(|effect| self.effect(name, &spot, effect));
        let outcome = tags.outcome.as_ref();
        let outcome = outcome.filter(|o| self.may_class(&spot, known.outcome.as_ref(), o));
        let outcome = outcome.map(|outcome| self.outcome(name, &spot, outcome));
        let case = self.target(name).cases.entry(path.clone()).or_default();
        case.intent = intent.or(case.intent.take());
        case.effect = effect.or(case.effect.take());
        case.outcome = outcome.or(case.outcome.take());
    }
}

/// Whether the place is a case of a variant that is the method's only argument, or a field of it.
fn is_choice(method: &ResolvedMethod, path: &RelPath) -> bool {
    let one_argument = path.root == Root::Args && method.args.len() == 1;
    let Some(variant) = path.parent() else {
        return false;
    };
    let above = |path: &RelPath| find(method, path).map(|node| &node.through_opts().1.shape);
    let is_variant = matches!(above(&variant), Some(Shape::Variant(_)));
    let in_record = variant.steps.len() == 1
        && matches!(above(&RelPath::arg(0)), Some(Shape::Record(_)))
        && !method.args[0].is_opt();
    one_argument && is_variant && (variant.steps.is_empty() || in_record)
}

#[cfg(test)]
mod tests {
    use super::super::{Document, Resolved, resolve};
    use super::*;
    use crate::interface::Interface;
    use serde_json::{Value, json};

    fn with(methods: &Value) -> Resolved {
        let interface = Interface::parse(
            "type Command = variant { Go : record { far : nat }; Stop };
             service : {
                 act : (record { id : nat; command : opt Command }) -> (variant { Ok; Err });
                 look : (Command) -> () query;
                 pair : (Command, nat) -> ();
             }",
        )
        .unwrap();
        let document = json!({
            "format": "candid-profile", "format_version": 0, "name": "mine", "methods": methods,
        });
        let document = Document::parse(&document.to_string()).unwrap();
        resolve(&interface, &[], &[document])
    }

    fn refused(methods: &Value) -> Vec<String> {
        let findings = with(methods).findings;
        findings
            .iter()
            .map(|f| format!("{} {}", f.place, f.tag))
            .collect()
    }

    #[test]
    fn a_case_has_its_own_title_effect_and_classes() {
        let effect = json!({ "kind": "move", "irreversible": true });
        let resolved = with(&json!({
            "act": { "cases": { "command.Go": {
                "intent": "Go {command.Go.far}", "effect": effect, "outcome": { "Ok": "success" },
            } } },
            "look": { "cases": { "$args[0].Stop": { "intent": "Look" } } },
        }));
        assert_eq!(resolved.findings, []);
        let case = &resolved.methods["act"].cases[&RelPath::arg(0).member("command").member("Go")];
        assert_eq!(case.intent.as_ref().unwrap().tag, "Go {command.Go.far}");
        assert_eq!(case.effect.as_ref().unwrap().tag.kind.as_str(), "move");
        assert_eq!(case.outcome.as_ref().unwrap().tag.classes.len(), 1);
        let form: Value = serde_json::from_str(&resolved.to_json()).unwrap();
        let case = &form["methods"]["act"]["cases"]["$args[0].command.Go"];
        assert_eq!(case["effect"]["tag"], effect);
        assert_eq!(case["effect"]["from"]["document"], json!("mine"));
    }

    #[test]
    fn what_is_no_case_of_the_argument_or_a_field_of_it_is_reported() {
        let case = |place: &str| json!({ (place): { "intent": "Go" } });
        let refused = refused(&json!({
            "act": { "cases": {
                "command.Fly": { "intent": "Fly" }, "id": { "intent": "Id" },
                "command.Go.far": { "intent": "Far" }, "(0).Ok": { "intent": "Ok" },
                "command.Go": { "intent": "Go {there}" },
            } },
            "look": { "cases": { "Stop": { "effect": { "kind": "set", "irreversible": false } } } },
            "pair": { "cases": case("Stop") },
        }));
        assert_eq!(
            refused,
            [
                "act $args[0].command.Fly cases",
                "act $args[0].id cases",
                "act $args[0].command.Go.far cases",
                "act (0).Ok cases",
                "act $args[0].command.Go intent",
                "look $args[0].Stop effect",
                "pair $args[0].Stop cases",
            ]
        );
    }
}
