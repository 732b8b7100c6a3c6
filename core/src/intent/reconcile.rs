//! What a look at a ledger's block log proves, and what it does not.
//!
//! Reading blocks is the engine's work; this file only judges what was read. Presence needs the
//! exact transaction inside a checked chain under a certified tip, or in a block that is certified
//! itself. Absence needs one of two rules;
//! a plain query, an index canister, `TooOld` or an unchanged balance never prove it.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use super::envelope::{Envelope, Interim, LogMark};
use super::record::Intent;
use super::settling::FOREIGN_SPAN;
use crate::ids::ContentHash;
use crate::time::{Span, Timestamp};

/// What one look at the log came to.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The transaction stands in the log.
    Found {
        /// Its block, in decimal digits.
        block: String,
    },
    /// It does not, and it never will.
    Absent(AbsenceProof),
    /// Nothing is proved yet; a later look can prove it.
    NotYet {
        /// Certified time from which it can, where that is known.
        after: Option<Timestamp>,
    },
    /// The log cannot be read in a way that proves anything.
    Unreadable {
        /// Why.
        reason: Unreadable,
    },
}

/// Why a log proves nothing.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreadable {
    /// No rule says how to find this call in a log.
    NoStrategy,
    /// The ledger or an archive did not answer, or not with a certificate.
    NoAnswer,
    /// Blocks are missing or their hashes do not join.
    BrokenChain,
    /// The log is shorter than before, or has another block where one was noted: reinstalled.
    Rewritten,
    /// The window of the stamp is only claimed.
    WindowUnknown,
    /// More blocks lie between the tip and the first that could be this one than are read, or than
    /// came in the time of one look.
    TooLong,
    /// A block could be this transaction and cannot be told from it.
    Ambiguous,
}

impl Unreadable {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoStrategy => "no_strategy",
            Self::NoAnswer => "no_answer",
            Self::BrokenChain => "broken_chain",
            Self::Rewritten => "rewritten",
            Self::WindowUnknown => "window_unknown",
            Self::TooLong => "too_long",
            Self::Ambiguous => "ambiguous",
        }
    }
}

/// Proof that an intent was never executed and never will be. Only [`Scan::judge`] makes one.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AbsenceProof {
    rule: AbsenceRule,
    tip_at: Timestamp,
    first: u64,
    end: u64,
    handed_over: usize,
}

/// By which rule absence was proved.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AbsenceRule {
    /// (a) Every envelope is past its expiry and out of the network's hands at a certified time
    /// not later than the tip's, and the log was scanned from before the first submission.
    EnvelopesExpired,
    /// (b) The ledger itself refuses the stamp from now on.
    StampRefused,
}

impl AbsenceProof {
    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> AbsenceRule {
        self.rule
    }

    /// `/time` of the tip's certificate.
    #[must_use]
    pub const fn tip_at(&self) -> Timestamp {
        self.tip_at
    }

    /// How many envelopes had been handed over when it was judged.
    pub(super) const fn handed_over(&self) -> usize {
        self.handed_over
    }
}

/// A scan of a log that met no match, up to a certified tip, every hash checked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Scan {
    /// Index of the first block read.
    pub first: u64,
    /// The block before it, where there is one, has this timestamp.
    pub before: Option<Timestamp>,
    /// Number of blocks in the log under the certified tip: blocks up to it were read.
    pub length: u64,
    /// `/time` of the certificate that dates the tip.
    pub tip_at: Timestamp,
    /// Hash of the block at each mark's end, where the scan or a read of that one block met it:
    /// (length at the mark, hash of block length − 1).
    pub marks: Vec<(u64, ContentHash)>,
}

/// The last look at the log that settled nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LastLook<'a> {
    /// Certified time of it.
    pub at: Timestamp,
    /// What it came to.
    pub finding: &'a Finding,
    /// Certified time of the next one.
    pub next: Timestamp,
}

/// How far back a log is to be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LogFloor {
    /// Down to the block with this index, and with it.
    Block(u64),
    /// Down to a block that is older than this.
    Before(Timestamp),
}

