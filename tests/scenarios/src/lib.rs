//! The stage on which scenarios play: one browser profile with its wallet, pages and person, and
//! one local network with two ledgers, all in this process and all driven by hand.
//!
//! Nothing here waits for real time. Certificates are real: the network signs them with its own
//! key, and the wallet checks them as it always does.

#![forbid(unsafe_code)]

pub mod doubt;
pub mod grown;
pub mod icp;
pub mod lunch;
mod mortal;
mod page;
mod person;
pub mod stranger;
pub mod sweep;
pub mod vault;

pub use mortal::{Life, Mortal};
pub use page::Page;
pub use person::{PASSPHRASE, Person};

use candid::Principal;
use countersign_core::engine::{Wallet, read_intent};
use countersign_core::intent::Intent;
use countersign_core::ports::store::{Query, Store as _, Table};
use countersign_core::ports::{Exchange, PortId};
use countersign_core::profile::Document;
use countersign_core::testing::{Executor, HttpRequest, World, run_native, simulated_signature};
use countersign_core::time::{Span, Timestamp};
use countersign_localnet::Config;
use countersign_localnet::canisters::ledger::Ledger;
use countersign_localnet::faults::{Fault, Kind, Reply};
use countersign_localnet::network::{Answer, Counters, Network};
use icrc_ledger_types::icrc1::account::Account;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Where the network is reached.
pub const URL: &str = "http://127.0.0.1:4943";

/// When scenarios begin: the certified time of the specification's example.
pub const BEGIN: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);

/// Paths and bodies of calls.
pub type Recorded = Rc<RefCell<Vec<(String, Vec<u8>)>>>;

/// What a fork's randomness is drawn from: another than any stage's, so that nothing is drawn twice.
const OTHER_SEED: u64 = 1 << 40;

/// Everything a scenario plays with.
pub struct Stage {
    /// The profile: journal, clock, windows.
    pub world: World,
    /// The local network.
    pub network: Rc<RefCell<Network>>,
    /// Whether the network can be reached.
    pub connected: Rc<Cell<bool>>,
    /// The life of the worker that there is.
    pub life: Life,
    executor: Executor,
    wallet: Rc<Wallet<Mortal>>,
    profiles: Vec<Document>,
    next_port: u32,
    /// How many workers have been started.
    pub lives: u32,
}

impl Stage {
    /// A fresh profile and a fresh network.
    #[must_use]
    pub fn new() -> Self {
        Self::seeded("countersign", 1)
    }

    /// The same with the canisters of which a person has to be warned on the network.
    #[must_use]
    pub fn with_odd_ones() -> Self {
        Self::on(&Config::seeded("countersign").with_odd_ones(), 1)
    }

    /// The same with ledgers on the network that have rules of their own.
    #[must_use]
    pub fn with_special_ones() -> Self {
        Self::on(&Config::seeded("countersign").with_special_ones(), 1)
    }

    /// A fresh profile whose randomness comes from `seed`, and a network with keys from `keys`.
    #[must_use]
    pub fn seeded(keys: &str, seed: u64) -> Self {
        Self::on(&Config::seeded(keys), seed)
    }

    fn on(config: &Config, seed: u64) -> Self {
        let network = Rc::new(RefCell::new(config.network()));
        let connected = Rc::new(Cell::new(true));
        let world = World::new(BEGIN, seed, answers(&network, &connected));
        let life = Life::default();
        let wallet = Rc::new(Wallet::new(Mortal::new(world.clone(), life.clone())));
        let executor = Executor::new();
        let mut stage = Self {
            world,
            network,
            connected,
            life,
            executor,
            wallet,
            profiles: Vec::new(),
            next_port: 0,
            lives: 0,
        };
        stage.start_worker();
        stage
    }

    /// The same with profiles as the person would have given them.
    #[must_use]
    pub fn with_profiles(mut self, profiles: Vec<Document>) -> Self {
        self.profiles = profiles;
        self.kill_worker();
        self
    }

    fn new_wallet(&self) -> Rc<Wallet<Mortal>> {
        let wallet = Wallet::new(Mortal::new(self.world.clone(), self.life.clone()));
        Rc::new(wallet.with_profiles(self.profiles.clone()))
    }

    /// The ledger TKA's id.
    #[must_use]
    pub fn tka() -> Principal {
        countersign_localnet::config::tka_id()
    }

    /// The second ledger's id.
    #[must_use]
    pub fn gem() -> Principal {
        countersign_localnet::config::gem_id()
    }

    /// The wallet of the worker that lives now.
    #[must_use]
    pub fn wallet(&self) -> Rc<Wallet<Mortal>> {
        Rc::clone(&self.wallet)
    }

    /// A port that was never used.
    pub fn port(&mut self) -> PortId {
        self.next_port += 1;
        PortId(self.next_port)
    }

