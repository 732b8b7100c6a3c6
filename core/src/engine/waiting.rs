//! Calls that wait for a decision or an answer: who answers them, and until when.

use super::Wallet;
use super::drive::WATCH;
use super::record::{self, Stored};
use super::records::{Awaits, OpenCall};
use crate::ids::PreviewId;
use crate::mcp::{ProgressToken, progress};
use crate::policy::SiteKey;
use crate::ports::store::{Query, Store as _, Table};
use crate::ports::{Alarms as _, Clock as _, Ports};
use crate::time::{Span, Timestamp};
use crate::wire::page::{Channel, ToPage};

/// How often a waiting caller that asked for it is told that its call is under way.
const PROGRESS_EVERY: Span = Span::from_secs(10);

/// A row whose document has not been heard of for this long is dropped.
const FORGOTTEN_AFTER: Span = Span::from_hours(24);

impl<P: Ports> Wallet<P> {
    /// The calls that wait for something, oldest first.
    async fn waiting_calls(&self) -> Vec<Stored<OpenCall>> {
        let Ok(rows) = self.ports.store().list(Table::Calls, Query::Open).await else {
            return Vec::new();
        };
        let mut calls: Vec<Stored<OpenCall>> = rows
            .iter()
            .filter_map(|row| record::read(row).ok())
            .collect();
        calls.sort_by_key(|call| call.record.came);
        calls
    }

    /// Answers every call that waits for this intent and can be answered as it stands now.
    pub(super) async fn answer_waiters(&self, preview: &PreviewId) {
        for call in self.waiting_calls().await {
            match call.record.awaits {
                Awaits::Intent(of) | Awaits::Look(of, _) if of == *preview => {
                    self.answer_waiter(call, false).await;
                }
                Awaits::Intent(_)
                | Awaits::Look(..)
                | Awaits::Connect
                | Awaits::Room(_)
                | Awaits::Work
                | Awaits::Delivery => {}
            }
        }
    }

    /// Answers every call that waits for the decision of a site's ask to be connected.
    pub(super) async fn answer_connected(&self, site: &SiteKey) {
        for call in self.waiting_calls().await {
            if call.record.site == *site && call.record.awaits == Awaits::Connect {
                self.answer_waiter(call, false).await;
            }
        }
    }

    /// Whether there was an answer. One that could not be stored is not told; it is tried again.
    async fn answer_waiter(&self, call: Stored<OpenCall>, due: bool) -> bool {
        let told = match &call.record.awaits {
            Awaits::Intent(preview) | Awaits::Look(preview, _) => {
                self.answer_of_intent(preview, &call.record, due).await
            }
            Awaits::Connect => self.answer_of_connect(&call.record.site, due).await,
            Awaits::Room(again) => due.then(|| super::tool_calls::no_room(again)),
            Awaits::Work | Awaits::Delivery => None,
        };
        let Some(told) = told else { return false };
        // A lost race means that somebody else answered it, and is no error.
        if self.answer_call(call, told).await.is_err() {
            self.ports.alarms().wake_after(WATCH);
        }
        true
    }

    /// Looks after waiting calls: those that are due are answered as things stand, callers that
    /// asked for it hear that theirs is under way, and forgotten ones are dropped.
    pub(super) async fn tend_calls(&self) {
        let now = self.ports.clock().host();
        for call in self.waiting_calls().await {
            let record = &call.record;
            match record.awaits {
                Awaits::Intent(_) | Awaits::Look(..) | Awaits::Connect | Awaits::Room(_) => {}
                Awaits::Work | Awaits::Delivery => continue,
            }
            // What it waits for may have ended just before a worker died; and a clock set back must
            // not keep a caller waiting for ever.
            let due = record.due <= now || record.came > now;
            if self.answer_waiter(call.clone(), due).await || due {
                continue;
            }
            self.tell_progress(record, now);
            self.wake_for(record);
        }
        let Ok(rows) = self.ports.store().list(Table::Calls, Query::All).await else {
            return;
        };
        for row in rows {
            if now.since(row.updated) < FORGOTTEN_AFTER {
                continue;
            }
            // A clock set forward makes nothing old that a document still waits for.
            let waits =
                record::read::<OpenCall>(&row).is_ok_and(|call| self.hears(&call.record.document));
            if !waits {
                self.drop_call(&row).await;
            }
        }
    }

    /// Whether a document is connected now.
    fn hears(&self, document: &str) -> bool {
        self.memory.borrow().pages.port_of(document).is_some()
    }

    fn tell_progress(&self, call: &OpenCall, now: Timestamp) {
        let token = call
            .progress
            .as_ref()
            .and_then(|t| serde_json::from_str::<ProgressToken>(t).ok());
        let (Some(token), Ok(channel)) = (token, Channel::try_from(call.channel.clone())) else {
            return;
        };
        let Some(port) = self.memory.borrow().pages.port_of(&call.document) else {
            return;
        };
        let so_far = now.since(call.came).as_millis();
        let message = match call.awaits {
            Awaits::Connect | Awaits::Room(_) => {
                "Waiting for the person to decide about connecting this site."
            }
            Awaits::Intent(_) | Awaits::Look(..) | Awaits::Work | Awaits::Delivery => {
                "Waiting for the person, or for the network's answer."
            }
        };
        let msg = progress(&token, so_far, message).into_string();
        self.post(
            port,
            &ToPage::Post {
                channel,
                msg,
                n: None,
            },
        );
    }

    pub(super) fn wake_for(&self, call: &OpenCall) {
        let left = call.due.since(self.ports.clock().host());
        let next = if call.progress.is_some() && left > PROGRESS_EVERY {
            PROGRESS_EVERY
        } else {
            left
        };
        self.ports.alarms().wake_after(next);
    }
}
