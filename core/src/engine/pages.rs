//! Pages: frames of content scripts in, answers out.
//!
//! Who is at the other end is known from the browser alone, once a port. A port that is not served
//! gets one constant, whatever it asks.

use super::Wallet;
use super::calls::Worked;
use super::records::Awaits;
use crate::ids::ContentHash;
use crate::mcp::{self, Call, Incoming, Listeners, Post, Reply, ToolsRequest};
use crate::policy::{MessageRate, PageSender, Sender, SenderError, SiteKey};
use crate::ports::{Clock as _, Pages as _, PortId, Ports};
use crate::wire::page::{Channel, FromPage, ToPage, VERSION};
use litemap::LiteMap;

/// How many open requests a document may say again on one port.
const MAX_RESUMED: usize = 256;

/// A connected document.
#[derive(Debug)]
struct Document {
    /// Who it is, or that it is not served.
    sender: Option<PageSender>,
    /// Whether it is not shown yet, or not any more: another port of it may be served.
    hidden: bool,
    rate: MessageRate,
    /// Open requests that were said again on this port.
    resumed: usize,
    listeners: Listeners,
    /// Numbered posts that were not acknowledged yet: the call each answers.
    posted: LiteMap<u64, String>,
    next: u64,
}

/// The documents that are connected now.
#[derive(Debug, Default)]
pub(super) struct Documents(LiteMap<PortId, Document>);

impl Documents {
    /// The port of a document, the newest where it has several.
    pub(super) fn port_of(&self, document: &str) -> Option<PortId> {
        let of = |d: &Document| d.sender.as_ref().is_some_and(|s| s.document() == document);
        self.0
            .iter()
            .rev()
            .find(|(_, d)| of(d))
            .map(|(port, _)| *port)
    }

    /// The ports of a site's documents.
    pub(super) fn ports_of(&self, site: &SiteKey) -> Vec<PortId> {
        let of = |d: &Document| {
            d.sender
                .as_ref()
                .is_some_and(|s| SiteKey::top_level(s.origin()) == *site)
        };
        self.0
            .iter()
            .filter(|(_, d)| of(d))
            .map(|(port, _)| *port)
            .collect()
    }

    /// Numbers a post that answers the call with this key.
    pub(super) fn number_post(&mut self, document: &str, key: String) -> Option<(PortId, u64)> {
        let port = self.port_of(document)?;
        let document = self.0.get_mut(&port)?;
        document.next += 1;
        document.posted.insert(document.next, key);
        Some((port, document.next))
    }

    /// The call that an acknowledged post answers.
    pub(super) fn acknowledged(&mut self, port: PortId, n: u64) -> Option<String> {
        self.0.get_mut(&port)?.posted.remove(&n)
    }

    /// What to post, and where, when the tools of a site changed.
    fn list_changed(&self, site: &SiteKey) -> Vec<(PortId, Post)> {
        let mut posts = Vec::new();
        for port in self.ports_of(site) {
            let listeners = self
                .0
                .get(&port)
                .map(|document| document.listeners.list_changed());
            posts.extend(listeners.into_iter().flatten().map(|post| (port, post)));
        }
        posts
    }
}

/// What becomes of a frame before anything is read from it.
enum Admitted {
    Served(PageSender),
    NotServed { hidden: bool },
    Flooding,
    NoPort,
}

impl<P: Ports> Wallet<P> {
    /// A document's content script connected.
    pub fn page_connected(&self, port: PortId, sender: &Sender) {
        let proved = PageSender::prove(sender);
        let document = Document {
            hidden: proved == Err(SenderError::NotShown),
            sender: proved.ok(),
            rate: MessageRate::default(),
            resumed: 0,
            listeners: Listeners::default(),
            posted: LiteMap::new_vec(),
            next: 0,
        };
        self.memory.borrow_mut().pages.0.insert(port, document);
    }

