//! What the cycles ledger does besides: `withdraw` and `create_canister`. Both burn first and then
//! call elsewhere; where that fails, what was burned comes back less the fee, and the burn's hash
//! stays. A duplicate of it is therefore told of calls that failed, too.

use super::{
    Ledger, Tokens,
    blocks::{Operation, Tx},
    dedup::Refused,
    methods::standards,
    tokens::tokens,
};
use crate::{
    Nanos,
    canisters::{
        Call,
        service::{Builder, Service},
    },
    network::Reject,
};
use candid::{CandidType, Deserialize, Nat, Principal};
use icrc_ledger_types::icrc1::{
    account::{Account, Subaccount},
    transfer::Memo,
};
use serde_bytes::ByteBuf;
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

/// The memo of every burn of `create_canister`: its other arguments are not in it.
const CREATE_MEMO: [u8; 32] = [0xfe; 32];
/// The memo of what comes back of a withdrawal.
const WITHDRAW_REFUND_MEMO: [u8; 32] = [0xff; 32];
/// The memo of what comes back of a creation.
const CREATE_REFUND_MEMO: [u8; 32] = [0xfd; 32];

/// What it does besides keeping a book.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    /// How many of the next calls elsewhere fail.
    pub(super) undeliverable: u32,
    /// The canisters it made, by the block of the burn.
    created: BTreeMap<u64, Principal>,
    /// What arrived where.
    delivered: BTreeMap<Principal, Tokens>,
}

impl Outside {
    const fn fails(&mut self) -> bool {
        let fails = self.undeliverable > 0;
        self.undeliverable = self.undeliverable.saturating_sub(1);
        fails
    }
}

/// The argument of `withdraw`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct WithdrawArgs {
    /// How much arrives.
    pub amount: Nat,
    /// The payer's subaccount.
    pub from_subaccount: Option<Subaccount>,
    /// The canister at which it arrives.
    pub to: Principal,
    /// The stamp.
    pub created_at_time: Option<Nanos>,
}

/// Why a call elsewhere failed.
#[derive(CandidType, Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub enum RejectionCode {
    /// It did not.
    NoError,
    /// 5.
    CanisterError,
    /// 2.
    SysTransient,
    /// 3.
    DestinationInvalid,
    /// Unlisted.
    Unknown,
    /// 1.
    SysFatal,
    /// 4.
    CanisterReject,
}

/// Why a withdrawal did not succeed.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub enum WithdrawError {
    /// Something else.
    GenericError {
        /// What it is.
        message: String,
        /// Its number.
        error_code: Nat,
    },
    /// Not now.
    TemporarilyUnavailable,
    /// The burn is recorded, and was given back less the fee.
    FailedToWithdraw {
        /// The block that gave it back; none where nothing was left.
        fee_block: Option<Nat>,
        /// Why it failed.
        rejection_code: RejectionCode,
        /// In words.
        rejection_reason: String,
    },
    /// The burn is recorded in this block. Whether anything arrived is not said.
    Duplicate {
        /// The block.
        duplicate_of: Nat,
    },
    /// Another fee.
    BadFee {
        /// The ledger's.
        expected_fee: Nat,
    },
    /// Not a canister.
    InvalidReceiver {
        /// Who.
        receiver: Principal,
    },
    /// The stamp is ahead.
    CreatedInFuture {
        /// The ledger's time.
        ledger_time: Nanos,
    },
    /// The stamp is old.
    TooOld,
    /// Less than amount and fee.
    InsufficientFunds {
        /// What is there.
        balance: Nat,
    },
}

/// The argument of `create_canister`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct CreateCanisterArgs {
    /// The payer's subaccount.
    pub from_subaccount: Option<Subaccount>,
    /// The stamp.
    pub created_at_time: Option<Nanos>,
    /// With how much it is created.
    pub amount: Nat,
    /// How it is to be. Not part of what makes two calls one.
    pub creation_args: Option<CreationArgs>,
}

/// How a canister is to be.
#[derive(CandidType, Clone, Debug, Default, Deserialize)]
pub struct CreationArgs {
    /// Its settings.
    pub settings: Option<CanisterSettings>,
    /// Where.
    pub subnet_selection: Option<SubnetSelection>,
}

