//! A transaction as an intent's bytes ask for it, and as a block holds it.
//!
//! Standards: ICRC-1, ICRC-2 (arguments and block schemas), ICRC-3 (blocks).

use super::blocks::Shape;
use super::icp;
use super::value::{Item, bytes, entry, field, hash, item, nanos, whole};
use crate::ids::ContentHash;
use crate::intent::{Intent, Transaction};
use crate::interface::{IDLValue, Interface};
use crate::time::Timestamp;

/// An account as a key that keeps an absent and a zero subaccount apart: owner's length, owner,
/// subaccount.
pub(super) fn account_key(owner: &[u8], subaccount: Option<&[u8]>) -> Vec<u8> {
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

/// The transaction that the intent's bytes ask for, as a log of this shape holds it.
pub(super) fn expected_in(
    shape: Shape,
    interface: &Interface,
    intent: &Intent,
) -> Option<Transaction> {
    match shape {
        Shape::Icrc3 | Shape::Older => expected(interface, intent),
        Shape::Icp => icp::expected(interface, intent),
    }
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

/// A block of a log.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its hash, which the next block names; `None` where it is not computed.
    pub(super) hash: Option<ContentHash>,
    /// The hash of the block before it; `None` in the first.
    pub(super) parent: Option<ContentHash>,
    /// The ledger's time when it was made.
    pub(super) at: Timestamp,
    /// What it records.
    pub(super) entry: Entry,
}

/// What a block records.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A transaction of ICRC-1 or ICRC-2.
    Transaction(Box<Transaction>),
    /// A transaction of these, not written as they are.
    Unreadable,
    /// Something else, by its own type.
    Other,
}

impl Block {
    /// Reads a block; `None` where it is none of ICRC-3.
    pub(super) fn read(value: &IDLValue) -> Option<Self> {
        let hash = hash(value)?;
        let Item::Map(block) = item(value)? else {
            return None;
        };
        let parent = match entry(&block, "phash") {
            None => None,
            Some(parent) => match item(parent)? {
                Item::Blob(parent) => {
                    let parent = <[u8; 32]>::try_from(parent).ok()?;
                    Some(ContentHash::from_bytes(parent))
                }
                _ => return None,
            },
        };
        let at = match item(entry(&block, "ts")?)? {
            Item::Nat(at) => Timestamp::from_nanos(u64::try_from(at).ok()?),
            _ => return None,
        };
        Some(Self {
            hash: Some(hash),
            parent,
            at,
            entry: entry_of(&block),
        })
    }
}

fn entry_of(block: &[(&str, &IDLValue)]) -> Entry {
    let text = |value| match item(value) {
        Some(Item::Text(text)) => Some(text),
        _ => None,
    };
    let tx = match entry(block, "tx").and_then(item) {
        Some(Item::Map(tx)) => tx,
        _ => Vec::new(),
    };
    let of_type = entry(block, "btype").and_then(text);
    let kind = entry(&tx, "op").and_then(text).or(of_type);
    let kind = kind.map(|kind| kind.trim_start_matches(|c: char| c.is_ascii_digit()));
    match (kind, of_type) {
        // Of another standard than ICRC-1 and ICRC-2, whose types begin with these digits.
        (Some(_), Some(of_type))
            if !matches!(of_type.as_bytes(), [b'1' | b'2', b'a'..=b'z', ..]) =>
        {
            Entry::Other
        }
        (Some(kind @ ("xfer" | "approve" | "burn" | "mint")), _) => {
            logged(kind, &tx).map_or(Entry::Unreadable, |tx| Entry::Transaction(Box::new(tx)))
        }
        (Some(_) | None, _) => Entry::Unreadable,
    }
}

/// A transaction of this kind, as a block writes it.
fn logged(kind: &str, tx: &[(&str, &IDLValue)]) -> Option<Transaction> {
    let nat = |name: &str| match item(entry(tx, name)?)? {
        Item::Nat(n) => Some(n),
        _ => None,
    };
    let nanos = |name: &str| nat(name).and_then(|n| u64::try_from(n).ok());
    Some(Transaction {
        kind: kind.to_owned(),
        from: entry(tx, "from").and_then(logged_account),
        to: entry(tx, "to").and_then(logged_account),
        spender: entry(tx, "spender").and_then(logged_account),
        amount: nat("amt")?,
        fee: nat("fee"),
        memo: match entry(tx, "memo").and_then(item) {
            Some(Item::Blob(memo)) => Some(memo),
            _ => None,
        },
        stamp: nanos("ts").map(Timestamp::from_nanos),
        expected_allowance: nat("expected_allowance"),
        expires_at: nanos("expires_at"),
    })
}

/// Whether a logged transaction is the expected one. A transfer to the minting account is logged
/// as a burn, which names no payee; the ICP ledger writes the fee that it took, stated or not.
pub(super) fn is_ours(shape: Shape, expected: &Transaction, logged: &Transaction) -> bool {
    let stated = match shape {
        Shape::Icrc3 | Shape::Older => None,
        Shape::Icp => Some(Transaction {
            fee: logged.fee.clone().filter(|_| expected.fee.is_some()),
            ..logged.clone()
        }),
    };
    let logged = stated.as_ref().unwrap_or(logged);
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
