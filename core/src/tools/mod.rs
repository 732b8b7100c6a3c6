//! From an interface with its profile to tools: what a model is told, how its inputs are read, what a
//! call is shown as, and what a reply means.
//!
//! A tool exists where every input has a rule and every effect has words; every other method is
//! skipped with its reason. Values are exact or refused. Nothing here sends, stores, asks or knows
//! the time, and no method of any standard is known by its name.

mod canister;
mod catalog;
mod classify;
mod definition;
mod display;
mod input;
mod lint;
mod names;
mod naming;
mod plan;
mod preview;
mod reader;
mod schema;
mod shape;
mod skip;

pub use canister::{Canister, RefValue};
pub use catalog::{Catalog, Entry, NameBook, Tool, catalog_hash, sort_definitions};
pub use classify::{Classified, Undecodable};
pub use definition::commit_definition;
pub use display::{Argument, LeafKind};
pub use input::{EncodeError, InputIssue, Payer, ReadCall, ReadInput};
pub use lint::lint;
pub use names::{Dialect, Names, plain};
pub use naming::name_entries;
pub use plan::{
    CANISTER_ID, COMMIT, OURS, Plan, Plans, Role, ToolKind, build_plans, is_ours, plan_for_showing,
};
pub use preview::{Decoded, Preview};
pub use reader::{MAX_ELEMENTS, MAX_VALUES};
pub(crate) use skip::plain_path;
pub use skip::{Place, SkipReason, Skipped};
