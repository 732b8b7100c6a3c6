//! What is to be done next for an intent, as data.
//!
//! An effect names what to do, never how. Each may be run again after a crash: running one twice
//! is safe, because whatever must not happen twice is stored before it is done.

use super::envelope::{Envelope, Interim};
use super::event::Now;
use super::facts::{INGRESS_SPAN, READ_MARGIN, STATUS_SPAN};
use super::record::{AskKind, Intent, UNCOMMITTED_SPAN};
use super::words::Evidence;
use crate::ids::{AskDigest, AskId, PreviewId, RequestId};
use crate::time::{Span, Timestamp};

/// What the engine does next for one intent.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Effect {
    /// Apply [`Event::Look`](super::Event::Look) and store: time has decided something.
    Look,
    /// Read certified time of the canister's subnet, then ask again with it. No event.
    ReadTime,
    /// Read S0 and the module hash in one certificate, and the log's length and tip where the
    /// canister has a block log → [`Event::StartRead`](super::Event::StartRead). Where nothing can
    /// be read: try again, and report [`Event::Lapse`](super::Event::Lapse) after two minutes. The
    /// event may be stored together with the next one.
    ReadStart {
        /// The approved ask.
        ask: AskId,
    },
    /// Compute the digest from the stored bytes, compare, and sign call and status read
    /// → [`Event::Signed`](super::Event::Signed), or
    /// [`Event::Stopped`](super::Event::Stopped).
    Sign {
        /// The approved ask.
        ask: AskId,
        /// The digest the person said yes to.
        digest: AskDigest,
        /// Certified time to judge the next certificates by.
        s0: Timestamp,
        /// Ingress expiry of the call.
        expiry: Timestamp,
        /// Ingress expiry of the signed status read.
        read_expiry: Timestamp,
    },
    /// Apply [`Event::HandedOver`](super::Event::HandedOver) and store it in a transaction of its
    /// own. Send nothing before that is durable.
    HandOver {
        /// The envelope.
        request_id: RequestId,
    },
    /// Post the stored call as it is → [`Event::Status`](super::Event::Status) where a certificate
    /// came back and was checked, else [`Event::Submitted`](super::Event::Submitted).
    Submit {
        /// The envelope.
        request_id: RequestId,
    },
    /// Read the envelope's status → [`Event::Status`](super::Event::Status). No event where no
    /// certificate came or it does not cover the path: try again.
    ReadStatus {
        /// The envelope.
        request_id: RequestId,
        /// Which signature to read with.
        with: StatusRead,
    },
    /// Read the block that a reply names and compare it with the intent's transaction
    /// → [`Event::BlockRead`](super::Event::BlockRead), or
    /// [`Event::Reconciled`](super::Event::Reconciled) with `NotYet` or `Unreadable`.
    ReadBlock {
        /// The envelope whose reply names it.
        request_id: RequestId,
        /// The block's index in decimal digits.
        block: String,
    },
    /// Prepare the successor from the stored inputs with a new stamp
    /// → [`Event::Superseded`](super::Event::Superseded), stored in one transaction with it, or
    /// [`Event::RenewRefused`](super::Event::RenewRefused).
    Renew {
        /// The intent whose place it takes; pass it on through [`super::Line::after`].
        predecessor: PreviewId,
        /// The new stamp is at most this.
        cap: Option<Timestamp>,
    },
    /// Read the status of each of [`Intent::unresolved`] where the wallet can sign that read
    /// → [`Event::Status`](super::Event::Status); then look at the block log
    /// → [`Event::Reconciled`](super::Event::Reconciled).
    Reconcile,
    /// Do nothing until something happens or certified time reaches `until`.
    Wait {
        /// Certified time at which to look again, if any.
        until: Option<Timestamp>,
        /// What is waited for.
        on: WaitFor,
    },
}

/// Which signature a status is read with.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum StatusRead {
    /// The stored one; needs no key.
    Stored,
    /// A new one, since the stored one has expired; needs an unlocked wallet.
    Fresh,
}

/// What an intent waits for.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum WaitFor {
    /// The agent: it is prepared, or handed back.
    Agent,
    /// A person's decision on this ask: it must be in front of the person, or in the queue.
    Decision(AskId),
    /// The next look at the block log.
    Reconciliation,
    /// The person, who alone can end it.
    PersonSettles,
}

