//! What a window knows, and how that changes: messages in, effects out. Pure.
//!
//! A window knows the newest view and nothing besides, but for the connection it got it on and the
//! command it waits for. What a person types is kept by the page until it is sent.

use countersign_core::confirm::picture::Mark;
use countersign_core::confirm::view::QueuePlace;
use countersign_core::ids::{AskId, PreviewId};
use countersign_core::wire::ui::{
    Command, Decision, Failure, Language, Place, Refused, Screen, Settings, State, Theme, ToWindow,
    ToWorker, VERSION, View, from_json, to_json,
};

/// How often a connection may be lost in a row, with no view between, before the window gives up.
const PATIENCE: u32 = 6;

/// What a window knows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    token: String,
    place: Place,
    /// The language of the browser.
    browser: Language,
    link: Link,
    lost_in_row: u32,
    seq: u64,
    next_command: u64,
    /// The newest view.
    view: Option<View>,
    /// The command that was sent and not yet dealt with.
    pending: Option<u64>,
    /// Why the last command did nothing.
    failure: Option<Failure>,
    /// Whether the connection broke while a command was on its way.
    interrupted: bool,
    /// Counts the commands that were dealt with or cut off, so that a page can begin anew even
    /// where the view is the same as before.
    pub(crate) round: u64,
}

/// What stands around the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shell {
    /// The person's mark.
    pub(crate) mark: Option<Mark>,
    /// How many asks wait.
    pub(crate) waiting: u32,
    /// By how many seconds the host's clock is ahead, where that is too much.
    pub(crate) clock_off_s: Option<i64>,
    /// What the person set of how the pages look.
    pub(crate) settings: Settings,
    /// Place of the ask on the screen.
    pub(crate) place: Option<QueuePlace>,
    /// Whether a command is on its way.
    pub(crate) busy: bool,
    /// Why the last command did nothing.
    pub(crate) failure: Option<Failure>,
    /// Whether the connection broke while a command was on its way.
    pub(crate) interrupted: bool,
}

/// The connection to the worker.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Link {
    /// Being made.
    Connecting,
    /// Views arrive.
    Open,
    /// Given up.
    Lost,
    /// The extension that this page belongs to is gone.
    Gone,
    /// The worker does not serve this window.
    Refused(Refused),
}

/// What happens to a window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Msg {
    /// The page was loaded.
    Started,
    /// A frame came.
    Received(String),
    /// The port is closed.
    Dropped,
    /// No port can be had any more.
    Gone,
    /// The person did something.
    Did(Command),
}

/// What a window has to do.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Effect {
    /// Connect after this many milliseconds, and send a first frame.
    Connect(u32, String),
    /// Send a frame.
    Send(String),
    /// Close the window, after this many milliseconds.
    Close(u32),
}

/// What a window shows, told apart as far as a page has to begin anew.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// No view yet.
    Waiting,
    /// The connection says it all.
    Cut(Link),
    /// First run.
    FirstRun,
    /// Unlock.
    Unlock,
    /// Home.
    Home,
    /// Networks.
    Networks,
    /// Canisters.
    Canisters,
    /// Activity.
    Activity,
    /// How the pages look.
    Settings,
    /// One call.
    Intent(PreviewId),
    /// No such call.
    NoIntent,
    /// An ask.
    Ask(AskId),
    /// A decided ask.
    Decided,
    /// A dead ask.
    Dead,
    /// No ask.
    NoAsk,
}

impl Model {
    /// A window that was just loaded.
    pub(crate) const fn new(token: String, place: Place, browser: Language) -> Self {
        Self {
            token,
            place,
            browser,
            link: Link::Connecting,
            lost_in_row: 0,
            seq: 0,
            next_command: 1,
            view: None,
            pending: None,
            failure: None,
            interrupted: false,
            round: 0,
        }
    }

