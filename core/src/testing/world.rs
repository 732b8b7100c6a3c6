//! The simulated world: every port of one wallet, driven by hand.
//!
//! One world is one browser profile. Its clock moves only when a pause, an alarm or a test moves
//! it; its journal, mirror and session outlive the worker, which can be dropped at any await. The
//! network is whatever function the test gives: an in-process local network, or a script.

use super::{MemoryStore, Turn};
use crate::ports::{
    Alarms, Clock, Entropy, Exchange, Mirror, MirrorError, Pages, PortId, Ports, Prompter, Replica,
    Session, SessionError, Texts, Window, WindowId,
};
use crate::time::{Span, Timestamp};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use unicode_normalization::UnicodeNormalization as _;

/// An HTTP request as the network sees it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HttpRequest {
    /// The whole URL.
    pub url: String,
    /// The body of a POST; `None` for a GET.
    pub body: Option<Vec<u8>>,
    /// The host's time when it is sent.
    pub at: Timestamp,
}

/// Answers requests.
pub type Network = Rc<dyn Fn(HttpRequest) -> Exchange>;

/// A window that is open, as a test sees it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OpenWindow {
    /// Its id.
    pub id: WindowId,
    /// The token in its URL.
    pub token: String,
}

struct State {
    host: Cell<Timestamp>,
    started: Cell<Timestamp>,
    /// What was added to the host's clock by setting it, not by time passing.
    set_by: Cell<i128>,
    alarm: Cell<Option<Timestamp>>,
    seed: Cell<u64>,
    network: RefCell<Network>,
    files: RefCell<BTreeMap<String, Vec<u8>>>,
    /// How many more files cannot be written.
    refused_files: Cell<u32>,
    session: RefCell<Option<Vec<u8>>>,
    windows: RefCell<Vec<OpenWindow>>,
    windows_opened: Cell<i32>,
    opens_after: Cell<u32>,
    badge: Cell<usize>,
    attended: Cell<bool>,
    posts: Cell<u64>,
    /// Whether files and the session take a turn too, as in a browser.
    all_take_turns: Cell<bool>,
    frames: RefCell<Vec<(PortId, String)>>,
    closed: RefCell<BTreeSet<PortId>>,
}

/// One browser profile with a machine around it. A clone is another handle on the same.
#[derive(Clone)]
pub struct World {
    store: MemoryStore,
    state: Rc<State>,
}

impl World {
    /// A fresh profile at `host`, whose randomness is drawn from `seed`.
    #[must_use]
    pub fn new(host: Timestamp, seed: u64, network: Network) -> Self {
        let state = State {
            host: Cell::new(host),
            started: Cell::new(host),
            set_by: Cell::new(0),
            alarm: Cell::new(None),
            seed: Cell::new(seed),
            network: RefCell::new(network),
            files: RefCell::default(),
            refused_files: Cell::new(0),
            session: RefCell::default(),
            windows: RefCell::default(),
            windows_opened: Cell::new(0),
            opens_after: Cell::new(0),
            badge: Cell::new(0),
            attended: Cell::new(true),
            posts: Cell::new(0),
            all_take_turns: Cell::new(false),
            frames: RefCell::default(),
            closed: RefCell::default(),
        };
        Self {
            store: MemoryStore::taking_turns(),
            state: Rc::new(state),
        }
    }

    /// Another profile, whose journal, files and session are as this one's are now. Its randomness is
    /// drawn from `seed`; no worker, page or window is there yet.
    #[must_use]
    pub fn fork(&self, seed: u64, network: Network) -> Self {
        let fork = Self::new(self.state.host.get(), seed, network);
        *fork.state.files.borrow_mut() = self.state.files.borrow().clone();
        *fork.state.session.borrow_mut() = self.state.session.borrow().clone();
        let store = self.store.snapshot();
        Self { store, ..fork }
    }

    /// The journal.
    #[must_use]
    pub const fn memory(&self) -> &MemoryStore {
        &self.store
    }

    /// The next so many files cannot be written, as on a disk that is full.
    pub fn refuse_files(&self, files: u32) {
        self.state.refused_files.set(files);
    }

    /// Puts another network in place of the one there is.
    pub fn connect(&self, network: Network) {
        *self.state.network.borrow_mut() = network;
    }

