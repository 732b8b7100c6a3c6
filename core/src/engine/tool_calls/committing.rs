//! The tools about one prepared call: `commit`, `wallet_intent`, `wallet_cancel`.

use super::replies::{issues_of, no_such_preview, refused, says, store_failed};
use crate::engine::Wallet;
use crate::engine::calls::{Told, Worked};
use crate::engine::record::RecordError;
use crate::engine::records::{Awaits, OpenCall};
use crate::engine::wallet_tools::{self, Fields};
use crate::ids::PreviewId;
use crate::intent::{Asked, CommitPlan, Event, Intent, TransitionError};
use crate::json::Object;
use crate::policy::SiteKey;
use crate::ports::Ports;
use crate::time::Span;
use crate::tools::COMMIT;
use serde_json::json;

/// The longest wait of `wallet_intent`.
pub(super) const MAX_WAIT_S: u64 = 45;

/// Why a commit was not applied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::engine) enum CommitFailure {
    /// No certified time could be read.
    NoTime,
    /// The journal cannot be used.
    Store,
}

impl<P: Ports> Wallet<P> {
    pub(super) async fn commit_tool(
        &self,
        site: &SiteKey,
        arguments: &Object,
    ) -> Result<Worked, RecordError> {
        let mut fields = Fields::of(arguments);
        let preview = fields.preview();
        let issues = fields.finish();
        let Some(preview) = preview.filter(|_| issues.is_empty()) else {
            return Ok(Worked::Answer(refused(&issues_of(&issues), COMMIT)));
        };
        let Some(stored) = self.site_intent(site, preview).await? else {
            return Ok(Worked::Answer(no_such_preview()));
        };
        let preview = stored.preview();
        if stored.end().is_some() {
            return Ok(Worked::Answer(stored.answer(Asked::LateCommit).into()));
        }
        match self.commit_intent(&preview).await {
            Ok(CommitPlan::TellEnd) => {
                let ended = self.intent(&preview).await?;
                Ok(Worked::Answer(match ended {
                    Some(ended) => ended.intent.answer(Asked::LateCommit).into(),
                    None => no_such_preview(),
                }))
            }
            Ok(CommitPlan::Held) => Ok(Worked::Answer(self.told(&preview, Asked::Commit).await?)),
            Ok(CommitPlan::Join | CommitPlan::Ask(_) | CommitPlan::Reconcile) => {
                self.raise_again(&preview).await;
                Ok(Worked::Waits(Awaits::Intent(preview)))
            }
            Ok(CommitPlan::TimeNeeded) | Err(CommitFailure::NoTime) => {
                Ok(Worked::Answer(self.no_time(&preview).await?))
            }
            Err(CommitFailure::Store) => Ok(Worked::Answer(store_failed())),
        }
    }

    pub(super) async fn told(
        &self,
        preview: &PreviewId,
        asked: Asked,
    ) -> Result<Told, RecordError> {
        let stored = self.intent(preview).await?;
        Ok(stored.map_or_else(no_such_preview, |stored| stored.intent.answer(asked).into()))
    }

    /// No certified time: nothing was asked and nothing was sent now. What is known of the intent
    /// decides whether it may have executed before.
    pub(super) async fn no_time(&self, preview: &PreviewId) -> Result<Told, RecordError> {
        let stored = self.intent(preview).await?;
        let (outcome, so) = match stored {
            Some(stored) if stored.intent.may_have_executed() => (
                "unknown",
                "so nothing more was sent; an earlier attempt may have executed. Do not prepare it \
                 again",
            ),
            Some(_) | None => ("not_executed", "so nothing was sent"),
        };
        let structured = json!({
            "outcome": outcome,
            "case": "no_certified_time",
            "code": "E_NO_CERTIFIED_TIME",
            "preview_id": preview.to_string(),
            "preview": { "preview_id": preview.to_string() },
            "retry": "commit_preview",
            "next": { "tool": COMMIT, "input": { "preview_id": preview.to_string() }, "after_s": 10 },
        });
        Ok(says(
            &format!(
                "The network cannot be read now, {so}. Call commit with preview_id {preview} again \
                 in a moment."
            ),
            structured,
            true,
        ))
    }

