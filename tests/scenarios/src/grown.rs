//! A journal that has grown for years: a call that really ended, and copies of it that differ in
//! what must differ.

use crate::lunch::{asked, lunch};
use crate::{Person, Stage};
use countersign_core::engine::{add_intent, read_intent};
use countersign_core::intent::StampKey;
use countersign_core::ports::store::{Query, Row, Store as _, Table, Write};
use countersign_core::testing::run_native;
use countersign_core::time::{Span, Timestamp};
use serde_json::json;

/// A payment in a journal in which one was made before, of which there are so many copies: same
/// site, account, ledger and payee. `after` hears of each part of it, first of the growing.
///
/// # Panics
///
/// Where it is not paid.
pub fn payment(copies: u32, mut after: impl FnMut(&Stage, &'static str)) {
    let mut stage = Stage::new();
    let (mut page, preview, commit, mut person) = asked(&mut stage);
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    grow(&stage, preview.as_str().expect("an id is a text"), copies);
    after(&stage, GROWN);
    stage.kill_worker();
    after(&stage, "boot");
    page.connect(&mut stage);
    stage.settle();
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2 TKA"));
    assert_eq!(told["status"], "prepared", "{told}");
    after(&stage, "prepare");
    let preview = told["preview"]["preview_id"].clone();
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    after(&stage, "commit, to the ask");
    person.approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    after(&stage, "the yes, to the end");
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    after(&stage, "commit, again");
    let _home = Person::at_home(&mut stage);
    after(&stage, "home, with the newest calls");
}

/// The part of a [`payment`] before all others.
pub const GROWN: &str = "the journal has grown";

/// Adds `copies` of the ended call with this preview id to the journal, each with a preview id, an
/// identity and a stamp of its own, a second older than the one before, and as many audit lines.
fn grow(stage: &Stage, preview: &str, copies: u32) {
    let memory = stage.world.memory();
    let row = run_native(memory.get(Table::Intents, preview));
    let original = Original::of(row.expect("it can be read").expect("it is stored"));
    for n in [1, copies] {
        assert_is_as_stored(&original.copy(n));
    }
    memory.fill(Table::Intents, (1..=copies).map(|n| original.copy(n)));

    let lines = run_native(memory.list(Table::Audit, Query::All)).expect("it can be read");
    let last = lines.last().map(|line| line.key.parse::<u64>());
    let last = last.expect("there are lines").expect("they are numbered");
    let its: Vec<(&Row, Places)> = lines
        .iter()
        .map(|line| (line, Places::of(&line.body, preview.as_bytes())))
        .filter(|(_, places)| !places.at.is_empty())
        .collect();
    assert!(its.len() > 3, "{} audit lines", its.len());
    let copied = (1..=copies).flat_map(|n| its.iter().map(move |its| (n, its)));
    let copied = copied.zip(last + 1..).map(|((n, (line, places)), number)| {
        let mut copy = Row {
            key: format!("{number:016}"),
            ..(*line).clone()
        };
        places.fill(&mut copy.body, format!("{n:032x}").as_bytes());
        copy
    });
    memory.fill(Table::Audit, copied);
}

/// A call of which copies are made.
struct Original {
    row: Row,
    stamp: StampKey,
    previews: Places,
    identities: Places,
    stamps: Places,
}

impl Original {
    fn of(row: Row) -> Self {
        let intent = read_intent(&row).expect("it is an intent").intent;
        assert!(intent.end().is_some(), "it has ended");
        let stamp = intent.stamp_key().expect("it has a stamp");
        let identity = intent.prepared().identity.to_string();
        let nanos = stamp.stamp.as_nanos().to_be_bytes();
        Self {
            previews: Places::of(&row.body, row.key.as_bytes()),
            identities: Places::of(&row.body, identity.as_bytes()),
            stamps: Places::of(&row.body, &nanos),
            stamp,
            row,
        }
    }

    fn copy(&self, n: u32) -> Row {
        let mut row = self.row.clone();
        let older = |than: Timestamp| than.minus(Span::from_secs(u64::from(n)));
        let stamp = StampKey {
            stamp: older(self.stamp.stamp),
            ..self.stamp
        };
        row.key = format!("{n:032x}");
        self.previews.fill(&mut row.body, row.key.as_bytes());
        self.identities
            .fill(&mut row.body, format!("{n:064x}").as_bytes());
        self.stamps
            .fill(&mut row.body, &stamp.stamp.as_nanos().to_be_bytes());
        row.identity = row.identity.map(|_| format!("{n:064x}"));
        row.stamp_key = Some(stamp.hash().to_string());
        row.updated = older(row.updated);
        row
    }
}

/// The engine would have written the same row.
fn assert_is_as_stored(row: &Row) {
    let intent = read_intent(row).expect("it is an intent").intent;
    let Write::Put { row: written, .. } = add_intent(&intent, row.updated) else {
        panic!("an intent is put")
    };
    let rev = row.rev;
    assert_eq!(*row, Row { rev, ..written });
}

/// Where some bytes occur in others.
struct Places {
    at: Vec<usize>,
}

impl Places {
    fn of(bytes: &[u8], searched: &[u8]) -> Self {
        let windows = bytes.windows(searched.len()).enumerate();
        let found = windows.filter(|(_, window)| *window == searched);
        Self {
            at: found.map(|(at, _)| at).collect(),
        }
    }

    fn fill(&self, bytes: &mut [u8], with: &[u8]) {
        for at in &self.at {
            bytes[*at..*at + with.len()].copy_from_slice(with);
        }
    }
}
