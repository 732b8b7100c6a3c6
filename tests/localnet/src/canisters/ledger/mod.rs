//! A ledger of ICRC-1, 2 and 3 (with 10, 21, 103 and 106), with the production ledger's
//! interface, its order of checks and its deduplication.

mod approve;
mod archive;
mod blocks;
mod change;
mod cycles;
pub(super) mod dedup;
mod describing;
mod methods;
mod reading;
mod tokens;
mod transfer;
mod types;

pub use super::log::Archiving;
pub use archive::Archive;
pub use blocks::Block;
pub use change::Change;
pub use cycles::{
    CanisterSettings, CreateCanisterArgs, CreateCanisterError, CreateCanisterSuccess, CreationArgs,
    RejectionCode, SubnetFilter, SubnetSelection, WithdrawArgs, WithdrawError,
};
pub use dedup::{DRIFT, Stamps, WINDOW};
pub use describing::Describing;
pub use tokens::{Allowance, Tokens};

use super::{
    Call, Canister, Past,
    log::{Log, Written as _},
    service::Service,
};
use crate::{Nanos, faults::Shown, network::Reject};
use blocks::{Operation, Tx};
use candid::Principal;
use dedup::{Dedup, Refused, check_window};
use icrc_ledger_types::icrc1::{account::Account, transfer::Memo};
use sha2::{Digest as _, Sha256};
use std::sync::{Arc, OnceLock};
use tokens::Book;

/// The longest memo.
const MAX_MEMO: usize = 32;
/// How many allowances one answer lists.
const MAX_ALLOWANCES: usize = 500;

/// Which ledger one is like: in its methods, and in the order of its checks.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Like {
    /// The production ledger of ICRC-1: the fee is checked before duplicates are looked up.
    #[default]
    Icrc,
    /// The same, with the method `holder_count`.
    IcrcAndMore,
    /// The cycles ledger: duplicates are looked up first, and the stamp's window is checked last.
    Cycles,
}

/// What makes a ledger the one it is.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The canister's id.
    pub id: Principal,
    /// The token's name.
    pub name: String,
    /// The token's symbol.
    pub symbol: String,
    /// The digits after the point.
    pub decimals: u8,
    /// The fee of a transfer and of an approval, in base units.
    pub fee: Tokens,
    /// The account that tokens come from and go back to.
    pub minting_account: Account,
    /// The largest amount of the token type.
    pub max_tokens: Tokens,
    /// What a stamp is to it.
    pub stamps: Stamps,
    /// Its index canister.
    pub index: Option<Principal>,
    /// Which ledger it is like.
    pub like: Like,
    /// Whether it publishes its interface.
    pub publishes_interface: bool,
    /// What it says of itself: the text of its `candid:profile`.
    pub profile: Option<String>,
    /// When its blocks go to archives.
    pub archiving: Archiving,
}

/// A ledger.
#[derive(Clone)]
pub struct Ledger {
    settings: Settings,
    service: Arc<Service<Self>>,
    book: Book,
    log: Log<Block>,
    dedup: Dedup,
    /// How many more calls it answers with `TemporarilyUnavailable`.
    unavailable: u32,
    /// Which code it runs.
    code: u32,
    /// How far its clock is ahead of the network's, in nanoseconds.
    ahead: i64,
    /// What it does besides keeping a book, where it is the cycles ledger.
    outside: cycles::Outside,
    /// How it describes calls.
    describing: Describing,
    /// That code's hash, once somebody asked.
    module: OnceLock<[u8; 32]>,
}

