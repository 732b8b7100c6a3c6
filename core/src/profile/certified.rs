//! What the person's trust does not reach: how a token counts and what it is called are for its
//! ledger to certify.

use super::document::{Document, PositionTags};
use super::tags::{Param, ValueTag};

/// An amount whose unit a document states by itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StatedUnit {
    /// The keys that lead to it in the document.
    pub at: Vec<String>,
    /// The method or the type, and the position in it.
    pub place: String,
}

impl Document {
    /// The document without the amounts whose decimals or symbol it states by itself, and which
    /// those were. What refers to a query of the canister stays: its reply is certified.
    #[must_use]
    pub fn without_stated_units(mut self) -> (Self, Vec<StatedUnit>) {
        let mut stated = Vec::new();
        for (name, tags) in &mut self.types {
            if drop_stated(tags) {
                stated.push(StatedUnit {
                    at: vec!["types".to_owned(), name.clone(), "value".to_owned()],
                    place: name.clone(),
                });
            }
        }
        for (method, tags) in &mut self.methods {
            for (path, tags) in &mut tags.at {
                if drop_stated(tags) {
                    let path = path.to_string();
                    let keys = ["methods", method, "at", &path, "value"];
                    stated.push(StatedUnit {
                        at: keys.map(str::to_owned).to_vec(),
                        place: format!("{method} {path}"),
                    });
                }
            }
        }
        (self, stated)
    }
}

fn drop_stated(tags: &mut PositionTags) -> bool {
    let Some(ValueTag::Amount { decimals, symbol }) = &tags.value else {
        return false;
    };
    let stated = match (decimals, symbol) {
        (Param::Query(_), Param::Query(_)) => false,
        // Without a symbol an amount is told with its canister's id.
        (Param::Query(_), Param::Literal(symbol)) => !symbol.is_empty(),
        (Param::Literal(_), Param::Query(_) | Param::Literal(_)) => true,
    };
    if stated {
        tags.value = None;
    }
    stated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_counts_as_its_ledger_certifies_or_as_no_amount() {
        let json = r#"{ "format": "candid-profile", "format_version": 0, "name": "own",
            "types": { "Tokens": { "value": { "kind": "amount", "decimals": 2, "symbol": "USD" } } },
            "methods": { "pay": { "at": {
                "$args[0].amount": { "value": { "kind": "amount",
                    "decimals": { "from": "query:icrc1_decimals" },
                    "symbol": { "from": "query:icrc1_symbol" } } },
                "$args[0].tip": { "value": { "kind": "amount",
                    "decimals": { "from": "query:icrc1_decimals" }, "symbol": "ICP" } },
                "$args[0].fee": { "value": { "kind": "amount",
                    "decimals": { "from": "query:icrc1_decimals" } } } } } } }"#;
        let (kept, stated) = Document::parse(json).unwrap().without_stated_units();
        let places: Vec<&str> = stated.iter().map(|unit| unit.place.as_str()).collect();
        assert_eq!(places, ["Tokens", "pay $args[0].tip"]);
        assert!(kept.types[0].1.value.is_none());
        let values = kept.methods[0]
            .1
            .at
            .iter()
            .map(|(_, tags)| tags.value.is_some());
        assert_eq!(values.collect::<Vec<_>>(), [true, false, true]);
    }
}
