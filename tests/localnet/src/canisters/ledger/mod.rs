//! A ledger of ICRC-1, 2 and 3 (with 10, 21, 103 and 106), with the production ledger's
//! interface, its order of checks and its deduplication.

mod approve;
mod archive;
mod blocks;
mod change;
mod dedup;
mod log;
mod reading;
mod tokens;
mod transfer;
mod types;

pub use archive::Archive;
pub use blocks::Block;
pub use change::Change;
pub use dedup::{DRIFT, Stamps, WINDOW};
pub use log::Archiving;
pub use tokens::{Allowance, Tokens};

use super::{
    Call, Canister, Past,
    service::{Builder, Service},
};
use crate::{Nanos, faults::Shown, network::Reject};
use blocks::{Operation, Tx};
use candid::{Nat, Principal};
use dedup::{Dedup, Refused, check_window};
use icrc_ledger_types::{
    icrc::{generic_metadata_value::MetadataValue, metadata_key::MetadataKey},
    icrc1::{account::Account, transfer::Memo},
    icrc2::allowance::{Allowance as AllowanceReply, AllowanceArgs},
    icrc21::{
        lib::build_icrc21_consent_info_for_icrc1_and_icrc2_endpoints as consent_info,
        requests::ConsentMessageRequest,
    },
    icrc103::get_allowances::{Allowance as ListedAllowance, GetAllowancesArgs},
    icrc106::errors::Icrc106Error,
};
use log::Log;
use sha2::{Digest as _, Sha256};
use std::sync::{Arc, LazyLock};
use tokens::Book;
use types::{AllowancesResult, ConsentResult, IndexResult, LedgerArg, StandardRecord};

/// The longest memo.
const MAX_MEMO: usize = 32;
/// How many allowances one answer lists.
const MAX_ALLOWANCES: usize = 500;

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
    /// Whether it has the method `holder_count` besides those of the production ledger.
    pub extra_method: bool,
    /// Whether it publishes its interface.
    pub publishes_interface: bool,
    /// What it says of itself: the text of its `candid:profile`.
    pub profile: Option<String>,
    /// When its blocks go to archives.
    pub archiving: Archiving,
}

/// A ledger.
pub struct Ledger {
    settings: Settings,
    service: Arc<Service<Self>>,
    book: Book,
    log: Log,
    dedup: Dedup,
    /// How many more calls it answers with `TemporarilyUnavailable`.
    unavailable: u32,
    /// Which code it runs.
    code: u32,
    /// How far its clock is ahead of the network's, in nanoseconds.
    ahead: i64,
}

