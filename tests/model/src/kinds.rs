//! What can occur: every event, effect, fact and answer of the kernel. A walk that never met one of
//! them shows less than it says, so all are counted.
//!
//! Each list is an exhaustive match: a new variant of the kernel does not compile without a line.

use countersign_core::intent::{
    AbsenceRule, AskKind, BlockVerdict, CertifiedStatus, Effect, EndKind, Event, Evidence, Fate,
    Finding, HandWord, Held, Hitch, Interim, Lapse, Outcome, PrepareAgain, StatusRead, Submission,
    Unreadable, WaitFor,
};

macro_rules! kinds {
    ($($of:ident($type:ty) { $($kind:ident $name:literal: $pattern:pat,)+ })+) => {
        /// One of the things that can occur.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Kind {
            $($(#[doc = $name] $kind,)+)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &[Self] = &[$($(Self::$kind,)+)+];

            /// Its name in the output.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Self::$kind => $name,)+)+
                }
            }

            $(
                pub(crate) const fn $of(value: &$type) -> Self {
                    match value {
                        $($pattern => Self::$kind,)+
                    }
                }
            )+
        }
    };
}

kinds! {
    event(Event) {
        Look "event look": Event::Look,
        Commit "event commit": Event::Commit { .. },
        Yes "event yes": Event::Yes { .. },
        No "event no": Event::No { .. },
        Withdraw "event withdraw": Event::Withdraw,
        Lapse "event lapse": Event::Lapse(_),
        Stopped "event stopped": Event::Stopped(_),
        StartRead "event start_read": Event::StartRead { .. },
        Signed "event signed": Event::Signed { .. },
        HandedOver "event handed_over": Event::HandedOver { .. },
        Submitted "event submitted": Event::Submitted { .. },
        Status "event status": Event::Status { .. },
        BlockRead "event block_read": Event::BlockRead { .. },
        Reconciled "event reconciled": Event::Reconciled(_),
        Differs "event differs": Event::Differs,
        Superseded "event superseded": Event::Superseded { .. },
        RenewRefused "event renew_refused": Event::RenewRefused,
        ByHand "event by_hand": Event::ByHand { .. },
        Told "event told": Event::Told { .. },
        Restored "event restored": Event::Restored { .. },
        MayHaveLeft "event may_have_left": Event::MayHaveLeft { .. },
        GaveWay "event gave_way": Event::GaveWay,
    }
    lapse(Lapse) {
        LapseLocked "lapse locked": Lapse::Locked,
        LapseLate "lapse late": Lapse::Late,
        LapseForeign "lapse foreign": Lapse::Foreign,
    }
    hitch(Hitch) {
        HitchLocked "hitch locked": Hitch::Locked,
        HitchTime "hitch no_certified_time": Hitch::NoCertifiedTime,
        HitchStore "hitch store_refused": Hitch::StoreRefused,
        HitchSigner "hitch signer_refused": Hitch::SignerRefused,
        HitchChanged "hitch changed": Hitch::Changed,
    }
    submission(Submission) {
        SubmissionAccepted "submission accepted": Submission::Accepted,
        SubmissionReject "submission uncertified_reject": Submission::UncertifiedReject { .. },
        SubmissionRefused "submission refused": Submission::Refused { .. },
        SubmissionNoAnswer "submission no_answer": Submission::NoAnswer,
    }
    status(CertifiedStatus) {
        StatusAbsent "status absent": CertifiedStatus::Absent,
        StatusReceived "status received": CertifiedStatus::Received,
        StatusProcessing "status processing": CertifiedStatus::Processing,
        StatusDone "status done": CertifiedStatus::Done,
        StatusReplied "status replied": CertifiedStatus::Replied(_),
        StatusUndecodable "status undecodable": CertifiedStatus::Undecodable { .. },
        StatusRejected "status rejected": CertifiedStatus::Rejected(_),
    }
    hand_word(HandWord) {
        HandHappened "by hand happened": HandWord::Happened,
        HandDidNot "by hand did_not_happen": HandWord::DidNotHappen,
        HandAskAgain "by hand ask_again": HandWord::AskAgain,
    }
    finding(Finding) {
        Found "finding found": Finding::Found { .. },
        Absent "finding absent": Finding::Absent(_),
        NotYet "finding not_yet": Finding::NotYet { .. },
        Unreadable "finding unreadable": Finding::Unreadable { .. },
    }
    absence(AbsenceRule) {
        ByExpiry "absence envelopes_expired": AbsenceRule::EnvelopesExpired,
        ByStamp "absence stamp_refused": AbsenceRule::StampRefused,
    }
    unreadable(Unreadable) {
        NoStrategy "unreadable no_strategy": Unreadable::NoStrategy,
        NoAnswer "unreadable no_answer": Unreadable::NoAnswer,
        BrokenChain "unreadable broken_chain": Unreadable::BrokenChain,
        Rewritten "unreadable rewritten": Unreadable::Rewritten,
        WindowUnknown "unreadable window_unknown": Unreadable::WindowUnknown,
        TooLong "unreadable too_long": Unreadable::TooLong,
        Ambiguous "unreadable ambiguous": Unreadable::Ambiguous,
    }
    verdict(BlockVerdict) {
        BlockOurs "block ours": BlockVerdict::Ours,
        BlockAnother "block another": BlockVerdict::Another,
    }
    effect(Effect) {
        EffectLook "effect look": Effect::Look,
        EffectReadTime "effect read_time": Effect::ReadTime,
        EffectReadStart "effect read_start": Effect::ReadStart { .. },
        EffectSign "effect sign": Effect::Sign { .. },
        EffectHandOver "effect hand_over": Effect::HandOver { .. },
        EffectSubmit "effect submit": Effect::Submit { .. },
        EffectReadStatus "effect read_status": Effect::ReadStatus { .. },
        EffectReadBlock "effect read_block": Effect::ReadBlock { .. },
        EffectRenew "effect renew": Effect::Renew { .. },
        EffectReconcile "effect reconcile": Effect::Reconcile,
        EffectWait "effect wait": Effect::Wait { .. },
    }
    wait(WaitFor) {
        WaitAgent "wait agent": WaitFor::Agent,
        WaitDecision "wait decision": WaitFor::Decision(_),
        WaitReconciliation "wait reconciliation": WaitFor::Reconciliation,
        WaitPerson "wait person_settles": WaitFor::PersonSettles,
    }
    status_read(StatusRead) {
        ReadStored "read stored": StatusRead::Stored,
        ReadFresh "read fresh": StatusRead::Fresh,
    }
    fate(Fate) {
        FateSigned "fate signed": Fate::Signed,
        FateLive "fate live": Fate::Live,
        FateAnswered "fate answered": Fate::Answered,
        FateNeverRan "fate never_ran": Fate::NeverRan,
        FateOpen "fate open": Fate::Open,
    }
    interim(Interim) {
        SeenAbsent "seen absent": Interim::Absent,
        SeenReceived "seen received": Interim::Received,
        SeenProcessing "seen processing": Interim::Processing,
    }
    ask(AskKind) {
        AskFirst "ask first": AskKind::First,
        AskResend "ask resend": AskKind::Resend,
    }
    evidence(Evidence) {
        Known "evidence known": Evidence::Known,
        Claimed "evidence claimed": Evidence::Claimed,
        Nothing "evidence none": Evidence::None,
    }
    held(Held) {
        HeldUnstamped "held unstamped": Held::Unstamped,
        HeldRejects "held rejects_spent": Held::RejectsSpent,
        HeldRetries "held retries_spent": Held::RetriesSpent,
        HeldAnswered "held answered_after_unknown": Held::AnsweredAfterUnknown,
        HeldUntrusted "held untrusted_class": Held::UntrustedClass,
        HeldOther "held other_block": Held::OtherBlock,
        HeldRestored "held restored": Held::Restored,
    }
    end(EndKind) {
        EndDone "end done": EndKind::Done(_),
        EndFound "end found": EndKind::Found { .. },
        EndAbsent "end absent": EndKind::Absent(_),
        EndRefused "end refused": EndKind::Refused(_),
        EndRetriesSpent "end retries_spent": EndKind::RetriesSpent(_),
        EndDeclined "end declined": EndKind::Declined,
        EndExpired "end expired": EndKind::Expired,
        EndSuperseded "end superseded": EndKind::Superseded { .. },
        EndDiffers "end differs": EndKind::Differs,
        EndRenewRefused "end renew_refused": EndKind::RenewRefused(_),
        EndByHand "end by_hand": EndKind::ByHand { .. },
    }
    prepare_again(PrepareAgain) {
        PrepareRepeat "prepare again repeat": PrepareAgain::Repeat,
        PrepareTellEnd "prepare again tell_end": PrepareAgain::TellEnd,
        PrepareNew "prepare again new": PrepareAgain::New,
    }
    outcome(Outcome) {
        Success "outcome success": Outcome::Success,
        AlreadyDone "outcome already_done": Outcome::AlreadyDone,
        RetrySame "outcome retry_same": Outcome::RetrySame,
        RetryNew "outcome retry_new": Outcome::RetryNew,
        FixInput "outcome fix_input": Outcome::FixInput,
        Fail "outcome fail": Outcome::Fail,
        NotExecuted "outcome not_executed": Outcome::NotExecuted,
        Unknown "outcome unknown": Outcome::Unknown,
        Reconcile "outcome reconcile": Outcome::Reconcile,
        Declined "outcome declined": Outcome::Declined,
        AwaitingConfirmation "outcome awaiting_confirmation": Outcome::AwaitingConfirmation,
    }
}

