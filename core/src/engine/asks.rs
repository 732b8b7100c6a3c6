//! The queue of asks: who waits for the person, and what a decision does.

use super::Wallet;
use super::drive::TellError;
use super::intents::StoredIntent;
use super::record::{RecordError, Stored};
use super::records::Connect;
use super::windows::Seen;
use crate::confirm::risk::Finding;
use crate::confirm::site::SiteName;
use crate::ids::{AskDigest, AskId, PreviewId};
use crate::intent::{AskKind, CommitPlan, Event, Intent, TransitionError};
use crate::policy::SiteKey;
use crate::ports::{Ports, Prompter as _};
use crate::wire::ui::{Decided, Decision, Failure, NextAsk};
use std::collections::BTreeSet;
use std::future::poll_fn;

/// A person's yes as it came from a window.
pub(super) struct SaidYes<'a> {
    /// The ask.
    pub(super) ask: AskId,
    /// The call.
    pub(super) preview: PreviewId,
    /// What the yes names.
    pub(super) digest: AskDigest,
    /// What the window showed when the yes was pressed; `None` where that is not known any more.
    pub(super) seen: Option<&'a Seen>,
    /// The findings that were acknowledged.
    pub(super) acknowledged: &'a [Finding],
}

/// One ask in the queue.
#[derive(Clone, Debug)]
pub(super) enum Queued {
    /// To make a call.
    Call(Box<StoredIntent>),
    /// To connect a site.
    Connect(Box<Stored<Connect>>),
}

impl Queued {
    /// The ask's id.
    pub(super) fn id(&self) -> Option<AskId> {
        match self {
            Self::Call(stored) => stored.intent.ask().map(|ask| ask.id),
            Self::Connect(stored) => Some(stored.record.ask),
        }
    }

    /// Who asks.
    pub(super) fn origin(&self) -> &str {
        match self {
            Self::Call(stored) => &stored.intent.prepared().origin,
            Self::Connect(stored) => stored.record.site.origin.as_str(),
        }
    }

    /// Who asks, as a person reads it.
    pub(super) fn site(&self) -> SiteName {
        SiteName::of(self.origin())
    }
}

impl<P: Ports> Wallet<P> {
    /// The asks that wait for a decision: sites to be connected first, then calls, each in the
    /// order they were asked.
    pub(super) async fn queue(&self) -> Result<Vec<Queued>, RecordError> {
        let connects = self.connects().await?;
        let mut queue: Vec<Queued> = connects
            .into_iter()
            .map(|stored| Queued::Connect(Box::new(stored)))
            .collect();
        let mut calls: Vec<StoredIntent> = self.open_intents().await?;
        calls.retain(|stored| stored.intent.ask().is_some_and(|ask| ask.yes.is_none()));
        calls.sort_by_key(|stored| {
            let opened = stored.intent.ask().map(|ask| ask.opened_at);
            (opened, stored.intent.preview())
        });
        queue.extend(
            calls
                .into_iter()
                .map(|stored| Queued::Call(Box::new(stored))),
        );
        Ok(queue)
    }

    /// What comes next in a window, after a decision: nothing that was left for later in it.
    pub(super) fn next_ask(queue: &[Queued], later: &BTreeSet<AskId>) -> Option<NextAsk> {
        let left = |queued: &&Queued| queued.id().is_some_and(|id| later.contains(&id));
        let mut others = queue.iter().filter(|queued| !left(queued));
        let next = others.next()?;
        Some(NextAsk {
            site: next.site(),
            waiting: u32::try_from(others.count() + 1).unwrap_or(u32::MAX),
        })
    }

    /// The call that an ask in the queue is about.
    pub(super) async fn call_of(&self, ask: AskId) -> Option<PreviewId> {
        let queue = self.queue().await.ok()?;
        match queue.into_iter().find(|queued| queued.id() == Some(ask))? {
            Queued::Call(stored) => Some(stored.intent.preview()),
            Queued::Connect(_) => None,
        }
    }

    /// Counts what waits on the badge.
    pub(super) async fn count_asks(&self) {
        if let Ok(queue) = self.queue().await {
            self.ports.prompter().badge(queue.len());
        }
    }

    /// Something may wait for the person: counts it on the badge, and brings the window up where a
    /// connected site asks.
    pub(super) async fn show_asks(&self) {
        let Ok(queue) = self.queue().await else {
            return;
        };
        self.ports.prompter().badge(queue.len());
        self.views_changed();
        let has_wallet = matches!(self.sealed().await, Ok(Some(_)));
        // A frozen wallet asks nothing; where that cannot be read, neither.
        if !matches!(self.frozen().await, Ok(None)) {
            return;
        }
        let mut opens = false;
        for queued in &queue {
            let Some(id) = queued.id() else { continue };
            let may_open = match queued {
                // A call is only prepared for a connected site.
                Queued::Call(_) => true,
                Queued::Connect(stored) => {
                    !stored.record.quiet && self.may_open(&stored.record.site, has_wallet).await
                }
            };
            // One window an ask: what came up once does not come up again by itself.
            if may_open && self.memory.borrow_mut().raised.insert(id) {
                opens = true;
            }
        }
        if opens {
            self.open_asks().await;
        }
    }

    /// A site asks once more for what waits already: where no window is open, one comes up.
    pub(super) async fn raise_again(&self, preview: &PreviewId) {
        let Ok(Some(stored)) = self.intent(preview).await else {
            return;
        };
        let undecided = stored.intent.ask().filter(|ask| ask.yes.is_none());
        if let Some(ask) = undecided
            && !self.has_window()
        {
            self.memory.borrow_mut().raised.remove(&ask.id);
        }
    }

