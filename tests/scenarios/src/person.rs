//! The person at the browser: our windows, what they show, and what is pressed in them.

use crate::{Page, Stage, URL};
use candid::Principal;
use countersign_core::confirm::picture::Mark;
use countersign_core::confirm::view::{
    Ask, Asked, CallAsk, CanisterFacts, CanisterState, ConnectAsk, Preset,
};
use countersign_core::policy::OwnSender;
use countersign_core::ports::PortId;
use countersign_core::wire::ui::{
    Adding, Command, Failure, Passphrase, Place, Screen, ToWindow, ToWorker, VERSION, View,
    from_json, to_json,
};
use serde_json::{Value, json};

/// The passphrase of every scenario.
pub const PASSPHRASE: &str = "correct horse battery";

/// One of our windows, with the person in front of it.
pub struct Person {
    port: PortId,
    token: String,
    document: String,
    place: Place,
    n: u64,
    /// The number of the view.
    pub seq: u64,
    seen: Vec<View>,
    failure: Option<Failure>,
}

impl Person {
    /// Opens the wallet's home page.
    #[must_use]
    pub fn at_home(stage: &mut Stage) -> Self {
        let token = stage.new_token();
        Self::open(stage, token, Place::Home)
    }

    /// Looks at the window of asks that came up.
    ///
    /// # Panics
    ///
    /// Where none came up.
    #[must_use]
    pub fn at_asks(stage: &mut Stage) -> Self {
        let window = stage
            .world
            .windows()
            .pop()
            .expect("a window of asks came up");
        Self::open(stage, window.token, Place::Asks)
    }

    pub(crate) fn open(stage: &mut Stage, token: String, place: Place) -> Self {
        let document = format!("own-{token}");
        let (port, n, seq, seen, failure) = (stage.port(), 0, 0, Vec::new(), None);
        let mut person = Self {
            port,
            token,
            document,
            place,
            n,
            seq,
            seen,
            failure,
        };
        person.connect(stage);
        person
    }

    /// Connects the window, as at first and after a worker's death.
    pub fn connect(&mut self, stage: &mut Stage) {
        self.hello(stage);
        stage.settle();
        self.look(stage);
    }

    /// The same. The worker has not worked yet.
    pub fn hello(&mut self, stage: &mut Stage) {
        self.port = stage.port();
        self.n = 0;
        let sender = OwnSender {
            extension: "countersign".to_owned(),
            own: "countersign".to_owned(),
            origin: "chrome-extension://countersign".to_owned(),
            own_origin: "chrome-extension://countersign".to_owned(),
            path: "/confirm.html".to_owned(),
            document_id: self.document.clone(),
            frame_id: 0,
        };
        stage.wallet().window_connected(self.port, &sender);
        let (token, place) = (self.token.clone(), self.place);
        self.send(
            stage,
            &ToWorker::Hello {
                v: VERSION,
                token,
                place,
            },
        );
    }

    fn send(&self, stage: &Stage, frame: &ToWorker) {
        let (port, text) = (self.port, to_json(frame));
        stage.spawn(move |wallet| async move { wallet.window_frame(port, &text).await });
    }

    /// The window's page goes.
    pub fn leaves(self, stage: &Stage) {
        stage.wallet().window_gone(self.port);
    }

    /// Takes the newest view.
    pub fn look(&mut self, stage: &Stage) {
        for frame in stage.world.take_frames(self.port) {
            match from_json::<ToWindow>(&frame).expect("the worker pushes views") {
                ToWindow::View {
                    seq, view, failure, ..
                } => {
                    self.seq = seq;
                    self.seen.push(*view);
                    self.failure = failure;
                }
                ToWindow::Refused(why) => panic!("the window is refused: {why:?}"),
            }
        }
    }

    /// Presses something. The worker has not worked yet.
    pub fn press(&mut self, stage: &Stage, command: Command) {
        self.n += 1;
        let (n, seq) = (self.n, self.seq);
        self.send(stage, &ToWorker::Do { n, seq, command });
    }

    /// Presses something and waits until the worker rests.
    pub fn does(&mut self, stage: &Stage, command: Command) {
        self.press(stage, command);
        stage.settle();
        self.look(stage);
    }

    /// Presses something that must work.
    ///
    /// # Panics
    ///
    /// Where it did nothing.
    pub fn must(&mut self, stage: &Stage, command: Command) {
        self.does(stage, command);
        assert_eq!(self.failure, None);
    }

    /// Why the last press did nothing.
    #[must_use]
    pub const fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// What the window shows, if anything yet.
    pub(crate) fn shows(&self) -> Option<&Screen> {
        self.seen.last().map(|newest| &newest.screen)
    }

