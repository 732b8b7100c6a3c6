//! What a person is shown and asked, and what counts as their yes.
//!
//! Without feature `wallet` this room holds plain data and pure rules that the confirm window
//! links: the [view] of an ask, the [digest] that a yes names, the [arming] of the button that
//! gives it, the [site] as a person reads it and the person's own [picture]. Nothing here decodes
//! Candid, reads a clock or knows a browser.

pub mod arming;
pub mod digest;
pub mod picture;
pub mod risk;
pub mod site;
pub mod view;
