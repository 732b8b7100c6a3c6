//! A canister as tools know it: its id, what a person calls it, and what it certified of itself.

use crate::{
    format::{
        amount::{Symbol, Token},
        name::NameSets,
    },
    ids::Principal,
    profile::Param,
    text::is_plain,
};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The longest label, in characters.
const MAX_LABEL: usize = 40;

/// A certified reply that a profile refers to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RefValue {
    /// A natural number.
    Number(BigUint),
    /// A text.
    Text(String),
}

/// A canister that tools call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Canister {
    /// Its id.
    pub id: Principal,
    label: Option<String>,
    refs: BTreeMap<String, RefValue>,
    names: NameSets,
}

impl Canister {
    /// A canister with the label a person typed (cut to 40 plain characters) and its certified
    /// replies by reference: `query:` and the method.
    #[must_use]
    pub fn new(id: Principal, label: Option<&str>, refs: BTreeMap<String, RefValue>) -> Self {
        let label = label.map(|label| label.chars().filter(|c| is_plain(*c)).take(MAX_LABEL));
        Self {
            id,
            label: label
                .map(|chars| chars.collect::<String>().trim().to_owned())
                .filter(|label| !label.is_empty()),
            refs,
            names: NameSets::default(),
        }
    }

    /// The canister with names to show beside the values they stand for.
    #[must_use]
    pub fn with_names(self, names: NameSets) -> Self {
        Self { names, ..self }
    }

    /// The names to show.
    pub(super) const fn names(&self) -> &NameSets {
        &self.names
    }

    /// What the person calls it.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// How it counts the amounts of a position. `None` where its decimals are not known or too many.
    pub(super) fn token(&self, unit: &AmountUnit) -> Option<Token> {
        let decimals = match &unit.decimals {
            Param::Literal(decimals) => *decimals,
            Param::Query(method) => match self.reference(method)? {
                RefValue::Number(decimals) => u8::try_from(decimals).ok()?,
                RefValue::Text(_) => return None,
            },
        };
        let symbol = match &unit.symbol {
            Param::Literal(symbol) => Symbol::parse(symbol),
            Param::Query(method) => match self.reference(method) {
                Some(RefValue::Text(symbol)) => Symbol::parse(symbol),
                Some(RefValue::Number(_)) | None => None,
            },
        };
        Token::new(decimals, symbol)
    }

    fn reference(&self, method: &str) -> Option<&RefValue> {
        self.refs.get(&format!("query:{method}"))
    }
}

/// What the amounts of a position count, as its profile says it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct AmountUnit {
    pub(super) decimals: Param<u8>,
    pub(super) symbol: Param<String>,
}

/// The token that all these canisters count in, where it is one.
pub(super) fn shared_token(unit: &AmountUnit, canisters: &[&Canister]) -> Option<Token> {
    let mut tokens = canisters.iter().map(|canister| canister.token(unit));
    let first = tokens.next()??;
    tokens
        .all(|token| token.as_ref() == Some(&first))
        .then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canister(label: &str, decimals: u8, symbol: &str) -> Canister {
        let refs = [
            ("query:d".to_owned(), RefValue::Number(decimals.into())),
            ("query:s".to_owned(), RefValue::Text(symbol.to_owned())),
        ];
        Canister::new(Principal::anonymous(), Some(label), refs.into())
    }

    fn unit() -> AmountUnit {
        AmountUnit {
            decimals: Param::Query("d".to_owned()),
            symbol: Param::Query("s".to_owned()),
        }
    }

    #[test]
    fn a_label_keeps_plain_characters_and_is_cut() {
        assert_eq!(canister(" T\u{202e}KA\n", 8, "TKA").label(), Some("TKA"));
        assert_eq!(canister("\u{200b}", 8, "TKA").label(), None);
        assert_eq!(
            canister(&"x".repeat(99), 8, "TKA").label().unwrap().len(),
            40
        );
    }

    #[test]
    fn an_unfit_symbol_or_too_many_decimals_give_no_words() {
        assert_eq!(
            canister("", 8, "T KA").token(&unit()).unwrap().symbol(),
            None
        );
        assert_eq!(canister("", 37, "TKA").token(&unit()), None);
    }

    #[test]
    fn canisters_that_differ_share_no_token() {
        let (a, b, c) = (
            canister("", 8, "A"),
            canister("", 8, "A"),
            canister("", 9, "A"),
        );
        assert!(shared_token(&unit(), &[&a, &b]).is_some());
        assert_eq!(shared_token(&unit(), &[&a, &b, &c]), None);
        assert_eq!(shared_token(&unit(), &[]), None);
    }
}
