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
use num_bigint::BigUint;

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
    /// Something else, by its own type, with its stamp if it has one.
    Other(Option<Timestamp>),
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
    let op = entry(&tx, "op").and_then(text);
    let kind = op.or(of_type).map(|kind| kind.trim_start_matches(is_digit));
    match kind {
        Some(kind @ ("xfer" | "approve" | "burn" | "mint")) => {
            logged(kind, &tx).map_or(Entry::Unreadable, |tx| Entry::Transaction(Box::new(tx)))
        }
        // Of another standard than ICRC-1 and ICRC-2, by the digits that its type begins with.
        Some(_) | None if of_type.is_some_and(is_of_another_standard) => {
            Entry::Other(nat(&tx, "ts").and_then(time))
        }
        Some(_) | None => Entry::Unreadable,
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_of_another_standard(of_type: &str) -> bool {
    let number = of_type.strip_suffix(of_type.trim_start_matches(is_digit));
    number.is_some_and(|number| !matches!(number, "" | "1" | "2"))
}

fn time(nanos: BigUint) -> Option<Timestamp> {
    u64::try_from(nanos).ok().map(Timestamp::from_nanos)
}

fn nat(tx: &[(&str, &IDLValue)], name: &str) -> Option<BigUint> {
    match item(entry(tx, name)?)? {
        Item::Nat(n) => Some(n),
        _ => None,
    }
}

/// A transaction of this kind, as a block writes it; `None` where something that is there cannot be
/// read, or a payer is missing.
fn logged(kind: &str, tx: &[(&str, &IDLValue)]) -> Option<Transaction> {
    fn part<T>(
        tx: &[(&str, &IDLValue)],
        name: &str,
        read: impl Fn(&IDLValue) -> Option<T>,
    ) -> Option<Option<T>> {
        entry(tx, name).map_or(Some(None), |value| read(value).map(Some))
    }
    let number = |value: &IDLValue| match item(value)? {
        Item::Nat(n) => Some(n),
        _ => None,
    };
    let moment = |value: &IDLValue| number(value).and_then(time);
    let blob = |value: &IDLValue| match item(value)? {
        Item::Blob(blob) => Some(blob),
        _ => None,
    };
    let transaction = Transaction {
        kind: kind.to_owned(),
        from: part(tx, "from", logged_account)?,
        to: part(tx, "to", logged_account)?,
        spender: part(tx, "spender", logged_account)?,
        amount: nat(tx, "amt")?,
        fee: part(tx, "fee", number)?,
        memo: part(tx, "memo", blob)?,
        stamp: part(tx, "ts", moment)?,
        expected_allowance: part(tx, "expected_allowance", number)?,
        expires_at: part(tx, "expires_at", moment)?.map(Timestamp::as_nanos),
    };
    let names_payer = transaction.from.is_some() || kind == "mint";
    names_payer.then_some(transaction)
}

/// Whether a logged transaction is the expected one. A transfer to the minting account is logged
/// as a burn, which names no payee, and one from it as a mint, which names no payer; the ICP ledger
/// writes the fee that it took, stated or not.
pub(super) fn is_ours(shape: Shape, expected: &Transaction, logged: &Transaction) -> bool {
    let stated = match shape {
        Shape::Icrc3 | Shape::Older => None,
        Shape::Icp => Some(Transaction {
            fee: logged.fee.clone().filter(|_| expected.fee.is_some()),
            ..logged.clone()
        }),
    };
    let logged = stated.as_ref().unwrap_or(logged);
    let written = match (expected.kind.as_str(), logged.kind.as_str()) {
        ("xfer", "burn") => Transaction {
            kind: "burn".to_owned(),
            to: None,
            ..expected.clone()
        },
        ("xfer", "mint") => Transaction {
            kind: "mint".to_owned(),
            from: None,
            ..expected.clone()
        },
        (_, _) => expected.clone(),
    };
    written.is(logged)
}

#[cfg(test)]
mod tests {
    use super::super::value::fixtures::{map, nat, variant};
    use super::*;

    fn text(text: &str) -> IDLValue {
        variant("Text", IDLValue::Text(text.to_owned()))
    }

    fn blob(bytes: &[u8]) -> IDLValue {
        variant("Blob", IDLValue::Blob(bytes.to_vec()))
    }

    fn account(owner: &[u8]) -> IDLValue {
        variant("Array", IDLValue::Vec(vec![blob(owner)]))
    }

    /// A block of a transfer, with other parts in place of the usual ones.
    fn read(btype: Option<&str>, other: Vec<(&'static str, IDLValue)>) -> Entry {
        let mut tx = vec![
            ("op", text("xfer")),
            ("from", account(&[7])),
            ("to", account(&[8])),
            ("amt", nat(5)),
            ("ts", nat(1_800_000_000_000_000_000)),
        ];
        for (name, value) in other {
            tx.retain(|(held, _)| *held != name);
            tx.push((name, value));
        }
        tx.retain(|(_, value)| *value != nat(0));
        let mut block = vec![("ts", nat(1_800_000_000_000_000_001)), ("tx", map(tx))];
        block.extend(btype.map(|btype| ("btype", text(btype))));
        Block::read(&map(block)).expect("it is a block").entry
    }

    fn is_transaction(entry: &Entry, kind: &str) -> bool {
        matches!(entry, Entry::Transaction(tx) if tx.kind == kind)
    }

    /// A part that is there and cannot be read leaves the block unreadable: it could be ours.
    #[test]
    fn a_part_that_cannot_be_read_is_not_a_part_that_is_missing() {
        assert!(is_transaction(&read(None, vec![]), "xfer"));
        for (name, value) in [
            ("from", text("somebody")),
            ("from", variant("Array", IDLValue::Vec(vec![text("a")]))),
            ("to", blob(&[8])),
            ("memo", nat(7)),
            ("ts", text("yesterday")),
            ("fee", text("none")),
            ("spender", nat(1)),
            // No payer at all; `nat(0)` leaves a part out.
            ("from", nat(0)),
        ] {
            let entry = read(None, vec![(name, value)]);
            assert!(matches!(entry, Entry::Unreadable), "{name}: {entry:?}");
        }
    }

    #[test]
    fn a_block_is_something_else_only_by_the_type_of_another_standard() {
        let no_op = || vec![("op", nat(0))];
        for btype in ["1xfer", "2xfer", "xfer"] {
            assert!(
                is_transaction(&read(Some(btype), no_op()), "xfer"),
                "{btype}"
            );
        }
        for btype in ["transfer", "icrc1_transfer", "1swap"] {
            let entry = read(Some(btype), no_op());
            assert!(matches!(entry, Entry::Unreadable), "{btype}: {entry:?}");
        }
        let entry = read(Some("107feecol"), no_op());
        assert!(matches!(entry, Entry::Other(Some(_))), "{entry:?}");
        // The operation of a transfer is one, whatever the block's type.
        assert!(is_transaction(&read(Some("107feecol"), vec![]), "xfer"));
    }

    #[test]
    fn a_transfer_from_or_to_the_minting_account_is_found_as_a_mint_or_a_burn() {
        let Entry::Transaction(sent) = read(None, vec![]) else {
            panic!("it is a transfer")
        };
        for (op, left_out) in [("mint", "from"), ("burn", "to")] {
            let entry = read(None, vec![("op", text(op)), (left_out, nat(0))]);
            let Entry::Transaction(logged) = entry else {
                panic!("it is a {op}: {entry:?}")
            };
            assert!(is_ours(Shape::Icrc3, &sent, &logged), "{op}");
            let other = Transaction {
                amount: BigUint::from(6_u8),
                ..*logged
            };
            assert!(!is_ours(Shape::Icrc3, &sent, &other), "{op}");
        }
    }
}
