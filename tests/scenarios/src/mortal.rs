//! Ports of a worker that can die before and after each call of any of them.
//!
//! Whatever the wallet does goes through here to the simulated world. Before and after each use
//! of a port there is a *moment*; a worker that dies at one does nothing from there on: its
//! futures are pending for ever, and what it says without waiting is heard by nobody.

use countersign_core::ports::store::{
    Batch, CommitError, Query, Row, Store, StoreError, Table, UniqueIndex,
};
use countersign_core::ports::{
    Alarms, Clock, Entropy, Exchange, Mirror, MirrorError, Pages, PortId, Ports, Prompter, Replica,
    Session, SessionError, Texts, Window, WindowId,
};
use countersign_core::testing::{MemoryStore, World};
use countersign_core::time::{Span, Timestamp};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

/// What the world looks like from outside, as a number.
type Look = Rc<dyn Fn() -> u64>;

#[derive(Default)]
struct State {
    dead: Cell<bool>,
    moments: Cell<u64>,
    dies_at: Cell<Option<u64>>,
    answered: Cell<u64>,
    look: RefCell<Option<Look>>,
    seen: RefCell<Vec<u64>>,
}

/// The life of a worker. A clone is another handle on the same.
#[derive(Clone, Default)]
pub struct Life(Rc<State>);

impl Life {
    /// Whether the worker is dead.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.0.dead.get()
    }

    /// Another worker lives from now on. Where the one before it died as ordered, no other does.
    pub(crate) fn begins(&self) {
        if self.is_dead() {
            self.is_safe();
        }
        self.0.dead.set(false);
    }

    /// Nobody dies or is watched from now on.
    pub(crate) fn is_safe(&self) {
        self.0.dies_at.set(None);
        *self.0.look.borrow_mut() = None;
    }

    /// Orders a death at a moment, counted from now on from 0.
    pub(crate) fn dies_at(&self, moment: Option<u64>) {
        self.0.moments.set(0);
        self.0.dies_at.set(moment);
    }

    /// Looks at the world at each moment from now on.
    pub(crate) fn watch(&self, look: Look) {
        *self.0.look.borrow_mut() = Some(look);
        self.0.seen.borrow_mut().clear();
    }

    /// What was seen at the moments since, in order.
    pub(crate) fn seen(&self) -> Vec<u64> {
        self.0.seen.borrow().clone()
    }

    /// How many answers were sent to pages.
    pub(crate) fn answered(&self) -> u64 {
        self.0.answered.get()
    }

    /// A moment. Gives whether the worker lives on.
    fn moment(&self) -> bool {
        if self.is_dead() {
            return false;
        }
        if let Some(look) = &*self.0.look.borrow() {
            self.0.seen.borrow_mut().push(look());
        }
        let moment = self.0.moments.get();
        self.0.moments.set(moment + 1);
        if self.0.dies_at.get() == Some(moment) {
            self.0.dead.set(true);
        }
        !self.is_dead()
    }

    /// A use of a port that takes time. There is a moment wherever other work can come between.
    async fn waits<T>(&self, using: impl Future<Output = T>) -> T {
        let mut using = pin!(using);
        poll_fn(|context| {
            if !self.moment() {
                return Poll::Pending;
            }
            let polled = using.as_mut().poll(context);
            if self.moment() { polled } else { Poll::Pending }
        })
        .await
    }

    /// A use of a port that is over at once.
    fn does(&self, using: impl FnOnce()) {
        if self.moment() {
            using();
            self.moment();
        }
    }
}

/// The ports of one worker.
#[derive(Clone)]
pub struct Mortal {
    world: World,
    life: Life,
}

impl Mortal {
    /// A worker's ports on the world.
    #[must_use]
    pub(crate) const fn new(world: World, life: Life) -> Self {
        Self { world, life }
    }

    const fn journal(&self) -> &MemoryStore {
        self.world.memory()
    }
}

impl Ports for Mortal {
    type Store = Self;
    type Mirror = Self;
    type Session = Self;
    type Replica = Self;
    type Clock = Self;
    type Entropy = Self;
    type Texts = Self;
    type Prompter = Self;
    type Pages = Self;
    type Alarms = Self;

