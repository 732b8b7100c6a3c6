//! Preparing: one wish, one intent, one stamp, one set of bytes.

use super::Wallet;
use super::calls::Told;
use super::canisters::worded_with;
use super::drive::{Turn, WATCH};
use super::intents::{StoredIntent, add_intent, audit_line};
use super::record::RecordError;
use super::records::Canister;
use super::tool_calls::object;
use crate::ids::{IdentityHash, PreviewId};
use crate::intent::{
    Asked, Door, Event, Evidence, Identity, Intent, Line, PrepareAgain, PrepareError, Prepared,
    Stamp, StampRule, allot,
};
use crate::json::Json;
use crate::mcp::ToolReply;
use crate::policy::{Grant, MAX_PREVIEWS, SiteKey};
use crate::ports::store::{Batch, CommitError, Store as _, Table};
use crate::ports::{Alarms as _, Clock as _, Ports};
use crate::text::Untrusted;
use crate::time::{Span, Timestamp};
use crate::tools::{Preview, ReadCall, Tool};
use serde_json::{Value, json};

/// How long an ask stands unless the grant says otherwise.
const ASK_LIMIT: Span = Span::from_hours(7 * 24);

/// How often a stamp or an identity that somebody took meanwhile is tried again.
const TRIES: u32 = 8;

/// Everything that becomes a new intent.
#[derive(Clone, Copy)]
pub(super) struct Wish<'a> {
    pub(super) site: &'a SiteKey,
    pub(super) grant: &'a Grant,
    pub(super) tool: &'a str,
    pub(super) arguments: &'a Json,
    pub(super) read: &'a ReadCall<'a>,
    pub(super) now: Timestamp,
    pub(super) identity: IdentityHash,
    /// The new stamp is at most this.
    pub(super) cap: Option<Timestamp>,
    pub(super) line: Line,
    /// The site's words for the person.
    pub(super) why: Option<&'a str>,
}

/// Who wishes what: what the caller gave, and nothing that the wallet fills in.
pub(super) fn identity_of(site: &SiteKey, grant: &Grant, read: &ReadCall<'_>) -> IdentityHash {
    Identity {
        origin: site.origin.as_str(),
        door: Door::Mcp,
        network: grant.network,
        canister: read.entry.canister.id,
        method: read.entry.plan.method(),
        inputs: &read.input.identity,
    }
    .hash()
}

impl<P: Ports> Wallet<P> {
    /// Prepares a call, or finds the intent that this wish has already.
    pub(super) async fn prepare(&self, wish: Wish<'_>) -> Result<Told, RecordError> {
        let (site, identity) = (wish.site, wish.identity);
        for _ in 0..TRIES {
            if let Some(told) = self.repeated(&identity).await? {
                return Ok(told);
            }
            let group = super::intents::preview_group(site);
            if self.ports.store().count(Table::Intents, &group).await? >= MAX_PREVIEWS {
                return Ok(refusal(
                    "E_TOO_MANY_PREVIEWS",
                    "This site has 100 prepared calls that were never committed. Commit one, or \
                     wait until they end.",
                ));
            }
            let intent = match self.make(&wish).await? {
                Ok(intent) => intent,
                Err(told) => return Ok(told),
            };
            let at = self.ports.clock().host();
            let writes = vec![add_intent(&intent, at)];
            let audit = audit_line(at, "prepare", &intent.preview().to_string());
            match self.ports.store().commit(Batch { writes, audit }).await {
                Ok(()) => {
                    // It ends by itself: let the driver see to that.
                    self.drive(intent.preview()).await;
                    return Ok(self.with_preview(intent.answer_prepared().into(), &intent));
                }
                // Another tab was first, or holds the stamp: look again.
                Err(CommitError::Taken { .. } | CommitError::Conflict { .. }) => {}
                // Where it is stored after all, it ends by itself like any other.
                Err(CommitError::OutcomeUnknown) => self.ports.alarms().wake_after(WATCH),
                Err(CommitError::Full | CommitError::Store(_)) => {
                    return Ok(refusal(
                        "E_STORE",
                        "The wallet's storage cannot be used now, so nothing was prepared. Tell \
                         the user.",
                    ));
                }
            }
        }
        Ok(refusal(
            "E_BUSY",
            "Other calls were in the way. Prepare the call again.",
        ))
    }

    /// The answer to a preparation whose wish has an intent already, where there is nothing to
    /// make a new one with.
    pub(super) async fn prepared_before(
        &self,
        site: &SiteKey,
        grant: &Grant,
        read: &ReadCall<'_>,
    ) -> Result<Option<Told>, RecordError> {
        self.repeated(&identity_of(site, grant, read)).await
    }

