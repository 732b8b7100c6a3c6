//! The ask that a window shows, or why there is none.

use super::history::lost;
use crate::confirm::site::SiteName;
use crate::confirm::view::{
    Amount, Ask, Asked, Asker, CallAsk, Change, Changed, Funds, Lapse as ShownLapse, Notice,
    QueuePlace as Nth, Resend,
};
use crate::engine::Wallet;
use crate::engine::asks::Queued;
use crate::engine::dealings::Background;
use crate::engine::intents::StoredIntent;
use crate::engine::labels::{shown_amount, token_of};
use crate::engine::record::RecordError;
use crate::engine::records::{Canister, Connect};
use crate::engine::windows::{Session, Standing as Beside};
use crate::ids::{AskId, ContentHash, PreviewId};
use crate::intent::{AskKind, EndKind, Intent, Lapse};
use crate::policy::Grant;
use crate::ports::{PortId, Ports};
use crate::wire::ui::{Dead, DeadWhy, NextAsk, Screen};
use num_bigint::BigUint;

impl<P: Ports> Wallet<P> {
    pub(super) async fn ask_screen(
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
                decided.next = Self::next_ask(queue, &session.later);
                return Ok(Screen::Decided(decided));
            }
            Beside::Dead(dead) => {
                let mut dead = (**dead).clone();
                dead.next = Self::next_ask(queue, &session.later);
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
                let dead = self
                    .dead(session.preview, Self::next_ask(queue, &session.later))
                    .await?;
                let beside = Beside::Dead(Box::new(dead.clone()));
                self.note_shown(port, session, |session| {
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
            self.note_shown(port, session, |session| {
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
    pub(super) async fn dead(
        &self,
        preview: Option<PreviewId>,
        next: Option<NextAsk>,
    ) -> Result<Dead, RecordError> {
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

    pub(super) async fn asker_of_connect(&self, connect: &Connect) -> Result<Asker, RecordError> {
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

    pub(super) async fn call_ask(
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
        let Some(decoded) = self.decoded(intent).await else {
            return Ok(None);
        };
        let Some(mut call) = self.call_of_decoded(intent, &decoded).await? else {
            return Ok(None);
        };
        let Background {
            findings,
            last,
            consent,
        } = self.background(intent, &decoded).await?;
        if call.balance == Funds::Unasked {
            // The window that shows this is what has it read.
            call.balance = Funds::Reading;
        }
        let site = crate::engine::drive::site_of(intent);
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
            findings,
            last,
            call,
            consent,
            lost: lost(intent),
            deadline,
        };
        let asker = asker(&prepared.origin, grant.as_ref(), prepared.why.clone());
        let canister = self
            .accepted_canister(&prepared.network, &prepared.canister)
            .await;
        let notice = self.notice(intent, open.lapsed, canister.as_ref());
        Ok(Some(Ask {
            id,
            place,
            asker,
            notice,
            what: Asked::Call(Box::new(ask)),
        }))
    }

    /// What a person is told at the head of an ask. `canister` is the ledger in whose token its
    /// amounts are written.
    fn notice(
        &self,
        intent: &Intent,
        lapsed: Option<Lapse>,
        canister: Option<&Canister>,
    ) -> Option<Notice> {
        let memory = self.memory.borrow();
        let ask = intent.ask()?.id;
        if let (Some(before), Some(now)) = (memory.changed.get(&ask), memory.facts.get(&ask)) {
            let mut changes = Vec::new();
            let mut differ = |what, before: Option<String>, now: Option<String>| {
                if before != now {
                    changes.push(Change { what, before, now });
                }
            };
            let token = canister.and_then(|canister| Some((canister, token_of(canister)?)));
            let amount = |units: &Option<BigUint>| {
                let units = units.as_ref()?;
                Some(match &token {
                    Some((canister, token)) => {
                        let Amount { number, unit } = shown_amount(canister, token, units);
                        format!("{number} {unit}")
                    }
                    None => units.to_string(),
                })
            };
            let number = |n: &Option<BigUint>| n.as_ref().map(ToString::to_string);
            differ(Changed::Fee, amount(&before.fee), amount(&now.fee));
            differ(
                Changed::Decimals,
                number(&before.decimals),
                number(&now.decimals),
            );
            differ(
                Changed::Balance,
                amount(&before.balance),
                amount(&now.balance),
            );
            let module = |m: &Option<Option<ContentHash>>| m.flatten().map(|hash| hash.to_string());
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
}

/// Who asks.
pub(super) fn asker(origin: &str, grant: Option<&Grant>, why: Option<String>) -> Asker {
    Asker {
        site: SiteName::of(origin),
        connected: grant.map(|grant| grant.given),
        done: grant.map_or(0, |grant| grant.done),
        why,
    }
}
