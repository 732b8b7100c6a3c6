//! The log: its blocks, and which of them lie in archives.

use super::{
    archive::Archive,
    blocks::{Block, Tx},
    tokens::Tokens,
};
use crate::{Nanos, faults::Shown};
use candid::{Nat, Principal};
use std::ops::Range;

/// When blocks go to archives.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Archiving {
    /// When the ledger itself has so many blocks, it archives some.
    pub trigger: u64,
    /// How many of its oldest it archives at once.
    pub at_once: u64,
    /// How many blocks an archive takes before there is another.
    pub capacity: u64,
}

impl Default for Archiving {
    /// Nothing is archived by itself, and one archive takes everything.
    fn default() -> Self {
        Self {
            trigger: u64::MAX,
            at_once: 0,
            capacity: u64::MAX,
        }
    }
}

/// The log.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// Every block, archived or not.
    blocks: Vec<Block>,
    archives: Vec<Archive>,
}

impl Log {
    pub(super) const fn len(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// Every block, archived or not.
    pub(super) fn all(&self) -> &[Block] {
        &self.blocks
    }

    /// Appends a transaction; its index.
    pub(super) fn append(&mut self, tx: &Tx, timestamp: Nanos, charged: Option<Tokens>) -> u64 {
        let before = self.blocks.last().map(|block| block.hash);
        self.blocks.push(Block::new(before, tx, timestamp, charged));
        self.len() - 1
    }

    pub(super) fn archives(&self) -> &[Archive] {
        &self.archives
    }

    pub(super) fn archives_mut(&mut self) -> &mut [Archive] {
        &mut self.archives
    }

    /// How many of the first blocks lie in archives.
    pub(super) fn archived(&self) -> u64 {
        self.archives.last().map_or(0, |last| last.range().end)
    }

    /// Moves some, where it is time.
    pub(super) fn archive_when_due(&mut self, ledger: Principal, how: Archiving) {
        if self.len() - self.archived() >= how.trigger {
            self.archive(ledger, how.at_once, how.capacity);
        }
    }

    /// Moves up to `count` of the oldest blocks that the ledger itself has.
    pub(super) fn archive(&mut self, ledger: Principal, count: u64, capacity: u64) {
        let to = self.archived().saturating_add(count).min(self.len());
        while self.archived() < to {
            let from = self.archived();
            let full = |archive: &Archive| archive.len() >= capacity.max(1);
            if self.archives.last().is_none_or(full) {
                let number = self.archives.len() as u64;
                self.archives.push(Archive::new(ledger, number, from));
            }
            let last = self.archives.last_mut().expect("there is one now");
            let room = capacity.max(1) - last.len();
            let part = from..to.min(from.saturating_add(room));
            last.take(&self.blocks[positions(&part, 0)]);
        }
    }

    /// How many blocks there are to someone who is shown this.
    pub(super) fn shown_len(&self, shown: Shown) -> u64 {
        match shown {
            Shown::Behind(blocks) => self.len_before(blocks),
            Shown::Whole
            | Shown::Short(_)
            | Shown::Altered(_)
            | Shown::Resent(_)
            | Shown::LeftOut(_)
            | Shown::Elsewhere(_) => self.len(),
        }
    }

    /// The length that the log had when it had at least so many blocks fewer. Blocks of one
    /// moment came together.
    fn len_before(&self, blocks: u64) -> u64 {
        let mut len = self.len().saturating_sub(blocks);
        while let (Some(last), Some(next)) = (self.before(len), self.at(len))
            && last.timestamp() == next.timestamp()
        {
            len -= 1;
        }
        len
    }

    /// The last moment at which the log had at least so many blocks fewer. None where it is now.
    pub(super) fn moment_before(&self, blocks: u64) -> Option<Nanos> {
        let next = self.at(self.len_before(blocks))?;
        Some(next.timestamp().saturating_sub(1))
    }

    fn at(&self, index: u64) -> Option<&Block> {
        self.blocks.get(usize::try_from(index).ok()?)
    }

    /// The last block of a log of this length.
    pub(super) fn before(&self, len: u64) -> Option<&Block> {
        self.at(len.checked_sub(1)?)
    }
}

/// The part of a range, as someone asks for it, that is in a log of this length; at most `cap`.
pub(super) fn asked(start: &Nat, length: &Nat, cap: u64, len: u64) -> Range<u64> {
    let start = u64::try_from(&start.0).unwrap_or(u64::MAX).min(len);
    let length = u64::try_from(&length.0).unwrap_or(u64::MAX).min(cap);
    start..start.saturating_add(length).min(len)
}

/// What two ranges have in common.
pub(super) fn common(a: &Range<u64>, b: &Range<u64>) -> Range<u64> {
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    start..end.max(start)
}

fn positions(range: &Range<u64>, first: u64) -> Range<usize> {
    let at = |index: u64| usize::try_from(index - first).expect("a position in a list in memory");
    at(range.start)..at(range.end)
}

/// What is shown of a range, with the indices that are shown beside. `blocks` are those from the
/// index `first` on, and the range lies in them.
pub(super) fn show(
    blocks: &[Block],
    first: u64,
    range: &Range<u64>,
    shown: Shown,
) -> Vec<(u64, Block)> {
    let part = blocks[positions(range, first)].iter().cloned();
    let whole = range.clone().zip(part);
    match shown {
        Shown::Whole | Shown::Behind(_) | Shown::Elsewhere(_) => whole.collect(),
        Shown::Short(most) => whole
            .take(usize::try_from(most).unwrap_or(usize::MAX))
            .collect(),
        Shown::LeftOut(index) => whole.filter(|(at, _)| *at != index).collect(),
        Shown::Altered(index) => whole
            .map(|(at, block)| (at, if at == index { block.altered() } else { block }))
            .collect(),
        Shown::Resent(from) => whole
            .map(|(at, block)| {
                if at >= from && at > first {
                    let before = positions(&(at - 1..at), first).start;
                    (at, blocks[before].clone())
                } else {
                    (at, block)
                }
            })
            .collect(),
    }
}