    /// The answer to a preparation with names whose wish has an intent: what the names stood for when
    /// that was prepared is what it is about, however they are spelled and whatever is listed since.
    /// An intent that may have executed, or whose end was not told, is before others.
    pub(super) async fn prepared_by_name(
        &self,
        site: &SiteKey,
        grant: &Grant,
        tool: &Tool,
        arguments: &Json,
        now: Timestamp,
    ) -> Result<Option<Told>, RecordError> {
        let mut held = self.held_by_name(site).await?;
        held.retain(|intent| {
            let prepared = intent.prepared();
            let read = tool.read_named(arguments, now, &prepared.names);
            read.is_ok_and(|read| identity_of(site, grant, &read) == prepared.identity)
        });
        held.sort_by_key(|intent| {
            let first = intent.end().is_some() || intent.may_have_executed();
            (!first, intent.prepared().prepared_at)
        });
        for intent in held {
            if let Some(told) = self.repeated(&intent.prepared().identity).await? {
                return Ok(Some(told));
            }
        }
        Ok(None)
    }

    /// The answer to a preparation whose wish has an intent already.
    async fn repeated(&self, identity: &IdentityHash) -> Result<Option<Told>, RecordError> {
        let Some(holder) = self.holder(identity).await? else {
            return Ok(None);
        };
        let preview = holder.intent.preview();
        // Let time decide first: past its deadline an intent that cannot have run gives way.
        let intent = match self.tell_intent(&preview, Event::Look).await {
            Ok(looked) => looked,
            Err(_) => holder.intent,
        };
        Ok(match intent.prepare_again() {
            PrepareAgain::New => None,
            PrepareAgain::Repeat | PrepareAgain::TellEnd => {
                let told = intent.answer(Asked::Prepare).into();
                Some(self.with_preview(told, &intent))
            }
        })
    }

    /// Puts the stored preview into an answer.
    fn with_preview(&self, mut told: Told, intent: &Intent) -> Told {
        if let Ok(shown) = serde_json::from_slice::<Value>(&intent.prepared().shown) {
            told.reply.structured.insert("preview".to_owned(), shown);
        }
        told
    }

    /// A new intent: stamp, bytes, preview. Nothing is stored yet.
    async fn make(&self, wish: &Wish<'_>) -> Result<Result<Intent, Told>, RecordError> {
        let Wish {
            site,
            grant,
            read,
            now,
            ..
        } = *wish;
        let plan = &read.entry.plan;
        let id = read.entry.canister.id;
        let key = Canister::key_of(&grant.network, &id);
        let held = grant.canisters.iter().find(|held| held.id == id);
        let (Some(canister), Some(held)) = (self.load::<Canister>(&key).await?, held) else {
            return Ok(Err(refusal(
                "E_NOT_GRANTED",
                "This site no longer has this canister. Call wallet_status for what it has.",
            )));
        };
        let canister = canister.record;
        // Another site's acceptance may have come between: the bytes are made for what this site has.
        if canister.accepted(&worded_with(plan.resolved())) != held.accepted {
            return Ok(Err(refusal(
                "E_WITHHELD",
                "The canister is not what the user accepted for this site, so nothing was \
                 prepared. Call wallet_connect with the same canisters, so that the user sees what \
                 it is now.",
            )));
        }
        let stamp = match plan.idempotency() {
            None => None,
            Some(tag) => {
                let floor = self.stamp_floor(grant, &id).await?;
                let drift = tag.drift;
                let entropy = u64::from_le_bytes(self.random());
                let rule = StampRule {
                    now,
                    drift,
                    entropy,
                    floor,
                    cap: wish.cap,
                };
                match allot(&rule, |_| false) {
                    Ok(at) => Some(Stamp {
                        at,
                        window: tag.window,
                        drift,
                        window_known: plan.is_built_in(),
                    }),
                    Err(error) => return Ok(Err(refusal(error.code(), &error.to_string()))),
                }
            }
        };
        let fault = || {
            refusal(
                "E_ENCODE",
                "The wallet could not encode this call, so nothing was prepared.",
            )
        };
        let Ok(arg) = read.input.encode(stamp.map(|stamp| stamp.at)) else {
            return Ok(Err(fault()));
        };
        let preview = PreviewId::from_bytes(self.random());
        let named = (read.entry.canister.clone()).with_names(read.input.names.clone());
        let Ok(shown) = plan.preview(preview, &named, &arg) else {
            return Ok(Err(fault()));
        };
        let evidence = match stamp {
            Some(_) => self.ledger_evidence(&grant.network, &id).await,
            None => Evidence::None,
        };
        let prepared = Prepared {
            preview,
            ask_seed: PreviewId::from_bytes(self.random()),
            installation: self.writer().await?.installation,
            epoch: u64::from(self.writer().await?.epoch),
            network: grant.network,
            door: Door::Mcp,
            origin: site.origin.as_str().to_owned(),
            top_origin: site.top_origin.as_str().to_owned(),
            identity: wish.identity,
            canister: id,
            effective_canister: id,
            method: plan.method().to_owned(),
            tool: wish.tool.to_owned(),
            inputs: wish.arguments.to_string().into_bytes(),
            arg,
            stamp,
            sender: grant.sender,
            shown: preview_json(&shown),
            names: read.input.names.clone(),
            why: wish.why.map(|why| Untrusted::new(why).to_string()),
            interface: held.interface,
            pasted: canister.pasted.is_some(),
            profiles: held.profiles.clone(),
            module: canister.module,
            resolved: held.resolved,
            prepared_at: now,
            ask_limit: ASK_LIMIT,
            earliest_time: read.input.earliest,
            line: wish.line,
        };
        Ok(match Intent::new(prepared, evidence) {
            Ok(intent) => Ok(intent),
            Err(error @ PrepareError::DeadlinePast) => {
                Err(refusal(error.code(), &error.to_string()))
            }
        })
    }

