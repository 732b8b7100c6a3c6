//! Our own windows: frames in, whole views out.
//!
//! A window is served only where the browser says that it is one of our pages, and where it names
//! the token that was put into its URL. What a window shows an ask of is stored, so that closing it
//! is a no even where the worker died meanwhile.

mod commands;

use super::Wallet;
use super::ledger::AskFacts;
use super::record::{self, Record, RecordError, Stored};
use super::together::Turnstile;
use crate::confirm::picture::Mark;
use crate::confirm::risk::Finding;
use crate::confirm::view::Asked;
use crate::ids::{AskId, PreviewId, to_hex};
use crate::policy::{OwnPage, OwnSender};
use crate::ports::store::{CommitError, Query, Store as _, StoreError, Table, Write};
use crate::ports::{Clock as _, Pages as _, PortId, Ports, Prompter as _, Window, WindowId};
use crate::time::Span;
use crate::wire::ui::{
    Dead, Decided, Failure, Place, Refused, Screen, ToWindow, ToWorker, VERSION, View, from_json,
    to_json,
};
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::future::poll_fn;

/// Of how many views a window's presses are still taken.
const MOST_SEEN: usize = 8;

/// A browser that quits closes its windows first, and may tell of it before it ends the worker. So
/// long a worker must have lived on for a closed window to be a decision.
const QUIT_SPAN: Span = Span::from_millis(500);

/// How often a change of a window's row is tried.
const TRIES: usize = 8;

/// How many tokens without a window of their own are kept.
const MOST_TOKENS: usize = 16;

/// A window as it is stored: by its token.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct WindowRow {
    /// The token in its URL.
    pub token: String,
    /// The browser's id of the window, where we opened one of its own.
    pub window: Option<WindowId>,
    /// The document that said the token first.
    pub document: Option<String>,
    /// The ask that it shows.
    pub shows: Option<AskId>,
}

impl Record for WindowRow {
    const TABLE: Table = Table::Windows;
    const V: u16 = 1;

    fn key(&self) -> String {
        self.token.clone()
    }
}

/// What stands in a window of asks beside the queue.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Standing {
    /// The queue.
    Queue,
    /// A decision was made here, about this call if it was one; the next ask comes after a step of
    /// its own.
    Decided(Box<Decided>, Option<PreviewId>),
    /// The ask shown here ended without a decision here.
    Dead(Box<Dead>),
}

/// A connected window.
#[derive(Clone, Debug)]
pub(super) struct Session {
    /// Its token.
    pub(super) token: String,
    /// What it wants to see.
    pub(super) place: Place,
    /// The ask that it shows.
    pub(super) shows: Option<AskId>,
    /// The intent of that ask, where it is a call's.
    pub(super) preview: Option<PreviewId>,
    /// What stands beside the queue.
    pub(super) standing: Standing,
    /// Asks that were put off here.
    pub(super) later: BTreeSet<AskId>,
    seq: u64,
    handled: u64,
    failure: Option<Failure>,
    /// Counts the commands and decisions that changed what stands above: a view that was begun
    /// before one of them is not shown after it.
    turn: u64,
    /// The last view that was sent, and of how many commands it said that they were handled.
    sent: Option<(u64, View)>,
    /// What the last views said beside their ask, by their numbers: a press that was made on one view
    /// may come when the next is on its way.
    seen: Vec<(u64, Seen)>,
}

/// What a view said beside an ask that a yes counts for.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// What its ledger certified.
    pub(super) facts: AskFacts,
    /// What was found.
    pub(super) findings: Vec<Finding>,
}

/// The windows that are connected now.
#[derive(Debug, Default)]
pub(super) struct Windows {
    ports: LiteMap<PortId, Option<Session>>,
    documents: LiteMap<PortId, OwnPage>,
    /// Tokens that were made in this life.
    made: BTreeSet<String>,
    /// The mark that first run proposes.
    pub(super) proposed: Option<Mark>,
    /// Something changed that a view may show.
    changed: bool,
    /// Views are being made: of two made side by side the older could be sent last.
    pushing: Turnstile,
    /// The window of asks is being opened.
    opening: bool,
}

