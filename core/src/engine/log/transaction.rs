//! A transaction as an intent's bytes ask for it, and as a block holds it.
//!
//! Standards: ICRC-1, ICRC-2 (arguments and block schemas), ICRC-3 (blocks).

use super::value::{Item, bytes, entry, field, item, nanos, whole};
use crate::intent::{Intent, Transaction};
use crate::interface::{IDLValue, Interface};
use crate::time::Timestamp;
use num_bigint::BigUint;

/// An account as a key that keeps an absent and a zero subaccount apart: owner's length, owner,
/// subaccount.
fn account_key(owner: &[u8], subaccount: Option<&[u8]>) -> Vec<u8> {
    let mut key = vec![u8::try_from(owner.len()).unwrap_or(u8::MAX)];
    key.extend_from_slice(owner);
    key.extend_from_slice(subaccount.unwrap_or_default());
    key
}

fn account(value: &IDLValue) -> Option<Vec<u8>> {
    let IDLValue::Principal(owner) = field(value, "owner")? else {
        return None;
    };
    let subaccount = field(value, "subaccount").and_then(bytes);
    Some(account_key(owner.as_slice(), subaccount.as_deref()))
}

/// The transaction that the intent's bytes ask for, by the field names of ICRC-1 and ICRC-2.
pub(super) fn expected(interface: &Interface, intent: &Intent) -> Option<Transaction> {
    let prepared = intent.prepared();
    let args = interface
        .args(&prepared.method)?
        .decode_exact(&prepared.arg)
        .ok()?;
    let [arg] = args.as_slice() else { return None };
    let own = |subaccount: &str| {
        let subaccount = field(arg, subaccount).and_then(bytes);
        account_key(prepared.sender.as_slice(), subaccount.as_deref())
    };
    let spender = field(arg, "spender").and_then(account);
    let from = field(arg, "from").and_then(account);
    let approves = spender.is_some();
    Some(Transaction {
        kind: if approves { "approve" } else { "xfer" }.to_owned(),
        to: if approves {
            None
        } else {
            Some(field(arg, "to").and_then(account)?)
        },
        spender: match (&from, spender) {
            (Some(_), _) => Some(own("spender_subaccount")),
            (None, spender) => spender,
        },
        from: Some(from.unwrap_or_else(|| own("from_subaccount"))),
        amount: field(arg, "amount").and_then(whole)?,
        fee: field(arg, "fee").and_then(whole),
        memo: field(arg, "memo").and_then(bytes),
        stamp: field(arg, "created_at_time")
            .and_then(nanos)
            .map(Timestamp::from_nanos),
        expected_allowance: field(arg, "expected_allowance").and_then(whole),
        expires_at: field(arg, "expires_at").and_then(nanos),
    })
}

fn logged_account(value: &IDLValue) -> Option<Vec<u8>> {
    let Item::Array(parts) = item(value)? else {
        return None;
    };
    let mut parts = parts.iter().map(|part| match item(part) {
        Some(Item::Blob(bytes)) => Some(bytes),
        _ => None,
    });
    let owner = parts.next()??;
    let subaccount = parts.next();
    match subaccount {
        Some(subaccount) => Some(account_key(&owner, Some(&subaccount?))),
        None => Some(account_key(&owner, None)),
    }
}

/// The transaction in the block with this index, from the reply of `icrc3_get_blocks`.
pub(super) fn logged(reply: &[IDLValue], block: &str) -> Option<Transaction> {
    let [reply] = reply else { return None };
    let IDLValue::Vec(blocks) = field(reply, "blocks")? else {
        return None;
    };
    let index = block.parse::<BigUint>().ok()?;
    let found = blocks
        .iter()
        .find(|b| field(b, "id").and_then(whole) == Some(index.clone()))?;
    let Item::Map(block) = item(field(found, "block")?)? else {
        return None;
    };
    let Item::Map(tx) = item(entry(&block, "tx")?)? else {
        return None;
    };
    let nat = |name: &str| match item(entry(&tx, name)?)? {
        Item::Nat(n) => Some(n),
        _ => None,
    };
    let kind = match entry(&tx, "op").and_then(item) {
        Some(Item::Text(op)) => op.to_owned(),
        _ => match entry(&block, "btype").and_then(item)? {
            Item::Text(btype) => btype
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .to_owned(),
            _ => return None,
        },
    };
    Some(Transaction {
        kind,
        from: entry(&tx, "from").and_then(logged_account),
        to: entry(&tx, "to").and_then(logged_account),
        spender: entry(&tx, "spender").and_then(logged_account),
        amount: nat("amt")?,
        fee: nat("fee"),
        memo: match entry(&tx, "memo").and_then(item) {
            Some(Item::Blob(memo)) => Some(memo),
            _ => None,
        },
        stamp: nat("ts")
            .and_then(|n| u64::try_from(n).ok())
            .map(Timestamp::from_nanos),
        expected_allowance: nat("expected_allowance"),
        expires_at: nat("expires_at").and_then(|n| u64::try_from(n).ok()),
    })
}

/// Whether a logged transaction is the expected one. A transfer to the minting account is logged
/// as a burn, which names no payee.
pub(super) fn is_ours(expected: &Transaction, logged: &Transaction) -> bool {
    if logged.kind == "burn" && logged.to.is_none() && expected.kind == "xfer" {
        let burnt = Transaction {
            kind: "burn".to_owned(),
            to: None,
            ..expected.clone()
        };
        return burnt.is(logged);
    }
    expected.is(logged)
}
