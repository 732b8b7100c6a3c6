//! The words in which an intent is told: outcomes, what may be done next, cases and codes.
//!
//! Every list here is closed and each word is part of the interface: a word is added, never
//! renamed.

use serde::{Deserialize, Serialize};

/// What became of a call, as an agent is told it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The canister executed the call, and this answer is the first to say so.
    Success,
    /// The call had been executed before this answer was asked for.
    AlreadyDone,
    /// The canister asks for the same bytes again, later.
    RetrySame,
    /// The canister refused the stamp; a successor with a new one stands prepared.
    RetryNew,
    /// The canister refused the input; nothing was executed.
    FixInput,
    /// The call failed for good; nothing was executed.
    Fail,
    /// Nothing was executed, and the same preview may be committed again.
    NotExecuted,
    /// The call may have executed.
    Unknown,
    /// The call may have executed, and sending again cannot settle whether it did.
    Reconcile,
    /// The person, or the deadline, said no.
    Declined,
    /// A person has not decided yet.
    AwaitingConfirmation,
}

impl Outcome {
    /// Every outcome, in the order of the vocabulary.
    pub const ALL: [Self; 11] = [
        Self::Success,
        Self::AlreadyDone,
        Self::RetrySame,
        Self::RetryNew,
        Self::FixInput,
        Self::Fail,
        Self::NotExecuted,
        Self::Unknown,
        Self::Reconcile,
        Self::Declined,
        Self::AwaitingConfirmation,
    ];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::AlreadyDone => "already_done",
            Self::RetrySame => "retry_same",
            Self::RetryNew => "retry_new",
            Self::FixInput => "fix_input",
            Self::Fail => "fail",
            Self::NotExecuted => "not_executed",
            Self::Unknown => "unknown",
            Self::Reconcile => "reconcile",
            Self::Declined => "declined",
            Self::AwaitingConfirmation => "awaiting_confirmation",
        }
    }

    /// Whether this word, said alone, claims that nothing was executed. Such a word is never told
    /// while the intent may have executed.
    #[must_use]
    pub const fn denies_execution(self) -> bool {
        match self {
            Self::RetrySame
            | Self::RetryNew
            | Self::FixInput
            | Self::Fail
            | Self::NotExecuted
            | Self::Declined => true,
            Self::Success
            | Self::AlreadyDone
            | Self::Unknown
            | Self::Reconcile
            | Self::AwaitingConfirmation => false,
        }
    }
}

/// Whether and how the agent may go on.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// The call is done. Do not send it again.
    Never,
    /// Only after the person has been told and has decided.
    AfterPerson,
    /// Prepare a new call.
    NewPrepare,
    /// Commit the preview that this answer names.
    CommitPreview,
    /// A read: ask again at will.
    Again,
}

impl Retry {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::AfterPerson => "after_person",
            Self::NewPrepare => "new_prepare",
            Self::CommitPreview => "commit_preview",
            Self::Again => "again",
        }
    }

    /// What an outcome leaves to do, before its case is looked at: a `declined` that is an expiry,
    /// a `not_executed` that is an absence and a `reconcile` that can be asked again differ.
    #[must_use]
    pub const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success | Outcome::AlreadyDone => Self::Never,
            Outcome::Declined | Outcome::Fail | Outcome::Reconcile => Self::AfterPerson,
            Outcome::FixInput => Self::NewPrepare,
            Outcome::NotExecuted
            | Outcome::RetrySame
            | Outcome::RetryNew
            | Outcome::Unknown
            | Outcome::AwaitingConfirmation => Self::CommitPreview,
        }
    }
}

/// Who says how a reply is classed.
///
/// Only a built-in pack may hand back or renew a call, or settle one that may have executed: a
/// profile from anyone else can only narrow what is done.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// A pack that is compiled in.
    Pack,
    /// Any other profile, trusted or not.
    Profile,
}

/// What is known of a ledger's habit of refusing the same stamped bytes twice.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// In the network's list of ledgers, or shown by a certified `Duplicate` to a re-send of ours
    /// whose block was read, under the module the canister has now.
    Known,
    /// Only the profile says so.
    Claimed,
    /// Nobody says so, or the call has no stamp.
    None,
}