impl Intent {
    /// How far back the log is to be read for a finding, under a tip whose certificate has this
    /// time. `None` where a log says nothing of this intent, since it carries no stamp.
    #[must_use]
    pub fn log_floor(&self, tip_at: Timestamp) -> Option<LogFloor> {
        let stamp = self.prepared.stamp?;
        let sent = || self.envelopes.iter().filter(|e| e.handed_over.is_some());
        let by_stamp = LogFloor::Before(stamp.at.minus(stamp.drift));
        let is_foreign = self.restored.is_some();
        let only_by_stamp =
            tip_at > stamp.refused_after() && !sent().all(|e| self.is_released(e, tip_at));
        let marks: Option<Vec<u64>> = sent().map(|e| Some(e.log.as_ref()?.length)).collect();
        let first = marks.and_then(|marks| marks.into_iter().min());
        Some(match first {
            Some(first) if !is_foreign && !only_by_stamp => LogFloor::Block(first),
            Some(_) | None => by_stamp,
        })
    }

    /// The last look at the log that settled nothing, where there was one.
    #[must_use]
    pub fn last_look(&self) -> Option<LastLook<'_>> {
        Some(LastLook {
            at: self.search.at,
            finding: self.search.last.as_ref()?,
            next: self.search.due,
        })
    }

    /// The lengths of the log that were noted when envelopes of it were sent: a scan is to tell the
    /// hash of the block before each.
    pub fn log_marks(&self) -> impl Iterator<Item = u64> {
        let sent = self.envelopes.iter().filter(|e| e.handed_over.is_some());
        sent.filter_map(|e| Some(e.log.as_ref()?.length))
    }

    /// Whether an envelope is out of the network's hands under a tip of this time: it ended, or it
    /// is past its expiry and certified to be nowhere.
    fn is_released(&self, envelope: &Envelope, tip_at: Timestamp) -> bool {
        if !envelope.may_have_executed(self.is_ordinary()) {
            return true;
        }
        let out_of_hands = envelope.seen.is_some_and(|seen| {
            seen.status == Interim::Absent && seen.at > envelope.signed.expiry && seen.at <= tip_at
        });
        let closed = envelope.closed_at.is_some_and(|at| at <= tip_at);
        out_of_hands || (envelope.end.is_some() && closed)
    }
}

impl Scan {
    /// What a scan without a match proves about an intent.
    #[must_use]
    pub fn judge(&self, intent: &Intent) -> Finding {
        let unreadable = |reason| Finding::Unreadable { reason };
        let Some(stamp) = intent.prepared.stamp else {
            return unreadable(Unreadable::NoStrategy);
        };
        let handed_over = || intent.envelopes.iter().filter(|e| e.handed_over.is_some());
        let marks: Vec<&LogMark> = handed_over().filter_map(|e| e.log.as_ref()).collect();
        if let Some(shorter) = handed_over().find(|e| {
            let mark = e.log.as_ref();
            mark.is_some_and(|mark| self.length < mark.length)
        }) {
            // A node that is behind shows the log from before the mark.
            return unreadable(if self.tip_at <= shorter.signed.s0 {
                Unreadable::NoAnswer
            } else {
                Unreadable::Rewritten
            });
        }
        for mark in &marks {
            match self.marks.iter().find(|(length, _)| *length == mark.length) {
                Some((_, hash)) if *hash == mark.tip => {}
                Some(_) => return unreadable(Unreadable::Rewritten),
                None => return unreadable(Unreadable::BrokenChain),
            }
        }

        let first_mark = marks.iter().map(|mark| mark.length).min();
        let all_marked = handed_over().all(|e| e.log.is_some());
        let from_before_sending = all_marked && first_mark.is_some_and(|mark| self.first <= mark);
        // No block of this stamp can be older than the stamp less the drift.
        let from_before_stamp = self.first == 0
            || self
                .before
                .is_some_and(|before| before < stamp.at.minus(stamp.drift));

        let proof = |rule| {
            Finding::Absent(AbsenceProof {
                rule,
                tip_at: self.tip_at,
                first: self.first,
                end: self.length,
                handed_over: intent.handed_over_count(),
            })
        };
        let expired = handed_over().all(|e| self.tip_at > e.signed.expiry);
        if intent.restored.is_none()
            && expired
            && handed_over().all(|e| intent.is_released(e, self.tip_at))
            && (from_before_sending || from_before_stamp)
        {
            return proof(AbsenceRule::EnvelopesExpired);
        }
        let foreign_expired = intent
            .restored
            .is_none_or(|at| self.tip_at > at.plus(FOREIGN_SPAN));
        if self.tip_at > stamp.refused_after() && from_before_stamp && expired && foreign_expired {
            if stamp.window_known {
                return proof(AbsenceRule::StampRefused);
            }
            return unreadable(Unreadable::WindowUnknown);
        }
        let last_expiry = handed_over().map(|e| e.signed.expiry).max();
        let after = match last_expiry {
            Some(expiry) if intent.restored.is_none() && expiry >= self.tip_at => expiry,
            _ => stamp.refused_after(),
        };
        Finding::NotYet {
            after: Some(after.plus(Span::from_nanos(1))),
        }
    }
}

