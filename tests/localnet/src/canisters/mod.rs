//! Canisters that run in the network's own process.

pub mod icp;
pub mod kiosk;
pub mod ledger;
mod log;
pub mod minter;
mod service;

use crate::{Nanos, faults::Shown, network::Reject};
use candid::Principal;
use ledger::{Change, Ledger};
use std::any::Any;

/// Asks a canister to run a method with an argument.
pub type Ask<'a> = &'a dyn Fn(Principal, &str, &[u8]) -> Result<Vec<u8>, Reject>;

/// What a canister knows of a message besides method and argument.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Who calls.
    pub caller: Principal,
    /// The network's time.
    pub now: Nanos,
    /// In a query that was not sent as an update: makes the certificate over `certified_data`.
    pub certificate: Option<&'a dyn Fn() -> Vec<u8>>,
    /// In an update: asks another canister to run an update, as this one.
    pub ask: Option<Ask<'a>>,
    /// How much of a log, and how truly, the answer is to show.
    pub shown: Shown,
}

/// What a canister had certified at an earlier time.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Past {
    /// When.
    pub time: Nanos,
    /// Its certified data then.
    pub certified_data: Vec<u8>,
}

/// A canister.
pub trait Canister: Any + Send {
    /// Where it is.
    fn id(&self) -> Principal;

    /// Another one that is as this one is now.
    fn fork(&self) -> Box<dyn Canister>;

    /// Its interface, the text of the metadata section `candid:service`, where it publishes one.
    fn candid(&self) -> Option<String>;

    /// What it says of itself, the text of the metadata section `candid:profile`.
    fn profile(&self) -> Option<String> {
        None
    }

    /// The hash of what it runs.
    fn module_hash(&self) -> [u8; 32];

    /// What it had certified: at most 32 bytes.
    fn certified_data(&self) -> Vec<u8>;

    /// Answers a query.
    ///
    /// # Errors
    ///
    /// The reject of a method that traps or is not there.
    fn query(&self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject>;

    /// Runs an update, or a query method as an update. A reject leaves no effects.
    ///
    /// # Errors
    ///
    /// The reject of a method that traps or is not there.
    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject>;

    /// The canisters that it has made: a ledger's archives.
    fn made(&self) -> Vec<&dyn Canister> {
        vec![]
    }

    /// The canister with this id, where it has made it.
    fn made_mut(&mut self, _id: Principal) -> Option<&mut dyn Canister> {
        None
    }

    /// What it had certified when its log had at least so many blocks fewer. None where there was
    /// no such time.
    fn past(&self, _blocks: u64) -> Option<Past> {
        None
    }

    /// Changes it from outside, where it can be changed.
    fn change(&mut self, _change: &Change) {}

    /// Itself, where it is a ledger.
    fn as_ledger(&self) -> Option<&Ledger> {
        None
    }

    /// Itself, where it is a ledger.
    fn as_ledger_mut(&mut self) -> Option<&mut Ledger> {
        None
    }

    /// Itself, where it is the ICP ledger.
    fn as_icp_mut(&mut self) -> Option<&mut icp::Icp> {
        None
    }
}