    /// Adds work to the worker.
    pub fn spawn<F: Future<Output = ()> + 'static>(
        &self,
        work: impl FnOnce(Rc<Wallet<Mortal>>) -> F,
    ) {
        self.executor.spawn(work(self.wallet()));
    }

    /// One turn. Gives whether there is another: a dead worker has none.
    fn turn(&self) -> bool {
        self.executor.turn() && !self.life.is_dead()
    }

    /// Lets the worker work until nothing is left to do now, or it is dead.
    ///
    /// # Panics
    ///
    /// Where it never comes to rest.
    pub fn settle(&self) {
        for _ in 0..100_000 {
            if !self.turn() {
                return;
            }
        }
        panic!("the worker never comes to rest");
    }

    /// Lets the worker take `turns` turns.
    pub fn turns(&self, turns: u32) {
        for _ in 0..turns {
            if !self.turn() {
                return;
            }
        }
    }

    /// Lets time pass, alarm by alarm, with the worker awake at each. It stops where the worker dies.
    pub fn pass(&self, span: Span) {
        let until = self.world.now().plus(span);
        while self.world.alarm().is_some_and(|at| at <= until) {
            self.world.pass_to_alarm();
            self.spawn(|wallet| async move { wallet.wake().await });
            self.settle();
            if self.life.is_dead() {
                return;
            }
        }
        self.world.pass(until.since(self.world.now()));
    }

    /// Lets the worker work until something was stored or posted `steps` times more. Gives whether
    /// that happened; else the worker rests.
    pub fn steps(&self, steps: u64) -> bool {
        let until = self.world.steps() + steps;
        while self.world.steps() < until {
            if !self.turn() {
                return self.world.steps() >= until;
            }
        }
        true
    }

    /// Kills the worker where it stands and starts another. Pages and windows have to connect anew.
    pub fn kill_worker(&mut self) {
        self.stop_worker();
        self.start_worker();
    }

    /// Kills the worker where it stands; none is started.
    pub fn stop_worker(&mut self) {
        self.executor.kill();
        self.world.worker_died();
    }

    /// Ends the browser and starts it again.
    pub fn restart_browser(&mut self) {
        self.executor.kill();
        self.world.browser_ended();
        self.life.begins();
        self.wallet = self.new_wallet();
        self.spawn(|wallet| async move { wallet.browser_started().await });
        self.settle();
        self.start_worker();
    }

    /// Starts a worker on what is stored.
    pub fn start_worker(&mut self) {
        self.begin_worker();
        self.spawn(|wallet| async move { wallet.boot().await });
        self.settle();
    }

    /// Starts a second worker beside the one that lives, as while the extension is updated. It is the
    /// one that is spoken to from now on; the first works on.
    pub fn second_worker(&mut self) {
        self.begin_worker();
        self.spawn(|wallet| async move { wallet.boot().await });
    }

    /// Starts a worker that does nothing of itself yet.
    pub fn begin_worker(&mut self) {
        self.lives += 1;
        self.life.begins();
        self.wallet = self.new_wallet();
    }

    /// Another stage on which everything is as here now, and goes its own way from here. A new worker
    /// lives there: pages and windows have to connect anew. The network there signs in a way that costs
    /// nothing to check, where the thread simulates signatures.
    #[must_use]
    pub fn fork(&self) -> Self {
        let network = self.network.borrow().fork();
        let network = Rc::new(RefCell::new(network.simulated_by(simulated_signature)));
        let connected = Rc::new(Cell::new(self.connected.get()));
        let (world, life) = (
            self.world.fork(OTHER_SEED, answers(&network, &connected)),
            Life::default(),
        );
        let wallet = Wallet::new(Mortal::new(world.clone(), life.clone()));
        let mut stage = Self {
            world,
            network,
            connected,
            life,
            executor: Executor::new(),
            wallet: Rc::new(wallet),
            profiles: self.profiles.clone(),
            next_port: self.next_port,
            lives: self.lives,
        };
        stage.kill_worker();
        stage
    }

    /// Orders a fault of the network.
    pub fn fault(&self, fault: Fault) {
        self.network.borrow_mut().faults.order(fault);
    }

    /// Orders a fault of the network by name.
    ///
    /// # Panics
    ///
    /// Where no fault has this name.
    pub fn fault_named(&self, name: &str) {
        self.fault(Fault::named(name).expect("the fault is one of the local network's"));
    }

    /// No ledger's log can be read from now on.
    pub fn hide_logs(&self) {
        for (kind, method) in [
            (Kind::Query, "icrc3_get_tip_certificate"),
            (Kind::Call, "query_blocks"),
        ] {
            self.fault(Fault {
                method: Some(method.to_owned()),
                times: None,
                reply: Reply::Drop,
                ..Fault::on(kind)
            });
        }
    }

    /// Ends all faults.
    pub fn mend(&self) {
        self.network.borrow_mut().faults.clear();
    }

    /// What the network saw of a canister.
    #[must_use]
    pub fn counters(&self, id: Principal) -> Counters {
        self.network.borrow().counters(id)
    }

    /// Whether the call with this preview id was said yes to.
    #[must_use]
    pub fn is_approved(&self, preview: &str) -> bool {
        self.intent(preview)
            .is_some_and(|intent| intent.ask().is_some_and(|ask| ask.yes.is_some()))
    }

    /// How many intents are stored.
    ///
    /// # Panics
    ///
    /// Where the journal cannot be read.
    #[must_use]
    pub fn intents(&self) -> usize {
        let all = self.world.memory().list(Table::Intents, Query::All);
        run_native(all).expect("the journal can be read").len()
    }

    /// The stored intent with this preview id.
    #[must_use]
    pub fn intent(&self, preview: &str) -> Option<Intent> {
        let row = run_native(self.world.memory().get(Table::Intents, preview)).ok()??;
        read_intent(&row).ok().map(|stored| stored.intent)
    }

    /// From now on, notes path and body of every call that is posted.
    pub fn record_calls(&self) -> Recorded {
        let recorded = Recorded::default();
        let (network, connected) = (Rc::clone(&self.network), Rc::clone(&self.connected));
        let (pass_on, noted) = (answers(&network, &connected), Rc::clone(&recorded));
        self.world.connect(Rc::new(move |request: HttpRequest| {
            if let (Some(body), Some(path)) = (&request.body, request.url.strip_prefix(URL))
                && path.ends_with("/call")
            {
                noted.borrow_mut().push((path.to_owned(), body.clone()));
            }
            pass_on(request)
        }));
        recorded
    }

    /// Gives tokens.
    ///
    /// # Panics
    ///
    /// Where there is no such ledger.
    pub fn mint(&self, ledger: Principal, to: Principal, units: u128) {
        let now = self.world.now().as_nanos();
        let mut network = self.network.borrow_mut();
        let ledger = network
            .ledger_mut(ledger)
            .expect("the ledger is on the network");
        ledger
            .mint(Account::from(to), units, now)
            .expect("the amount fits");
    }

    /// Does something to a ledger.
    ///
    /// # Panics
    ///
    /// Where there is no such ledger.
    pub fn on_ledger(&self, ledger: Principal, act: impl FnOnce(&mut Ledger)) {
        let mut network = self.network.borrow_mut();
        act(network
            .ledger_mut(ledger)
            .expect("the ledger is on the network"));
    }

    /// A balance in base units.
    ///
    /// # Panics
    ///
    /// Where there is no such ledger.
    #[must_use]
    pub fn balance(&self, ledger: Principal, of: Principal) -> u128 {
        let network = self.network.borrow();
        let ledger = network
            .ledger(ledger)
            .expect("the ledger is on the network");
        ledger.balance(&Account::from(of))
    }

    /// The amounts of all transfers in a ledger's log that are not mints.
    #[must_use]
    pub fn transfers(&self, ledger: Principal) -> Vec<u128> {
        let network = self.network.borrow();
        let ledger = network
            .ledger(ledger)
            .expect("the ledger is on the network");
        ledger.blocks().iter().filter_map(transfer).collect()
    }

    /// The stamps of all transfers in a ledger's log that are not mints.
    ///
    /// # Panics
    ///
    /// Where there is no such ledger.
    #[must_use]
    pub fn stamps(&self, ledger: Principal) -> Vec<u64> {
        let network = self.network.borrow();
        let ledger = network
            .ledger(ledger)
            .expect("the ledger is on the network");
        let transfers = ledger.blocks().iter();
        transfers
            .filter_map(|block| {
                let transaction = &block.transaction;
                transaction.transfer.as_ref()?.created_at_time
            })
            .collect()
    }
}

impl Default for Stage {
    fn default() -> Self {
        Self::new()
    }
}

/// The network as the wallet's requests meet it.
fn answers(
    network: &Rc<RefCell<Network>>,
    connected: &Rc<Cell<bool>>,
) -> countersign_core::testing::Network {
    let (network, connected) = (Rc::clone(network), Rc::clone(connected));
    Rc::new(move |request: HttpRequest| {
        let Some(path) = request.url.strip_prefix(URL).filter(|_| connected.get()) else {
            return Exchange::NoAnswer;
        };
        let (method, body) = match &request.body {
            Some(body) => ("POST", body.as_slice()),
            None => ("GET", [].as_slice()),
        };
        let response = network
            .borrow_mut()
            .handle(method, path, body, request.at.as_nanos());
        match response.answer {
            Answer::Http { status, body, .. } => Exchange::Answer { status, body },
            Answer::Dropped => Exchange::NoAnswer,
        }
    })
}

fn transfer(block: &countersign_localnet::canisters::ledger::Block) -> Option<u128> {
    let transfer = block.transaction.transfer.as_ref()?;
    u128::try_from(transfer.amount.0.clone()).ok()
}
