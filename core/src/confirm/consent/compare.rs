//! Whether a canister says the same of a call as the wallet.
//!
//! What is compared is what is shown: the escaped words of the canister, with the payee (or spender)
//! and the amount that the wallet decoded from the bytes that will be signed. Both sides are read in
//! whatever form they are written: an account as ICRC-1 text, as a principal, or as the ICP ledger's
//! account identifier; an amount as an exact decimal number with its symbol.
//!
//! The rule, for the payee and for the amount alike:
//!
//! 1. A value with a label of the closed list below (`To:`, `Amount:`, `Requested allowance:` …) counts
//!    by its label. Each that is labelled as ours must be ours; one that is not is a difference.
//!    Accounts labelled as the payer's must be the payer's; fees, memos, standing allowances and ends
//!    say nothing of either: a memo's words are the site's, whatever is written in them.
//! 2. Without such a label, an account or an amount of our token that is not ours, the sender's, the
//!    canister's, the fee or the total is a difference where ours is nowhere, and a doubt where ours
//!    is there too. A number of anything else is a doubt in any case.
//! 3. It *agrees* only where payee and amount are both ours to compare, both are found whole, and
//!    nothing is in doubt. It *differs* where one of them is a difference. Everything else (a text in
//!    words we do not know, a number with commas, a half of an account) is *nothing to compare*.
//!
//! So a number that the canister rounded is a difference: it is exact or it is not ours.

use super::{Aspect, Block, Compared, Difference, FieldValue, Line, Span};
use crate::confirm::view::{Amount, Effect, Party};
use crate::format::account::{self, Account};
use crate::format::account_id::{self, AccountId};
use crate::format::amount::Symbol;
use crate::ids::Principal;

/// The most of the canister's own that a difference names.
const MOST_THEIRS: usize = 4;

/// What the wallet shows of the call, decoded from the bytes that will be signed.
#[derive(Clone, Debug)]
pub struct Ours {
    /// What it does.
    pub effect: Effect,
    /// Whom it concerns.
    pub party: Option<Party>,
    /// How much.
    pub amount: Option<Amount>,
    /// The fee.
    pub fee: Option<Amount>,
    /// Amount and fee together.
    pub total: Option<Amount>,
    /// The account that signs, in ICRC-1 text form.
    pub sender: String,
    /// The canister's id.
    pub canister: String,
}

/// Compares what a canister says with what the wallet shows of the call.
#[must_use]
pub fn compare(blocks: &[Block], call: &Ours) -> Compared {
    let found = Found::read(blocks, call.effect);
    let party = call
        .party
        .as_ref()
        .map(|party| (party.address.clone(), found.party(call)));
    let amount = call
        .amount
        .as_ref()
        .map(|amount| (written(amount), found.amount(call)));
    let mut differences = Vec::new();
    let mut agreed = 0;
    for (what, told) in [(Aspect::Party, party), (Aspect::Amount, amount)] {
        match told {
            Some((ours, Told::Others(theirs))) => {
                differences.push(Difference { what, ours, theirs })
            }
            Some((_, Told::Ours)) => agreed += 1,
            Some((_, Told::Unclear)) | None => {}
        }
    }
    if !differences.is_empty() {
        Compared::Differs(differences)
    } else if agreed == 2 {
        Compared::Agrees
    } else {
        Compared::NothingToCompare
    }
}

/// What is told of one thing that the wallet shows.
enum Told {
    /// It, and nothing else of its kind.
    Ours,
    /// Others, in their own words.
    Others(Vec<String>),
    /// Nothing, or too much to tell.
    Unclear,
}

/// What a value is, by its label.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Role {
    /// Who gets the tokens, or may take them.
    Party,
    /// Who pays.
    Payer,
    /// How much.
    Amount,
    /// Something that says nothing of payee and amount.
    Aside,
    /// No label that we know.
    Unknown,
}

