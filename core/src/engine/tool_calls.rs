//! What a tool call does: the wallet's own tools, reads, preparations, commits.
//!
//! A call is looked up in what its site has, its input is read as a whole, and only then is
//! anything done. `wallet_call` goes the same way as a direct call. Every answer says in `retry`
//! and `next` whether and how to go on.

use super::Wallet;
use super::calls::{Opened, Told, Worked};
use super::connect::{Wanted, chooses};
use super::prepare::{Wish, identity_of};
use super::record::{RecordError, Stored};
use super::records::{Awaits, Connect, OpenCall};
use super::wallet_tools::{self, Fields, Issue};
use crate::format::{account::Account, account_id::AccountId};
use crate::ids::{PreviewId, Principal};
use crate::intent::{Answer, Asked, CommitPlan, Event, Intent, Line, TransitionError};
use crate::json::{Json, Object};
use crate::mcp::{Call, ListReply, ToolReply};
use crate::policy::{Grant, Preset, SiteKey, ToolChoice};
use crate::ports::{Clock as _, Ports};
use crate::text::Untrusted;
use crate::time::Span;
use crate::tools::{COMMIT, Dialect, Payer, ReadCall, Tool, ToolKind, catalog_hash};
use serde_json::{Map, Value, json};

/// The longest wait of `wallet_intent`.
const MAX_WAIT_S: u64 = 45;

/// The JSON of a tool's answer, from what stands in this file.
pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

fn says(sentence: &str, structured: Value, is_error: bool) -> Told {
    ToolReply {
        sentence: sentence.to_owned(),
        structured: object(structured),
        is_error,
    }
    .into()
}

/// An error that leaves everything as it was.
fn failed(code: &str, sentence: &str, retry: &str) -> Told {
    says(
        sentence,
        json!({ "code": code, "retry": retry, "next": null }),
        true,
    )
}

fn store_failed() -> Told {
    failed(
        "E_STORE",
        "The wallet's storage cannot be used now, so nothing was done. Tell the user, then try \
         again.",
        "again",
    )
}

fn refused(issues: &Value, tool: &str) -> Told {
    let structured = json!({
        "code": "E_INPUT",
        "issues": issues,
        "retry": "new_prepare",
        "next": { "tool": tool, "input": null },
    });
    says(
        "Nothing was sent. Correct the inputs named in issues and call again.",
        structured,
        true,
    )
}

fn issues_of(issues: &[Issue]) -> Value {
    serde_json::to_value(issues).expect("issues hold only texts")
}

/// One answer to whoever is not connected, whatever it asked for.
fn not_connected() -> Told {
    let structured = json!({
        "code": "E_NOT_CONNECTED",
        "status": "not_connected",
        "retry": "again",
        "next": { "tool": wallet_tools::CONNECT, "input": {} },
    });
    says(
        "This site is not connected to the wallet. Call wallet_connect first.",
        structured,
        true,
    )
}

/// One answer to every preview id that is not this site's, whether it exists or not.
fn no_such_preview() -> Told {
    failed(
        "E_NO_SUCH_PREVIEW",
        "This site has no prepared call with this preview_id. Prepare the call to get one.",
        "new_prepare",
    )
}

/// The input of `wallet_connect` that asks for the same again.
fn same_ask(connect: &Connect) -> Value {
    let canisters: Vec<Value> = connect
        .canisters
        .iter()
        .map(|id| json!({ "id": id.to_text() }))
        .collect();
    let tools: Vec<&str> = match &connect.tools {
        ToolChoice::Preset(Preset::Look) => vec!["look"],
        ToolChoice::Preset(Preset::Payments) => vec!["payments"],
        ToolChoice::Preset(Preset::All) => vec!["all"],
        ToolChoice::Names(names) => names.iter().map(String::as_str).collect(),
    };
    json!({ "canisters": canisters, "tools": tools })
}

fn awaiting_connect(connect: &Connect) -> Told {
    let structured = json!({
        "outcome": "awaiting_confirmation",
        "retry": "again",
        "next": {
            "tool": wallet_tools::CONNECT,
            "input": same_ask(connect),
            "after_s": 30,
        },
    });
    says(
        "The user has not decided yet whether to connect this site. Ask them to open Countersign \
         from the browser's toolbar, then call wallet_connect again.",
        structured,
        false,
    )
}

