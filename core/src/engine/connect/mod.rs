//! Connecting a site: its ask, what the person is shown of it, and the grant.

mod view;

use super::Wallet;
use super::canisters::{CanisterRead, for_tools};
use super::record::{self, Record as _, RecordError, Stored};
use super::records::{Account, Canister, Connect, InterfaceText};
use crate::confirm::view::{ConnectAsk, Preset as ShownPreset, Unreadable};
use crate::ids::{AskId, ContentHash, NetworkId, Principal};
use crate::policy::{
    Grant, GrantedCanister, MAX_CONNECTS, MAX_CONNECTS_ALIKE, Preset, QUIET_AFTER_NO, SiteKey,
    ToolChoice,
};
use crate::ports::store::{Batch, CommitError, Store as _};
use crate::ports::{Clock as _, Ports};
use crate::time::Span;
use crate::tools::{Catalog, NameBook, Plans, Tool, ToolKind};
use crate::wire::ui::{Decided, Decision, Failure};
use std::collections::BTreeSet;

/// How long a site's ask to be connected stands.
const ASK_STANDS: Span = Span::from_hours(7 * 24);

/// How long a no is kept: as long as a call that waits for it may be.
const NO_KEPT: Span = Span::from_hours(24);

/// How many canisters of an undecided ask the next ask of its site takes up.
const MOST_WAITING: usize = 64;

/// What is known of a canister that is asked for.
#[derive(Clone)]
pub(super) enum Intake {
    /// Being read.
    Reading,
    /// Read.
    Read(Box<CanisterRead>),
    /// It could not be read.
    Failed(Unreadable),
}

/// What the person chose on a connect page, while it is shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Choice {
    pub(super) account: u32,
    pub(super) preset: ShownPreset,
}

/// What a site asked for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Wanted {
    pub(super) canisters: Vec<Principal>,
    pub(super) tools: Option<ToolChoice>,
    pub(super) why: Option<String>,
}

/// The methods of the preset `payments`: balance, fee, transfer.
const PAYMENTS: [&str; 3] = ["icrc1_balance_of", "icrc1_fee", "icrc1_transfer"];

impl<P: Ports> Wallet<P> {
    /// What a site was given.
    pub(super) async fn grant_of(
        &self,
        site: &SiteKey,
    ) -> Result<Option<Stored<Grant>>, RecordError> {
        self.load(&site.to_string()).await
    }

    /// A site's last ask to be connected, which the person may have said no to.
    pub(super) async fn connect_of(
        &self,
        site: &SiteKey,
    ) -> Result<Option<Stored<Connect>>, RecordError> {
        self.load(&site.to_string()).await
    }

    /// All undecided asks to be connected, oldest first.
    pub(super) async fn connects(&self) -> Result<Vec<Stored<Connect>>, RecordError> {
        let mut connects = self.load_all::<Connect>().await?;
        connects.retain(|stored| stored.record.is_undecided());
        connects.sort_by_key(|stored| stored.record.asked);
        Ok(connects)
    }

    /// Whether a grant holds everything that is wanted, and all of it as it was accepted.
    pub(super) async fn covers(&self, grant: &Grant, wanted: &Wanted) -> Result<bool, RecordError> {
        let tools = wanted
            .tools
            .as_ref()
            .is_none_or(|tools| *tools == grant.tools);
        let canisters = wanted.canisters.iter().all(|id| grant.holds(id));
        let stands = self.canisters_of(grant).await?.len() == grant.canisters.len();
        Ok(tools && canisters && stands)
    }

