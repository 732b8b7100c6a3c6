//! The rules: facts in, findings out, the loudest first.
//!
//! What a rule needs is an argument, read by the engine from stored rows and certified answers.
//! Nothing a site, a canister or a profile says of the risk of a call is among them.

use super::super::consent::Difference;
use super::super::view::{Amount, Effect, KnownLedger};
use super::{Finding, Place};
use crate::format::account::{self, Account};
use crate::format::account_id::{self, AccountId};
use crate::ids::Principal;
use crate::policy::known_ledgers;
use crate::text::mixes_scripts;
use crate::time::{Span, Timestamp};
use num_bigint::BigUint;

/// How many earlier payments make a usual one.
const USUAL_FROM: usize = 3;

/// How many times the usual is far above it.
const FAR: u32 = 10;

/// How long an equal payment counts as one that may be meant to be the same.
const SAME_DAY: Span = Span::from_hours(24);

/// The share of the balance from which it is said, in per cent.
const MOST: u32 = 50;

/// Whom a call concerns, by the text that the window shows of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Payee {
    /// The account, principal or account identifier, whole.
    pub text: String,
    /// What it is known by however it is written: the account identifier where it is an account, since
    /// a ledger can be told the one or the other.
    pub id: String,
    /// Whose account it is; `None` where the text does not tell (an account identifier).
    pub owner: Option<Principal>,
}

impl Payee {
    /// Reads the text that a window shows.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let account = account::read(text).ok();
        Self {
            text: text.to_owned(),
            id: account_id::read(text).map_or_else(|_| text.to_lowercase(), |id| id.to_string()),
            owner: account.as_ref().map(Account::owner),
        }
    }

    /// The default account of an owner, by what it is known by.
    #[must_use]
    pub fn default_of(owner: Principal) -> String {
        AccountId::of(&Account::new(owner, None)).to_string()
    }

    /// What an eye compares: the first four and the last three letters and digits of whose account
    /// it is. The ends of all principals of one kind are the same, so fewer at the end would say
    /// nothing and more are hard to have by chance.
    #[must_use]
    pub fn ends(&self) -> String {
        let whole = match &self.owner {
            Some(owner) => owner.to_text(),
            None => self.text.to_lowercase(),
        };
        let letters: Vec<char> = whole.chars().filter(char::is_ascii_alphanumeric).collect();
        let first = letters.iter().take(4);
        let last = letters.iter().skip(letters.len().saturating_sub(3));
        first.chain(last).collect()
    }

    /// Whether an eye could take this one for the other, and they are not of the same owner.
    #[must_use]
    pub fn could_be_taken_for(&self, other: &Self) -> bool {
        let same = self.id == other.id || (self.owner.is_some() && self.owner == other.owner);
        !same && self.ends() == other.ends()
    }
}

/// Another call that does the same and may have been carried out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OpenTwin {
    /// The origin that asked for it.
    pub site: String,
    /// Certified time at which it was approved or first sent.
    pub at: Option<Timestamp>,
}

/// What is known of earlier dealings with the payee on this ledger.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Earlier {
    /// Whether this wallet ever paid there.
    pub paid: bool,
    /// Whether this site ever paid there.
    pub paid_by_site: bool,
    /// When the same amount was last paid there.
    pub same_amount_at: Option<Timestamp>,
}

/// Whether an account stood in a text of others that a site was handed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Heard {
    /// No.
    Never,
    /// There were more accounts than are remembered, and it is not among those.
    Maybe,
    /// Yes.
    Surely,
}

/// All that the rules look at.
pub struct Facts<'a> {
    /// Certified time.
    pub now: Timestamp,
    /// The canister called.
    pub ledger: Principal,
    /// The known ledger that it could be taken for, and is not.
    pub looks_like: Option<KnownLedger>,
    /// Whether its interface was pasted.
    pub pasted: bool,
    /// What the call does.
    pub effect: Effect,
    /// Whom it concerns.
    pub payee: Option<Payee>,
    /// How much, in base units.
    pub amount: Option<&'a BigUint>,
    /// The fee, in base units.
    pub fee: Option<&'a BigUint>,
    /// The sender's balance, in base units, certified; `None` where it is not known.
    pub balance: Option<&'a BigUint>,
    /// Whether an allowance states when it ends.
    pub has_end: bool,
    /// Texts in the call, as they are shown: escaped.
    pub texts: Vec<(Place, &'a str)>,
    /// Other calls that do the same and may have been carried out.
    pub twins: Vec<OpenTwin>,
    /// Earlier dealings with the payee.
    pub earlier: Earlier,
    /// Accounts on this network that were paid before or are the person's own.
    pub known: Vec<Payee>,
    /// Whether the payee stood in a text of others that this site was handed.
    pub heard: Heard,
    /// What the canister says of the call that the wallet decodes otherwise.
    pub gainsaid: &'a [Difference],
    /// What this site's calls of this method moved last on this ledger, in base units.
    pub usual: Vec<BigUint>,
    /// Base units as an amount of the ledger's token.
    pub shown: &'a dyn Fn(&BigUint) -> Option<Amount>,
}

