//! A minter: it burns a wrapped coin of whoever asks, by an allowance, and promises the coin itself
//! elsewhere. It knows no stamp, no memo and no repetition: asked twice, it pays twice. What stops
//! it is the allowance.

use super::{
    Call, Canister,
    service::{Builder, Service},
};
use crate::network::Reject;
use candid::{CandidType, Decode, Deserialize, Encode, Nat, Principal};
use icrc_ledger_types::{
    icrc1::account::{Account, Subaccount},
    icrc2::transfer_from::{TransferFromArgs, TransferFromError},
};
use sha2::{Digest as _, Sha256};
use std::sync::LazyLock;

/// The least that it takes, in base units.
pub const LEAST: u64 = 1_000;

/// The minter.
#[derive(Clone)]
pub struct Minter {
    id: Principal,
    ledger: Principal,
    withdrawals: Vec<Withdrawal>,
}

/// A withdrawal that it promised.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Withdrawal {
    /// Whose tokens were burned.
    pub from: Account,
    /// How many.
    pub amount: u64,
    /// Where the coins go.
    pub address: String,
    /// The block of the burn.
    pub block_index: u64,
}

/// The argument of `retrieve_btc_with_approval`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct RetrieveArgs {
    /// Where the coins go.
    pub address: String,
    /// How many, in base units.
    pub amount: u64,
    /// The subaccount whose tokens are burned.
    pub from_subaccount: Option<Subaccount>,
}

/// A withdrawal that was promised.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub struct RetrieveOk {
    /// The block of the burn.
    pub block_index: u64,
}

/// Why none was.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub enum RetrieveError {
    /// No address.
    MalformedAddress(String),
    /// Another call for the account is running.
    AlreadyProcessing,
    /// Less than this.
    AmountTooLow(u64),
    /// The account has this.
    InsufficientFunds {
        /// What it has.
        balance: u64,
    },
    /// The allowance is this.
    InsufficientAllowance {
        /// How much it is.
        allowance: u64,
    },
    /// Not now.
    TemporarilyUnavailable(String),
    /// Something else.
    GenericError {
        /// What it is.
        error_message: String,
        /// Its number.
        error_code: u64,
    },
}

/// What became of a withdrawal.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub enum RetrieveStatus {
    /// There is none of this block.
    Unknown,
    /// It is promised.
    Pending,
}

/// A block of a burn.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct StatusArgs {
    /// The block.
    pub block_index: u64,
}

/// A withdrawal in a list.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub struct Listed {
    /// The block of the burn.
    pub block_index: u64,
    /// What became of it.
    pub status_v2: Option<RetrieveStatus>,
}

/// The terms.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct MinterInfo {
    /// After how many blocks a deposit counts.
    pub min_confirmations: u32,
    /// The least that it takes.
    pub retrieve_btc_min_amount: u64,
    /// The fee of a check.
    pub kyt_fee: u64,
}

impl Minter {
    /// A minter of the tokens of a ledger, whose minting account it has to be.
    #[must_use]
    pub const fn new(id: Principal, ledger: Principal) -> Self {
        Self {
            id,
            ledger,
            withdrawals: vec![],
        }
    }

    /// What it promised, oldest first.
    #[must_use]
    pub fn withdrawals(&self) -> &[Withdrawal] {
        &self.withdrawals
    }

    fn retrieve(
        &mut self,
        call: &Call<'_>,
        arg: RetrieveArgs,
    ) -> Result<Result<RetrieveOk, RetrieveError>, Reject> {
        use RetrieveError as E;
        if arg.amount < LEAST {
            return Ok(Err(E::AmountTooLow(LEAST)));
        }
        if !arg.address.starts_with("bc1") || !arg.address.is_ascii() {
            let said = format!("not an address: {}", arg.address);
            return Ok(Err(E::MalformedAddress(said)));
        }
        let from = Account {
            owner: call.caller,
            subaccount: arg.from_subaccount,
        };
        let burn = TransferFromArgs {
            spender_subaccount: None,
            from,
            to: self.id.into(),
            amount: arg.amount.into(),
            fee: None,
            memo: None,
            // The minter's own call is not deduplicated either.
            created_at_time: None,
        };
        let block_index = match self.burn(call, &burn)? {
            Ok(block) => block,
            Err(refused) => return Ok(Err(refused)),
        };
        self.withdrawals.push(Withdrawal {
            from,
            amount: arg.amount,
            address: arg.address,
            block_index,
        });
        Ok(Ok(RetrieveOk { block_index }))
    }

