//! One history: what agent, person, browser and network do, drawn from a seed, and then a fair end.

use crate::judge::{Verdict, effects_of, ended, explains, held, judge};
use crate::machine::{Beside, Decision, Machine};
use crate::net::Net;
use crate::template::Template;
use crate::weather::{Trouble, Weather};
use candid::Principal;
use countersign_core::testing::{Edges, Meddling, take_edges};
use countersign_core::time::Span;
use countersign_core::wire::ui::Action;
use countersign_proof::random::Rng;
use countersign_scenarios::Stage;
use countersign_scenarios::lunch::PAYEE;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most wishes of one history.
const WISHES: usize = 4;

/// The tabs of either site: the first, and how many.
const SHOPS: (usize, usize) = (0, 2);
const STALLS: (usize, usize) = (2, 1);

/// How often the fair end is tried.
const ROUNDS: u32 = 10;

/// After so many fair hours every log has been searched once more by itself: the longest pause
/// between two searches is twelve.
const SEARCHED: u32 = 13;

/// What one history came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What is wrong.
    pub verdict: Verdict,
    /// What was met, by name.
    pub met: BTreeMap<&'static str, u64>,
    /// How intents ended, by name.
    pub ended: BTreeMap<&'static str, u64>,
    /// Which edges of the kernel were taken.
    pub edges: Edges,
    /// Whether every wish was told as done at the end.
    pub is_done: bool,
    /// Whether the agent was there to the end. Without it, what was not asked for yet is no more.
    pub has_agent: bool,
    /// Whether it had at least two faults of the network, the browser or the journal.
    pub has_two_faults: bool,
    /// Wishes of the agent.
    pub wishes: u64,
    /// Wishes that were told as done.
    pub told_done: u64,
    /// Requests of the agent that were never answered.
    pub unanswered: u64,
    /// What happened, line by line, where that was asked for.
    pub lines: Vec<String>,
}

/// What an agent wants.
struct Wish {
    /// The tabs of the site that wishes it: the first, and how many.
    tabs: (usize, usize),
    inputs: Value,
    preview: Option<String>,
    /// Requests without an answer: document and id.
    waiting: Vec<(String, u64)>,
    done: bool,
    /// The last answer said that nothing more is to be done by the agent.
    rests: bool,
}

impl Wish {
    const fn new(tabs: (usize, usize), inputs: Value) -> Self {
        Self {
            tabs,
            inputs,
            preview: None,
            waiting: Vec::new(),
            done: false,
            rests: false,
        }
    }
}

/// What is drawn of a history before it begins.
pub struct Drawn {
    /// What goes wrong on the network.
    pub weather: Weather,
    /// The ledgers of the wishes that it begins with.
    pub ledgers: Vec<Principal>,
    /// The rest of the randomness.
    pub rng: Rng,
}

impl Drawn {
    /// Draws it from a seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let weather = Weather::drawn(&mut rng);
        let ledgers = (0..=rng.below(2)).map(|_| ledger(&mut rng)).collect();
        Self {
            weather,
            ledgers,
            rng,
        }
    }
}

fn ledger(rng: &mut Rng) -> Principal {
    if rng.one_in(4) {
        Stage::gem()
    } else {
        Stage::tka()
    }
}

/// Plays the history of a seed.
#[must_use]
pub fn play(template: &Template, seed: u64, tells: bool) -> Report {
    let Drawn {
        weather,
        ledgers,
        mut rng,
    } = Drawn::of(seed);
    drop(take_edges());
    let net = Net::new(
        template.network(),
        weather,
        template.begin(),
        Rng::new(rng.bits()),
    );
    let mut play = Play {
        machine: Machine::new(template, rng.bits(), net),
        wishes: Vec::new(),
        taken: 0,
        rng,
        report: Report::default(),
        tells,
        is_fair: false,
    };
    for ledger in ledgers {
        play.wish(ledger);
    }
    for wish in 0..play.wishes.len() {
        play.prepares(wish);
        play.commits(wish);
    }
    if play.machine.net.borrow().is_hard() {
        play.insists();
    } else if play.rng.one_in(2) {
        play.person();
    }
    // Most are short, some are long.
    let steps = play.rng.pick(&[2, 4, 8, 24]);
    for _ in 0..1 + play.rng.below(steps) {
        play.step();
    }
    play.end();
    play.report()
}

