//! An agent's page with our content script: a port, channels, numbered calls.

use crate::Stage;
use countersign_core::policy::Sender;
use countersign_core::ports::PortId;
use countersign_core::time::Span;
use countersign_core::wire::page::{Channel, FromPage, ToPage, VERSION};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One document of a site.
#[derive(Clone)]
pub struct Page {
    /// Its origin.
    pub origin: String,
    /// The browser's id of it.
    pub document: String,
    port: PortId,
    next: u64,
    open: BTreeMap<u64, String>,
    answers: BTreeMap<u64, Value>,
    /// Notifications, in the order they came.
    pub notes: Vec<Value>,
    /// Every message that came, in order.
    pub heard: Vec<Value>,
    /// Whether answers are acknowledged, as a living document does.
    pub acknowledges: bool,
    /// What the browser says of the document: `active` where it is shown.
    pub lifecycle: String,
}

impl Page {
    /// Opens a page of a site.
    #[must_use]
    pub fn open(stage: &mut Stage, origin: &str, document: &str) -> Self {
        Self::open_as(stage, origin, document, "active")
    }

    /// Opens a page of which the browser says this.
    #[must_use]
    pub fn open_as(stage: &mut Stage, origin: &str, document: &str, lifecycle: &str) -> Self {
        let mut page = Self {
            origin: origin.to_owned(),
            document: document.to_owned(),
            port: PortId(0),
            next: 0,
            open: BTreeMap::new(),
            answers: BTreeMap::new(),
            notes: Vec::new(),
            heard: Vec::new(),
            acknowledges: true,
            lifecycle: lifecycle.to_owned(),
        };
        page.connect(stage);
        page
    }

    /// Connects its content script, as at first and after a worker's death; open requests are said
    /// again.
    pub fn connect(&mut self, stage: &mut Stage) {
        self.port = stage.port();
        let sender = Sender {
            origin: self.origin.clone(),
            top_origin: self.origin.clone(),
            document_id: self.document.clone(),
            frame_id: 0,
            lifecycle: self.lifecycle.clone(),
        };
        stage.wallet().page_connected(self.port, &sender);
        self.send(stage, &FromPage::Hello { v: VERSION });
        for msg in self.open.values() {
            let (channel, msg) = (channel(), msg.clone());
            self.send(
                stage,
                &FromPage::Resume {
                    channel,
                    msg,
                    age_ms: 31_000,
                },
            );
        }
    }

    /// Whether the wallet closed its port.
    #[must_use]
    pub fn is_closed(&self, stage: &Stage) -> bool {
        stage.world.is_closed(self.port)
    }

    /// The page is closed or leaves.
    pub fn close(self, stage: &Stage) {
        let port = self.port;
        stage.spawn(move |wallet| async move { wallet.page_gone(port).await });
        stage.settle();
    }

    fn send(&self, stage: &Stage, frame: &FromPage) {
        let text = serde_json::to_string(frame).expect("frames are texts");
        let port = self.port;
        stage.spawn(move |wallet| async move { wallet.page_frame(port, &text).await });
    }

    /// Sends a JSON-RPC request and gives its id. The worker has not worked yet.
    pub fn request(&mut self, stage: &Stage, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        let msg = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let msg = msg.to_string();
        self.open.insert(id, msg.clone());
        self.send(
            stage,
            &FromPage::Rpc {
                channel: channel(),
                msg,
            },
        );
        // A page that floods is another scenario: requests here are a moment apart.
        stage.world.pass(Span::from_millis(60));
        id
    }

    /// Its port is lost, and the document stays.
    pub fn loses_port(&self, stage: &Stage) {
        let port = self.port;
        stage.spawn(move |wallet| async move { wallet.page_gone(port).await });
        stage.settle();
    }

    /// Says a message again on a new port, as the content script does with what is open.
    pub fn says_again(&self, stage: &Stage, msg: &str) {
        let (channel, msg) = (channel(), msg.to_owned());
        self.send(
            stage,
            &FromPage::Resume {
                channel,
                msg,
                age_ms: 1_000,
            },
        );
    }

    /// Sends a text as it is.
    pub fn raw(&self, stage: &Stage, msg: &str) {
        self.send(
            stage,
            &FromPage::Rpc {
                channel: channel(),
                msg: msg.to_owned(),
            },
        );
        stage.world.pass(Span::from_millis(60));
    }

    /// Begins a tool call and gives its id.
    pub fn begin(&mut self, stage: &Stage, tool: &str, arguments: Value) -> u64 {
        self.request(
            stage,
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// Takes what was posted to the page, acknowledging what asks for it.
    pub fn listen(&mut self, stage: &Stage) {
        loop {
            let frames = stage.world.take_frames(self.port);
            if frames.is_empty() {
                return;
            }
            for frame in frames {
                match serde_json::from_str(&frame).expect("the worker posts frames") {
                    ToPage::Ready { .. } => {}
                    ToPage::Post { msg, n, .. } => self.take(stage, &msg, n),
                }
            }
            stage.settle();
        }
    }

    fn take(&mut self, stage: &Stage, msg: &str, n: Option<u64>) {
        let message: Value = serde_json::from_str(msg).expect("the worker posts JSON");
        self.heard.push(message.clone());
        match message.get("id").and_then(Value::as_u64) {
            Some(id) if message.get("method").is_none() => {
                self.open.remove(&id);
                self.answers.insert(id, message);
            }
            _ => self.notes.push(message),
        }
        if let (Some(n), true) = (n, self.acknowledges) {
            self.send(stage, &FromPage::Ack { n });
        }
    }

    /// The answer to a request, once there is one.
    pub fn answer(&mut self, stage: &Stage, id: u64) -> Option<Value> {
        self.listen(stage);
        self.answers.get(&id).cloned()
    }

    /// The structured content of a tool call's answer, once there is one.
    pub fn told(&mut self, stage: &Stage, id: u64) -> Option<Value> {
        self.answer(stage, id)
            .map(|answer| answer["result"]["structuredContent"].clone())
    }

    /// Calls a tool and waits for its answer, which must come without a person.
    ///
    /// # Panics
    ///
    /// Where no answer comes.
    pub fn call(&mut self, stage: &Stage, tool: &str, arguments: Value) -> Value {
        let id = self.begin(stage, tool, arguments);
        stage.settle();
        self.told(stage, id)
            .unwrap_or_else(|| panic!("{tool} is not answered"))
    }

    /// The names of the tools that the page is told.
    ///
    /// # Panics
    ///
    /// Where the list is not answered.
    pub fn tools(&mut self, stage: &Stage) -> Vec<String> {
        let id = self.request(stage, "tools/list", json!({}));
        stage.settle();
        let answer = self.answer(stage, id).expect("the list is answered");
        let tools = answer["result"]["tools"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        tools
            .iter()
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect()
    }
}

fn channel() -> Channel {
    Channel::try_from("countersign".to_owned()).expect("the channel is ours")
}
