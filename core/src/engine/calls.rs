//! Open calls: a page's request from before its work begins until its answer is acknowledged.
//!
//! Waiting for a person outlives a worker, so a waiting call is a row. Whoever stores the change
//! that it waits for answers it; a document whose port was lost says its open requests again, and
//! is matched with the rows. A row that matches nothing starts no work.

use super::Wallet;
use super::record::{self, RecordError, Stored};
use super::records::{Awaits, OpenCall};
use super::tool_calls::not_connected;
use crate::ids::{ContentHash, PreviewId};
use crate::intent::{Asked, Event, NamesEnd};
use crate::mcp::{Call, Era, Reply, RpcId, ToolReply};
use crate::policy::{PageSender, SiteKey};
use crate::ports::store::{Batch, CommitError, Query, Store as _, Table};
use crate::ports::{Clock as _, Pages as _, PortId, Ports};
use crate::time::Span;
use crate::wire::page::{Channel, ToPage};

/// How often the next state of a call is stored where nothing came of it.
const STORE_TRIES: u32 = 4;

/// What the work on a call came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Worked {
    /// The answer.
    Answer(Told),
    /// There is none yet: somebody has to decide, or a call is on its way.
    Waits(Awaits),
}

/// An answer, and what telling it means for an intent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    /// What is said.
    pub reply: ToolReply,
    /// The intent it tells of, and what it says of that intent's end.
    pub tells: Option<(PreviewId, NamesEnd)>,
}

impl From<ToolReply> for Told {
    fn from(reply: ToolReply) -> Self {
        Self { reply, tells: None }
    }
}

/// A call while it is worked on.
pub(super) struct Opened {
    stored: Stored<OpenCall>,
}

impl Opened {
    /// Whose call it is.
    pub(super) const fn site(&self) -> &SiteKey {
        &self.stored.record.site
    }

    /// The key of its row.
    pub(super) fn key(&self) -> String {
        record::Record::key(&self.stored.record)
    }
}

/// Whether an answer says that nothing came of a call.
fn denies(answer: &str) -> bool {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    match answer["result"]["structuredContent"]["outcome"].as_str() {
        Some("not_executed" | "declined" | "fail" | "fix_input" | "retry_new" | "retry_same") => {
            true
        }
        Some(_) | None => false,
    }
}

fn id_text(id: &RpcId) -> String {
    serde_json::to_string(id).expect("an id is an integer or a string")
}

const fn era_of(call: &OpenCall) -> Era {
    if call.modern {
        Era::Modern
    } else {
        Era::Legacy
    }
}

impl<P: Ports> Wallet<P> {
    /// Stores that a call has come, before anything is done about it. A row of the same document,
    /// channel and id is of a client that began anew with its ids: it is replaced.
    pub(super) async fn open_call(
        &self,
        sender: &PageSender,
        channel: &Channel,
        request: ContentHash,
        call: &Call,
    ) -> Result<Opened, CallError> {
        let came = self.ports.clock().host();
        let wait = Span::from_secs(call.meta.wait_s);
        let record = OpenCall {
            site: SiteKey::top_level(sender.origin()),
            document: sender.document().to_owned(),
            channel: channel.as_str().to_owned(),
            id: id_text(&call.id),
            request,
            tool: call.name.clone(),
            modern: call.era == Era::Modern,
            progress: call.progress.as_ref().map(id_text),
            came,
            due: came.plus(wait),
            awaits: Awaits::Work,
            answer: None,
            tells: None,
        };
        let key = record::Record::key(&record);
        {
            let mut memory = self.memory.borrow_mut();
            memory.working.insert(key.clone());
            memory.given_up.remove(&key);
        }
        let row = self
            .ports
            .store()
            .get(Table::Calls, &key)
            .await
            .map_err(RecordError::from)?;
        let writer = self.writer().await?;
        let (write, rev) = match row {
            None => (record::add(writer, came, &record), 1),
            Some(row) => (record::change(writer, came, row.rev, &record), row.rev + 1),
        };
        self.ports
            .store()
            .commit(Batch {
                writes: vec![write],
                audit: Vec::new(),
            })
            .await?;
        Ok(Opened {
            stored: Stored {
                record,
                rev,
                writer,
            },
        })
    }