    /// Stores what a site asks for. The same ask again changes nothing; another one takes the
    /// place of one that is undecided. Gives what is asked for, where there is no room to ask it.
    pub(super) async fn ask_connect(
        &self,
        site: &SiteKey,
        wanted: &Wanted,
    ) -> Result<Option<Connect>, super::calls::CallError> {
        let now = self.ports.clock().host();
        let before = self.connect_of(site).await?;
        let grant = self.grant_of(site).await?;
        let mut canisters = grant.as_ref().map_or_else(Vec::new, |stored| {
            stored.record.canisters.iter().map(|held| held.id).collect()
        });
        // Another document of the site may wait for what it asked: it is asked for with this.
        let undecided = before
            .as_ref()
            .filter(|last| last.record.is_undecided() && last.record.deadline > now);
        let waits = undecided.map_or(&[][..], |last| &last.record.canisters);
        let waits = waits.iter().take(MOST_WAITING);
        for id in waits.chain(&wanted.canisters) {
            if !canisters.contains(id) {
                canisters.push(*id);
            }
        }
        let granted = grant.map(|stored| stored.record.tools);
        let tools = wanted.tools.clone().or(granted);
        let record = Connect {
            ask: AskId::from_bytes(self.random()),
            site: site.clone(),
            canisters,
            tools: tools.unwrap_or(ToolChoice::Preset(Preset::default())),
            why: wanted.why.clone(),
            asked: now,
            deadline: now.plus(ASK_STANDS),
            quiet: before
                .as_ref()
                .is_some_and(|last| match last.record.declined {
                    Some(no) => now.since(no) < QUIET_AFTER_NO,
                    None => {
                        last.record.quiet || self.memory.borrow().raised.contains(&last.record.ask)
                    }
                }),
            declined: None,
        };
        match undecided {
            Some(last)
                if last.record.canisters == record.canisters
                    && last.record.tools == record.tools =>
            {
                return Ok(None);
            }
            Some(_) => {}
            None if !self.has_room(&record).await? => return Ok(Some(record)),
            None => {}
        }
        let writer = self.writer().await?;
        let write = match before {
            None => record::add(writer, now, &record),
            Some(stored) => {
                self.forget_reads(stored.record.ask);
                record::change(writer, now, stored.rev, &record)
            }
        };
        self.put(vec![write], "ask_connect").await?;
        self.views_changed();
        Ok(None)
    }

    /// Whether one more site may ask to be connected.
    async fn has_room(&self, connect: &Connect) -> Result<bool, RecordError> {
        let alike = connect.site.origin.last_labels();
        let undecided = self.connects().await?;
        let of_owner = undecided
            .iter()
            .filter(|other| other.record.site.origin.last_labels() == alike);
        Ok(of_owner.count() < MAX_CONNECTS_ALIKE && undecided.len() < MAX_CONNECTS)
    }

    /// Drops asks to be connected that can be decided no longer, and noes that nobody waits for.
    pub(super) async fn tend_connects(&self) {
        let Ok(connects) = self.load_all::<Connect>().await else {
            return;
        };
        let now = self.ports.clock().host();
        for stored in connects {
            let over = match stored.record.declined {
                Some(no) => now.since(no) >= NO_KEPT,
                None => now.since(stored.record.deadline) >= NO_KEPT,
            };
            if over {
                // What stays is dropped another time.
                let write = record::remove(&stored.record, stored.rev);
                let _ = self.put(vec![write], "connect_over").await;
            }
        }
    }

    /// The person chose another account or preset on a connect page. What could not be read is
    /// read again.
    pub(super) async fn choose(
        &self,
        ask: AskId,
        account: &str,
        preset: ShownPreset,
    ) -> Result<(), Failure> {
        let connect = self.connect_by_ask(ask).await?;
        let account = account.parse().map_err(|_| Failure::NotNow)?;
        {
            let mut memory = self.memory.borrow_mut();
            memory.choices.insert(ask, Choice { account, preset });
            memory.intake.retain(|_, intake| match intake {
                Intake::Failed(_) => false,
                Intake::Reading | Intake::Read(_) => true,
            });
        }
        self.views_changed();
        self.push_views().await;
        self.read_asked(&connect.record).await;
        Ok(())
    }

