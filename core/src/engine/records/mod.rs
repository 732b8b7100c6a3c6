//! What is stored besides intents.

mod canisters;
mod dealings;
mod sites;
mod wallet;

pub use canisters::{Canister, DropsRepeats, Floor, InterfaceText, Network, ProfileText, Value};
pub use dealings::{Dealing, Heard, LastCall, Payment, Usual};
pub use sites::{Asked, Awaits, Code, Connect, OpenCall, Trusted};
pub use wallet::{Account, Frozen, HandOvers, Installation, Sealed, SessionHalfRow};