    /// What the window shows.
    ///
    /// # Panics
    ///
    /// Where it shows nothing yet.
    #[must_use]
    pub fn screen(&self) -> &Screen {
        let newest = self.seen.last().expect("the window shows something");
        &newest.screen
    }

    /// The mark that the window shows.
    ///
    /// # Panics
    ///
    /// Where it shows nothing yet.
    #[must_use]
    pub fn mark(&self) -> Mark {
        let newest = self.seen.last().expect("the window shows something");
        newest.mark.clone()
    }

    /// Every view that the window was sent, in order.
    #[must_use]
    pub fn seen(&self) -> &[View] {
        &self.seen
    }

    /// The ask that the window shows.
    ///
    /// # Panics
    ///
    /// Where it shows none.
    #[must_use]
    pub fn ask(&self) -> &Ask {
        match self.screen() {
            Screen::Ask(ask) => ask,
            other => panic!("no ask is shown, but {other:?}"),
        }
    }

    /// The call that the window asks about.
    ///
    /// # Panics
    ///
    /// Where it shows none.
    #[must_use]
    pub fn call(&self) -> &CallAsk {
        match &self.ask().what {
            Asked::Call(call) => call,
            Asked::Connect(_) => panic!("the ask is to connect a site"),
        }
    }

    /// Says yes to the call that is shown.
    pub fn approve(&mut self, stage: &Stage) {
        let command = self.yes();
        self.must(stage, command);
    }

    /// The yes to the call that is shown, of a person who acknowledges all that has to be.
    #[must_use]
    pub fn yes(&self) -> Command {
        let (ask, call) = (self.ask().id, self.call());
        Command::Approve {
            ask,
            preview: call.preview,
            digest: call.digest,
            acknowledged: call.to_acknowledge(),
        }
    }

    /// Says no to what is shown.
    pub fn decline(&mut self, stage: &Stage) {
        let ask = self.ask().id;
        self.must(stage, Command::Decline { ask });
    }

    /// Makes the wallet.
    pub fn creates(&mut self, stage: &Stage) {
        let passphrase = Passphrase::new(PASSPHRASE.to_owned());
        let mark = self.mark();
        self.must(stage, Command::Create { passphrase, mark });
    }

    /// Unlocks the wallet.
    pub fn unlocks(&mut self, stage: &Stage) {
        self.must(stage, Self::unlocking());
    }

    /// What unlocks the wallet.
    pub(crate) fn unlocking() -> Command {
        let passphrase = Passphrase::new(PASSPHRASE.to_owned());
        Command::Unlock { passphrase }
    }

    /// Adds the local network, and says of a ledger on it that it is known to drop repeats.
    ///
    /// # Panics
    ///
    /// Where the network cannot be read.
    pub fn adds_network(&mut self, stage: &Stage, known: &[Principal]) {
        self.must(stage, Command::Show(Place::Networks));
        self.must(
            stage,
            Command::ReadNetwork {
                url: URL.to_owned(),
            },
        );
        let Screen::Networks(networks) = self.screen() else {
            panic!("the networks are shown")
        };
        let Some(Adding::Read { id, .. }) = networks.adding else {
            panic!("the network was read, but {:?}", networks.adding)
        };
        self.must(
            stage,
            Command::AddNetwork {
                network: id,
                name: "Local".to_owned(),
            },
        );
        for ledger in known {
            let ledger = ledger.to_text();
            self.must(
                stage,
                Command::AddDeduplicating {
                    network: id,
                    ledger,
                },
            );
        }
    }

    /// The ask to connect that the window shows.
    ///
    /// # Panics
    ///
    /// Where it shows none.
    #[must_use]
    pub fn connect_ask(&self) -> &ConnectAsk {
        match &self.ask().what {
            Asked::Connect(connect) => connect,
            Asked::Call(_) => panic!("the ask is to make a call"),
        }
    }

    /// What the window says of a canister that is asked for.
    ///
    /// # Panics
    ///
    /// Where it was not read.
    #[must_use]
    pub fn facts(&self, id: Principal) -> &CanisterFacts {
        let asked = &self.connect_ask().canisters;
        let asked = asked.iter().find(|asked| asked.id == id.to_text());
        match &asked.expect("it is asked for").state {
            CanisterState::Read(facts) => facts,
            other => panic!("it was read, but {other:?}"),
        }
    }

    /// Chooses the account on the local network for a site that asks to be connected.
    ///
    /// # Panics
    ///
    /// Where there is none.
    pub fn chooses_local(&mut self, stage: &Stage) {
        let connect = self.connect_ask();
        let local = connect
            .accounts
            .iter()
            .find(|choice| !choice.account.network.mainnet);
        let account = local
            .expect("there is an account on the local network")
            .account
            .id
            .clone();
        let (ask, preset) = (self.ask().id, connect.preset);
        self.must(
            stage,
            Command::Choose {
                ask,
                account,
                preset,
            },
        );
    }

