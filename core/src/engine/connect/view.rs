//! What the person is shown of a site's ask to be connected, and the reads that it needs.

use super::CanisterRead;
use super::{Intake, catalog, chooses, tool_choice};
use crate::confirm::digest::RetryClass;
use crate::confirm::site::SiteName;
use crate::confirm::view::{
    AccountChoice, CanisterFacts, CanisterState, ConnectAsk, ConnectBlock, ConnectCanister,
    Preset as ShownPreset, SkippedMethod, ToolKind as ShownKind, ToolLine,
};
use crate::engine::Wallet;
use crate::engine::canisters::{look_alike, standards};
use crate::engine::labels::{account_label, amount_of, token_of};
use crate::engine::record::RecordError;
use crate::engine::records::{Account, Asked, Connect, Value};
use crate::format::amount::Token;
use crate::ids::{AskId, ContentHash, NetworkId, Principal};
use crate::ingress::Endpoint;
use crate::intent::Evidence;
use crate::policy::{Grant, Preset, SiteKey, ToolChoice};
use crate::ports::Ports;
use crate::profile::Resolved;
use crate::tools::{Catalog, Dialect, ToolKind};

impl<P: Ports> Wallet<P> {
    /// The accounts that can be given to a site, the one to be proposed first: one that no other
    /// site has.
    pub(in crate::engine) async fn account_choices(
        &self,
        site: &SiteKey,
    ) -> Result<Vec<(Account, AccountChoice)>, RecordError> {
        let networks = self.networks().await?;
        let grants = self.load_all::<Grant>().await?;
        let own = grants
            .iter()
            .find(|g| g.record.site == *site)
            .map(|g| g.record.account);
        let mut choices = Vec::new();
        for account in self.accounts().await? {
            let network = networks.iter().find(|n| n.record.id() == account.network);
            let Some(network) = network else { continue };
            let used_by = grants
                .iter()
                .filter(|g| g.record.account == account.number && g.record.site != *site)
                .map(|g| SiteName::of(g.record.site.origin.as_str()))
                .collect();
            let label = account_label(&account, &network.record);
            choices.push((
                account,
                AccountChoice {
                    account: label,
                    used_by,
                },
            ));
        }
        // A page of this machine is a developer's, whose canisters are on a network of this
        // machine; any other page means mainnet.
        let local = |account: &Account| {
            let network = networks.iter().find(|n| n.record.id() == account.network);
            network.is_some_and(|n| n.record.endpoints.iter().all(Endpoint::is_loopback))
        };
        choices.sort_by_key(|(account, choice)| {
            (
                Some(account.number) != own,
                local(account) != site.origin.is_loopback(),
                !choice.used_by.is_empty(),
                account.number,
            )
        });
        Ok(choices)
    }

    /// What a person is shown of a site's ask, as far as it is known now.
    pub(in crate::engine) async fn connect_view(
        &self,
        connect: &Connect,
    ) -> Result<ConnectAsk, RecordError> {
        let choices = self.account_choices(&connect.site).await?;
        let choice = self.memory.borrow().choices.get(&connect.ask).copied();
        let chosen = choice
            .and_then(|choice| choices.iter().find(|(a, _)| a.number == choice.account))
            .or_else(|| choices.first());
        let preset = choice.map_or_else(|| shown_preset(&connect.tools), |choice| choice.preset);
        let grant = self.grant_of(&connect.site).await?;
        let network = chosen.map(|(account, _)| account.network);
        let mut canisters = Vec::new();
        let mut reads = Vec::new();
        let mut reading = false;
        for Asked { id, .. } in &connect.canisters {
            let intake = network.and_then(|network| {
                let key = (connect.ask, network, *id);
                self.memory.borrow().intake.get(&key).cloned()
            });
            let state = match (network, intake) {
                (Some(network), Some(Intake::Read(read))) => {
                    let facts = self.facts(&network, &read).await;
                    reads.push(read);
                    CanisterState::Read(Box::new(facts))
                }
                (_, Some(Intake::Failed(why))) => CanisterState::Unreadable(why),
                (_, Some(Intake::Reading(_)) | None) | (None, Some(Intake::Read(_))) => {
                    reading = true;
                    CanisterState::Reading
                }
            };
            canisters.push(ConnectCanister {
                id: id.to_text(),
                state,
            });
        }
        let choice = tool_choice(preset, &connect.tools);
        let mut names = grant
            .as_ref()
            .map(|g| g.record.names.clone())
            .unwrap_or_default();
        let catalog = catalog(&reads, &mut names);
        let skipped = reads.iter().flat_map(|read| &read.tools.plans.skipped);
        let blocked = if reading {
            Some(ConnectBlock::Reading)
        } else if reads.is_empty() && !connect.canisters.is_empty() {
            Some(ConnectBlock::NothingRead)
        } else {
            None
        };
        let mut view = ConnectAsk {
            shown: ContentHash::from_bytes([0; 32]),
            more: grant.is_some(),
            by_person: connect.by_person,
            accounts: choices.iter().map(|(_, choice)| choice.clone()).collect(),
            account: chosen
                .map(|(account, _)| account.number.to_string())
                .unwrap_or_default(),
            preset,
            canisters,
            tools: tool_lines(&catalog, &choice),
            skipped: skipped
                .map(|skipped| SkippedMethod {
                    method: skipped.told(),
                    reason: skipped.reason.to_string(),
                })
                .collect(),
            deadline: connect.deadline,
            blocked,
        };
        let shown = serde_json::to_vec(&view).expect("a view holds only what JSON can");
        view.shown = ContentHash::of(&shown);
        Ok(view)
    }