/// How eagerly an effect that brought nothing is tried again.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Pace {
    /// Once, at once.
    Once,
    /// A second, and then longer up to ten.
    Poll,
    /// Half a minute, and then longer up to an hour.
    Slow,
}

impl Pace {
    /// How long to wait before a try, when the same effect has come up `tries` times in a row
    /// before in this life.
    #[must_use]
    pub const fn delay(self, tries: u32) -> Span {
        let doublings = if tries > 16 { 16 } else { tries };
        match self {
            Self::Once => Span::ZERO,
            Self::Poll => at_most(
                Span::from_millis(500 << doublings),
                Span::from_secs(10),
                tries,
            ),
            Self::Slow => at_most(Span::from_secs(15 << doublings), Span::from_hours(1), tries),
        }
    }
}

/// `span` or `limit`, whichever is shorter; nothing before the first try.
const fn at_most(span: Span, limit: Span, tries: u32) -> Span {
    if tries == 0 {
        Span::ZERO
    } else if span.as_nanos() < limit.as_nanos() {
        span
    } else {
        limit
    }
}

impl Effect {
    /// How eagerly it is tried again where it brought nothing.
    #[must_use]
    pub const fn pace(&self) -> Pace {
        match self {
            Self::Look | Self::Sign { .. } | Self::HandOver { .. } | Self::Wait { .. } => {
                Pace::Once
            }
            Self::ReadTime
            | Self::ReadStart { .. }
            | Self::Submit { .. }
            | Self::ReadStatus { .. } => Pace::Poll,
            Self::ReadBlock { .. } | Self::Renew { .. } | Self::Reconcile => Pace::Slow,
        }
    }

    /// The effect's name in logs and tests.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::ReadTime => "read_time",
            Self::ReadStart { .. } => "read_start",
            Self::Sign { .. } => "sign",
            Self::HandOver { .. } => "hand_over",
            Self::Submit { .. } => "submit",
            Self::ReadStatus { .. } => "read_status",
            Self::ReadBlock { .. } => "read_block",
            Self::Renew { .. } => "renew",
            Self::Reconcile => "reconcile",
            Self::Wait { .. } => "wait",
        }
    }
}

/// What a commit of an intent would do now.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum CommitPlan {
    /// It has ended: answer from the record.
    TellEnd,
    /// Join what is under way.
    Join,
    /// Open an ask of this kind.
    Ask(AskKind),
    /// Look at the block log.
    Reconcile,
    /// Only the person can end it: answer from the record.
    Held,
    /// Certified time must be read first.
    TimeNeeded,
}

impl Intent {
    /// What is to be done next, from the stored record and the time alone. `None` once it has
    /// ended.
    ///
    /// The answer is the same however often it is asked for, also in another life of the worker;
    /// only whether the first transmission was this life's makes a difference, since another life
    /// cannot know whether bytes left and therefore reads the status first.
    #[must_use]
    pub fn pending_effect(&self, now: &Now) -> Option<Effect> {
        if self.end.is_some() {
            return None;
        }
        if let Some(certified) = now.certified {
            let mut aged = self.clone();
            aged.clock = aged.clock.max(certified);
            let before = aged.clone();
            aged.pass_time();
            if aged != before {
                return Some(Effect::Look);
            }
        }
        let time = now.certified.map(|certified| certified.max(self.clock));
        if let Some(envelope) = self.live() {
            return Some(time.map_or(Effect::ReadTime, |time| follow(envelope, now.life, time)));
        }
        if let Some(envelope) = self.unsent() {
            let request_id = envelope.signed.request_id;
            return Some(time.map_or(Effect::ReadTime, |_| Effect::HandOver { request_id }));
        }
        if let Some(ask) = &self.ask
            && let Some(yes) = &ask.yes
        {
            return Some(match &yes.start {
                None => Effect::ReadStart { ask: ask.id },
                // Without certified time nobody knows whether the yes still counts.
                Some(_) if time.is_none() => Effect::ReadTime,
                Some(start) => Effect::Sign {
                    ask: ask.id,
                    digest: ask.digest,
                    s0: start.s0,
                    expiry: start.s0.plus(INGRESS_SPAN),
                    read_expiry: start.s0.plus(STATUS_SPAN).minus(READ_MARGIN),
                },
            });
        }
        if let Some((request_id, block)) = self.unread_block() {
            let read = Effect::ReadBlock {
                request_id,
                block: block.to_owned(),
            };
            return Some(self.when_due(time, read));
        }
        if let Some((_, cap)) = self.renewal() {
            return Some(Effect::Renew {
                predecessor: self.prepared.preview,
                cap,
            });
        }
        if self.may_have_executed() {
            if self.prepared.stamp.is_none() {
                return Some(Effect::Wait {
                    until: None,
                    on: WaitFor::PersonSettles,
                });
            }
            return Some(self.when_due(time, Effect::Reconcile));
        }
        Some(match &self.ask {
            Some(ask) => Effect::Wait {
                until: Some(self.ask_closes_at(ask.kind)),
                on: WaitFor::Decision(ask.id),
            },
            None => {
                let uncommitted = self.prepared.prepared_at.plus(UNCOMMITTED_SPAN);
                let until = if self.committed {
                    self.deadline
                } else {
                    self.deadline.min(uncommitted)
                };
                Effect::Wait {
                    until: Some(until),
                    on: WaitFor::Agent,
                }
            }
        })
    }

