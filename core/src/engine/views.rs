//! What a window shows, from what is stored and what memory holds. Nothing is read from the
//! network here.

use super::Wallet;
use super::asks::Queued;
use super::canisters::{for_tools, standards};
use super::connect::{account_label, shown_amount, token_of};
use super::intents::StoredIntent;
use super::networks::label_of;
use super::record::{RecordError, Stored};
use super::records::{Account, Canister, Connect, Network};
use super::signing::retry_class;
use super::windows::{Session, Standing as Beside};
use crate::confirm::site::SiteName;
use crate::confirm::view::{
    AccountLabel, Amount, Argument, Ask, Asked, Asker, Balance, Call, CallAsk, Change, Changed,
    Effect, Fee, Filled, Lapse as ShownLapse, Lost, NetworkLabel, Notice, Party, Provenance,
    QueuePlace as Nth, Resend, Role, ValueKind,
};
use crate::ids::{AskId, NetworkId, PreviewId, Principal};
use crate::intent::{AskKind, CommitPlan, EndKind, HandWord, Held, Intent, Lapse, Now};
use crate::policy::Grant;
use crate::ports::store::{Query, Store as _, Table};
use crate::ports::{Clock as _, PortId, Ports};
use crate::profile::EffectKind;
use crate::tools::{self, LeafKind};
use crate::vault::sealed::MIN_PASSPHRASE;
use crate::wire::ui::{
    AccountCard, Action, Activity, ActivityRow, Advice, Dead, DeadWhy, Doing, FirstRun, Happened,
    HistoryLine, Home, IntentRecord, Known, NetworkCard, Networks, Place, Screen, Standing, State,
    TokenLine, Unlock, Unsettled, View,
};
use num_bigint::BigUint;

/// How many calls the home page shows, and how many the activity page.
const LATEST: usize = 5;
const ACTIVITY: usize = 100;

impl<P: Ports> Wallet<P> {
    /// What a window shows now.
    pub(super) async fn view_for(
        &self,
        port: PortId,
        session: &Session,
    ) -> Result<View, RecordError> {
        let queue = self.queue().await?;
        let sealed = self.sealed().await?;
        let waiting = u32::try_from(queue.len()).unwrap_or(u32::MAX);
        let Some(sealed) = sealed else {
            let network = label_of(&self.mainnet());
            let shortest = u32::try_from(MIN_PASSPHRASE).unwrap_or(u32::MAX);
            let screen = Screen::FirstRun(FirstRun { network, shortest });
            return Ok(View {
                mark: self.proposed_mark(),
                waiting,
                clock_off_s: None,
                screen,
            });
        };
        let screen = if self.is_unlocked() {
            match session.place {
                Place::Home => Screen::Home(self.home().await?),
                Place::Networks => Screen::Networks(self.networks_view().await?),
                Place::Activity => Screen::Activity(self.activity(ACTIVITY).await?),
                Place::Intent(preview) => match self.record_view(&preview).await? {
                    Some(record) => Screen::Intent(Box::new(record)),
                    None => Screen::NoIntent,
                },
                Place::Asks => self.ask_screen(port, session, &queue).await?,
            }
        } else {
            Screen::Unlock(self.unlock_view(&queue).await?)
        };
        let clock_off_s = self.clock_off();
        Ok(View {
            mark: sealed.record.mark,
            waiting,
            clock_off_s,
            screen,
        })
    }

    async fn unlock_view(&self, queue: &[Queued]) -> Result<Unlock, RecordError> {
        let asked_by = queue.iter().find_map(|queued| match queued {
            Queued::Call(_) => Some(queued.site()),
            Queued::Connect(_) => None,
        });
        let open = self.open_intents().await?;
        let in_flight = open
            .iter()
            .filter(|stored| stored.intent.live().is_some())
            .count();
        Ok(Unlock {
            asked_by,
            in_flight: u32::try_from(in_flight).unwrap_or(u32::MAX),
        })
    }

    /// How far the host's clock is from certified time, in seconds, where that is over two minutes.
    fn clock_off(&self) -> Option<i64> {
        let (host, uptime) = (self.ports.clock().host(), self.ports.clock().monotonic());
        let memory = self.memory.borrow();
        let mut live = memory.networks.values();
        let certified = live.find_map(|network| {
            network
                .homes
                .values()
                .find_map(|subnet| network.trust.now(*subnet, uptime))
        })?;
        let off = i128::from(host.as_nanos()) - i128::from(certified.as_nanos());
        let seconds = i64::try_from(off / 1_000_000_000).ok()?;
        (seconds.abs() > 120).then_some(seconds)
    }