impl From<Answer> for Told {
    fn from(answer: Answer) -> Self {
        let tells = Some((answer.of, answer.names_end));
        let reply = ToolReply {
            structured: object(answer.structured()),
            is_error: answer.is_error(),
            sentence: answer.sentence,
        };
        Self { reply, tells }
    }
}

impl<P: Ports> Wallet<P> {
    /// What a site is told of its tools: constant while it is not connected.
    pub(super) async fn tool_list(
        &self,
        site: &SiteKey,
        dialect: Option<Dialect>,
    ) -> Result<ListReply, RecordError> {
        let grant = self.grant_of(site).await?;
        let connected = grant.is_some();
        let tools = self
            .definitions(
                grant.as_ref().map(|g| &g.record),
                dialect.unwrap_or_default(),
            )
            .await?;
        Ok(ListReply { tools, connected })
    }

    async fn definitions(
        &self,
        grant: Option<&Grant>,
        dialect: Dialect,
    ) -> Result<Vec<Value>, RecordError> {
        let mut tools = wallet_tools::definitions(dialect);
        if let Some(grant) = grant {
            let catalog = self.catalog_of(grant).await?;
            let chosen = catalog
                .tools()
                .iter()
                .filter(|tool| chooses(&grant.tools, tool));
            tools.extend(chosen.map(|tool| tool.definition(dialect)));
        }
        crate::tools::sort_definitions(&mut tools);
        Ok(tools)
    }

    /// Whether a site has a tool of this name.
    pub(super) async fn has_tool(&self, site: &SiteKey, name: &str) -> bool {
        if wallet_tools::NAMES.contains(&name) {
            return true;
        }
        let Ok(Some(grant)) = self.grant_of(site).await else {
            return false;
        };
        let Ok(catalog) = self.catalog_of(&grant.record).await else {
            return false;
        };
        catalog
            .find(name)
            .is_some_and(|tool| chooses(&grant.record.tools, tool))
    }

    /// Does what a call asks for, or finds what it has to wait for.
    pub(super) async fn work(&self, opened: &Opened, call: &Call) -> Worked {
        let site = opened.site();
        let arguments = &call.arguments;
        let why = call.meta.why.as_deref();
        match self.named(site, &call.name, arguments, why).await {
            Ok(worked) => worked,
            Err(_) => Worked::Answer(store_failed()),
        }
    }

    async fn named(
        &self,
        site: &SiteKey,
        name: &str,
        arguments: &Object,
        why: Option<&str>,
    ) -> Result<Worked, RecordError> {
        if name == wallet_tools::CONNECT {
            return self.connect_tool(site, arguments, why).await;
        }
        let Some(grant) = self.grant_of(site).await? else {
            return Ok(Worked::Answer(not_connected()));
        };
        let grant = &grant;
        match name {
            COMMIT => self.commit_tool(site, arguments).await,
            wallet_tools::INTENT => self.intent_tool(site, arguments).await,
            wallet_tools::CANCEL => self.cancel_tool(site, arguments).await,
            wallet_tools::STATUS => self.status_tool(grant, arguments).await.map(Worked::Answer),
            wallet_tools::FIND => self.find_tool(grant, arguments).await.map(Worked::Answer),
            wallet_tools::CALL => {
                let mut fields = Fields::of(arguments);
                let call = fields.call();
                let issues = fields.finish();
                match call {
                    Some((name, input)) if issues.is_empty() => {
                        if name == wallet_tools::CALL || !self.has_tool(site, name).await {
                            return Ok(Worked::Answer(failed(
                                "E_NO_SUCH_TOOL",
                                "This site has no such tool. wallet_find_tools finds those it has.",
                                "again",
                            )));
                        }
                        Box::pin(self.named(site, name, input, why)).await
                    }
                    Some(_) | None => Ok(Worked::Answer(refused(
                        &issues_of(&issues),
                        wallet_tools::CALL,
                    ))),
                }
            }
            name => {
                let catalog = self.catalog_of(&grant.record).await?;
                let tool = catalog
                    .find(name)
                    .filter(|tool| chooses(&grant.record.tools, tool));
                match tool {
                    Some(tool) => self.canister_tool(site, grant, tool, arguments, why).await,
                    // It was in the list a moment ago: the grant has changed since.
                    None => Ok(Worked::Answer(failed(
                        "E_NO_SUCH_TOOL",
                        "This site no longer has this tool. Call tools/list for those it has.",
                        "again",
                    ))),
                }
            }
        }
    }

