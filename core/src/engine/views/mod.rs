//! What a window shows, from what is stored and what memory holds. Nothing is read from the
//! network here.

mod ask;
mod call;
mod canisters;
pub(super) mod history;
mod home;
mod words;

pub(super) use call::Decoded;

use super::Wallet;
use super::asks::Queued;
use super::networks::label_of;
use super::record::RecordError;
use super::together::together;
use super::windows::Session;
use crate::ids::{AskId, PreviewId};
use crate::ports::{Clock as _, PortId, Ports};
use crate::vault::sealed::MIN_PASSPHRASE;
use crate::wire::ui::{FirstRun, Place, Screen, Unlock, View};
use home::ACTIVITY;
use std::future::Future;
use std::pin::Pin;

impl<P: Ports> Wallet<P> {
    /// What a window shows now.
    pub(super) async fn view_for(
        &self,
        port: PortId,
        session: &Session,
    ) -> Result<View, RecordError> {
        let settings = self.settings().await;
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
                settings,
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
                Place::Canisters => Screen::Canisters(self.canisters_view().await?),
                Place::Settings => Screen::Settings,
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
            settings,
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
            frozen: self.frozen().await?.map(|frozen| frozen.updated),
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
            Place::Networks
            | Place::Activity
            | Place::Intent(_)
            | Place::Canisters
            | Place::Settings => {}
            Place::Asks => {
                let Ok(queue) = self.queue().await else {
                    return;
                };
                let shown = queue.iter().find(|queued| queued.id() == session.shows);
                match shown.filter(|_| session.shows.is_some()) {
                    Some(Queued::Connect(stored)) => self.read_asked(&stored.record).await,
                    Some(Queued::Call(stored)) => {
                        if let Some(ask) = session.shows {
                            self.read_call(ask, stored.intent.preview()).await;
                        }
                    }
                    None => {}
                }
            }
        }
    }

    /// Reads what is shown beside a call: what its ledger certifies, and what its canister says of it.
    /// Neither waits for the other.
    async fn read_call(&self, ask: AskId, preview: PreviewId) {
        let unread = !self.memory.borrow().facts.contains_key(&ask);
        let facts = async {
            if unread {
                self.read_facts_of(ask, preview).await;
            }
        };
        // The browser's language, where none was set, is known to the pages alone.
        let language = self.settings().await.language.unwrap_or_default();
        let words = self.read_words_of(ask, preview, language.tag());
        let both: Vec<Pin<Box<dyn Future<Output = ()> + '_>>> =
            vec![Box::pin(facts), Box::pin(words)];
        together(both).await;
    }
}