    pub(super) async fn facts(&self, network: &NetworkId, read: &CanisterRead) -> CanisterFacts {
        let canister = &read.canister;
        let text = |name: &str| match canister.values.get(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            Some(Value::Number(_)) | None => None,
        };
        let token = token_of(canister);
        let evidence = self.ledger_evidence(network, &canister.id).await;
        CanisterFacts {
            symbol: token
                .as_ref()
                .and_then(Token::symbol)
                .map(ToString::to_string),
            name: text("icrc1_name"),
            decimals: match canister.values.get("icrc1_decimals") {
                Some(Value::Number(digits)) => Some(digits.clone()),
                Some(Value::Text(_)) | None => None,
            },
            fee: token
                .as_ref()
                .and_then(|token| amount_of(canister, token, "icrc1_fee")),
            standards: standards(&read.tools.resolved),
            methods: u32::try_from(read.tools.interface.methods.len()).unwrap_or(u32::MAX),
            fingerprint: canister.fingerprint,
            module: canister.module,
            at: canister.at,
            retry: match evidence {
                Evidence::Known => RetryClass::Known,
                Evidence::Claimed | Evidence::None if stamps(&read.tools.resolved) => {
                    RetryClass::Claimed
                }
                Evidence::Claimed | Evidence::None => RetryClass::Unstamped,
            },
            looks_like: look_alike(canister),
            pasted: read.pasted.clone(),
            profiles: read.profiles.clone(),
        }
    }

    /// Notes that a canister is being read for an ask. Gives the number of the reading.
    fn begin_reading(&self, key: (AskId, NetworkId, Principal)) -> u64 {
        let mut memory = self.memory.borrow_mut();
        memory.readings += 1;
        let reading = memory.readings;
        memory.intake.insert(key, Intake::Reading(reading));
        reading
    }

    /// Keeps what a reading brought, where it is still wanted.
    fn end_reading(&self, key: (AskId, NetworkId, Principal), reading: u64, intake: Intake) {
        let mut memory = self.memory.borrow_mut();
        if matches!(memory.intake.get(&key), Some(Intake::Reading(n)) if *n == reading) {
            memory.intake.insert(key, intake);
        }
    }

    /// Reads the canisters of an ask that were not read yet on the chosen account's network.
    pub(in crate::engine) async fn read_asked(&self, connect: &Connect) {
        let Ok(choices) = self.account_choices(&connect.site).await else {
            return;
        };
        let choice = self.memory.borrow().choices.get(&connect.ask).copied();
        let chosen = choice
            .and_then(|choice| choices.iter().find(|(a, _)| a.number == choice.account))
            .or_else(|| choices.first());
        let Some((account, _)) = chosen else { return };
        let network = account.network;
        for asked in &connect.canisters {
            let key = (connect.ask, network, asked.id);
            if self.memory.borrow().intake.contains_key(&key) {
                continue;
            }
            let reading = self.begin_reading(key);
            self.views_changed();
            let intake = match self.read_canister(&network, asked).await {
                Ok(read) => Intake::Read(Box::new(read)),
                Err(why) => Intake::Failed(why),
            };
            self.end_reading(key, reading, intake);
            self.views_changed();
            self.push_views().await;
        }
    }
}

/// Whether any of its calls has a stamp, by which repeats could be told.
fn stamps(resolved: &Resolved) -> bool {
    let mut methods = resolved.methods.values();
    methods.any(|method| method.idempotency.is_some())
}

pub(super) const fn shown_preset(tools: &ToolChoice) -> ShownPreset {
    match tools {
        ToolChoice::Preset(Preset::Look) => ShownPreset::Look,
        ToolChoice::Preset(Preset::Payments) => ShownPreset::Payments,
        ToolChoice::Preset(Preset::All) => ShownPreset::All,
        ToolChoice::Names(_) => ShownPreset::Named,
    }
}

pub(super) fn tool_lines(catalog: &Catalog, choice: &ToolChoice) -> Vec<ToolLine> {
    let chosen = catalog.tools().iter().filter(|tool| chooses(choice, tool));
    let mut lines: Vec<ToolLine> = chosen
        .map(|tool| ToolLine {
            name: tool.names().get(Dialect::Full).to_owned(),
            title: Some(tool.first().title()),
            kind: match tool.first().kind() {
                ToolKind::Read { .. } => ShownKind::Read,
                ToolKind::Prepare => ShownKind::Prepare,
            },
            definition: Some(format!("{:#}", tool.definition(Dialect::Full))),
        })
        .collect();
    for own in crate::engine::wallet_tools::NAMES {
        let kind = if own == crate::tools::COMMIT {
            ShownKind::Commit
        } else {
            ShownKind::Wallet
        };
        lines.push(ToolLine {
            name: own.to_owned(),
            title: None,
            kind,
            definition: None,
        });
    }
    lines.sort_by(|a, b| a.name.cmp(&b.name));
    lines
}
