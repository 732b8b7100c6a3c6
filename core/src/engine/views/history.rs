//! Where a call stands, what happened to it, and what the person can do about it.

use crate::confirm::view::Lost;
use crate::engine::Wallet;
use crate::engine::record::RecordError;
use crate::engine::signing::retry_class;
use crate::ids::PreviewId;
use crate::intent::{
    AskKind, CommitPlan, EndKind, Envelope, EnvelopeEnd, Fate, Finding, HandWord, Held, Intent,
    Now, Reject, Unreadable,
};
use crate::ports::Ports;
use crate::wire::ui::{
    Action, Advice, Doing, Happened, HistoryLine, IntentRecord, Known, Looked, Standing, State,
};

impl<P: Ports> Wallet<P> {
    pub(super) async fn record_view(
        &self,
        preview: &PreviewId,
    ) -> Result<Option<IntentRecord>, RecordError> {
        let Some(stored) = self.intent(preview).await? else {
            return Ok(None);
        };
        let intent = &stored.intent;
        let Some(call) = self.call_view(intent).await? else {
            return Ok(None);
        };
        Ok(Some(IntentRecord {
            row: self.row(&stored).await,
            call,
            lost: lost(intent),
            standing: standing(intent),
            history: history(intent),
            answer: answer(intent),
            actions: actions(intent),
        }))
    }
}

pub(super) fn lost(intent: &Intent) -> Lost {
    let stamp = intent.prepared().stamp;
    Lost {
        class: retry_class(stamp.is_some(), intent.evidence()),
        until: stamp.map(|stamp| stamp.window_end()),
    }
}

/// Where a call stands, in a word.
pub(super) fn state(intent: &Intent) -> State {
    match intent.end().map(|end| &end.kind) {
        Some(EndKind::Done(request_id)) => {
            let reply = intent
                .envelope(*request_id)
                .and_then(|envelope| envelope.reply());
            match reply.and_then(|reply| reply.duplicate_of.as_ref()) {
                Some(_) => State::AlreadyDone,
                None => State::Done,
            }
        }
        Some(EndKind::Found { .. }) => State::AlreadyDone,
        Some(EndKind::Absent(_)) => State::NotExecuted,
        Some(EndKind::Refused(_) | EndKind::RetriesSpent(_) | EndKind::RenewRefused(_)) => {
            State::Refused
        }
        Some(EndKind::Declined) => State::Declined,
        Some(EndKind::Expired) => State::Expired,
        Some(EndKind::Superseded { .. } | EndKind::Differs) => State::Superseded,
        Some(EndKind::ByHand { word, .. }) => match word {
            HandWord::Happened => State::SettledDone,
            HandWord::DidNotHappen => State::SettledNot,
            HandWord::AskAgain => State::SettledAgain,
        },
        None if intent.live().is_some() => State::NoAnswer,
        None if intent.ask().is_some_and(|ask| ask.yes.is_some()) => State::Sending,
        None if intent.ask().is_some() => State::Asked,
        None if intent.may_have_executed() => State::Unclear,
        None => State::Prepared,
    }
}

pub(super) fn block(intent: &Intent) -> Option<String> {
    match &intent.end()?.kind {
        EndKind::Done(request_id) => {
            let reply = intent.envelope(*request_id)?.reply()?;
            reply.duplicate_of.clone().or_else(|| {
                let details: serde_json::Value =
                    serde_json::from_str(reply.details.as_deref()?).ok()?;
                details.as_str().map(str::to_owned)
            })
        }
        EndKind::Found { block } => Some(block.clone()),
        EndKind::Absent(_)
        | EndKind::Refused(_)
        | EndKind::RetriesSpent(_)
        | EndKind::Declined
        | EndKind::Expired
        | EndKind::Superseded { .. }
        | EndKind::Differs
        | EndKind::RenewRefused(_)
        | EndKind::ByHand { .. } => None,
    }
}