impl Ledger {
    /// A ledger on which nobody has anything.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let service = if settings.extra_method {
            &EXTENDED
        } else {
            &PRODUCTION
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
    pub const fn upgrade(&mut self) {
        self.code += 1;
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

    fn check_stamp(&mut self, tx: &Tx, now: Nanos) -> Result<(), Refused> {
        let Some(stamp) = tx.created_at_time else {
            return Ok(());
        };
        match self.settings.stamps {
            Stamps::Remembered => {
                self.dedup.purge(now);
                check_window(stamp, now)?;
                match self.dedup.find(&tx.value().hash()) {
                    Some(duplicate_of) => Err(Refused::Duplicate { duplicate_of }),
                    None => Ok(()),
                }
            }
            Stamps::Checked => check_window(stamp, now),
            Stamps::Ignored => Ok(()),
            Stamps::TooOld => Err(Refused::TooOld),
        }
    }

    /// Writes the block of a transaction that was applied.
    fn record(&mut self, tx: &Tx, now: Nanos, charged: Option<Tokens>) -> u64 {
        // Time in the log never goes back, whatever the clock does.
        let last = self.blocks().last().map_or(0, Block::timestamp);
        let index = self.log.append(tx, now.max(last), charged);
        if tx.created_at_time.is_some() {
            self.dedup.remember(tx.value().hash(), index, now);
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

static PRODUCTION: LazyLock<Arc<Service<Ledger>>> =
    LazyLock::new(|| Arc::new(production().build()));
static EXTENDED: LazyLock<Arc<Service<Ledger>>> = LazyLock::new(|| {
    Arc::new(
        production()
            .read("holder_count", Ledger::holder_count)
            .build(),
    )
});

fn production() -> Builder<Ledger> {
    Builder::new()
        .installed_with::<LedgerArg>()
        .read("archives", Ledger::archives)
        .query("get_blocks", Ledger::get_blocks)
        .read("get_data_certificate", Ledger::get_data_certificate)
        .query("get_transactions", Ledger::get_transactions)
        .query("icrc103_get_allowances", Ledger::icrc103_get_allowances)
        .read(
            "icrc106_get_index_principal",
            Ledger::icrc106_get_index_principal,
        )
        .read("icrc10_supported_standards", Ledger::supported_standards)
        .query("icrc1_balance_of", |ledger, _, account| {
            Nat::from(ledger.book.balance(&account))
        })
        .read("icrc1_decimals", |ledger, _| ledger.settings.decimals)
        .read("icrc1_fee", |ledger, _| Nat::from(ledger.settings.fee))
        .read("icrc1_metadata", Ledger::icrc1_metadata)
        .read("icrc1_minting_account", |ledger, _| {
            Some(ledger.settings.minting_account)
        })
        .read("icrc1_name", |ledger, _| ledger.settings.name.clone())
        .read("icrc1_supported_standards", Ledger::supported_standards)
        .read("icrc1_symbol", |ledger, _| ledger.settings.symbol.clone())
        .read("icrc1_total_supply", |ledger, _| {
            Nat::from(ledger.book.supply())
        })
        .update("icrc1_transfer", Ledger::icrc1_transfer)
        .update(
            "icrc21_canister_call_consent_message",
            Ledger::consent_message,
        )
        .query("icrc2_allowance", Ledger::icrc2_allowance)
        .update("icrc2_approve", Ledger::icrc2_approve)
        .update("icrc2_transfer_from", Ledger::icrc2_transfer_from)
        .query("icrc3_get_archives", Ledger::icrc3_get_archives)
        .query("icrc3_get_blocks", Ledger::icrc3_get_blocks)
        .read(
            "icrc3_get_tip_certificate",
            Ledger::icrc3_get_tip_certificate,
        )
        .read(
            "icrc3_supported_block_types",
            Ledger::icrc3_supported_block_types,
        )
        .read("is_ledger_ready", |_, _| true)
}

impl Ledger {
    fn holder_count(&self, _: &Call<'_>) -> Nat {
        Nat::from(self.book.holders())
    }

    fn supported_standards(&self, _: &Call<'_>) -> Vec<StandardRecord> {
        [
            "ICRC-1", "ICRC-2", "ICRC-3", "ICRC-10", "ICRC-21", "ICRC-103", "ICRC-106",
        ]
        .into_iter()
        .map(|name| StandardRecord {
            name: name.into(),
            url: reading::standard_url(name),
        })
        .collect()
    }

    fn icrc1_metadata(&self, _: &Call<'_>) -> Vec<(MetadataKey, MetadataValue)> {
        let settings = &self.settings;
        let mut entries: Vec<(&str, MetadataValue)> = vec![
            ("icrc1:decimals", u64::from(settings.decimals).into()),
            ("icrc1:name", settings.name.as_str().into()),
            ("icrc1:symbol", settings.symbol.as_str().into()),
            ("icrc1:fee", settings.fee.into()),
            ("icrc1:max_memo_length", (MAX_MEMO as u64).into()),
            ("icrc103:public_allowances", "true".into()),
            ("icrc103:max_take_value", (MAX_ALLOWANCES as u64).into()),
        ];
        if let Some(index) = settings.index {
            entries.push(("icrc106:index_principal", index.to_text().into()));
        }
        entries
            .into_iter()
            .map(|(key, value)| {
                (
                    MetadataKey::parse(key).expect("the key has a namespace"),
                    value,
                )
            })
            .collect()
    }

    fn icrc2_allowance(&self, call: &Call<'_>, arg: AllowanceArgs) -> AllowanceReply {
        let allowance = self.book.allowance(&arg.account, &arg.spender, call.now);
        AllowanceReply {
            allowance: allowance.amount.into(),
            expires_at: allowance.expires_at,
        }
    }

    fn icrc103_get_allowances(&self, call: &Call<'_>, arg: GetAllowancesArgs) -> AllowancesResult {
        let from = arg.from_account.unwrap_or(Account {
            owner: call.caller,
            subaccount: None,
        });
        let take = arg
            .take
            .and_then(|take| usize::try_from(&take.0).ok())
            .map_or(MAX_ALLOWANCES, |take| take.min(MAX_ALLOWANCES));
        Ok(self
            .book
            .allowances(from, arg.prev_spender, call.now)
            .take(take)
            .map(|(account, spender, allowance)| ListedAllowance {
                from_account: *account,
                to_spender: *spender,
                allowance: allowance.amount.into(),
                expires_at: allowance.expires_at,
            })
            .collect())
    }

    fn icrc106_get_index_principal(&self, _: &Call<'_>) -> IndexResult {
        self.settings
            .index
            .ok_or(Icrc106Error::IndexPrincipalNotSet)
    }

    /// The text comes from the production ledger's own library, its rounding of amounts included.
    fn consent_message(
        &mut self,
        call: &Call<'_>,
        arg: ConsentMessageRequest,
    ) -> Result<ConsentResult, Reject> {
        Ok(consent_info(
            arg,
            call.caller,
            self.settings.fee.into(),
            self.settings.symbol.clone(),
            self.settings.name.clone(),
            self.settings.decimals,
        ))
    }
}

impl Canister for Ledger {
    fn id(&self) -> Principal {
        self.settings.id
    }

    fn candid(&self) -> Option<String> {
        let published = self.settings.publishes_interface;
        published.then(|| self.interface().to_owned())
    }

    fn profile(&self) -> Option<String> {
        self.settings.profile.clone()
    }

    fn module_hash(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(format!("countersign-localnet ledger {}\n", self.code));
        hasher.update(self.service.candid());
        hasher.finalize().into()
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
        Arc::clone(&self.service).execute(self, &call, method, arg)
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
