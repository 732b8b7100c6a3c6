//! The sentences a model reads first: a closed list, each with the preview id and the name of the
//! next tool, and nothing from outside.

use super::answer::{Answer, Status};
use super::record::Intent;
use super::words::{Case, Outcome, Retry};

impl Intent {
    /// The sentence of an answer.
    pub(super) fn sentence(&self, answer: &Answer) -> String {
        let preview = answer.preview;
        let tool = &self.prepared.tool;
        let case = |case: Case| answer.case.as_deref() == Some(case.as_str());
        let body = match answer.outcome {
            None => format!(
                "Nothing has been sent. Call commit with preview {preview} to ask the person."
            ),
            Some(Outcome::Success) => format!(
                "Done: the canister executed the call of preview {preview}. Do not send it again; \
                 wallet_intent shows it."
            ),
            Some(Outcome::AlreadyDone) if case(Case::ByHand) => format!(
                "The person says that the call of preview {preview} happened. Treat it as done; \
                 wallet_intent shows it."
            ),
            Some(Outcome::AlreadyDone) => format!(
                "Already done: the call of preview {preview} had been executed. Treat it as done \
                 and do not send it again; wallet_intent shows it."
            ),
            Some(Outcome::RetrySame) => format!(
                "Not executed: the canister asks for the same call later. Call commit with preview \
                 {preview} then; do not prepare it again."
            ),
            Some(Outcome::RetryNew) if case(Case::Superseded) => format!(
                "Not executed: preview {preview} has taken its place. Call commit with it; the \
                 person is asked anew."
            ),
            Some(Outcome::RetryNew) => format!(
                "Not executed: the canister refused the time stamp, and the call is prepared with \
                 a new one. Call commit with preview {preview}; the person is asked anew."
            ),
            Some(Outcome::FixInput) if case(Case::RenewRefused) => format!(
                "Not executed: the inputs of preview {preview} no longer read. Correct them and \
                 call {tool}."
            ),
            Some(Outcome::FixInput) => format!(
                "Not executed: the canister refused the input of preview {preview}. Correct it and \
                 call {tool}."
            ),
            Some(Outcome::Fail) if case(Case::Differs) => format!(
                "Not sent: the canister is not as it was when preview {preview} was prepared. Tell \
                 the person, who has to look at the change before {tool} can be called."
            ),
            Some(Outcome::Fail) if case(Case::RetriesSpent) => format!(
                "Not executed, and tried often enough: preview {preview} has ended. Tell the \
                 person before {tool} is called again."
            ),
            Some(Outcome::Fail) => format!(
                "Not executed: the canister refused the call of preview {preview} for good. Tell \
                 the person before {tool} is called again."
            ),
            Some(Outcome::NotExecuted) if case(Case::Absent) => format!(
                "Not executed: it is settled that the call of preview {preview} did not happen. \
                 Call {tool} again if it is still wanted."
            ),
            Some(Outcome::NotExecuted) => format!(
                "Nothing was executed. Call commit with preview {preview} to ask the person again; \
                 do not prepare it again."
            ),
            Some(Outcome::Unknown) if case(Case::InFlight) => format!(
                "The call is on its way and may have executed. Call commit with preview {preview} \
                 to wait for the end; do not prepare it again."
            ),
            Some(Outcome::Unknown) => format!(
                "The outcome is unknown: the call may have executed. Call commit with preview \
                 {preview}, which cannot execute it twice; do not prepare it again."
            ),
            Some(Outcome::Reconcile) => match answer.retry {
                Retry::CommitPreview => format!(
                    "The call may have executed, and the ledger's log does not tell yet. Call \
                     commit with preview {preview} later; do not prepare it again."
                ),
                Retry::Never | Retry::AfterPerson | Retry::NewPrepare | Retry::Again => format!(
                    "The call of preview {preview} may have executed, and nothing can be read that \
                     tells. Tell the person, who has to settle it in the wallet; wallet_intent \
                     shows when that is done. Do not send or prepare it again."
                ),
            },
            Some(Outcome::Declined) if case(Case::Expired) => format!(
                "Preview {preview} expired before it was approved, and nothing was executed. Call \
                 {tool} if the call is still wanted."
            ),
            Some(Outcome::Declined) if case(Case::AskAgain) => format!(
                "The person closed the call of preview {preview} without knowing whether it \
                 happened, and lets it be asked again. It may happen twice: call {tool} only if \
                 the person wants that."
            ),
            Some(Outcome::Declined) if answer.earlier_outcome.is_some() => format!(
                "The person declined to send it again. An earlier attempt may have executed: \
                 wallet_intent with preview {preview} tells when that is known. Do not prepare it \
                 again."
            ),
            Some(Outcome::Declined) => format!(
                "The person declined the call of preview {preview}. Nothing was executed; call \
                 {tool} again only if the person asks for it."
            ),
            Some(Outcome::AwaitingConfirmation) if answer.earlier_outcome.is_some() => format!(
                "An earlier attempt may have executed, and the person is asked whether to send it \
                 again. Call commit with preview {preview} to wait; do not prepare it again."
            ),
            Some(Outcome::AwaitingConfirmation) => format!(
                "The person has not decided yet, and nothing was executed. Call commit with preview \
                 {preview} to wait; do not prepare it again."
            ),
        };
        match answer.status {
            Some(Status::Repeated) if self.end.is_some() => {
                let second = match answer.outcome {
                    Some(Outcome::Success | Outcome::AlreadyDone) => {
                        format!(" If the person means a second, separate call, call {tool} again.")
                    }
                    // What else has ended says itself what is to be done.
                    Some(_) | None => String::new(),
                };
                format!(
                    "This is the same call as one prepared at {}, and it has ended. {body}{second}",
                    self.prepared.prepared_at
                )
            }
            Some(Status::Repeated) => format!(
                "This is the same call as one prepared at {}. {body} If a second, separate call is \
                 meant, give it a memo of its own or wait until this one has ended.",
                self.prepared.prepared_at
            ),
            Some(Status::Prepared) => format!("Prepared. {body}"),
            None => body,
        }
    }
}