/// Why an approved call was stopped before anything left the wallet.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hitch {
    /// The wallet is locked.
    Locked,
    /// No certified time could be read.
    NoCertifiedTime,
    /// The store would not take what must be stored first.
    StoreRefused,
    /// The signer would not sign for this account and network.
    SignerRefused,
    /// What the person was told about a lost answer no longer holds.
    Changed,
}

impl Hitch {
    /// Every hitch.
    pub const ALL: [Self; 5] = [
        Self::Locked,
        Self::NoCertifiedTime,
        Self::StoreRefused,
        Self::SignerRefused,
        Self::Changed,
    ];

    /// The case that names it.
    #[must_use]
    pub const fn case(self) -> Case {
        match self {
            Self::Locked => Case::Locked,
            Self::NoCertifiedTime => Case::NoCertifiedTime,
            Self::StoreRefused => Case::StoreRefused,
            Self::SignerRefused => Case::SignerRefused,
            Self::Changed => Case::Changed,
        }
    }
}

/// Why an intent that may have executed gets no second envelope.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Held {
    /// The call has no stamp, and no envelope of it can still be followed.
    Unstamped,
    /// Three certified rejects of the canister: sending again leads nowhere.
    RejectsSpent,
    /// Three times the canister asked for the same bytes again.
    RetriesSpent,
    /// A later envelope was answered in a way that says nothing about the earlier one.
    AnsweredAfterUnknown,
    /// A profile that is not built in cannot settle what may have executed.
    UntrustedClass,
    /// The canister named a block as the first execution that is not this intent's.
    OtherBlock,
    /// The journal is not this installation's, so another copy may have sent envelopes.
    Restored,
}

impl Held {
    /// The case that names it.
    #[must_use]
    pub const fn case(self) -> Case {
        match self {
            Self::Unstamped => Case::Unstamped,
            Self::RejectsSpent => Case::RejectsSpent,
            Self::RetriesSpent => Case::RetriesSpent,
            Self::AnsweredAfterUnknown => Case::AnsweredAfterUnknown,
            Self::UntrustedClass => Case::UntrustedClass,
            Self::OtherBlock => Case::OtherBlock,
            Self::Restored => Case::Restored,
        }
    }
}

/// The wallet's own cases. A case of the canister's reply is told by its path (`Err.TooOld`) and
/// only where the outcome is that reply's.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// Approved, being sent or sent, and not answered yet.
    InFlight,
    /// Prepared and not committed.
    Prepared,
    /// Past its deadline.
    Expired,
    /// A yes grew old before anything was sent; the person is asked again.
    YesLapsed,
    /// See [`Hitch::Locked`].
    Locked,
    /// See [`Hitch::NoCertifiedTime`].
    NoCertifiedTime,
    /// See [`Hitch::StoreRefused`].
    StoreRefused,
    /// See [`Hitch::SignerRefused`].
    SignerRefused,
    /// See [`Hitch::Changed`].
    Changed,
    /// A certified reject.
    Rejected,
    /// A certificate shows that the network never took the message in.
    NotIncluded,
    /// A certified reply that the interface cannot read.
    Undecodable,
    /// The network dropped the answer and kept only that there was one.
    AnswerGone,
    /// The time in which the answer could be read has passed.
    WindowClosed,
    /// The canister asked for the same bytes again, and an earlier attempt may have executed.
    HandedBack,
    /// The first execution's block is named and has not been read yet.
    BlockUnread,
    /// The block log holds the transaction.
    Found,
    /// The block log proves that nothing was executed.
    Absent,
    /// See [`Held::Unstamped`].
    Unstamped,
    /// See [`Held::RejectsSpent`].
    RejectsSpent,
    /// Three retries of one kind: no more.
    RetriesSpent,
    /// See [`Held::AnsweredAfterUnknown`].
    AnsweredAfterUnknown,
    /// See [`Held::UntrustedClass`].
    UntrustedClass,
    /// See [`Held::OtherBlock`].
    OtherBlock,
    /// See [`Held::Restored`].
    Restored,
    /// Another preview took its place.
    Superseded,
    /// The canister's interface, module or profile is not the one it was prepared with.
    Differs,
    /// The inputs no longer read, so no successor could be prepared.
    RenewRefused,
    /// The person said that it happened.
    ByHand,
    /// The person let it be asked again.
    AskAgain,
}

