//! A ledger's log: its blocks, and which of them lie in archives.

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

/// A block, whatever the ledger writes into it.
pub(super) trait Written: Clone {
    /// When it was written.
    fn timestamp(&self) -> Nanos;

    /// The same with one base unit more, as someone would show it who hides what was paid. It has
    /// another hash than the next block says.
    fn altered(&self) -> Self;
}

/// What an archive keeps of a log: the blocks from one index on.
#[derive(Clone, Debug)]
pub struct Archive<B> {
    id: Principal,
    first: u64,
    blocks: Vec<B>,
}

impl<B> Archive<B> {
    /// Which canister it is.
    #[must_use]
    pub const fn id(&self) -> Principal {
        self.id
    }

    /// The id that the archive with this number of a ledger has, or will have.
    ///
    /// # Panics
    ///
    /// Where the ledger's id is not one that the system gives.
    #[must_use]
    pub fn id_of(ledger: Principal, number: u64) -> Principal {
        const GIVEN: &str = "the system gives ids of ten bytes";
        let (of_ledger, rest) = ledger.as_slice().split_first_chunk::<8>().expect(GIVEN);
        assert_eq!(rest.len(), 2, "{GIVEN}");
        let mine = u64::from_be_bytes(*of_ledger) + ((number + 1) << 16);
        Principal::from_slice(&[&mine.to_be_bytes(), rest].concat())
    }

    /// The indices of its blocks.
    #[must_use]
    pub const fn range(&self) -> Range<u64> {
        self.first..self.first + self.len()
    }

    pub(super) const fn len(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// What is shown of a range that begins in the archive; not the part above it.
    pub(super) fn shown(&self, range: &Range<u64>, shown: Shown) -> Vec<(u64, B)>
    where
        B: Written,
    {
        let range = common(range, &self.range());
        show(&self.blocks, self.first, &range, shown)
    }
}

/// A log.
#[derive(Clone, Debug)]
pub(super) struct Log<B> {
    /// Every block, archived or not.
    blocks: Vec<B>,
    archives: Vec<Archive<B>>,
}

impl<B> Default for Log<B> {
    fn default() -> Self {
        Self {
            blocks: vec![],
            archives: vec![],
        }
    }
}

impl<B: Written> Log<B> {
    pub(super) const fn len(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// Every block, archived or not.
    pub(super) fn all(&self) -> &[B] {
        &self.blocks
    }

    pub(super) fn last(&self) -> Option<&B> {
        self.blocks.last()
    }

    /// Appends a block; its index.
    pub(super) fn append(&mut self, block: B) -> u64 {
        self.blocks.push(block);
        self.len() - 1
    }

    pub(super) fn archives(&self) -> &[Archive<B>] {
        &self.archives
    }

    pub(super) fn archives_mut(&mut self) -> &mut [Archive<B>] {
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
            let full = |archive: &Archive<B>| archive.len() >= capacity.max(1);
            if self.archives.last().is_none_or(full) {
                let number = self.archives.len() as u64;
                self.archives.push(Archive {
                    id: Archive::<B>::id_of(ledger, number),
                    first: from,
                    blocks: vec![],
                });
            }
            let last = self.archives.last_mut().expect("there is one now");
            let room = capacity.max(1) - last.len();
            let part = from..to.min(from.saturating_add(room));
            last.blocks
                .extend_from_slice(&self.blocks[positions(&part, 0)]);
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

    fn at(&self, index: u64) -> Option<&B> {
        self.blocks.get(usize::try_from(index).ok()?)
    }

    /// The last block of a log of this length.
    pub(super) fn before(&self, len: u64) -> Option<&B> {
        self.at(len.checked_sub(1)?)
    }
}

/// A part of a log that lies in archives: whom to ask, and for what.
pub(super) type Elsewhere = (Principal, Range<u64>);

impl<B: Written> Log<B> {
    /// A range that is in the log: what the ledger itself has of it, from which index on, and
    /// where the rest is. The ledger itself gives at most `cap` blocks.
    pub(super) fn parts(
        &self,
        shown: Shown,
        range: &Range<u64>,
        cap: u64,
    ) -> (u64, Vec<(u64, B)>, Vec<Elsewhere>) {
        let archives = self.archives.iter();
        let archived = archives
            .map(|archive| {
                let id = match shown {
                    Shown::Elsewhere(id) => id,
                    Shown::Whole
                    | Shown::Behind(_)
                    | Shown::Short(_)
                    | Shown::Altered(_)
                    | Shown::Resent(_)
                    | Shown::LeftOut(_) => archive.id,
                };
                (id, common(range, &archive.range()))
            })
            .filter(|(_, part)| !part.is_empty())
            .collect();
        let own = common(range, &(self.archived()..self.len()));
        let own = own.start..own.end.min(own.start.saturating_add(cap));
        (own.start, show(&self.blocks, 0, &own, shown), archived)
    }
}

/// The part of a range, as someone asks for it, that is in a log of this length; at most `cap`.
pub(super) fn asked(start: &Nat, length: &Nat, cap: u64, len: u64) -> Range<u64> {
    let number = |n: &Nat| u64::try_from(&n.0).unwrap_or(u64::MAX);
    asked_plainly(number(start), number(length), cap, len)
}

/// The same of plain numbers.
pub(super) fn asked_plainly(start: u64, length: u64, cap: u64, len: u64) -> Range<u64> {
    let start = start.min(len);
    start..start.saturating_add(length.min(cap)).min(len)
}

/// What two ranges have in common.
fn common(a: &Range<u64>, b: &Range<u64>) -> Range<u64> {
    let (start, end) = (a.start.max(b.start), a.end.min(b.end));
    start..end.max(start)
}

fn positions(range: &Range<u64>, first: u64) -> Range<usize> {
    let at = |index: u64| usize::try_from(index - first).expect("a position in a list in memory");
    at(range.start)..at(range.end)
}

/// What is shown of a range, with the indices that are shown beside. `blocks` are those from the
/// index `first` on, and the range lies in them.
fn show<B: Written>(blocks: &[B], first: u64, range: &Range<u64>, shown: Shown) -> Vec<(u64, B)> {
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