    // ---- the wallet's own tools ----

    async fn connect_tool(
        &self,
        site: &SiteKey,
        arguments: &Object,
        why: Option<&str>,
    ) -> Result<Worked, RecordError> {
        let mut fields = Fields::of(arguments);
        let canisters = fields.canisters();
        let tools = fields.tools();
        let why = fields
            .text("why")
            .or(why)
            .map(|why| Untrusted::new(why).to_string());
        let issues = fields.finish();
        if !issues.is_empty() {
            return Ok(Worked::Answer(refused(
                &issues_of(&issues),
                wallet_tools::CONNECT,
            )));
        }
        let wanted = Wanted {
            canisters,
            tools,
            why,
        };
        if let Some(grant) = self.grant_of(site).await?
            && self.covers(&grant.record, &wanted).await?
        {
            return Ok(Worked::Answer(self.connected(&grant.record).await?));
        }
        if self.ask_connect(site, &wanted).await.is_err() {
            return Ok(Worked::Answer(store_failed()));
        }
        self.memory.borrow_mut().refused.remove(site);
        Ok(Worked::Waits(Awaits::Connect))
    }

    /// What a connected site is told of what it has.
    async fn connected(&self, grant: &Grant) -> Result<Told, RecordError> {
        let catalog = self.catalog_of(grant).await?;
        let chosen = catalog
            .tools()
            .iter()
            .filter(|tool| chooses(&grant.tools, tool));
        let names: Vec<&str> = chosen.map(|tool| tool.names().get(Dialect::Full)).collect();
        let canisters: Vec<String> = grant.canisters.iter().map(|c| c.id.to_text()).collect();
        let structured = json!({
            "outcome": "success",
            "account": grant.sender.to_text(),
            "canisters": canisters,
            "tools": names,
            "retry": "never",
            "next": null,
        });
        Ok(says(
            "Connected. tools names what this site has beside the wallet's own tools.",
            structured,
            false,
        ))
    }

    /// The answer to a waiting `wallet_connect`; `None` while it is undecided and not due.
    pub(super) async fn answer_of_connect(&self, site: &SiteKey, due: bool) -> Option<Told> {
        if let Some(undecided) = self.connect_of(site).await.ok()? {
            return due.then(|| awaiting_connect(&undecided.record));
        }
        let grant = self.grant_of(site).await.ok()?;
        if self.memory.borrow().refused.contains(site) || grant.is_none() {
            let structured =
                json!({ "outcome": "declined", "retry": "after_person", "next": null });
            return Some(says(
                "The user declined. Ask them before asking again.",
                structured,
                false,
            ));
        }
        self.connected(&grant?.record).await.ok()
    }

    async fn commit_tool(&self, site: &SiteKey, arguments: &Object) -> Result<Worked, RecordError> {
        let mut fields = Fields::of(arguments);
        let preview = fields.preview();
        let issues = fields.finish();
        let Some(preview) = preview.filter(|_| issues.is_empty()) else {
            return Ok(Worked::Answer(refused(&issues_of(&issues), COMMIT)));
        };
        let Some(stored) = self.site_intent(site, preview).await? else {
            return Ok(Worked::Answer(no_such_preview()));
        };
        let preview = stored.preview();
        if stored.end().is_some() {
            return Ok(Worked::Answer(stored.answer(Asked::LateCommit).into()));
        }
        match self.commit_intent(&preview).await {
            Ok(CommitPlan::TellEnd) => {
                let ended = self.intent(&preview).await?;
                Ok(Worked::Answer(match ended {
                    Some(ended) => ended.intent.answer(Asked::LateCommit).into(),
                    None => no_such_preview(),
                }))
            }
            Ok(CommitPlan::Held) => Ok(Worked::Answer(self.told(&preview, Asked::Commit).await?)),
            Ok(CommitPlan::Join | CommitPlan::Ask(_) | CommitPlan::Reconcile) => {
                self.raise_again(&preview).await;
                Ok(Worked::Waits(Awaits::Intent(preview)))
            }
            Ok(CommitPlan::TimeNeeded) | Err(CommitFailure::NoTime) => {
                Ok(Worked::Answer(self.no_time(&preview).await?))
            }
            Err(CommitFailure::Store) => Ok(Worked::Answer(store_failed())),
        }
    }