/// The role of a label. Labels are those of the ledgers, and the usual words for the same.
fn role_of(label: &str, effect: Effect) -> Role {
    let label = label.trim().trim_end_matches(':').trim_end().to_lowercase();
    match label.as_str() {
        "to" | "recipient" | "receiver" | "payee" | "beneficiary" | "to account" | "send to"
        | "approve to spender" => Role::Party,
        "spender" => match effect {
            Effect::Allowance => Role::Party,
            Effect::TransferFrom => Role::Payer,
            Effect::Transfer | Effect::Other => Role::Unknown,
        },
        "from" | "sender" | "payer" | "from account" | "fees paid by" => Role::Payer,
        "amount" | "amount to send" | "requested allowance" => Role::Amount,
        "allowance" if effect == Effect::Allowance => Role::Amount,
        "fee"
        | "fees"
        | "approval fees"
        | "transaction fee"
        | "transaction fees"
        | "network fee"
        | "existing allowance"
        | "current allowance"
        | "memo"
        | "approval expiration"
        | "expiration"
        | "expires"
        | "expires at"
        | "valid until" => Role::Aside,
        _ => Role::Unknown,
    }
}

/// An account in a text.
struct Place {
    role: Role,
    written: String,
    account: Known,
}

/// A number in a text, with the symbol behind it.
struct Sum {
    role: Role,
    /// Without zeros that say nothing; `None` where it is written so that it could mean several.
    number: Option<String>,
    unit: Option<String>,
}

/// What is found in a canister's words.
#[derive(Default)]
struct Found {
    places: Vec<Place>,
    sums: Vec<Sum>,
}

impl Found {
    fn read(blocks: &[Block], effect: Effect) -> Self {
        let mut found = Self::default();
        // Where labels are bold, a colon alone makes none in the lines that belong to one that says
        // nothing: it may stand in a memo.
        let bold = blocks.iter().any(|block| match block {
            Block::Paragraph(lines) | Block::List(lines) => lines.iter().any(is_label),
            Block::Heading(_) | Block::Field { .. } => false,
        });
        for block in blocks {
            match block {
                Block::Heading(line) => found.line(&whole(line), Role::Unknown),
                Block::Paragraph(lines) => {
                    let mut role = Role::Unknown;
                    for line in lines {
                        role = found.labelled(line, bold, role, effect);
                    }
                }
                Block::List(lines) => {
                    for line in lines {
                        found.labelled(line, bold, Role::Unknown, effect);
                    }
                }
                Block::Field { label, value } => found.field(value, role_of(label, effect)),
            }
        }
        found
    }

    /// Reads a line: a label in front says what it is; without one it is what the line above it is.
    fn labelled(&mut self, line: &Line, bold: bool, above: Role, effect: Effect) -> Role {
        let text = whole(line);
        let is_taken =
            |label: &str| above != Role::Aside && role_of(label, effect) != Role::Unknown;
        let (label, rest) = match line.first() {
            Some(Span::Bold(label)) if bold => {
                let rest = text.strip_prefix(label.as_str()).unwrap_or_default();
                (Some(label.as_str()), rest)
            }
            Some(_) => match text.split_once(':') {
                Some((label, rest)) if !bold || is_taken(label) => (Some(label), rest),
                Some(_) | None => (None, text.as_str()),
            },
            None => (None, text.as_str()),
        };
        match label.map(|label| role_of(label, effect)) {
            None => self.line(&text, above),
            // What is no label that we know is part of the text.
            Some(Role::Unknown) => {
                self.line(&text, Role::Unknown);
                return Role::Unknown;
            }
            Some(role) => {
                self.line(rest, role);
                return role;
            }
        }
        above
    }

    fn field(&mut self, value: &FieldValue, role: Role) {
        match value {
            FieldValue::Text(text) => text.lines().for_each(|line| self.line(line, role)),
            FieldValue::Amount(amount) => self.sums.push(Sum {
                role,
                number: plain_number(&amount.number),
                unit: Some(amount.unit.clone()),
            }),
            FieldValue::Time(_) | FieldValue::Seconds(_) => {}
        }
    }

