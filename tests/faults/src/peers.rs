//! What is usually done instead of a wallet that remembers, on the same histories: the same network
//! meets the same troubles, and the ledgers' logs are counted the same way.
//!
//! Both peers are treated kindly: nobody kills them, their journal never fails, they believe any
//! answer, and take *accepted* for *done*.

use crate::history::Drawn;
use crate::net::Net;
use crate::template::Template;
use candid::{Decode, Encode, Nat, Principal};
use countersign_core::ports::Exchange;
use countersign_core::testing::HttpRequest;
use countersign_core::time::{Span, Timestamp};
use countersign_proof::random::Rng;
use countersign_scenarios::URL;
use countersign_scenarios::lunch::PAYEE;
use ic_transport_types::{Envelope, EnvelopeContent};
use icrc_ledger_types::icrc1::account::Account;
use icrc_ledger_types::icrc1::transfer::{Memo, TransferArg, TransferError};
use std::borrow::Cow;

/// How often a peer tries.
const TRIES: u32 = 8;

/// A naive peer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Peer {
    /// Tries until it is told that it worked.
    Loop,
    /// The same, and keeps the stamp over its tries, so that a ledger can know them for one.
    KeyOnly,
}

/// How many payments too many a peer makes in the history of a seed.
///
/// # Panics
///
/// Where a payment cannot be written down.
#[must_use]
pub fn duplicates(template: &Template, seed: u64, peer: Peer) -> u64 {
    let Drawn {
        weather,
        ledgers: wishes,
        mut rng,
    } = Drawn::of(seed);
    let payer = Principal::anonymous();
    let begin = template.begin();
    let network = template.network_of(payer);
    let mut net = Net::new(network, weather, begin, Rng::new(rng.bits()));
    let mut now = begin;
    let mut stamps: Vec<Vec<u64>> = Vec::new();
    for ledger in wishes {
        now = now.plus(Span::from_millis(1));
        let mut own = Vec::new();
        let mut stamp = now;
        for _ in 0..TRIES {
            if peer == Peer::Loop {
                stamp = now;
            }
            own.push(stamp.as_nanos());
            let body = call(ledger, stamp, now, rng.bits());
            let request = HttpRequest {
                url: format!("{URL}/api/v4/canister/{ledger}/call"),
                body: Some(body),
                at: now,
            };
            if is_done(&net.answer(&request)) {
                break;
            }
            now = now.plus(Span::from_secs(1 + rng.bits() % 30));
        }
        own.dedup();
        stamps.push(own);
    }
    net.fair = true;
    net.release(now);
    net.arrive(now.plus(Span::from_mins(10)));
    let paid = |own: &Vec<u64>| {
        let effects = net.effects.iter();
        effects
            .filter(|effect| effect.stamp.is_some_and(|stamp| own.contains(&stamp)))
            .count() as u64
    };
    stamps.iter().map(|own| paid(own).saturating_sub(1)).sum()
}

fn call(ledger: Principal, stamp: Timestamp, now: Timestamp, nonce: u64) -> Vec<u8> {
    let payee = Principal::from_text(PAYEE).expect("the payee is a principal");
    let arg = TransferArg {
        from_subaccount: None,
        to: Account::from(payee),
        fee: None,
        created_at_time: Some(stamp.as_nanos()),
        memo: Some(Memo::from(1)),
        amount: Nat::from(1_000_000_u64),
    };
    let content = EnvelopeContent::Call {
        nonce: Some(nonce.to_le_bytes().to_vec()),
        ingress_expiry: now.plus(Span::from_mins(2)).as_nanos(),
        sender: Principal::anonymous(),
        canister_id: ledger,
        method_name: "icrc1_transfer".to_owned(),
        arg: Encode!(&arg).expect("a transfer is Candid"),
        sender_info: None,
    };
    let envelope = Envelope {
        content: Cow::Owned(content),
        sender_pubkey: None,
        sender_sig: None,
        sender_delegation: None,
    };
    envelope.encode_bytes()
}

/// Whether an answer says that it worked, read as somebody does who does not check.
fn is_done(exchange: &Exchange) -> bool {
    match exchange {
        Exchange::NoAnswer => false,
        Exchange::Answer { status: 202, .. } => true,
        Exchange::Answer { status: 200, body } => {
            reply(body).is_some_and(|reply| match Decode!(reply, Result<Nat, TransferError>) {
                Ok(Ok(_) | Err(TransferError::Duplicate { .. })) => true,
                Ok(Err(_)) | Err(_) => false,
            })
        }
        Exchange::Answer { .. } => false,
    }
}

/// The Candid in a certificate: a CBOR byte string that begins with `DIDL`.
fn reply(body: &[u8]) -> Option<&[u8]> {
    let at = body.windows(4).position(|part| part == b"DIDL")?;
    let length = match body.get(at.checked_sub(2)?..at)? {
        [0x58, length] => usize::from(*length),
        [_, short @ 0x44..=0x57] => usize::from(short - 0x40),
        _ => return None,
    };
    body.get(at..at + length)
}