    async fn told(&self, preview: &PreviewId, asked: Asked) -> Result<Told, RecordError> {
        let stored = self.intent(preview).await?;
        Ok(stored.map_or_else(no_such_preview, |stored| stored.intent.answer(asked).into()))
    }

    /// No certified time: nothing was asked and nothing was sent now. What is known of the intent
    /// decides whether it may have executed before.
    async fn no_time(&self, preview: &PreviewId) -> Result<Told, RecordError> {
        let stored = self.intent(preview).await?;
        let (outcome, so) = match stored {
            Some(stored) if stored.intent.may_have_executed() => (
                "unknown",
                "so nothing more was sent; an earlier attempt may have executed. Do not prepare it \
                 again",
            ),
            Some(_) | None => ("not_executed", "so nothing was sent"),
        };
        let structured = json!({
            "outcome": outcome,
            "case": "no_certified_time",
            "code": "E_NO_CERTIFIED_TIME",
            "preview_id": preview.to_string(),
            "preview": { "preview_id": preview.to_string() },
            "retry": "commit_preview",
            "next": { "tool": COMMIT, "input": { "preview_id": preview.to_string() }, "after_s": 10 },
        });
        Ok(says(
            &format!(
                "The network cannot be read now, {so}. Call commit with preview_id {preview} again \
                 in a moment."
            ),
            structured,
            true,
        ))
    }

    /// Applies a commit to an intent, reading certified time where it is needed.
    pub(super) async fn commit_intent(
        &self,
        preview: &PreviewId,
    ) -> Result<CommitPlan, CommitFailure> {
        let stored = self
            .intent(preview)
            .await
            .map_err(|_| CommitFailure::Store)?;
        let stored = stored.ok_or(CommitFailure::Store)?;
        let prepared = stored.intent.prepared();
        let (network, canister) = (prepared.network, prepared.canister);
        let evidence = self.evidence(&network, &canister, &stored.intent).await;
        // What time has decided comes first: a deadline that passed while no worker lived, a window
        // that closed. Where no time can be read, what is under way is joined as it stands.
        let canister = prepared.effective_canister;
        if self.carried_time(&network, canister).is_none() {
            let _ = self.certified_time(&network, canister).await;
        }
        let plan = stored
            .intent
            .commit_plan(&self.now(&stored.intent), evidence);
        if plan == CommitPlan::TimeNeeded {
            return Err(CommitFailure::NoTime);
        }
        // The agent asks now: what was tried in vain is tried again at once.
        self.memory.borrow_mut().attempts.remove(preview);
        let root_key = self
            .root_key(&network)
            .await
            .map_err(|_| CommitFailure::Store)?;
        let digest = super::signing::ask_digest(&root_key, &stored.intent, evidence);
        let event = Event::Commit {
            evidence,
            first: digest,
            resend: digest,
        };
        match self.tell_intent(preview, event).await {
            // What time had decided before the event shows in what was stored.
            Ok(next) if next.end().is_some() => Ok(CommitPlan::TellEnd),
            Ok(_) => Ok(plan),
            Err(super::drive::TellError::Refused(error)) => match error {
                TransitionError::Ended => Ok(CommitPlan::TellEnd),
                TransitionError::TimeNeeded => Err(CommitFailure::NoTime),
                // Something is under way: the caller joins it.
                _ => Ok(plan),
            },
            Err(_) => Err(CommitFailure::Store),
        }
    }

