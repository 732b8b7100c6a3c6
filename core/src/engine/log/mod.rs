//! A ledger's block log: the tip that it certifies, the block that a reply names, and the search
//! for an intent's transaction.
//!
//! What is read is only gathered here; what it proves is judged by [`crate::intent::Scan`]. Nothing in
//! here is believed because one node said so: blocks are joined by their hashes to a certified
//! tip, or come by a replicated call.
//!
//! Standards: ICRC-3 (blocks, archives, tip certificate), ICRC-1 and ICRC-2 (block schemas); the ICP
//! ledger's `query_blocks`.

mod blocks;
mod icp;
mod search;
mod transaction;
mod value;

use super::Wallet;
use super::canisters::{Basis, CanisterTools};
use crate::ids::RequestId;
use crate::intent::{BlockVerdict, Event, Finding, Intent, LogMark, Unreadable};
use crate::ports::{Clock as _, Ports};
use crate::time::Span;
use blocks::{How, Log, Methods};
use std::rc::Rc;
use transaction::{Entry, expected_in, is_ours};

impl<P: Ports> Wallet<P> {
    /// The interface that an intent was prepared with, where its profiles say that a log settles
    /// what became of it.
    async fn log_tools(&self, intent: &Intent) -> Option<Rc<CanisterTools>> {
        let prepared = intent.prepared();
        prepared.stamp?;
        let tools = self.tools_of(Basis::of_call(prepared)).await.ok()??;
        let method = tools.resolved.methods.get(&prepared.method)?;
        method.reconcile.as_ref()?;
        Some(tools)
    }

    /// The ledger's log as it stands now; `None` where it has none that can be read. Whatever is
    /// handed over after this is not in a block below the mark.
    pub(super) async fn log_mark(&self, intent: &Intent) -> Option<LogMark> {
        let tools = self.log_tools(intent).await?;
        let tip = self.read_tip(self.log_of(intent, &tools)?).await.ok()?;
        Some(LogMark {
            length: tip.length,
            tip: tip.hash,
        })
    }

    /// Reads the block that a reply names by a replicated call, so that it is certified, and
    /// compares it with what the intent's bytes say.
    pub(super) async fn read_block(
        &self,
        intent: &Intent,
        request_id: RequestId,
        block: &str,
    ) -> Event {
        match self.named_block(intent, block).await {
            Ok(verdict) => Event::BlockRead {
                request_id,
                verdict,
            },
            Err(reason) => Event::Reconciled(Finding::Unreadable { reason }),
        }
    }

    async fn named_block(&self, intent: &Intent, block: &str) -> Result<BlockVerdict, Unreadable> {
        let none = Unreadable::NoStrategy;
        let prepared = intent.prepared();
        let tools = self.tools_of(Basis::of_call(prepared)).await.ok().flatten();
        let tools = tools.ok_or(none)?;
        let log = self.log_of(intent, &tools).ok_or(none)?;
        let expected = expected_in(log.methods.shape, &tools.interface, intent).ok_or(none)?;
        let index = block.parse::<u64>().map_err(|_| none)?;
        let mut blocks = self.read_blocks(How::Replicated, log, index, 1).await?;
        match blocks.pop().map(|block| block.entry) {
            Some(Entry::Transaction(logged)) if is_ours(log.methods.shape, &expected, &logged) => {
                Ok(BlockVerdict::Ours)
            }
            Some(Entry::Transaction(_) | Entry::Other(_)) => Ok(BlockVerdict::Another),
            Some(Entry::Unreadable) | None => Err(Unreadable::NoAnswer),
        }
    }
}

/// How long one look at a log goes on asking.
const LOOK_SPAN: Span = Span::from_secs(60);

impl<P: Ports> Wallet<P> {
    fn log_of<'a>(&self, intent: &'a Intent, tools: &'a CanisterTools) -> Option<Log<'a>> {
        let now = self.ports.clock().monotonic();
        Some(Log {
            network: &intent.prepared().network,
            ledger: intent.prepared().canister,
            interface: &tools.interface,
            methods: Methods::of(&tools.interface)?,
            until: Span::from_nanos(now.as_nanos().saturating_add(LOOK_SPAN.as_nanos())),
        })
    }
}