impl Case {
    /// Every case.
    pub const ALL: [Self; 30] = [
        Self::InFlight,
        Self::Prepared,
        Self::Expired,
        Self::YesLapsed,
        Self::Locked,
        Self::NoCertifiedTime,
        Self::StoreRefused,
        Self::SignerRefused,
        Self::Changed,
        Self::Rejected,
        Self::NotIncluded,
        Self::Undecodable,
        Self::AnswerGone,
        Self::WindowClosed,
        Self::HandedBack,
        Self::BlockUnread,
        Self::Found,
        Self::Absent,
        Self::Unstamped,
        Self::RejectsSpent,
        Self::RetriesSpent,
        Self::AnsweredAfterUnknown,
        Self::UntrustedClass,
        Self::OtherBlock,
        Self::Restored,
        Self::Superseded,
        Self::Differs,
        Self::RenewRefused,
        Self::ByHand,
        Self::AskAgain,
    ];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InFlight => "in_flight",
            Self::Prepared => "prepared",
            Self::Expired => "expired",
            Self::YesLapsed => "yes_lapsed",
            Self::Locked => "locked",
            Self::NoCertifiedTime => "no_certified_time",
            Self::StoreRefused => "store_refused",
            Self::SignerRefused => "signer_refused",
            Self::Changed => "changed",
            Self::Rejected => "rejected",
            Self::NotIncluded => "not_included",
            Self::Undecodable => "undecodable",
            Self::AnswerGone => "answer_gone",
            Self::WindowClosed => "window_closed",
            Self::HandedBack => "handed_back",
            Self::BlockUnread => "block_unread",
            Self::Found => "found",
            Self::Absent => "absent",
            Self::Unstamped => "unstamped",
            Self::RejectsSpent => "rejects_spent",
            Self::RetriesSpent => "retries_spent",
            Self::AnsweredAfterUnknown => "answered_after_unknown",
            Self::UntrustedClass => "untrusted_class",
            Self::OtherBlock => "other_block",
            Self::Restored => "restored",
            Self::Superseded => "superseded",
            Self::Differs => "differs",
            Self::RenewRefused => "renew_refused",
            Self::ByHand => "by_hand",
            Self::AskAgain => "ask_again",
        }
    }

    /// The stable code of an answer with this case, where it names an obstacle.
    #[must_use]
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::InFlight
            | Self::Prepared
            | Self::Found
            | Self::ByHand
            | Self::AskAgain
            | Self::Superseded => None,
            Self::Expired => Some("E_EXPIRED"),
            Self::YesLapsed => Some("E_YES_LAPSED"),
            Self::Locked => Some("E_LOCKED"),
            Self::NoCertifiedTime => Some("E_NO_CERTIFIED_TIME"),
            Self::StoreRefused => Some("E_STORE_REFUSED"),
            Self::SignerRefused => Some("E_SIGNER_REFUSED"),
            Self::Changed => Some("E_CHANGED"),
            Self::Rejected => Some("E_REJECTED"),
            Self::NotIncluded => Some("E_NOT_INCLUDED"),
            Self::Undecodable => Some("E_UNDECODABLE"),
            Self::AnswerGone => Some("E_ANSWER_GONE"),
            Self::WindowClosed => Some("E_WINDOW_CLOSED"),
            Self::HandedBack => Some("E_HANDED_BACK"),
            Self::BlockUnread => Some("E_BLOCK_UNREAD"),
            Self::Absent => Some("E_ABSENT"),
            Self::Unstamped => Some("E_UNSTAMPED"),
            Self::RejectsSpent => Some("E_REJECTS_SPENT"),
            Self::RetriesSpent => Some("E_RETRIES_SPENT"),
            Self::AnsweredAfterUnknown => Some("E_ANSWERED_AFTER_UNKNOWN"),
            Self::UntrustedClass => Some("E_UNTRUSTED_CLASS"),
            Self::OtherBlock => Some("E_OTHER_BLOCK"),
            Self::Restored => Some("E_RESTORED"),
            Self::Differs => Some("E_DIFFERS"),
            Self::RenewRefused => Some("E_RENEW_REFUSED"),
        }
    }
}
