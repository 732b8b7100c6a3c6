//! The canisters of the connected sites.

use crate::confirm::site::SiteName;
use crate::confirm::view::ProfileFrom;
use crate::engine::Wallet;
use crate::engine::canisters::look_alike;
use crate::engine::connect::chooses;
use crate::engine::labels::{account_label, token_of};
use crate::engine::record::RecordError;
use crate::format::amount::Token;
use crate::policy::Grant;
use crate::ports::Ports;
use crate::profile::Source;
use crate::wire::ui::{CanisterLine, Canisters, SiteCanisters};

impl<P: Ports> Wallet<P> {
    pub(super) async fn canisters_view(&self) -> Result<Canisters, RecordError> {
        let mut sites = Vec::new();
        for stored in self.load_all::<Grant>().await? {
            let grant = stored.record;
            let network = self.network(&grant.network).await?;
            let account = self.account_of(&grant.network, &grant.sender).await?;
            let (Some(network), Some(account)) = (network, account) else {
                continue;
            };
            sites.push(SiteCanisters {
                key: grant.site.to_string(),
                site: SiteName::of(grant.site.origin.as_str()),
                account: account_label(&account, &network.record),
                canisters: self.canister_lines(&grant).await?,
            });
        }
        sites.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(Canisters { sites })
    }

    async fn canister_lines(&self, grant: &Grant) -> Result<Vec<CanisterLine>, RecordError> {
        let catalog = self.catalog_of(grant).await?;
        let stands = self.canisters_of(grant).await?;
        let mut lines = Vec::new();
        for held in &grant.canisters {
            let canister = self.accepted_canister(&grant.network, &held.id).await;
            let tools = catalog.tools().iter();
            let tools =
                tools.filter(|tool| chooses(&grant.tools, tool) && tool.entry(&held.id).is_some());
            lines.push(CanisterLine {
                id: held.id.to_text(),
                symbol: canister
                    .as_ref()
                    .and_then(token_of)
                    .as_ref()
                    .and_then(Token::symbol)
                    .map(ToString::to_string),
                looks_like: canister.as_ref().and_then(look_alike),
                tools: u32::try_from(tools.count()).unwrap_or(u32::MAX),
                pasted: canister.is_some_and(|canister| canister.pasted.is_some()),
                profiles: held
                    .profiles
                    .iter()
                    .filter_map(|applied| match applied.source {
                        Source::Canister => Some(ProfileFrom::Canister),
                        Source::Site => Some(ProfileFrom::Site),
                        Source::Person => Some(ProfileFrom::Person),
                        Source::Pack => None,
                    })
                    .collect(),
                withheld: stands.iter().all(|(standing, _)| standing.id != held.id),
            });
        }
        Ok(lines)
    }
}