    /// The document is gone, while this worker lived.
    pub async fn page_gone(&self, port: PortId) {
        let gone = self.memory.borrow_mut().pages.0.remove(&port);
        let Some(sender) = gone.and_then(|document| document.sender) else {
            return;
        };
        // The content script may have opened another port for the same document.
        if self
            .memory
            .borrow()
            .pages
            .port_of(sender.document())
            .is_none()
        {
            self.drop_document(sender.document()).await;
        }
    }

    fn admit_frame(&self, port: PortId, resumed: bool) -> Admitted {
        let now = self.ports.clock().monotonic();
        let mut memory = self.memory.borrow_mut();
        let Some(document) = memory.pages.0.get_mut(&port) else {
            return Admitted::NoPort;
        };
        // A document says its open requests again all at once; they were counted when they came.
        let within = if resumed {
            document.resumed += 1;
            document.resumed <= MAX_RESUMED
        } else {
            document.rate.admit(now)
        };
        if !within {
            return Admitted::Flooding;
        }
        let hidden = document.hidden;
        document
            .sender
            .clone()
            .map_or(Admitted::NotServed { hidden }, Admitted::Served)
    }

    /// A frame came from a document.
    pub async fn page_frame(&self, port: PortId, frame: &str) {
        // Anything but a frame of ours is not from our content script: no answer is owed.
        let Ok(frame) = serde_json::from_str::<FromPage>(frame) else {
            return;
        };
        let (channel, msg, resumed) = match frame {
            FromPage::Hello { .. } => return self.post(port, &ToPage::Ready { v: VERSION }),
            FromPage::Ack { n } => return self.delivered(port, n).await,
            FromPage::Rpc { channel, msg } => (channel, msg, false),
            FromPage::Resume { channel, msg, .. } => (channel, msg, true),
        };
        let mut closes = false;
        let answer = match self.admit_frame(port, resumed) {
            Admitted::NoPort => None,
            Admitted::Flooding => mcp::flooded(&msg),
            Admitted::NotServed { hidden } => {
                closes = hidden;
                mcp::not_served(&msg)
            }
            Admitted::Served(sender) => self.message(port, &sender, &channel, &msg, resumed).await,
        };
        if let Some(reply) = answer {
            self.post(
                port,
                &ToPage::Post {
                    channel,
                    msg: reply.into_string(),
                    n: None,
                },
            );
        }
        // What the browser says of a document is fixed with its port: one that was prerendered is
        // served on another, which its next message opens.
        if closes {
            self.memory.borrow_mut().pages.0.remove(&port);
            self.ports.pages().close(port);
        }
        self.push_views().await;
    }

    /// A message of a served page. Gives the reply that needs no record.
    async fn message(
        &self,
        port: PortId,
        sender: &PageSender,
        channel: &Channel,
        msg: &str,
        resumed: bool,
    ) -> Option<Reply> {
        match mcp::read(msg) {
            Incoming::Answered(reply) => Some(reply),
            Incoming::Tools(request) => Some(self.tools_reply(sender, &request).await),
            Incoming::Initialized => {
                self.listeners(port, |listeners| listeners.initialized(channel.as_str()));
                self.catch_up(port, sender, resumed);
                None
            }
            Incoming::Listen(listen) => {
                let post = self.listeners(port, |l| l.listen(channel.as_str(), &listen))?;
                self.catch_up(port, sender, resumed);
                (!resumed).then_some(post.message)
            }
            Incoming::Cancelled(id) => {
                self.listeners(port, |listeners| listeners.cancelled(channel.as_str(), &id));
                self.cancel_call(sender, channel, &id).await;
                None
            }
            #[cfg(feature = "testing")]
            Incoming::Call(call) if self.answers_as_fixture(port, sender, channel, &call) => None,
            Incoming::Call(call) if resumed => {
                self.resume(sender, channel, mcp::digest(msg), &call).await
            }
            Incoming::Call(call) => self.call(sender, channel, mcp::digest(msg), *call).await,
            Incoming::Ignored => None,
        }
    }

