//! The methods of the ledgers, and those that only read a setting or a balance.

use super::{
    Describing, Ledger, MAX_ALLOWANCES, MAX_MEMO, reading,
    types::{AllowancesResult, IndexResult, LedgerArg, StandardRecord},
};
use crate::canisters::{
    Call,
    service::{Builder, Service},
};
use candid::Nat;
use icrc_ledger_types::{
    icrc::{generic_metadata_value::MetadataValue, metadata_key::MetadataKey},
    icrc1::account::Account,
    icrc2::allowance::{Allowance as AllowanceReply, AllowanceArgs},
    icrc103::get_allowances::{Allowance as ListedAllowance, GetAllowancesArgs},
    icrc106::errors::Icrc106Error,
};
use std::sync::{Arc, LazyLock};

/// The method that describes calls.
pub(super) const CONSENT: &str = "icrc21_canister_call_consent_message";

pub(super) static PRODUCTION: LazyLock<Arc<Service<Ledger>>> =
    LazyLock::new(|| Arc::new(production().build()));
pub(super) static EXTENDED: LazyLock<Arc<Service<Ledger>>> = LazyLock::new(|| {
    Arc::new(
        production()
            .read("holder_count", Ledger::holder_count)
            .build(),
    )
});

fn production() -> Builder<Ledger> {
    standards(Builder::new().installed_with::<LedgerArg>())
        .read("archives", Ledger::archives)
        .query("get_blocks", Ledger::get_blocks)
        .read("get_data_certificate", Ledger::get_data_certificate)
        .query("get_transactions", Ledger::get_transactions)
        .update(CONSENT, Ledger::consent_message)
        .read("is_ledger_ready", |_, _| true)
}

/// The methods of the standards that all these ledgers have.
pub(super) fn standards(builder: Builder<Ledger>) -> Builder<Ledger> {
    builder
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
}

impl Ledger {
    fn holder_count(&self, _: &Call<'_>) -> Nat {
        Nat::from(self.book.holders())
    }

    pub(super) fn supported_standards(&self, _: &Call<'_>) -> Vec<StandardRecord> {
        [
            "ICRC-1", "ICRC-2", "ICRC-3", "ICRC-10", "ICRC-21", "ICRC-103", "ICRC-106",
        ]
        .into_iter()
        .filter(|name| *name != "ICRC-21" || self.describing != Describing::Unlisted)
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

    pub(super) fn icrc103_get_allowances(
        &self,
        call: &Call<'_>,
        arg: GetAllowancesArgs,
    ) -> AllowancesResult {
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

    pub(super) fn icrc106_get_index_principal(&self, _: &Call<'_>) -> IndexResult {
        self.settings
            .index
            .ok_or(Icrc106Error::IndexPrincipalNotSet)
    }
}