impl Windows {
    /// Something changed that a view may show.
    pub(super) fn mark_changed(&mut self) {
        self.changed = true;
    }

    /// What is held of a window.
    pub(super) fn session(&self, port: PortId) -> Option<Session> {
        self.ports.get(&port).cloned().flatten()
    }
}

impl<P: Ports> Wallet<P> {
    /// One of our pages connected, as the browser says.
    pub fn window_connected(&self, port: PortId, sender: &OwnSender) {
        match OwnPage::prove(sender) {
            Ok(page) => {
                let mut memory = self.memory.borrow_mut();
                memory.windows.ports.insert(port, None);
                memory.windows.documents.insert(port, page);
            }
            Err(_) => self.ports.pages().close(port),
        }
    }

    /// The page's port is gone. Whether its window was closed, the browser says apart.
    pub fn window_gone(&self, port: PortId) {
        let mut memory = self.memory.borrow_mut();
        memory.windows.ports.remove(&port);
        memory.windows.documents.remove(&port);
    }

    /// Something changed that a view may show.
    pub(super) fn views_changed(&self) {
        self.memory.borrow_mut().windows.changed = true;
    }

    /// A frame came from one of our pages.
    pub async fn window_frame(&self, port: PortId, frame: &str) {
        let known = self.memory.borrow().windows.ports.contains_key(&port);
        let Ok(frame) = from_json::<ToWorker>(frame) else {
            return self.refuse(port, Refused::Version);
        };
        if !known {
            return;
        }
        match frame {
            ToWorker::Hello { v, .. } if v != VERSION => self.refuse(port, Refused::Version),
            ToWorker::Hello { token, place, .. } => self.greet(port, token, place).await,
            ToWorker::Do { n, seq, command } => self.command(port, n, seq, command).await,
        }
        self.push_views().await;
        // What the view still lacks is read after it was shown.
        self.read_for(port).await;
    }

    fn refuse(&self, port: PortId, why: Refused) {
        self.ports
            .pages()
            .post(port, &to_json(&ToWindow::Refused(why)));
        self.window_gone(port);
        self.ports.pages().close(port);
    }

    /// A window said hello: its token must be one we gave, and not another document's.
    async fn greet(&self, port: PortId, token: String, place: Place) {
        let page = self.memory.borrow().windows.documents.get(&port).cloned();
        let Some(page) = page else { return };
        let document = page.document();
        let said_first = |row: &WindowRow| WindowRow {
            document: Some(row.document.clone().unwrap_or_else(|| document.to_owned())),
            ..row.clone()
        };
        let row = match self.change_window(&token, said_first).await {
            Ok(Some(row)) if row.document.as_deref() == Some(document) => row,
            Ok(_) => return self.refuse(port, Refused::Token),
            Err(RecordError::Newer { .. } | RecordError::Store(StoreError::Newer)) => {
                return self.refuse(port, Refused::NewerData);
            }
            Err(_) => return self.refuse(port, Refused::NoStore),
        };
        let session = Session {
            token,
            place,
            shows: row.shows,
            preview: None,
            standing: Standing::Queue,
            later: BTreeSet::new(),
            seq: 0,
            handled: 0,
            failure: None,
            turn: 0,
            sent: None,
            seen: Vec::new(),
        };
        self.memory
            .borrow_mut()
            .windows
            .ports
            .insert(port, Some(session));
        self.views_changed();
    }

    /// Changes what is stored of a window, and gives it as it is stored then; `None` where nothing
    /// is. A window says hello while it is noted that it came up and what it shows: what another
    /// task stored meanwhile is changed in its turn.
    async fn change_window(
        &self,
        token: &str,
        change: impl Fn(&WindowRow) -> WindowRow,
    ) -> Result<Option<WindowRow>, RecordError> {
        let writer = self.writer().await?;
        for _ in 0..TRIES {
            let Some(row) = self.load::<WindowRow>(token).await? else {
                return Ok(None);
            };
            let next = change(&row.record);
            if next == row.record {
                return Ok(Some(next));
            }
            let now = self.ports.clock().host();
            let write = record::change(writer, now, row.rev, &next);
            match self.put(vec![write], "window").await {
                Ok(()) => return Ok(Some(next)),
                Err(
                    CommitError::Conflict { .. }
                    | CommitError::Taken { .. }
                    | CommitError::OutcomeUnknown,
                ) => {}
                Err(CommitError::Full) => break,
                Err(CommitError::Store(error)) => return Err(error.into()),
            }
        }
        Err(StoreError::Unavailable.into())
    }

