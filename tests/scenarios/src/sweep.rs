//! Crash sweeps: one course of events, played once with a worker that lives, and once more for
//! every place at which the worker can die.
//!
//! The places are the moments before and after each use of any port, reads among them. Of places
//! in a row that leave the same world behind (journal, second copy, session, windows, what network
//! and page were told, faults still to come) the first stands for all: the next worker could tell
//! them apart by the clock alone, and sets its own alarms. After a death the next worker starts at
//! once, or when a yes has grown old, and has only what is stored; agent and person go on as they
//! would, and in the end network, agent and person are fair.
//!
//! Judged is: at most one effect a wish, and none without a yes; no answer that says there was no effect
//! although there was one or one came without another yes; no success without an effect; every
//! signed call that was posted is in a record; the call comes to its end, or is held and stands on
//! the person's page.

use crate::lunch::prepared;
use crate::person::Person;
use crate::{Page, Stage, URL, answers};
use countersign_core::confirm::consent::wire::METHOD;
use countersign_core::engine::read_intent;
use countersign_core::intent::Intent;
use countersign_core::ports::store::{Query, Store as _, Table};
use countersign_core::ports::{Exchange, Mirror as _, Session};
use countersign_core::testing::{HttpRequest, run_native, simulate_signatures};
use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Place, Screen};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

/// How long no worker lives after a death: it starts at once, or when a yes has grown old.
const GONE: [Span; 2] = [Span::from_secs(0), Span::from_mins(3)];

/// A course of events. It may have several wishes, and at most one effect where a success is told.
#[derive(Clone, Copy)]
pub struct Course {
    /// The stage it is played on.
    pub stage: fn() -> Stage,
    /// What comes before it, with a worker that lives: the page, and the call that it prepared.
    pub begins: fn(&mut Stage) -> (Page, Value),
    /// What happens. The worker can die at any moment of it.
    pub plays: fn(&mut Play),
    /// How many effects there are.
    pub effects: fn(&Stage) -> usize,
    /// What stays wrong with the network in the end, when it is fair otherwise.
    pub stays: fn(&Stage),
    /// Whether an older journal is put back on the way: what had ended is in no record then.
    pub forgets: bool,
    /// The outcomes that the course ends in where the worker lives.
    pub ends: &'static [&'static str],
}

impl Default for Course {
    /// Lunch is committed, approved and paid.
    fn default() -> Self {
        Self {
            stage: Stage::new,
            begins: prepared,
            plays: |play| {
                play.commits();
                play.yes();
            },
            effects: |stage| stage.transfers(Stage::tka()).len(),
            stays: |_| {},
            forgets: false,
            ends: &["success", "already_done"],
        }
    }
}

impl Course {
    /// Plays it with every death.
    ///
    /// # Panics
    ///
    /// Where anything is done twice, lost, called failed falsely, or comes to no end.
    pub fn sweep(&self) {
        let mut stage = (self.stage)();
        let (page, preview) = (self.begins)(&mut stage);
        let begun = (stage, page, preview);
        // A sweep has thousands of certificates; what they are worth is shown elsewhere.
        simulate_signatures(Some([7; 32]));
        let (seen, end) = self.play(&begun, None, GONE[0]);
        let outcome = end["outcome"].as_str().unwrap_or_default();
        assert!(self.ends.contains(&outcome), "it ends otherwise: {end}");
        let mut deaths = 0;
        for (moment, look) in seen.iter().enumerate() {
            if moment == 0 || seen[moment - 1] != *look {
                for gone in GONE {
                    self.play(&begun, Some(moment as u64), gone);
                }
                deaths += 1;
            }
        }
        assert!(
            deaths >= 8,
            "only {deaths} deaths in {} moments",
            seen.len()
        );
    }

    fn play(
        &self,
        begun: &(Stage, Page, Value),
        dies_at: Option<u64>,
        gone: Span,
    ) -> (Vec<u64>, Value) {
        let (mut stage, mut page, preview) = (begun.0.fork(), begun.1.clone(), begun.2.clone());
        page.connect(&mut stage);
        stage.settle();
        let wire = Rc::new(Wire::default());
        wire.tap(&stage);
        let before = (self.effects)(&stage);
        stage.life.dies_at(dies_at);
        if dies_at.is_none() {
            stage.life.watch(look(&stage, &wire));
        }
        let mut play = Play {
            stage,
            page,
            others: Vec::new(),
            preview,
            yeses: 0,
            wishes: 1,
            wire,
            told: Vec::new(),
            read: 0,
            course: *self,
            before,
            dies_at,
            gone,
        };
        play.read = play.page.heard.len();
        (self.plays)(&mut play);
        play.settles();
        let seen = play.stage.life.seen();
        play.stage.life.is_safe();
        let end = play.ends();
        play.judge(&end);
        (seen, end)
    }
}

