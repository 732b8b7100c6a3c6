//! Who may ask, and for what: callers as proof, grants, the limits that hold before any work, and the
//! ledgers that the wallet knows.
//!
//! Pure rules over what is stored and what the browser says of a sender. Nothing a message says of
//! itself is believed here.

mod grant;
pub mod known_ledgers;
mod limits;
mod sender;

pub use grant::{Grant, GrantedCanister, Preset, SiteKey, ToolChoice};
pub use limits::{
    MAX_CONNECTS, MAX_CONNECTS_ALIKE, MAX_MESSAGES_PER_SECOND, MAX_PREVIEWS, MessageRate,
    QUIET_AFTER_NO,
};
pub use sender::{
    NotOwnError, Origin, OriginError, OwnPage, OwnSender, PageSender, Sender, SenderError,
};
