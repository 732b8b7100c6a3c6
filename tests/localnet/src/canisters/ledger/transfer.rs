//! `icrc1_transfer` and `icrc2_transfer_from`: one path, with the production ledger's order of
//! checks. What is refused before the look-up of duplicates says nothing about an earlier try.

use super::{
    Ledger, Like,
    blocks::{Operation, Tx},
    dedup::Refused,
    tokens::{Tokens, tokens},
};
use crate::{Nanos, canisters::Call, network::Reject};
use candid::Nat;
use icrc_ledger_types::{
    icrc1::{
        account::Account,
        transfer::{Memo, TransferArg, TransferError},
    },
    icrc2::transfer_from::{TransferFromArgs, TransferFromError},
};

/// A transfer, by the owner or by a spender.
struct Order {
    from: Account,
    spender: Option<Account>,
    to: Account,
    amount: Nat,
    fee: Option<Nat>,
    memo: Option<Memo>,
    created_at_time: Option<Nanos>,
}

impl Ledger {
    pub(super) fn icrc1_transfer(
        &mut self,
        call: &Call<'_>,
        arg: TransferArg,
    ) -> Result<Result<Nat, TransferError>, Reject> {
        let order = Order {
            from: Account {
                owner: call.caller,
                subaccount: arg.from_subaccount,
            },
            spender: None,
            to: arg.to,
            amount: arg.amount,
            fee: arg.fee,
            memo: arg.memo,
            created_at_time: arg.created_at_time,
        };
        let result = self.move_tokens(order, call.now)?;
        Ok(result.map(Nat::from).map_err(|error| match error {
            TransferFromError::BadFee { expected_fee } => TransferError::BadFee { expected_fee },
            TransferFromError::BadBurn { min_burn_amount } => {
                TransferError::BadBurn { min_burn_amount }
            }
            TransferFromError::InsufficientFunds { balance } => {
                TransferError::InsufficientFunds { balance }
            }
            TransferFromError::InsufficientAllowance { .. } => {
                unreachable!("an owner needs no allowance")
            }
            TransferFromError::TooOld => TransferError::TooOld,
            TransferFromError::CreatedInFuture { ledger_time } => {
                TransferError::CreatedInFuture { ledger_time }
            }
            TransferFromError::Duplicate { duplicate_of } => {
                TransferError::Duplicate { duplicate_of }
            }
            TransferFromError::TemporarilyUnavailable => TransferError::TemporarilyUnavailable,
            TransferFromError::GenericError {
                error_code,
                message,
            } => TransferError::GenericError {
                error_code,
                message,
            },
        }))
    }

    pub(super) fn icrc2_transfer_from(
        &mut self,
        call: &Call<'_>,
        arg: TransferFromArgs,
    ) -> Result<Result<Nat, TransferFromError>, Reject> {
        let spender = Account {
            owner: call.caller,
            subaccount: arg.spender_subaccount,
        };
        let order = Order {
            from: arg.from,
            spender: Some(spender),
            to: arg.to,
            amount: arg.amount,
            fee: arg.fee,
            memo: arg.memo,
            created_at_time: arg.created_at_time,
        };
        Ok(self.move_tokens(order, call.now)?.map(Nat::from))
    }

