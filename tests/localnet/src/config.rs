//! What a local network is started with.

use crate::{
    canisters::{
        icp::Icp,
        kiosk::{self, Kiosk},
        ledger::{Archiving, Ledger, Like, Settings, Stamps, Tokens},
        minter::Minter,
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
    /// Whether the ICP ledger and the minter are on it.
    pub special: bool,
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
            special: false,
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

    /// The same with ledgers that have rules of their own: the cycles ledger's, the ICP ledger's,
    /// and a minter's, which knows no repetition.
    #[must_use]
    pub fn with_special_ones(mut self) -> Self {
        self.ledgers.extend([cycles(), minted()]);
        self.special = true;
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
        if self.special {
            network.install(Icp::new(icp_id(), Archiving::default()));
            network.install(Minter::new(minter_id(), minted_id()));
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

/// The id of the ledger that is like the cycles ledger.
#[must_use]
pub const fn cycles_id() -> Principal {
    Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 0x13, 1, 1])
}

/// The id of the ledger that is like the ICP ledger.
#[must_use]
pub const fn icp_id() -> Principal {
    Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 0x14, 1, 1])
}

/// The id of the ledger of [`minted`].
#[must_use]
pub const fn minted_id() -> Principal {
    Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 0x15, 1, 1])
}

/// The id of the minter of [`minted`].
#[must_use]
pub const fn minter_id() -> Principal {
    Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 0x16, 1, 1])
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
        like: Like::Icrc,
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
        like: Like::IcrcAndMore,
        ..settings(gem_id(), "Gem", "GEM", 18, 2_000_000_000_000)
    }
}

/// A ledger like the cycles ledger.
#[must_use]
pub fn cycles() -> Settings {
    Settings {
        max_tokens: Tokens::MAX,
        like: Like::Cycles,
        ..settings(cycles_id(), "Trillion Cycles", "TCYCLES", 12, 100_000_000)
    }
}

/// The ledger of a token that a minter gives out and takes back.
#[must_use]
pub fn minted() -> Settings {
    Settings {
        minting_account: minter_id().into(),
        ..settings(minted_id(), "Wrapped coin", "ckCOIN", 8, 10)
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
