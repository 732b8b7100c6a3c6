//! `icrc2_approve`, with the production ledger's order of checks.

use super::{
    Ledger, Like,
    blocks::{Operation, Tx},
    dedup::Refused,
    tokens::{Allowance, Tokens, tokens},
};
use crate::{canisters::Call, network::Reject};
use candid::Nat;
use icrc_ledger_types::{
    icrc1::account::Account,
    icrc2::approve::{ApproveArgs, ApproveError},
};

impl Ledger {
    pub(super) fn icrc2_approve(
        &mut self,
        call: &Call<'_>,
        arg: ApproveArgs,
    ) -> Result<Result<Nat, ApproveError>, Reject> {
        use ApproveError as E;
        let now = call.now;
        let from = Account {
            owner: call.caller,
            subaccount: arg.from_subaccount,
        };
        if from.owner == arg.spender.owner {
            return Err(Reject::trap("self approval is not allowed"));
        }
        if from == self.settings.minting_account {
            return Err(Reject::trap("the minting account cannot delegate mints"));
        }
        if self.settings.like != Like::Cycles {
            self.check_memo(arg.memo.as_ref())?;
        }

        let max = self.settings.max_tokens;
        let amount = tokens(&arg.amount, max).unwrap_or(max);
        let current = self.book.allowance(&from, &arg.spender, now).amount;
        let expected = match arg.expected_allowance {
            None => None,
            Some(expected) => match tokens(&expected, max) {
                Some(expected) => Some(expected),
                None => {
                    return Ok(Err(E::AllowanceChanged {
                        current_allowance: current.into(),
                    }));
                }
            },
        };
        let fee = self.settings.fee;
        let stated = arg
            .fee
            .map(|fee| tokens(&fee, Tokens::MAX).unwrap_or(Tokens::MAX));
        let tx = Tx {
            operation: Operation::Approve {
                from,
                spender: arg.spender,
                expected_allowance: expected,
                expires_at: arg.expires_at,
            },
            amount,
            fee: stated,
            memo: arg.memo,
            created_at_time: arg.created_at_time,
        };
        if let Err(refused) = self.check_first(&tx, now) {
            return Ok(Err(refused.into()));
        }
        if stated.is_some_and(|stated| stated != fee) {
            return Ok(Err(E::BadFee {
                expected_fee: fee.into(),
            }));
        }
        if self.throttled() {
            return Ok(Err(E::TemporarilyUnavailable));
        }
        if let Err(refused) = self.check_stamp(&tx, now) {
            return Ok(Err(refused.into()));
        }

        let balance = self.book.balance(&from);
        if balance < fee {
            return Ok(Err(E::InsufficientFunds {
                balance: balance.into(),
            }));
        }
        if arg.expires_at.is_some_and(|end| end <= now) {
            return Ok(Err(E::Expired { ledger_time: now }));
        }
        if expected.is_some_and(|expected| expected != current) {
            return Ok(Err(E::AllowanceChanged {
                current_allowance: current.into(),
            }));
        }
        if self.settings.like == Like::Cycles {
            self.check_memo(tx.memo.as_ref())?;
        }
        if let Err(refused) = self.check_last(&tx, now) {
            return Ok(Err(refused.into()));
        }
        self.book.burn(&from, fee);
        let allowance = Allowance {
            amount,
            expires_at: arg.expires_at,
        };
        self.book.approve(from, arg.spender, allowance);
        Ok(Ok(self.record(&tx, now, Some(fee)).into()))
    }
}

impl From<Refused> for ApproveError {
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
