//! What a person gave a site: one account, canisters, tools.

use super::Origin;
use crate::ids::{ContentHash, NetworkId, Principal};
use crate::profile::Applied;
use crate::time::Timestamp;
use crate::tools::NameBook;
use core::fmt;
use serde::{Deserialize, Serialize};

/// A site: the origin of a document together with that of the tab's top-level document.
///
/// Only top-level documents are served, so the two are equal; both are stored, so that an
/// embedded page can be given a grant of its own later without meeting this one.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct SiteKey {
    /// The document's origin.
    pub origin: Origin,
    /// The top-level document's origin.
    pub top_origin: Origin,
}

impl SiteKey {
    /// The site of a top-level document.
    #[must_use]
    pub fn top_level(origin: &Origin) -> Self {
        Self {
            origin: origin.clone(),
            top_origin: origin.clone(),
        }
    }
}

impl fmt::Display for SiteKey {
    /// `origin top-level-origin`: an origin holds no space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.origin, self.top_origin)
    }
}

/// A named choice of tools.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Read tools only.
    Look,
    /// Read tools, and the updates whose effect is a transfer.
    #[default]
    Payments,
    /// Everything the canisters have.
    All,
}

/// Which tools of its canisters a site has.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// By preset.
    Preset(Preset),
    /// By name.
    Names(Vec<String>),
}

/// One canister of a grant, as it was when the person accepted it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct GrantedCanister {
    /// Which.
    pub id: Principal,
    /// SHA-256 of the text of its interface.
    pub interface: ContentHash,
    /// SHA-256 of its code; `None` where it shows none.
    pub module: Option<ContentHash>,
    /// The profiles that apply for this site.
    #[serde(default)]
    pub profiles: Vec<Applied>,
    /// SHA-256 of the text of the profile that the site gave for it.
    #[serde(default)]
    pub site_profile: Option<ContentHash>,
    /// The resolved form the person saw the tools of.
    pub resolved: ContentHash,
    /// Hash of its code, interface and the values its tools are worded with, as they were accepted
    /// for this site: what is accepted for another site is not.
    pub accepted: ContentHash,
}

/// What a person gave a site.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Grant {
    /// To whom.
    pub site: SiteKey,
    /// The network of the account and of all canisters.
    pub network: NetworkId,
    /// The account that pays, by number.
    pub account: u32,
    /// Its principal.
    pub sender: Principal,
    /// The canisters, in the order they were accepted.
    pub canisters: Vec<GrantedCanister>,
    /// Which of their tools.
    pub tools: ToolChoice,
    /// The names under which the site was first told its tools.
    pub names: NameBook,
    /// When it was first given, by the host's clock.
    pub given: Timestamp,
    /// How many calls of the site were carried out.
    pub done: u32,
}

impl Grant {
    /// Whether this canister is in the grant.
    #[must_use]
    pub fn holds(&self, canister: &Principal) -> bool {
        self.canisters.iter().any(|held| held.id == *canister)
    }
}
