//! The ports of `countersign_core` on the browser's interfaces.
//!
//! This is the only Rust of the worker that touches `chrome.*`, storage, the network or a clock.
//! Each file gives the guarantees that its trait states, and decides nothing.

mod alarms;
pub(crate) mod chrome;
mod clock;
pub(crate) mod console;
mod entropy;
mod fetch_replica;
mod idb_store;
mod opfs_mirror;
mod pages;
mod prompter;
mod session;
pub(crate) mod starts;
mod texts;
mod timer;

pub use alarms::{Alarms, WAKE};
pub use clock::Clock;
pub use entropy::Entropy;
pub use fetch_replica::FetchReplica;
pub use idb_store::IdbStore;
pub use opfs_mirror::OpfsMirror;
pub use pages::Pages;
pub use prompter::Prompter;
pub use session::Session;
pub use texts::Texts;

pub(crate) use pages::{own_sender, page_sender};

use countersign_core::ports::Ports;

/// Name of the database, and of the folder of the second copy.
const NAME: &str = "countersign";

/// All ports of the wallet in the browser.
pub struct BrowserPorts {
    store: IdbStore,
    mirror: OpfsMirror,
    session: Session,
    pages: Pages,
    alarms: Alarms,
}

impl BrowserPorts {
    /// The ports of this extension; `wake` as in [`Alarms::new`].
    pub fn new(wake: impl Fn() + 'static) -> Self {
        Self {
            store: IdbStore::new(NAME),
            mirror: OpfsMirror::new(NAME),
            session: Session::default(),
            pages: Pages::default(),
            alarms: Alarms::new(wake),
        }
    }
}

impl Ports for BrowserPorts {
    type Store = IdbStore;
    type Mirror = OpfsMirror;
    type Session = Session;
    type Replica = FetchReplica;
    type Clock = Clock;
    type Entropy = Entropy;
    type Texts = Texts;
    type Prompter = Prompter;
    type Pages = Pages;
    type Alarms = Alarms;

    fn store(&self) -> &IdbStore {
        &self.store
    }

    fn mirror(&self) -> &OpfsMirror {
        &self.mirror
    }

    fn session(&self) -> &Session {
        &self.session
    }

    fn replica(&self) -> &FetchReplica {
        &FetchReplica
    }

    fn clock(&self) -> &Clock {
        &Clock
    }

    fn entropy(&self) -> &Entropy {
        &Entropy
    }

    fn texts(&self) -> &Texts {
        &Texts
    }

    fn prompter(&self) -> &Prompter {
        &Prompter
    }

    fn pages(&self) -> &Pages {
        &self.pages
    }

    fn alarms(&self) -> &Alarms {
        &self.alarms
    }
}
