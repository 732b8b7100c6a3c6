//! `transfer` and `icrc1_transfer`: two words for one thing, with the order of checks of the
//! production ledger. What is refused before the look-up of duplicates says nothing about an
//! earlier try.

use super::{
    Icp,
    account::{AccountId, account_id, is_sound},
    blocks::{Block, Operation, TimeStamp, Tokens, Transaction},
};
use crate::{
    Nanos,
    canisters::{
        Call,
        ledger::{
            WINDOW,
            dedup::{Refused, check_window},
        },
    },
    network::Reject,
};
use candid::{CandidType, Deserialize, Nat, Principal};
use icrc_ledger_types::icrc1::{
    account::{Account, Subaccount},
    transfer::{TransferArg, TransferError as Icrc1Error},
};

/// The argument of `transfer`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct TransferArgs {
    /// A number of the payer's.
    pub memo: u64,
    /// How much.
    pub amount: Tokens,
    /// The fee, which has to be the ledger's.
    pub fee: Tokens,
    /// The payer's subaccount.
    pub from_subaccount: Option<Subaccount>,
    /// Who gets it.
    pub to: AccountId,
    /// The stamp; without one, the ledger takes its own time.
    pub created_at_time: Option<TimeStamp>,
}

/// Why `transfer` did not.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub enum TransferError {
    /// Another fee than the ledger's.
    BadFee {
        /// The ledger's.
        expected_fee: Tokens,
    },
    /// The account has less than amount and fee.
    InsufficientFunds {
        /// What it has.
        balance: Tokens,
    },
    /// The stamp is older than the window.
    TxTooOld {
        /// The window.
        allowed_window_nanos: u64,
    },
    /// The stamp is too far ahead. The ledger's time is not told.
    TxCreatedInFuture,
    /// It was done before.
    TxDuplicate {
        /// In this block.
        duplicate_of: u64,
    },
}

/// Why nothing was done, in nobody's words yet.
enum Not {
    BadFee(u64),
    BadBurn(u64),
    Throttled,
    Funds(u64),
    Stamp(Refused),
}

/// A transfer, whoever's words it came in.
struct Order {
    from: AccountId,
    to: AccountId,
    amount: u64,
    fee: Option<u64>,
    memo: u64,
    icrc1_memo: Option<Vec<u8>>,
    created_at_time: Option<Nanos>,
}

fn payer(call: &Call<'_>, subaccount: Option<Subaccount>) -> Result<AccountId, Reject> {
    if call.caller == Principal::anonymous() {
        return Err(Reject::trap("Sending from 2vxsx-fae is not allowed"));
    }
    Ok(account_id(&Account {
        owner: call.caller,
        subaccount,
    }))
}

impl Icp {
    pub(super) fn transfer(
        &mut self,
        call: &Call<'_>,
        arg: TransferArgs,
    ) -> Result<Result<u64, TransferError>, Reject> {
        if !is_sound(&arg.to) {
            return Err(Reject::trap("Invalid account identifier"));
        }
        let stamp = arg.created_at_time.map(|stamp| stamp.timestamp_nanos);
        let order = Order {
            from: payer(call, arg.from_subaccount)?,
            to: arg.to,
            amount: arg.amount.e8s,
            fee: Some(arg.fee.e8s),
            memo: arg.memo,
            icrc1_memo: None,
            created_at_time: Some(stamp.unwrap_or(call.now)),
        };
        let not = match self.send(order, call.now) {
            Ok(block) => return Ok(Ok(block)),
            Err(not) => not,
        };
        Ok(Err(match not {
            Not::BadFee(0) => return Err(Reject::trap("Fee for burning should be zero")),
            Not::BadBurn(least) => {
                let said = format!("Burns lower than {least} are not allowed");
                return Err(Reject::trap(said));
            }
            Not::Throttled => {
                return Err(Reject::trap(
                    "Too many transactions in replay prevention window, ledger is throttling",
                ));
            }
            Not::BadFee(fee) => TransferError::BadFee {
                expected_fee: Tokens { e8s: fee },
            },
            Not::Funds(balance) => TransferError::InsufficientFunds {
                balance: Tokens { e8s: balance },
            },
            Not::Stamp(Refused::TooOld) => TransferError::TxTooOld {
                allowed_window_nanos: WINDOW,
            },
            Not::Stamp(Refused::CreatedInFuture { .. }) => TransferError::TxCreatedInFuture,
            Not::Stamp(Refused::Duplicate { duplicate_of }) => {
                TransferError::TxDuplicate { duplicate_of }
            }
        }))
    }

