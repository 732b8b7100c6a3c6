//! What the worker holds in memory: all of it can be read or made again after its death.

use super::canisters::CanisterTools;
use super::connect::{Choice, Intake};
use super::consent::Words;
use super::ledger::AskFacts;
use super::networks::Reading;
use super::pages::Documents;
use super::record::Writer;
use super::together::Turnstile;
use super::windows::Windows;
use crate::ids::{AskId, ContentHash, NetworkId, PreviewId, Principal};
use crate::ingress::{Endpoint, Subnet, Trust};
use crate::policy::SiteKey;
use crate::time::Span;
use crate::vault::OpenVault;
use litemap::LiteMap;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::rc::Rc;

/// One network while the worker lives.
#[derive(Clone, Debug)]
pub(super) struct LiveNetwork {
    /// What its certificates are judged by.
    pub(super) trust: Trust,
    /// What of that is stored, as far as this worker knows.
    pub(super) stored: Trust,
    /// Where it is reached, in the order to be tried.
    pub(super) endpoints: Vec<Endpoint>,
    /// By which subnet a canister was last seen certified.
    pub(super) homes: LiteMap<Principal, Principal>,
    /// Node keys, by subnet.
    pub(super) subnets: LiteMap<Principal, Subnet>,
    /// How far the network's clock seems ahead (positive) or behind the host's, in nanoseconds: a
    /// guess from refusals, good only for choosing an expiry that the network accepts.
    pub(super) skew: i128,
}

impl LiveNetwork {
    /// A network of which nothing was read in this life.
    pub(super) fn new(trust: Trust, endpoints: Vec<Endpoint>) -> Self {
        Self {
            stored: trust.clone(),
            trust,
            endpoints,
            homes: LiteMap::new_vec(),
            subnets: LiteMap::new_vec(),
            skew: 0,
        }
    }
}

/// Intents that are driven now, and whether the driver has to look once more.
#[derive(Debug, Default)]
pub(super) struct Driving(LiteMap<PreviewId, bool>);

impl Driving {
    /// Begins to drive. `false` where somebody does: they will look once more.
    pub(super) fn begin(&mut self, preview: PreviewId) -> bool {
        match self.0.get_mut(&preview) {
            Some(again) => {
                *again = true;
                false
            }
            None => {
                self.0.insert(preview, false);
                true
            }
        }
    }

    /// Ends driving. `false` where the driver has to look once more.
    pub(super) fn end(&mut self, preview: &PreviewId) -> bool {
        match self.0.get_mut(preview) {
            Some(again) if *again => {
                *again = false;
                false
            }
            Some(_) | None => {
                self.0.remove(preview);
                true
            }
        }
    }
}

/// Since when, in this life, a yes has waited for certified time.
#[derive(Debug, Default)]
pub(super) struct Yeses(LiteMap<PreviewId, Span>);

impl Yeses {
    /// When it began to wait: `now` where it begins now.
    pub(super) fn since(&mut self, preview: &PreviewId, now: Span) -> Span {
        *self.0.entry(*preview).or_insert(now)
    }

    /// It waits no longer.
    pub(super) fn forget(&mut self, preview: &PreviewId) {
        self.0.remove(preview);
    }
}

/// An effect of an intent that is tried until it brings something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attempt {
    /// Its name.
    pub(super) effect: &'static str,
    /// How often it brought nothing.
    pub(super) tries: u32,
    /// When it is tried next, by the worker's clock.
    pub(super) not_before: Span,
}

/// The worker's memory.
#[derive(Default)]
pub(super) struct Memory {
    /// Networks that were used since the worker started.
    pub(super) networks: LiteMap<NetworkId, LiveNetwork>,
    /// The journal was compared with what is kept outside it.
    pub(super) compared: bool,
    /// It is being compared.
    pub(super) comparing: bool,
    /// Who writes.
    pub(super) writer: Option<Writer>,
    /// The open vault; `None` while locked.
    pub(super) vault: Option<OpenVault>,
    /// The wallet is being made.
    pub(super) creating: bool,
    /// Connected documents.
    pub(super) pages: Documents,
    /// Our own windows.
    pub(super) windows: Windows,
    /// Intents that are driven now.
    pub(super) driving: Driving,
    /// Effects that are being tried.
    pub(super) attempts: LiteMap<PreviewId, Attempt>,
    /// A yes is being taken: what it is held to and its storing are one step.
    pub(super) approving: Turnstile,
    /// Yeses that wait for certified time.
    pub(super) yeses: Yeses,
    /// Calls that are worked on now, by key.
    pub(super) working: BTreeSet<String>,
    /// Calls that were answered with an error while it was not known whether another answer is
    /// stored, by key.
    pub(super) given_up: BTreeSet<String>,
    /// Sites with the canisters by whose names they prepare calls now.
    pub(super) naming: BTreeSet<String>,
    /// The network that is being added.
    pub(super) adding: Option<Reading>,
    /// What canisters certified of themselves, by the ask to connect that they were read for: what
    /// was read for one says nothing of the next.
    pub(super) intake: LiteMap<(AskId, NetworkId, Principal), Intake>,
    /// How many readings of a canister for an ask were begun in this life.
    pub(super) readings: u64,
    /// When, in this life, the code of a canister was last read.
    pub(super) modules_read: LiteMap<(NetworkId, Principal), Span>,
    /// Interfaces with their tools, by fingerprint.
    pub(super) tools: LiteMap<ContentHash, Rc<CanisterTools>>,
    /// What the person chose on connect pages.
    pub(super) choices: LiteMap<AskId, Choice>,
    /// Sites whose list of tools changed in this life.
    pub(super) relisted: BTreeSet<SiteKey>,
    /// Asks for which a window came up by itself.
    pub(super) raised: BTreeSet<AskId>,
    /// What ledgers certified for asks that are shown.
    pub(super) facts: LiteMap<AskId, AskFacts>,
    /// What was shown before something was found to differ at the yes.
    pub(super) changed: LiteMap<AskId, AskFacts>,
    /// What canisters say of the calls of asks that are shown, as far as they were asked.
    pub(super) words: LiteMap<AskId, Words>,
    /// Whether canisters certified in this life that they describe calls.
    pub(super) describe: LiteMap<(NetworkId, Principal), bool>,
    /// Asks whose facts are being read.
    pub(super) reading: BTreeSet<AskId>,
    /// Balances in base units as last read, by account and ledger; `None` where that failed.
    pub(super) balances: LiteMap<(u32, Principal), Option<BigUint>>,
    /// Which life of the worker this is; drawn at its first use.
    pub(super) life: Option<u64>,
}
