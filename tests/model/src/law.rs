//! The nine laws, and what breaks them. Each is judged by what the simulated network, ledger and
//! person did, never by what the kernel believes.

/// What holds in every state of every history.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Law {
    /// An effect has a person's yes to exactly the digest that was signed, used for it alone.
    EffectHasYes,
    /// An intent has at most one effect.
    OneEffect,
    /// An answer that denies execution is true, and stays true of all that was handed over before
    /// it; one that claims it is true.
    AnswersAreTrue,
    /// No yes is taken, nothing is signed or handed over while locked, or on a yes that lapsed.
    FreshYes,
    /// At most one envelope of an intent is on its way.
    OneLive,
    /// At most one unsettled intent of an identity.
    OneUnsettled,
    /// No stamp is given out twice.
    StampsUnique,
    /// A told end comes before every second stamp of an identity.
    ToldFirst,
    /// Every intent can still end, without a new call of the agent.
    CanEnd,
}

impl Law {
    /// Every law.
    pub const ALL: [Self; 9] = [
        Self::EffectHasYes,
        Self::OneEffect,
        Self::AnswersAreTrue,
        Self::FreshYes,
        Self::OneLive,
        Self::OneUnsettled,
        Self::StampsUnique,
        Self::ToldFirst,
        Self::CanEnd,
    ];

    /// Its name, in the output and in the mutants' files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EffectHasYes => "effect_has_yes",
            Self::OneEffect => "one_effect",
            Self::AnswersAreTrue => "answers_are_true",
            Self::FreshYes => "fresh_yes",
            Self::OneLive => "one_live",
            Self::OneUnsettled => "one_unsettled",
            Self::StampsUnique => "stamps_unique",
            Self::ToldFirst => "told_first",
            Self::CanEnd => "can_end",
        }
    }
}

/// A law that broke, and how.
#[derive(Clone, Debug)]
pub struct Broken(pub Law, pub String);

/// Breaks a law where something does not hold.
pub(crate) fn hold(law: Law, holds: bool, why: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds {
        Ok(())
    } else {
        Err(Broken(law, why()))
    }
}