    /// The row that a resumed request made, if it is this very request of this very document.
    pub(super) async fn resumed_call(
        &self,
        sender: &PageSender,
        channel: &Channel,
        request: ContentHash,
        id: &RpcId,
    ) -> Result<Option<Stored<OpenCall>>, RecordError> {
        let key = OpenCall::key_of(sender.document(), channel.as_str(), &id_text(id));
        let Some(row) = self.ports.store().get(Table::Calls, &key).await? else {
            return Ok(None);
        };
        let stored = record::read::<OpenCall>(&row)?;
        let site = SiteKey::top_level(sender.origin());
        Ok((stored.record.request == request && stored.record.site == site).then_some(stored))
    }

    /// Whether something will answer an open call: it waits, or this very worker works on it.
    pub(super) fn is_waiting(&self, call: &OpenCall) -> bool {
        match call.awaits {
            Awaits::Intent(_) | Awaits::Look(..) | Awaits::Connect | Awaits::Room(_) => true,
            Awaits::Work => self
                .memory
                .borrow()
                .working
                .contains(&record::Record::key(call)),
            Awaits::Delivery => false,
        }
    }

    /// Stores what the work on a call came to, and hands an answer over.
    pub(super) async fn close_call(&self, opened: Opened, worked: Worked) -> Result<(), CallError> {
        let Opened { mut stored } = opened;
        self.memory
            .borrow_mut()
            .working
            .remove(&record::Record::key(&stored.record));
        match worked {
            Worked::Answer(told) => {
                let told = self.told_now(&stored.record.site, told).await?;
                self.answer_call(stored, told).await
            }
            Worked::Waits(awaits) => {
                if let Awaits::Look(_, wait) = &awaits {
                    let until = self.ports.clock().host().plus(*wait);
                    stored.record.due = stored.record.due.min(until);
                }
                stored.record.awaits = awaits;
                if let Some(stored) = self.store_call(stored).await? {
                    self.wake_for(&stored.record);
                }
                Ok(())
            }
        }
    }

    /// What a site may be told of what was read for it: nothing where the wallet was frozen meanwhile.
    /// What became of its own calls it is told in any case.
    async fn told_now(&self, site: &SiteKey, told: Told) -> Result<Told, RecordError> {
        let closed = told.tells.is_none() && self.frozen().await?.is_some();
        if closed && self.grant_of(site).await?.is_some() {
            return Ok(not_connected());
        }
        Ok(told)
    }

    /// Stores the next state of a call. `None` where somebody else did first, who has answered it
    /// or dropped it.
    async fn store_call(
        &self,
        stored: Stored<OpenCall>,
    ) -> Result<Option<Stored<OpenCall>>, CallError> {
        let Stored { record, rev, .. } = stored;
        let writer = self.writer().await?;
        let next = Stored {
            record,
            rev: rev + 1,
            writer,
        };
        let mut last = CommitError::OutcomeUnknown;
        for _ in 0..STORE_TRIES {
            let now = self.ports.clock().host();
            let batch = Batch {
                writes: vec![record::change(writer, now, rev, &next.record)],
                audit: Vec::new(),
            };
            match self.ports.store().commit(batch).await {
                Ok(()) => return Ok(Some(next)),
                Err(error @ (CommitError::OutcomeUnknown | CommitError::Conflict { .. })) => {
                    last = error;
                }
                Err(error) => return Err(error.into()),
            }
            // Whatever came of it is in the journal.
            let key = record::Record::key(&next.record);
            let Some(now) = self.load::<OpenCall>(&key).await? else {
                return Ok(None);
            };
            if now.rev == next.rev && now.record == next.record {
                return Ok(Some(now));
            }
            if now.rev != rev {
                return Ok(None);
            }
        }
        Err(last.into())
    }

    /// Stores the answer of a call, then posts it. Only what is stored is told.
    pub(super) async fn answer_call(
        &self,
        mut stored: Stored<OpenCall>,
        told: Told,
    ) -> Result<(), CallError> {
        let id: RpcId = serde_json::from_str(&stored.record.id).map_err(|_| {
            CallError::Record(RecordError::Damaged {
                table: Table::Calls,
                key: record::Record::key(&stored.record),
            })
        })?;
        self.hear(stored.record.site.origin.as_str(), &told.reply.structured)
            .await;
        let reply = Reply::tool(&id, era_of(&stored.record), told.reply);
        stored.record.answer = Some(reply.into_string());
        stored.record.tells = told.tells;
        stored.record.awaits = Awaits::Delivery;
        if let Some(stored) = self.store_call(stored).await? {
            self.post_answer(&stored.record);
        }
        Ok(())
    }

