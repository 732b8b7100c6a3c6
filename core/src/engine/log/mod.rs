//! A ledger's blocks, as far as a reply names one: was it this intent's transaction?
//!
//! Standards: ICRC-3 (blocks and values), ICRC-1 and ICRC-2 (block schemas).

mod transaction;
mod value;

use super::Wallet;
use super::canisters::Basis;
use crate::ids::RequestId;
use crate::intent::{BlockVerdict, Event, Finding, Intent, Unreadable};
use crate::interface::{IDLValue, Interface};
use crate::ports::Ports;
use candid::types::Label;
use candid::types::value::IDLField;
use num_bigint::BigUint;
use transaction::{expected, is_ours, logged};

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