    fn line(&mut self, line: &str, role: Role) {
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let bare = bare(word);
            if let Some(account) = Known::read(bare) {
                self.places.push(Place {
                    role,
                    written: bare.to_owned(),
                    account,
                });
            } else if bare.starts_with(|c: char| c.is_ascii_digit()) {
                // A sign behind a number, as the dots of one that was cut, parts it from its symbol.
                let next = words.peek().filter(|_| word.ends_with(bare));
                self.sums
                    .push(sum(bare, next.map(|next| self::bare(next)), role));
            } else if is_signed_number(bare) {
                let (number, unit) = (None, words.peek().map(|next| self::bare(next).to_owned()));
                self.sums.push(Sum { role, number, unit });
            }
        }
    }

    fn party(&self, call: &Ours) -> Told {
        let Some(party) = &call.party else {
            return Told::Unclear;
        };
        let Some(ours) = Known::read(&party.address) else {
            return Told::Unclear;
        };
        let sender = Known::read(&call.sender);
        let from = party.from.as_deref().and_then(Known::read);
        let owns = |owner: &Option<Known>, of: &Known| {
            owner.as_ref().is_some_and(|owner| owner.is_owner_of(of))
        };
        let is_payer = |of: &Known| owns(&sender, of) || owns(&from, of);
        let canister = Known::read(&call.canister);
        let is_canister = |of: &Known| canister.as_ref().is_some_and(|id| id.is(of));
        let is_ours = |place: &&Place| ours.is(&place.account);
        let by = |role| self.places.iter().filter(move |place| place.role == role);

        let labelled: Vec<&Place> = by(Role::Party).collect();
        if labelled.iter().any(|place| !is_ours(place)) {
            let others = labelled.into_iter().filter(|place| !is_ours(place));
            return Told::Others(some(others.map(|place| place.written.clone())));
        }
        let doubtful_payer = by(Role::Payer).any(|place| !is_payer(&place.account));
        let others: Vec<&Place> = by(Role::Unknown)
            .chain(by(Role::Amount))
            .filter(|place| {
                !is_ours(place) && !owns(&sender, &place.account) && !is_canister(&place.account)
            })
            .collect();
        // Where ours is the payer's or the canister's too, only a label says whom it stands for. So it
        // is with those of whom an allowance draws: without a label, they are others.
        let told_apart = !is_payer(&ours) && !is_canister(&ours);
        let unlabelled = told_apart && by(Role::Unknown).any(|place| is_ours(&place));
        match (!labelled.is_empty() || unlabelled, others.is_empty()) {
            (true, true) if !doubtful_payer => Told::Ours,
            (false, false) => {
                Told::Others(some(others.into_iter().map(|place| place.written.clone())))
            }
            (true | false, _) => Told::Unclear,
        }
    }

    fn amount(&self, call: &Ours) -> Told {
        let Some(ours) = &call.amount else {
            return Told::Unclear;
        };
        // Without a symbol of its own, nothing says that a number is of this token.
        let (Some(number), true) = (
            plain_number(&ours.number),
            Symbol::parse(&ours.unit).is_some(),
        ) else {
            return Told::Unclear;
        };
        let of_ours = |sum: &&Sum| sum.unit.as_deref() == Some(ours.unit.as_str());
        let is_ours = |sum: &Sum| sum.number.as_ref() == Some(&number);
        let is_known = |sum: &Sum| {
            let known = [call.fee.as_ref(), call.total.as_ref()]
                .into_iter()
                .flatten();
            known
                .filter(|known| known.unit == ours.unit)
                .any(|known| plain_number(&known.number) == sum.number)
        };
        let by = |role| self.sums.iter().filter(move |sum| sum.role == role);

        let labelled: Vec<&Sum> = by(Role::Amount).collect();
        let (mine, others): (Vec<&Sum>, Vec<&Sum>) = labelled.iter().copied().partition(of_ours);
        if mine.iter().any(|sum| sum.number.is_none()) {
            return Told::Unclear;
        }
        if mine.iter().any(|sum| !is_ours(sum)) {
            let differing = mine.into_iter().filter(|sum| !is_ours(sum));
            return Told::Others(some(differing.map(Sum::written)));
        }
        if mine.is_empty() && !labelled.is_empty() {
            // Another token; but what has no symbol may be of ours, in another unit.
            let tokens = others
                .iter()
                .all(|sum| sum.unit.as_deref().is_some_and(is_symbol));
            return if tokens {
                Told::Others(some(others.into_iter().map(Sum::written)))
            } else {
                Told::Unclear
            };
        }
        let (loose, strange): (Vec<&Sum>, Vec<&Sum>) = by(Role::Unknown)
            .chain(by(Role::Party))
            .chain(by(Role::Payer))
            .partition(of_ours);
        let alone = strange.is_empty() && labelled.iter().all(of_ours);
        let unclear = loose.iter().any(|sum| sum.number.is_none());
        let others: Vec<&Sum> = loose
            .iter()
            .copied()
            .filter(|sum| !is_ours(sum) && !is_known(sum))
            .collect();
        let here = !mine.is_empty() || loose.iter().any(|sum| is_ours(sum));
        match (here, others.is_empty()) {
            (true, true) if alone && !unclear => Told::Ours,
            (false, false) if !unclear => Told::Others(some(others.into_iter().map(Sum::written))),
            (true | false, _) => Told::Unclear,
        }
    }
}

