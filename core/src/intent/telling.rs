//! What a record leaves to be told.

use serde_json::{Value, json};

use super::answer::{Answer, Asked, NamesEnd, Next, NextInput, PrepareAgain, Status};
use super::end::EndKind;
use super::envelope::{Envelope, EnvelopeEnd, Reject, Reply};
use super::event::HandWord;
use super::reconcile::{AbsenceRule, Finding, Unreadable};
use super::record::{AskKind, Intent, Last};
use super::words::{Case, Evidence, Outcome, Retry};
use crate::ids::{PreviewId, RequestId};
use crate::profile::Class;
use crate::text::Untrusted;

/// What is told before words and next steps are added. Without an outcome, nothing was ever asked.
#[derive(Default)]
struct Told {
    outcome: Option<Outcome>,
    earlier: bool,
    case: Option<String>,
    code: Option<&'static str>,
    details: Option<Value>,
    finding: Option<Value>,
    retry: Option<Retry>,
    after_s: Option<u64>,
    successor: Option<PreviewId>,
}

impl Told {
    fn of(outcome: Outcome) -> Self {
        Self {
            outcome: Some(outcome),
            ..Self::default()
        }
    }

    fn case(mut self, case: Case) -> Self {
        self.case = Some(case.as_str().to_owned());
        self.code = case.code();
        self
    }

    fn reply(mut self, reply: &Reply) -> Self {
        self.case.clone_from(&reply.case);
        self.details = details_of(reply);
        self
    }

    fn retry(mut self, retry: Retry) -> Self {
        self.retry = Some(retry);
        self
    }
}

impl Intent {
    /// What becomes of a preparation of the same identity. Let time pass first
    /// ([`Event::Look`](super::Event::Look) with certified time): past its deadline, an intent that
    /// cannot have executed is settled and gives way.
    #[must_use]
    pub fn prepare_again(&self) -> PrepareAgain {
        if self.end.is_none() {
            PrepareAgain::Repeat
        } else if self.holds_identity() {
            PrepareAgain::TellEnd
        } else {
            PrepareAgain::New
        }
    }

    /// What is told, from the stored record alone.
    #[must_use]
    pub fn answer(&self, asked: Asked) -> Answer {
        let told = match &self.end {
            Some(end) => self.tell_end(&end.kind, asked),
            None => self.tell_open(asked),
        };
        let outcome = told.outcome;
        let retry = told
            .retry
            .or(outcome.map(Retry::of))
            .unwrap_or(Retry::CommitPreview);
        let preview = told.successor.unwrap_or(self.prepared.preview);
        let status = match asked {
            Asked::Prepare => Some(Status::Repeated),
            Asked::Commit | Asked::LateCommit | Asked::Look => None,
        };
        let next = self.next_step(outcome, retry, preview, told.after_s);
        let mut answer = Answer {
            status,
            outcome,
            earlier_outcome: told.earlier.then_some(Outcome::Unknown),
            case: told.case,
            code: told.code,
            preview,
            of: self.prepared.preview,
            details: told.details,
            finding: told.finding,
            retry,
            next,
            sentence: String::new(),
            names_end: match (&self.end, asked) {
                (None, _) => NamesEnd::No,
                (Some(_), Asked::Prepare) => NamesEnd::ToPreparation,
                (Some(_), Asked::Commit | Asked::LateCommit | Asked::Look) => NamesEnd::ToWaiter,
            },
        };
        answer.sentence = self.sentence(&answer);
        answer
    }

    /// The answer to the preparation that made this preview.
    #[must_use]
    pub fn answer_prepared(&self) -> Answer {
        let mut answer = self.answer(Asked::Prepare);
        answer.status = Some(Status::Prepared);
        answer.sentence = self.sentence(&answer);
        answer
    }

