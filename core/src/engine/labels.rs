//! How accounts and amounts are called on screen. For windows only: what a model reads never comes
//! from here.

use super::canisters::own_symbol;
use super::networks::label_of;
use super::records::{Account, Canister, Network, Value};
use crate::confirm::view::{AccountLabel, Amount};
use crate::format::amount::{Symbol, Token};

/// An account as it is called.
pub(super) fn account_label(account: &Account, network: &Network) -> AccountLabel {
    AccountLabel {
        id: account.number.to_string(),
        name: account.name.clone(),
        address: account.principal.to_text(),
        network: label_of(network),
    }
}

/// How a ledger counts, by what it certified.
pub(super) fn token_of(canister: &Canister) -> Option<Token> {
    let Some(Value::Number(decimals)) = canister.values.get("icrc1_decimals") else {
        return None;
    };
    let symbol = match canister.values.get("icrc1_symbol") {
        Some(Value::Text(symbol)) => own_symbol(canister, symbol).and_then(Symbol::parse),
        Some(Value::Number(_)) | None => None,
    };
    Token::new(decimals.parse().ok()?, symbol)
}

/// A certified value as an amount of the canister's token.
pub(super) fn amount_of(canister: &Canister, token: &Token, value: &str) -> Option<Amount> {
    match canister.values.get(value) {
        Some(Value::Number(digits)) => Some(shown_amount(canister, token, &digits.parse().ok()?)),
        Some(Value::Text(_)) | None => None,
    }
}

/// Base units as an amount of the canister's token.
pub(super) fn shown_amount(
    canister: &Canister,
    token: &Token,
    units: &num_bigint::BigUint,
) -> Amount {
    Amount {
        number: bare(units, token),
        unit: token
            .symbol()
            .map_or_else(|| canister.id.to_text(), ToString::to_string),
    }
}

/// Base units as a decimal number without a symbol.
fn bare(units: &num_bigint::BigUint, token: &Token) -> String {
    let bare = Token::new(token.decimals(), None).expect("the decimals are those of a token");
    crate::format::amount::show(units, &bare)
}