    async fn intent_tool(&self, site: &SiteKey, arguments: &Object) -> Result<Worked, RecordError> {
        let mut fields = Fields::of(arguments);
        let preview = fields.preview();
        let wait = fields.seconds("wait_s").unwrap_or(0).min(MAX_WAIT_S);
        let issues = fields.finish();
        let Some(preview) = preview.filter(|_| issues.is_empty()) else {
            return Ok(Worked::Answer(refused(
                &issues_of(&issues),
                wallet_tools::INTENT,
            )));
        };
        let Some(intent) = self.site_intent(site, preview).await? else {
            return Ok(Worked::Answer(no_such_preview()));
        };
        if wait == 0 || intent.end().is_some() {
            return Ok(Worked::Answer(intent.answer(Asked::Look).into()));
        }
        Ok(Worked::Waits(Awaits::Look(
            intent.preview(),
            Span::from_secs(wait),
        )))
    }

    async fn cancel_tool(&self, site: &SiteKey, arguments: &Object) -> Result<Worked, RecordError> {
        let mut fields = Fields::of(arguments);
        let preview = fields.preview();
        let issues = fields.finish();
        let Some(preview) = preview.filter(|_| issues.is_empty()) else {
            return Ok(Worked::Answer(refused(
                &issues_of(&issues),
                wallet_tools::CANCEL,
            )));
        };
        let Some(intent) = self.site_intent(site, preview).await? else {
            return Ok(Worked::Answer(no_such_preview()));
        };
        let preview = intent.preview();
        // An ask that was decided, or was never opened, is not there to be withdrawn.
        let _ = self.tell_intent(&preview, Event::Withdraw).await;
        self.answer_waiters(&preview).await;
        self.show_asks().await;
        Ok(Worked::Answer(self.told(&preview, Asked::Look).await?))
    }

    async fn status_tool(
        &self,
        grant: &Stored<Grant>,
        arguments: &Object,
    ) -> Result<Told, RecordError> {
        let issues = Fields::of(arguments).finish();
        if !issues.is_empty() {
            return Ok(refused(&issues_of(&issues), wallet_tools::STATUS));
        }
        let grant = &grant.record;
        let mut canisters = Vec::new();
        for (canister, tools) in self.canisters_of(grant).await? {
            let skipped: Vec<Value> = tools
                .plans
                .skipped
                .iter()
                .map(|skipped| {
                    json!({
                        "method": crate::tools::plain(&skipped.method),
                        "reason": skipped.reason.to_string(),
                    })
                })
                .collect();
            canisters.push(json!({
                "id": canister.id.to_text(),
                "skipped": skipped,
            }));
        }
        let shown: Vec<String> = canisters
            .iter()
            .filter_map(|c| c["id"].as_str().map(str::to_owned))
            .collect();
        for held in grant.canisters.iter().map(|held| held.id.to_text()) {
            if !shown.contains(&held) {
                canisters.push(json!({ "id": held, "withheld": true }));
            }
        }
        let definitions = self.definitions(Some(grant), Dialect::Full).await?;
        let preset = match &grant.tools {
            ToolChoice::Preset(Preset::Look) => json!("look"),
            ToolChoice::Preset(Preset::Payments) => json!("payments"),
            ToolChoice::Preset(Preset::All) => json!("all"),
            ToolChoice::Names(names) => json!(names),
        };
        let structured = json!({
            "status": "connected",
            "account": grant.sender.to_text(),
            "tools": preset,
            "catalog": catalog_hash(&definitions).to_string(),
            "canisters": canisters,
            "retry": "again",
            "next": null,
        });
        Ok(says("This is what the site has.", structured, false))
    }

