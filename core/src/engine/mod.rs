//! The thin driver between what is stored and the ports: load, decide, act, store, repeat.
//!
//! Decisions are made in the rooms above; here they are carried out in order. The rule of the room:
//! *store first, act second*. A worker may die at any `await`, so nothing that matters lives only
//! in memory: `Memory` holds what can be read or made again. Nothing here waits for a person: a
//! waiting call is a row, answered by whoever stores the change that it waits for.
//!
//! | file | what |
//! |---|---|
//! | [`record`], [`records`] | what is stored besides intents, and how it becomes rows |
//! | `memory`, `boot`, `journal` | what is made again after a worker's death, how it is taken up, and whether the journal is the newest one |
//! | `intents`, `drive` | one intent, from its stored state to the next thing that is not ours |
//! | `signing`, `keys` | the one place where the person's key is used; the vault in use |
//! | `frozen` | locked, with every ask declined and every site's access closed |
//! | `reads`, `questions`, `ledger`, `log`, `networks`, `canisters`, `changes` | certified reads |
//! | `profiles` | what canisters, sites and the person say of a canister: whose word, and what is told |
//! | `pages`, `calls`, `waiting` | documents: frames in, answers out, calls that wait |
//! | `tool_calls`, `wallet_tools`, `prepare` | what a tool call does |
//! | `connect`, `asks` | what waits for the person, and what a decision does |
//! | `dealings` | what was done before with whom, and what is to be said of a call because of it |
//! | `consent` | what a canister says of a call that is shown |
//! | `windows`, `views`, `labels`, `settings` | our own windows: commands in, whole views out, and how they look |

mod asks;
mod boot;
mod calls;
mod canisters;
mod changes;
mod connect;
mod consent;
mod dealings;
mod drive;
#[cfg(feature = "testing")]
mod fixtures;
mod frozen;
mod intents;
mod journal;
mod keys;
mod labels;
mod ledger;
mod log;
mod memory;
mod networks;
mod pages;
mod prepare;
mod profiles;
mod questions;
mod reads;
pub mod record;
pub mod records;
mod settings;
mod signing;
mod together;
mod tool_calls;
mod views;
mod waiting;
mod wallet_tools;
mod windows;

pub use drive::TellError;
pub use intents::{StoredIntent, add_intent, change_intent, read_intent};
pub use keys::KeyError;
pub use reads::ReadFailure;

use crate::ports::Ports;
use memory::Memory;
use std::cell::RefCell;

/// One wallet over its ports.
///
/// Commands come from pages, windows and wake-ups; each loads what is stored, decides, stores, and
/// only then acts. No borrow of the memory is held across an `await`.
pub struct Wallet<P: Ports> {
    ports: P,
    memory: RefCell<Memory>,
    /// Whether the fixtures of the conformance suite are among the tools.
    #[cfg(feature = "testing")]
    fixtures: bool,
    /// Profiles as the person would have given them, for every canister.
    #[cfg(feature = "testing")]
    profiles: Vec<crate::profile::Document>,
}

impl<P: Ports> Wallet<P> {
    /// A wallet that knows nothing yet but its ports.
    #[must_use]
    pub fn new(ports: P) -> Self {
        Self {
            ports,
            memory: RefCell::default(),
            #[cfg(feature = "testing")]
            fixtures: false,
            #[cfg(feature = "testing")]
            profiles: Vec::new(),
        }
    }

    /// The ports.
    #[must_use]
    pub const fn ports(&self) -> &P {
        &self.ports
    }

    /// Random bytes.
    fn random<const N: usize>(&self) -> [u8; N] {
        use crate::ports::Entropy as _;
        let mut bytes = [0; N];
        self.ports.entropy().fill(&mut bytes);
        bytes
    }
}