    /// Whether a window of asks is connected now.
    pub(super) fn has_window(&self) -> bool {
        let memory = self.memory.borrow();
        let mut sessions = memory.windows.ports.values().flatten();
        sessions.any(|session| session.place == Place::Asks)
    }

    /// A token for a page that the person opens, to be put into its URL.
    pub async fn new_token(&self) -> Option<String> {
        let token = to_hex(&self.random::<16>());
        self.memory.borrow_mut().windows.made.insert(token.clone());
        let row = WindowRow {
            token: token.clone(),
            window: None,
            document: None,
            shows: None,
        };
        let writer = self.writer().await.ok()?;
        let mut writes = self.outworn_tokens().await;
        writes.push(record::add(writer, self.ports.clock().host(), &row));
        self.put(writes, "window").await.ok()?;
        Some(token)
    }

    /// Pages that a person opens in a tab tell nobody that they were closed: of tokens without a
    /// window of their own the newest are kept, and those whose page is connected.
    async fn outworn_tokens(&self) -> Vec<Write> {
        let rows = self.ports.store().list(Table::Windows, Query::All).await;
        let mut rows = rows.unwrap_or_default();
        rows.sort_by(|a, b| (b.updated, &b.key).cmp(&(a.updated, &a.key)));
        let memory = self.memory.borrow();
        let connected: BTreeSet<&str> = memory
            .windows
            .ports
            .values()
            .flatten()
            .map(|session| session.token.as_str())
            .collect();
        rows.iter()
            .filter_map(|row| record::read::<WindowRow>(row).ok())
            .filter(|row| row.record.window.is_none())
            .skip(MOST_TOKENS)
            .filter(|row| !connected.contains(row.record.token.as_str()))
            .map(|row| record::remove(&row.record, row.rev))
            .collect()
    }

    /// Opens the window of asks, or brings it to the front.
    pub(super) async fn open_asks(&self) {
        // The browser takes its time to open one, and it shows whatever waits by then.
        if std::mem::replace(&mut self.memory.borrow_mut().windows.opening, true) {
            return;
        }
        self.open_or_focus().await;
        self.memory.borrow_mut().windows.opening = false;
    }

    async fn open_or_focus(&self) {
        for row in self.window_rows().await {
            if let Some(window) = row.record.window
                && self.ports.prompter().focus(window).await
            {
                return;
            }
        }
        let Some(token) = self.new_token().await else {
            return;
        };
        let Some(window) = self.ports.prompter().open(Window::Confirm, &token).await else {
            return;
        };
        let came_up = |row: &WindowRow| WindowRow {
            window: Some(window),
            ..row.clone()
        };
        // Where that is not stored, the next ask opens another.
        let _ = self.change_window(&token, came_up).await;
    }

    async fn window_rows(&self) -> Vec<Stored<WindowRow>> {
        self.load_all::<WindowRow>().await.unwrap_or_default()
    }

    /// The browser started: windows of its last life are gone, without a decision. What this worker
    /// opened before it was told so is of this life.
    pub async fn browser_started(&self) {
        let mut writes: Vec<Write> = Vec::new();
        for row in self.window_rows().await {
            let made_now = self
                .memory
                .borrow()
                .windows
                .made
                .contains(&row.record.token);
            if !made_now {
                writes.push(record::remove(&row.record, row.rev));
            }
        }
        if !writes.is_empty() {
            // What stays is found to name windows that are not there.
            let _ = self.put(writes, "browser_started").await;
        }
    }

