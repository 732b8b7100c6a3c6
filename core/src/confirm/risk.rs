//! What may be wrong with a call that waits for a yes: plain data for the confirm window, and the
//! pure rules by which it is found.
//!
//! A finding is about what the person is to decide and says what the wallet knows, never what a
//! site, a canister or a profile claims. (That a canister describes the call otherwise is itself a
//! finding.) A [`Severity::High`] one must be acknowledged by itself before a yes counts; the worker
//! holds the yes to that, not the window. Nothing here stops a call.

#[cfg(feature = "wallet")]
pub mod rules;

use super::consent::Difference;
use super::view::{Amount, KnownLedger};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// How loudly a finding is said.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// A yes counts only where this finding was acknowledged.
    High,
    /// To be read before a yes.
    Caution,
    /// Worth knowing.
    Note,
}

/// Something that a person should know of a call before a yes, with what it was found by. Two that
/// are equal are one: what was acknowledged is acknowledged for these values only.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// Another call that does the same to the same payee on the same ledger, of any site, was
    /// approved and may have been carried out.
    PossiblyPaid {
        /// The origin that asked for it.
        site: String,
        /// Certified time at which it was approved or first sent; `None` where that is not kept.
        at: Option<Timestamp>,
    },
    /// The ledger's symbol could be taken for that of a known ledger.
    LookAlikeLedger(KnownLedger),
    /// The payee begins and ends as an account that was paid before, or as one of the person's own,
    /// and is another.
    LookAlikePayee {
        /// The account that it could be taken for, whole.
        known: String,
    },
    /// The payee stood in a text that others wrote (a memo, an error, a name) and that the wallet
    /// handed to this site, which has never paid it.
    PayeeFromText,
    /// This site, which has never paid the payee, was handed texts of others with more accounts in them
    /// than are remembered: the payee may have stood in one.
    PayeeMayBeFromText,
    /// The payee is the ledger that is called, or a known ledger or minter: what is sent there is
    /// lost or burned.
    PayeeIsLedger,
    /// The canister that is called says that the call does something else (ICRC-21).
    CanisterDiffers(Vec<Difference>),
    /// At least ten times what this site's calls of this kind usually move.
    FarAboveUsual {
        /// The median of its last payments.
        usual: Amount,
    },
    /// The allowance is larger than the balance.
    AllowanceAboveBalance,
    /// The balance does not cover amount and fee.
    Short,
    /// Amount and fee are at least half of the balance.
    MostOfBalance {
        /// Of the balance, in whole per cent, rounded down.
        percent: u32,
    },
    /// The fee is above one per cent of the amount.
    HighFee {
        /// Of the amount, in whole per cent, rounded down.
        percent: u32,
    },
    /// The allowance never ends by itself.
    AllowanceWithoutEnd,
    /// The same amount was paid to the same payee within 24 hours.
    PaidBefore {
        /// Certified time of that payment.
        at: Timestamp,
    },
    /// The person pasted the interface by which the arguments are shown.
    PastedInterface,
    /// A text in the call holds characters that do not show; they are written out.
    HiddenCharacters(Place),
    /// A text in the call mixes the letters of several scripts, which can look alike.
    MixedScripts(Place),
    /// Nobody was paid there by this wallet yet.
    FirstPayment,
    /// This site never paid there; another did.
    NewForSite,
    /// The payee is a canister: only its code moves what it is sent.
    PayeeIsCanister,
}

/// Where a text stands.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The site's words on why it asks.
    Why,
    /// An argument, by its path.
    Argument(String),
}

impl Finding {
    /// How loudly it is said.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            Self::PossiblyPaid { .. }
            | Self::LookAlikeLedger(_)
            | Self::LookAlikePayee { .. }
            | Self::PayeeFromText
            | Self::PayeeMayBeFromText
            | Self::PayeeIsLedger
            | Self::CanisterDiffers(_)
            | Self::FarAboveUsual { .. }
            | Self::AllowanceAboveBalance => Severity::High,
            Self::Short
            | Self::MostOfBalance { .. }
            | Self::HighFee { .. }
            | Self::AllowanceWithoutEnd
            | Self::PaidBefore { .. }
            | Self::PastedInterface
            | Self::HiddenCharacters(_)
            | Self::MixedScripts(_) => Severity::Caution,
            Self::FirstPayment | Self::NewForSite | Self::PayeeIsCanister => Severity::Note,
        }
    }

    /// Whether a yes counts only where it was acknowledged.
    #[must_use]
    pub fn must_be_acknowledged(&self) -> bool {
        self.severity() == Severity::High
    }
}