    // ---- home, networks, activity ----

    async fn home(&self) -> Result<Home, RecordError> {
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
        for stored in self.open_intents().await? {
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
            latest,
            more,
        })
    }

    async fn token_line(&self, account: &Account, ledger: &Principal) -> Option<TokenLine> {
        let canister = self.accepted_canister(&account.network, ledger).await?;
        let token = token_of(&canister)?;
        let held = {
            let memory = self.memory.borrow();
            memory.balances.get(&(account.number, *ledger)).cloned()
        };
        Some(TokenLine {
            ledger: ledger.to_text(),
            symbol: token.symbol().map(ToString::to_string),
            balance: held.map(|units| shown_amount(&canister, &token, &units)),
        })
    }

    /// Reads the balances that the home page shows.
    pub(super) async fn read_balances(&self) {
        let Ok(grants) = self.load_all::<Grant>().await else {
            return;
        };
        for grant in grants {
            let grant = grant.record;
            for held in &grant.canisters {
                let canister = self.accepted_canister(&grant.network, &held.id).await;
                let Some(canister) = canister else { continue };
                let Ok(Some(tools)) = self.tools_of(&canister.fingerprint).await else {
                    continue;
                };
                let (network, id) = (&grant.network, held.id);
                let balance = self
                    .balance(network, id, &tools.interface, &grant.sender)
                    .await;
                let key = (grant.account, id);
                match balance {
                    Some(units) => self.memory.borrow_mut().balances.insert(key, units),
                    None => self.memory.borrow_mut().balances.remove(&key),
                };
                self.views_changed();
            }
        }
        self.push_views().await;
    }

    async fn networks_view(&self) -> Result<Networks, RecordError> {
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

    async fn activity(&self, count: usize) -> Result<Activity, RecordError> {
        let rows = self
            .ports
            .store()
            .list(Table::Intents, Query::Newest(count + 1))
            .await?;
        let mut shown = Vec::new();
        for row in rows.iter().take(count) {
            if let Ok(stored) = super::intents::read_intent(row) {
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

    async fn row(&self, stored: &StoredIntent) -> ActivityRow {
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

    // ---- asks ----

    async fn ask_screen(
        &self,
        port: PortId,
        session: &Session,
        queue: &[Queued],
    ) -> Result<Screen, RecordError> {
        match &session.standing {
            Beside::Decided(decided, call) => {
                let mut decided = (**decided).clone();
                if let Some(preview) = call
                    && let Some(stored) = self.intent(preview).await?
                {
                    decided.row = Some(self.row(&stored).await);
                }
                decided.next = Self::next_ask(queue);
                return Ok(Screen::Decided(decided));
            }
            Beside::Dead(dead) => {
                let mut dead = (**dead).clone();
                dead.next = Self::next_ask(queue);
                return Ok(Screen::Dead(dead));
            }
            Beside::Queue => {}
        }
        let shown = session.shows;
        let nth = match shown {
            Some(ask) => queue.iter().position(|queued| queued.id() == Some(ask)),
            None => queue
                .iter()
                .position(|queued| queued.id().is_some_and(|id| !session.later.contains(&id))),
        };
        let Some(nth) = nth else {
            if shown.is_some() {
                let dead = self.dead(session.preview, queue).await?;
                let beside = Beside::Dead(Box::new(dead.clone()));
                self.with_session(port, |session| {
                    session.standing = beside;
                    session.shows = None;
                });
                self.shows(&session.token, None).await;
                return Ok(Screen::Dead(dead));
            }
            return Ok(Screen::NoAsk);
        };
        let queued = &queue[nth];
        let Some(id) = queued.id() else {
            return Ok(Screen::NoAsk);
        };
        // What a window shows is stored before it is shown, so that closing it is a no to it.
        if shown != Some(id) {
            if !self.shows(&session.token, Some(id)).await {
                return Ok(Screen::NoAsk);
            }
            let preview = match queued {
                Queued::Call(stored) => Some(stored.intent.preview()),
                Queued::Connect(_) => None,
            };
            self.with_session(port, |session| {
                session.shows = Some(id);
                session.preview = preview;
            });
        }
        let place = Nth {
            nth: u32::try_from(nth + 1).unwrap_or(u32::MAX),
            of: u32::try_from(queue.len()).unwrap_or(u32::MAX),
        };
        let screen = match queued {
            Queued::Connect(stored) => {
                let connect = &stored.record;
                let view = self.connect_view(connect).await?;
                let asker = self.asker_of_connect(connect).await?;
                Some(Ask {
                    id,
                    place,
                    asker,
                    notice: None,
                    what: Asked::Connect(Box::new(view)),
                })
            }
            Queued::Call(stored) => self.call_ask(stored, id, place).await?,
        };
        Ok(screen.map_or(Screen::NoAsk, |ask| Screen::Ask(Box::new(ask))))
    }

    /// Why the ask that a window showed is gone.
    async fn dead(
        &self,
        preview: Option<PreviewId>,
        queue: &[Queued],
    ) -> Result<Dead, RecordError> {
        let next = Self::next_ask(queue);
        let stored = match preview {
            Some(preview) => self.intent(&preview).await?,
            None => None,
        };
        let Some(stored) = stored else {
            let (why, site, row) = (DeadWhy::Unknown, None, None);
            return Ok(Dead {
                why,
                site,
                row,
                next,
            });
        };
        let intent = &stored.intent;
        let why = match intent.end().map(|end| &end.kind) {
            Some(EndKind::Expired) => DeadWhy::Expired,
            Some(EndKind::Differs) => DeadWhy::CanisterChanged,
            Some(
                EndKind::Done(_)
                | EndKind::Found { .. }
                | EndKind::Absent(_)
                | EndKind::Refused(_)
                | EndKind::RetriesSpent(_)
                | EndKind::Superseded { .. }
                | EndKind::RenewRefused(_)
                | EndKind::ByHand { .. },
            ) => DeadWhy::Settled,
            Some(EndKind::Declined) => DeadWhy::Elsewhere,
            None if intent.ask().is_some() => DeadWhy::Elsewhere,
            None => DeadWhy::Withdrawn,
        };
        let site = Some(SiteName::of(&intent.prepared().origin));
        let row = Some(self.row(&stored).await);
        Ok(Dead {
            why,
            site,
            row,
            next,
        })
    }

    /// What has to be read for what a window shows, after it was shown.
    pub(super) async fn read_for(&self, port: PortId) {
        let session = {
            let memory = self.memory.borrow();
            memory.windows.session(port)
        };
        let Some(session) = session.filter(|_| self.is_unlocked()) else {
            return;
        };
        match session.place {
            Place::Home => self.read_balances().await,
            Place::Networks | Place::Activity | Place::Intent(_) => {}
            Place::Asks => {
                let Ok(queue) = self.queue().await else {
                    return;
                };
                let shown = queue.iter().find(|queued| queued.id() == session.shows);
                match shown.filter(|_| session.shows.is_some()) {
                    Some(Queued::Connect(stored)) => self.read_asked(&stored.record).await,
                    Some(Queued::Call(stored)) => {
                        let (preview, ask) = (stored.intent.preview(), session.shows);
                        let unread = |ask: &AskId| !self.memory.borrow().facts.contains_key(ask);
                        if let Some(ask) = ask.filter(unread) {
                            self.read_facts_of(ask, preview).await;
                        }
                    }
                    None => {}
                }
            }
        }
    }

    async fn asker_of_connect(&self, connect: &Connect) -> Result<Asker, RecordError> {
        let grant = self
            .grant_of(&connect.site)
            .await?
            .map(|stored| stored.record);
        Ok(asker(
            connect.site.origin.as_str(),
            grant.as_ref(),
            connect.why.clone(),
        ))
    }

    async fn call_ask(
        &self,
        stored: &StoredIntent,
        id: AskId,
        place: Nth,
    ) -> Result<Option<Ask>, RecordError> {
        let intent = &stored.intent;
        let prepared = intent.prepared();
        let (Some(open), Some(deadline)) = (intent.ask(), intent.ask_closes()) else {
            return Ok(None);
        };
        let Some(call) = self.call_view(intent).await? else {
            return Ok(None);
        };
        let site = super::drive::site_of(intent);
        let grant = match site {
            Some(site) => self.grant_of(&site).await?.map(|stored| stored.record),
            None => None,
        };
        let handed: Vec<_> = intent
            .envelopes()
            .iter()
            .filter_map(|envelope| envelope.handed_over)
            .collect();
        let resend = match open.kind {
            AskKind::First => None,
            AskKind::Resend => handed.first().map(|first| Resend {
                first_sent: first.at,
                sent: u32::try_from(handed.len()).unwrap_or(u32::MAX),
            }),
        };
        let ask = CallAsk {
            preview: prepared.preview,
            digest: open.digest,
            resend,
            call,
            lost: lost(intent),
            deadline,
        };
        let asker = asker(&prepared.origin, grant.as_ref(), prepared.why.clone());
        let notice = self.notice(intent, open.lapsed);
        Ok(Some(Ask {
            id,
            place,
            asker,
            notice,
            what: Asked::Call(Box::new(ask)),
        }))
    }

    fn notice(&self, intent: &Intent, lapsed: Option<Lapse>) -> Option<Notice> {
        let memory = self.memory.borrow();
        let ask = intent.ask()?.id;
        if let (Some(before), Some(now)) = (memory.changed.get(&ask), memory.facts.get(&ask)) {
            let mut changes = Vec::new();
            let mut differ = |what, before: String, now: String| {
                if before != now {
                    changes.push(Change { what, before, now });
                }
            };
            let number =
                |n: &Option<BigUint>| n.as_ref().map(ToString::to_string).unwrap_or_default();
            differ(Changed::Fee, number(&before.fee), number(&now.fee));
            differ(
                Changed::Decimals,
                number(&before.decimals),
                number(&now.decimals),
            );
            differ(
                Changed::Balance,
                number(&before.balance),
                number(&now.balance),
            );
            let module = |m: &Option<Option<crate::ids::ContentHash>>| {
                m.flatten().map(|hash| hash.to_string()).unwrap_or_default()
            };
            differ(Changed::Module, module(&before.module), module(&now.module));
            if !changes.is_empty() {
                return Some(Notice::Changed(changes));
            }
        }
        lapsed.map(|lapse| {
            Notice::Lapsed(match lapse {
                Lapse::Locked => ShownLapse::Locked,
                Lapse::Late => ShownLapse::Late,
                Lapse::Foreign => ShownLapse::Restored,
            })
        })
    }

    /// A call's arguments, decoded from its stored bytes by the interface it was prepared with.
    async fn decoded(&self, intent: &Intent) -> Option<Decoded> {
        let prepared = intent.prepared();
        let tools = self.tools_of(&prepared.interface).await.ok()??;
        let plan = tools.plan(&prepared.method)?;
        let canister = self
            .accepted_canister(&prepared.network, &prepared.canister)
            .await?;
        let shown = plan
            .decode_for_person(&for_tools(&canister), &prepared.arg)
            .ok()?;
        let (kind, irreversible, to, amount) = match plan.effect() {
            Some(effect) => {
                let grant = effect.grant.as_ref();
                (
                    Some(effect.kind.clone()),
                    effect.irreversible,
                    grant.map(|grant| grant.to.clone()),
                    grant.map(|grant| grant.amount.clone()),
                )
            }
            None => (None, true, None, None),
        };
        Some(Decoded {
            title: shown.title,
            arguments: shown.arguments,
            kind,
            irreversible,
            to,
            amount,
            canister,
            built_in: plan.is_built_in(),
            packs: standards(&tools.resolved),
        })
    }

    async fn call_view(&self, intent: &Intent) -> Result<Option<Call>, RecordError> {
        let prepared = intent.prepared();
        let Some(decoded) = self.decoded(intent).await else {
            return Ok(None);
        };
        let Some(network) = self.network(&prepared.network).await? else {
            return Ok(None);
        };
        let sender = self
            .sender_label(&prepared.network, &prepared.sender, &network.record)
            .await?;
        let facts = intent
            .ask()
            .and_then(|ask| self.memory.borrow().facts.get(&ask.id).cloned());
        let token = token_of(&decoded.canister);
        let amount_units = decoded.units(decoded.amount.as_deref());
        let fee_given = decoded.units(Some("fee"));
        let fee_units = fee_given
            .clone()
            .or_else(|| facts.as_ref().and_then(|f| f.fee.clone()));
        let in_token = |units: &BigUint| {
            token
                .as_ref()
                .map(|token| shown_amount(&decoded.canister, token, units))
        };
        let spends = match decoded.effect() {
            Effect::Transfer | Effect::TransferFrom => amount_units.clone(),
            Effect::Allowance | Effect::Other => None,
        };
        let cost = match (&spends, &fee_units) {
            (Some(amount), Some(fee)) => Some(amount + fee),
            (None, Some(fee)) if decoded.effect() == Effect::Allowance => Some(fee.clone()),
            (Some(_) | None, _) => None,
        };
        let balance = facts.as_ref().and_then(|facts| {
            let before = facts.balance.as_ref()?;
            let after = cost
                .as_ref()
                .filter(|cost| *cost <= before)
                .map(|cost| before - cost);
            Some(Balance {
                before: in_token(before)?,
                after: after.as_ref().and_then(in_token),
                short: cost.as_ref().is_some_and(|cost| cost > before),
                at: facts.at?,
            })
        });
        let fee = fee_units.as_ref().and_then(in_token).map(|amount| Fee {
            amount,
            by_ledger: fee_given.is_none(),
        });
        let mut provenance: Vec<Provenance> = if decoded.built_in {
            decoded
                .packs
                .iter()
                .map(|pack| Provenance::Pack(pack.clone()))
                .collect()
        } else {
            vec![Provenance::Untagged]
        };
        provenance.push(Provenance::CertifiedInterface(decoded.canister.at));
        provenance.push(Provenance::CertifiedValues(decoded.canister.at));
        if let Some(module) = prepared.module {
            provenance.push(Provenance::Module(module));
        }
        let arguments = decoded.arguments.iter().map(argument).collect();
        Ok(Some(Call {
            effect: decoded.effect(),
            irreversible: decoded.irreversible,
            amount: decoded.amount(),
            party: decoded.party(),
            arguments,
            method: tools::plain(&prepared.method),
            canister: crate::confirm::view::Canister {
                id: prepared.canister.to_text(),
                label: token
                    .as_ref()
                    .and_then(|t| t.symbol())
                    .map(ToString::to_string),
            },
            arg_hex: crate::ids::to_hex(&prepared.arg),
            arg_length: prepared.arg.len().to_string(),
            sender,
            balance,
            fee,
            total: match decoded.effect() {
                Effect::Transfer => cost.as_ref().and_then(in_token),
                Effect::Allowance | Effect::TransferFrom | Effect::Other => None,
            },
            provenance,
            title: decoded.title,
        }))
    }

    async fn sender_label(
        &self,
        id: &NetworkId,
        sender: &Principal,
        network: &Network,
    ) -> Result<AccountLabel, RecordError> {
        Ok(match self.account_of(id, sender).await? {
            Some(account) => account_label(&account, network),
            None => AccountLabel {
                id: String::new(),
                name: String::new(),
                address: sender.to_text(),
                network: NetworkLabel {
                    ..label_of(network)
                },
            },
        })
    }

    async fn record_view(&self, preview: &PreviewId) -> Result<Option<IntentRecord>, RecordError> {
        let Some(stored) = self.intent(preview).await? else {
            return Ok(None);
        };
        let intent = &stored.intent;
        let Some(call) = self.call_view(intent).await? else {
            return Ok(None);
        };
        Ok(Some(IntentRecord {
            row: self.row(&stored).await,
            call,
            lost: lost(intent),
            standing: standing(intent),
            history: history(intent),
            answer: answer(intent),
            actions: actions(intent),
        }))
    }
}

/// Who asks.
fn asker(origin: &str, grant: Option<&Grant>, why: Option<String>) -> Asker {
    Asker {
        site: SiteName::of(origin),
        inside: None,
        connected: grant.map(|grant| grant.given),
        done: grant.map_or(0, |grant| grant.done),
        why,
    }
}

/// A call, decoded, with what its profile says of its positions.
struct Decoded {
    title: String,
    arguments: Vec<tools::Argument>,
    kind: Option<EffectKind>,
    irreversible: bool,
    to: Option<String>,
    amount: Option<String>,
    canister: Canister,
    built_in: bool,
    packs: Vec<String>,
}

impl Decoded {
    fn line(&self, path: Option<&str>) -> Option<&tools::Argument> {
        let path = path?;
        self.arguments.iter().find(|argument| argument.path == path)
    }

    fn amount(&self) -> Option<Amount> {
        let text = self.line(self.amount.as_deref())?.text.as_deref()?;
        let (number, unit) = match text.split_once(' ') {
            Some((number, unit)) => (number, unit.to_owned()),
            None => (text, self.canister.id.to_text()),
        };
        Some(Amount {
            number: number.to_owned(),
            unit,
        })
    }

    /// The whole number at a position.
    fn units(&self, path: Option<&str>) -> Option<BigUint> {
        self.line(path)?.number.as_ref()?.to_biguint()
    }

    fn effect(&self) -> Effect {
        let moves_others = self.line(Some("from")).is_some();
        match self.kind.as_ref().map(EffectKind::as_str) {
            Some("transfer") if moves_others => Effect::TransferFrom,
            Some("transfer") => Effect::Transfer,
            Some("approve") => Effect::Allowance,
            Some(_) | None => Effect::Other,
        }
    }

    fn party(&self) -> Option<Party> {
        let address = self.line(self.to.as_deref())?.text.clone()?;
        let role = match self.effect() {
            Effect::Allowance => Role::Spender,
            Effect::Transfer | Effect::TransferFrom | Effect::Other => Role::Payee,
        };
        let from = self.line(Some("from")).and_then(|line| line.text.clone());
        Some(Party {
            role,
            address,
            from,
        })
    }
}

fn argument(argument: &tools::Argument) -> Argument {
    Argument {
        path: argument.path.clone(),
        text: argument.text.clone(),
        raw: argument.raw.clone(),
        filled: match (argument.role, &argument.text) {
            (tools::Role::Stamp, _) => Filled::Wallet,
            (tools::Role::Auto, None) => Filled::Canister,
            (_, None) => Filled::Nobody,
            (_, Some(_)) => Filled::Site,
        },
        kind: match argument.kind {
            LeafKind::Address => ValueKind::Address,
            LeafKind::Bytes => ValueKind::Bytes,
            LeafKind::Memo | LeafKind::Text => ValueKind::Quoted,
            LeafKind::Amount | LeafKind::Time | LeafKind::Plain | LeafKind::Func => {
                ValueKind::Plain
            }
        },
    }
}

fn lost(intent: &Intent) -> Lost {
    let stamp = intent.prepared().stamp;
    Lost {
        class: retry_class(stamp.is_some(), intent.evidence()),
        until: stamp.map(|stamp| stamp.window_end()),
    }
}

/// Where a call stands, in a word.
fn state(intent: &Intent) -> State {
    match intent.end().map(|end| &end.kind) {
        Some(EndKind::Done(request_id)) => {
            let reply = intent
                .envelope(*request_id)
                .and_then(|envelope| envelope.reply());
            match reply.and_then(|reply| reply.duplicate_of.as_ref()) {
                Some(_) => State::AlreadyDone,
                None => State::Done,
            }
        }
        Some(EndKind::Found { .. }) => State::AlreadyDone,
        Some(EndKind::Absent(_)) => State::NotExecuted,
        Some(EndKind::Refused(_) | EndKind::RetriesSpent(_) | EndKind::RenewRefused(_)) => {
            State::Refused
        }
        Some(EndKind::Declined) => State::Declined,
        Some(EndKind::Expired) => State::Expired,
        Some(EndKind::Superseded { .. } | EndKind::Differs) => State::Superseded,
        Some(EndKind::ByHand { word, .. }) => match word {
            HandWord::Happened => State::SettledDone,
            HandWord::DidNotHappen | HandWord::AskAgain => State::SettledNot,
        },
        None if intent.live().is_some() => State::NoAnswer,
        None if intent.ask().is_some_and(|ask| ask.yes.is_some()) => State::Sending,
        None if intent.ask().is_some() => State::Asked,
        None if intent.may_have_executed() => State::Unclear,
        None => State::Prepared,
    }
}

fn block(intent: &Intent) -> Option<String> {
    match &intent.end()?.kind {
        EndKind::Done(request_id) => {
            let reply = intent.envelope(*request_id)?.reply()?;
            reply.duplicate_of.clone().or_else(|| {
                let details: serde_json::Value =
                    serde_json::from_str(reply.details.as_deref()?).ok()?;
                details.as_str().map(str::to_owned)
            })
        }
        EndKind::Found { block } => Some(block.clone()),
        EndKind::Absent(_)
        | EndKind::Refused(_)
        | EndKind::RetriesSpent(_)
        | EndKind::Declined
        | EndKind::Expired
        | EndKind::Superseded { .. }
        | EndKind::Differs
        | EndKind::RenewRefused(_)
        | EndKind::ByHand { .. } => None,
    }
}

fn standing(intent: &Intent) -> Option<Standing> {
    if intent.end().is_some() || !intent.may_have_executed() {
        return None;
    }
    let sent = intent
        .envelopes()
        .iter()
        .filter_map(|envelope| envelope.handed_over)
        .next_back()?;
    let held = intent.held();
    let live = intent.live();
    let known = match (live, held) {
        (Some(envelope), _) if envelope.is_taken_in() => Known::Accepted(sent.at),
        (Some(_), _) => Known::SentNoAnswer(sent.at),
        (None, Some(Held::Restored)) => Known::Restored,
        (None, Some(Held::RejectsSpent)) => Known::Trapped(sent.at),
        (None, Some(_) | None) => Known::AnswerGone(sent.at),
    };
    let (doing, advice) = match (live, held) {
        (Some(envelope), _) => (Doing::AskingUntil(envelope.status_until()), Advice::Wait),
        (None, None) if can_be_sent_again(intent) => (Doing::Nothing, Advice::SendAgain),
        (None, _) => (Doing::Nothing, Advice::Settle),
    };
    Some(Standing {
        known,
        doing,
        advice,
    })
}

/// Whether a commit would ask to send the same bytes again, as far as the record knows.
fn can_be_sent_again(intent: &Intent) -> bool {
    let now = Now {
        certified: Some(intent.clock()),
        life: 0,
    };
    intent.commit_plan(&now, intent.evidence()) == CommitPlan::Ask(AskKind::Resend)
}

fn history(intent: &Intent) -> Vec<HistoryLine> {
    let line = |at, what, detail: Option<String>| HistoryLine { at, what, detail };
    let mut lines = vec![line(
        intent.prepared().prepared_at,
        Happened::Prepared,
        None,
    )];
    if let Some(ask) = intent.ask() {
        lines.push(line(ask.opened_at, Happened::Asked, None));
    }
    for envelope in intent.envelopes() {
        let id = Some(envelope.signed.request_id.to_string());
        lines.push(line(envelope.signed.s0, Happened::Signed, id.clone()));
        if let Some(handed) = envelope.handed_over {
            lines.push(line(handed.at, Happened::HandedOver, id.clone()));
        }
        if envelope.reply().is_some() {
            lines.push(line(intent.clock(), Happened::Answered, id));
        }
    }
    if let Some(end) = intent.end() {
        let what = match &end.kind {
            EndKind::Done(_) => None,
            EndKind::Found { .. } => Some(Happened::Found),
            EndKind::Absent(_) => Some(Happened::Absent),
            EndKind::Refused(_) | EndKind::RetriesSpent(_) | EndKind::RenewRefused(_) => None,
            EndKind::Declined => Some(Happened::Declined),
            EndKind::Expired => Some(Happened::Expired),
            EndKind::Superseded { .. } | EndKind::Differs => Some(Happened::Superseded),
            EndKind::ByHand { .. } => Some(Happened::Settled),
        };
        lines.extend(what.map(|what| line(end.at, what, None)));
        if end.told {
            lines.push(line(end.at, Happened::Told, None));
        }
    }
    lines
}

fn answer(intent: &Intent) -> Option<String> {
    let envelope = intent
        .envelopes()
        .iter()
        .rev()
        .find(|envelope| envelope.reply().is_some())?;
    let reply = envelope.reply()?;
    let case = reply.case.clone().unwrap_or_default();
    let details = reply.details.clone().unwrap_or_default();
    Some(format!("{case} {details}").trim().to_owned())
}

fn actions(intent: &Intent) -> Vec<Action> {
    if intent.end().is_some() {
        return Vec::new();
    }
    if !intent.may_have_executed() {
        return if intent.ask().is_some_and(|ask| ask.yes.is_none()) {
            vec![Action::Withdraw]
        } else {
            Vec::new()
        };
    }
    if intent.live().is_some() {
        return Vec::new();
    }
    let mut actions = Vec::new();
    if can_be_sent_again(intent) {
        actions.push(Action::SendAgain);
    }
    actions.extend([Action::ItHappened, Action::ItDidNot, Action::MayHappenTwice]);
    actions
}