    fn tell_end(&self, kind: &EndKind, asked: Asked) -> Told {
        match kind {
            EndKind::Done(request_id) => {
                let reply = self.envelope(*request_id).and_then(Envelope::reply);
                let first = reply.is_some_and(|reply| reply.class == Class::Success)
                    && matches!(asked, Asked::Commit | Asked::Look);
                let outcome = if first {
                    Outcome::Success
                } else {
                    Outcome::AlreadyDone
                };
                let told = Told::of(outcome);
                match reply {
                    Some(reply) => told.reply(reply),
                    None => told,
                }
            }
            EndKind::Found { block } => {
                let mut told = Told::of(Outcome::AlreadyDone).case(Case::Found);
                told.finding = Some(json!({ "status": "found", "block": block }));
                told
            }
            EndKind::Absent(proof) => {
                let mut told = Told::of(Outcome::NotExecuted).case(Case::Absent);
                told.finding = Some(json!({
                    "status": "absent",
                    "rule": match proof.rule() {
                        AbsenceRule::EnvelopesExpired => "envelopes_expired",
                        AbsenceRule::StampRefused => "stamp_refused",
                    },
                    "at": proof.tip_at().to_string(),
                }));
                told.retry(Retry::NewPrepare)
            }
            EndKind::Refused(request_id) => {
                let reply = self.envelope(*request_id).and_then(Envelope::reply);
                match reply {
                    Some(reply) if reply.class_in_force() == Class::FixInput => {
                        Told::of(Outcome::FixInput).reply(reply)
                    }
                    Some(reply) => Told::of(Outcome::Fail).reply(reply),
                    None => Told::of(Outcome::Fail),
                }
            }
            EndKind::RetriesSpent(request_id) => {
                let mut told = Told::of(Outcome::Fail).case(Case::RetriesSpent);
                let reply = self.envelope(*request_id).and_then(Envelope::reply);
                told.details = reply.and_then(details_of);
                told
            }
            EndKind::Declined => Told::of(Outcome::Declined),
            EndKind::Expired => Told::of(Outcome::Declined)
                .case(Case::Expired)
                .retry(Retry::NewPrepare),
            EndKind::Superseded { successor, after } => {
                let mut told = Told::of(Outcome::RetryNew).case(Case::Superseded);
                if let Some(reply) = after
                    .and_then(|id| self.envelope(id))
                    .and_then(Envelope::reply)
                {
                    told = told.reply(reply);
                }
                told.successor = Some(*successor);
                told
            }
            EndKind::Differs => Told::of(Outcome::Fail).case(Case::Differs),
            EndKind::RenewRefused(_) => Told::of(Outcome::FixInput).case(Case::RenewRefused),
            EndKind::ByHand { word, .. } => match word {
                HandWord::Happened => Told::of(Outcome::AlreadyDone).case(Case::ByHand),
                HandWord::DidNotHappen => {
                    let mut told = Told::of(Outcome::NotExecuted).case(Case::Absent);
                    told.finding = Some(json!({ "status": "absent", "rule": "by_hand" }));
                    told.retry(Retry::NewPrepare)
                }
                HandWord::AskAgain => {
                    let mut told = Told::of(Outcome::Declined).case(Case::AskAgain);
                    told.earlier = true;
                    told.retry(Retry::NewPrepare)
                }
            },
        }
    }

    fn tell_open(&self, asked: Asked) -> Told {
        let may = self.may_have_executed();
        let sending = self.live().is_some()
            || self.unsent().is_some()
            || self.ask.as_ref().is_some_and(|ask| ask.yes.is_some());
        if sending {
            return Told::of(Outcome::Unknown).case(Case::InFlight);
        }
        if let Some(ask) = &self.ask {
            let mut told = Told::of(Outcome::AwaitingConfirmation);
            if ask.lapsed.is_some() {
                told = told.case(Case::YesLapsed);
            }
            told.earlier = ask.kind == AskKind::Resend || may;
            return told;
        }
        if may {
            self.tell_doubt(asked)
        } else {
            self.tell_idle(asked)
        }
    }

    /// Nothing can have executed, and nothing is under way.
    fn tell_idle(&self, asked: Asked) -> Told {
        if let Some((request_id, _)) = self.renewal() {
            let reply = self.envelope(request_id).and_then(Envelope::reply);
            let told = Told::of(Outcome::RetryNew);
            return match reply {
                Some(reply) => told.reply(reply),
                None => told,
            };
        }
        match (&self.last, asked) {
            (None, Asked::Commit | Asked::LateCommit) => {
                Told::of(Outcome::NotExecuted).case(Case::Prepared)
            }
            (None, Asked::Prepare | Asked::Look)
            | (Some(Last::Declined | Last::Stopped(_)), Asked::Prepare) => Told::default(),
            (Some(Last::Declined), _) => Told::of(Outcome::Declined),
            (Some(Last::Stopped(hitch)), _) => Told::of(Outcome::NotExecuted).case(hitch.case()),
            (Some(Last::Envelope(request_id)), _) => self.tell_harmless(*request_id),
        }
    }

    /// An envelope that is proved to have had no effect and left the intent as it was.
    fn tell_harmless(&self, request_id: RequestId) -> Told {
        match self
            .envelope(request_id)
            .and_then(|envelope| envelope.end.as_ref())
        {
            Some(EnvelopeEnd::Replied(reply)) => Told::of(Outcome::RetrySame).reply(reply),
            Some(EnvelopeEnd::Rejected(reject)) => {
                let mut told = Told::of(Outcome::NotExecuted).case(Case::Rejected);
                told.details = Some(reject_details(reject));
                told
            }
            Some(EnvelopeEnd::NeverIncluded { .. }) => {
                Told::of(Outcome::NotExecuted).case(Case::NotIncluded)
            }
            Some(EnvelopeEnd::Undecodable { .. } | EnvelopeEnd::Gone) | None => {
                Told::of(Outcome::Unknown)
            }
        }
    }