/// A few of them, each once.
fn some(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut some: Vec<String> = Vec::new();
    for one in all {
        if some.len() < MOST_THEIRS && !some.contains(&one) {
            some.push(one);
        }
    }
    some
}

fn written(amount: &Amount) -> String {
    format!("{} {}", amount.number, amount.unit)
}

impl Sum {
    fn written(&self) -> String {
        let number = self.number.as_deref().unwrap_or_default();
        let unit = self.unit.as_deref().unwrap_or_default();
        format!("{number} {unit}").trim().to_owned()
    }
}

/// An account in one of its forms.
#[derive(Clone, Debug)]
enum Known {
    Account(Account),
    Id(AccountId),
}

impl Known {
    /// Reads a word, whole; checksums hold.
    fn read(word: &str) -> Option<Self> {
        // The shortest principal has a dash and its checksum.
        if word.contains('-') {
            return account::read(word).ok().map(Self::Account);
        }
        (word.len() == 64)
            .then(|| account_id::read(word).ok().map(Self::Id))
            .flatten()
    }

    fn id(&self) -> AccountId {
        match self {
            Self::Account(account) => AccountId::of(account),
            Self::Id(id) => *id,
        }
    }

    /// Whether both are one account.
    fn is(&self, other: &Self) -> bool {
        self.id() == other.id()
    }

    fn owner(&self) -> Option<Principal> {
        match self {
            Self::Account(account) => Some(account.owner()),
            Self::Id(_) => None,
        }
    }

    /// Whether the other is one of this owner's accounts, as far as it shows.
    fn is_owner_of(&self, other: &Self) -> bool {
        self.is(other) || (self.owner().is_some() && self.owner() == other.owner())
    }
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_start_matches(['(', '[', '{', '"', '\'', '`', '*'])
        .trim_end_matches([
            '.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '`', '*',
        ])
}

/// A number, with the symbol that stands in the same word or is the next one.
fn sum(word: &str, next: Option<&str>, role: Role) -> Sum {
    let end = word
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .unwrap_or(word.len());
    let (number, unit) = word.split_at(end);
    let unit = if unit.is_empty() { next } else { Some(unit) };
    Sum {
        role,
        number: plain_number(number),
        unit: unit.map(ToOwned::to_owned),
    }
}

/// Whether a number stands behind a sign that changes what it means: `~1`, `$1`, `-1`.
fn is_signed_number(word: &str) -> bool {
    let behind = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    behind.len() < word.len() && behind.starts_with(|c: char| c.is_ascii_digit())
}

/// A decimal number without zeros that say nothing; `None` for what is not digits with at most one
/// point between them. A comma parts thousands in one language and a fraction in another.
fn plain_number(number: &str) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (integer, fraction) = match number.split_once('.') {
        Some((integer, fraction)) if digits(fraction) => (integer, fraction),
        Some(_) => return None,
        None => (number, ""),
    };
    if !digits(integer) {
        return None;
    }
    let integer = integer.trim_start_matches('0');
    let integer = if integer.is_empty() { "0" } else { integer };
    let fraction = fraction.trim_end_matches('0');
    Some(if fraction.is_empty() {
        integer.to_owned()
    } else {
        format!("{integer}.{fraction}")
    })
}

/// Whether a word can be a token's symbol: no ordinary word has two capitals.
fn is_symbol(word: &str) -> bool {
    Symbol::parse(word).is_some() && word.bytes().filter(u8::is_ascii_uppercase).count() > 1
}

/// A line as it reads.
fn whole(line: &Line) -> String {
    line.iter().map(Span::text).collect()
}

/// Whether a line begins with a bold label: with a colon in it, or right behind it.
fn is_label(line: &Line) -> bool {
    match line.as_slice() {
        [Span::Bold(label), ..] if label.trim_end().ends_with(':') => true,
        [Span::Bold(_), Span::Plain(text), ..] => text.starts_with(':'),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
