//! The Candid types of the ledger that `icrc-ledger-types` does not have.

use candid::{CandidType, Deserialize, Nat, Principal};
use icrc_ledger_types::{
    icrc::generic_metadata_value::MetadataValue,
    icrc::metadata_key::MetadataKey,
    icrc1::account::Account,
    icrc21::{errors::Icrc21Error, responses::ConsentInfo},
    icrc103::get_allowances::{Allowances, GetAllowancesError},
    icrc106::errors::Icrc106Error,
};

/// A standard that the ledger supports.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub(super) struct StandardRecord {
    /// Its name.
    pub(super) name: String,
    /// Where it is written down.
    pub(super) url: String,
}

/// A block type that occurs in the log.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub(super) struct SupportedBlockType {
    /// Its name.
    pub(super) block_type: String,
    /// Where it is written down.
    pub(super) url: String,
}

/// The answer of `icrc103_get_allowances`.
pub(super) type AllowancesResult = Result<Allowances, GetAllowancesError>;
/// The answer of `icrc106_get_index_principal`.
pub(super) type IndexResult = Result<Principal, Icrc106Error>;
/// The answer of `icrc21_canister_call_consent_message`.
pub(super) type ConsentResult = Result<ConsentInfo, Icrc21Error>;

/// The argument that the production ledger is installed or upgraded with. It stands in the
/// exported interface; the local ledger is set up by `LedgerConfig`.
#[derive(CandidType, Deserialize)]
pub(super) enum LedgerArg {
    Init(InitArgs),
    Upgrade(Option<UpgradeArgs>),
}

#[derive(CandidType, Deserialize)]
pub(super) struct InitArgs {
    minting_account: Account,
    fee_collector_account: Option<Account>,
    transfer_fee: Nat,
    decimals: Option<u8>,
    max_memo_length: Option<u16>,
    token_symbol: String,
    token_name: String,
    metadata: Vec<(MetadataKey, MetadataValue)>,
    initial_balances: Vec<(Account, Nat)>,
    feature_flags: Option<FeatureFlags>,
    archive_options: ArchiveOptions,
    index_principal: Option<Principal>,
}

#[derive(CandidType, Deserialize)]
pub(super) struct UpgradeArgs {
    metadata: Option<Vec<(MetadataKey, MetadataValue)>>,
    token_symbol: Option<String>,
    token_name: Option<String>,
    transfer_fee: Option<Nat>,
    change_fee_collector: Option<ChangeFeeCollector>,
    max_memo_length: Option<u16>,
    feature_flags: Option<FeatureFlags>,
    change_archive_options: Option<ChangeArchiveOptions>,
    index_principal: Option<Principal>,
}

#[derive(CandidType, Deserialize)]
struct FeatureFlags {
    icrc2: bool,
}

#[derive(CandidType, Deserialize)]
enum ChangeFeeCollector {
    Unset,
    SetTo(Account),
}

#[derive(CandidType, Deserialize)]
struct ArchiveOptions {
    num_blocks_to_archive: u64,
    max_transactions_per_response: Option<u64>,
    trigger_threshold: u64,
    max_message_size_bytes: Option<u64>,
    cycles_for_archive_creation: Option<u64>,
    node_max_memory_size_bytes: Option<u64>,
    controller_id: Principal,
    more_controller_ids: Option<Vec<Principal>>,
}

#[derive(CandidType, Deserialize)]
struct ChangeArchiveOptions {
    num_blocks_to_archive: Option<u64>,
    max_transactions_per_response: Option<u64>,
    trigger_threshold: Option<u64>,
    max_message_size_bytes: Option<u64>,
    cycles_for_archive_creation: Option<u64>,
    node_max_memory_size_bytes: Option<u64>,
    controller_id: Option<Principal>,
    more_controller_ids: Option<Vec<Principal>>,
}
