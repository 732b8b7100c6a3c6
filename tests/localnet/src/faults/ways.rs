//! In which ways a message can go wrong.

use super::BadCertificate;
use candid::Principal;
use serde::{Deserialize, Serialize};

/// A kind of message.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `call`.
    Call,
    /// `query`.
    Query,
    /// `read_state`.
    ReadState,
    /// `status`.
    Status,
}

/// Whether and how a call is executed.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Execution {
    /// As ever.
    #[default]
    Yes,
    /// The network never sees it.
    No,
    /// Admitted and left at `received` until released, or until its expiry.
    HoldReceived,
    /// Admitted and left at `processing` until released.
    HoldProcessing,
    /// Admitted and rejected without execution.
    RejectBefore,
    /// Executed, its effects kept, and then rejected: a trap after an await.
    RejectAfter,
}

/// What becomes of the status of a call that ended.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Forget {
    /// The status is gone, as if pruned.
    Status,
    /// The answer is gone; the status is `done`.
    Reply,
}

/// What the sender gets.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// As ever.
    #[default]
    Normal,
    /// The connection is closed without an answer.
    Drop,
    /// 202: accepted, come and ask.
    Accepted,
    /// An uncertified reject in a 200.
    UncertifiedReject,
    /// An HTTP error with this status.
    Http(u16),
    /// A certificate, or signed answer, that is bad in this way.
    Bad(BadCertificate),
}

/// How much of a log, and how truly, a node shows it. What a log is cannot be ordered here: these
/// are lies of the one who answers, or the limits of what he knows.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// As it is.
    #[default]
    Whole,
    /// As it was at least so many blocks ago, with what was certified then. A call is answered by
    /// the state itself, and shows the log as it is.
    Behind(u64),
    /// Not more than so many blocks of each range that is asked for.
    Short(u64),
    /// The block with this index with another amount.
    Altered(u64),
    /// Every block from this index on one place late: the one before it stands there twice, as in
    /// an archive that was sent the same blocks again.
    Resent(u64),
    /// All but the block with this index.
    LeftOut(u64),
    /// With this canister in the place of the archives.
    Elsewhere(Principal),
}

impl Shown {
    /// The same to a call, which no node can answer from an old state.
    pub(crate) const fn to_a_call(self) -> Self {
        match self {
            Self::Behind(_) => Self::Whole,
            Self::Whole
            | Self::Short(_)
            | Self::Altered(_)
            | Self::Resent(_)
            | Self::LeftOut(_)
            | Self::Elsewhere(_) => self,
        }
    }
}