    fn listeners<T>(&self, port: PortId, f: impl FnOnce(&mut Listeners) -> T) -> Option<T> {
        self.memory
            .borrow_mut()
            .pages
            .0
            .get_mut(&port)
            .map(|document| f(&mut document.listeners))
    }

    async fn tools_reply(&self, sender: &PageSender, request: &ToolsRequest) -> Reply {
        let site = SiteKey::top_level(sender.origin());
        let list = self.tool_list(&site, request.dialect).await;
        #[cfg(feature = "testing")]
        let list = list.map(|list| self.listed_with_fixtures(list));
        match list {
            Ok(list) => Reply::tools(&request.id, request.era, list),
            Err(_) => Reply::internal_error(&request.id),
        }
    }

    /// A call: a row, then its work, then its answer.
    async fn call(
        &self,
        sender: &PageSender,
        channel: &Channel,
        request: ContentHash,
        call: Call,
    ) -> Option<Reply> {
        let site = SiteKey::top_level(sender.origin());
        // A name that is in no list of this site leaves nothing behind.
        if !self.has_tool(&site, &call.name).await {
            return Some(Reply::unknown_tool(&call.id));
        }
        let Ok(opened) = self.open_call(sender, channel, request, &call).await else {
            return Some(Reply::internal_error(&call.id));
        };
        let worked = self.work(&opened, &call).await;
        let waits = match &worked {
            Worked::Waits(awaits) => Some(awaits.clone()),
            Worked::Answer(_) => None,
        };
        let key = opened.key();
        if self.close_call(opened, worked).await.is_err() {
            // One answer a call: what may be stored of it all the same is posted to nobody.
            self.memory.borrow_mut().given_up.insert(key);
            return Some(Reply::internal_error(&call.id));
        }
        match waits {
            Some(Awaits::Intent(preview) | Awaits::Look(preview, _)) => self.drive(preview).await,
            Some(Awaits::Connect) => self.show_asks().await,
            Some(Awaits::Room(_) | Awaits::Work | Awaits::Delivery) | None => {}
        }
        None
    }

    /// A request that a document says again after its port was lost.
    async fn resume(
        &self,
        sender: &PageSender,
        channel: &Channel,
        request: ContentHash,
        call: &Call,
    ) -> Option<Reply> {
        match self.resumed_call(sender, channel, request, &call.id).await {
            Ok(Some(stored)) if stored.record.answer.is_some() => {
                self.post_again(stored).await;
                None
            }
            Ok(Some(stored)) if self.is_waiting(&stored.record) => {
                self.tend_calls().await;
                None
            }
            Ok(_) => Some(Reply::call_lost(&call.id)),
            Err(_) => Some(Reply::internal_error(&call.id)),
        }
    }

    /// A document that listened before its port was lost listens again: what changed meanwhile is
    /// told now.
    fn catch_up(&self, port: PortId, sender: &PageSender, resumed: bool) {
        let site = SiteKey::top_level(sender.origin());
        if !resumed || !self.memory.borrow().relisted.contains(&site) {
            return;
        }
        let posts = self.listeners(port, |listeners| listeners.list_changed());
        for post in posts.unwrap_or_default() {
            let Ok(channel) = Channel::try_from(post.channel) else {
                continue;
            };
            let msg = post.message.into_string();
            self.post(
                port,
                &ToPage::Post {
                    channel,
                    msg,
                    n: None,
                },
            );
        }
    }

    /// Tells the documents of a site that their list of tools changed. Those whose port is lost
    /// are woken, and told when they listen again.
    pub(super) fn tools_changed(&self, site: &SiteKey) {
        self.memory.borrow_mut().relisted.insert(site.clone());
        self.ports.pages().wake();
        let posts = self.memory.borrow().pages.list_changed(site);
        for (port, post) in posts {
            let Ok(channel) = Channel::try_from(post.channel) else {
                continue;
            };
            self.post(
                port,
                &ToPage::Post {
                    channel,
                    msg: post.message.into_string(),
                    n: None,
                },
            );
        }
    }
}
