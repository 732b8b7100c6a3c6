//! Tools of canisters: reads, and calls that are prepared.

use super::replies::{busy, failed, nothing_read, refused, says, withheld};
use crate::engine::Wallet;
use crate::engine::calls::{Told, Worked};
use crate::engine::prepare::{Wish, identity_of};
use crate::engine::record::{RecordError, Stored};
use crate::format::{IssueCode, account::Account, account_id::AccountId, name::NameSets};
use crate::ids::Principal;
use crate::intent::Line;
use crate::json::{Json, Object};
use crate::policy::{Grant, SiteKey};
use crate::ports::{Clock as _, Ports};
use crate::time::Timestamp;
use crate::tools::{Dialect, InputIssue, Payer, ReadCall, Tool, ToolKind};
use serde_json::{Value, json};

/// A call's inputs, looked at.
enum Reading<'t> {
    /// They are values.
    Read(Box<ReadCall<'t>>),
    /// They are not.
    Refused(Vec<InputIssue>),
    /// Their wish has an intent.
    Before(Box<Told>),
}

/// Whether an input may be a name that was not looked up.
fn wants_names(issues: &[InputIssue]) -> bool {
    issues
        .iter()
        .any(|issue| issue.code == IssueCode::NamesUnread)
}

impl<P: Ports> Wallet<P> {
    pub(super) async fn canister_tool(
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
        let now = match self.time_if_unchanged(&grant.network, canister).await {
            Ok(Some(now)) => now,
            Ok(None) => {
                let before = self.wished_before(site, grant, tool, &arguments).await?;
                return Ok(Worked::Answer(before.unwrap_or_else(withheld)));
            }
            Err(_) => {
                let before = self.wished_before(site, grant, tool, &arguments).await?;
                return Ok(Worked::Answer(before.unwrap_or_else(nothing_read)));
            }
        };
        // One after the other, so that nobody lists names anew for a wish that is being prepared.
        let Some(_turn) = self.turn_of_names(site, tool, canister).await else {
            return Ok(Worked::Answer(busy()));
        };
        let read = match self.read_input(site, grant, tool, &arguments, now).await? {
            Reading::Read(read) => *read,
            Reading::Refused(issues) => {
                let issues = serde_json::to_value(&issues).expect("issues hold only texts");
                return Ok(Worked::Answer(refused(&issues, name)));
            }
            Reading::Before(told) => return Ok(Worked::Answer(*told)),
        };
        if let Some(payer) = read.input.payers.iter().find(|p| !is_own(p, &grant.sender)) {
            // What was prepared for the account the site had before may have executed.
            if read.entry.plan.kind() == ToolKind::Prepare
                && let Some(told) = self.prepared_before(site, grant, &read).await?
            {
                return Ok(Worked::Answer(told));
            }
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

    /// Reads a call's inputs. Sets of names are read from the canister where a new intent or a read
    /// needs them: once an intent, since what was prepared before is found without them.
    async fn read_input<'t>(
        &self,
        site: &SiteKey,
        grant: &Grant,
        tool: &'t Tool,
        arguments: &Json,
        now: Timestamp,
    ) -> Result<Reading<'t>, RecordError> {
        let prepares = tool.first().kind() == ToolKind::Prepare;
        let plain = tool.read(arguments, now);
        let before = match &plain {
            Ok(read) if !prepares || read.input.named.is_empty() => None,
            Ok(read) => self.prepared_before(site, grant, read).await?,
            Err(issues) if prepares && wants_names(issues) => {
                self.prepared_by_name(site, grant, tool, arguments, now)
                    .await?
            }
            Err(_) => None,
        };
        if let Some(told) = before {
            return Ok(Reading::Before(Box::new(told)));
        }
        let wanted = match &plain {
            // Beside values names are only shown, and a read shows no preview.
            Ok(read) => prepares && !read.input.named.is_empty(),
            Err(issues) => wants_names(issues),
        };
        let read = if wanted {
            let object = arguments.as_object();
            let canister = object.map(|object| named_canister(tool, object));
            let sets = match canister.and_then(|canister| tool.entry(&canister)) {
                Some(entry) => self.names_of(grant, entry).await,
                None => NameSets::default(),
            };
            tool.read_named(arguments, now, &sets)
        } else {
            plain
        };
        Ok(match read {
            Ok(read) => Reading::Read(Box::new(read)),
            Err(issues) => Reading::Refused(issues),
        })
    }

    /// The answer where nothing can be read or prepared: a wish that has an intent already is
    /// answered with it all the same, for it may have executed. What a wish is does not depend on
    /// the time, so any will do for reading the input.
    async fn wished_before(
        &self,
        site: &SiteKey,
        grant: &Grant,
        tool: &Tool,
        arguments: &Json,
    ) -> Result<Option<Told>, RecordError> {
        let now = self.ports.clock().host();
        match tool.read(arguments, now) {
            Ok(read) if read.entry.plan.kind() == ToolKind::Prepare => {
                self.prepared_before(site, grant, &read).await
            }
            Err(issues) if wants_names(&issues) => {
                self.prepared_by_name(site, grant, tool, arguments, now)
                    .await
            }
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// Reads: a query whose node signature was checked, or a certified answer.
    pub(super) async fn read_tool(
        &self,
        grant: &Grant,
        read: &ReadCall<'_>,
        replicated: bool,
    ) -> Told {
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
            Err(crate::engine::ReadFailure::Rejected(reject)) => {
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

/// The canister that a call names, or the tool's first: only its clock is read before the input is.
pub(super) fn named_canister(tool: &Tool, arguments: &Object) -> Principal {
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
pub(super) fn is_own(payer: &Payer, sender: &Principal) -> bool {
    match payer {
        Payer::Subaccount(subaccount) => subaccount.is_none_or(|s| s.is_default()),
        Payer::Account(account) => {
            account.owner() == *sender && account.subaccount().is_none_or(|s| s.is_default())
        }
        Payer::AccountId(id) => *id == AccountId::of(&Account::new(*sender, None)),
    }
}

pub(super) fn not_granted(payer: &Payer) -> Value {
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