/// A transaction as a ledger's log holds it, or as an intent expects it.
///
/// Accounts are compared as they were written: owner, and subaccount or none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Transaction {
    /// `xfer`, `approve`, `burn` or `mint`.
    pub kind: String,
    /// Paying account, in a form that keeps an absent and a zero subaccount apart.
    pub from: Option<Vec<u8>>,
    /// Paid account, in the same form.
    pub to: Option<Vec<u8>>,
    /// Spending account, in the same form.
    pub spender: Option<Vec<u8>>,
    /// Amount in base units.
    pub amount: BigUint,
    /// The fee, where the caller gave one.
    pub fee: Option<BigUint>,
    /// Memo, where the caller gave one.
    pub memo: Option<Vec<u8>>,
    /// The stamp.
    pub stamp: Option<Timestamp>,
    /// Of an approval: the allowance that was expected.
    pub expected_allowance: Option<BigUint>,
    /// Of an approval: its end.
    pub expires_at: Option<u64>,
}

impl Transaction {
    /// Whether a logged transaction is the one this intent expects. Without a stamp none is: two
    /// equal transactions without stamps cannot be told apart.
    #[must_use]
    pub fn is(&self, logged: &Self) -> bool {
        self.stamp.is_some() && self == logged
    }

    /// Whether a logged transaction could be the one this intent expects although it is not written
    /// as expected: with its stamp, in whatever unit, or with none and by the same payer. Ledgers
    /// differ in what they write down; a log with such a block proves nothing.
    #[must_use]
    pub fn could_be(&self, logged: &Self) -> bool {
        // A mint names no payer.
        let payer = logged.from.is_none() || self.payer() == logged.payer();
        let payee =
            self.to.as_deref().map(without_zeros) == logged.to.as_deref().map(without_zeros);
        payer
            && match logged.stamp {
                Some(logged) => self.stamp.is_some_and(|stamp| is_same_time(stamp, logged)),
                None if logged.from.is_none() => payee && self.amount == logged.amount,
                None => payee || self.amount == logged.amount,
            }
    }

    fn payer(&self) -> Option<&[u8]> {
        self.from.as_deref().map(without_zeros)
    }
}

/// Whether a logged time is this one, in nanoseconds or a larger unit.
fn is_same_time(stamp: Timestamp, logged: Timestamp) -> bool {
    let units = [1, 1_000, 1_000_000, 1_000_000_000];
    units
        .into_iter()
        .any(|unit| stamp.as_nanos() / unit == logged.as_nanos())
}

/// An account's key, in which a subaccount of zeros is none.
fn without_zeros(account: &[u8]) -> &[u8] {
    let owner = account.first().map_or(0, |length| usize::from(*length) + 1);
    match account.split_at_checked(owner) {
        Some((owner, subaccount)) if subaccount.iter().all(|byte| *byte == 0) => owner,
        Some(_) | None => account,
    }
}