    /// After `retry_new`: the successor of an intent that had no effect, with a new stamp, stored
    /// in one transaction with the end of its predecessor. Relative times count from now.
    pub(super) async fn renew(&self, stored: &StoredIntent, cap: Option<Timestamp>) -> Turn {
        let prepared = stored.intent.prepared();
        let Ok(now) = self
            .canister_time(&prepared.network, prepared.canister)
            .await
        else {
            return Turn::Nothing;
        };
        let Ok(successor) = self.successor(stored, cap, now).await else {
            return Turn::Stuck;
        };
        let Some(successor) = successor else {
            return self.happened(stored, Event::RenewRefused).await;
        };
        let event = Event::Superseded {
            successor: successor.preview(),
        };
        let with = vec![add_intent(&successor, self.ports.clock().host())];
        self.happened_with(stored, event, with).await
    }

    /// The successor, or `None` where the stored inputs are refused now.
    async fn successor(
        &self,
        stored: &StoredIntent,
        cap: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Option<Intent>, RecordError> {
        let prepared = stored.intent.prepared();
        let Ok(origin) = crate::policy::Origin::parse(&prepared.origin) else {
            return Ok(None);
        };
        let site = SiteKey::top_level(&origin);
        let Some(grant) = self.grant_of(&site).await? else {
            return Ok(None);
        };
        let grant = grant.record;
        let same_payer = grant.sender == prepared.sender && grant.network == prepared.network;
        let catalog = self.catalog_of(&grant).await?;
        let inputs = core::str::from_utf8(&prepared.inputs).ok();
        let inputs = inputs.and_then(|text| Json::parse(text).ok());
        let (Some(tool), Some(inputs), true) = (catalog.find(&prepared.tool), inputs, same_payer)
        else {
            return Ok(None);
        };
        let Ok(read) = tool.read_named(&inputs, now, &prepared.names) else {
            return Ok(None);
        };
        let wish = Wish {
            site: &site,
            grant: &grant,
            tool: &prepared.tool,
            arguments: &inputs,
            read: &read,
            now,
            identity: prepared.identity,
            cap,
            line: Line::after(&stored.intent),
            why: prepared.why.as_deref(),
        };
        Ok(self.make(&wish).await?.ok())
    }

    /// The latest stamp of the sender on a canister that was handed over.
    async fn stamp_floor(
        &self,
        grant: &Grant,
        canister: &crate::ids::Principal,
    ) -> Result<Option<Timestamp>, RecordError> {
        let key = super::records::Floor::key_of(&grant.network, canister, &grant.sender);
        let floor = self.load::<super::records::Floor>(&key).await?;
        Ok(floor.map(|stored| stored.record.latest))
    }
}

fn preview_json(preview: &Preview) -> Vec<u8> {
    serde_json::to_vec(preview).expect("a preview holds only what JSON can")
}

/// A preparation that made nothing.
fn refusal(code: &str, sentence: &str) -> Told {
    let structured = json!({ "code": code, "retry": "new_prepare", "next": null });
    ToolReply {
        sentence: sentence.to_owned(),
        structured: object(structured),
        is_error: true,
    }
    .into()
}
