//! Which edges of the kernel a thread's wallets went along: an event that was stored, and whether the
//! intent may have executed before it.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often each edge was taken: an event's name, and whether the intent may have executed by then.
pub type Edges = BTreeMap<(&'static str, bool), u64>;

thread_local! {
    static TAKEN: RefCell<Edges> = const { RefCell::new(BTreeMap::new()) };
}

/// Counts an edge.
pub(crate) fn note_edge(event: &'static str, may_have_executed: bool) {
    TAKEN.with_borrow_mut(|taken| *taken.entry((event, may_have_executed)).or_default() += 1);
}

/// The edges that were taken in this thread since the last time.
#[must_use]
pub fn take_edges() -> Edges {
    TAKEN.take()
}