    /// Applies a commit to an intent, reading certified time where it is needed.
    pub(in crate::engine) async fn commit_intent(
        &self,
        preview: &PreviewId,
    ) -> Result<CommitPlan, CommitFailure> {
        let stored = self
            .intent(preview)
            .await
            .map_err(|_| CommitFailure::Store)?;
        let stored = stored.ok_or(CommitFailure::Store)?;
        let prepared = stored.intent.prepared();
        let (network, canister) = (prepared.network, prepared.canister);
        let evidence = self.evidence(&network, &canister, &stored.intent).await;
        // What time has decided comes first: a deadline that passed while no worker lived, a window
        // that closed. Where no time can be read, what is under way is joined as it stands.
        let canister = prepared.effective_canister;
        if self.carried_time(&network, canister).is_none() {
            let _ = self.certified_time(&network, canister).await;
        }
        let plan = stored
            .intent
            .commit_plan(&self.now(&stored.intent), evidence);
        if plan == CommitPlan::TimeNeeded {
            return Err(CommitFailure::NoTime);
        }
        // The agent asks now: what was tried in vain is tried again at once.
        self.memory.borrow_mut().attempts.remove(preview);
        let root_key = self
            .root_key(&network)
            .await
            .map_err(|_| CommitFailure::Store)?;
        let digest = crate::engine::signing::ask_digest(&root_key, &stored.intent, evidence);
        let event = Event::Commit {
            evidence,
            first: digest,
            resend: digest,
        };
        match self.tell_intent(preview, event).await {
            // What time had decided before the event shows in what was stored.
            Ok(next) if next.end().is_some() => Ok(CommitPlan::TellEnd),
            Ok(_) => Ok(plan),
            Err(crate::engine::drive::TellError::Refused(error)) => match error {
                TransitionError::Ended => Ok(CommitPlan::TellEnd),
                TransitionError::TimeNeeded => Err(CommitFailure::NoTime),
                // Something is under way: the caller joins it.
                _ => Ok(plan),
            },
            Err(_) => Err(CommitFailure::Store),
        }
    }

    pub(super) async fn intent_tool(
        &self,
        site: &SiteKey,
        arguments: &Object,
    ) -> Result<Worked, RecordError> {
        let mut fields = Fields::of(arguments);
        let preview = fields.preview();
        let wait = fields.seconds("wait_s").unwrap_or(0).min(MAX_WAIT_S);
        let issues = fields.finish();
        let Some(preview) = preview.filter(|_| issues.is_empty()) else {
            return Ok(Worked::Answer(refused(
                &issues_of(&issues),
                wallet_tools::INTENT,
            )));
        };
        let Some(intent) = self.site_intent(site, preview).await? else {
            return Ok(Worked::Answer(no_such_preview()));
        };
        if wait == 0 || intent.end().is_some() {
            return Ok(Worked::Answer(intent.answer(Asked::Look).into()));
        }
        Ok(Worked::Waits(Awaits::Look(
            intent.preview(),
            Span::from_secs(wait),
        )))
    }

    pub(super) async fn cancel_tool(
        &self,
        site: &SiteKey,
        arguments: &Object,
    ) -> Result<Worked, RecordError> {
        let mut fields = Fields::of(arguments);
        let preview = fields.preview();
        let issues = fields.finish();
        let Some(preview) = preview.filter(|_| issues.is_empty()) else {
            return Ok(Worked::Answer(refused(
                &issues_of(&issues),
                wallet_tools::CANCEL,
            )));
        };
        let Some(intent) = self.site_intent(site, preview).await? else {
            return Ok(Worked::Answer(no_such_preview()));
        };
        let preview = intent.preview();
        // An ask that was decided, or was never opened, is not there to be withdrawn.
        let _ = self.tell_intent(&preview, Event::Withdraw).await;
        self.answer_waiters(&preview).await;
        self.show_asks().await;
        Ok(Worked::Answer(self.told(&preview, Asked::Look).await?))
    }

    /// The intent with this preview id, if it is this site's.
    pub(super) async fn site_intent(
        &self,
        site: &SiteKey,
        preview: Option<PreviewId>,
    ) -> Result<Option<Intent>, RecordError> {
        match preview {
            Some(preview) => Ok(self
                .intent_of(site, &preview)
                .await?
                .map(|stored| stored.intent)),
            None => Ok(None),
        }
    }

    /// The answer to a call that waits for an intent; `None` while there is none and it is not due.
    pub(in crate::engine) async fn answer_of_intent(
        &self,
        preview: &PreviewId,
        call: &OpenCall,
        due: bool,
    ) -> Option<Told> {
        let intent = self.intent(preview).await.ok()??.intent;
        let asked = match call.awaits {
            Awaits::Look(..) => Asked::Look,
            Awaits::Intent(_)
            | Awaits::Work
            | Awaits::Connect
            | Awaits::Room(_)
            | Awaits::Delivery => Asked::Commit,
        };
        let answer = intent.answer(asked);
        (due || !intent.is_under_way()).then(|| answer.into())
    }
}
