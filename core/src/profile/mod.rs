//! What an interface's methods and positions mean: tags, the profile documents they come from, and
//! the resolved form that the tool layer reads.
//!
//! A tag always carries where it comes from. Built-in packs are profile documents like any other,
//! and pass through the same code. Nothing here reads input, shows a value or sends a call.

mod cases;
mod certified;
mod check;
mod compat;
mod covered;
mod document;
mod expand;
mod finding;
mod form;
mod lenient;
mod merge;
mod methods;
mod naming;
mod narrow;
mod near;
pub mod packs;
mod position;
mod relpath;
mod resolved;
mod tags;
mod types;

#[cfg(test)]
mod tests;

pub use certified::StatedUnit;
pub use document::{
    CaseTags, Document, DocumentError, MAX_DOCUMENT, MethodTags, NameSource, PositionTags, Ui,
};
pub use finding::{Finding, FindingCode, Severity};
pub use merge::{Given, resolve, resolve_given};
pub use relpath::{RelPath, RelPathError, Root, Step};
pub use resolved::{Case, Field, Node, Resolved, ResolvedCase, ResolvedMethod, Shape};
pub use tags::{
    Applied, Auto, Class, Effect, EffectKind, Format, Grant, Idempotency, NameList, NameSet,
    Outcome, Param, Provenance, RangeTag, Reconcile, Source, Tagged, Tags, TextTag, TimeUnit,
    ValueTag,
};