/// A canister's settings.
#[derive(CandidType, Clone, Debug, Default, Deserialize)]
pub struct CanisterSettings {
    /// Who controls it.
    pub controllers: Option<Vec<Principal>>,
    /// Its share of computation.
    pub compute_allocation: Option<Nat>,
    /// Its share of memory.
    pub memory_allocation: Option<Nat>,
    /// When it freezes.
    pub freezing_threshold: Option<Nat>,
    /// How much may be reserved.
    pub reserved_cycles_limit: Option<Nat>,
}

/// On which subnet.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub enum SubnetSelection {
    /// On this one.
    Subnet {
        /// Which.
        subnet: Principal,
    },
    /// On one of a kind.
    Filter(SubnetFilter),
}

/// A kind of subnet.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct SubnetFilter {
    /// Its name.
    pub subnet_type: Option<String>,
}

/// A canister that was made.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub struct CreateCanisterSuccess {
    /// The block of the burn.
    pub block_id: Nat,
    /// The canister.
    pub canister_id: Principal,
}

/// Why none was made, by this call.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub enum CreateCanisterError {
    /// Less than amount and fee.
    InsufficientFunds {
        /// What is there.
        balance: Nat,
    },
    /// The stamp is old.
    TooOld,
    /// The stamp is ahead.
    CreatedInFuture {
        /// The ledger's time.
        ledger_time: Nanos,
    },
    /// Not now.
    TemporarilyUnavailable,
    /// The burn is recorded in this block.
    Duplicate {
        /// The block.
        duplicate_of: Nat,
        /// The canister that it made; none where it failed, or is not done.
        canister_id: Option<Principal>,
    },
    /// The burn is recorded, and was given back less the fee.
    FailedToCreate {
        /// The block of the burn.
        fee_block: Option<Nat>,
        /// The block that gave it back.
        refund_block: Option<Nat>,
        /// Why.
        error: String,
    },
    /// Something else.
    GenericError {
        /// What it is.
        message: String,
        /// Its number.
        error_code: Nat,
    },
}

/// A burn that was not made.
enum NotBurned {
    Throttled,
    Funds(Tokens),
    Stamp(Refused),
}

/// The methods of the cycles ledger that are here.
pub(super) static SERVICE: LazyLock<Arc<Service<Ledger>>> = LazyLock::new(|| {
    let service = standards(Builder::new())
        .update("create_canister", Ledger::create_canister)
        .update("withdraw", Ledger::withdraw);
    Arc::new(service.build())
});

const fn is_self_authenticating(id: Principal) -> bool {
    matches!(id.as_slice(), [.., 2]) && id.as_slice().len() == 29
}

/// The receiver as the memo of a withdrawal's burn: CBOR, an array of its bytes.
fn receiver_memo(to: Principal) -> Vec<u8> {
    let bytes = to.as_slice();
    let length = u8::try_from(bytes.len()).expect("a principal has at most 29 bytes");
    let head: &[u8] = match length {
        ..24 => &[0x81, 0x40 | length],
        24.. => &[0x81, 0x58, length],
    };
    [head, bytes].concat()
}

impl Ledger {
    /// What arrived at a canister by withdrawals, in base units.
    #[must_use]
    pub fn delivered(&self, to: Principal) -> Tokens {
        self.outside.delivered.get(&to).copied().unwrap_or_default()
    }

    /// The canisters that were made.
    #[must_use]
    pub fn created(&self) -> Vec<Principal> {
        self.outside.created.values().copied().collect()
    }

    fn burn(
        &mut self,
        call: &Call<'_>,
        from: Account,
        amount: &Nat,
        memo: &[u8],
        created_at_time: Option<Nanos>,
    ) -> Result<(u64, Tokens), NotBurned> {
        let (now, balance) = (call.now, self.book.balance(&from));
        let max = self.settings.max_tokens;
        let Some(amount) = tokens(amount, max) else {
            return Err(NotBurned::Funds(balance));
        };
        let tx = Tx {
            operation: Operation::Burn {
                from,
                spender: None,
            },
            amount,
            fee: None,
            memo: Some(Memo(ByteBuf::from(memo))),
            created_at_time,
        };
        self.check_first(&tx, now).map_err(NotBurned::Stamp)?;
        if self.throttled() {
            return Err(NotBurned::Throttled);
        }
        let fee = self.settings.fee;
        match amount.checked_add(fee) {
            Some(total) if total <= balance => {
                self.check_last(&tx, now).map_err(NotBurned::Stamp)?;
                self.book.burn(&from, total);
            }
            Some(_) | None => return Err(NotBurned::Funds(balance)),
        }
        Ok((self.record(&tx, now, Some(fee)), amount))
    }

