//! Who in one document is to be told that the list of tools changed.

use super::{
    call::Listen,
    read::RpcId,
    reply::{Reply, list_changed},
};
use std::collections::BTreeSet;

/// A message and the channel to post it on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Post {
    /// The channel, as the page named it.
    pub channel: String,
    /// The message.
    pub message: Reply,
}

/// The channels of one document that want to hear of changes. It is rebuilt from what the content
/// script sends again when its port was lost, so it need not be stored.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Listeners {
    legacy: BTreeSet<String>,
    modern: BTreeSet<(String, RpcId)>,
}

impl Listeners {
    /// A legacy client on this channel is ready ([`super::Incoming::Initialized`]).
    pub fn initialized(&mut self, channel: &str) {
        self.legacy.insert(channel.to_owned());
    }

    /// A modern client subscribes. The result is to be posted before anything else of this
    /// subscription; not where the subscription is only taken up again (a resume frame).
    pub fn listen(&mut self, channel: &str, listen: &Listen) -> Post {
        if listen.tools {
            let subscription = (channel.to_owned(), listen.id.clone());
            self.modern.insert(subscription);
        }
        Post {
            channel: channel.to_owned(),
            message: Reply::acknowledged(&listen.id, listen.tools),
        }
    }

    /// Ends the subscription of this id, if there is one.
    pub fn cancelled(&mut self, channel: &str, id: &RpcId) {
        self.modern.remove(&(channel.to_owned(), id.clone()));
    }

    /// What to post when the list of tools of this document's site changed.
    #[must_use]
    pub fn list_changed(&self) -> Vec<Post> {
        let post = |channel: &String, subscription| Post {
            channel: channel.clone(),
            message: list_changed(subscription),
        };
        let legacy = self.legacy.iter().map(|channel| post(channel, None));
        let modern = self.modern.iter();
        legacy
            .chain(modern.map(|(channel, id)| post(channel, Some(id))))
            .collect()
    }
}
