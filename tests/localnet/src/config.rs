//! What a local network is started with.

use crate::{
    canisters::ledger::{Ledger, Settings, Tokens},
    network::{Network, Topology},
};
use candid::Principal;
use icrc_ledger_types::icrc1::account::Account;

/// What a local network is started with.
#[derive(Clone, Debug)]
pub struct Config {
    /// Decides every key. Two seeds are two networks.
    pub seed: String,
    /// Whether certificates carry a delegation.
    pub topology: Topology,
    /// The port of the network; 0: any free one.
    pub port: u16,
    /// The port of the control interface; 0: any free one.
    pub control_port: u16,
    /// The ledgers on it.
    pub ledgers: Vec<Settings>,
    /// Which of them are *known* to deduplicate: what the person writes into the wallet's list for
    /// this network. Of the others it is only claimed.
    pub known_to_deduplicate: Vec<Principal>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: "countersign".into(),
            topology: Topology::Root,
            port: 0,
            control_port: 0,
            ledgers: vec![tka(), gem()],
            known_to_deduplicate: vec![tka_id()],
        }
    }
}

impl Config {
    /// The default network, with keys of its own.
    #[must_use]
    pub fn seeded(seed: impl Into<String>) -> Self {
        Self {
            seed: seed.into(),
            ..Self::default()
        }
    }

    /// The network in memory, without sockets.
    #[must_use]
    pub fn network(&self) -> Network {
        let mut network = Network::new(&self.seed, self.topology);
        for settings in &self.ledgers {
            network.install(Ledger::new(settings.clone()));
        }
        network
    }
}

/// The first ledger's id.
#[must_use]
pub fn tka_id() -> Principal {
    Principal::from_text("bkyz2-fmaaa-aaaaa-qaaaq-cai").expect("a principal's text")
}

/// The second ledger's id.
#[must_use]
pub fn gem_id() -> Principal {
    Principal::from_text("be2us-64aaa-aaaaa-qaabq-cai").expect("a principal's text")
}

fn settings(id: Principal, name: &str, symbol: &str, decimals: u8, fee: Tokens) -> Settings {
    Settings {
        id,
        name: name.into(),
        symbol: symbol.into(),
        decimals,
        fee,
        // Nobody has the key of this principal.
        minting_account: Account {
            owner: Principal::self_authenticating(b"countersign-localnet minter"),
            subaccount: None,
        },
        max_tokens: u64::MAX.into(),
        deduplicates: true,
        index: None,
        extra_method: false,
    }
}

/// The first ledger: the production ledger's interface, 8 decimals.
#[must_use]
pub fn tka() -> Settings {
    settings(tka_id(), "Token A", "TKA", 8, 10_000)
}

/// The second ledger: 18 decimals, a wider token type, one more method.
#[must_use]
pub fn gem() -> Settings {
    Settings {
        max_tokens: Tokens::MAX,
        extra_method: true,
        ..settings(gem_id(), "Gem", "GEM", 18, 2_000_000_000_000)
    }
}
