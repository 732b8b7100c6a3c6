//! What several pages are made of.

#![expect(
    unreachable_pub,
    reason = "what `#[component]` makes of a component is `pub`"
)]

pub(crate) mod bar;
pub(crate) mod call;
pub(crate) mod consent;
pub(crate) mod drawn;
pub(crate) mod findings;
pub(crate) mod notes;
pub(crate) mod plain;
pub(crate) mod rows;
pub(crate) mod texts;