    /// Takes a message; says what has to be done.
    pub(crate) fn update(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Started => self.connect(0),
            Msg::Received(text) => self.receive(&text),
            Msg::Dropped => self.dropped(),
            Msg::Gone => {
                self.link = Link::Gone;
                Vec::new()
            }
            Msg::Did(command) => self.command(command),
        }
    }

    /// The language of the page: the one that was set, else the browser's.
    pub(crate) fn language(&self) -> Language {
        let set = self.view.as_ref().and_then(|view| view.settings.language);
        set.unwrap_or(self.browser)
    }

    /// The language of the browser.
    pub(crate) const fn browser(&self) -> Language {
        self.browser
    }

    /// Whether the page is light or dark.
    pub(crate) fn theme(&self) -> Theme {
        let view = self.view.as_ref();
        view.map_or_else(Theme::default, |view| view.settings.theme)
    }

    /// What the window shows.
    pub(crate) fn kind(&self) -> Kind {
        match self.link {
            Link::Lost | Link::Gone | Link::Refused(_) => return Kind::Cut(self.link),
            Link::Connecting | Link::Open => {}
        }
        match self.view.as_ref().map(|view| &view.screen) {
            None => Kind::Waiting,
            Some(Screen::FirstRun(_)) => Kind::FirstRun,
            Some(Screen::Unlock(_)) => Kind::Unlock,
            Some(Screen::Home(_)) => Kind::Home,
            Some(Screen::Networks(_)) => Kind::Networks,
            Some(Screen::Canisters(_)) => Kind::Canisters,
            Some(Screen::Activity(_)) => Kind::Activity,
            Some(Screen::Settings) => Kind::Settings,
            Some(Screen::Intent(record)) => Kind::Intent(record.row.preview),
            Some(Screen::NoIntent) => Kind::NoIntent,
            Some(Screen::Ask(ask)) => Kind::Ask(ask.id),
            Some(Screen::Decided(_)) => Kind::Decided,
            Some(Screen::Dead(_)) => Kind::Dead,
            Some(Screen::NoAsk) => Kind::NoAsk,
        }
    }

    /// Whether this is the confirm window.
    pub(crate) const fn is_confirm(&self) -> bool {
        matches!(self.place, Place::Asks)
    }

    /// The screen, without an ask's place in the queue: what a person reads before a yes. How many
    /// others wait is no part of it, or any site could keep the button dead by asking.
    pub(crate) fn screen(&self) -> Option<Screen> {
        let mut screen = self.view.as_ref()?.screen.clone();
        if let Screen::Ask(ask) = &mut screen {
            ask.place = QueuePlace { nth: 1, of: 1 };
        }
        Some(screen)
    }

    /// What stands around the screen.
    pub(crate) fn shell(&self) -> Shell {
        let view = self.view.as_ref();
        let place = view.and_then(|view| {
            if let Screen::Ask(ask) = &view.screen {
                Some(ask.place)
            } else {
                None
            }
        });
        Shell {
            mark: view.map(|view| view.mark.clone()),
            waiting: view.map_or(0, |view| view.waiting),
            clock_off_s: view.and_then(|view| view.clock_off_s),
            settings: view.map(|view| view.settings).unwrap_or_default(),
            place,
            busy: self.pending.is_some(),
            failure: self.failure.clone(),
            interrupted: self.interrupted,
        }
    }

    fn connect(&mut self, after: u32) -> Vec<Effect> {
        self.link = Link::Connecting;
        self.seq = 0;
        let hello = ToWorker::Hello {
            v: VERSION,
            token: self.token.clone(),
            place: self.place,
        };
        vec![Effect::Connect(after, to_json(&hello))]
    }

    fn receive(&mut self, text: &str) -> Vec<Effect> {
        let Ok(frame) = from_json::<ToWindow>(text) else {
            // Window and worker are of one build, so this one is not.
            self.link = Link::Refused(Refused::Version);
            return Vec::new();
        };
        match frame {
            ToWindow::Refused(why) => {
                self.link = Link::Refused(why);
                Vec::new()
            }
            ToWindow::View { seq, .. } if seq <= self.seq => Vec::new(),
            ToWindow::View {
                seq,
                handled,
                failure,
                view,
            } => {
                self.seq = seq;
                self.link = Link::Open;
                self.lost_in_row = 0;
                if self.pending.is_some_and(|n| n <= handled) {
                    self.pending = None;
                    self.failure = failure;
                    self.round += 1;
                }
                self.view = Some(*view);
                self.leave()
            }
        }
    }

    /// Whether the window may close by itself: nothing came since that has to be seen.
    pub(crate) fn may_close(&self) -> bool {
        !self.leave().is_empty()
    }

    /// Closes the confirm window once there is nothing left to see in it.
    fn leave(&self) -> Vec<Effect> {
        const LOOK: u32 = 1_200;
        let Some(Screen::Decided(decided)) = self.view.as_ref().map(|view| &view.screen) else {
            return Vec::new();
        };
        if decided.next.is_some() || !self.is_confirm() {
            return Vec::new();
        }
        let done = decided
            .row
            .as_ref()
            .is_some_and(|row| matches!(row.state, State::Done | State::AlreadyDone));
        match decided.decision {
            Decision::Declined | Decision::Later => vec![Effect::Close(0)],
            Decision::Connected => vec![Effect::Close(LOOK)],
            Decision::Approved if done => vec![Effect::Close(LOOK)],
            Decision::Approved | Decision::DeclinedResend => Vec::new(),
        }
    }

    fn dropped(&mut self) -> Vec<Effect> {
        match self.link {
            Link::Lost | Link::Gone | Link::Refused(_) => return Vec::new(),
            Link::Connecting | Link::Open => {}
        }
        if self.pending.take().is_some() {
            self.interrupted = true;
            self.round += 1;
        }
        self.lost_in_row += 1;
        if self.lost_in_row > PATIENCE {
            self.link = Link::Lost;
            return Vec::new();
        }
        // The first loss is the worker's ordinary end; only repeated ones are given time.
        let after = match self.lost_in_row {
            0 | 1 => 0,
            n => 125 << n.min(5),
        };
        self.connect(after)
    }

    fn command(&mut self, command: Command) -> Vec<Effect> {
        // One step at a time: what is pressed twice is done once.
        if self.pending.is_some() {
            return Vec::new();
        }
        match self.link {
            Link::Open => {}
            // The worker ended just now: the page says so, and the step can be made again.
            Link::Connecting => {
                self.failure = None;
                self.interrupted = true;
                self.round += 1;
                return Vec::new();
            }
            Link::Lost | Link::Gone | Link::Refused(_) => return Vec::new(),
        }
        if let Command::Show(place) = command {
            self.place = place;
        }
        let n = self.next_command;
        self.next_command += 1;
        self.pending = Some(n);
        self.failure = None;
        self.interrupted = false;
        vec![Effect::Send(to_json(&ToWorker::Do {
            n,
            seq: self.seq,
            command,
        }))]
    }
}

#[cfg(test)]
mod tests;