    /// The time that really passed, whatever the host's clock was set to.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.state.host.get()
    }

    /// Says what time it really is.
    pub fn set_now(&self, now: Timestamp) {
        self.state.host.set(now);
    }

    /// From now on a window that is to be opened is there so many turns later.
    pub fn open_windows_after(&self, turns: u32) {
        self.state.opens_after.set(turns);
    }

    /// From now on files and the session take a turn before and after, so that a worker can be
    /// killed on both sides of each.
    pub fn all_take_turns(&self) {
        self.state.all_take_turns.set(true);
    }

    async fn turn(&self) {
        if self.state.all_take_turns.get() {
            Turn::default().await;
        }
    }

    /// Removes everything from the journal, as a browser may; files stay.
    pub fn lose_journal(&self) {
        self.store.clear();
    }

    /// Lets time pass.
    pub fn pass(&self, span: Span) {
        self.state.host.set(self.state.host.get().plus(span));
    }

    /// Sets the host's wall clock without letting time pass.
    pub fn set_host_clock(&self, nanos_ahead: i128) {
        self.state.set_by.set(nanos_ahead);
    }

    /// What a worker's death leaves: monotonic time starts anew, windows and ports are gone.
    pub fn worker_died(&self) {
        self.state.started.set(self.state.host.get());
        self.state.frames.borrow_mut().clear();
        self.state.closed.borrow_mut().clear();
    }

    /// What a browser's end leaves besides: no session memory, no windows.
    pub fn browser_ended(&self) {
        self.worker_died();
        *self.state.session.borrow_mut() = None;
        self.state.windows.borrow_mut().clear();
    }

    /// The next alarm, by passing time.
    #[must_use]
    pub fn alarm(&self) -> Option<Timestamp> {
        self.state.alarm.get()
    }

    /// Lets time pass to the next alarm and takes it. `false` where there is none.
    pub fn pass_to_alarm(&self) -> bool {
        let Some(at) = self.state.alarm.take() else {
            return false;
        };
        self.state.host.set(self.state.host.get().max(at));
        true
    }

    /// The windows that are open.
    #[must_use]
    pub fn windows(&self) -> Vec<OpenWindow> {
        self.state.windows.borrow().clone()
    }

    /// The person closes a window.
    pub fn close_window(&self, id: WindowId) {
        self.state
            .windows
            .borrow_mut()
            .retain(|window| window.id != id);
    }

    /// Says whether pages are in front of the person.
    pub fn set_attended(&self, attended: bool) {
        self.state.attended.set(attended);
    }

    /// The number on the badge.
    #[must_use]
    pub fn badge(&self) -> usize {
        self.state.badge.get()
    }

    /// Takes the frames that were posted to a port since the last time.
    pub fn take_frames(&self, port: PortId) -> Vec<String> {
        let mut frames = self.state.frames.borrow_mut();
        let (taken, left) = std::mem::take(&mut *frames)
            .into_iter()
            .partition(|(p, _)| *p == port);
        *frames = left;
        let taken: Vec<(PortId, String)> = taken;
        taken.into_iter().map(|(_, frame)| frame).collect()
    }

    /// A file outside the journal, as it is now.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<Vec<u8>> {
        self.state.files.borrow().get(name).cloned()
    }

    /// How often something was stored or posted so far: a worker that is killed when this has
    /// risen, and not before it rises again, is killed everywhere where it makes a difference.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.store.commits() + self.state.posts.get()
    }

    /// Whether the wallet closed a port.
    #[must_use]
    pub fn is_closed(&self, port: PortId) -> bool {
        self.state.closed.borrow().contains(&port)
    }
}

impl Ports for World {
    type Store = MemoryStore;
    type Mirror = Self;
    type Session = Self;
    type Replica = Self;
    type Clock = Self;
    type Entropy = Self;
    type Texts = Self;
    type Prompter = Self;
    type Pages = Self;
    type Alarms = Self;

    fn store(&self) -> &MemoryStore {
        &self.store
    }
    fn mirror(&self) -> &Self {
        self
    }
    fn session(&self) -> &Self {
        self
    }
    fn replica(&self) -> &Self {
        self
    }
    fn clock(&self) -> &Self {
        self
    }
    fn entropy(&self) -> &Self {
        self
    }
    fn texts(&self) -> &Self {
        self
    }
    fn prompter(&self) -> &Self {
        self
    }
    fn pages(&self) -> &Self {
        self
    }
    fn alarms(&self) -> &Self {
        self
    }
}

impl Clock for World {
    fn host(&self) -> Timestamp {
        let host = i128::from(self.state.host.get().as_nanos()) + self.state.set_by.get();
        Timestamp::from_nanos(u64::try_from(host.max(0)).unwrap_or(u64::MAX))
    }

    fn monotonic(&self) -> Span {
        self.state.host.get().since(self.state.started.get())
    }

    async fn pause(&self, span: Span) {
        let until = self.state.host.get().plus(span);
        Turn::default().await;
        // Whoever pauses shortest is first: time passes only as far as nobody else needs it.
        self.state.host.set(self.state.host.get().max(until));
    }
}

