//! The tools about the connection itself: `wallet_connect`, `wallet_status`, `wallet_find_tools`.

use super::replies::{issues_of, refused, says, store_failed};
use crate::engine::Wallet;
use crate::engine::calls::{Told, Worked};
use crate::engine::connect::{Wanted, chooses};
use crate::engine::record::{RecordError, Stored};
use crate::engine::records::{Awaits, Connect};
use crate::engine::wallet_tools::{self, Fields};
use crate::json::Object;
use crate::policy::{Grant, Preset, SiteKey, ToolChoice};
use crate::ports::Ports;
use crate::text::Untrusted;
use crate::tools::{Dialect, catalog_hash};
use serde_json::{Value, json};

impl<P: Ports> Wallet<P> {
    pub(super) async fn connect_tool(
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
            by_person: false,
        };
        if let Some(grant) = self.access_of(site).await?
            && self.covers(&grant.record, &wanted).await?
        {
            return Ok(Worked::Answer(self.connected(&grant.record).await?));
        }
        Ok(match self.ask_connect(site, &wanted).await {
            Ok(None) => Worked::Waits(Awaits::Connect),
            Ok(Some(unasked)) => Worked::Waits(Awaits::Room(same_ask(&unasked).to_string())),
            Err(_) => Worked::Answer(store_failed()),
        })
    }

    /// What a connected site is told of what it has.
    pub(super) async fn connected(&self, grant: &Grant) -> Result<Told, RecordError> {
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
    pub(in crate::engine) async fn answer_of_connect(
        &self,
        site: &SiteKey,
        due: bool,
    ) -> Option<Told> {
        let asked = self.connect_of(site).await.ok()?;
        if let Some(undecided) = asked.as_ref().filter(|a| a.record.is_undecided()) {
            return due.then(|| awaiting_connect(&same_ask(&undecided.record)));
        }
        let grant = self.access_of(site).await.ok()?;
        if asked.is_some() || grant.is_none() {
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

    pub(super) async fn status_tool(
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
                        "method": skipped.told(),
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

    pub(super) async fn find_tool(
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
}

/// The input of `wallet_connect` that asks for the same again.
pub(super) fn same_ask(connect: &Connect) -> Value {
    let canisters: Vec<Value> = connect
        .canisters
        .iter()
        .filter(|asked| !asked.by_person)
        .map(|asked| json!({ "id": asked.id.to_text() }))
        .collect();
    let tools: Vec<&str> = match &connect.tools {
        ToolChoice::Preset(Preset::Look) => vec!["look"],
        ToolChoice::Preset(Preset::Payments) => vec!["payments"],
        ToolChoice::Preset(Preset::All) => vec!["all"],
        ToolChoice::Names(names) => names.iter().map(String::as_str).collect(),
    };
    json!({ "canisters": canisters, "tools": tools })
}

/// What a site is told for which there is no room: the same as one whose ask is undecided.
pub(in crate::engine) fn no_room(again: &str) -> Told {
    awaiting_connect(&serde_json::from_str(again).unwrap_or_else(|_| json!({})))
}

/// What a caller is told whose ask is undecided, with the input that asks again.
fn awaiting_connect(again: &Value) -> Told {
    let structured = json!({
        "outcome": "awaiting_confirmation",
        "retry": "again",
        "next": {
            "tool": wallet_tools::CONNECT,
            "input": again,
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

/// The words of a definition that a search looks in.
pub(super) fn searchable(definition: &Value) -> String {
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
