//! Balances and allowances. Amounts are base units; a ledger's token type is 64 or 128 bits wide.

use crate::Nanos;
use candid::Nat;
use icrc_ledger_types::icrc1::account::Account;
use std::collections::BTreeMap;

/// Base units of a token.
pub type Tokens = u128;

/// An amount that fits the token type.
pub(super) fn tokens(amount: &Nat, max: Tokens) -> Option<Tokens> {
    Tokens::try_from(&amount.0)
        .ok()
        .filter(|amount| *amount <= max)
}

/// An allowance that stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Allowance {
    /// How much may still be spent, fees included.
    pub amount: Tokens,
    /// When it ends.
    pub expires_at: Option<Nanos>,
}

impl Allowance {
    fn expired(&self, now: Nanos) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// Who has what, and who may spend whose. An account without subaccount and the one of 32 zero
/// bytes are the same here, unlike in a transaction's identity.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    balances: BTreeMap<Account, Tokens>,
    allowances: BTreeMap<(Account, Account), Allowance>,
    supply: Tokens,
}

impl Book {
    pub(super) const fn supply(&self) -> Tokens {
        self.supply
    }

    pub(super) fn holders(&self) -> usize {
        self.balances.len()
    }

    pub(super) fn balance(&self, account: &Account) -> Tokens {
        self.balances.get(account).copied().unwrap_or_default()
    }

    /// Takes from an account. The caller has checked the balance.
    fn take(&mut self, from: &Account, amount: Tokens) {
        let left = self
            .balance(from)
            .checked_sub(amount)
            .expect("the balance was checked");
        if left == 0 {
            self.balances.remove(from);
        } else {
            self.balances.insert(*from, left);
        }
    }

    fn give(&mut self, to: Account, amount: Tokens) {
        if amount > 0 {
            *self.balances.entry(to).or_default() += amount;
        }
    }

    pub(super) fn mint(&mut self, to: Account, amount: Tokens) {
        self.give(to, amount);
        self.supply += amount;
    }

    pub(super) fn burn(&mut self, from: &Account, amount: Tokens) {
        self.take(from, amount);
        self.supply -= amount;
    }

    /// Moves an amount and burns the fee. The caller has checked that both are there.
    pub(super) fn transfer(&mut self, from: &Account, to: Account, amount: Tokens, fee: Tokens) {
        self.burn(from, fee);
        self.take(from, amount);
        self.give(to, amount);
    }

    /// The allowance that stands; one that ended counts as none.
    pub(super) fn allowance(&self, from: &Account, spender: &Account, now: Nanos) -> Allowance {
        self.allowances
            .get(&(*from, *spender))
            .copied()
            .filter(|allowance| !allowance.expired(now))
            .unwrap_or_default()
    }

    /// Replaces an allowance. None of it removes it.
    pub(super) fn approve(&mut self, from: Account, spender: Account, allowance: Allowance) {
        if allowance.amount == 0 {
            self.allowances.remove(&(from, spender));
        } else {
            self.allowances.insert((from, spender), allowance);
        }
    }

    /// Uses up a part of an allowance that the caller has checked.
    pub(super) fn spend(&mut self, from: &Account, spender: &Account, amount: Tokens) {
        if let Some(allowance) = self.allowances.get_mut(&(*from, *spender)) {
            allowance.amount -= amount;
            if allowance.amount == 0 {
                self.allowances.remove(&(*from, *spender));
            }
        }
    }

    /// The allowances that stand over accounts of `from`'s owner, in order of (account, spender),
    /// from `from` on, after `after`.
    pub(super) fn allowances(
        &self,
        from: Account,
        after: Option<Account>,
        now: Nanos,
    ) -> impl Iterator<Item = (&Account, &Account, &Allowance)> {
        self.allowances
            .iter()
            .filter(move |((account, spender), allowance)| {
                account.owner == from.owner
                    && !allowance.expired(now)
                    && match after {
                        Some(after) => (account, spender) > (&from, &after),
                        None => *account >= from,
                    }
            })
            .map(|((account, spender), allowance)| (account, spender, allowance))
    }
}
