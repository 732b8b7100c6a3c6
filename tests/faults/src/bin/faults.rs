//! Plays histories and prints what came of them: `faults HISTORIES [SEED]`, or `faults --tell SEED`
//! for one history, line by line.

use countersign_core::testing::{Edges, simulate_signatures};
use countersign_faults::expected::{EDGES, FAULTS};
use countersign_faults::history::{Report, play};
use countersign_faults::peers::{self, Peer};
use countersign_faults::template::Template;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// Under which a thread's networks sign.
const SECRET: [u8; 32] = *b"only this process knows of this.";

/// How many failures are told in full.
const TOLD: usize = 20;

#[derive(Default)]
struct Sum {
    histories: u64,
    verdicts: [u64; 4],
    peers: [u64; 2],
    met: BTreeMap<&'static str, u64>,
    ended: BTreeMap<&'static str, u64>,
    edges: Edges,
    /// Histories of which something is true, by name.
    of: BTreeMap<&'static str, u64>,
    wishes: u64,
    told_done: u64,
    unanswered: u64,
    /// Histories that ended in a panic of ours: they say nothing of what they were played for.
    panics: Vec<u64>,
    failures: Vec<(u64, Vec<String>)>,
}

impl Sum {
    fn add(&mut self, seed: u64, report: Report, peers: [u64; 2]) {
        self.histories += 1;
        let verdict = &report.verdict;
        let lists = [
            &verdict.duplicated,
            &verdict.lost,
            &verdict.false_failed,
            &verdict.stuck,
        ];
        for (sum, list) in self.verdicts.iter_mut().zip(lists) {
            *sum += list.len() as u64;
        }
        for (sum, count) in self.peers.iter_mut().zip(peers) {
            *sum += count;
        }
        if !verdict.is_good() {
            self.failures.push((seed, verdict.all().collect()));
        }
        let met = |name| report.met.contains_key(name);
        let facts = [
            (STAYS, report.has_agent),
            (DONE, report.has_agent && report.is_done),
            ("at least two faults", report.has_two_faults),
            (
                "a crash between store and act",
                met("killed between store and act"),
            ),
            ("a second envelope", met("a second envelope")),
            ("a restored journal", met("journal restored")),
        ];
        for (name, count) in report.met {
            *self.met.entry(name).or_default() += count;
        }
        for (name, count) in report.ended {
            *self.ended.entry(name).or_default() += count;
        }
        for (edge, count) in report.edges {
            *self.edges.entry(edge).or_default() += count;
        }
        for (name, is_so) in facts {
            *self.of.entry(name).or_default() += u64::from(is_so);
        }
        self.wishes += report.wishes;
        self.told_done += report.told_done;
        self.unanswered += report.unanswered;
    }

    fn join(&mut self, other: Self) {
        self.histories += other.histories;
        for (sum, count) in self.verdicts.iter_mut().zip(other.verdicts) {
            *sum += count;
        }
        for (sum, count) in self.peers.iter_mut().zip(other.peers) {
            *sum += count;
        }
        for (name, count) in other.met {
            *self.met.entry(name).or_default() += count;
        }
        for (name, count) in other.ended {
            *self.ended.entry(name).or_default() += count;
        }
        for (edge, count) in other.edges {
            *self.edges.entry(edge).or_default() += count;
        }
        for (name, count) in other.of {
            *self.of.entry(name).or_default() += count;
        }
        self.wishes += other.wishes;
        self.told_done += other.told_done;
        self.unanswered += other.unanswered;
        self.panics.extend(other.panics);
        self.failures.extend(other.failures);
    }
}

/// The agent was there to the end.
const STAYS: &str = "an agent that stays";

/// Of these, every wish was told as done in the end.
const DONE: &str = "every wish done";

/// From so many histories on, a run has to have met everything.
const MANY: u64 = 10_000;

fn edge(event: &str, may_have_executed: bool) -> String {
    let may = if may_have_executed { "may" } else { "cannot" };
    format!("{event}/{may}")
}

