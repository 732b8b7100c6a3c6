//! The ICP ledger: account identifiers, `transfer` and `icrc1_transfer` over one log, deduplication
//! by what a transaction means, and blocks that are not those of ICRC-3.

pub mod account;
pub mod blocks;
mod reading;
mod transfer;

pub use reading::{
    Archive, BlockRange, GetBlocksArgs, QueryArchiveError, QueryBlocksResponse,
    QueryEncodedBlocksResponse, TipOfChain,
};
pub use transfer::{TransferArgs, TransferError};

use super::{
    Call, Canister, Past,
    ledger::{Archiving, Change, dedup::Dedup},
    log::Log,
    service::{Builder, Service},
};
use crate::{Nanos, faults::Shown, network::Reject};
use account::{AccountId, account_id, of_principal};
use blocks::{Block, Operation, Tokens, Transaction};
use candid::{CandidType, Deserialize, Nat, Principal};
use icrc_ledger_types::icrc1::account::Account;
use serde_bytes::ByteBuf;
use sha2::{Digest as _, Sha256};
use std::{collections::BTreeMap, sync::LazyLock};

/// The fee at first, in base units.
pub const FEE: u64 = 10_000;

/// The ledger.
#[derive(Clone)]
pub struct Icp {
    id: Principal,
    minting: AccountId,
    fee: u64,
    balances: BTreeMap<AccountId, u64>,
    log: Log<Block>,
    dedup: Dedup,
    archiving: Archiving,
    /// How many more transfers it throttles.
    unavailable: u32,
}

impl Icp {
    /// A ledger on which nobody has anything.
    #[must_use]
    pub fn new(id: Principal, archiving: Archiving) -> Self {
        Self {
            id,
            // Nobody has the key of this principal.
            minting: of_principal(Principal::self_authenticating(
                b"countersign-localnet minter",
            )),
            fee: FEE,
            balances: BTreeMap::new(),
            log: Log::default(),
            dedup: Dedup::default(),
            archiving,
            unavailable: 0,
        }
    }

    /// The log, from the first block on.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        self.log.all()
    }

    /// Its archives, in the order of their blocks.
    #[must_use]
    pub fn archive_canisters(&self) -> &[Archive] {
        self.log.archives()
    }

    /// What an account has, in base units.
    #[must_use]
    pub fn balance_of(&self, account: &AccountId) -> u64 {
        self.balances.get(account).copied().unwrap_or_default()
    }

    /// The account that tokens come from and go back to.
    #[must_use]
    pub const fn minting_account(&self) -> &AccountId {
        &self.minting
    }

    /// Moves so many of the oldest blocks that it has itself to its archives.
    pub fn archive(&mut self, blocks: u64) {
        self.log.archive(self.id, blocks, self.archiving.capacity);
    }

    /// Mints from outside. The block's index.
    pub fn mint(&mut self, to: AccountId, e8s: u64, now: Nanos) -> u64 {
        *self.balances.entry(to).or_default() += e8s;
        let amount = Tokens { e8s };
        let transaction = Transaction {
            operation: Operation::Mint { to, amount },
            memo: 0,
            created_at_time: None,
            icrc1_memo: None,
        };
        self.record(transaction, now)
    }
}

#[derive(CandidType, Deserialize)]
struct BalanceArgs {
    account: AccountId,
}

#[derive(CandidType, Deserialize)]
struct Nothing {}

#[derive(CandidType)]
struct TransferFee {
    transfer_fee: Tokens,
}

#[derive(CandidType)]
struct Symbol {
    symbol: &'static str,
}

#[derive(CandidType)]
struct Name {
    name: &'static str,
}

#[derive(CandidType)]
struct Decimals {
    decimals: u32,
}

#[derive(CandidType)]
struct Standard {
    name: &'static str,
    url: &'static str,
}

const SYMBOL: &str = "ICP";
const NAME: &str = "Internet Computer";
const DECIMALS: u8 = 8;

static SERVICE: LazyLock<Service<Icp>> = LazyLock::new(|| {
    let standards = |_: &Icp, _: &Call<'_>| {
        vec![Standard {
            name: "ICRC-1",
            url: "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-1",
        }]
    };
    let service = Builder::new()
        .query("account_balance", |icp: &Icp, _, arg: BalanceArgs| Tokens {
            e8s: icp.balance_of(&arg.account),
        })
        .query("account_identifier", |_, _, account: Account| {
            ByteBuf::from(account_id(&account).to_vec())
        })
        .read("archives", Icp::archives)
        .read("decimals", |_, _| Decimals {
            decimals: DECIMALS.into(),
        })
        .read("icrc10_supported_standards", standards)
        .query("icrc1_balance_of", |icp, _, account: Account| {
            Nat::from(icp.balance_of(&account_id(&account)))
        })
        .read("icrc1_decimals", |_, _| DECIMALS)
        .read("icrc1_fee", |icp, _| Nat::from(icp.fee))
        .read("icrc1_name", |_, _| NAME)
        .read("icrc1_supported_standards", standards)
        .read("icrc1_symbol", |_, _| SYMBOL)
        .read("icrc1_total_supply", |icp, _| {
            Nat::from(
                icp.balances
                    .values()
                    .map(|e8s| u128::from(*e8s))
                    .sum::<u128>(),
            )
        })
        .update("icrc1_transfer", Icp::icrc1_transfer)
        .read("is_ledger_ready", |_, _| true)
        .read("name", |_, _| Name { name: NAME })
        .query("query_blocks", Icp::query_blocks)
        .query("query_encoded_blocks", Icp::query_encoded_blocks)
        .read("symbol", |_, _| Symbol { symbol: SYMBOL })
        .read("tip_of_chain", Icp::tip_of_chain)
        .update("transfer", Icp::transfer)
        .query("transfer_fee", |icp, _, _: Nothing| TransferFee {
            transfer_fee: Tokens { e8s: icp.fee },
        });
    service.build()
});

impl Canister for Icp {
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
        Sha256::digest("countersign-localnet icp").into()
    }

    fn certified_data(&self) -> Vec<u8> {
        self.tip(Shown::Whole)
    }

    fn query(&self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        SERVICE.answer(self, call, method, arg)
    }

    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        SERVICE.execute(self, call, method, arg)
    }

    fn made(&self) -> Vec<&dyn Canister> {
        let archives = self.log.archives().iter();
        archives.map(|archive| archive as &dyn Canister).collect()
    }

    fn made_mut(&mut self, id: Principal) -> Option<&mut dyn Canister> {
        let mut archives = self.log.archives_mut().iter_mut();
        let found = archives.find(|archive| archive.id() == id)?;
        Some(found)
    }

    fn past(&self, blocks: u64) -> Option<Past> {
        Some(Past {
            time: self.log.moment_before(blocks)?,
            certified_data: self.tip(Shown::Behind(blocks)),
        })
    }

    /// Fee, throttling, archiving and what is remembered.
    fn change(&mut self, change: &Change) {
        if change.forget {
            self.dedup = Dedup::default();
        }
        if let Some(fee) = change.fee {
            self.fee = u64::try_from(fee).unwrap_or(u64::MAX);
        }
        if let Some(calls) = change.unavailable {
            self.unavailable = calls;
        }
        if let Some(blocks) = change.archive {
            self.log.archive(self.id, blocks, self.archiving.capacity);
        }
    }

    fn as_icp_mut(&mut self) -> Option<&mut Self> {
        Some(self)
    }
}

#[cfg(test)]
mod tests;
