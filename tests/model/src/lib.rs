//! A model check that drives the real kernel.
//!
//! The state is a world: the stored intents, as `countersign_core::intent` makes them, and around
//! them a network, a ledger, a person, agents of two origins, a lock and a worker that dies. Every
//! step of the wallet is what [`pending_effect`](countersign_core::intent::Intent::pending_effect)
//! asks for, and every change of an intent is
//! [`apply`](countersign_core::intent::Intent::apply): no rule of the kernel is written again here.
//! [`explore::walk`] visits every state that can be reached within named bounds, to the end, and
//! checks nine laws in each.
//!
//! # What can happen
//!
//! - *Agents* of one origin or two prepare, prepare again, vary an input, commit, withdraw, are gone
//!   (nothing reaches them), or hear of an end by the answer they waited for or by a preparation.
//! - *The person* says yes to what is shown, presses over other bytes, presses in a window that an
//!   older question was left in, says no, locks, unlocks, settles by hand.
//! - *The worker* dies between any two stored records and runs what is pending anew; its store,
//!   signer and certified time fail; the lapse of a lock may or may not reach the store; the
//!   browser is started again; the journal is put back to any earlier state.
//! - *The network* takes an envelope in at any time until its expiry, whoever has forgotten it; a
//!   node lies about it; a certificate is of now or of an instant ago; a status is forgotten after
//!   five minutes.
//! - *The canister* says everything that [`bounds::Said`] lists, some of it with an effect or
//!   without; its module, fee and memory of stamps change, its log is lost, the site's account is
//!   another, the ledger is struck off the list.
//! - *The log* writes what was executed as it was asked or in other words, cannot be read at all or
//!   from some block on only, and its length before an envelope is sent may not be got.
//! - *Time* passes over every limit of the kernel, also while nothing else happens.
//!
//! # What is taken for granted
//!
//! - A certificate says what is true. A finished status is kept for five minutes.
//! - A ledger that is known to execute equal bytes once does so, and does not forget them while two
//!   envelopes of one intent can still arrive: nobody outside could see that.
//! - Whoever can pay was paid: the ledger's log is not empty.
//! - The store keeps its unique keys and its revisions: a step is one transaction on the record as
//!   it is, whichever worker makes it.
//!
//! The walk is our own and not a library's, because a state here is a stored record that must be
//! counted without its ids and counters (`key`), because a walk to the end with the shortest way to
//! a fault is sixty lines, and because the libraries at hand bring a web server along.

pub mod bounds;
pub mod explore;
mod judge;
mod key;
pub mod kinds;
pub mod law;
mod network;
mod steps;
mod worker;
pub mod world;