/// What passes between wallet and network.
#[derive(Default)]
struct Wire {
    calls: RefCell<Vec<Vec<u8>>>,
    silent: Cell<bool>,
    called: Cell<bool>,
}

impl Wire {
    fn tap(self: &Rc<Self>, stage: &Stage) {
        let pass_on = answers(&stage.network, &stage.connected);
        let wire = Rc::clone(self);
        stage.world.connect(Rc::new(move |request: HttpRequest| {
            let path = request.url.strip_prefix(URL).unwrap_or_default();
            if path.ends_with("/call") {
                let body = request.body.clone().unwrap_or_default();
                if is_signed_for_an_effect(&body) {
                    wire.called.set(true);
                }
                wire.calls.borrow_mut().push(body);
            } else if path.ends_with("/read_state") && wire.silent.get() && wire.called.get() {
                return Exchange::NoAnswer;
            }
            pass_on(request)
        }));
    }
}

/// Whether a posted call is one that the person said yes to. Blocks of some ledgers are read by calls
/// that nobody signs; and a canister is asked what a call would do before the yes.
fn is_signed_for_an_effect(body: &[u8]) -> bool {
    let holds = |word: &[u8]| body.windows(word.len()).any(|part| part == word);
    holds(b"sender_sig") && !holds(METHOD.as_bytes())
}

/// Looks at everything that outlives a worker, but for the clock.
fn look(stage: &Stage, wire: &Rc<Wire>) -> Rc<dyn Fn() -> u64> {
    let (world, life, wire) = (stage.world.clone(), stage.life.clone(), Rc::clone(wire));
    let (network, connected) = (Rc::clone(&stage.network), Rc::clone(&stage.connected));
    Rc::new(move || {
        let mut hash = DefaultHasher::new();
        world.memory().commits().hash(&mut hash);
        for name in run_native(world.names()).unwrap_or_default() {
            (world.file(&name), name).hash(&mut hash);
        }
        run_native(Session::get(&world)).ok().hash(&mut hash);
        for window in world.windows() {
            window.token.hash(&mut hash);
        }
        life.answered().hash(&mut hash);
        (wire.calls.borrow().len(), connected.get()).hash(&mut hash);
        let mut faults = String::new();
        for fault in network.borrow().faults.standing() {
            let _ = write!(faults, "{fault:?}");
        }
        faults.hash(&mut hash);
        hash.finish()
    })
}

/// What the page was told, and how things stood.
struct Told {
    answer: Value,
    yeses: usize,
    effects: usize,
}

/// A course that is being played.
pub struct Play {
    /// The stage.
    pub stage: Stage,
    /// The agent's page.
    pub page: Page,
    /// Other pages that are open.
    pub others: Vec<Page>,
    /// The call, by its preview id.
    pub preview: Value,
    /// How often a yes was pressed.
    pub yeses: usize,
    /// How many calls were prepared, each for an effect of its own.
    wishes: usize,
    wire: Rc<Wire>,
    told: Vec<Told>,
    read: usize,
    course: Course,
    before: usize,
    dies_at: Option<u64>,
    gone: Span,
}

impl Play {
    /// Lets the worker work until it rests. If it dies of it, the next one does.
    pub fn settles(&mut self) {
        self.stage.settle();
        self.revives();
    }

    /// Starts another worker where this one is dead. Gives whether it was.
    fn revives(&mut self) -> bool {
        if !self.stage.life.is_dead() {
            return false;
        }
        // What was on its way to the page arrives; what the page says to it does not.
        self.page.listen(&self.stage);
        self.stage.stop_worker();
        self.stage.world.pass(self.gone);
        self.stage.start_worker();
        self.connects();
        true
    }

    /// The pages connect to the worker that is spoken to now.
    pub fn connects(&mut self) {
        self.page.connect(&mut self.stage);
        for page in &mut self.others {
            page.connect(&mut self.stage);
        }
        self.settles();
    }

    /// Lets time pass.
    pub fn passes(&mut self, span: Span) {
        let until = self.stage.world.now().plus(span);
        while self.stage.world.now() < until {
            self.stage.pass(until.since(self.stage.world.now()));
            self.revives();
        }
        self.hears();
    }