/// How often each kind occurred: events and effects by steps, facts and answers by states.
#[derive(Clone, Debug)]
pub struct Seen(Vec<u64>);

impl Default for Seen {
    fn default() -> Self {
        Self(vec![0; Kind::ALL.len()])
    }
}

impl Kind {
    /// What no world leads to, and where it is shown instead. An intent gives way to one that is in
    /// no journal, which takes two equal wishes and a copy from between them: the scenarios of
    /// `the_journal_is_restored`.
    pub const ELSEWHERE: &[Self] = &[Self::GaveWay];
}

impl Seen {
    pub(crate) fn count(&mut self, kind: Kind) {
        self.0[kind as usize] += 1;
    }

    /// An event that changed something, with what it brought.
    pub(crate) fn event(&mut self, event: &Event) {
        self.count(Kind::event(event));
        match event {
            Event::Lapse(why) => self.count(Kind::lapse(why)),
            Event::Submitted { result, .. } => self.count(Kind::submission(result)),
            Event::Status { status, .. } => self.count(Kind::status(status)),
            Event::BlockRead { verdict, .. } => self.count(Kind::verdict(verdict)),
            Event::ByHand { word, .. } => self.count(Kind::hand_word(word)),
            Event::Reconciled(finding) => {
                self.count(Kind::finding(finding));
                match finding {
                    Finding::Found { .. } | Finding::NotYet { .. } => {}
                    Finding::Absent(proof) => self.count(Kind::absence(&proof.rule())),
                    Finding::Unreadable { reason } => self.count(Kind::unreadable(reason)),
                }
            }
            Event::Look
            | Event::Commit { .. }
            | Event::Yes { .. }
            | Event::No { .. }
            | Event::Withdraw
            | Event::Stopped(_)
            | Event::StartRead { .. }
            | Event::Signed { .. }
            | Event::HandedOver { .. }
            | Event::Differs
            | Event::Superseded { .. }
            | Event::RenewRefused
            | Event::Told { .. }
            | Event::Restored { .. }
            | Event::MayHaveLeft { .. }
            | Event::GaveWay => {}
        }
    }

    /// An effect that the kernel asks for.
    pub(crate) fn effect(&mut self, effect: &Effect) {
        self.count(Kind::effect(effect));
        match effect {
            Effect::Wait { on, .. } => self.count(Kind::wait(on)),
            Effect::ReadStatus { with, .. } => self.count(Kind::status_read(with)),
            Effect::Look
            | Effect::ReadTime
            | Effect::ReadStart { .. }
            | Effect::Sign { .. }
            | Effect::HandOver { .. }
            | Effect::Submit { .. }
            | Effect::ReadBlock { .. }
            | Effect::Renew { .. }
            | Effect::Reconcile => {}
        }
    }

    /// What another walk saw.
    pub fn add(&mut self, other: &Self) {
        for (sum, times) in self.0.iter_mut().zip(&other.0) {
            *sum += times;
        }
    }

    /// Each kind with how often it occurred.
    pub fn all(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        Kind::ALL.iter().map(|kind| (*kind, self.0[*kind as usize]))
    }
}