    async fn find_tool(
        &self,
        grant: &Stored<Grant>,
        arguments: &Object,
    ) -> Result<Told, RecordError> {
        let mut fields = Fields::of(arguments);
        let query = fields.query();
        let issues = fields.finish();
        let Some(query) = query.filter(|_| issues.is_empty()) else {
            return Ok(refused(&issues_of(&issues), wallet_tools::FIND));
        };
        let definitions = self.definitions(Some(&grant.record), Dialect::Full).await?;
        let found: Vec<Value> = definitions
            .iter()
            .filter(|definition| {
                let words = searchable(definition);
                query.iter().all(|word| words.contains(word.as_str()))
            })
            .map(|definition| {
                json!({
                    "name": definition["name"],
                    "title": definition["annotations"]["title"],
                    "description": definition["description"],
                    "inputSchema": definition["inputSchema"],
                })
            })
            .collect();
        let structured = json!({ "tools": found, "retry": "again", "next": null });
        Ok(says(
            "These tools match. Call them directly, or through wallet_call.",
            structured,
            false,
        ))
    }

    /// The intent with this preview id, if it is this site's.
    async fn site_intent(
        &self,
        site: &SiteKey,
        preview: Option<PreviewId>,
    ) -> Result<Option<Intent>, RecordError> {
        match preview {
            Some(preview) => Ok(self
                .intent_of(site, &preview)
                .await?
                .map(|stored| stored.intent)),
            None => Ok(None),
        }
    }

    /// The answer to a call that waits for an intent; `None` while there is none and it is not due.
    pub(super) async fn answer_of_intent(
        &self,
        preview: &PreviewId,
        call: &OpenCall,
        due: bool,
    ) -> Option<Told> {
        let intent = self.intent(preview).await.ok()??.intent;
        let asked = match call.awaits {
            Awaits::Look(..) => Asked::Look,
            Awaits::Intent(_) | Awaits::Work | Awaits::Connect | Awaits::Delivery => Asked::Commit,
        };
        let answer = intent.answer(asked);
        (due || !intent.is_under_way()).then(|| answer.into())
    }

    // ---- tools of canisters ----

    async fn canister_tool(
        &self,
        site: &SiteKey,
        grant: &Stored<Grant>,
        tool: &Tool,
        arguments: &Object,
        why: Option<&str>,
    ) -> Result<Worked, RecordError> {
        let grant = &grant.record;
        let name = tool.names().get(Dialect::Full);
        // Relative times and stamps count from the canister's certified time.
        let canister = named_canister(tool, arguments);
        let arguments = Json::Object(arguments.clone());
        let Ok(now) = self.canister_time(&grant.network, canister).await else {
            let told = self.untimed(site, grant, tool, &arguments).await?;
            return Ok(Worked::Answer(told));
        };
        let read = match tool.read(&arguments, now) {
            Ok(read) => read,
            Err(issues) => {
                let issues = serde_json::to_value(&issues).expect("issues hold only texts");
                return Ok(Worked::Answer(refused(&issues, name)));
            }
        };
        if let Some(payer) = read.input.payers.iter().find(|p| !is_own(p, &grant.sender)) {
            let issues = json!([not_granted(payer)]);
            return Ok(Worked::Answer(refused(&issues, name)));
        }
        match read.entry.plan.kind() {
            ToolKind::Read { replicated } => Ok(Worked::Answer(
                self.read_tool(grant, &read, replicated).await,
            )),
            ToolKind::Prepare => {
                let wish = Wish {
                    site,
                    grant,
                    tool: name,
                    arguments: &arguments,
                    read: &read,
                    now,
                    identity: identity_of(site, grant, &read),
                    cap: None,
                    line: Line::default(),
                    why,
                };
                self.prepare(wish).await.map(Worked::Answer)
            }
        }
    }

    /// No certified time: nothing is read or prepared. A wish that has an intent already is
    /// answered with it all the same, for it may have executed. What a wish is does not depend on
    /// the time, so any will do for reading the input.
    async fn untimed(
        &self,
        site: &SiteKey,
        grant: &Grant,
        tool: &Tool,
        arguments: &Json,
    ) -> Result<Told, RecordError> {
        let told = match tool.read(arguments, self.ports.clock().host()) {
            Ok(read) if read.entry.plan.kind() == ToolKind::Prepare => {
                self.prepared_before(site, grant, &read).await?
            }
            Ok(_) | Err(_) => None,
        };
        Ok(told.unwrap_or_else(nothing_read))
    }