pub(in crate::engine) fn standing(intent: &Intent) -> Option<Standing> {
    if intent.end().is_some() || !intent.may_have_executed() {
        return None;
    }
    let ordinary = intent.is_ordinary();
    let in_doubt = |envelope: &&Envelope| envelope.may_have_executed(ordinary);
    let held = intent.held();
    let last = intent.envelopes().iter().rfind(in_doubt);
    let Some((last, sent)) = last.and_then(|last| Some((last, last.handed_over?))) else {
        // What another journal may have sent is not in this one.
        return (held == Some(Held::Restored)).then(|| Standing {
            known: Known::Restored,
            doing: searching(intent),
            advice: awaiting(intent),
        });
    };
    let live = intent.live();
    let known = match (live, held) {
        (Some(envelope), _) if envelope.is_taken_in() => Known::Accepted(sent.at),
        (Some(_), _) => Known::SentNoAnswer(sent.at),
        (None, Some(Held::Restored)) => Known::Restored,
        (None, Some(_) | None) => match &last.end {
            // Reject code 5, CANISTER_ERROR, is the one that says that it ran (IC interface
            // specification, *Reject codes*).
            Some(EnvelopeEnd::Rejected(Reject { code: 5, .. })) if ordinary => {
                Known::Trapped(sent.at)
            }
            Some(EnvelopeEnd::Rejected(_)) => Known::Rejected(sent.at),
            Some(EnvelopeEnd::Undecodable { .. }) => Known::UnreadableAnswer(sent.at),
            Some(
                EnvelopeEnd::Replied(_) | EnvelopeEnd::Gone | EnvelopeEnd::NeverIncluded { .. },
            )
            | None => Known::AnswerGone(sent.at),
        },
    };
    let (doing, advice) = match (live, held) {
        (Some(envelope), _) => (Doing::AskingUntil(envelope.status_until()), Advice::Wait),
        (None, None) if can_be_sent_again(intent) => (searching(intent), Advice::SendAgain),
        (None, _) => (searching(intent), awaiting(intent)),
    };
    Some(Standing {
        known,
        doing,
        advice,
    })
}

/// What the wallet does to find it in its ledger's blocks.
fn searching(intent: &Intent) -> Doing {
    let no_rule = Finding::Unreadable {
        reason: Unreadable::NoStrategy,
    };
    match intent.last_look() {
        _ if intent.prepared().stamp.is_none() => Doing::Nothing,
        None => Doing::ReadingLedger,
        Some(look) if *look.finding == no_rule => Doing::Nothing,
        Some(look) => Doing::ReadingLedgerAt(look.next),
    }
}

/// What the person does meanwhile: waits, where a later look can prove something.
fn awaiting(intent: &Intent) -> Advice {
    match intent.last_look().map(|look| (look.finding, look.next)) {
        None if intent.prepared().stamp.is_some() => Advice::Wait,
        Some((Finding::NotYet { .. }, next)) => Advice::WaitUntil(next),
        Some((Finding::Unreadable { .. } | Finding::Found { .. } | Finding::Absent(_), _))
        | None => Advice::Settle,
    }
}

/// Whether a commit would ask to send the same bytes again, as far as the record knows.
pub(super) fn can_be_sent_again(intent: &Intent) -> bool {
    let now = Now {
        certified: Some(intent.clock()),
        life: 0,
    };
    intent.commit_plan(&now, intent.evidence()) == CommitPlan::Ask(AskKind::Resend)
}