    /// Posts a stored answer once more to a document that has not acknowledged it. One that denies
    /// what has happened since, or may have, is not told any more: the intent is told as it stands.
    pub(super) async fn post_again(&self, stored: Stored<OpenCall>) {
        if let Some((preview, NamesEnd::No)) = stored.record.tells
            && stored.record.answer.as_deref().is_some_and(denies)
        {
            match self.intent(&preview).await {
                Ok(Some(now)) if now.intent.may_have_executed() || now.intent.end().is_some() => {
                    let told = now.intent.answer(Asked::Look).into();
                    // What is not stored is not told; the document asks again.
                    let _ = self.answer_call(stored, told).await;
                    return;
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
        self.post_answer(&stored.record);
    }

    /// Posts a stored answer to its document, if that is connected now.
    pub(super) fn post_answer(&self, call: &OpenCall) {
        let Some(answer) = &call.answer else { return };
        let Ok(channel) = Channel::try_from(call.channel.clone()) else {
            return;
        };
        let key = record::Record::key(call);
        if self.memory.borrow().given_up.contains(&key) {
            return;
        }
        let Some((port, n)) = self
            .memory
            .borrow_mut()
            .pages
            .number_post(&call.document, key)
        else {
            return;
        };
        self.post(
            port,
            &ToPage::Post {
                channel,
                msg: answer.clone(),
                n: Some(n),
            },
        );
    }

    /// Posts a frame to a document.
    pub(super) fn post(&self, port: PortId, frame: &ToPage) {
        let text = serde_json::to_string(frame).expect("frames hold only texts and numbers");
        self.ports.pages().post(port, &text);
    }

    /// The document took a numbered post: the call is done with, and what it told is told.
    pub(super) async fn delivered(&self, port: PortId, n: u64) {
        let Some(key) = self.memory.borrow_mut().pages.acknowledged(port, n) else {
            return;
        };
        let Ok(Some(row)) = self.ports.store().get(Table::Calls, &key).await else {
            return;
        };
        let Ok(stored) = record::read::<OpenCall>(&row) else {
            return;
        };
        if let (Some((preview, names_end)), Some(answer)) =
            (stored.record.tells, &stored.record.answer)
        {
            let answer = ContentHash::of(answer.as_bytes());
            // An intent that does not take it was told before, or is gone: nothing hangs on it.
            let _ = self
                .tell_intent(&preview, Event::Told { answer, names_end })
                .await;
        }
        // A call that stays behind is found again and answered with the same text.
        let writes = vec![record::remove(&stored.record, stored.rev)];
        let _ = self
            .ports
            .store()
            .commit(Batch {
                writes,
                audit: Vec::new(),
            })
            .await;
    }

    /// The caller waits no longer. Whether somebody else still waits for the same.
    pub(super) async fn cancel_call(&self, sender: &PageSender, channel: &Channel, id: &RpcId) {
        let key = OpenCall::key_of(sender.document(), channel.as_str(), &id_text(id));
        let Ok(Some(row)) = self.ports.store().get(Table::Calls, &key).await else {
            return;
        };
        self.drop_call(&row).await;
    }

    /// A document is gone: nobody hears its answers. Its asks stay.
    pub(super) async fn drop_document(&self, document: &str) {
        let query = Query::Group(OpenCall::group_of(document));
        let Ok(rows) = self.ports.store().list(Table::Calls, query).await else {
            return;
        };
        for row in rows {
            self.drop_call(&row).await;
        }
    }

    pub(super) async fn drop_call(&self, row: &crate::ports::store::Row) {
        let (table, key, rev) = (Table::Calls, row.key.clone(), row.rev);
        let write = crate::ports::store::Write::Delete { table, key, rev };
        // Whoever changed it meanwhile has answered it; an unheard answer is dropped later.
        let _ = self
            .ports
            .store()
            .commit(Batch {
                writes: vec![write],
                audit: Vec::new(),
            })
            .await;
    }
}

/// Why a call could not be opened or answered.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(super) enum CallError {
    /// The journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The journal cannot be written.
    #[error(transparent)]
    Commit(#[from] CommitError),
}