    /// It may have executed, and nothing is under way.
    fn tell_doubt(&self, asked: Asked) -> Told {
        if self.last == Some(Last::Declined) && asked != Asked::Prepare {
            let mut told = Told::of(Outcome::Declined);
            told.earlier = true;
            return told;
        }
        let mut told = self.tell_search();
        let last = match &self.last {
            Some(Last::Envelope(request_id)) => self.envelope(*request_id),
            _ => self
                .envelopes
                .iter()
                .rev()
                .find(|e| e.handed_over.is_some()),
        };
        let end = last.and_then(|envelope| envelope.end.as_ref());
        match end {
            Some(EnvelopeEnd::Rejected(reject)) => told.details = Some(reject_details(reject)),
            Some(EnvelopeEnd::Replied(reply)) => {
                told.details = details_of(reply);
                if let (Some(Value::Object(finding)), Some(case)) = (&mut told.finding, &reply.case)
                {
                    finding.insert("after".into(), case.as_str().into());
                }
            }
            _ => {}
        }
        if told.case.is_none() {
            let case = match end {
                Some(EnvelopeEnd::Rejected(_)) => Case::Rejected,
                Some(EnvelopeEnd::Undecodable { .. }) => Case::Undecodable,
                Some(EnvelopeEnd::Gone) => Case::AnswerGone,
                Some(EnvelopeEnd::NeverIncluded { .. }) => Case::NotIncluded,
                Some(EnvelopeEnd::Replied(_)) => Case::HandedBack,
                None => Case::WindowClosed,
            };
            told = told.case(case);
        }
        if let (Outcome::Unknown, Some(Last::Stopped(hitch))) =
            (told.outcome.unwrap_or(Outcome::Reconcile), &self.last)
            && asked != Asked::Prepare
        {
            told = told.case(hitch.case());
        }
        told
    }

    /// What a doubtful intent's search for its transaction leaves to be told.
    fn tell_search(&self) -> Told {
        let held = self.held();
        let unread = self.unread_block().is_some();
        let known = self.evidence == Evidence::Known;
        if self.can_resend(known, self.clock) && !unread {
            return Told::of(Outcome::Unknown);
        }
        let due = self.search.due.since(self.clock).as_secs();
        let with_case = |told: Told| match held {
            Some(held) => told.case(held.case()),
            None if unread => told.case(Case::BlockUnread),
            None if self.differs => told.case(Case::Differs),
            None => told,
        };
        match &self.search.last {
            Some(Finding::NotYet { after }) => {
                let mut told = with_case(Told::of(Outcome::Reconcile));
                told.finding = Some(json!({
                    "status": "not_yet",
                    "not_before": after.map(|after| after.to_string()),
                }));
                told.after_s = Some(due.max(1));
                told.retry(Retry::CommitPreview)
            }
            Some(Finding::Unreadable { reason }) => {
                let mut told = with_case(Told::of(Outcome::Reconcile));
                told.finding = Some(unreadable(*reason));
                told
            }
            Some(Finding::Found { .. } | Finding::Absent(_)) | None => match held {
                Some(held) => {
                    let mut told = Told::of(Outcome::Reconcile).case(held.case());
                    told.finding = Some(json!({
                        "status": "unreadable",
                        "reason": held.case().as_str(),
                    }));
                    if self.prepared.stamp.is_some() {
                        told.finding = Some(json!({ "status": "not_yet" }));
                        told.after_s = Some(1);
                        told = told.retry(Retry::CommitPreview);
                    }
                    told
                }
                None => with_case(Told::of(Outcome::Unknown)),
            },
        }
    }

    fn next_step(
        &self,
        outcome: Option<Outcome>,
        retry: Retry,
        preview: PreviewId,
        after_s: Option<u64>,
    ) -> Option<Next> {
        let of_preview = |tool: &str, after_s| {
            Some(Next {
                tool: tool.to_owned(),
                input: NextInput::Preview(preview),
                after_s,
            })
        };
        match retry {
            Retry::Never | Retry::Again => None,
            Retry::AfterPerson => match outcome {
                Some(Outcome::Reconcile) => of_preview("wallet_intent", None),
                _ => None,
            },
            Retry::NewPrepare => Some(Next {
                tool: self.prepared.tool.clone(),
                input: match outcome {
                    Some(Outcome::FixInput) => NextInput::Corrected,
                    _ => NextInput::SameInputs(self.prepared.inputs.clone()),
                },
                after_s,
            }),
            Retry::CommitPreview => of_preview("commit", after_s),
        }
    }
}

fn unreadable(reason: Unreadable) -> Value {
    json!({ "status": "unreadable", "reason": reason.as_str() })
}

fn details_of(reply: &Reply) -> Option<Value> {
    serde_json::from_str(reply.details.as_deref()?).ok()
}

fn reject_details(reject: &Reject) -> Value {
    let from = format!("reject {} of the canister or the network", reject.code);
    json!({
        "reject_code": reject.code,
        "error_code": reject.error_code.as_deref().map(|code| {
            json!({ "untrusted": Untrusted::new(code), "from": from })
        }),
        "message": { "untrusted": Untrusted::new(&reject.message), "from": from },
    })
}