    /// Reads: a query whose node signature was checked, or a certified answer.
    async fn read_tool(&self, grant: &Grant, read: &ReadCall<'_>, replicated: bool) -> Told {
        let plan = &read.entry.plan;
        let canister = &read.entry.canister;
        let Ok(arg) = read.input.encode(None) else {
            return nothing_read();
        };
        let (network, method) = (&grant.network, plan.method());
        let reply = if replicated {
            self.replicated_read(network, canister.id, method, &arg)
                .await
        } else {
            self.query(network, canister.id, method, &arg).await
        };
        let reply = match reply {
            Ok(reply) => reply,
            Err(super::ReadFailure::Rejected(reject)) => {
                let from = format!(
                    "reject {} of canister {}",
                    reject.code.number(),
                    canister.id
                );
                let structured = json!({
                    "code": "E_REJECTED",
                    "details": { "message": { "untrusted": reject.message, "from": from } },
                    "retry": "again",
                    "next": null,
                });
                return says(
                    "The canister refused, so nothing was read.",
                    structured,
                    true,
                );
            }
            Err(failure) => {
                let structured = json!({ "code": failure.code(), "retry": "again", "next": null });
                return says(
                    "The network gave no answer that can be trusted, so nothing was \
                    read. Try again.",
                    structured,
                    true,
                );
            }
        };
        let Ok(reply) = plan.read_reply(canister, &reply) else {
            return failed(
                "E_UNDECODABLE",
                "The canister's answer does not fit its interface, so nothing was read.",
                "again",
            );
        };
        let structured = json!({
            "canister": canister.id.to_text(),
            "method": crate::tools::plain(method),
            "certified": replicated,
            "as": "anonymous",
            "reply": reply,
            "retry": "again",
            "next": null,
        });
        says("This is what the canister answered.", structured, false)
    }
}

/// Why a commit was not applied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum CommitFailure {
    /// No certified time could be read.
    NoTime,
    /// The journal cannot be used.
    Store,
}

fn nothing_read() -> Told {
    failed(
        "E_NO_CERTIFIED_TIME",
        "The network gave no certified time, so nothing was read and nothing was prepared. Try \
         again.",
        "again",
    )
}

/// The canister that a call names, or the tool's first: only its clock is read before the input is.
fn named_canister(tool: &Tool, arguments: &Object) -> Principal {
    let named = arguments
        .get(crate::tools::CANISTER_ID)
        .and_then(Json::as_str);
    let named = named.and_then(|text| Principal::from_text(text).ok());
    let entry = named
        .and_then(|id| tool.entry(&id))
        .or_else(|| tool.entries().first());
    entry.map_or(Principal::management_canister(), |entry| entry.canister.id)
}

/// Whether a position that names who pays names the sender's default account.
fn is_own(payer: &Payer, sender: &Principal) -> bool {
    match payer {
        Payer::Subaccount(subaccount) => subaccount.is_none_or(|s| s.is_default()),
        Payer::Account(account) => {
            account.owner() == *sender && account.subaccount().is_none_or(|s| s.is_default())
        }
        Payer::AccountId(id) => *id == AccountId::of(&Account::new(*sender, None)),
    }
}

fn not_granted(payer: &Payer) -> Value {
    let param = match payer {
        Payer::Subaccount(_) => "from_subaccount",
        Payer::Account(_) | Payer::AccountId(_) => "from",
    };
    json!({
        "param": param,
        "path": format!("$args[0].{param}"),
        "code": "E_NOT_GRANTED",
        "message": "This site may not spend from that account. Leave it out to use the account \
            the user connected.",
    })
}

/// The words of a definition that a search looks in.
fn searchable(definition: &Value) -> String {
    let mut words = String::new();
    for text in [&definition["name"], &definition["annotations"]["title"]] {
        words.push_str(text.as_str().unwrap_or_default());
        words.push(' ');
    }
    if let Some(inputs) = definition["inputSchema"]["properties"].as_object() {
        for input in inputs.keys() {
            words.push_str(input);
            words.push(' ');
        }
    }
    words.to_lowercase()
}
