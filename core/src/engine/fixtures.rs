//! What tests give a wallet: the fixtures of the MCP conformance suite, and profiles. Never in a
//! release.

use super::Wallet;
use crate::mcp::{Call, ListReply, fixtures};
use crate::policy::{PageSender, SiteKey};
use crate::ports::{PortId, Ports};
use crate::profile::Document;
use crate::wire::page::{Channel, ToPage};

impl<P: Ports> Wallet<P> {
    /// The same wallet with the fixtures beside its own tools, for every page that is served.
    #[must_use]
    pub const fn with_fixtures(mut self) -> Self {
        self.fixtures = true;
        self
    }

    /// The same wallet with profiles as the person would have given them.
    #[must_use]
    pub fn with_profiles(mut self, profiles: Vec<Document>) -> Self {
        self.profiles = profiles;
        self
    }

    /// The list with the fixtures.
    pub(super) fn listed_with_fixtures(&self, mut list: ListReply) -> ListReply {
        if self.fixtures {
            list.tools.extend(fixtures::definitions());
            crate::tools::sort_definitions(&mut list.tools);
        }
        list
    }

    /// Answers the call of a fixture. `false` where it is of another tool.
    pub(super) fn answers_as_fixture(
        &self,
        port: PortId,
        sender: &PageSender,
        channel: &Channel,
        call: &Call,
    ) -> bool {
        let answer = self.fixtures.then(|| fixtures::answer(call)).flatten();
        let Some(answer) = answer else { return false };
        if answer.tools_changed {
            self.tools_changed(&SiteKey::top_level(sender.origin()));
        }
        for post in answer.posts {
            let (channel, msg) = (channel.clone(), post.into_string());
            self.post(
                port,
                &ToPage::Post {
                    channel,
                    msg,
                    n: None,
                },
            );
        }
        true
    }
}