    pub(super) async fn connect_by_ask(&self, ask: AskId) -> Result<Stored<Connect>, Failure> {
        let connects = self.connects().await.map_err(|_| Failure::NotStored)?;
        connects
            .into_iter()
            .find(|stored| stored.record.ask == ask)
            .ok_or(Failure::AskGone)
    }

    /// The person's yes to a connect ask: grant, canisters and interfaces in one transaction.
    pub(super) async fn grant(&self, ask: AskId, shown: ContentHash) -> Result<Decided, Failure> {
        if !self.is_unlocked() {
            return Err(Failure::Locked);
        }
        let connect = self.connect_by_ask(ask).await?;
        let view = self
            .connect_view(&connect.record)
            .await
            .map_err(|_| Failure::NotStored)?;
        let now = self.ports.clock().host();
        if connect.record.deadline <= now {
            return Err(Failure::AskExpired);
        }
        if view.shown != shown || view.blocked.is_some() {
            return Err(Failure::AskChanged);
        }
        let site = connect.record.site.clone();
        let (account, reads) = self.accepted(&connect.record, &view).await?;
        self.still_so(&connect.record, &account.network, &reads)
            .await?;
        let before = self.grant_of(&site).await.map_err(|_| Failure::NotStored)?;
        let mut names = before
            .as_ref()
            .map(|g| g.record.names.clone())
            .unwrap_or_default();
        let _: Catalog = catalog(&reads, &mut names);
        let grant = Grant {
            site: site.clone(),
            network: account.network,
            account: account.number,
            sender: account.principal,
            canisters: reads
                .iter()
                .map(|read| GrantedCanister {
                    id: read.canister.id,
                    resolved: read.canister.resolved,
                    accepted: read.canister.accepted(),
                })
                .collect(),
            tools: tool_choice(view.preset, &connect.record.tools),
            names,
            given: before.as_ref().map_or(now, |g| g.record.given),
            done: before.as_ref().map_or(0, |g| g.record.done),
        };
        self.store_grant(&connect, &grant, &reads).await?;
        self.forget_reads(ask);
        self.answer_connected(&site).await;
        self.tools_changed(&site);
        // What the person accepted here is not what other sites were given of the same canisters.
        for read in &reads {
            self.canister_changed(&grant.network, &read.canister.id)
                .await;
        }
        Ok(Decided {
            decision: Decision::Connected,
            row: None,
            next: None,
        })
    }

    async fn accepted(
        &self,
        connect: &Connect,
        view: &ConnectAsk,
    ) -> Result<(Account, Vec<Box<CanisterRead>>), Failure> {
        let accounts = self.accounts().await.map_err(|_| Failure::NotStored)?;
        let account = accounts
            .into_iter()
            .find(|a| a.number.to_string() == view.account);
        let account = account.ok_or(Failure::NotNow)?;
        let memory = self.memory.borrow();
        let key = |id: &Principal| (connect.ask, account.network, *id);
        let read = |id: &Principal| match memory.intake.get(&key(id)) {
            Some(Intake::Read(read)) => Some(read.clone()),
            Some(Intake::Reading | Intake::Failed(_)) | None => None,
        };
        let reads = connect.canisters.iter().filter_map(read).collect();
        drop(memory);
        Ok((account, reads))
    }

    /// Whether the canisters run the code that the window shows. What does not is read again, and
    /// has to be looked at.
    async fn still_so(
        &self,
        connect: &Connect,
        network: &NetworkId,
        reads: &[Box<CanisterRead>],
    ) -> Result<(), Failure> {
        let mut differs = false;
        for read in reads {
            let id = read.canister.id;
            let (_, module) = self
                .read_module(network, id)
                .await
                .map_err(|_| Failure::NoCertifiedTime)?;
            if module != read.canister.module {
                differs = true;
                let key = (connect.ask, *network, id);
                self.memory.borrow_mut().intake.remove(&key);
            }
        }
        if !differs {
            return Ok(());
        }
        self.views_changed();
        self.read_asked(connect).await;
        Err(Failure::AskChanged)
    }

