//! Blocks: transactions as the ledger records them, chained by hash (ICRC-3).

use super::tokens::Tokens;
use crate::{Nanos, canisters::log::Written};
use candid::Nat;
use icrc_ledger_types::{
    icrc::generic_value::{Hash, Value},
    icrc1::{account::Account, transfer::Memo},
    icrc3::transactions::{Approve, Burn, Mint, Transaction, Transfer},
};
use std::collections::BTreeMap;

/// What a transaction does.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Mint {
        to: Account,
    },
    Burn {
        from: Account,
        spender: Option<Account>,
    },
    Transfer {
        from: Account,
        to: Account,
        spender: Option<Account>,
    },
    Approve {
        from: Account,
        spender: Account,
        expected_allowance: Option<Tokens>,
        expires_at: Option<Nanos>,
    },
}

/// A transaction with everything that makes it the one it is: accounts as the caller wrote them,
/// and fee, memo and stamp only where the caller gave them.
#[derive(Clone, Debug)]
pub(super) struct Tx {
    pub(super) operation: Operation,
    pub(super) amount: Tokens,
    pub(super) fee: Option<Tokens>,
    pub(super) memo: Option<Memo>,
    pub(super) created_at_time: Option<Nanos>,
}

/// 64-bit where it fits, as the production ledger writes its blocks.
fn number(n: Tokens) -> Value {
    u64::try_from(n).map_or_else(|_| Value::Nat(Nat::from(n)), Value::Nat64)
}

impl Tx {
    /// The transaction as a value, as it stands in a block under `tx`.
    pub(super) fn value(&self) -> Value {
        let mut map = BTreeMap::new();
        let mut set = |key: &str, value: Value| {
            map.insert(key.to_owned(), value);
        };
        let op = match &self.operation {
            Operation::Mint { to } => {
                set("to", (*to).into());
                "mint"
            }
            Operation::Burn { from, spender } => {
                set("from", (*from).into());
                if let Some(spender) = spender {
                    set("spender", (*spender).into());
                }
                "burn"
            }
            Operation::Transfer { from, to, spender } => {
                set("from", (*from).into());
                set("to", (*to).into());
                if let Some(spender) = spender {
                    set("spender", (*spender).into());
                }
                "xfer"
            }
            Operation::Approve {
                from,
                spender,
                expected_allowance,
                expires_at,
            } => {
                set("from", (*from).into());
                set("spender", (*spender).into());
                if let Some(expected) = expected_allowance {
                    set("expected_allowance", number(*expected));
                }
                if let Some(end) = expires_at {
                    set("expires_at", Value::Nat64(*end));
                }
                "approve"
            }
        };
        set("op", Value::text(op));
        set("amt", number(self.amount));
        if let Some(fee) = self.fee {
            set("fee", number(fee));
        }
        if let Some(memo) = &self.memo {
            set("memo", Value::Blob(memo.0.clone()));
        }
        if let Some(stamp) = self.created_at_time {
            set("ts", Value::Nat64(stamp));
        }
        Value::Map(map)
    }

    /// The form of the older interface (`get_transactions`).
    fn transaction(&self, timestamp: Nanos, effective_fee: Option<Tokens>) -> Transaction {
        let amount = Nat::from(self.amount);
        let fee = self.fee.or(effective_fee).map(Nat::from);
        let memo = self.memo.clone();
        let created_at_time = self.created_at_time;
        match self.operation.clone() {
            Operation::Mint { to } => Transaction::mint(
                Mint {
                    amount,
                    to,
                    memo,
                    created_at_time,
                    fee,
                },
                timestamp,
            ),
            Operation::Burn { from, spender } => Transaction::burn(
                Burn {
                    amount,
                    from,
                    spender,
                    memo,
                    created_at_time,
                    fee,
                },
                timestamp,
            ),
            Operation::Transfer { from, to, spender } => Transaction::transfer(
                Transfer {
                    amount,
                    from,
                    to,
                    spender,
                    memo,
                    fee,
                    created_at_time,
                },
                timestamp,
            ),
            Operation::Approve {
                from,
                spender,
                expected_allowance,
                expires_at,
            } => Transaction::approve(
                Approve {
                    from,
                    spender,
                    amount,
                    expected_allowance: expected_allowance.map(Nat::from),
                    expires_at,
                    memo,
                    fee,
                    created_at_time,
                },
                timestamp,
            ),
        }
    }
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// What ICRC-3 shows of it.
    pub value: Value,
    /// The hash that the next block carries.
    pub hash: Hash,
    /// What the older interface shows of it.
    pub transaction: Transaction,
}

impl Block {
    /// The block of a transaction, after the one with the hash `before`. `charged` is the fee that
    /// was taken where the caller gave none.
    pub(super) fn new(
        before: Option<Hash>,
        tx: &Tx,
        timestamp: Nanos,
        charged: Option<Tokens>,
    ) -> Self {
        let mut map = BTreeMap::new();
        if let Some(before) = before {
            map.insert("phash".to_owned(), Value::blob(before));
        }
        map.insert("ts".to_owned(), Value::Nat64(timestamp));
        map.insert("tx".to_owned(), tx.value());
        if let (None, Some(charged)) = (tx.fee, charged) {
            map.insert("fee".to_owned(), number(charged));
        }
        let value = Value::Map(map);
        Self {
            hash: value.hash(),
            value,
            transaction: tx.transaction(timestamp, charged),
        }
    }
}

impl Written for Block {
    fn timestamp(&self) -> Nanos {
        self.transaction.timestamp
    }

    fn altered(&self) -> Self {
        let mut altered = self.clone();
        if let Value::Map(block) = &mut altered.value
            && let Some(Value::Map(tx)) = block.get_mut("tx")
            && let Some(amount) = tx.get_mut("amt")
        {
            match amount {
                Value::Nat64(amount) => *amount = amount.wrapping_add(1),
                Value::Nat(amount) => *amount += 1u8,
                other => unreachable!("an amount is a number: {other:?}"),
            }
        }
        let shown = &mut altered.transaction;
        let amounts = [
            shown.mint.as_mut().map(|mint| &mut mint.amount),
            shown.burn.as_mut().map(|burn| &mut burn.amount),
            shown.transfer.as_mut().map(|transfer| &mut transfer.amount),
            shown.approve.as_mut().map(|approve| &mut approve.amount),
        ];
        for amount in amounts.into_iter().flatten() {
            *amount += 1u8;
        }
        altered
    }
}