    pub(super) fn icrc1_transfer(
        &mut self,
        call: &Call<'_>,
        arg: TransferArg,
    ) -> Result<Result<Nat, Icrc1Error>, Reject> {
        let from = payer(call, arg.from_subaccount)?;
        if arg.memo.as_ref().is_some_and(|memo| memo.0.len() > 32) {
            return Err(Reject::trap("the memo field is too large"));
        }
        let Ok(amount) = u64::try_from(&arg.amount.0) else {
            let balance = self.balance_of(&from).into();
            return Ok(Err(Icrc1Error::InsufficientFunds { balance }));
        };
        let order = Order {
            from,
            to: account_id(&arg.to),
            amount,
            // A fee that is no 64-bit number is not the ledger's.
            fee: arg.fee.map(|fee| u64::try_from(&fee.0).unwrap_or(u64::MAX)),
            memo: 0,
            icrc1_memo: arg.memo.map(|memo| memo.0.to_vec()),
            created_at_time: arg.created_at_time,
        };
        let done = self.send(order, call.now);
        Ok(done.map(Nat::from).map_err(|not| match not {
            Not::BadFee(fee) => Icrc1Error::BadFee {
                expected_fee: fee.into(),
            },
            Not::BadBurn(least) => Icrc1Error::BadBurn {
                min_burn_amount: least.into(),
            },
            Not::Throttled => Icrc1Error::TemporarilyUnavailable,
            Not::Funds(balance) => Icrc1Error::InsufficientFunds {
                balance: balance.into(),
            },
            Not::Stamp(Refused::TooOld) => Icrc1Error::TooOld,
            Not::Stamp(Refused::CreatedInFuture { ledger_time }) => {
                Icrc1Error::CreatedInFuture { ledger_time }
            }
            Not::Stamp(Refused::Duplicate { duplicate_of }) => Icrc1Error::Duplicate {
                duplicate_of: duplicate_of.into(),
            },
        }))
    }

    fn send(&mut self, order: Order, now: Nanos) -> Result<u64, Not> {
        let (from, to, amount) = (order.from, order.to, Tokens { e8s: order.amount });
        let (operation, fee) = if to == self.minting {
            let spender = None;
            (
                Operation::Burn {
                    from,
                    spender,
                    amount,
                },
                0,
            )
        } else if from == self.minting {
            (Operation::Mint { to, amount }, 0)
        } else {
            let (fee, spender) = (Tokens { e8s: self.fee }, None);
            let transfer = Operation::Transfer {
                from,
                to,
                amount,
                fee,
                spender,
            };
            (transfer, self.fee)
        };
        if order.fee.is_some_and(|given| given != fee) {
            return Err(Not::BadFee(fee));
        }
        if matches!(operation, Operation::Burn { .. }) && order.amount < self.fee {
            return Err(Not::BadBurn(self.fee));
        }
        if self.unavailable > 0 {
            self.unavailable -= 1;
            return Err(Not::Throttled);
        }
        let transaction = Transaction {
            operation,
            memo: order.memo,
            created_at_time: order.created_at_time,
            icrc1_memo: order.icrc1_memo,
        };
        if let Some(stamp) = transaction.created_at_time {
            self.dedup.purge(now);
            check_window(stamp, now, 0).map_err(Not::Stamp)?;
            if let Some(duplicate_of) = self.dedup.find(&transaction.hash()) {
                return Err(Not::Stamp(Refused::Duplicate { duplicate_of }));
            }
        }
        if from != self.minting {
            let balance = self.balance_of(&from);
            let total = order.amount.checked_add(fee);
            let left = total.and_then(|total| balance.checked_sub(total));
            let Some(left) = left else {
                return Err(Not::Funds(balance));
            };
            self.balances.insert(from, left);
        }
        if to != self.minting {
            *self.balances.entry(to).or_default() += order.amount;
        }
        Ok(self.record(transaction, now))
    }

    /// Writes the block of a transaction that was applied.
    pub(super) fn record(&mut self, transaction: Transaction, now: Nanos) -> u64 {
        let hash = transaction.hash();
        let stamped = transaction.created_at_time.is_some();
        let last = self.log.last();
        let index = self.log.append(Block {
            parent_hash: last.map(Block::hash),
            timestamp: now.max(last.map_or(0, |block| block.timestamp)),
            transaction,
        });
        if stamped {
            self.dedup.remember(hash, index, now);
        }
        self.log.archive_when_due(self.id, self.archiving);
        index
    }
}
