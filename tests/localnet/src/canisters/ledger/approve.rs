//! `icrc2_approve`, with the production ledger's order of checks.

use super::{
    Ledger,
    blocks::{Operation, Tx},
    dedup::Refused,
    tokens::{Allowance, tokens},
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
        self.check_memo(arg.memo.as_ref())?;

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
        if arg.fee.as_ref().is_some_and(|given| *given != fee) {
            return Ok(Err(E::BadFee {
                expected_fee: fee.into(),
            }));
        }

        let tx = Tx {
            operation: Operation::Approve {
                from,
                spender: arg.spender,
                expected_allowance: expected,
                expires_at: arg.expires_at,
            },
            amount,
            fee: arg.fee.map(|_| fee),
            memo: arg.memo,
            created_at_time: arg.created_at_time,
        };
        if self.throttled() {
            return Ok(Err(E::TemporarilyUnavailable));
        }
        if let Err(refused) = self.check_stamp(&tx, now) {
            return Ok(Err(match refused {
                Refused::TooOld => E::TooOld,
                Refused::CreatedInFuture { ledger_time } => E::CreatedInFuture { ledger_time },
                Refused::Duplicate { duplicate_of } => E::Duplicate {
                    duplicate_of: duplicate_of.into(),
                },
            }));
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
        self.book.burn(&from, fee);
        let allowance = Allowance {
            amount,
            expires_at: arg.expires_at,
        };
        self.book.approve(from, arg.spender, allowance);
        Ok(Ok(self.record(&tx, now, Some(fee)).into()))
    }
}
