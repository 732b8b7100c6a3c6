//! What the browser says of a connection, turned into a proof of who is at the other end.

use core::fmt;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What the browser says of a connected document. None of it comes from a message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sender {
    /// The document's origin, as the browser serialises it.
    pub origin: String,
    /// The origin of the tab's top-level document.
    pub top_origin: String,
    /// The browser's id of the document.
    pub document_id: String,
    /// 0 for a top-level document.
    pub frame_id: i32,
    /// `active`, `prerender`, `cached` or `pending_deletion`.
    pub lifecycle: String,
}

/// Why a connection is not served. Every page is answered with one constant, whichever it is.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum SenderError {
    /// The document is embedded in another.
    #[error("Countersign serves only the page that a tab shows, not a page embedded in another")]
    Frame,
    /// The document is not the one being shown: prerendered, cached or leaving.
    #[error("Countersign serves only a page that is shown")]
    NotShown,
    /// Sandboxed, `file:`, plain `http:` beyond this machine, or no origin at all.
    #[error("Countersign serves only pages loaded over https, or from this machine")]
    Origin(#[from] OriginError),
}

/// Why a text is not the origin of a page that can be served.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("not an https origin, nor one of this machine")]
pub struct OriginError;

/// The origin of a page that can be served: `https`, or `http` on this machine's loopback.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Origin(String);

impl Origin {
    /// Reads the serialised form: scheme, host and, where it is not the scheme's own, port.
    ///
    /// # Errors
    ///
    /// Anything else, `null` and a text with a path, a user or capitals included.
    pub fn parse(text: &str) -> Result<Self, OriginError> {
        let (secure, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err(OriginError),
        };
        let (host, port) = match rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            Some((address, "")) => (address, None),
            Some((address, after)) => (address, Some(after.strip_prefix(':').ok_or(OriginError)?)),
            None => match rest.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (rest, None),
            },
        };
        let in_brackets = rest.starts_with('[');
        let host_holds = !host.is_empty()
            && host.bytes().all(|b| match b {
                b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' => true,
                b':' => in_brackets,
                _ => false,
            });
        let own_port = if secure { 443 } else { 80 };
        let port_holds = port.is_none_or(|digits| {
            digits.bytes().all(|b| b.is_ascii_digit())
                && !digits.starts_with('0')
                && digits.parse::<u16>().is_ok_and(|number| number != own_port)
        });
        let local = matches!(
            (in_brackets, host),
            (false, "localhost" | "127.0.0.1") | (true, "::1")
        );
        if host_holds && port_holds && (secure || local) {
            Ok(Self(text.to_owned()))
        } else {
            Err(OriginError)
        }
    }

    /// The serialised form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last two labels of the host, by which sites are counted that one owner may have many
    /// of: `example.com` of `https://a.b.example.com:8443`. An address is a host of one.
    #[must_use]
    pub fn last_labels(&self) -> &str {
        let host = match self.0.split_once("://") {
            Some((_, host)) => host,
            None => &self.0,
        };
        if host.starts_with('[') {
            return host;
        }
        let host = host.split_once(':').map_or(host, |(host, _)| host);
        let mut dots = host.rmatch_indices('.').map(|(at, _)| at);
        let numbers = host.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        match (numbers, dots.next(), dots.next()) {
            (false, Some(_), Some(second)) => host.get(second + 1..).unwrap_or(host),
            (true, _, _) | (false, _, _) => host,
        }
    }

    /// Whether it is one of this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let after = |scheme: &str| self.0.strip_prefix(scheme);
        let host = after("https://")
            .or_else(|| after("http://"))
            .unwrap_or_default();
        let is = |name: &str| host == name || host.starts_with(&format!("{name}:"));
        is("localhost") || is("127.0.0.1") || is("[::1]")
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Origin {
    type Error = OriginError;

    fn try_from(text: String) -> Result<Self, OriginError> {
        Self::parse(&text)
    }
}

impl From<Origin> for String {
    fn from(origin: Origin) -> Self {
        origin.0
    }
}

/// Proof that a connection is a shown, top-level document of an origin that can be served.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct PageSender {
    origin: Origin,
    document: String,
}

impl PageSender {
    /// Judges what the browser says.
    ///
    /// # Errors
    ///
    /// See [`SenderError`].
    pub fn prove(sender: &Sender) -> Result<Self, SenderError> {
        if sender.frame_id != 0 || sender.top_origin != sender.origin {
            return Err(SenderError::Frame);
        }
        if sender.lifecycle != "active" || sender.document_id.is_empty() {
            return Err(SenderError::NotShown);
        }
        let origin = Origin::parse(&sender.origin)?;
        Ok(Self {
            origin,
            document: sender.document_id.clone(),
        })
    }

    /// The document's origin, which is also the tab's.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The browser's id of the document.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.document
    }
}

/// What the browser says of a connection from one of our own pages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OwnSender {
    /// The extension's id, as the sender has it.
    pub extension: String,
    /// This extension's id.
    pub own: String,
    /// The document's origin.
    pub origin: String,
    /// This extension's origin.
    pub own_origin: String,
    /// Path of the document's URL.
    pub path: String,
    /// The browser's id of the document.
    pub document_id: String,
    /// 0 for a top-level document.
    pub frame_id: i32,
}

/// The pages that may speak to the worker.
const OWN_PAGES: [&str; 2] = ["/confirm.html", "/home.html"];

/// Proof that a connection is a top-level document of one of our own pages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OwnPage(String);