impl Entropy for World {
    /// SplitMix64: repeatable, and good enough for ids in tests.
    fn fill(&self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            let seed = self.state.seed.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
            self.state.seed.set(seed);
            let mut z = seed;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let bytes = (z ^ (z >> 31)).to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
    }
}

impl Texts for World {
    fn nfkd(&self, text: &str) -> String {
        text.nfkd().collect()
    }
}

impl Replica for World {
    async fn get(&self, url: &str) -> Exchange {
        Turn::default().await;
        let request = HttpRequest {
            url: url.to_owned(),
            body: None,
            at: self.state.host.get(),
        };
        let network = Rc::clone(&self.state.network.borrow());
        network(request)
    }

    async fn post(&self, url: &str, body: &[u8]) -> Exchange {
        Turn::default().await;
        let at = self.state.host.get();
        let request = HttpRequest {
            url: url.to_owned(),
            body: Some(body.to_vec()),
            at,
        };
        let network = Rc::clone(&self.state.network.borrow());
        self.state.posts.set(self.state.posts.get() + 1);
        let exchange = network(request);
        // The answer is on its way: a worker that dies here has sent and not heard.
        Turn::default().await;
        exchange
    }
}

impl Mirror for World {
    /// As a browser does it: a file that is new stands there empty for a turn, and a worker that dies
    /// then leaves it so.
    async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), MirrorError> {
        self.turn().await;
        if let Some(left) = self.state.refused_files.get().checked_sub(1) {
            self.state.refused_files.set(left);
            return Err(MirrorError);
        }
        let is_new = !self.state.files.borrow().contains_key(name);
        if is_new {
            let mut files = self.state.files.borrow_mut();
            files.insert(name.to_owned(), Vec::new());
        }
        Turn::default().await;
        {
            let mut files = self.state.files.borrow_mut();
            files.insert(name.to_owned(), bytes.to_vec());
        }
        self.turn().await;
        Ok(())
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, MirrorError> {
        let file = self.state.files.borrow().get(name).cloned();
        Ok(file.filter(|bytes| !bytes.is_empty()))
    }

    async fn remove(&self, name: &str) -> Result<(), MirrorError> {
        self.turn().await;
        self.state.files.borrow_mut().remove(name);
        self.turn().await;
        Ok(())
    }

    async fn names(&self) -> Result<Vec<String>, MirrorError> {
        Ok(self.state.files.borrow().keys().cloned().collect())
    }
}

impl Session for World {
    async fn get(&self) -> Result<Option<Vec<u8>>, SessionError> {
        Ok(self.state.session.borrow().clone())
    }

    async fn put(&self, value: &[u8]) -> Result<(), SessionError> {
        self.turn().await;
        *self.state.session.borrow_mut() = Some(value.to_vec());
        self.turn().await;
        Ok(())
    }

    async fn clear(&self) -> Result<(), SessionError> {
        self.turn().await;
        *self.state.session.borrow_mut() = None;
        self.turn().await;
        Ok(())
    }
}

impl Prompter for World {
    async fn open(&self, _: Window, token: &str) -> Option<WindowId> {
        // A browser takes its time: other work goes on meanwhile.
        for _ in 0..self.state.opens_after.get() {
            Turn::default().await;
        }
        self.state
            .windows_opened
            .set(self.state.windows_opened.get() + 1);
        let id = WindowId(self.state.windows_opened.get());
        self.state.windows.borrow_mut().push(OpenWindow {
            id,
            token: token.to_owned(),
        });
        Some(id)
    }

    async fn focus(&self, window: WindowId) -> bool {
        self.state
            .windows
            .borrow()
            .iter()
            .any(|open| open.id == window)
    }

    async fn close(&self, window: WindowId) {
        self.close_window(window);
    }

    fn badge(&self, waiting: usize) {
        self.state.badge.set(waiting);
    }
}

impl Pages for World {
    fn post(&self, port: PortId, frame: &str) {
        self.state
            .frames
            .borrow_mut()
            .push((port, frame.to_owned()));
    }

    fn close(&self, port: PortId) {
        self.state.closed.borrow_mut().insert(port);
    }

    fn wake(&self) {}

    async fn is_attended(&self, _: PortId) -> bool {
        self.state.attended.get()
    }
}

impl Alarms for World {
    fn wake_after(&self, span: Span) {
        let at = self.state.host.get().plus(span);
        let earlier = self.state.alarm.get().map_or(at, |due| due.min(at));
        self.state.alarm.set(Some(earlier));
    }
}
