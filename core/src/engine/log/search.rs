//! The search for an intent's transaction: from the certified end of the log back to before it was
//! sent, every hash checked on the way where blocks come by queries.
//!
//! Its scenarios: `the_log_decides`, `a_log_in_pieces`, `the_icp_ledgers_blocks`.

use super::transaction::{Entry, expected_in, is_ours};
use crate::engine::Wallet;
use crate::intent::{Finding, Intent, LogFloor, Scan, Unreadable};
use crate::ports::Ports;
use crate::time::Timestamp;

/// A block that says to be older counts in another unit than nanoseconds.
const OLDEST: Timestamp = Timestamp::from_nanos(1_000_000_000_000_000_000);

/// How many blocks one look reads at most.
const MOST_BLOCKS: u64 = 20_000;

impl<P: Ports> Wallet<P> {
    /// Looks for an intent's transaction in its ledger's blocks.
    pub(in crate::engine) async fn look_for(&self, intent: &Intent) -> Finding {
        match self.search(intent).await {
            Ok(finding) => finding,
            Err(reason) => Finding::Unreadable { reason },
        }
    }

    async fn search(&self, intent: &Intent) -> Result<Finding, Unreadable> {
        let none = Unreadable::NoStrategy;
        let tools = self.log_tools(intent).await.ok_or(none)?;
        let log = self.log_of(intent, &tools).ok_or(none)?;
        let expected = expected_in(log.methods.shape, &tools.interface, intent).ok_or(none)?;
        let tip = self.read_end(log).await?;
        let floor = intent.log_floor(tip.at).ok_or(none)?;
        let marks: Vec<u64> = intent.log_marks().collect();
        let mut scan = Scan {
            first: tip.length,
            before: None,
            length: tip.length,
            tip_at: tip.at,
            marks: Vec::new(),
        };
        // The hash that the block below the scan must have; `None` below the first.
        let mut below = tip.hash;
        let mut ambiguous = false;
        let lowest = match floor {
            LogFloor::Block(index) if tip.length.saturating_sub(index) > MOST_BLOCKS => {
                return Err(Unreadable::TooLong);
            }
            LogFloor::Block(index) => index,
            LogFloor::Before(_) => 0,
        };
        let mut above = Timestamp::from_nanos(u64::MAX);
        loop {
            if let Some(hash) = below
                && marks.contains(&scan.first)
            {
                scan.marks.push((scan.first, hash));
            }
            let reached = match floor {
                LogFloor::Block(index) => scan.first <= index,
                LogFloor::Before(_) => scan.before.is_some(),
            };
            if reached || scan.first == 0 {
                break;
            }
            if tip.length - scan.first >= MOST_BLOCKS {
                return Err(Unreadable::TooLong);
            }
            let start = scan.first.saturating_sub(log.methods.page()).max(lowest);
            let count = usize::try_from(scan.first - start).map_err(|_| Unreadable::TooLong)?;
            let blocks = self.read_blocks(tip.how(), log, start, count).await?;
            for block in blocks.into_iter().rev() {
                let index = scan.first - 1;
                // What came by a replicated call is certified itself.
                if tip.hash.is_some() && below != block.hash {
                    return Err(Unreadable::BrokenChain);
                }
                // Ledgers date blocks in their order, in nanoseconds.
                ambiguous |= block.at > above || block.at < OLDEST;
                above = block.at;
                match block.entry {
                    Entry::Transaction(logged)
                        if is_ours(log.methods.shape, &expected, &logged) =>
                    {
                        let block = index.to_string();
                        return Ok(Finding::Found { block });
                    }
                    Entry::Transaction(logged) => ambiguous |= expected.could_be(&logged),
                    Entry::Unreadable => ambiguous = true,
                    Entry::Other(stamp) => {
                        ambiguous |= stamp.is_some() && stamp == expected.stamp;
                    }
                }
                if let LogFloor::Before(time) = floor
                    && block.at < time
                {
                    scan.before = Some(block.at);
                    break;
                }
                scan.first = index;
                below = block.parent;
                if let Some(hash) = below
                    && marks.contains(&index)
                {
                    scan.marks.push((index, hash));
                }
            }
        }
        if ambiguous {
            return Err(Unreadable::Ambiguous);
        }
        Ok(scan.judge(intent))
    }
}
