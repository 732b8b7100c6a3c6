//! What was done before with whom, and what a site was told by others: an index made from intents as
//! they go on, for the findings beside an ask. It settles nothing and stops no call: what was known by
//! a row that is lost or damaged is not known any more, and is learned anew.

use crate::confirm::risk::rules::{self, Payee};
use crate::engine::record::Record;
use crate::ids::{ContentHash, NetworkId, PreviewId, Principal};
use crate::ports::store::Table;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// How many payments to a payee, and how many of a site, are kept: the last.
const MOST_PAID: usize = 16;

/// Of how many sites' calls something is kept beside a payee: the last.
const MOST_CALLS: usize = 64;

/// How many addresses out of texts of others are kept for a site.
const MOST_HEARD: usize = 256;

/// Dealings with one payee on one ledger. A call that names no payee is kept under an empty one.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Dealing {
    /// The network.
    pub network: NetworkId,
    /// The canister called.
    pub ledger: Principal,
    /// The payee, as the window showed it first.
    pub payee: String,
    /// The last approved call of each site and method, newest last.
    pub calls: Vec<LastCall>,
    /// The last payments, newest last.
    pub paid: Vec<Payment>,
    /// Sites that paid, the newest last.
    pub payers: Vec<String>,
}

/// The last call of a site and method that a person approved.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct LastCall {
    /// The origin.
    pub site: String,
    /// The method.
    pub method: String,
    /// The intent.
    pub preview: PreviewId,
    /// Certified time of the yes.
    pub at: Timestamp,
}

/// A payment that is known to have been made.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Payment {
    /// How much, in base units, as decimal digits; empty where the call names no amount.
    pub amount: String,
    /// Certified time of the yes to it.
    pub at: Timestamp,
}

impl Dealing {
    /// No dealings yet.
    #[must_use]
    pub fn none(network: NetworkId, ledger: Principal, payee: Option<&Payee>) -> Self {
        Self {
            network,
            ledger,
            payee: payee.map_or_else(String::new, |payee| payee.text.clone()),
            calls: Vec::new(),
            paid: Vec::new(),
            payers: Vec::new(),
        }
    }

    /// Its key: a hash, since what is no account is as long as whoever wrote it liked.
    #[must_use]
    pub fn key_of(network: &NetworkId, ledger: &Principal, account: &str) -> String {
        let of = format!("{network} {ledger} {account}");
        format!("payee {}", ContentHash::of(of.as_bytes()))
    }

    /// What all payees on a network are listed by that an eye could take for one another.
    #[must_use]
    pub fn alike(network: &NetworkId, ends: &str) -> String {
        format!("{network} {ends}")
    }

    /// A call was approved.
    pub fn approved(&mut self, call: LastCall) {
        self.calls
            .retain(|held| held.site != call.site || held.method != call.method);
        push(&mut self.calls, call, MOST_CALLS);
    }

    /// A payment of this site is known to have been made.
    pub fn was_paid(&mut self, site: &str, payment: Payment) {
        self.payers.retain(|held| held != site);
        push(&mut self.payers, site.to_owned(), MOST_CALLS);
        push(&mut self.paid, payment, MOST_PAID);
    }

    /// The last approved call of this site and method.
    #[must_use]
    pub fn last(&self, site: &str, method: &str) -> Option<&LastCall> {
        let mut calls = self.calls.iter();
        calls.find(|call| call.site == site && call.method == method)
    }
}

impl Record for Dealing {
    const TABLE: Table = Table::Dealings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.ledger, &Payee::of(&self.payee).id)
    }

    fn group(&self) -> Option<String> {
        let listed = !self.payee.is_empty();
        listed.then(|| Self::alike(&self.network, &Payee::of(&self.payee).ends()))
    }
}

/// What one site's calls moved on a ledger, by whatever method.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Usual {
    /// The network.
    pub network: NetworkId,
    /// The canister called.
    pub ledger: Principal,
    /// The origin.
    pub site: String,
    /// The last amounts, in base units, as decimal digits, newest last.
    pub amounts: Vec<String>,
}

impl Usual {
    /// Nothing yet.
    #[must_use]
    pub const fn none(network: NetworkId, ledger: Principal, site: String) -> Self {
        Self {
            network,
            ledger,
            site,
            amounts: Vec::new(),
        }
    }

