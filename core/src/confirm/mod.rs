//! What a person is shown and asked, and what counts as their yes.
//!
//! Without feature `wallet` this room holds plain data and pure rules that the confirm window
//! links: the [view] of an ask, the [digest] that a yes names, the [arming] of the button that
//! gives it, the [site] as a person reads it, the person's own [picture], what may be wrong with a
//! call ([risk]), and what a canister says of it ([consent]). Nothing here reads a clock or knows a
//! browser. With feature `wallet` [consent] reads a canister's answer and compares it; nothing else
//! here decodes Candid.

pub mod arming;
pub mod consent;
pub mod digest;
pub mod picture;
pub mod risk;
pub mod site;
pub mod view;
