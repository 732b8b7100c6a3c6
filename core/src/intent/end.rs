//! How intents end, and whether their ends were told.

use serde::{Deserialize, Serialize};

use super::answer::NamesEnd;
use super::event::HandWord;
use super::reconcile::AbsenceProof;
use crate::ids::{PreviewId, RequestId};
use crate::time::{Span, Timestamp};

/// An effect whose end was answered to who waited for it is answered once more to a preparation of
/// the same call within this of certified time: the client that waited may have been closed, and
/// its document acknowledged what nobody heard.
pub const TOLD_SPAN: Span = Span::from_mins(10);

/// How an intent ended.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How.
    pub kind: EndKind,
    /// The intent's clock then.
    pub at: Timestamp,
    /// Whether it was told, so that a preparation of the same call is a new one: an answer that
    /// names it was acknowledged by a live document of the origin. A document lives on where the
    /// client in it that waited is closed, so an effect is told by an answer to a preparation, or
    /// by any once [`TOLD_SPAN`] has passed.
    pub told: bool,
    /// Whether any answer that names it was acknowledged.
    pub answered: bool,
    /// Certified time from which [`TOLD_SPAN`] counts: of that acknowledgement, or the first that
    /// was read after it.
    pub answered_at: Option<Timestamp>,
}

impl End {
    /// What it is once an answer was acknowledged.
    pub(super) fn named(&self, how: NamesEnd, now: Option<Timestamp>) -> Self {
        let (told, answered) = match how {
            NamesEnd::No => return self.clone(),
            NamesEnd::ToWaiter => (!self.kind.is_effect(), true),
            NamesEnd::ToPreparation => (true, true),
        };
        Self {
            told: self.told || told,
            answered,
            answered_at: self.answered_at.or(now),
            ..self.clone()
        }
    }

    /// What time makes of it, if anything.
    pub(super) fn passed(&self, now: Option<Timestamp>) -> Option<Self> {
        let now = now.filter(|_| self.answered && !self.told)?;
        let mut next = self.clone();
        match self.answered_at {
            None => next.answered_at = Some(now),
            Some(at) if now >= at.plus(TOLD_SPAN) => next.told = true,
            Some(_) => return None,
        }
        Some(next)
    }
}

/// How an intent ended.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndKind {
    /// Done: this envelope's reply is `success` or a proved `already_done`.
    Done(RequestId),
    /// Done: the block log holds it.
    Found {
        /// The block's index.
        block: String,
    },
    /// Settled: the block log proves that nothing was executed.
    Absent(AbsenceProof),
    /// Settled: this envelope's reply is `fix_input` or `fail`.
    Refused(RequestId),
    /// Settled: this envelope's reply was the last retry of its kind.
    RetriesSpent(RequestId),
    /// Settled: the person said no.
    Declined,
    /// Settled: past the deadline.
    Expired,
    /// Settled: another preview took its place.
    Superseded {
        /// That preview.
        successor: PreviewId,
        /// The envelope whose `retry_new` made it, where one did.
        after: Option<RequestId>,
    },
    /// Settled: interface, module or profile is another one.
    Differs,
    /// Settled: the inputs were refused for a successor.
    RenewRefused(RequestId),
    /// Settled by the person.
    ByHand {
        /// What the person said.
        word: HandWord,
        /// The evidence then on the screen.
        evidence: String,
    },
}

impl EndKind {
    /// Whether the call took effect.
    #[must_use]
    pub const fn is_effect(&self) -> bool {
        match self {
            Self::Done(_) | Self::Found { .. } => true,
            Self::ByHand { word, .. } => match word {
                HandWord::Happened => true,
                HandWord::DidNotHappen | HandWord::AskAgain => false,
            },
            Self::Absent(_)
            | Self::Refused(_)
            | Self::RetriesSpent(_)
            | Self::Declined
            | Self::Expired
            | Self::Superseded { .. }
            | Self::Differs
            | Self::RenewRefused(_) => false,
        }
    }
}