    fn store(&self) -> &Self {
        self
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

impl Store for Mortal {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Row>, StoreError> {
        self.life.waits(self.journal().get(table, key)).await
    }

    async fn find(
        &self,
        table: Table,
        index: UniqueIndex,
        value: &str,
    ) -> Result<Option<Row>, StoreError> {
        let found = self.journal().find(table, index, value);
        self.life.waits(found).await
    }

    async fn list(&self, table: Table, query: Query) -> Result<Vec<Row>, StoreError> {
        self.life.waits(self.journal().list(table, query)).await
    }

    async fn count(&self, table: Table, group: &str) -> Result<usize, StoreError> {
        self.life.waits(self.journal().count(table, group)).await
    }

    async fn commit(&self, batch: Batch) -> Result<(), CommitError> {
        self.life.waits(self.journal().commit(batch)).await
    }
}

impl Mirror for Mortal {
    async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), MirrorError> {
        self.life.waits(self.world.write(name, bytes)).await
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, MirrorError> {
        self.life.waits(self.world.read(name)).await
    }

    async fn remove(&self, name: &str) -> Result<(), MirrorError> {
        self.life.waits(self.world.remove(name)).await
    }

    async fn names(&self) -> Result<Vec<String>, MirrorError> {
        self.life.waits(self.world.names()).await
    }
}

impl Session for Mortal {
    async fn get(&self) -> Result<Option<Vec<u8>>, SessionError> {
        self.life.waits(Session::get(&self.world)).await
    }

    async fn put(&self, value: &[u8]) -> Result<(), SessionError> {
        self.life.waits(self.world.put(value)).await
    }

    async fn clear(&self) -> Result<(), SessionError> {
        self.life.waits(self.world.clear()).await
    }
}

impl Replica for Mortal {
    async fn get(&self, url: &str) -> Exchange {
        self.life.waits(Replica::get(&self.world, url)).await
    }

    async fn post(&self, url: &str, body: &[u8]) -> Exchange {
        self.life.waits(Replica::post(&self.world, url, body)).await
    }
}

impl Clock for Mortal {
    fn host(&self) -> Timestamp {
        self.world.host()
    }

    fn monotonic(&self) -> Span {
        self.world.monotonic()
    }

    async fn pause(&self, span: Span) {
        self.life.waits(self.world.pause(span)).await;
    }
}

impl Entropy for Mortal {
    fn fill(&self, out: &mut [u8]) {
        self.world.fill(out);
    }
}

impl Texts for Mortal {
    fn nfkd(&self, text: &str) -> String {
        self.world.nfkd(text)
    }
}

impl Prompter for Mortal {
    async fn open(&self, window: Window, token: &str) -> Option<WindowId> {
        self.life.waits(self.world.open(window, token)).await
    }

    async fn focus(&self, window: WindowId) -> bool {
        self.life.waits(self.world.focus(window)).await
    }

    async fn close(&self, window: WindowId) {
        self.life.waits(Prompter::close(&self.world, window)).await;
    }

    fn badge(&self, waiting: usize) {
        self.life.does(|| Prompter::badge(&self.world, waiting));
    }
}

impl Pages for Mortal {
    fn post(&self, port: PortId, frame: &str) {
        self.life.does(|| {
            let is_answer = frame.contains("structuredContent");
            let answered = self.life.answered() + u64::from(is_answer);
            self.life.0.answered.set(answered);
            Pages::post(&self.world, port, frame);
        });
    }

    fn close(&self, port: PortId) {
        self.life.does(|| Pages::close(&self.world, port));
    }

    fn wake(&self) {
        self.life.does(|| self.world.wake());
    }

    async fn is_attended(&self, port: PortId) -> bool {
        self.life.waits(self.world.is_attended(port)).await
    }
}

impl Alarms for Mortal {
    fn wake_after(&self, span: Span) {
        self.life.does(|| self.world.wake_after(span));
    }
}