    /// The page reads what it was told.
    fn hears(&mut self) {
        self.page.listen(&self.stage);
        for page in &mut self.others {
            page.listen(&self.stage);
        }
        self.revives();
        let effects = self.effects();
        for message in &self.page.heard[self.read..] {
            let answer = message["result"]["structuredContent"].clone();
            if answer["outcome"] == "retry_new" {
                self.preview = answer["preview"]["preview_id"].clone();
            }
            if answer["outcome"].is_string() {
                let yeses = self.yeses;
                self.told.push(Told {
                    answer,
                    yeses,
                    effects,
                });
            }
        }
        self.read = self.page.heard.len();
    }

    /// How many effects there are since it began.
    #[must_use]
    pub fn effects(&self) -> usize {
        (self.course.effects)(&self.stage) - self.before
    }

    /// The agent prepares a call.
    ///
    /// # Panics
    ///
    /// Where it is not prepared, and was not before.
    pub fn prepares(&mut self, tool: &str, arguments: &Value) {
        for _ in 0..2 {
            let id = self.page.begin(&self.stage, tool, arguments.clone());
            self.settles();
            self.hears();
            let answer = self.page.answer(&self.stage, id);
            let answer = answer.expect("it is answered");
            let preview = &answer["result"]["structuredContent"]["preview"]["preview_id"];
            if preview.is_string() {
                self.wishes += usize::from(*preview != self.preview);
                self.preview = preview.clone();
                return;
            }
            let again = &answer["error"]["data"]["retry"];
            assert_eq!(*again, "again", "{}: {answer}", self.at());
        }
        panic!("{}: it is not prepared", self.at());
    }

    /// The agent calls a tool that takes the preview.
    pub fn calls(&mut self, tool: &str) -> u64 {
        let arguments = json!({ "preview_id": self.preview });
        let id = self.page.begin(&self.stage, tool, arguments);
        self.settles();
        self.hears();
        id
    }

    /// The agent commits the call.
    pub fn commits(&mut self) -> u64 {
        self.calls("commit")
    }

    /// The person says yes to what is asked, if anything is.
    pub fn yes(&mut self) {
        while let Some(mut person) = self.window() {
            let Some(Screen::Ask(_)) = person.shows() else {
                return;
            };
            self.hears();
            let yes = person.yes();
            self.yeses += 1;
            person.press(&self.stage, yes);
            self.stage.settle();
            if !self.revives() {
                break;
            }
        }
        self.hears();
    }

    /// The person presses something else.
    pub fn presses(&mut self, command: fn(&Person) -> Command) {
        while let Some(mut person) = self.window() {
            let Some(Screen::Ask(_)) = person.shows() else {
                return;
            };
            let command = command(&person);
            person.press(&self.stage, command);
            self.stage.settle();
            if !self.revives() {
                break;
            }
        }
        self.hears();
    }

    /// The person says no.
    pub fn no(&mut self) {
        self.presses(|person| Command::Decline {
            ask: person.ask().id,
        });
    }

    /// The wallet is locked.
    pub fn locks(&mut self) {
        self.stage
            .spawn(|wallet| async move { wallet.lock().await });
        self.settles();
    }

    /// The browser ends where the worker stands, and starts again; the person unlocks.
    pub fn restarts_browser(&mut self) {
        self.stage.restart_browser();
        self.revives();
        self.connects();
        self.revives();
        self.unlocks();
    }

    /// The person unlocks the wallet, if it is locked.
    pub fn unlocks(&mut self) {
        while !self.stage.wallet().is_unlocked() {
            let Some(mut person) = self.opens(Place::Home) else {
                continue;
            };
            person.does(&self.stage, Person::unlocking());
            self.revives();
        }
        self.settles();
    }

    /// The window of asks that came up, or else the page of asks.
    fn window(&mut self) -> Option<Person> {
        for _ in 0..3 {
            if let Some(person) = self.opens(Place::Asks) {
                return Some(person);
            }
        }
        None
    }

    /// Opens a page of the wallet; nothing where the worker dies meanwhile.
    fn opens(&mut self, place: Place) -> Option<Person> {
        let window = self.stage.world.windows().pop();
        let token = match window.filter(|_| place == Place::Asks) {
            Some(window) => Some(window.token),
            None => self.stage.makes_token(),
        };
        let person = token.map(|token| Person::open(&mut self.stage, token, place));
        if self.revives() { None } else { person }
    }

    /// The yes is pressed; the call runs, its answer and its status are lost, and no log can be
    /// read. Seven minutes later the status proves nothing any more; logs stay hidden.
    pub fn yes_and_nothing_more(&mut self, method: &str) {
        self.stage.hide_logs();
        crate::doubt::next_call(&self.stage, method, "prune_status");
        self.wire.called.set(false);
        self.wire.silent.set(true);
        self.yes();
        self.passes(Span::from_mins(7));
        self.wire.silent.set(false);
        self.stage.mend();
        self.stage.hide_logs();
    }