    fn forget_reads(&self, ask: AskId) {
        let mut memory = self.memory.borrow_mut();
        memory.choices.remove(&ask);
        memory.intake.retain(|(of, _, _), _| *of != ask);
    }

    async fn store_grant(
        &self,
        connect: &Stored<Connect>,
        grant: &Grant,
        reads: &[Box<CanisterRead>],
    ) -> Result<(), Failure> {
        let failed = |_: RecordError| Failure::NotStored;
        let (writer, now) = (
            self.writer().await.map_err(failed)?,
            self.ports.clock().host(),
        );
        let mut writes = vec![record::remove(&connect.record, connect.rev)];
        let before = self.grant_of(&grant.site).await.map_err(failed)?;
        writes.push(match before {
            None => record::add(writer, now, grant),
            Some(stored) => record::change(writer, now, stored.rev, grant),
        });
        let mut texts = BTreeSet::new();
        for read in reads {
            let stored = self
                .load::<Canister>(&read.canister.key())
                .await
                .map_err(failed)?;
            writes.push(match stored {
                None => record::add(writer, now, &read.canister),
                Some(stored) => record::change(writer, now, stored.rev, &read.canister),
            });
            let text = InterfaceText {
                fingerprint: read.canister.fingerprint,
                text: read.text.clone(),
            };
            let known = self
                .load::<InterfaceText>(&text.key())
                .await
                .map_err(failed)?
                .is_some();
            if !known && texts.insert(text.key()) {
                writes.push(record::add(writer, now, &text));
            }
        }
        let audit = super::intents::audit_line(now, "connect", &grant.site.to_string());
        match self.ports.store().commit(Batch { writes, audit }).await {
            Ok(()) => Ok(()),
            Err(CommitError::Conflict { .. }) => Err(Failure::AskChanged),
            Err(_) => Err(Failure::NotStored),
        }
    }

    /// The person's no to a connect ask.
    pub(super) async fn refuse_connect(&self, connect: &Stored<Connect>) -> Option<Decided> {
        let (writer, now) = (self.writer().await.ok()?, self.ports.clock().host());
        let refused = Connect {
            declined: Some(now),
            ..connect.record.clone()
        };
        let write = record::change(writer, now, connect.rev, &refused);
        self.put(vec![write], "refuse_connect").await.ok()?;
        self.forget_reads(refused.ask);
        self.answer_connected(&connect.record.site).await;
        self.views_changed();
        Some(Decided {
            decision: Decision::Declined,
            row: None,
            next: None,
        })
    }
}

fn tool_choice(preset: ShownPreset, asked: &ToolChoice) -> ToolChoice {
    match preset {
        ShownPreset::Look => ToolChoice::Preset(Preset::Look),
        ShownPreset::Payments => ToolChoice::Preset(Preset::Payments),
        ShownPreset::All => ToolChoice::Preset(Preset::All),
        ShownPreset::Named => asked.clone(),
    }
}

fn catalog(reads: &[Box<CanisterRead>], names: &mut NameBook) -> Catalog {
    let worded: Vec<(crate::tools::Canister, &Plans)> = reads
        .iter()
        .map(|read| (for_tools(&read.canister), &read.tools.plans))
        .collect();
    Catalog::new(&worded, names)
}

/// Whether a choice of tools holds a tool.
pub(super) fn chooses(choice: &ToolChoice, tool: &Tool) -> bool {
    match choice {
        ToolChoice::Preset(Preset::All) => true,
        ToolChoice::Preset(Preset::Look) => match tool.first().kind() {
            ToolKind::Read { .. } => true,
            ToolKind::Prepare => false,
        },
        ToolChoice::Preset(Preset::Payments) => PAYMENTS.contains(&tool.first().method()),
        ToolChoice::Names(names) => names.iter().any(|name| tool.names().is(name)),
    }
}