    /// A look at the log when its time has come, and waiting for that time till then.
    fn when_due(&self, time: Option<Timestamp>, look: Effect) -> Effect {
        let due = self.search.wanted
            || self.search.tries == 0
            || time.is_some_and(|time| time >= self.search.due);
        if due {
            return look;
        }
        match &self.ask {
            Some(ask) => Effect::Wait {
                until: Some(self.search.due.min(self.ask_closes_at(ask.kind))),
                on: WaitFor::Decision(ask.id),
            },
            None => Effect::Wait {
                until: Some(self.search.due),
                on: WaitFor::Reconciliation,
            },
        }
    }

    /// Whether a call that waits for it should go on waiting: something is still to come that needs
    /// no new call, and no time far off.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        let looks = self.unread_block().is_some()
            || (self.may_have_executed() && self.prepared.stamp.is_some());
        let first_look = looks && self.search.tries == 0;
        self.end.is_none() && (self.is_being_sent() || self.search.wanted || first_look)
    }

    /// Whether it is asked, approved, signed, on its way or being renewed.
    fn is_being_sent(&self) -> bool {
        self.ask.is_some()
            || self.live().is_some()
            || self.unsent().is_some()
            || self.renewal().is_some()
    }

    /// What a commit would do now, where the ledger's deduplication is known as `evidence` says.
    /// [`Event::Commit`](super::Event::Commit) does exactly this.
    #[must_use]
    pub fn commit_plan(&self, now: &Now, evidence: Evidence) -> CommitPlan {
        if self.end.is_some() {
            return CommitPlan::TellEnd;
        }
        if self.is_being_sent() || self.unread_block().is_some() {
            return CommitPlan::Join;
        }
        let clock = now.certified.map(|certified| certified.max(self.clock));
        if !self.may_have_executed() {
            return clock.map_or(CommitPlan::TimeNeeded, |_| CommitPlan::Ask(AskKind::First));
        }
        if self.prepared.stamp.is_none() {
            return CommitPlan::Held;
        }
        let known = evidence == Evidence::Known;
        if !self.can_resend(known, self.clock) {
            return CommitPlan::Reconcile;
        }
        match clock {
            None => CommitPlan::TimeNeeded,
            Some(clock) if self.can_resend(known, clock) => CommitPlan::Ask(AskKind::Resend),
            Some(_) => CommitPlan::Reconcile,
        }
    }
}

/// The next step with an envelope that was handed over.
fn follow(envelope: &Envelope, life: u64, time: Timestamp) -> Effect {
    let request_id = envelope.signed.request_id;
    let not_sent_yet = envelope.submitted.is_none()
        && envelope.seen.is_none()
        && envelope
            .handed_over
            .is_some_and(|hand_over| hand_over.life == life);
    let shown_absent = envelope
        .seen
        .is_some_and(|seen| seen.status == Interim::Absent && seen.at >= envelope.resubmit_from());
    if (not_sent_yet || shown_absent) && time < envelope.signed.expiry {
        return Effect::Submit { request_id };
    }
    let with = if time < envelope.signed.read_expiry {
        StatusRead::Stored
    } else {
        StatusRead::Fresh
    };
    Effect::ReadStatus { request_id, with }
}
