//! The profile that every history begins with: a wallet that was made once, on a network with two
//! ledgers, and a site that may ask for everything.

use candid::Principal;
use countersign_core::confirm::view::Preset;
use countersign_core::engine::Wallet;
use countersign_core::ports::store::{Batch, Expect, Query, Row, Store as _, Table, Write};
use countersign_core::ports::{Exchange, Session as _};
use countersign_core::testing::{World, run_native, simulated_signature};
use countersign_core::time::Timestamp;
use countersign_localnet::canisters::ledger::{Ledger, Settings, Stamps};
use countersign_localnet::config;
use countersign_localnet::network::{Network, Topology};
use countersign_scenarios::{Mortal, Page, Stage};
use icrc_ledger_types::icrc1::account::Account;
use std::rc::Rc;

/// The site that asks.
pub const SHOP: &str = "https://shop.example";

/// Another site that asks, for the same account.
pub const STALL: &str = "https://stall.example";

/// The seed of the network's keys.
const KEYS: &str = "countersign";

/// What every history begins with.
pub struct Template {
    world: World,
    network: Network,
    payer: Principal,
    /// A wallet that has read the interfaces.
    warm: Rc<Wallet<Mortal>>,
    session: Vec<u8>,
    /// The row with the other half of what opens the vault without the passphrase.
    half: Row,
}

impl Template {
    /// Makes the wallet, adds the network, connects the site.
    ///
    /// # Panics
    ///
    /// Where any of that does not work.
    #[must_use]
    pub fn new() -> Self {
        let mut stage = Stage::seeded(KEYS, 1);
        let ledgers = [Stage::tka(), Stage::gem()];
        let (_page, payer) = stage.connected(SHOP, &ledgers);
        let mut other = Page::open(&mut stage, STALL, "D2");
        let pays_too = other.connects(&mut stage, &ledgers, Preset::All);
        assert_eq!(payer, pays_too, "both sites have the one account");
        let warm = stage.wallet();
        let world = stage.world.fork(1, Rc::new(|_| Exchange::NoAnswer));
        let session = run_native(world.get()).expect("memory answers");
        let rows = |world: &World| {
            run_native(world.memory().list(Table::Settings, Query::All)).expect("memory answers")
        };
        let before = rows(&world);
        stage.spawn(|wallet| async move { wallet.lock().await });
        stage.settle();
        let after = rows(&stage.world);
        let half = before
            .into_iter()
            .find(|row| after.iter().all(|other| other.key != row.key));
        Self {
            world,
            network: Network::simulated(KEYS, Topology::Root, simulated_signature),
            payer,
            warm,
            session: session.expect("the wallet is unlocked"),
            half: Row {
                rev: 1,
                ..half.expect("a lock removes half of the session")
            },
        }
    }

    /// When histories begin.
    #[must_use]
    pub fn begin(&self) -> Timestamp {
        self.world.now()
    }

    /// The same profile, for one history.
    #[must_use]
    pub fn world(&self, seed: u64, network: countersign_core::testing::Network) -> World {
        let world = self.world.fork(seed, network);
        world.all_take_turns();
        world
    }

    /// A worker's wallet on a profile.
    #[must_use]
    pub fn wallet(&self, world: &World) -> Rc<Wallet<World>> {
        Rc::new(Wallet::new(world.clone()).with_tools_of(&self.warm))
    }

    /// The same network with fresh ledgers, on which the wallet has plenty. TKA is known to
    /// deduplicate and does; GEM claims to and does not.
    #[must_use]
    pub fn network(&self) -> Network {
        self.network_of(self.payer)
    }

    /// The same for another payer.
    ///
    /// # Panics
    ///
    /// Where there is no room for the tokens.
    #[must_use]
    pub fn network_of(&self, payer: Principal) -> Network {
        let mut network = self.network.sibling();
        let begin = self.begin().as_nanos();
        network.pass_time(begin);
        for settings in [
            config::tka(),
            Settings {
                stamps: Stamps::Checked,
                ..config::gem()
            },
        ] {
            let mut ledger = Ledger::new(settings);
            ledger
                .mint(Account::from(payer), 10_u128.pow(19), begin)
                .expect("the amount fits");
            network.install(ledger);
        }
        network
    }

    /// What an unlock leaves, without the cost of stretching the passphrase: the caller lets the
    /// worker take up the session.
    pub fn unlock(&self, world: &World) {
        let write = Write::Put {
            table: Table::Settings,
            expect: Expect::Absent,
            row: self.half.clone(),
        };
        // It is there already where only the browser's memory was lost.
        let _ = run_native(world.memory().commit(Batch {
            writes: vec![write],
            audit: Vec::new(),
        }));
        let _ = run_native(world.put(&self.session));
    }
}

impl Default for Template {
    fn default() -> Self {
        Self::new()
    }
}