/// A connection that claims to be one of our pages and is not.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("not one of the wallet's own pages")]
pub struct NotOwnError;

impl OwnPage {
    /// Judges what the browser says.
    ///
    /// # Errors
    ///
    /// Another extension, another origin, an embedded document, a page that is not on the list.
    pub fn prove(sender: &OwnSender) -> Result<Self, NotOwnError> {
        let own = !sender.own.is_empty()
            && sender.extension == sender.own
            && sender.origin == sender.own_origin
            && sender.frame_id == 0
            && !sender.document_id.is_empty()
            && OWN_PAGES.contains(&sender.path.as_str());
        if own {
            Ok(Self(sender.document_id.clone()))
        } else {
            Err(NotOwnError)
        }
    }

    /// The browser's id of the document.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> Sender {
        Sender {
            origin: "https://shop.example".to_owned(),
            top_origin: "https://shop.example".to_owned(),
            document_id: "D1".to_owned(),
            frame_id: 0,
            lifecycle: "active".to_owned(),
        }
    }

    #[test]
    fn hosts_of_one_owner_end_in_the_same_labels() {
        let labels = |text: &str| Origin::parse(text).unwrap().last_labels().to_owned();
        assert_eq!(labels("https://example.com"), "example.com");
        assert_eq!(labels("https://a.b.example.com:8443"), "example.com");
        assert_eq!(labels("https://com"), "com");
        assert_eq!(labels("http://localhost:5173"), "localhost");
        assert_eq!(labels("http://127.0.0.1:8080"), "127.0.0.1");
        assert_eq!(labels("http://[::1]"), "[::1]");
    }

    #[test]
    fn a_shown_top_level_page_is_served() {
        let page = PageSender::prove(&shop()).unwrap();
        assert_eq!(page.origin().as_str(), "https://shop.example");
        assert_eq!(page.document(), "D1");
    }

    #[test]
    fn frames_and_hidden_documents_are_not_served() {
        let frame = Sender {
            frame_id: 3,
            ..shop()
        };
        assert_eq!(PageSender::prove(&frame), Err(SenderError::Frame));
        let embedded = Sender {
            top_origin: "https://news.example".to_owned(),
            ..shop()
        };
        assert_eq!(PageSender::prove(&embedded), Err(SenderError::Frame));
        for lifecycle in ["prerender", "cached", "pending_deletion", ""] {
            let hidden = Sender {
                lifecycle: lifecycle.to_owned(),
                ..shop()
            };
            assert_eq!(PageSender::prove(&hidden), Err(SenderError::NotShown));
        }
    }

    #[test]
    fn only_our_own_top_level_pages_are_ours() {
        let ours = OwnSender {
            extension: "us".to_owned(),
            own: "us".to_owned(),
            origin: "chrome-extension://us".to_owned(),
            own_origin: "chrome-extension://us".to_owned(),
            path: "/confirm.html".to_owned(),
            document_id: "D".to_owned(),
            frame_id: 0,
        };
        assert!(OwnPage::prove(&ours).is_ok());
        let them = "them".to_owned();
        for not in [
            OwnSender {
                extension: them.clone(),
                ..ours.clone()
            },
            OwnSender {
                origin: "https://shop.example".to_owned(),
                ..ours.clone()
            },
            OwnSender {
                frame_id: 1,
                ..ours.clone()
            },
            OwnSender {
                path: "/confirm.html/".to_owned(),
                ..ours.clone()
            },
            OwnSender {
                path: "/other.html".to_owned(),
                ..ours.clone()
            },
            OwnSender {
                document_id: String::new(),
                ..ours.clone()
            },
            OwnSender {
                extension: String::new(),
                own: String::new(),
                ..ours.clone()
            },
        ] {
            assert_eq!(OwnPage::prove(&not), Err(NotOwnError));
        }
    }

    #[test]
    fn origins_that_can_be_served() {
        for origin in [
            "https://shop.example",
            "https://shop.example:8443",
            "https://xn--bcher-kva.example",
            "http://localhost",
            "http://localhost:3000",
            "http://127.0.0.1:8080",
            "http://[::1]:8080",
            "https://[2001:db8::1]",
        ] {
            assert_eq!(
                Origin::parse(origin).map(String::from),
                Ok(origin.to_owned())
            );
        }
    }

    #[test]
    fn origins_of_this_machine_are_told_apart() {
        let local = |text: &str| Origin::parse(text).unwrap().is_loopback();
        assert!(local("http://localhost:3000") && local("http://127.0.0.1"));
        assert!(local("http://[::1]:8080") && local("https://localhost"));
        assert!(!local("https://localhost.example") && !local("https://shop.example"));
    }

    #[test]
    fn origins_that_can_not_be_served() {
        for origin in [
            "null",
            "",
            "file://",
            "http://shop.example",
            "http://localhost.shop.example",
            "http://127.0.0.1.shop.example",
            "https://",
            "https://shop.example/",
            "https://shop.example/path",
            "https://user@shop.example",
            "https://Shop.example",
            "https://shop.example:443",
            "https://shop.example:0",
            "https://shop.example:",
            "https://shop.example:99999",
            "https://shop.example:+80",
            "http://[::1",
            "http://::1",
            "http://[localhost]",
            "chrome-extension://abcdefgh",
            "blob:https://shop.example",
            "https://shop.example\n",
        ] {
            assert_eq!(Origin::parse(origin), Err(OriginError), "{origin:?}");
        }
    }
}
