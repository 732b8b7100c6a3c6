//! What the engine needs of the outside world, as traits with the guarantees an implementer gives.
//!
//! Ports speak bytes, texts and this crate's own types: no `JsValue`, no DOM error, no promise.
//! There are no implementations here; the browser's are in the extension, the simulated world's in
//! `crate::testing`. Nothing here decides anything.
//!
//! Everything runs on one thread, so futures need not be `Send`.

#![allow(
    async_fn_in_trait,
    reason = "one thread: no caller needs a Send bound on these futures"
)]

mod browser;
mod host;
mod replica;
pub mod store;

pub use browser::{Pages, PortId, Prompter, Window, WindowId};
pub use host::{Alarms, Clock, Entropy, Mirror, MirrorError, Session, SessionError, Texts};
pub use replica::{Exchange, Replica};
pub use store::Store;

/// All ports of one wallet.
pub trait Ports {
    /// The journal.
    type Store: Store;
    /// The second copy outside the journal.
    type Mirror: Mirror;
    /// Memory that outlives the worker but not the browser.
    type Session: Session;
    /// HTTP to the network.
    type Replica: Replica;
    /// The host's clocks.
    type Clock: Clock;
    /// Randomness.
    type Entropy: Entropy;
    /// Unicode's tables.
    type Texts: Texts;
    /// Windows, badge.
    type Prompter: Prompter;
    /// Documents and windows that are connected now.
    type Pages: Pages;
    /// Wake-ups.
    type Alarms: Alarms;

    /// The journal.
    fn store(&self) -> &Self::Store;
    /// The second copy outside the journal.
    fn mirror(&self) -> &Self::Mirror;
    /// Memory that outlives the worker but not the browser.
    fn session(&self) -> &Self::Session;
    /// HTTP to the network.
    fn replica(&self) -> &Self::Replica;
    /// The host's clocks.
    fn clock(&self) -> &Self::Clock;
    /// Randomness.
    fn entropy(&self) -> &Self::Entropy;
    /// Unicode's tables.
    fn texts(&self) -> &Self::Texts;
    /// Windows, badge.
    fn prompter(&self) -> &Self::Prompter;
    /// Documents and windows that are connected now.
    fn pages(&self) -> &Self::Pages;
    /// Wake-ups.
    fn alarms(&self) -> &Self::Alarms;
}
