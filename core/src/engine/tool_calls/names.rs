//! Sets of names, as canisters list them when a call is prepared.

use crate::engine::Wallet;
use crate::engine::memory::Memory;
use crate::format::name::NameSets;
use crate::ids::Principal;
use crate::policy::{Grant, SiteKey};
use crate::ports::{Clock as _, Ports};
use crate::time::Span;
use crate::tools::{Entry, Tool, ToolKind, name_entries};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The argument bytes of a call without arguments.
const NOTHING: &[u8] = b"DIDL\0\0";

/// How often, and how long after one another, a preparation looks whether it is its turn.
const LOOKS: u32 = 200;
const LOOK_EVERY: Span = Span::from_millis(200);

/// The right to prepare with the names of a canister, until it is dropped.
pub(super) struct Turn<'a> {
    memory: &'a RefCell<Memory>,
    key: Option<String>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(key) = &self.key {
            self.memory.borrow_mut().naming.remove(key);
        }
    }
}

impl<P: Ports> Wallet<P> {
    /// Waits until no other preparation of a site lists the canister's names, where this one may. One
    /// wish prepared twice at once is then one wish, whatever is listed in between. `None` where
    /// others take too long.
    pub(super) async fn turn_of_names(
        &self,
        site: &SiteKey,
        tool: &Tool,
        canister: Principal,
    ) -> Option<Turn<'_>> {
        let plan = tool.first();
        let memory = &self.memory;
        if plan.kind() != ToolKind::Prepare || plan.name_queries().is_empty() {
            return Some(Turn { memory, key: None });
        }
        let key = format!("{} {canister}", site.origin.as_str());
        for _ in 0..LOOKS {
            if memory.borrow_mut().naming.insert(key.clone()) {
                let key = Some(key);
                return Some(Turn { memory, key });
            }
            self.ports.clock().pause(LOOK_EVERY).await;
        }
        None
    }

    /// The sets of names that a tool's inputs take, certified, as the canister lists them now. One
    /// that gave no answer is not among them.
    pub(super) async fn names_of(&self, grant: &Grant, entry: &Entry) -> NameSets {
        let (plan, canister) = (&entry.plan, entry.canister.id);
        let mut sets = NameSets::default();
        let mut replies: BTreeMap<&str, Option<Vec<u8>>> = BTreeMap::new();
        for (set, method) in plan.name_queries() {
            if !replies.contains_key(method) {
                let network = &grant.network;
                let reply = self.replicated_read(network, canister, method, NOTHING);
                replies.insert(method, reply.await.ok());
            }
            let reply = replies.get(method).and_then(Option::as_deref);
            if let Some(entries) = reply.and_then(|reply| name_entries(plan.resolved(), set, reply))
            {
                sets.insert(set, entries);
            }
        }
        sets
    }
}