    /// Whether the ask of a site to be connected may bring up a window by itself.
    async fn may_open(&self, site: &SiteKey, has_wallet: bool) -> bool {
        if !has_wallet {
            return false;
        }
        match self.access_of(site).await {
            Ok(Some(_)) => true,
            // Locked, the window would begin with a passphrase field, which a page that is not
            // connected can never bring up.
            Ok(None) => self.is_attended(site).await && self.is_unlocked(),
            Err(_) => false,
        }
    }

    /// The person's yes to a call.
    ///
    /// # Errors
    ///
    /// Nothing was approved; the ask stands as it is, or is gone.
    pub(super) async fn approve(&self, said: SaidYes<'_>) -> Result<Decided, Failure> {
        let SaidYes { ask, preview, .. } = said;
        if !self.is_unlocked() {
            return Err(Failure::Locked);
        }
        let stored = self
            .intent(&preview)
            .await
            .map_err(|_| Failure::NotStored)?;
        let stored = stored.ok_or(Failure::AskGone)?;
        if stored.intent.ask().is_none_or(|open| open.id != ask) {
            return Err(Failure::AskGone);
        }
        let prepared = stored.intent.prepared();
        let time = self
            .certified_time(&prepared.network, prepared.effective_canister)
            .await;
        time.map_err(|_| Failure::NoCertifiedTime)?;
        let seen = said.seen.map(|seen| &seen.facts);
        if self.facts_changed(ask, &stored.intent, seen).await {
            return Err(Failure::AskChanged);
        }
        // Of two calls that do the same, the later yes is held to the earlier one.
        poll_fn(|context| self.memory.borrow_mut().approving.enter(context)).await;
        let told = self.tell_yes(&said, &stored.intent).await;
        self.memory.borrow_mut().approving.leave();
        told?;
        self.forget_facts(ask);
        Ok(Decided {
            decision: Decision::Approved,
            row: None,
            next: None,
        })
    }

    /// Stores a yes, where each finding that must be acknowledged was shown and acknowledged as it is
    /// now.
    async fn tell_yes(&self, said: &SaidYes<'_>, intent: &Intent) -> Result<(), Failure> {
        let decoded = self.decoded(intent).await.ok_or(Failure::AskChanged)?;
        let beside = self
            .background(intent, &decoded)
            .await
            .map_err(|_| Failure::NotStored)?;
        let shown = said.seen.map_or(&[][..], |seen| &seen.findings);
        let is_acknowledged =
            |finding: &Finding| shown.contains(finding) && said.acknowledged.contains(finding);
        let mut high = beside
            .findings
            .iter()
            .filter(|one| one.must_be_acknowledged());
        if !high.all(is_acknowledged) {
            self.views_changed();
            return Err(Failure::AskChanged);
        }
        let yes = Event::Yes {
            ask: said.ask,
            digest: said.digest,
            unlocked: self.is_unlocked(),
        };
        let told = self.tell_intent(&said.preview, yes).await;
        told.map(|_| ()).map_err(|error| failure_of(&error))
    }

    /// Drives a call that was said yes to, and shows how it goes on.
    pub(super) async fn carry_out(&self, preview: PreviewId) {
        self.views_changed();
        self.push_views().await;
        self.drive(preview).await;
        self.views_changed();
    }

    /// The person's no: to the ask with this id, if it is still undecided.
    pub(super) async fn decline(&self, ask: AskId) -> Option<Decided> {
        self.forget_facts(ask);
        let queue = self.queue().await.ok()?;
        match queue.into_iter().find(|queued| queued.id() == Some(ask))? {
            Queued::Connect(stored) => self.refuse_connect(&stored).await,
            Queued::Call(stored) => {
                let preview = stored.intent.preview();
                let resend = stored
                    .intent
                    .ask()
                    .is_some_and(|open| open.kind == AskKind::Resend);
                self.tell_intent(&preview, Event::No { ask }).await.ok()?;
                self.drive(preview).await;
                self.answer_waiters(&preview).await;
                let decision = if resend {
                    Decision::DeclinedResend
                } else {
                    Decision::Declined
                };
                Some(Decided {
                    decision,
                    row: None,
                    next: None,
                })
            }
        }
    }

    /// The person's own button: put the call in the queue again.
    pub(super) async fn ask_again(&self, preview: PreviewId) -> Result<(), Failure> {
        match self.commit_intent(&preview).await {
            Ok(CommitPlan::Ask(_) | CommitPlan::Join | CommitPlan::Reconcile) => {
                self.drive(preview).await;
                Ok(())
            }
            Ok(CommitPlan::TellEnd | CommitPlan::Held | CommitPlan::TimeNeeded) | Err(_) => {
                Err(Failure::NotNow)
            }
        }
    }
}

fn failure_of(error: &TellError) -> Failure {
    match error {
        TellError::Gone => Failure::AskGone,
        TellError::Record(_) | TellError::Commit(_) => Failure::NotStored,
        TellError::Refused(error) => match error {
            TransitionError::DigestDiffers => Failure::AskChanged,
            TransitionError::NotThisAsk | TransitionError::AlreadyDecided => Failure::AskGone,
            TransitionError::Ended => Failure::AskExpired,
            TransitionError::TimeNeeded => Failure::NoCertifiedTime,
            TransitionError::Locked => Failure::Locked,
            other => Failure::Other(other.code().to_owned()),
        },
    }
}
