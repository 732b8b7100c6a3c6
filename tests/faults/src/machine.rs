//! One browser with its worker, its pages and its person, driven by hand; the worker can be killed
//! at any turn.

use crate::net::{Net, hash};
use crate::template::{SHOP, STALL, Template};
use countersign_core::confirm::view::Asked;
use countersign_core::engine::{Wallet, read_intent};
use countersign_core::ids::PreviewId;
use countersign_core::intent::Intent;
use countersign_core::policy::{OwnSender, Sender};
use countersign_core::ports::store::{Query, Store as _, Table};
use countersign_core::ports::{Exchange, PortId};
use countersign_core::testing::{Executor, HttpRequest, MemoryStore, World, run_native};
use countersign_core::time::Span;
use countersign_core::wire::page::{Channel, FromPage, ToPage};
use countersign_core::wire::ui::{
    Action, Command, Place, Screen, ToWindow, ToWorker, from_json, to_json,
};
use countersign_core::wire::{page, ui};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// After so many turns a worker that still has something to do is taken to never come to rest.
const RESTLESS: u32 = 20_000;

/// An answer that a page was given.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Of which document.
    pub document: String,
    /// To which request.
    pub id: u64,
    /// What it says: `structuredContent`.
    pub told: Value,
    /// When, in the order of everything that was seen.
    pub seq: u64,
}

/// What a person does with an ask.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Decision {
    /// Says yes.
    Yes,
    /// Says yes, and once more, as a double click does.
    TwiceYes,
    /// Says no.
    No,
    /// Closes the window.
    Closes,
    /// Looks and does nothing.
    Looks,
}

/// What happens once the person's yes is stored, before it is carried out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Beside {
    /// In so many turns, nothing can be read for so long.
    Unreachable(u32, Span),
    /// The wallet is locked in so many turns.
    Locks(u32),
    /// The worker dies in so many turns.
    Dies(u32),
    /// The next so many files cannot be written.
    DiskFull(u32),
}

struct Tab {
    origin: &'static str,
    document: String,
    port: PortId,
    next: u64,
    open: BTreeMap<u64, String>,
}

/// The browser.
pub struct Machine<'t> {
    /// The profile.
    pub world: World,
    /// The network.
    pub net: Rc<RefCell<Net>>,
    /// In how many turns the worker dies.
    pub dies_in: Option<u32>,
    /// Whether the browser ends with it.
    pub browser_ends: bool,
    /// In how many turns the wallet is locked.
    pub locks_in: Option<u32>,
    /// In how many turns nothing can be read for how long.
    pub unreachable_in: Option<(u32, Span)>,
    /// What happens once the next yes is stored.
    pub beside: Option<Beside>,
    is_armed: bool,
    /// Every answer that a page was given.
    pub heard: Vec<Heard>,
    /// How often the worker was killed.
    pub kills: u32,
    /// How often it was killed with something left to do.
    pub kills_at_work: u32,
    /// How often it was killed with something stored that was not done yet: a yes that was not
    /// signed, a call that was signed or handed over and not sent.
    pub kills_between: u32,
    /// Intents as a journal had them that was then put away for an older one.
    pub put_away: Vec<Intent>,
    /// What the person saw last, in short.
    pub seen: String,
    /// Calls that the person pressed yes for.
    pub yeses: BTreeSet<PreviewId>,
    /// Whether the worker ever failed to come to rest.
    pub restless: bool,
    template: &'t Template,
    executor: Executor,
    wallet: Rc<Wallet<World>>,
    tabs: Vec<Tab>,
    documents: u32,
    ports: u32,
    saved: Option<MemoryStore>,
}