impl Sum {
    /// What a run of many histories should have had, and did not.
    fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        if !self.panics.is_empty() {
            missing.push(format!("{} histories ended in a panic", self.panics.len()));
        }
        if self.unanswered > 0 {
            missing.push(format!("{} requests were never answered", self.unanswered));
        }
        if self.histories < MANY {
            return missing;
        }
        let done = self.of.get(DONE).copied().unwrap_or_default();
        let stays = self.of.get(STAYS).copied().unwrap_or_default();
        if done * 100 < stays * 95 {
            missing.push(format!("{done} of {stays} histories ended as done"));
        }
        let least = self.histories / 100;
        let mut wanted = |name: String, count: Option<&u64>| {
            let count = count.copied().unwrap_or_default();
            if count < least {
                missing.push(format!("{name}: {count}, not {least}"));
            }
        };
        for name in FAULTS {
            wanted((*name).to_owned(), self.met.get(name));
        }
        for (event, may) in EDGES {
            wanted(edge(event, *may), self.edges.get(&(*event, *may)));
        }
        missing
    }
}

#[expect(clippy::print_stdout, reason = "a program that says what it did")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok());
    if arguments.first().is_some_and(|first| first == "--tell") {
        simulate_signatures(Some(SECRET));
        let template = Template::new();
        let report = play(&template, number(1).unwrap_or(0), true);
        for line in &report.lines {
            println!("{line}");
        }
        for line in report.verdict.all() {
            println!("{line}");
        }
        return ExitCode::SUCCESS;
    }
    let histories = number(0).unwrap_or(1_000);
    let seed = number(1).unwrap_or_else(|| u64::from(std::process::id()) << 32);
    println!("{histories} histories from seed {seed}");
    let begun = Instant::now();
    let next = AtomicU64::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut sum = Sum::default();
    thread::scope(|scope| {
        let played: Vec<_> = (0..workers)
            .map(|_| scope.spawn(|| work(&next, histories, seed)))
            .collect();
        for played in played {
            sum.join(played.join().expect("a thread of histories ends"));
        }
    });
    sum.failures.sort();
    for (seed, lines) in sum.failures.iter().take(TOLD) {
        println!("seed {seed} (cargo xtask faults --tell --seed {seed}):");
        for line in lines {
            println!("  {line}");
        }
    }
    sum.panics.sort_unstable();
    for seed in sum.panics.iter().take(TOLD) {
        println!("seed {seed} (cargo xtask faults --tell --seed {seed}) ended in a panic");
    }
    println!("met: {}", counts(&sum.met));
    println!("intents ended: {}", counts(&sum.ended));
    let edges = sum.edges.iter();
    let edges: Vec<String> = edges
        .map(|((event, may), count)| format!("{} {count}", edge(event, *may)))
        .collect();
    println!("edges of the kernel: {}", edges.join(", "));
    println!("histories with: {}", counts(&sum.of));
    println!(
        "wishes: {}, told as done: {}; requests never answered: {}",
        sum.wishes, sum.told_done, sum.unanswered
    );
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{seconds:.1} s with {workers} threads, {:.2} ms a history and thread",
        seconds * 1_000.0 * workers as f64 / sum.histories as f64
    );
    let missing = sum.missing();
    for text in &missing {
        println!("not enough: {text}");
    }
    let [duplicated, lost, false_failed, stuck] = sum.verdicts;
    let [naive, key_only] = sum.peers;
    println!(
        "faults: {histories} histories, {duplicated} duplicated, {lost} lost, {false_failed} false \
         failed, {stuck} stuck; naive loop {naive} duplicated, key only {key_only} duplicated"
    );
    if sum.failures.is_empty() && missing.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn work(next: &AtomicU64, histories: u64, seed: u64) -> Sum {
    simulate_signatures(Some(SECRET));
    let template = Template::new();
    let mut sum = Sum::default();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= histories {
            return sum;
        }
        let seed = seed.wrapping_add(number);
        let played = catch_unwind(AssertUnwindSafe(|| {
            let report = play(&template, seed, false);
            let peers = [Peer::Loop, Peer::KeyOnly];
            (
                report,
                peers.map(|peer| peers::duplicates(&template, seed, peer)),
            )
        }));
        match played {
            Ok((report, peers)) => sum.add(seed, report, peers),
            Err(_) => {
                sum.histories += 1;
                sum.panics.push(seed);
            }
        }
    }
}

fn counts(counts: &BTreeMap<&'static str, u64>) -> String {
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    parts.join(", ")
}