    /// Gives back what was burned, less the fee; the block, where anything is left.
    fn give_back(
        &mut self,
        to: Account,
        burned: Tokens,
        memo: [u8; 32],
        now: Nanos,
    ) -> Option<Nat> {
        let amount = burned.checked_sub(self.settings.fee).filter(|n| *n > 0)?;
        self.book.mint(to, amount);
        let tx = Tx {
            operation: Operation::Mint { to },
            amount,
            fee: None,
            memo: Some(Memo(ByteBuf::from(memo))),
            created_at_time: None,
        };
        Some(self.record(&tx, now, None).into())
    }

    fn withdraw(
        &mut self,
        call: &Call<'_>,
        arg: WithdrawArgs,
    ) -> Result<Result<Nat, WithdrawError>, Reject> {
        use WithdrawError as E;
        if is_self_authenticating(arg.to) {
            return Ok(Err(E::InvalidReceiver { receiver: arg.to }));
        }
        let from = Account {
            owner: call.caller,
            subaccount: arg.from_subaccount,
        };
        let memo = receiver_memo(arg.to);
        let (block, amount) = match self.burn(call, from, &arg.amount, &memo, arg.created_at_time) {
            Ok(burned) => burned,
            Err(NotBurned::Throttled) => return Ok(Err(E::TemporarilyUnavailable)),
            Err(NotBurned::Funds(balance)) => {
                let balance = balance.into();
                return Ok(Err(E::InsufficientFunds { balance }));
            }
            Err(NotBurned::Stamp(Refused::TooOld)) => return Ok(Err(E::TooOld)),
            Err(NotBurned::Stamp(Refused::CreatedInFuture { ledger_time })) => {
                return Ok(Err(E::CreatedInFuture { ledger_time }));
            }
            Err(NotBurned::Stamp(Refused::Duplicate { duplicate_of })) => {
                let duplicate_of = duplicate_of.into();
                return Ok(Err(E::Duplicate { duplicate_of }));
            }
        };
        if self.outside.fails() {
            return Ok(Err(E::FailedToWithdraw {
                fee_block: self.give_back(from, amount, WITHDRAW_REFUND_MEMO, call.now),
                rejection_code: RejectionCode::DestinationInvalid,
                rejection_reason: format!("Canister {} not found.", arg.to),
            }));
        }
        *self.outside.delivered.entry(arg.to).or_default() += amount;
        Ok(Ok(block.into()))
    }

    fn create_canister(
        &mut self,
        call: &Call<'_>,
        arg: CreateCanisterArgs,
    ) -> Result<Result<CreateCanisterSuccess, CreateCanisterError>, Reject> {
        use CreateCanisterError as E;
        let from = Account {
            owner: call.caller,
            subaccount: arg.from_subaccount,
        };
        let burned = self.burn(call, from, &arg.amount, &CREATE_MEMO, arg.created_at_time);
        let (block, amount) = match burned {
            Ok(burned) => burned,
            Err(NotBurned::Throttled) => return Ok(Err(E::TemporarilyUnavailable)),
            Err(NotBurned::Funds(balance)) => {
                let balance = balance.into();
                return Ok(Err(E::InsufficientFunds { balance }));
            }
            Err(NotBurned::Stamp(Refused::TooOld)) => return Ok(Err(E::TooOld)),
            Err(NotBurned::Stamp(Refused::CreatedInFuture { ledger_time })) => {
                return Ok(Err(E::CreatedInFuture { ledger_time }));
            }
            Err(NotBurned::Stamp(Refused::Duplicate { duplicate_of })) => {
                return Ok(Err(E::Duplicate {
                    canister_id: self.outside.created.get(&duplicate_of).copied(),
                    duplicate_of: duplicate_of.into(),
                }));
            }
        };
        if self.outside.fails() {
            return Ok(Err(E::FailedToCreate {
                fee_block: Some(block.into()),
                refund_block: self.give_back(from, amount, CREATE_REFUND_MEMO, call.now),
                error: "No subnet has room for it.".into(),
            }));
        }
        let number = 0x8000_0000_0020_0000 + self.outside.created.len() as u64;
        let canister_id = crate::network::canister_id(number);
        self.outside.created.insert(block, canister_id);
        Ok(Ok(CreateCanisterSuccess {
            block_id: block.into(),
            canister_id,
        }))
    }
}

#[cfg(test)]
mod tests;