    /// Network, agent and person are fair until the call has its end, or is the person's.
    fn ends(&mut self) -> Value {
        self.wire.silent.set(false);
        self.stage.connected.set(true);
        self.stage.mend();
        self.stage.network.borrow_mut().release();
        (self.course.stays)(&self.stage);
        self.unlocks();
        let mut last = Value::Null;
        for wait in [
            Span::from_secs(10),
            Span::from_mins(2),
            Span::from_mins(7),
            Span::from_hours(1),
            Span::from_hours(13),
            Span::from_hours(13),
        ] {
            self.passes(wait);
            let id = self.commits();
            self.yes();
            self.passes(Span::from_secs(50));
            let told = self.page.told(&self.stage, id);
            last = told.unwrap_or_else(|| panic!("{}: commit is not answered", self.at()));
            if !matches!(claim(&last), Claim::Nothing) && last["retry"] != "commit_preview" {
                break;
            }
        }
        last
    }

    /// Where the worker died.
    fn at(&self) -> String {
        match self.dies_at {
            Some(moment) => format!("dead at moment {moment} for {:?}", self.gone),
            None => "never dead".to_owned(),
        }
    }

    fn judge(&mut self, end: &Value) {
        let (at, effects, yeses) = (self.at(), self.effects(), self.yeses);
        let intents = self.intents();
        let is_posted = |intent: &Intent| {
            let mut envelopes = intent.envelopes().iter();
            envelopes.any(|envelope| envelope.handed_over.is_some())
        };
        // What was never posted had no effect.
        let could_have = |answer: &Value| {
            let of = |intent: &&Intent| json!(intent.preview()) == answer["preview_id"];
            intents.iter().find(of).is_none_or(is_posted)
        };
        assert!(effects <= self.wishes, "{at}: {effects} effects: {end}");
        let posted = intents.iter().filter(|intent| is_posted(intent)).count();
        let most = if self.course.forgets {
            yeses
        } else {
            yeses.min(posted)
        };
        assert!(effects <= most, "{at}: an effect without a yes: {end}");
        for told in &self.told {
            let answer = &told.answer;
            match claim(answer) {
                Claim::Effect => assert_eq!((told.effects, effects), (1, 1), "{at}: {answer}"),
                Claim::NoEffect if could_have(answer) => {
                    let later = told.effects == 0 && yeses > told.yeses;
                    assert!(effects == 0 || later, "{at}: falsely failed: {answer}");
                }
                Claim::NoEffect | Claim::Nothing => {}
            }
        }
        for call in self.wire.calls.borrow().iter() {
            let signed = is_signed_for_an_effect(call);
            let kept = intents
                .iter()
                .flat_map(Intent::envelopes)
                .any(|e| e.signed.call == *call && e.handed_over.is_some());
            assert!(
                !signed || kept || self.course.forgets,
                "{at}: a call was posted and is in no record"
            );
        }
        match claim(end) {
            Claim::Effect => assert_eq!(effects, 1, "{at}: {end}"),
            Claim::NoEffect => assert!(effects == 0 || !could_have(end), "{at}: {end}"),
            Claim::Nothing => {
                let shown = self.stage.shows_unsettled(&self.preview);
                assert!(shown, "{at}: no end, and not shown: {end}");
            }
        }
    }

    fn intents(&self) -> Vec<Intent> {
        let all = self.stage.world.memory().list(Table::Intents, Query::All);
        let rows = run_native(all).expect("the journal can be read");
        let read = rows
            .iter()
            .map(|row| read_intent(row).expect("it is whole"));
        read.map(|stored| stored.intent).collect()
    }
}

/// What an answer says of the effect.
enum Claim {
    /// There is one.
    Effect,
    /// There is none, and comes none without another yes.
    NoEffect,
    /// Neither.
    Nothing,
}

fn claim(answer: &Value) -> Claim {
    match answer["outcome"].as_str().unwrap_or_default() {
        "success" | "already_done" => Claim::Effect,
        "declined" if answer["earlier_outcome"].is_string() => Claim::Nothing,
        "declined" | "expired" | "fail" | "fix_input" | "not_executed" | "retry_same"
        | "retry_new" => Claim::NoEffect,
        "unknown" | "reconcile" | "awaiting_confirmation" => Claim::Nothing,
        other => panic!("the outcome {other:?} is none that there is: {answer}"),
    }
}
