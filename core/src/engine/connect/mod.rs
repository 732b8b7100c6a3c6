//! Connecting a site: its ask, what the person is shown of it, and the grant.

mod by_hand;
mod grant;
mod intake;
mod view;

use super::Wallet;
use super::canisters::for_tools;
use super::record::{self, RecordError, Stored};
use super::records::{Asked, Code, Connect, Trusted};
use crate::confirm::view::{Preset as ShownPreset, Unreadable};
use crate::ids::{AskId, ContentHash, NetworkId, Principal};
use crate::policy::{
    Grant, GrantedCanister, MAX_CONNECTS, MAX_CONNECTS_ALIKE, Preset, QUIET_AFTER_NO, SiteKey,
    ToolChoice,
};
use crate::ports::{Clock as _, Ports};
use crate::profile::Source;
use crate::time::Span;
use crate::tools::{Catalog, NameBook, Plans, Tool, ToolKind};
use crate::wire::ui::{Decided, Decision, Failure};
pub(super) use intake::CanisterRead;

/// How long a site's ask to be connected stands.
const ASK_STANDS: Span = Span::from_hours(7 * 24);

/// How long a no is kept: as long as a call that waits for it may be.
const NO_KEPT: Span = Span::from_hours(24);

/// How many canisters of an undecided ask the next ask of its site takes up.
const MOST_WAITING: usize = 64;

/// The most bytes that an undecided ask holds of what was given for its canisters, beside what the
/// last ask of its site gave.
const MOST_GIVEN: usize = 512 * 1024;

/// What is known of a canister that is asked for.
#[derive(Clone)]
pub(super) enum Intake {
    /// Being read, by the reading with this number: what an earlier one brings is no longer wanted.
    Reading(u64),
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
    /// Each with the site's profile for it, as JSON.
    pub(super) canisters: Vec<(Principal, Option<String>)>,
    pub(super) tools: Option<ToolChoice>,
    pub(super) why: Option<String>,
    /// The person asks, by hand.
    pub(super) by_person: bool,
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
        let canisters = wanted.canisters.iter().all(|(id, profile)| {
            let held = grant.canisters.iter().find(|held| held.id == *id);
            let given = profile
                .as_ref()
                .map(|text| ContentHash::of(text.as_bytes()));
            held.is_some_and(|held| given.is_none() || held.site_profile == given)
        });
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
        // Another document of the site may wait for what it asked: it is asked for with this.
        let undecided = before
            .as_ref()
            .filter(|last| last.record.is_undecided() && last.record.deadline > now);
        let waits = undecided.map_or(&[][..], |last| &last.record.canisters);
        let mut canisters = Vec::new();
        if let Some(Stored { record, .. }) = &grant {
            for held in &record.canisters {
                canisters.push(self.asked_as_granted(&record.network, held).await?);
            }
        }
        let mut room = MOST_GIVEN;
        for asked in waits.iter().take(MOST_WAITING) {
            let Some(left) = room.checked_sub(asked.size()) else {
                continue;
            };
            room = left;
            match canisters.iter_mut().find(|known| known.id == asked.id) {
                Some(known) => *known = asked.clone(),
                None => canisters.push(asked.clone()),
            }
        }
        for (id, profile) in &wanted.canisters {
            let known = canisters.iter().position(|known| known.id == *id);
            let nth = known.unwrap_or_else(|| {
                canisters.push(Asked {
                    by_person: wanted.by_person,
                    ..Asked::plain(*id)
                });
                canisters.len() - 1
            });
            if let Some(asked) = canisters.get_mut(nth) {
                asked.by_person &= wanted.by_person;
                if profile.is_some() {
                    asked.site_profile.clone_from(profile);
                }
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
            // What the site asks for too is not for the person alone to take back.
            by_person: wanted.by_person && undecided.is_none_or(|last| last.record.by_person),
        };
        match undecided {
            Some(last)
                if last.record.canisters == record.canisters
                    && last.record.tools == record.tools
                    && last.record.by_person == record.by_person =>
            {
                return Ok(None);
            }
            Some(_) => {}
            None if !wanted.by_person && !self.has_room(&record).await? => return Ok(Some(record)),
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

    /// A canister of a grant as it would be asked for: with what was given for it then. What was
    /// trusted counts for the code that it was trusted for.
    async fn asked_as_granted(
        &self,
        network: &NetworkId,
        held: &GrantedCanister,
    ) -> Result<Asked, RecordError> {
        let mut asked = Asked::plain(held.id);
        if let Some(profile) = &held.site_profile {
            asked.site_profile = self.profile_text(profile).await?;
        }
        let trusted = held.profiles.iter().filter(|p| p.source == Source::Person);
        asked.trust = trusted
            .map(|profile| Trusted {
                profile: profile.text,
                code: Code {
                    network: *network,
                    module: held.module,
                },
                trusted: true,
            })
            .collect();
        Ok(asked)
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
                Intake::Reading(_) | Intake::Read(_) => true,
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

    /// What was read for an ask is forgotten.
    fn forget_reads(&self, ask: AskId) {
        let mut memory = self.memory.borrow_mut();
        memory.choices.remove(&ask);
        memory.intake.retain(|(of, _, _), _| *of != ask);
    }

    /// The person's no to a connect ask.
    pub(super) async fn refuse_connect(&self, connect: &Stored<Connect>) -> Option<Decided> {
        let (writer, now) = (self.writer().await.ok()?, self.ports.clock().host());
        let refused = Connect {
            declined: Some(now),
            ..connect.record.clone()
        };
        let write = if refused.by_person {
            // The site did not ask, so it is told nothing.
            record::remove(&refused, connect.rev)
        } else {
            record::change(writer, now, connect.rev, &refused)
        };
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

/// SHA-256 of the profile that a site gave for a canister.
fn site_profile_for(connect: &Connect, id: &Principal) -> Option<ContentHash> {
    let asked = connect.canisters.iter().find(|asked| asked.id == *id)?;
    let profile = asked.site_profile.as_ref()?;
    Some(ContentHash::of(profile.as_bytes()))
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
