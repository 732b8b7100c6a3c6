//! What a local network is started with.

use crate::{
    canisters::{
        kiosk::{self, Kiosk},
        ledger::{Archiving, Ledger, Settings, Stamps, Tokens},
    },
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
    /// Whether the kiosk is on it.
    pub kiosk: bool,
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
            kiosk: false,
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

    /// The same with the canisters of which a person has to be warned.
    #[must_use]
    pub fn with_odd_ones(mut self) -> Self {
        self.ledgers.extend([till(), lookalike()]);
        self.kiosk = true;
        self
    }

    /// The network in memory, without sockets.
    #[must_use]
    pub fn network(&self) -> Network {
        let mut network = Network::new(&self.seed, self.topology);
        for settings in &self.ledgers {
            network.install(Ledger::new(settings.clone()));
        }
        if self.kiosk {
            network.install(Kiosk::default());
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

/// The id of the ledger that publishes no interface.
#[must_use]
pub const fn till_id() -> Principal {
    Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 0x11, 1, 1])
}

/// The id of the ledger that calls itself by another's symbol.
#[must_use]
pub const fn lookalike_id() -> Principal {
    Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 0x12, 1, 1])
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
        stamps: Stamps::default(),
        index: None,
        extra_method: false,
        publishes_interface: true,
        profile: None,
        archiving: Archiving::default(),
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

/// A ledger that publishes no interface: whoever wants to use it has to bring its text.
#[must_use]
pub fn till() -> Settings {
    Settings {
        publishes_interface: false,
        ..settings(till_id(), "Till", "TIL", 8, 10_000)
    }
}

/// A ledger that calls itself by the symbol of another one, and says of itself what would make the
/// wallet pay twice.
#[must_use]
pub fn lookalike() -> Settings {
    Settings {
        profile: Some(kiosk::LEDGER_PROFILE.into()),
        ..settings(lookalike_id(), "Internet Computer", "ICP", 8, 10_000)
    }
}