    /// Its key.
    #[must_use]
    pub fn key_of(network: &NetworkId, ledger: &Principal, site: &str) -> String {
        let of = format!("{network} {ledger} {site}");
        format!("usual {}", ContentHash::of(of.as_bytes()))
    }

    /// A payment is known to have been made.
    pub fn was_paid(&mut self, amount: String) {
        push(&mut self.amounts, amount, MOST_PAID);
    }
}

impl Record for Usual {
    const TABLE: Table = Table::Dealings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.network, &self.ledger, &self.site)
    }
}

/// Addresses that stood in texts of others which a site was handed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Heard {
    /// The origin.
    pub site: String,
    /// Account identifiers, the newest last.
    pub addresses: Vec<String>,
    /// Whether there was no room for all.
    pub overflowed: bool,
}

impl Heard {
    /// Nothing yet.
    #[must_use]
    pub const fn nothing(site: String) -> Self {
        Self {
            site,
            addresses: Vec::new(),
            overflowed: false,
        }
    }

    /// Its key.
    #[must_use]
    pub fn key_of(site: &str) -> String {
        format!("heard {site}")
    }

    /// Keeps what is new of `addresses`; whether anything was. None is pushed out by later ones.
    pub fn hear(&mut self, addresses: impl IntoIterator<Item = String>) -> bool {
        let before = (self.addresses.len(), self.overflowed);
        for address in addresses {
            if self.addresses.contains(&address) {
            } else if self.addresses.len() < MOST_HEARD {
                self.addresses.push(address);
            } else {
                self.overflowed = true;
            }
        }
        before != (self.addresses.len(), self.overflowed)
    }

    /// Whether one of these addresses was heard.
    #[must_use]
    pub fn heard(&self, any: &[String]) -> rules::Heard {
        if any.iter().any(|one| self.addresses.contains(one)) {
            rules::Heard::Surely
        } else if self.overflowed {
            rules::Heard::Maybe
        } else {
            rules::Heard::Never
        }
    }
}

impl Record for Heard {
    const TABLE: Table = Table::Dealings;
    const V: u16 = 1;

    fn key(&self) -> String {
        Self::key_of(&self.site)
    }
}

/// Adds the newest and drops the oldest above `most`.
fn push<T>(list: &mut Vec<T>, newest: T, most: usize) {
    list.push(newest);
    if list.len() > most {
        list.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept() {
        let mut usual = Usual::none(
            NetworkId::from_bytes([1; 32]),
            Principal::anonymous(),
            "https://a.example".to_owned(),
        );
        for amount in 0..20 {
            usual.was_paid(amount.to_string());
        }
        assert_eq!(usual.amounts.len(), MOST_PAID);
        assert_eq!(usual.amounts.last().map(String::as_str), Some("19"));
    }

    #[test]
    fn what_was_heard_before_is_not_new() {
        let mut heard = Heard::nothing("https://a.example".to_owned());
        assert!(heard.hear(["a".to_owned(), "b".to_owned()]));
        assert!(!heard.hear(["b".to_owned()]));
        assert_eq!(heard.addresses, ["a", "b"]);
        let told = |heard: &Heard, one: &str| heard.heard(&["b0".to_owned(), one.to_owned()]);
        assert_eq!(told(&heard, "a"), rules::Heard::Surely);
        assert_eq!(told(&heard, "c"), rules::Heard::Never);
        assert!(heard.hear((0..MOST_HEARD).map(|n| n.to_string())));
        assert_eq!(told(&heard, "a"), rules::Heard::Surely);
        assert_eq!(told(&heard, "c"), rules::Heard::Maybe);
    }

    #[test]
    fn one_call_is_kept_of_each_site_and_method() {
        let mut dealing =
            Dealing::none(NetworkId::from_bytes([1; 32]), Principal::anonymous(), None);
        let call = |method: &str, nth: u8| LastCall {
            site: "https://a.example".to_owned(),
            method: method.to_owned(),
            preview: PreviewId::from_bytes([nth; 16]),
            at: Timestamp::default(),
        };
        dealing.approved(call("icrc1_transfer", 1));
        dealing.approved(call("icrc2_approve", 2));
        dealing.approved(call("icrc1_transfer", 3));
        assert_eq!(dealing.calls.len(), 2);
        let last = dealing.last("https://a.example", "icrc1_transfer").unwrap();
        assert_eq!(last.preview, PreviewId::from_bytes([3; 16]));
        assert_eq!(dealing.last("https://b.example", "icrc1_transfer"), None);
    }
}
