//! Frames on the port between a document's content script and the worker.
//!
//! Every frame is one string of JSON. MCP messages travel inside as strings, so that the worker
//! reads what the page sent byte for byte, with its own strict reader. The content script's half
//! is `extension/js/content.js`.
//!
//! A silent port lives no longer than the worker, which the browser stops after half a minute.
//! When the port is lost while a request is open, the content script opens another and sends each
//! open request again as [`FromPage::Resume`]. A resumed call is only matched with the record it
//! made; it never starts work.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The name of the port.
pub const PORT: &str = "page";

/// The version of these frames.
pub const VERSION: u32 = 1;

/// The message that asks the content scripts of a tab, by `tabs.sendMessage`, to open their port
/// again if their page listens for changes.
pub const WAKE: &str = "wake";

/// The message that asks the content script of a document, by `tabs.sendMessage`, whether the
/// document has had a person's input since it was loaded. The answer is `true` or `false`.
pub const ATTENDED: &str = "attended";

/// What the content script sends.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum FromPage {
    /// The first frame on a port.
    Hello {
        /// [`VERSION`] of the content script.
        v: u32,
    },
    /// A message from the page, new to us.
    Rpc {
        /// Where it was posted, and where its answer goes.
        channel: Channel,
        /// The JSON-RPC message.
        msg: String,
    },
    /// A message that was sent before on a port that is gone: a request without an answer yet, or
    /// one by which a client said that it wants to hear of changes.
    Resume {
        /// As in [`FromPage::Rpc`].
        channel: Channel,
        /// The same text as then.
        msg: String,
        /// Milliseconds since the page posted it, by the document's monotonic clock.
        age_ms: u64,
    },
    /// A numbered post was handed to the document, which lives.
    Ack {
        /// Its number.
        n: u64,
    },
}

/// What the worker sends.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ToPage {
    /// The answer to [`FromPage::Hello`]. A port that closes before it was a worker that could not
    /// start; the content script then tries no further.
    Ready {
        /// [`VERSION`] of the worker.
        v: u32,
    },
    /// A message for the page.
    Post {
        /// Where to post it.
        channel: Channel,
        /// The JSON-RPC message.
        msg: String,
        /// Where present, the content script answers with [`FromPage::Ack`] once the message was
        /// posted. Unique on its port.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n: Option<u64>,
    },
}

/// A channel of the page: `countersign`, or `countersign:` and a nonce of 1 to 64 characters of
/// `[A-Za-z0-9_-]`, which gives each of several clients in one document a channel of its own.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Channel(String);

/// The text is no channel of ours.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("a channel is `countersign` or `countersign:` and 1 to 64 letters, digits, `_` or `-`")]
pub struct ChannelError;

impl Channel {
    /// The channel's name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Channel {
    type Error = ChannelError;

    fn try_from(name: String) -> Result<Self, ChannelError> {
        let nonce = name.strip_prefix("countersign").ok_or(ChannelError)?;
        let fits = match nonce.strip_prefix(':') {
            None => nonce.is_empty(),
            Some(nonce) => {
                let known = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
                (1..=64).contains(&nonce.len()) && nonce.bytes().all(known)
            }
        };
        if fits {
            Ok(Self(name))
        } else {
            Err(ChannelError)
        }
    }
}

impl From<Channel> for String {
    fn from(channel: Channel) -> Self {
        channel.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(name: &str) -> Result<Channel, ChannelError> {
        Channel::try_from(name.to_owned())
    }

    #[test]
    fn frames_have_one_form_on_the_wire() {
        let channel = channel("countersign:a").unwrap();
        let msg = "{}".to_owned();
        for (frame, text) in [
            (FromPage::Hello { v: 1 }, r#"{"t":"hello","v":1}"#),
            (
                FromPage::Rpc {
                    channel: channel.clone(),
                    msg: msg.clone(),
                },
                r#"{"t":"rpc","channel":"countersign:a","msg":"{}"}"#,
            ),
            (
                FromPage::Resume {
                    channel: channel.clone(),
                    msg: msg.clone(),
                    age_ms: 31_000,
                },
                r#"{"t":"resume","channel":"countersign:a","msg":"{}","age_ms":31000}"#,
            ),
            (FromPage::Ack { n: 3 }, r#"{"t":"ack","n":3}"#),
        ] {
            assert_eq!(serde_json::to_string(&frame).unwrap(), text);
            assert_eq!(serde_json::from_str::<FromPage>(text).unwrap(), frame);
        }
        for (frame, text) in [
            (ToPage::Ready { v: 1 }, r#"{"t":"ready","v":1}"#),
            (
                ToPage::Post {
                    channel: channel.clone(),
                    msg: msg.clone(),
                    n: None,
                },
                r#"{"t":"post","channel":"countersign:a","msg":"{}"}"#,
            ),
            (
                ToPage::Post {
                    channel,
                    msg,
                    n: Some(7),
                },
                r#"{"t":"post","channel":"countersign:a","msg":"{}","n":7}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&frame).unwrap(), text);
            assert_eq!(serde_json::from_str::<ToPage>(text).unwrap(), frame);
        }
    }

    #[test]
    fn a_channel_is_ours_or_refused() {
        for name in ["countersign", "countersign:x", "countersign:a-B_9"] {
            assert!(channel(name).is_ok(), "{name}");
        }
        let long = format!("countersign:{}", "a".repeat(65));
        for name in [
            "",
            "mcp-default",
            "countersign:",
            "countersignx",
            "countersign:é",
            &long,
        ] {
            assert_eq!(channel(name), Err(ChannelError), "{name}");
        }
        assert!(serde_json::from_str::<FromPage>(r#"{"t":"rpc","channel":"x","msg":""}"#).is_err());
    }
}