    fn move_tokens(
        &mut self,
        order: Order,
        now: Nanos,
    ) -> Result<Result<u64, TransferFromError>, Reject> {
        use TransferFromError as E;
        let Order {
            from,
            spender,
            to,
            amount,
            fee,
            memo,
            created_at_time,
        } = order;

        if self.settings.like != Like::Cycles {
            // A memo that is too long traps; it has no variant.
            self.check_memo(memo.as_ref())?;
        }
        let balance = self.book.balance(&from);
        let Some(amount) = tokens(&amount, self.settings.max_tokens) else {
            return Ok(Err(E::InsufficientFunds {
                balance: balance.into(),
            }));
        };

        let minting = self.settings.minting_account;
        let (operation, expected_fee) = if to == minting {
            (Operation::Burn { from, spender }, 0)
        } else if from == minting {
            if spender.is_some() {
                return Err(Reject::trap("the minter account cannot delegate mints"));
            }
            (Operation::Mint { to }, 0)
        } else {
            (Operation::Transfer { from, to, spender }, self.settings.fee)
        };
        let stated = fee.map(|fee| tokens(&fee, Tokens::MAX).unwrap_or(Tokens::MAX));
        let tx = Tx {
            operation,
            amount,
            fee: stated,
            memo,
            created_at_time,
        };
        if let Err(refused) = self.check_first(&tx, now) {
            return Ok(Err(refused.into()));
        }
        if stated.is_some_and(|stated| stated != expected_fee) {
            return Ok(Err(E::BadFee {
                expected_fee: expected_fee.into(),
            }));
        }
        if matches!(tx.operation, Operation::Burn { .. })
            && (amount == 0 || amount < self.settings.fee.min(balance))
        {
            return Ok(Err(E::BadBurn {
                min_burn_amount: self.settings.fee.into(),
            }));
        }
        if self.throttled() {
            return Ok(Err(E::TemporarilyUnavailable));
        }
        if let Err(refused) = self.check_stamp(&tx, now) {
            return Ok(Err(refused.into()));
        }
        self.apply_transfer(&tx, expected_fee, now)
    }

    /// From here on a refusal means that no identical transaction was recorded before.
    fn apply_transfer(
        &mut self,
        tx: &Tx,
        fee: Tokens,
        now: Nanos,
    ) -> Result<Result<u64, TransferFromError>, Reject> {
        let spend = match self.check_funds(tx, fee, now) {
            Ok(spend) => spend,
            Err(refused) => return Ok(Err(refused)),
        };
        if self.settings.like == Like::Cycles {
            self.check_memo(tx.memo.as_ref())?;
        }
        if let Err(refused) = self.check_last(tx, now) {
            return Ok(Err(refused.into()));
        }
        let charged = match &tx.operation {
            Operation::Transfer { from, to, .. } => {
                self.book.transfer(from, *to, tx.amount, fee);
                Some(fee)
            }
            Operation::Burn { from, .. } => {
                self.book.burn(from, tx.amount);
                None
            }
            Operation::Mint { to } => {
                self.book.mint(*to, tx.amount);
                None
            }
            Operation::Approve { .. } => unreachable!("an approval is no transfer"),
        };
        if let Some((from, spender, total)) = spend {
            self.book.spend(&from, &spender, total);
        }
        Ok(Ok(self.record(tx, now, charged)))
    }

    /// Whether allowance, balance and token type have room for it; what of an allowance it uses.
    fn check_funds(
        &self,
        tx: &Tx,
        fee: Tokens,
        now: Nanos,
    ) -> Result<Option<(Account, Account, Tokens)>, TransferFromError> {
        use TransferFromError as E;
        let total = tx.amount.checked_add(fee);
        let spend = match &tx.operation {
            Operation::Burn {
                from,
                spender: Some(spender),
            }
            | Operation::Transfer {
                from,
                spender: Some(spender),
                ..
            } if from != spender => {
                let allowance = self.book.allowance(from, spender, now);
                match total {
                    Some(total) if total <= allowance.amount => Some((*from, *spender, total)),
                    Some(_) | None => {
                        return Err(E::InsufficientAllowance {
                            allowance: allowance.amount.into(),
                        });
                    }
                }
            }
            Operation::Mint { .. }
            | Operation::Burn { .. }
            | Operation::Transfer { .. }
            | Operation::Approve { .. } => None,
        };
        let (needed, there) = match &tx.operation {
            Operation::Transfer { from, .. } | Operation::Burn { from, .. } => {
                (total, self.book.balance(from))
            }
            Operation::Mint { .. } => {
                let room = self.settings.max_tokens - self.book.supply();
                (Some(tx.amount), room)
            }
            Operation::Approve { .. } => unreachable!("an approval is no transfer"),
        };
        match needed {
            Some(needed) if needed <= there => Ok(spend),
            Some(_) | None => Err(E::InsufficientFunds {
                balance: there.into(),
            }),
        }
    }
}

impl From<Refused> for TransferFromError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooOld => Self::TooOld,
            Refused::CreatedInFuture { ledger_time } => Self::CreatedInFuture { ledger_time },
            Refused::Duplicate { duplicate_of } => Self::Duplicate {
                duplicate_of: duplicate_of.into(),
            },
        }
    }
}
