//! The ICP ledger's blocks: accounts are identifiers, the fee is the one that was taken, and a number
//! stands beside the memo of ICRC-1.
//!
//! Source: the ICP ledger's interface (`query_blocks`, `transfer`). Two forms of one call are one
//! transaction there: an absent subaccount and zeros, a fee left out and the fee stated.

use super::transaction::{Block, Entry, account_key, expected as expected_icrc};
use super::value::{bytes, case, field, nanos, whole};
use crate::format::account::Account;
use crate::format::account_id::AccountId;
use crate::format::subaccount::Subaccount;
use crate::ids::Principal;
use crate::intent::{Intent, Transaction};
use crate::interface::{IDLValue, Interface};
use crate::time::Timestamp;
use num_bigint::BigUint;

/// The transaction that an intent's bytes ask for.
pub(super) fn expected(interface: &Interface, intent: &Intent) -> Option<Transaction> {
    if let Some(expected) = expected_icrc(interface, intent) {
        return by_identifiers(expected);
    }
    let prepared = intent.prepared();
    let tuple = interface.args(&prepared.method)?;
    let args = tuple.decode_exact(&prepared.arg).ok()?;
    let [arg] = args.as_slice() else { return None };
    let subaccount = field(arg, "from_subaccount").and_then(bytes);
    let from = account_key(prepared.sender.as_slice(), subaccount.as_deref());
    let number = field(arg, "memo").and_then(nanos)?;
    Some(Transaction {
        kind: "xfer".to_owned(),
        from: Some(identifier(&from)?),
        to: Some(key(&field(arg, "to").and_then(bytes)?)),
        spender: None,
        amount: e8s(field(arg, "amount")?)?,
        fee: Some(e8s(field(arg, "fee")?)?),
        memo: Some(memo(number, None)),
        stamp: time(field(arg, "created_at_time")?),
        expected_allowance: None,
        expires_at: None,
    })
}

/// A transaction of ICRC-1 or ICRC-2 as this ledger writes it.
fn by_identifiers(expected: Transaction) -> Option<Transaction> {
    let id = |account: Option<Vec<u8>>| match account {
        Some(account) => identifier(&account).map(Some),
        None => Some(None),
    };
    Some(Transaction {
        from: id(expected.from)?,
        to: id(expected.to)?,
        spender: id(expected.spender)?,
        memo: Some(memo(0, expected.memo.as_deref())),
        ..expected
    })
}

/// An account's key with its identifier in place of owner and subaccount.
fn identifier(account: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = account.split_first()?;
    let (owner, subaccount) = rest.split_at_checked(usize::from(*length))?;
    let owner = Principal::try_from_slice(owner).ok()?;
    let subaccount = match subaccount {
        [] => None,
        bytes => Some(Subaccount::from_bytes(<[u8; 32]>::try_from(bytes).ok()?)),
    };
    Some(key(
        AccountId::of(&Account::new(owner, subaccount)).as_bytes()
    ))
}

fn key(identifier: &[u8]) -> Vec<u8> {
    account_key(identifier, None)
}

fn memo(number: u64, memo: Option<&[u8]>) -> Vec<u8> {
    let mut both = number.to_be_bytes().to_vec();
    both.extend_from_slice(memo.unwrap_or_default());
    both
}

fn e8s(tokens: &IDLValue) -> Option<BigUint> {
    field(tokens, "e8s").and_then(whole)
}

fn time(stamp: &IDLValue) -> Option<Timestamp> {
    let nanos = field(stamp, "timestamp_nanos").and_then(nanos)?;
    Some(Timestamp::from_nanos(nanos))
}

/// Reads a block; `None` where it is none of this ledger.
pub(super) fn block(value: &IDLValue) -> Option<Block> {
    let transaction = field(value, "transaction")?;
    Some(Block {
        hash: None,
        parent: None,
        at: time(field(value, "timestamp")?)?,
        entry: match logged(transaction) {
            Some(logged) => Entry::Transaction(Box::new(logged)),
            None => Entry::Unreadable,
        },
    })
}

fn logged(transaction: &IDLValue) -> Option<Transaction> {
    let operation = field(transaction, "operation")?;
    let kinds = [
        ("Transfer", "xfer"),
        ("Approve", "approve"),
        ("Burn", "burn"),
        ("Mint", "mint"),
    ];
    let (kind, parts) = kinds
        .into_iter()
        .find_map(|(name, kind)| Some((kind, case(operation, name)?)))?;
    let account = |name| field(parts, name).and_then(bytes).map(|id| key(&id));
    if account("from").is_none() && kind != "mint" {
        return None;
    }
    let amount = field(parts, "allowance").or_else(|| field(parts, "amount"))?;
    let number = field(transaction, "memo").and_then(nanos)?;
    let icrc1_memo = field(transaction, "icrc1_memo").and_then(bytes);
    let expires = field(parts, "expires_at").and_then(time);
    Some(Transaction {
        kind: kind.to_owned(),
        from: account("from"),
        to: account("to"),
        spender: account("spender"),
        amount: e8s(amount)?,
        fee: field(parts, "fee").and_then(e8s),
        memo: Some(memo(number, icrc1_memo.as_deref())),
        stamp: field(transaction, "created_at_time").and_then(time),
        expected_allowance: field(parts, "expected_allowance").and_then(e8s),
        expires_at: expires.map(Timestamp::as_nanos),
    })
}
