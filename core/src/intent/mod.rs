//! The life of one intent, as a pure state machine.
//!
//! An *intent* is one wish of one origin: frozen argument bytes, one stamp, its envelopes and at
//! most one open ask. This room decides what an intent may become, what is to be done next for it,
//! and what is told of it. It only decides: time comes in as an argument, what happened comes in
//! as an [`Event`], what is to be done goes out as an [`Effect`]. There is never a clock, a source
//! of randomness, storage, a network or `async` here.
//!
//! # How it is used
//!
//! The engine repeats: load the stored intent, ask [`Intent::pending_effect`], run the effect
//! through a port, pass what came of it to [`Intent::apply`], store the result, repeat. The worker
//! may die between any two steps; the stored intent then gives the same effect again, and every
//! effect may be run twice. [`Intent::answer`] says what is told, from the stored record alone.
//!
//! # Facts
//!
//! Nothing is stored but what was done and what checked certificates say. Everything else follows:
//! an envelope's [`Fate`], and whether the intent [may have executed](Intent::may_have_executed).
//! The own reply of an envelope is judged over the *other* envelopes.
//!
//! | event | nothing can have executed | may have executed |
//! |---|---|---|
//! | prepare, same identity | same preview, `repeated`; past its deadline: a new one | same preview, `repeated`, `unknown` or `reconcile`; untold end, or an effect told to a waiter lately: that end |
//! | commit | opens or joins the ask | live: joins. Stamp and known deduplication inside the window: opens a re-send ask. Else: looks at the log, or is held |
//! | yes | read S0 → sign → store → hand over → send | same |
//! | no | settled `declined` if nothing was ever handed over, else unchanged | unchanged, `declined` with `earlier_outcome` |
//! | lock, two minutes since the yes | yes and unsent envelope dropped, ask open again | same; a live envelope goes on |
//! | deadline | settled, expired | the ask closes; the search goes on |
//! | withdraw | back to prepared | the ask closes, else unchanged |
//! | stopped before hand-over | the ask is over, `not_executed` | the ask is over, `unknown` |
//! | reply `success`, `already_done` | done | done |
//! | reply `retry_same` | handed back; third: settled, `fail` | handed back; third: held |
//! | reply `retry_new` | settled with its successor; third of a line: `fail` | held |
//! | reply `fix_input`, `fail` | settled | held |
//! | proved never to have run | `not_executed` | `unknown` |
//! | any other end | `unknown`; without a stamp, or on the third reject 4 or 5: held | same |
//! | found · absent · not yet, unreadable | – | done · settled · looked at again later |
//! | interface or module differs | settled | no new envelope; all else goes on |
//! | settled by hand | – | ended by the person's word |
//! | a journal from before, or another's | held | held |
//! | outside the journal as handed over, in it as signed | followed as sent: its status is read before anything is posted | same |
//! | a later intent of the same wish is found | holds the wish no longer, all else goes on | same |
//!
//! # Rules kept here
//!
//! 1. Nothing is signed without a yes, not older than two minutes of certified time, to exactly
//!    the digest that was shown. One yes covers one envelope and every transmission of it.
//! 2. At most one envelope is on its way. Another one follows only where every earlier one is
//!    proved to have had no effect, or where the ledger is known to execute the bytes once.
//! 3. While an intent may have executed, no answer denies that it has.
//! 4. An ended intent takes no event that makes its end another: only that it was told, that the time
//!    for telling has passed, and that a later intent holds its wish.
//! 5. Certified time decides; it never goes back for an intent.
//!
//! # Reading order
//!
//! `envelope`, `facts`, `event`, `transition` with `asking` and `settling`, `reconcile`, `effect`,
//! `end`, `answer` with `telling`, `stamp`.
//! `record` and `stored` matter to those who change what is stored.

mod answer;
mod asking;
mod effect;
mod end;
mod envelope;
mod event;
mod facts;
mod identity;
mod reconcile;
mod record;
mod sentences;
mod settling;
mod stamp;
mod stored;
mod telling;
mod transition;
mod words;

pub use answer::{Answer, Asked, NamesEnd, Next, NextInput, PrepareAgain, Status};
pub use effect::{CommitPlan, Effect, Pace, StatusRead, WaitFor};
pub use end::{End, EndKind, TOLD_SPAN};
pub use envelope::{
    BlockVerdict, Envelope, EnvelopeEnd, Fate, HandOver, Interim, LogMark, Reject, Reply, Seen,
    SignedEnvelope, Submission, Submitted,
};
pub use event::{CertifiedStatus, Event, HandWord, Lapse, Now, Start, TransitionError};
pub use facts::{HAND_OVER_MARGIN, INGRESS_SPAN, READ_MARGIN, RESUBMIT_SPAN, STATUS_SPAN};
pub use identity::{Door, Identity};
pub use reconcile::{
    AbsenceProof, AbsenceRule, Finding, LastLook, LogFloor, Scan, Transaction, Unreadable,
};
pub use record::{
    Ask, AskKind, BEFORE_ABSOLUTE, ContentSeed, Intent, Line, MOST_TRIES, PrepareError, Prepared,
    UNCOMMITTED_SPAN, YES_SPAN, Yes,
};
pub use stamp::{Stamp, StampError, StampKey, StampRule, allot};
pub use stored::{DecodeError, RECORD_VERSION};
pub use words::{Authority, Case, Evidence, Held, Hitch, Outcome, Retry};

#[cfg(test)]
mod tests;