    /// A window was closed while the browser ran: that is a no to the ask it showed.
    pub async fn window_closed(&self, window: WindowId) {
        self.ports.clock().pause(QUIT_SPAN).await;
        for row in self.window_rows().await {
            if row.record.window != Some(window) {
                continue;
            }
            let write = record::remove(&row.record, row.rev);
            let _ = self.put(vec![write], "window_closed").await;
            // Another window that shows the ask is still there to decide it.
            if let Some(ask) = row.record.shows
                && !self.is_shown_elsewhere(ask, &row.record.token)
            {
                self.decline(ask).await;
            }
        }
        self.show_asks().await;
        self.push_views().await;
    }

    fn is_shown_elsewhere(&self, ask: AskId, token: &str) -> bool {
        let memory = self.memory.borrow();
        let mut sessions = memory.windows.ports.values().flatten();
        sessions.any(|session| session.shows == Some(ask) && session.token != token)
    }

    /// Notes which ask a window shows, before it shows it.
    pub(super) async fn shows(&self, token: &str, ask: Option<AskId>) -> bool {
        let shown = |row: &WindowRow| WindowRow {
            shows: ask,
            ..row.clone()
        };
        matches!(self.change_window(token, shown).await, Ok(Some(_)))
    }

    /// Sends every window its view, where that changed. What changed before this was called is sent
    /// when it returns.
    pub(super) async fn push_views(&self) {
        poll_fn(|context| self.memory.borrow_mut().windows.pushing.enter(context)).await;
        while std::mem::take(&mut self.memory.borrow_mut().windows.changed) {
            let ports: Vec<PortId> = self.memory.borrow().windows.ports.keys().copied().collect();
            for port in ports {
                self.push_view(port).await;
            }
        }
        self.memory.borrow_mut().windows.pushing.leave();
    }

    async fn push_view(&self, port: PortId) {
        let (session, facts) = {
            let memory = self.memory.borrow();
            let Some(session) = memory.windows.session(port) else {
                return;
            };
            (session, memory.facts.clone())
        };
        let view = match self.view_for(port, &session).await {
            Ok(view) => view,
            Err(RecordError::Newer { .. }) => return self.refuse(port, Refused::NewerData),
            Err(_) => return self.refuse(port, Refused::NoStore),
        };
        let mut memory = self.memory.borrow_mut();
        let same_facts = memory.facts == facts;
        let Some(Some(now)) = memory.windows.ports.get_mut(&port) else {
            return;
        };
        // A view of two moments is shown to nobody; it is made again.
        if now.turn != session.turn || !same_facts {
            memory.windows.changed = true;
            return;
        }
        let next = (now.handled, view);
        if now.sent.as_ref() == Some(&next) {
            return;
        }
        let (handled, view) = next;
        now.seq += 1;
        if let Screen::Ask(ask) = &view.screen
            && let Asked::Call(call) = &ask.what
            && let Some(facts) = facts.get(&ask.id)
        {
            let seen = Seen {
                facts: facts.clone(),
                findings: call.findings.clone(),
            };
            now.seen.push((now.seq, seen));
        }
        if now.seen.len() > MOST_SEEN {
            now.seen.remove(0);
        }
        now.sent = Some((handled, view.clone()));
        let frame = ToWindow::View {
            seq: now.seq,
            handled,
            failure: now.failure.clone(),
            view: Box::new(view),
        };
        drop(memory);
        self.ports.pages().post(port, &to_json(&frame));
    }

    /// Changes what memory holds of a window, as a command or a decision does.
    pub(super) fn with_session(&self, port: PortId, f: impl FnOnce(&mut Session)) {
        if let Some(Some(session)) = self.memory.borrow_mut().windows.ports.get_mut(&port) {
            session.turn += 1;
            f(session);
        }
    }

    /// Notes what a view of this session came to show, unless a command or a decision came between.
    pub(super) fn note_shown(&self, port: PortId, of: &Session, f: impl FnOnce(&mut Session)) {
        if let Some(Some(session)) = self.memory.borrow_mut().windows.ports.get_mut(&port)
            && session.turn == of.turn
        {
            f(session);
        }
    }

    pub(super) fn proposed_mark(&self) -> Mark {
        let proposed = self.memory.borrow().windows.proposed.clone();
        proposed.unwrap_or_else(|| {
            let mark = Mark::from_entropy(self.random());
            self.memory.borrow_mut().windows.proposed = Some(mark.clone());
            mark
        })
    }
}