impl<'t> Machine<'t> {
    /// A browser with two tabs of one site and one of another.
    #[must_use]
    pub fn new(template: &'t Template, seed: u64, net: Net) -> Self {
        let net = Rc::new(RefCell::new(net));
        let answering = Rc::clone(&net);
        let network: countersign_core::testing::Network =
            Rc::new(move |request: HttpRequest| -> Exchange {
                answering.borrow_mut().answer(&request)
            });
        let world = template.world(seed, network);
        let wallet = template.wallet(&world);
        let mut machine = Self {
            world,
            net,
            dies_in: None,
            browser_ends: false,
            locks_in: None,
            unreachable_in: None,
            beside: None,
            is_armed: false,
            heard: Vec::new(),
            kills: 0,
            kills_at_work: 0,
            kills_between: 0,
            put_away: Vec::new(),
            seen: String::new(),
            yeses: BTreeSet::new(),
            restless: false,
            template,
            executor: Executor::new(),
            wallet,
            tabs: Vec::new(),
            documents: 0,
            ports: 0,
            saved: None,
        };
        machine.start();
        machine.open_tabs();
        machine.run();
        machine
    }

    fn spawn<F: Future<Output = ()> + 'static>(&self, work: impl FnOnce(Rc<Wallet<World>>) -> F) {
        self.executor.spawn(work(Rc::clone(&self.wallet)));
    }

    fn start(&mut self) {
        self.wallet = self.template.wallet(&self.world);
        self.spawn(|wallet| async move { wallet.boot().await });
    }

    /// Lets the worker work until it rests, or dies where that was ordered.
    pub fn run(&mut self) {
        for _ in 0..RESTLESS {
            if let Some(left) = &mut self.dies_in {
                if *left == 0 {
                    self.dies_in = None;
                    self.kill();
                    continue;
                }
                *left -= 1;
            }
            if self.is_armed && self.beside.is_some() && self.has_stored_yes() {
                self.begin_beside();
            }
            if let Some(left) = &mut self.locks_in {
                if *left == 0 {
                    self.locks_in = None;
                    self.spawn(|wallet| async move { wallet.lock().await });
                } else {
                    *left -= 1;
                }
            }
            if let Some((left, span)) = &mut self.unreachable_in {
                if *left == 0 {
                    let until = self.world.now().plus(*span);
                    self.unreachable_in = None;
                    self.net.borrow_mut().deafen(until);
                } else {
                    *left -= 1;
                }
            }
            if !self.executor.turn() {
                self.listen();
                if !self.executor.turn() {
                    return;
                }
            }
        }
        self.restless = true;
        self.executor.kill();
    }

    /// Kills the worker where it stands and starts another; pages connect anew and say again what
    /// is open.
    pub fn kill(&mut self) {
        self.kills += 1;
        if self.executor.turn() {
            self.kills_at_work += 1;
            if self.is_between() {
                self.kills_between += 1;
            }
        }
        self.executor.kill();
        if std::mem::take(&mut self.browser_ends) {
            self.world.browser_ended();
            self.tabs.clear();
            self.wallet = self.template.wallet(&self.world);
            self.spawn(|wallet| async move { wallet.browser_started().await });
            self.start_beside();
            self.open_tabs();
        } else {
            self.world.worker_died();
            self.start();
            for tab in 0..self.tabs.len() {
                self.connect(tab);
            }
        }
    }

    /// Whether something is stored of which the worker has still to do what it stands for.
    fn is_between(&self) -> bool {
        let net = self.net.borrow();
        self.intents().iter().any(|intent| {
            let unsigned = intent.ask().is_some_and(|ask| ask.yes.is_some());
            let unsent = intent
                .envelopes()
                .iter()
                .any(|envelope| !net.posted.contains_key(&hash(&envelope.signed.call)));
            intent.end().is_none() && (unsigned || unsent)
        })
    }

    /// Keeps the journal as it is now.
    pub fn save(&mut self) {
        self.saved = Some(self.world.memory().snapshot());
    }

    /// Whether a journal was kept.
    #[must_use]
    pub const fn has_saved(&self) -> bool {
        self.saved.is_some()
    }

    /// Puts the kept journal in the place of the one there is, where one was kept; the worker begins
    /// anew on it.
    pub fn restore(&mut self) {
        let Some(saved) = self.saved.take() else {
            return;
        };
        self.executor.kill();
        self.put_away.extend(self.intents());
        self.world.memory().restore(&saved);
        self.kill();
        self.run();
    }

    fn start_beside(&self) {
        self.spawn(|wallet| async move { wallet.boot().await });
    }

    fn port(&mut self) -> PortId {
        self.ports += 1;
        PortId(self.ports)
    }

    /// Two tabs of one site, and one of another.
    fn open_tabs(&mut self) {
        for origin in [SHOP, SHOP, STALL] {
            self.open_tab(origin);
        }
    }

    fn open_tab(&mut self, origin: &'static str) {
        self.documents += 1;
        let tab = Tab {
            origin,
            document: format!("D{}", self.documents),
            port: PortId(0),
            next: 0,
            open: BTreeMap::new(),
        };
        self.tabs.push(tab);
        self.connect(self.tabs.len() - 1);
    }

    fn connect(&mut self, tab: usize) {
        let port = self.port();
        let tab = &mut self.tabs[tab];
        tab.port = port;
        let sender = Sender {
            origin: tab.origin.to_owned(),
            top_origin: tab.origin.to_owned(),
            document_id: tab.document.clone(),
            frame_id: 0,
            lifecycle: "active".to_owned(),
        };
        let mut frames = vec![FromPage::Hello { v: page::VERSION }];
        frames.extend(tab.open.values().map(|msg| FromPage::Resume {
            channel: channel(),
            msg: msg.clone(),
            age_ms: 31_000,
        }));
        self.wallet.page_connected(port, &sender);
        for frame in &frames {
            self.send(port, frame);
        }
    }

    fn send(&self, port: PortId, frame: &FromPage) {
        let text = serde_json::to_string(frame).expect("frames are texts");
        self.spawn(move |wallet| async move { wallet.page_frame(port, &text).await });
    }

    /// Reloads a tab: its document is gone, and another one is there.
    pub fn reload(&mut self, tab: usize) {
        let port = self.tabs[tab].port;
        self.spawn(move |wallet| async move { wallet.page_gone(port).await });
        self.documents += 1;
        self.tabs[tab] = Tab {
            origin: self.tabs[tab].origin,
            document: format!("D{}", self.documents),
            port: PortId(0),
            next: 0,
            open: BTreeMap::new(),
        };
        self.connect(tab);
        self.run();
    }

    /// Whether a document is there and waits for the answer to a request.
    #[must_use]
    pub fn is_open(&self, document: &str, id: u64) -> bool {
        let tab = self.tabs.iter().find(|tab| tab.document == document);
        tab.is_some_and(|tab| tab.open.contains_key(&id))
    }

    /// The document of a tab.
    #[must_use]
    pub fn document(&self, tab: usize) -> &str {
        &self.tabs[tab].document
    }

    /// Calls a tool. The worker has not worked yet.
    pub fn begin(&mut self, tab: usize, tool: &str, arguments: &Value) -> u64 {
        let (id, port) = (self.tabs[tab].next, self.tabs[tab].port);
        self.tabs[tab].next += 1;
        let params = json!({ "name": tool, "arguments": arguments });
        let msg = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
            .to_string();
        self.tabs[tab].open.insert(id, msg.clone());
        let channel = channel();
        self.send(port, &FromPage::Rpc { channel, msg });
        self.world.pass(Span::from_millis(60));
        id
    }

    /// Takes what was posted to the tabs, and acknowledges it.
    fn listen(&mut self) {
        for at in 0..self.tabs.len() {
            let port = self.tabs[at].port;
            for frame in self.world.take_frames(port) {
                let frame = serde_json::from_str(&frame).expect("the worker posts frames");
                let ToPage::Post { msg, n, .. } = frame else {
                    continue;
                };
                let message: Value = serde_json::from_str(&msg).expect("the worker posts JSON");
                if let (Some(id), None) = (
                    message.get("id").and_then(Value::as_u64),
                    message.get("method"),
                ) {
                    self.tabs[at].open.remove(&id);
                    let seq = self.net.borrow_mut().tick();
                    self.heard.push(Heard {
                        document: self.tabs[at].document.clone(),
                        id,
                        told: message["result"]["structuredContent"].clone(),
                        seq,
                    });
                }
                if let Some(n) = n {
                    self.send(port, &FromPage::Ack { n });
                }
            }
        }
    }

    /// Lets time pass, alarm by alarm, with the worker awake at each.
    pub fn pass(&mut self, span: Span) {
        let until = self.world.now().plus(span);
        while self.world.alarm().is_some_and(|at| at <= until) {
            self.world.pass_to_alarm();
            self.arrive();
            self.spawn(|wallet| async move { wallet.wake().await });
            self.run();
        }
        self.world.pass(until.since(self.world.now()));
        self.arrive();
    }

    fn arrive(&self) {
        let now = self.world.now();
        self.net.borrow_mut().arrive(now);
    }

    /// Locks the wallet.
    pub fn lock(&mut self) {
        self.spawn(|wallet| async move { wallet.lock().await });
        self.run();
    }

    /// Unlocks the wallet.
    pub fn unlock(&mut self) {
        if self.wallet.is_unlocked() {
            return;
        }
        self.template.unlock(&self.world);
        self.spawn(|wallet| async move {
            wallet.take_up().await;
            wallet.wake().await;
        });
        self.run();
    }

    /// Whether it is unlocked.
    #[must_use]
    pub fn is_unlocked(&self) -> bool {
        self.wallet.is_unlocked()
    }

    /// The person looks at the ask that is shown, and decides. Gives whether there was one.
    pub fn decide(&mut self, decision: Decision) -> bool {
        if self.world.badge() == 0 {
            self.seen = "no badge".to_owned();
            return false;
        }
        let window = self.world.windows().pop();
        if let (Decision::Closes, Some(window)) = (decision, &window) {
            let id = window.id;
            self.world.close_window(id);
            self.spawn(move |wallet| async move { wallet.window_closed(id).await });
            self.run();
            return true;
        }
        let shown = window.and_then(|window| {
            let desk = self.desk(Some(window.token), Place::Asks)?;
            let view = desk.look(self);
            if view.is_none() {
                // A window of a journal that is no longer there is not served: it says so, and is
                // closed.
                self.world.close_window(window.id);
                self.spawn(move |wallet| async move { wallet.window_closed(window.id).await });
                self.run();
            }
            Some((desk, view?))
        });
        let shown = shown.or_else(|| {
            let desk = self.desk(None, Place::Asks)?;
            let view = desk.look(self)?;
            Some((desk, view))
        });
        let Some((mut desk, (screen, seq))) = shown else {
            self.seen = "nothing".to_owned();
            return false;
        };
        self.seen = format!("{screen:?}").chars().take(40).collect();
        let mut found = false;
        if let Screen::Ask(ask) = &screen
            && let Asked::Call(call) = &ask.what
        {
            found = true;
            let yes = Command::Approve {
                ask: ask.id,
                preview: call.preview,
                digest: call.digest,
                acknowledged: call.to_acknowledge(),
            };
            if let Decision::Yes | Decision::TwiceYes = decision {
                self.yeses.insert(call.preview);
                self.is_armed = true;
            }
            match decision {
                Decision::Yes => desk.press(self, seq, yes),
                Decision::TwiceYes => {
                    desk.press(self, seq, yes.clone());
                    desk.press(self, seq, yes);
                }
                Decision::No => desk.press(self, seq, Command::Decline { ask: ask.id }),
                Decision::Closes | Decision::Looks => {}
            }
        } else if let Screen::Ask(ask) = &screen
            && let Asked::Connect(connect) = &ask.what
        {
            found = true;
            let shown = connect.shown;
            desk.press(self, seq, Command::Connect { ask: ask.id, shown });
        } else if !matches!(screen, Screen::Unlock(_)) {
            desk.press(self, seq, Command::Next);
        }
        self.run();
        self.is_armed = false;
        desk.leave(self);
        found
    }

    /// Whether a yes is stored that was not carried out yet.
    fn has_stored_yes(&self) -> bool {
        let intents = self.intents();
        let mut asks = intents.iter().filter_map(Intent::ask);
        asks.any(|ask| ask.yes.is_some())
    }

    fn begin_beside(&mut self) {
        match self.beside.take() {
            None => {}
            Some(Beside::Unreachable(turns, span)) => self.unreachable_in = Some((turns, span)),
            Some(Beside::Locks(turns)) => self.locks_in = Some(turns),
            Some(Beside::Dies(turns)) => self.dies_in = Some(turns),
            Some(Beside::DiskFull(files)) => self.world.refuse_files(files),
        }
    }

    /// The person says of a call what came of it, on its own page.
    pub fn settle(&mut self, intent: &Intent, action: Action) {
        let preview = intent.preview();
        let Some(mut desk) = self.desk(None, Place::Intent(preview)) else {
            return;
        };
        if let Some((_, seq)) = desk.look(self) {
            desk.press(self, seq, Command::Act { preview, action });
        }
        self.run();
        desk.leave(self);
    }

    /// Opens one of our pages, or connects one that is open.
    fn desk(&mut self, token: Option<String>, place: Place) -> Option<Desk> {
        let token = match token {
            Some(token) => token,
            None => {
                let made = Rc::new(RefCell::new(None));
                let out = Rc::clone(&made);
                self.spawn(move |wallet| async move {
                    let token = wallet.new_token().await;
                    *out.borrow_mut() = token;
                });
                self.run();
                let token = made.borrow_mut().take();
                token?
            }
        };
        let port = self.port();
        let sender = OwnSender {
            extension: "countersign".to_owned(),
            own: "countersign".to_owned(),
            origin: "chrome-extension://countersign".to_owned(),
            own_origin: "chrome-extension://countersign".to_owned(),
            path: "/confirm.html".to_owned(),
            document_id: format!("own-{token}"),
            frame_id: 0,
        };
        self.wallet.window_connected(port, &sender);
        let desk = Desk { port, n: 0 };
        desk.send(
            self,
            &ToWorker::Hello {
                v: ui::VERSION,
                token,
                place,
            },
        );
        self.run();
        Some(desk)
    }

    /// Every stored intent.
    ///
    /// # Panics
    ///
    /// Where one cannot be read.
    #[must_use]
    pub fn intents(&self) -> Vec<Intent> {
        let rows = run_native(self.world.memory().list(Table::Intents, Query::All));
        let rows = rows.expect("the journal can be read");
        rows.iter()
            .map(|row| read_intent(row).expect("an intent is read").intent)
            .collect()
    }
}

/// One of our pages while the person is at it.
struct Desk {
    port: PortId,
    n: u64,
}

impl Desk {
    fn send(&self, machine: &Machine<'_>, frame: &ToWorker) {
        let (port, text) = (self.port, to_json(frame));
        machine.spawn(move |wallet| async move { wallet.window_frame(port, &text).await });
    }

    /// The newest view; `None` where the page is not served.
    fn look(&self, machine: &Machine<'_>) -> Option<(Screen, u64)> {
        let newest = machine.world.take_frames(self.port).pop()?;
        match from_json::<ToWindow>(&newest).expect("the worker pushes views") {
            ToWindow::View { seq, view, .. } => Some((view.screen, seq)),
            ToWindow::Refused(_) => None,
        }
    }

    fn press(&mut self, machine: &Machine<'_>, seq: u64, command: Command) {
        self.n += 1;
        let n = self.n;
        self.send(machine, &ToWorker::Do { n, seq, command });
    }

    fn leave(self, machine: &Machine<'_>) {
        machine.wallet.window_gone(self.port);
    }
}

fn channel() -> Channel {
    Channel::try_from("countersign".to_owned()).expect("the channel is ours")
}
