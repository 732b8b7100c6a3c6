//! What a tool call does: the wallet's own tools, reads, preparations, commits.
//!
//! A call is looked up in what its site has, its input is read as a whole, and only then is
//! anything done. `wallet_call` goes the same way as a direct call. Every answer says in `retry`
//! and `next` whether and how to go on.

mod canister_tools;
mod committing;
mod connecting;
mod names;
mod replies;

use super::Wallet;
use super::calls::{Opened, Worked};
use super::connect::chooses;
use super::record::RecordError;
use super::wallet_tools::{self, Fields};
use crate::json::Object;
use crate::mcp::{Call, ListReply};
use crate::policy::{Grant, SiteKey};
use crate::ports::Ports;
use crate::tools::{COMMIT, Dialect};
pub(super) use connecting::no_room;
use replies::{failed, issues_of, refused, store_failed};
pub(super) use replies::{not_connected, object};
use serde_json::Value;

impl<P: Ports> Wallet<P> {
    /// What a site is told of its tools: constant while it is not connected.
    pub(super) async fn tool_list(
        &self,
        site: &SiteKey,
        dialect: Option<Dialect>,
    ) -> Result<ListReply, RecordError> {
        let grant = self.access_of(site).await?;
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
        let Ok(Some(grant)) = self.access_of(site).await else {
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
        let Some(grant) = self.access_of(site).await? else {
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
}
