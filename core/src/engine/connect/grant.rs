//! The person's yes to a site: its grant, and all that was accepted with it, in one transaction.

use super::{CanisterRead, Intake, catalog, site_profile_for, tool_choice};
use crate::confirm::view::ConnectAsk;
use crate::engine::Wallet;
use crate::engine::intents::audit_line;
use crate::engine::profiles::GivenProfile;
use crate::engine::record::{self, Record as _, RecordError, Stored};
use crate::engine::records::{Account, Asked, Canister, Connect, InterfaceText, ProfileText};
use crate::ids::{AskId, ContentHash, NetworkId};
use crate::policy::{Grant, GrantedCanister};
use crate::ports::store::{Batch, CommitError, Store as _};
use crate::ports::{Clock as _, Ports};
use crate::tools::Catalog;
use crate::wire::ui::{Decided, Decision, Failure};
use std::collections::BTreeSet;

impl<P: Ports> Wallet<P> {
    /// The person's yes to a connect ask: grant, canisters and interfaces in one transaction.
    pub(in crate::engine) async fn grant(
        &self,
        ask: AskId,
        shown: ContentHash,
    ) -> Result<Decided, Failure> {
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
                    interface: ContentHash::of(read.text.as_bytes()),
                    module: read.canister.module,
                    profiles: read.applied(),
                    site_profile: site_profile_for(&connect.record, &read.canister.id),
                    resolved: read.tools.resolved_hash,
                    accepted: read.accepted(),
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
        let key = |asked: &Asked| (connect.ask, account.network, asked.id);
        let read = |asked: &Asked| match memory.intake.get(&key(asked)) {
            Some(Intake::Read(read)) => Some(read.clone()),
            Some(Intake::Reading(_) | Intake::Failed(_)) | None => None,
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
                Some(stored) => {
                    // Other sites have it with other profiles, which refer to other values.
                    let mut canister = read.canister.clone();
                    if stored.record.module == canister.module {
                        for (name, value) in &stored.record.values {
                            let known = canister.values.entry(name.clone());
                            known.or_insert_with(|| value.clone());
                        }
                    }
                    record::change(writer, now, stored.rev, &canister)
                }
            });
            let text = InterfaceText {
                hash: ContentHash::of(read.text.as_bytes()),
                text: read.text.clone(),
            };
            let known = self.load::<InterfaceText>(&text.key()).await;
            if known.map_err(failed)?.is_none() && texts.insert(text.key()) {
                writes.push(record::add(writer, now, &text));
            }
            let given = site_profile_for(&connect.record, &read.canister.id);
            let kept = |profile: &&GivenProfile| {
                profile.applied().is_some() || given == Some(profile.hash)
            };
            for profile in read.read_profiles.iter().filter(kept) {
                let text = ProfileText {
                    hash: profile.hash,
                    text: profile.text.clone(),
                };
                let known = self.profile_text(&text.hash).await;
                if known.map_err(failed)?.is_none() && texts.insert(text.key()) {
                    writes.push(record::add(writer, now, &text));
                }
            }
        }
        let audit = audit_line(now, "connect", &grant.site.to_string());
        match self.ports.store().commit(Batch { writes, audit }).await {
            Ok(()) => Ok(()),
            Err(CommitError::Conflict { .. }) => Err(Failure::AskChanged),
            Err(_) => Err(Failure::NotStored),
        }
    }
}
