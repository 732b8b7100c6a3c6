//! A ledger's blocks, as far as a reply names one: was it this intent's transaction?
//!
//! Standards: ICRC-3 (blocks and values), ICRC-1 and ICRC-2 (block schemas).

use super::Wallet;
use super::canisters::Basis;
use crate::ids::RequestId;
use crate::intent::{BlockVerdict, Event, Finding, Intent, Transaction, Unreadable};
use crate::interface::{IDLValue, Interface};
use crate::ports::Ports;
use crate::time::Timestamp;
use candid::types::Label;
use candid::types::value::IDLField;
use num_bigint::BigUint;

/// The method that gives blocks.
const GET_BLOCKS: &str = "icrc3_get_blocks";

impl<P: Ports> Wallet<P> {
    /// Reads the block that a reply names by a replicated call, so that it is certified, and
    /// compares it with what the intent's bytes say.
    pub(super) async fn read_block(
        &self,
        intent: &Intent,
        request_id: RequestId,
        block: &str,
    ) -> Event {
        let unreadable = |reason| Event::Reconciled(Finding::Unreadable { reason });
        let prepared = intent.prepared();
        let Ok(Some(tools)) = self.tools_of(Basis::of_call(prepared)).await else {
            return unreadable(Unreadable::NoStrategy);
        };
        let Some(expected) = expected(&tools.interface, intent) else {
            return unreadable(Unreadable::NoStrategy);
        };
        let Some(arg) = range(&tools.interface, block) else {
            return unreadable(Unreadable::NoStrategy);
        };
        let read = self.replicated_read(&prepared.network, prepared.canister, GET_BLOCKS, &arg);
        let Ok(reply) = read.await else {
            return unreadable(Unreadable::NoAnswer);
        };
        let results = tools.interface.results(GET_BLOCKS);
        let logged = results
            .and_then(|results| results.decode(&reply).ok())
            .and_then(|reply| logged(&reply, block));
        let Some(logged) = logged else {
            return unreadable(Unreadable::NoAnswer);
        };
        let verdict = if is_ours(&expected, &logged) {
            BlockVerdict::Ours
        } else {
            BlockVerdict::Another
        };
        Event::BlockRead {
            request_id,
            verdict,
        }
    }

    /// Looks for an intent's transaction in its ledger's blocks.
    ///
    /// No rule for searching a log is built yet, so nothing is found and nothing is proved absent:
    /// what may have executed stays so until it is answered, or a person settles it.
    pub(super) const fn look_for(_: &Intent) -> Finding {
        Finding::Unreadable {
            reason: Unreadable::NoStrategy,
        }
    }
}

/// The argument that asks for one block.
fn range(interface: &Interface, block: &str) -> Option<Vec<u8>> {
    let nat = |digits: &str| Some(IDLValue::Nat(candid::Nat(digits.parse::<BigUint>().ok()?)));
    let field = |name: &str, val| IDLField {
        id: Label::Named(name.to_owned()),
        val,
    };
    let one = IDLValue::Record(vec![
        field("start", nat(block)?),
        field("length", nat("1")?),
    ]);
    interface
        .args(GET_BLOCKS)?
        .encode(&[IDLValue::Vec(vec![one])])
        .ok()
}

/// The value of a field, through any `opt`; `None` where it is empty or not there.
fn field<'a>(record: &'a IDLValue, name: &str) -> Option<&'a IDLValue> {
    let IDLValue::Record(fields) = record else {
        return None;
    };
    let wanted = Label::Named(name.to_owned()).get_id();
    let found = fields.iter().find(|field| field.id.get_id() == wanted)?;
    given(&found.val)
}

fn given(value: &IDLValue) -> Option<&IDLValue> {
    match value {
        IDLValue::Opt(inner) => given(inner),
        IDLValue::None | IDLValue::Null => None,
        value => Some(value),
    }
}

fn bytes(value: &IDLValue) -> Option<Vec<u8>> {
    match value {
        IDLValue::Blob(bytes) => Some(bytes.clone()),
        IDLValue::Vec(items) => items
            .iter()
            .map(|item| match item {
                IDLValue::Nat8(byte) => Some(*byte),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

fn whole(value: &IDLValue) -> Option<BigUint> {
    match value {
        IDLValue::Nat(n) => Some(n.0.clone()),
        IDLValue::Nat64(n) => Some(BigUint::from(*n)),
        _ => None,
    }
}

fn nanos(value: &IDLValue) -> Option<u64> {
    whole(value).and_then(|n| u64::try_from(n).ok())
}

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
fn expected(interface: &Interface, intent: &Intent) -> Option<Transaction> {
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

/// An ICRC-3 value.
enum Item<'a> {
    Map(Vec<(&'a str, &'a IDLValue)>),
    Array(&'a [IDLValue]),
    Blob(Vec<u8>),
    Nat(BigUint),
    Text(&'a str),
}

fn item(value: &IDLValue) -> Option<Item<'_>> {
    let IDLValue::Variant(case) = value else {
        return None;
    };
    let IDLField { id, val } = case.0.as_ref();
    let is = |name: &str| id.get_id() == Label::Named(name.to_owned()).get_id();
    if is("Map") {
        let IDLValue::Vec(entries) = val else {
            return None;
        };
        let pairs = entries.iter().map(|entry| {
            let IDLValue::Record(parts) = entry else {
                return None;
            };
            match parts.as_slice() {
                [
                    IDLField {
                        val: IDLValue::Text(name),
                        ..
                    },
                    IDLField { val, .. },
                ] => Some((name.as_str(), val)),
                _ => None,
            }
        });
        return pairs.collect::<Option<Vec<_>>>().map(Item::Map);
    }
    match val {
        IDLValue::Vec(items) if is("Array") => Some(Item::Array(items)),
        IDLValue::Text(text) if is("Text") => Some(Item::Text(text)),
        val if is("Blob") => bytes(val).map(Item::Blob),
        val if is("Nat") || is("Nat64") => whole(val).map(Item::Nat),
        _ => None,
    }
}

fn entry<'a>(map: &[(&'a str, &'a IDLValue)], name: &str) -> Option<&'a IDLValue> {
    map.iter()
        .find(|(key, _)| *key == name)
        .map(|(_, value)| *value)
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
fn logged(reply: &[IDLValue], block: &str) -> Option<Transaction> {
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
fn is_ours(expected: &Transaction, logged: &Transaction) -> bool {
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