    fn burn(
        &self,
        call: &Call<'_>,
        burn: &TransferFromArgs,
    ) -> Result<Result<u64, RetrieveError>, Reject> {
        use RetrieveError as E;
        let number = |nat: &Nat| u64::try_from(&nat.0).unwrap_or(u64::MAX);
        let bytes = Encode!(burn).map_err(|error| Reject::trap(error.to_string()))?;
        let ask = call.ask.expect("an update can ask others");
        let unavailable = |said: String| Ok(Err(E::TemporarilyUnavailable(said)));
        let reply = match ask(self.ledger, "icrc2_transfer_from", &bytes) {
            Ok(reply) => reply,
            Err(reject) => return unavailable(reject.message),
        };
        let reply = Decode!(&reply, Result<Nat, TransferFromError>)
            .map_err(|error| Reject::trap(error.to_string()))?;
        match reply {
            Ok(block) => Ok(Ok(number(&block))),
            Err(TransferFromError::InsufficientFunds { balance }) => {
                let balance = number(&balance);
                Ok(Err(E::InsufficientFunds { balance }))
            }
            Err(TransferFromError::InsufficientAllowance { allowance }) => {
                let allowance = number(&allowance);
                Ok(Err(E::InsufficientAllowance { allowance }))
            }
            Err(TransferFromError::TemporarilyUnavailable) => {
                unavailable("the ledger is busy".to_owned())
            }
            Err(other) => Ok(Err(E::GenericError {
                error_message: other.to_string(),
                error_code: 0,
            })),
        }
    }

    fn status(&self, _: &Call<'_>, arg: StatusArgs) -> RetrieveStatus {
        let mut withdrawals = self.withdrawals.iter();
        if withdrawals.any(|known| known.block_index == arg.block_index) {
            RetrieveStatus::Pending
        } else {
            RetrieveStatus::Unknown
        }
    }

    fn of_account(&self, call: &Call<'_>, account: Option<Account>) -> Vec<Listed> {
        let account = account.unwrap_or_else(|| call.caller.into());
        let withdrawals = self.withdrawals.iter();
        withdrawals
            .filter(|known| known.from == account)
            .map(|known| Listed {
                block_index: known.block_index,
                status_v2: Some(RetrieveStatus::Pending),
            })
            .collect()
    }
}

static SERVICE: LazyLock<Service<Minter>> = LazyLock::new(|| {
    let service = Builder::new()
        .read("get_minter_info", |_, _| MinterInfo {
            min_confirmations: 6,
            retrieve_btc_min_amount: LEAST,
            kyt_fee: 0,
        })
        .query("retrieve_btc_status_v2", Minter::status)
        .query("retrieve_btc_status_v2_by_account", Minter::of_account)
        .update("retrieve_btc_with_approval", Minter::retrieve);
    service.build()
});

impl Canister for Minter {
    fn id(&self) -> Principal {
        self.id
    }

    fn fork(&self) -> Box<dyn Canister> {
        Box::new(self.clone())
    }

    fn candid(&self) -> Option<String> {
        Some(SERVICE.candid().to_owned())
    }

    fn module_hash(&self) -> [u8; 32] {
        Sha256::digest("countersign-localnet minter").into()
    }

    fn certified_data(&self) -> Vec<u8> {
        vec![]
    }

    fn query(&self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        SERVICE.answer(self, call, method, arg)
    }

    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        SERVICE.execute(self, call, method, arg)
    }
}