/// What a person should know before a yes, the loudest first.
#[must_use]
pub fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(facts.twins.iter().map(|twin| Finding::PossiblyPaid {
        site: twin.site.clone(),
        at: twin.at,
    }));
    found.extend(facts.looks_like.clone().map(Finding::LookAlikeLedger));
    if !facts.gainsaid.is_empty() {
        found.push(Finding::CanisterDiffers(facts.gainsaid.to_vec()));
    }
    if let Some(payee) = &facts.payee {
        of_payee(facts, payee, &mut found);
    }
    of_amounts(facts, &mut found);
    if facts.effect == Effect::Allowance && !facts.has_end {
        found.push(Finding::AllowanceWithoutEnd);
    }
    let again = facts.earlier.same_amount_at;
    let again = again.filter(|at| facts.now < at.plus(SAME_DAY));
    if let Some(at) = again {
        found.push(Finding::PaidBefore { at });
    }
    if facts.pasted {
        found.push(Finding::PastedInterface);
    }
    for (place, text) in &facts.texts {
        if text.contains("\\u{") {
            found.push(Finding::HiddenCharacters(place.clone()));
        }
        if mixes_scripts(&without_escapes(text)) {
            found.push(Finding::MixedScripts(place.clone()));
        }
    }
    found.sort_by_key(Finding::severity);
    found
}

fn of_payee(facts: &Facts<'_>, payee: &Payee, found: &mut Vec<Finding>) {
    let alike = facts.known.iter();
    let mut alike = alike.filter(|known| payee.could_be_taken_for(known));
    // A payee that was paid before is one that a person means, whatever it looks like.
    if !facts.earlier.paid
        && let Some(known) = alike.next()
    {
        let known = known.text.clone();
        found.push(Finding::LookAlikePayee { known });
    }
    if !facts.earlier.paid_by_site {
        found.extend(match facts.heard {
            Heard::Never => None,
            Heard::Maybe => Some(Finding::PayeeMayBeFromText),
            Heard::Surely => Some(Finding::PayeeFromText),
        });
    }
    // Who may only take is paid nothing here.
    if facts.effect != Effect::Allowance {
        let is_ledger =
            |owner: &Principal| *owner == facts.ledger || known_ledgers::is_ledger(owner);
        // Other accounts of a minter have uses of their own, such as a withdrawal or a stake.
        let mut defaults = known_ledgers::all().chain([facts.ledger]);
        if payee.owner.as_ref().is_some_and(is_ledger)
            || defaults.any(|owner| Payee::default_of(owner) == payee.id)
        {
            found.push(Finding::PayeeIsLedger);
        } else if payee.owner.as_ref().is_some_and(is_canister) {
            found.push(Finding::PayeeIsCanister);
        }
    }
    if !facts.earlier.paid {
        found.push(Finding::FirstPayment);
    } else if !facts.earlier.paid_by_site {
        found.push(Finding::NewForSite);
    }
}

fn of_amounts(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let Some(amount) = facts.amount else { return };
    if let Some(usual) = median(&facts.usual)
        && amount.clone() >= usual * FAR
        && *amount > BigUint::ZERO
        && let Some(usual) = (facts.shown)(usual)
    {
        found.push(Finding::FarAboveUsual { usual });
    }
    let none = BigUint::ZERO;
    let fee = facts.fee.unwrap_or(&none);
    match (facts.effect, facts.balance) {
        (Effect::Transfer, Some(balance)) => {
            let cost = amount + fee;
            if cost > *balance {
                found.push(Finding::Short);
            } else if let Some(percent) = per_cent(&cost, balance).filter(|of| *of >= MOST) {
                found.push(Finding::MostOfBalance { percent });
            }
        }
        (Effect::Allowance, Some(balance)) => {
            if amount > balance {
                found.push(Finding::AllowanceAboveBalance);
            }
            if fee > balance {
                found.push(Finding::Short);
            }
        }
        (Effect::TransferFrom | Effect::Other, _)
        | (Effect::Transfer | Effect::Allowance, None) => {}
    }
    let moves = match facts.effect {
        Effect::Transfer | Effect::TransferFrom => true,
        Effect::Allowance | Effect::Other => false,
    };
    if moves
        && fee * 100_u32 > *amount
        && let Some(percent) = per_cent(fee, amount)
    {
        found.push(Finding::HighFee { percent });
    }
}

/// How many whole per cent `part` is of `whole`; `None` of nothing.
fn per_cent(part: &BigUint, whole: &BigUint) -> Option<u32> {
    if *whole == BigUint::ZERO {
        return None;
    }
    Some(u32::try_from(part * 100_u32 / whole).unwrap_or(u32::MAX))
}

/// The middle one of enough payments: one that stands out does not shift it.
fn median(payments: &[BigUint]) -> Option<&BigUint> {
    if payments.len() < USUAL_FROM {
        return None;
    }
    let mut sorted: Vec<&BigUint> = payments.iter().collect();
    sorted.sort();
    Some(sorted[sorted.len() / 2])
}

/// Whether a principal is a canister's: an opaque id, ten bytes of which the last is 1 (Interface
/// Specification, "Principals").
fn is_canister(principal: &Principal) -> bool {
    principal.as_slice().len() == 10 && principal.as_slice().last() == Some(&1)
}

/// A text without what is written out of it: the letters of an escape are ours.
fn without_escapes(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("\\u{") {
        kept.push_str(before);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    kept + rest
}

#[cfg(test)]
mod tests;