impl Ledger {
    /// A ledger on which nobody has anything.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let service = match settings.like {
            Like::Icrc => &methods::PRODUCTION,
            Like::IcrcAndMore => &methods::EXTENDED,
            Like::Cycles => &cycles::SERVICE,
        };
        Self {
            settings,
            service: Arc::clone(service),
            book: Book::default(),
            log: Log::default(),
            dedup: Dedup::default(),
            unavailable: 0,
            code: 1,
            ahead: 0,
            outside: cycles::Outside::default(),
            describing: Describing::default(),
            module: OnceLock::new(),
        }
    }

    /// What makes it the one it is.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What an account has, in base units.
    #[must_use]
    pub fn balance(&self, account: &Account) -> Tokens {
        self.book.balance(account)
    }

    /// The allowance that stands at a time.
    #[must_use]
    pub fn allowance(&self, from: &Account, spender: &Account, now: Nanos) -> Allowance {
        self.book.allowance(from, spender, now)
    }

    /// The log, from the first block on.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        self.log.all()
    }

    /// Its interface, published or not.
    #[must_use]
    pub fn interface(&self) -> &str {
        self.service.candid()
    }

    /// Its archives, in the order of their blocks.
    #[must_use]
    pub fn archive_canisters(&self) -> &[Archive] {
        self.log.archives()
    }

    /// Moves so many of the oldest blocks that it has itself to its archives.
    pub fn archive(&mut self, blocks: u64) {
        let capacity = self.settings.archiving.capacity;
        self.log.archive(self.settings.id, blocks, capacity);
    }

    /// Sets when its blocks go to archives from now on.
    pub const fn set_archiving(&mut self, archiving: Archiving) {
        self.settings.archiving = archiving;
    }

    /// Installs its code anew: log, archives, balances and all it remembers are gone.
    pub fn reinstall(&mut self) {
        *self = Self {
            code: self.code,
            ahead: self.ahead,
            ..Self::new(self.settings.clone())
        };
    }

    /// Changes the fee.
    pub const fn set_fee(&mut self, fee: Tokens) {
        self.settings.fee = fee;
    }

    /// Runs other code from now on, with the same interface.
    pub fn upgrade(&mut self) {
        self.code += 1;
        self.module = OnceLock::new();
    }

    /// Sets how many decimals it counts with.
    pub const fn set_decimals(&mut self, decimals: u8) {
        self.settings.decimals = decimals;
    }

    /// Sets what a stamp is to it.
    pub const fn set_stamps(&mut self, stamps: Stamps) {
        self.settings.stamps = stamps;
    }

    /// Forgets which transactions it has recorded.
    pub fn forget_transactions(&mut self) {
        self.dedup = Dedup::default();
    }

    /// Sets how far its clock is ahead of the network's, in milliseconds.
    pub const fn set_clock(&mut self, ahead_ms: i64) {
        self.ahead = ahead_ms.saturating_mul(1_000_000);
    }

    /// Makes the next transfers and approvals answer `TemporarilyUnavailable`.
    pub const fn set_unavailable(&mut self, calls: u32) {
        self.unavailable = calls;
    }

    /// Mints from outside, as the minting account would. The block's index.
    ///
    /// # Errors
    ///
    /// More than the token type holds.
    pub fn mint(&mut self, to: Account, amount: Tokens, now: Nanos) -> Result<u64, TooMuchError> {
        if amount > self.settings.max_tokens - self.book.supply() {
            return Err(TooMuchError);
        }
        self.book.mint(to, amount);
        let tx = Tx {
            operation: Operation::Mint { to },
            amount,
            fee: None,
            memo: None,
            created_at_time: None,
        };
        Ok(self.record(&tx, now, None))
    }

    /// A call at the time that it takes it for.
    const fn by_its_clock<'a>(&self, call: &Call<'a>) -> Call<'a> {
        let now = call.now.saturating_add_signed(self.ahead);
        Call { now, ..*call }
    }

    fn check_memo(&self, memo: Option<&Memo>) -> Result<(), Reject> {
        match memo {
            Some(memo) if memo.0.len() > MAX_MEMO => Err(Reject::trap(format!(
                "the memo field size of {} bytes is above the allowed limit of {MAX_MEMO} bytes",
                memo.0.len()
            ))),
            Some(_) | None => Ok(()),
        }
    }

    const fn throttled(&mut self) -> bool {
        let throttled = self.unavailable > 0;
        self.unavailable = self.unavailable.saturating_sub(1);
        throttled
    }

    /// The checks of a stamp where the ledger looks up duplicates before all else.
    fn check_first(&mut self, tx: &Tx, now: Nanos) -> Result<(), Refused> {
        match self.settings.like {
            Like::Cycles => self.check_repeated(tx, now),
            Like::Icrc | Like::IcrcAndMore => Ok(()),
        }
    }

    /// The checks of a stamp between those of the fee and of the funds.
    fn check_stamp(&mut self, tx: &Tx, now: Nanos) -> Result<(), Refused> {
        match self.settings.like {
            Like::Cycles => Ok(()),
            Like::Icrc | Like::IcrcAndMore => {
                if tx.created_at_time.is_some() {
                    self.dedup.purge(now);
                }
                self.check_stamps_window(tx, now)?;
                self.check_repeated(tx, now)
            }
        }
    }

    /// The checks of a stamp after all others.
    fn check_last(&self, tx: &Tx, now: Nanos) -> Result<(), Refused> {
        match self.settings.like {
            Like::Cycles => self.check_stamps_window(tx, now),
            Like::Icrc | Like::IcrcAndMore => Ok(()),
        }
    }

    fn check_stamps_window(&self, tx: &Tx, now: Nanos) -> Result<(), Refused> {
        let Some(stamp) = tx.created_at_time else {
            return Ok(());
        };
        let grace = match self.settings.like {
            Like::Cycles => DRIFT,
            Like::Icrc | Like::IcrcAndMore => 0,
        };
        match self.settings.stamps {
            Stamps::Remembered | Stamps::Checked => check_window(stamp, now, grace),
            Stamps::Ignored => Ok(()),
            Stamps::TooOld => Err(Refused::TooOld),
        }
    }

    fn check_repeated(&mut self, tx: &Tx, now: Nanos) -> Result<(), Refused> {
        if tx.created_at_time.is_none() || self.settings.stamps != Stamps::Remembered {
            return Ok(());
        }
        self.dedup.purge(now);
        match self.dedup.find(&tx.value().hash()) {
            Some(duplicate_of) => Err(Refused::Duplicate { duplicate_of }),
            None => Ok(()),
        }
    }

    /// Writes the block of a transaction that was applied.
    fn record(&mut self, tx: &Tx, now: Nanos, charged: Option<Tokens>) -> u64 {
        // Time in the log never goes back, whatever the clock does.
        let last = self.log.last();
        let written = now.max(last.map_or(0, Block::timestamp));
        let before = last.map(|block| block.hash);
        let index = self.log.append(Block::new(before, tx, written, charged));
        if let Some(stamp) = tx.created_at_time {
            let since = match self.settings.like {
                // Its stamps are good for a minute more.
                Like::Cycles => now.max(stamp),
                Like::Icrc | Like::IcrcAndMore => now,
            };
            self.dedup.remember(tx.value().hash(), index, since);
        }
        let archiving = self.settings.archiving;
        self.log.archive_when_due(self.settings.id, archiving);
        index
    }
}