struct Play<'t> {
    machine: Machine<'t>,
    wishes: Vec<Wish>,
    taken: usize,
    rng: Rng,
    report: Report,
    tells: bool,
    /// Whether all are fair from now on.
    is_fair: bool,
}

impl Play<'_> {
    fn note(&mut self, text: impl FnOnce() -> String) {
        if self.tells {
            let now = self.machine.world.now();
            let line = format!("{now} {}", text());
            self.report.lines.push(line);
        }
    }

    fn met(&mut self, name: &'static str) {
        *self.report.met.entry(name).or_default() += 1;
    }

    fn wish(&mut self, canister: Principal) {
        let amount = if canister == Stage::gem() {
            "0.001 GEM"
        } else {
            "1.5 TKA"
        };
        let memo = format!("wish {}", self.wishes.len());
        let inputs = json!({
            "canister_id": canister.to_text(), "to": PAYEE, "amount": amount, "memo": memo,
        });
        let tabs = if self.rng.one_in(4) { STALLS } else { SHOPS };
        self.wishes.push(Wish::new(tabs, inputs));
    }

    /// Takes up what the pages heard.
    fn hear(&mut self) {
        while let Some(heard) = self.machine.heard.get(self.taken) {
            let (document, id, told) = (heard.document.clone(), heard.id, heard.told.clone());
            self.taken += 1;
            self.note(|| format!("heard on {document}.{id}: {}", brief(&told)));
            let this = (document, id);
            let Some(wish) = self
                .wishes
                .iter_mut()
                .find(|wish| wish.waiting.contains(&this))
            else {
                continue;
            };
            wish.waiting.retain(|waiting| *waiting != this);
            if let Some(preview) = told["preview"]["preview_id"].as_str() {
                wish.preview = Some(preview.to_owned());
            }
            let ended = matches!(told["outcome"].as_str(), Some("declined" | "fail"));
            wish.rests = false;
            match told["outcome"].as_str() {
                Some("success" | "already_done") => wish.done = true,
                Some(_) | None => match told["retry"].as_str() {
                    Some("new_prepare") => wish.preview = None,
                    // In the end the person has the agent try again what has ended.
                    Some("after_person" | "never") if self.is_fair && ended => wish.preview = None,
                    Some("after_person" | "never") => wish.rests = true,
                    Some(_) | None => {}
                },
            }
        }
    }

    fn run(&mut self) {
        self.machine.run();
        self.hear();
    }

    fn pass(&mut self, span: Span) {
        self.machine.pass(span);
        self.hear();
    }

    fn asks(&mut self, wish: usize, tool: &str, arguments: &Value) {
        let (first, count) = self.wishes[wish].tabs;
        let tab = first + self.rng.below(count);
        let id = self.machine.begin(tab, tool, arguments);
        let document = self.machine.document(tab).to_owned();
        self.note(|| format!("{document}.{id}: {tool} for wish {wish} {arguments}"));
        self.wishes[wish].waiting.push((document, id));
        self.run();
    }

    fn prepares(&mut self, wish: usize) {
        let inputs = self.wishes[wish].inputs.clone();
        self.asks(wish, "prepare_icrc1_transfer", &inputs);
    }

    fn commits(&mut self, wish: usize) {
        match self.wishes[wish].preview.clone() {
            Some(preview) => self.asks(wish, "commit", &json!({ "preview_id": preview })),
            None => self.prepares(wish),
        }
    }

    /// The agent does something about a wish.
    fn agent(&mut self) {
        let wish = self.rng.below(self.wishes.len());
        if self.wishes[wish].done {
            return;
        }
        match self.rng.below(12) {
            0 => self.prepares(wish),
            1 if self.wishes.len() < WISHES
                && self.wishes[wish].tabs == SHOPS
                && self.rng.one_in(2) =>
            {
                self.met("equal wish of another site");
                let inputs = self.wishes[wish].inputs.clone();
                self.wishes.push(Wish::new(STALLS, inputs));
                self.prepares(self.wishes.len() - 1);
            }
            1 if self.wishes.len() < WISHES => {
                self.met("varied input");
                let last = self.wishes.len();
                let mut inputs = self.wishes[wish].inputs.clone();
                inputs["memo"] = json!(format!("wish {last}"));
                let tabs = self.wishes[wish].tabs;
                self.wishes.push(Wish::new(tabs, inputs));
                self.prepares(last);
            }
            2 => {
                self.withdraws(wish);
            }
            3 => {
                if let Some(preview) = self.wishes[wish].preview.clone() {
                    let arguments = json!({ "preview_id": preview, "wait_s": 5 });
                    self.asks(wish, "wallet_intent", &arguments);
                }
            }
            _ => {
                self.commits(wish);
                if self.rng.one_in(2) {
                    self.commits(wish);
                }
                if !self.rng.one_in(3) {
                    self.person();
                }
            }
        }
    }

    /// The person does something about what is asked.
    fn person(&mut self) {
        match self.rng.below(15) {
            0 | 1 => drop(self.decides(Decision::No)),
            2 => drop(self.decides(Decision::Looks)),
            3 => drop(self.decides(Decision::TwiceYes)),
            4 => drop(self.decides(Decision::Closes)),
            5..=8 => self.decides_beside(),
            _ => drop(self.decides(Decision::Yes)),
        }
    }

    /// The person says yes, and something goes wrong just after it.
    fn decides_beside(&mut self) {
        let mut turns = |most| u32::try_from(self.rng.below(most)).unwrap_or(0);
        let (soon, turns) = (turns(4), turns(20));
        let (beside, name) = match self.rng.below(6) {
            0 | 1 => {
                let span = Span::from_secs(140 + self.rng.bits() % 60);
                let beside = Beside::Unreachable(soon, span);
                (beside, "unreachable after the yes")
            }
            2 => (Beside::Locks(turns), "locked after the yes"),
            3 => (Beside::Dies(turns), "killed after the yes"),
            _ => (Beside::DiskFull(1), "disk full after the yes"),
        };
        self.machine.beside = Some(beside);
        let asked = self.decides(Decision::Yes);
        if self.machine.beside.take().is_some() || !asked {
            return;
        }
        self.note(|| format!("beside it: {beside:?}"));
        self.met(name);
        if self.machine.net.borrow().is_deaf(self.machine.world.now()) {
            if self.rng.one_in(2) {
                self.locks();
            } else {
                self.pass(Span::from_secs(135));
            }
        }
    }

    fn decides(&mut self, decision: Decision) -> bool {
        let asked = self.machine.decide(decision);
        let seen = std::mem::take(&mut self.machine.seen);
        self.note(|| format!("person sees: {seen}"));
        if asked {
            self.note(|| format!("person: {decision:?}"));
            self.met(match decision {
                Decision::Yes => "yes",
                Decision::TwiceYes => "double yes",
                Decision::No => "no",
                Decision::Closes => "window closed",
                Decision::Looks => "looked",
            });
        }
        self.hear();
        asked
    }

    /// The agent asks again and again for a call in doubt.
    fn insists(&mut self) {
        self.decides(Decision::Yes);
        for _ in 0..2 + self.rng.below(3) {
            let seconds = self.rng.pick(&[31, 65, 130, 400]);
            self.pass(Span::from_secs(seconds));
            self.unlocks();
            match self.rng.below(12) {
                0 => self.machine.net.borrow_mut().upgrade(),
                1 | 2 => self.keeps(),
                _ => {}
            }
            self.commits(0);
            match self.rng.below(9) {
                0 => self.withdraws(0),
                1 | 2 => drop(self.decides(Decision::No)),
                3..=6 => self.decides_beside(),
                _ => self.person(),
            }
        }
    }

    fn withdraws(&mut self, wish: usize) {
        if let Some(preview) = self.wishes[wish].preview.clone() {
            self.met("cancelled");
            self.asks(wish, "wallet_cancel", &json!({ "preview_id": preview }));
        }
    }

    fn step(&mut self) {
        if self.machine.has_saved() && self.rng.one_in(4) {
            // What the journal that comes back knows nothing of.
            if self.rng.one_in(2) {
                let wish = self.rng.below(self.wishes.len());
                self.commits(wish);
                self.decides(Decision::Yes);
            }
            return self.restores();
        }
        match self.rng.below(29) {
            0..=6 => self.agent(),
            7..=10 => self.person(),
            11 => self.unlocks(),
            12..=15 => {
                let seconds = self
                    .rng
                    .pick(&[1, 5, 15, 20, 31, 50, 65, 130, 200, 400, 3_700]);
                self.note(|| format!("{seconds} s pass"));
                self.pass(Span::from_secs(seconds));
            }
            16..=18 => {
                let turns = u32::try_from(self.rng.below(90)).unwrap_or(0);
                self.machine.dies_in = Some(turns);
                self.note(|| format!("the worker dies in {turns} turns"));
            }
            19 => {
                let turns = u32::try_from(self.rng.below(90)).unwrap_or(0);
                self.machine.dies_in = Some(turns);
                self.machine.browser_ends = true;
                self.note(|| format!("the browser ends in {turns} turns"));
                self.met("browser ended");
            }
            20 => self.locks(),
            21 => self.unlocks(),
            22 => {
                let minutes = self.rng.pick(&[-200_000_i128, -90, -3, 0, 3, 90, 200_000]);
                self.note(|| format!("the host's clock is {minutes} minutes ahead"));
                self.met("clock set");
                self.machine
                    .world
                    .set_host_clock(minutes * 60 * 1_000_000_000);
            }
            23 => {
                let tab = self.rng.below(3);
                self.note(|| format!("tab {tab} is reloaded"));
                self.met("reloaded");
                self.machine.reload(tab);
                self.hear();
            }
            24 => {
                self.note(|| "what was held back is released".to_owned());
                let now = self.machine.world.now();
                self.machine.net.borrow_mut().release(now);
            }
            25 | 28 => self.keeps(),
            26 => {
                if self.rng.one_in(2) {
                    self.note(|| "the ledgers run other code".to_owned());
                    self.machine.net.borrow_mut().upgrade();
                }
            }
            _ => {
                let with = self.rng.pick(&[
                    Meddling::Full,
                    Meddling::Closed,
                    Meddling::StoredUnheard,
                    Meddling::LostUnheard,
                ]);
                let (skip, count) = (self.rng.bits() % 12, 1 + self.rng.bits() % 3);
                self.note(|| format!("after {skip} commits, {count} meet {with:?}"));
                self.met("journal meddled with");
                self.machine.world.memory().meddle(skip, count, with);
            }
        }
    }

    /// Whether a request about a wish is being answered.
    fn waits(&self, wish: usize) -> bool {
        let waiting = &self.wishes[wish].waiting;
        waiting
            .iter()
            .any(|(document, id)| self.machine.is_open(document, *id))
    }

    fn keeps(&mut self) {
        self.note(|| "the journal is kept".to_owned());
        self.machine.save();
    }

    fn restores(&mut self) {
        self.note(|| "the kept journal is restored".to_owned());
        self.met("journal restored");
        self.machine.restore();
        self.hear();
    }

    fn locks(&mut self) {
        self.note(|| "locked".to_owned());
        self.met("locked");
        self.machine.lock();
        self.hear();
    }

    fn unlocks(&mut self) {
        if !self.machine.is_unlocked() {
            self.note(|| "unlocked".to_owned());
            self.machine.unlock();
            self.hear();
        }
    }

    /// From now on network, person and agent are fair: everything comes to its end.
    fn end(&mut self) {
        self.note(|| "from here on, all are fair".to_owned());
        self.is_fair = true;
        self.machine.dies_in = None;
        self.machine.browser_ends = false;
        self.machine.locks_in = None;
        self.machine.unreachable_in = None;
        self.machine.world.refuse_files(0);
        self.machine.world.set_host_clock(0);
        self.machine.world.memory().meddle(0, 0, Meddling::Full);
        {
            let now = self.machine.world.now();
            self.machine.net.borrow_mut().make_fair(now);
        }
        self.report.has_agent = !self.rng.one_in(4);
        if self.report.has_agent {
            self.end_with_agent();
        } else {
            self.note(|| "the agent is gone".to_owned());
            self.end_without_agent();
        }
        // Whoever waits hears at last.
        self.pass(Span::from_secs(100));
    }

    /// Everything comes to its end by network and person alone.
    fn end_without_agent(&mut self) {
        for round in 0..=ROUNDS + SEARCHED {
            self.unlocks();
            for _ in 0..WISHES * 2 {
                if !self.decides(Decision::Yes) {
                    break;
                }
            }
            if self.has_ended() {
                break;
            }
            if round < ROUNDS {
                self.pass(Span::from_secs(if round < 3 { 20 } else { 200 }));
            } else {
                self.pass(Span::from_hours(1));
                self.settles(1 + round - ROUNDS);
            }
        }
    }

    /// The person has the agent try again what is not done yet, and looks at what has changed.
    fn end_with_agent(&mut self) {
        for wish in &mut self.wishes {
            if !wish.done {
                wish.rests = false;
                wish.preview = None;
            }
        }
        for round in 0..ROUNDS {
            self.unlocks();
            // Once is enough, where nothing is in its way.
            if round % 4 == 0 {
                self.accepts_anew();
            }
            for wish in 0..self.wishes.len() {
                if !self.wishes[wish].done && !self.waits(wish) {
                    self.commits(wish);
                }
            }
            for _ in 0..WISHES * 2 {
                if !self.decides(Decision::Yes) {
                    break;
                }
            }
            self.pass(Span::from_secs(if round < 3 { 20 } else { 200 }));
            if self.is_over() {
                break;
            }
        }
        // What nobody decides ends by itself.
        for hour in 1..=SEARCHED + 1 {
            if self.is_over() {
                break;
            }
            self.pass(Span::from_hours(1));
            self.unlocks();
            self.settles(hour);
            if hour % 4 == 1 {
                self.accepts_anew();
            }
            for wish in 0..self.wishes.len() {
                if !self.wishes[wish].done && !self.waits(wish) {
                    if self.wishes[wish].preview.is_none() {
                        self.prepares(wish);
                    }
                    self.commits(wish);
                    self.decides(Decision::Yes);
                }
            }
        }
    }

    /// Whether nothing is left to do: every call has ended, every wish is done or nobody can do
    /// anything about it.
    fn is_over(&self) -> bool {
        self.wishes.iter().all(|wish| wish.done || wish.rests) && self.has_ended()
    }

    /// Whether every call has ended.
    fn has_ended(&self) -> bool {
        self.machine.intents().iter().all(|i| i.end().is_some())
    }

    /// Has every site connected anew, where a ledger runs other code than the person accepted.
    fn accepts_anew(&mut self) {
        let upgraded = {
            let net = self.machine.net.borrow();
            let changed = [Trouble::Forgets.name(), "ledger upgraded"];
            changed.iter().any(|name| net.met.contains_key(name))
        };
        if !upgraded || self.wishes.iter().all(|wish| wish.done) {
            return;
        }
        let ids = [Stage::tka(), Stage::gem()].map(|id| json!({ "id": id.to_text() }));
        for tab in [0, 2] {
            let arguments = json!({ "canisters": ids, "tools": ["all"] });
            let id = self.machine.begin(tab, "wallet_connect", &arguments);
            let document = self.machine.document(tab).to_owned();
            self.note(|| format!("{document}.{id}: wallet_connect"));
            self.run();
            for _ in 0..WISHES * 2 {
                if !self.decides(Decision::Yes) || !self.machine.is_open(&document, id) {
                    break;
                }
            }
        }
    }

    /// The person says truthfully what came of the calls that only a person can end, after so many
    /// fair hours.
    fn settles(&mut self, hours: u32) {
        for intent in self.machine.intents() {
            if intent.end().is_some() || !intent.may_have_executed() || intent.live().is_some() {
                continue;
            }
            // What the log can still settle is left to it.
            if intent.held().is_none() && hours < SEARCHED {
                continue;
            }
            let why = held(&intent);
            self.note(|| format!("{} is held: {why}: {intent:?}", intent.preview()));
            if !explains(&self.all_met(), why) {
                let text = format!(
                    "{} is held ({why}), and nothing was wrong",
                    intent.preview()
                );
                self.report.verdict.stuck.push(text);
            }
            *self.report.met.entry(why).or_default() += 1;
            let happened = !effects_of(&intent, &self.machine.net.borrow().effects).is_empty();
            let action = if happened {
                Action::ItHappened
            } else {
                Action::ItDidNot
            };
            self.note(|| format!("person settles {}: {action:?}", intent.preview()));
            self.met("settled by hand");
            self.machine.settle(&intent, action);
            self.hear();
        }
    }

    /// Everything that was met so far.
    fn all_met(&self) -> BTreeMap<&'static str, u64> {
        let mut met = self.report.met.clone();
        met.extend(self.machine.net.borrow().met.clone());
        met
    }

    fn report(mut self) -> Report {
        let mut report = std::mem::take(&mut self.report);
        let unexplained = std::mem::take(&mut report.verdict.stuck);
        report.verdict = judge(&self.machine);
        report.verdict.stuck.extend(unexplained);
        report.edges = take_edges();
        for intent in self.machine.intents() {
            *report.ended.entry(ended(&intent)).or_default() += 1;
            let envelopes = intent
                .envelopes()
                .iter()
                .filter(|e| e.handed_over.is_some())
                .count();
            if envelopes > 1 {
                *report.met.entry("a second envelope").or_default() += 1;
            }
        }
        for (name, count) in &self.machine.net.borrow().met {
            *report.met.entry(name).or_default() += count;
        }
        *report.met.entry("killed").or_default() += u64::from(self.machine.kills);
        *report.met.entry("killed at work").or_default() += u64::from(self.machine.kills_at_work);
        *report
            .met
            .entry("killed between store and act")
            .or_default() += u64::from(self.machine.kills_between);
        report.met.retain(|_, count| *count > 0);
        let faults = report.met.iter().filter(|(name, _)| is_fault(name));
        // Of two kinds: one that stays is met again and again.
        report.has_two_faults = faults.count() > 1;
        report.is_done = self.wishes.iter().all(|wish| wish.done);
        report.wishes = self.wishes.len() as u64;
        report.told_done = self.wishes.iter().filter(|wish| wish.done).count() as u64;
        let waiting = self.wishes.iter().flat_map(|wish| &wish.waiting);
        report.unanswered = waiting
            .filter(|(document, id)| self.machine.is_open(document, *id))
            .count() as u64;
        if self.tells {
            for trouble in &self.machine.net.borrow().troubles {
                report.lines.push(format!("{trouble:?}"));
            }
            for effect in &self.machine.net.borrow().effects {
                report.lines.push(format!("{effect:?}"));
            }
        }
        report
    }
}

/// Whether something that was met is a fault of the network, the browser or the journal; the rest
/// is what agents and persons do.
#[must_use]
pub fn is_fault(name: &str) -> bool {
    !matches!(
        name,
        "none"
            | "yes"
            | "double yes"
            | "no"
            | "window closed"
            | "looked"
            | "cancelled"
            | "varied input"
            | "equal wish of another site"
            | "reloaded"
            | "locked"
            | "killed"
            | "killed between store and act"
            | "a second envelope"
            | "settled by hand"
    ) && !name.starts_with("held: ")
}

fn brief(told: &Value) -> String {
    let mut parts = Vec::new();
    for name in [
        "status",
        "outcome",
        "earlier_outcome",
        "case",
        "retry",
        "preview_id",
        "code",
    ] {
        if let Some(text) = told[name].as_str() {
            parts.push(format!("{name} {text}"));
        }
    }
    parts.join(", ")
}
