//! The pages beside the asks: home, networks, and the list of calls.

use super::history::{block, standing, state};
use crate::confirm::site::SiteName;
use crate::confirm::view::Effect;
use crate::engine::Wallet;
use crate::engine::canisters::Basis;
use crate::engine::intents::StoredIntent;
use crate::engine::labels::{account_label, shown_amount, token_of};
use crate::engine::networks::label_of;
use crate::engine::record::{RecordError, Stored};
use crate::engine::records::Account;
use crate::ids::Principal;
use crate::policy::Grant;
use crate::ports::store::{Query, Store as _, Table};
use crate::ports::{Clock as _, Ports};
use crate::tools;
use crate::wire::ui::{
    AccountCard, Activity, ActivityRow, Home, NetworkCard, Networks, TokenBalance, TokenLine,
    Unsettled,
};

/// How many calls the home page shows, and how many the activity page.
const LATEST: usize = 5;
pub(super) const ACTIVITY: usize = 100;

impl<P: Ports> Wallet<P> {
    pub(super) async fn home(&self) -> Result<Home, RecordError> {
        let networks = self.networks().await?;
        let grants = self.load_all::<Grant>().await?;
        let mut accounts = Vec::new();
        for account in self.accounts().await? {
            let Some(network) = networks.iter().find(|n| n.record.id() == account.network) else {
                continue;
            };
            let own: Vec<&Stored<Grant>> = grants
                .iter()
                .filter(|g| g.record.account == account.number)
                .collect();
            let mut ledgers: Vec<Principal> = own
                .iter()
                .flat_map(|g| g.record.canisters.iter().map(|c| c.id))
                .collect();
            ledgers.sort();
            ledgers.dedup();
            let mut tokens = Vec::new();
            for ledger in ledgers {
                if let Some(line) = self.token_line(&account, &ledger).await {
                    tokens.push(line);
                }
            }
            accounts.push(AccountCard {
                account: account_label(&account, &network.record),
                principal: account.principal.to_text(),
                tokens,
                sites: own
                    .iter()
                    .map(|g| SiteName::of(g.record.site.origin.as_str()))
                    .collect(),
            });
        }
        let mut unsettled = Vec::new();
        let (open, damaged) = self.open_and_damaged().await?;
        for stored in open {
            if let Some(standing) = standing(&stored.intent) {
                unsettled.push(Unsettled {
                    row: self.row(&stored).await,
                    standing,
                });
            }
        }
        let Activity { rows: latest, more } = self.activity(LATEST).await?;
        Ok(Home {
            accounts,
            unsettled,
            damaged,
            latest,
            more,
        })
    }

    pub(super) async fn token_line(
        &self,
        account: &Account,
        ledger: &Principal,
    ) -> Option<TokenLine> {
        let canister = self.accepted_canister(&account.network, ledger).await?;
        let token = token_of(&canister)?;
        let held = {
            let memory = self.memory.borrow();
            memory.balances.get(&(account.number, *ledger)).cloned()
        };
        Some(TokenLine {
            ledger: ledger.to_text(),
            symbol: token.symbol().map(ToString::to_string),
            balance: match held {
                None => TokenBalance::Reading,
                Some(None) => TokenBalance::Unreadable,
                Some(Some(units)) => TokenBalance::Read(shown_amount(&canister, &token, &units)),
            },
        })
    }

    /// Reads the balances that the home page shows.
    pub(in crate::engine) async fn read_balances(&self) {
        let Ok(grants) = self.load_all::<Grant>().await else {
            return;
        };
        // What failed the last time is being read again.
        self.memory
            .borrow_mut()
            .balances
            .retain(|_, units| units.is_some());
        self.views_changed();
        self.push_views().await;
        for grant in grants {
            let grant = grant.record;
            for held in &grant.canisters {
                let Ok(Some(tools)) = self.tools_of(Basis::of_grant(held)).await else {
                    continue;
                };
                let (network, id) = (&grant.network, held.id);
                let balance = self
                    .balance(network, id, &tools.interface, &grant.sender)
                    .await;
                let key = (grant.account, id);
                self.memory.borrow_mut().balances.insert(key, balance);
                self.views_changed();
            }
        }
        self.push_views().await;
    }

    pub(super) async fn networks_view(&self) -> Result<Networks, RecordError> {
        let accounts = self.accounts().await?;
        let mut cards = Vec::new();
        for stored in self.networks().await? {
            let network = &stored.record;
            let own = accounts
                .iter()
                .filter(|account| account.network == network.id());
            cards.push(NetworkCard {
                network: label_of(network),
                urls: network.endpoints.iter().map(ToString::to_string).collect(),
                accounts: own.map(|account| account_label(account, network)).collect(),
                deduplicating: network
                    .deduplicating
                    .iter()
                    .map(Principal::to_text)
                    .collect(),
            });
        }
        let adding = self
            .memory
            .borrow()
            .adding
            .as_ref()
            .map(|reading| reading.shown.clone());
        Ok(Networks {
            networks: cards,
            adding,
        })
    }

    pub(super) async fn activity(&self, count: usize) -> Result<Activity, RecordError> {
        let rows = self
            .ports
            .store()
            .list(Table::Intents, Query::Newest(count + 1))
            .await?;
        let mut shown = Vec::new();
        for row in rows.iter().take(count) {
            if let Ok(stored) = crate::engine::intents::read_intent(row) {
                let mut line = self.row(&stored).await;
                line.at = row.updated;
                shown.push(line);
            }
        }
        Ok(Activity {
            rows: shown,
            more: rows.len() > count,
        })
    }

    pub(super) async fn row(&self, stored: &StoredIntent) -> ActivityRow {
        let intent = &stored.intent;
        let prepared = intent.prepared();
        let (title, effect, amount, party) = match self.decoded(intent).await {
            Some(decoded) => (
                decoded.title.clone(),
                decoded.effect(),
                decoded.amount(),
                decoded.party().map(|party| party.address),
            ),
            None => (tools::plain(&prepared.method), Effect::Other, None, None),
        };
        ActivityRow {
            preview: prepared.preview,
            title,
            effect,
            amount,
            party,
            site: SiteName::of(&prepared.origin),
            at: self.ports.clock().host(),
            state: state(intent),
            block: block(intent),
        }
    }
}