    /// Gives a site what it asks for, from the account on the local network.
    ///
    /// # Panics
    ///
    /// Where the ask cannot be accepted.
    pub fn connects(&mut self, stage: &Stage) {
        self.chooses_local(stage);
        self.accepts(stage);
    }

    /// Gives a site what the window shows.
    ///
    /// # Panics
    ///
    /// Where the ask cannot be accepted.
    pub fn accepts(&mut self, stage: &Stage) {
        let connect = self.connect_ask();
        assert_eq!(connect.blocked, None, "{:?}", connect.canisters);
        let (ask, shown) = (self.ask().id, connect.shown);
        self.must(stage, Command::Connect { ask, shown });
    }
}

impl Stage {
    /// A token for a page that the person opens.
    ///
    /// # Panics
    ///
    /// Where the journal cannot be written.
    pub fn new_token(&mut self) -> String {
        self.makes_token().expect("a token is made")
    }

    /// The same; nothing where the worker dies meanwhile.
    pub(crate) fn makes_token(&mut self) -> Option<String> {
        let token = std::rc::Rc::new(std::cell::RefCell::new(None));
        let made = std::rc::Rc::clone(&token);
        self.spawn(move |wallet| async move { *made.borrow_mut() = wallet.new_token().await });
        self.settle();
        token.take()
    }

    /// Whether the person's page shows a call as one that may have executed and has no answer.
    #[must_use]
    pub fn shows_unsettled(&mut self, preview: &Value) -> bool {
        let home = Person::at_home(self);
        let Screen::Home(home) = home.screen() else {
            return false;
        };
        let mut unsettled = home.unsettled.iter();
        unsettled.any(|call| json!(call.row.preview) == *preview)
    }

    /// Adds another network at the same address, as it answers from now on, and gives the
    /// principal of the account there.
    ///
    /// # Panics
    ///
    /// Where it cannot be added.
    pub fn home_on(&mut self, other: &mut countersign_localnet::network::Network) -> Principal {
        let mut person = Person::at_home(self);
        std::mem::swap(&mut *self.network.borrow_mut(), other);
        person.must(self, Command::Show(Place::Networks));
        person.must(
            self,
            Command::ReadNetwork {
                url: URL.to_owned(),
            },
        );
        let Screen::Networks(networks) = person.screen() else {
            panic!("the networks are shown")
        };
        let Some(Adding::Read { id, .. }) = networks.adding else {
            panic!("it was read")
        };
        let name = "Another".to_owned();
        person.must(self, Command::AddNetwork { network: id, name });
        std::mem::swap(&mut *self.network.borrow_mut(), other);
        let Screen::Networks(networks) = person.screen() else {
            panic!("the networks are shown")
        };
        let card = networks.networks.iter().find(|card| card.network.id == id);
        let account = &card.expect("it was added").accounts[0];
        Principal::from_text(&account.address).expect("an address is a principal here")
    }

    /// A wallet on the local network, and a connected page with every tool of these canisters.
    /// Gives the page and the principal that pays.
    #[must_use]
    pub fn connected(&mut self, origin: &str, canisters: &[Principal]) -> (Page, Principal) {
        self.connected_knowing(origin, canisters, &[Self::tka()])
    }

    /// The same, where the person says of these ledgers that they are known to drop repeats.
    #[must_use]
    pub fn connected_knowing(
        &mut self,
        origin: &str,
        canisters: &[Principal],
        known: &[Principal],
    ) -> (Page, Principal) {
        let mut person = Person::at_home(self);
        person.creates(self);
        person.adds_network(self, known);
        let mut page = Page::open(self, origin, "D1");
        let payer = page.connects(self, canisters, Preset::All);
        (page, payer)
    }
}

impl Page {
    /// Asks to be connected, and is, by the person. Gives the principal that pays.
    ///
    /// # Panics
    ///
    /// Where it is not.
    pub fn connects(
        &mut self,
        stage: &mut Stage,
        canisters: &[Principal],
        preset: Preset,
    ) -> Principal {
        let preset = match preset {
            Preset::Look => "look",
            Preset::Payments | Preset::Named => "payments",
            Preset::All => "all",
        };
        let ids: Vec<_> = canisters
            .iter()
            .map(|id| json!({ "id": id.to_text() }))
            .collect();
        let arguments = json!({ "canisters": ids, "tools": [preset] });
        let id = self.begin(stage, "wallet_connect", arguments);
        stage.settle();
        let mut person = Person::at_asks(stage);
        person.connects(stage);
        let told = self.told(stage, id).expect("wallet_connect is answered");
        assert_eq!(told["outcome"], "success", "{told}");
        Principal::from_text(told["account"].as_str().expect("the account is told"))
            .expect("the account is a principal")
    }
}