/// More tokens than the token type holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("more tokens than the ledger's token type holds")]
pub struct TooMuchError;

impl Canister for Ledger {
    fn id(&self) -> Principal {
        self.settings.id
    }

    fn fork(&self) -> Box<dyn Canister> {
        Box::new(self.clone())
    }

    fn candid(&self) -> Option<String> {
        let published = self.settings.publishes_interface;
        published.then(|| self.interface().to_owned())
    }

    fn profile(&self) -> Option<String> {
        self.settings.profile.clone()
    }

    fn module_hash(&self) -> [u8; 32] {
        *self.module.get_or_init(|| {
            let mut hasher = Sha256::new();
            hasher.update(format!("countersign-localnet ledger {}\n", self.code));
            hasher.update(self.service.candid());
            hasher.finalize().into()
        })
    }

    fn certified_data(&self) -> Vec<u8> {
        self.tip(Shown::Whole).digest().to_vec()
    }

    fn past(&self, blocks: u64) -> Option<Past> {
        self.tip_before(blocks)
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

    fn query(&self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        self.service
            .answer(self, &self.by_its_clock(call), method, arg)
    }

    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        let call = self.by_its_clock(call);
        if let Some(answer) = self.described_in_another_form(&call, method, arg) {
            return answer;
        }
        Arc::clone(&self.service).execute(self, &call, method, arg)
    }

    fn change(&mut self, change: &Change) {
        self.change(change);
    }

    fn as_ledger(&self) -> Option<&Ledger> {
        Some(self)
    }

    fn as_ledger_mut(&mut self) -> Option<&mut Ledger> {
        Some(self)
    }
}

#[cfg(test)]
mod tests;
