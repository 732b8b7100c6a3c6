//! What the person gives for a canister that is asked for: an interface, a profile, trust; or the
//! canister itself, by hand.

use super::intake::canister_id;
use super::{CanisterRead, Intake, Wanted};
use crate::confirm::view::Unreadable;
use crate::engine::Wallet;
use crate::engine::profiles::read_profile;
use crate::engine::record::{self, Stored};
use crate::engine::records::{Asked, Code, Connect, Trusted};
use crate::ids::{AskId, ContentHash, NetworkId, Principal};
use crate::interface::Interface;
use crate::policy::Grant;
use crate::ports::{Clock as _, Ports};
use crate::profile::Source;
use crate::wire::ui::Failure;

impl<P: Ports> Wallet<P> {
    /// The person adds a canister to what a connected site has: an ask like the site's own, which
    /// shows all that it would mean.
    pub(in crate::engine) async fn add_canister(
        &self,
        site: &str,
        canister: &str,
    ) -> Result<(), Failure> {
        let id = canister_id(canister).ok_or(Failure::BadCanister)?;
        let grant = self.load::<Grant>(site).await;
        let grant = grant.map_err(|_| Failure::NotStored)?;
        let site = grant.ok_or(Failure::NotNow)?.record.site;
        let wanted = Wanted {
            canisters: vec![(id, None)],
            tools: None,
            why: None,
            by_person: true,
        };
        let asked = self.ask_connect(&site, &wanted).await;
        asked.map_err(|_| Failure::NotStored)?;
        self.show_asks().await;
        self.open_asks().await;
        Ok(())
    }

    /// An interface that the person pasted; an empty text takes it back.
    pub(in crate::engine) async fn paste_interface(
        &self,
        ask: AskId,
        canister: &str,
        text: String,
    ) -> Result<(), Failure> {
        let text = Some(text).filter(|text| !text.trim().is_empty());
        if let Some(text) = &text {
            Interface::parse(text).map_err(|_| Failure::BadInterface)?;
        }
        self.give(ask, canister, |asked| asked.interface = text)
            .await
    }

    /// A profile that the person pasted; an empty text takes it back.
    pub(in crate::engine) async fn paste_profile(
        &self,
        ask: AskId,
        canister: &str,
        text: String,
    ) -> Result<(), Failure> {
        let text = Some(text).filter(|text| !text.trim().is_empty());
        if let Some(text) = &text {
            read_profile(text, Source::Site).map_err(|_| Failure::BadProfile)?;
        }
        self.give(ask, canister, |asked| asked.profile = text).await
    }

    /// The person trusts a profile that is shown, or no longer.
    pub(in crate::engine) async fn trust_profile(
        &self,
        ask: AskId,
        canister: &str,
        profile: ContentHash,
        trusted: bool,
    ) -> Result<(), Failure> {
        let code = {
            let memory = self.memory.borrow();
            let mut reads = memory
                .intake
                .iter()
                .filter_map(|(key, intake)| match intake {
                    Intake::Read(read) if key.0 == ask => Some((key.1, read)),
                    Intake::Read(_) | Intake::Reading(_) | Intake::Failed(_) => None,
                });
            // What the page does not list is not trusted unseen.
            let listed = |read: &CanisterRead| {
                let views = read.profiles.iter();
                let mut views = views.filter(|view| view.hash == profile);
                views.any(|view| !trusted || view.further == 0)
            };
            reads
                .find(|(_, read)| read.canister.id.to_text() == canister && listed(read))
                .map(|(network, read)| Code {
                    network,
                    module: read.canister.module,
                })
        };
        let Some(code) = code else {
            return Err(Failure::AskChanged);
        };
        self.give(ask, canister, |asked| {
            let other = |said: &Trusted| said.profile != profile || said.code != code;
            asked.trust.retain(other);
            asked.trust.push(Trusted {
                profile,
                code,
                trusted,
            });
        })
        .await
    }

    /// Stores what was given for a canister of an ask, and reads the canister with it. What makes it
    /// unreadable is taken back, for there is no tool with it and nothing to see.
    async fn give(
        &self,
        ask: AskId,
        canister: &str,
        change: impl FnOnce(&mut Asked),
    ) -> Result<(), Failure> {
        let mut connect = self.connect_by_ask(ask).await?;
        let id = canister_id(canister).ok_or(Failure::BadCanister)?;
        let asked = connect.record.canisters.iter_mut().find(|a| a.id == id);
        let asked = asked.ok_or(Failure::BadCanister)?;
        let before = asked.clone();
        change(asked);
        self.store_given(&mut connect, id).await?;
        let spoilt = {
            let memory = self.memory.borrow();
            let mut of_this = memory
                .intake
                .iter()
                .filter(|(key, _)| key.0 == ask && key.2 == id);
            of_this.any(|(_, intake)| match intake {
                Intake::Failed(Unreadable::BadValues | Unreadable::BadInterface) => true,
                Intake::Failed(_) | Intake::Reading(_) | Intake::Read(_) => false,
            })
        };
        if !spoilt {
            return Ok(());
        }
        let mut connect = self.connect_by_ask(ask).await?;
        if let Some(asked) = connect.record.canisters.iter_mut().find(|a| a.id == id) {
            *asked = before;
        }
        self.store_given(&mut connect, id).await?;
        Err(Failure::BadValues)
    }

    async fn store_given(
        &self,
        connect: &mut Stored<Connect>,
        id: Principal,
    ) -> Result<(), Failure> {
        let writer = self.writer().await.map_err(|_| Failure::NotStored)?;
        let now = self.ports.clock().host();
        let write = record::change(writer, now, connect.rev, &connect.record);
        let stored = self.put(vec![write], "give").await;
        stored.map_err(|_| Failure::NotStored)?;
        let ask = connect.record.ask;
        {
            let mut memory = self.memory.borrow_mut();
            let of_this = |(of, _, read): &(AskId, NetworkId, Principal)| *of == ask && *read == id;
            memory.intake.retain(|key, _| !of_this(key));
        }
        self.views_changed();
        self.push_views().await;
        self.read_asked(&connect.record).await;
        Ok(())
    }
}