pub(in crate::engine) fn history(intent: &Intent) -> Vec<HistoryLine> {
    let line = |at, what, detail: Option<String>| HistoryLine { at, what, detail };
    let asked = |kind| match kind {
        AskKind::First => Happened::Asked,
        AskKind::Resend => Happened::AskedAgain,
    };
    let mut lines = vec![line(
        intent.prepared().prepared_at,
        Happened::Prepared,
        None,
    )];
    for envelope in intent.envelopes() {
        let id = Some(envelope.signed.request_id.to_string());
        let asked = envelope
            .asked_at
            .map(|at| line(at, asked(envelope.kind), None));
        let approved = envelope
            .approved_at
            .map(|at| line(at, Happened::Approved, None));
        lines.extend(asked.into_iter().chain(approved));
        lines.push(line(envelope.signed.s0, Happened::Signed, id.clone()));
        if let Some(handed) = envelope.handed_over {
            lines.push(line(handed.at, Happened::HandedOver, id.clone()));
        }
        let what = match (&envelope.end, envelope.fate(intent.is_ordinary())) {
            (None, _) => None,
            (Some(_), Fate::Answered) => Some(Happened::Answered),
            (Some(_), Fate::NeverRan) => Some(Happened::NeverRan),
            (Some(_), Fate::Signed | Fate::Live | Fate::Open) => Some(Happened::Unclear),
        };
        let at = envelope.closed_at.unwrap_or(intent.clock());
        lines.extend(what.map(|what| line(at, what, id)));
    }
    // Once signed on, an ask is told with its envelope.
    let signed = |id| intent.envelopes().iter().any(|envelope| envelope.ask == id);
    if let Some(ask) = intent.ask().filter(|ask| !signed(ask.id)) {
        if ask.lapsed.is_some() {
            lines.push(line(ask.opened_at, Happened::Lapsed, None));
        }
        lines.push(line(ask.opened_at, asked(ask.kind), None));
        if let Some(yes) = &ask.yes {
            lines.push(line(yes.at, Happened::Approved, None));
        }
    }
    if let Some(look) = intent.last_look().filter(|_| intent.end().is_none()) {
        let looked = match look.finding {
            Finding::Unreadable { reason } => match reason {
                Unreadable::NoStrategy => Looked::NoRule,
                Unreadable::NoAnswer => Looked::NoAnswer,
                Unreadable::BrokenChain => Looked::Broken,
                Unreadable::Rewritten => Looked::Rewritten,
                Unreadable::WindowUnknown => Looked::WindowUnknown,
                Unreadable::TooLong => Looked::TooMany,
                Unreadable::Ambiguous => Looked::Ambiguous,
            },
            Finding::NotYet { .. } | Finding::Found { .. } | Finding::Absent(_) => Looked::NotYet,
        };
        lines.push(line(look.at, Happened::Looked(looked), None));
    }
    if let Some(end) = intent.end() {
        let what = match &end.kind {
            EndKind::Done(_) => None,
            EndKind::Found { .. } => Some(Happened::Found),
            EndKind::Absent(_) => Some(Happened::Absent),
            EndKind::Refused(_) | EndKind::RetriesSpent(_) | EndKind::RenewRefused(_) => None,
            EndKind::Declined => Some(Happened::Declined),
            EndKind::Expired => Some(Happened::Expired),
            EndKind::Superseded { .. } | EndKind::Differs => Some(Happened::Superseded),
            EndKind::ByHand { .. } => Some(Happened::Settled),
        };
        lines.extend(what.map(|what| line(end.at, what, None)));
        if end.told {
            lines.push(line(end.at, Happened::Told, None));
        }
    }
    lines
}

pub(super) fn answer(intent: &Intent) -> Option<String> {
    let envelope = intent
        .envelopes()
        .iter()
        .rev()
        .find(|envelope| envelope.reply().is_some())?;
    let reply = envelope.reply()?;
    let case = reply.case.clone().unwrap_or_default();
    let details = reply.details.clone().unwrap_or_default();
    Some(format!("{case} {details}").trim().to_owned())
}

pub(super) fn actions(intent: &Intent) -> Vec<Action> {
    if intent.end().is_some() {
        return Vec::new();
    }
    // What waits for a decision is decided in its own window.
    if !intent.may_have_executed() || intent.live().is_some() {
        return Vec::new();
    }
    let mut actions = Vec::new();
    if can_be_sent_again(intent) {
        actions.push(Action::SendAgain);
    }
    actions.extend([Action::ItHappened, Action::ItDidNot, Action::MayHappenTwice]);
    actions
}
