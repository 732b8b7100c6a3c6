//! The journal in a browser's IndexedDB when it has grown: what a payment asks of it, as
//! `countersign-scenarios` recorded it, with 100 and with 100,000 other payments stored, by turns;
//! and its commit beside bare puts of the same rows. `cargo xtask bench` starts it.
#![cfg(target_arch = "wasm32")]

use countersign_core::ids::from_hex;
use countersign_core::ports::Mirror as _;
use countersign_core::ports::store::{
    Batch, Expect, Query, Row, Store as _, Table, UniqueIndex, Write,
};
use countersign_core::testing::Use;
use countersign_core::time::Timestamp;
use countersign_extension::ports::{IdbStore, OpfsMirror};
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

// No browser stops this one after five minutes, as it does a service worker; the database is one.
wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// How often each of two is measured, by turns.
const TURNS: usize = 200;
/// Turns before those, which are not counted.
const WARMING: usize = 5;
const FEW: u32 = 100;
const MANY: u32 = 100_000;

#[wasm_bindgen_test]
async fn a_journal_that_has_grown() {
    let recorded = Recorded::fetch().await;
    let mut few = Journal::grown(&recorded, "few", FEW).await;
    let mut many = Journal::grown(&recorded, "many", MANY).await;
    let parts = recorded.parts.len();
    let mut times = vec![(Vec::new(), Vec::new()); parts];
    for turn in 0..WARMING + TURNS {
        // Who is first is last the next time.
        let (one, other) = (few.payment(turn), many.payment(turn));
        let (in_few, in_many) = if turn % 2 == 0 {
            let one = one.await;
            (one, other.await)
        } else {
            let other = other.await;
            (one.await, other)
        };
        if turn >= WARMING {
            for (part, (one, other)) in times.iter_mut().zip(in_few.into_iter().zip(in_many)) {
                part.0.push(one);
                part.1.push(other);
            }
        }
    }
    console_log!(
        "what a payment asks of the journal, with {FEW} and {MANY} others stored: medians of \
         {TURNS} turns, in milliseconds"
    );
    for (part, (in_few, in_many)) in recorded.parts.iter().zip(times) {
        let (one, other) = (median(in_few), median(in_many));
        console_log!(
            "  {:<28}{:>3} uses{one:>9.2}{other:>9.2}   ratio {:.2}",
            part.name,
            part.uses.len(),
            other / one
        );
    }
    commits(&recorded, &mut many).await;
}

/// The journal's commits beside bare strict puts of the same rows, in the grown journal.
async fn commits(recorded: &Recorded, journal: &mut Journal<'_>) {
    console_log!(
        "\na commit of the journal beside a bare strict put of the same rows, with {MANY} calls \
         stored: medians of {TURNS} turns, in milliseconds"
    );
    let first = |wanted: &dyn Fn(&Batch) -> bool| {
        let mut uses = recorded.parts.iter().flat_map(|part| &part.uses);
        let batch = uses.find_map(|used| match used {
            Use::Commit(batch) if wanted(batch) => Some(batch.clone()),
            _ => None,
        });
        batch.expect("a payment has it")
    };
    let added = first(&|batch| {
        let intent =
            |w: &Write| matches!(w, Write::Put { table: Table::Intents, row, .. } if row.rev == 1);
        batch.writes.iter().any(intent)
    });
    let hand_over = first(&|batch| {
        let count = |w: &Write| matches!(w, Write::Put { row, .. } if row.key == "hand-overs");
        batch.writes.iter().any(count)
    });
    let (same, bare) = (
        Bare::of_journal("many").await,
        Bare::without_indexes().await,
    );
    for (name, batch) in [
        ("a new call, its line", &added),
        ("a hand-over, its line", &hand_over),
    ] {
        let rows = batch.writes.len() + 1;
        let (mut ours, mut theirs, mut barest) = (Vec::new(), Vec::new(), Vec::new());
        for turn in 0..WARMING + TURNS {
            let run = 10_000 + turn;
            let start = now();
            journal.commit(batch, run).await;
            let one = now() - start;
            let two = same.put(name, batch, &recorded.fresh, run).await;
            let three = bare.put(name, batch, &recorded.fresh, run).await;
            if turn >= WARMING {
                ours.push(one);
                theirs.push(two);
                barest.push(three);
            }
        }
        let (ours, theirs, barest) = (median(ours), median(theirs), median(barest));
        console_log!(
            "  {name:<24}{rows} rows{ours:>9.2}   put into the same tables{theirs:>9.2} ratio {:.2}   \
             into tables without indexes{barest:>9.2} ratio {:.2}",
            ours / theirs,
            ours / barest
        );
    }
    let mirror = OpfsMirror::new("bench-mirror");
    let line = hand_over.writes.iter().find_map(|write| match write {
        Write::Put {
            table: Table::Intents,
            row,
            ..
        } => Some(row.body.clone()),
        _ => None,
    });
    let line = line.expect("a hand-over changes its call");
    let mut files = Vec::new();
    for turn in 0..WARMING + TURNS {
        let start = now();
        mirror
            .write(&format!("sent-{turn}"), &line)
            .await
            .expect("written");
        let count = turn.to_string();
        mirror
            .write("hand-overs", count.as_bytes())
            .await
            .expect("written");
        if turn >= WARMING {
            files.push(now() - start);
        }
        mirror
            .remove(&format!("sent-{turn}"))
            .await
            .expect("removed");
    }
    console_log!(
        "  besides, at each hand-over, two files outside the journal{:>9.2}",
        median(files)
    );
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Milliseconds.
fn now() -> f64 {
    script("", "return performance.now();", &[])
        .as_f64()
        .expect("a number")
}

/// Calls a function of JavaScript with these parameters and this body.
fn script(parameters: &str, body: &str, arguments: &[&JsValue]) -> JsValue {
    let arguments: Array = arguments.iter().copied().cloned().collect();
    Function::new_with_args(parameters, body)
        .apply(&JsValue::NULL, &arguments)
        .expect("the script does not throw")
}

async fn settled(promise: JsValue) -> JsValue {
    JsFuture::from(Promise::from(promise))
        .await
        .expect("the script's promise is fulfilled")
}

/// What was recorded of a payment in the journal.
struct Recorded {
    text: String,
    rows: Vec<(Table, Row)>,
    parts: Vec<Part>,
    /// Keys and unique values that each payment has of its own.
    fresh: BTreeSet<String>,
}

struct Part {
    name: String,
    uses: Vec<Use>,
}

impl Recorded {
    /// From the file that the runner serves beside the test.
    async fn fetch() -> Self {
        let text = script(
            "",
            "return fetch('/journal.json').then(file => file.text());",
            &[],
        );
        let text = settled(text).await.as_string().expect("a text");
        let read: Value = serde_json::from_str(&text).expect("it is JSON");
        let mut rows = Vec::new();
        for (name, all) in read["rows"].as_object().expect("tables") {
            for found in all.as_array().expect("rows") {
                rows.push((table(name), row(found)));
            }
        }
        let parts: Vec<Part> = read["parts"]
            .as_array()
            .expect("parts")
            .iter()
            .map(|part| Part {
                name: text_of(&part["name"]),
                uses: part["uses"]
                    .as_array()
                    .expect("uses")
                    .iter()
                    .map(used)
                    .collect(),
            })
            .collect();
        let mut fresh = BTreeSet::new();
        for used in parts.iter().flat_map(|part| &part.uses) {
            let Use::Commit(batch) = used else { continue };
            for write in &batch.writes {
                if let Write::Put { row, .. } = write
                    && row.rev == 1
                {
                    fresh.insert(row.key.clone());
                    fresh.extend(row.identity.clone());
                    fresh.extend(row.stamp_key.clone());
                }
            }
        }
        Self {
            text,
            rows,
            parts,
            fresh,
        }
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn table(name: &str) -> Table {
    let found = Table::ALL.into_iter().find(|table| table.name() == name);
    found.expect("it is a table")
}

fn row(value: &Value) -> Row {
    let optional = |name: &str| value[name].as_str().map(str::to_owned);
    let number = |name: &str| value[name].as_u64().expect("a number");
    Row {
        key: text_of(&value["key"]),
        rev: number("rev"),
        open: value["open"] == true,
        group: optional("group"),
        identity: optional("identity"),
        stamp_key: optional("stamp_key"),
        updated: Timestamp::from_nanos(text_of(&value["updated"]).parse().expect("a number")),
        v: number("v").try_into().expect("a version"),
        body: bytes(&value["body"]),
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    from_hex(&text_of(value)).expect("hexadecimal digits")
}

fn used(value: &Value) -> Use {
    let text = |at: usize| text_of(&value[at]);
    let at = |at: usize| table(&text(at));
    match text(0).as_str() {
        "get" => Use::Get(at(1), text(2)),
        "find" => {
            let index = match text(2).as_str() {
                "Identity" => UniqueIndex::Identity,
                "StampKey" => UniqueIndex::StampKey,
                other => panic!("no index is called {other}"),
            };
            Use::Find(at(1), index, text(3))
        }
        "all" => Use::List(at(1), Query::All),
        "open" => Use::List(at(1), Query::Open),
        "group" => Use::List(at(1), Query::Group(text(2))),
        "newest" => {
            let count = value[2].as_u64().expect("a number");
            Use::List(at(1), Query::Newest(count.try_into().expect("it is small")))
        }
        "count" => Use::Count(at(1), text(2)),
        "commit" => Use::Commit(Batch {
            writes: value[1]
                .as_array()
                .expect("writes")
                .iter()
                .map(write)
                .collect(),
            audit: bytes(&value[2]),
        }),
        other => panic!("no use is called {other}"),
    }
}

fn write(value: &Value) -> Write {
    let at = table(&text_of(&value[1]));
    match value[0].as_str() {
        Some("put") => Write::Put {
            table: at,
            expect: Expect::Absent,
            row: row(&value[2]),
        },
        Some("delete") => Write::Delete {
            table: at,
            key: text_of(&value[2]),
            rev: 0,
        },
        _ => panic!("it is no write: {value}"),
    }
}

/// A value as it is called in one run: what each payment has of its own is another in each.
fn called(fresh: &BTreeSet<String>, value: &str, run: usize) -> String {
    if fresh.contains(value) {
        format!("{value} {run}")
    } else {
        value.to_owned()
    }
}

fn row_in(fresh: &BTreeSet<String>, row: &Row, run: usize) -> Row {
    let other = |value: &Option<String>| value.as_ref().map(|value| called(fresh, value, run));
    Row {
        key: called(fresh, &row.key, run),
        identity: other(&row.identity),
        stamp_key: other(&row.stamp_key),
        ..row.clone()
    }
}

/// A grown journal, and what is in it beside what it has grown by.
struct Journal<'a> {
    recorded: &'a Recorded,
    name: String,
    store: IdbStore,
    revs: BTreeMap<(Table, String), u64>,
}

impl<'a> Journal<'a> {
    /// The journal as it was recorded, with so many copies of the payment in it.
    async fn grown(recorded: &'a Recorded, name: &str, copies: u32) -> Self {
        // The schema is the port's.
        let store = IdbStore::new(name);
        assert_eq!(store.get(Table::Intents, "any").await, Ok(None));
        let filled = script(
            "name, text, copies",
            FILL,
            &[&name.into(), &recorded.text.as_str().into(), &copies.into()],
        );
        let lines = settled(filled).await.as_f64().expect("a number");
        let revs = recorded
            .rows
            .iter()
            .map(|(table, row)| ((*table, row.key.clone()), row.rev));
        let journal = Self {
            recorded,
            name: name.to_owned(),
            revs: revs.collect(),
            store,
        };
        for (table, row) in &recorded.rows {
            let read = journal.store.get(*table, &row.key).await;
            assert_eq!(
                read.as_ref(),
                Ok(&Some(row.clone())),
                "it is filled as the port writes"
            );
        }
        console_log!("{copies} copies stored, with {lines} audit lines");
        journal
    }

    /// A payment by a new worker: how long the journal takes for each part of it.
    async fn payment(&mut self, run: usize) -> Vec<f64> {
        self.store = IdbStore::new(&self.name);
        let mut times = Vec::new();
        for part in &self.recorded.parts {
            let start = now();
            for used in &part.uses {
                self.repeat(used, run).await;
            }
            times.push(now() - start);
        }
        self.forget().await;
        times
    }

    async fn repeat(&mut self, used: &Use, run: usize) {
        let called = |value: &str| called(&self.recorded.fresh, value, run);
        let read = match used {
            Use::Get(table, key) => self.store.get(*table, &called(key)).await.map(drop),
            Use::Find(table, index, value) => {
                let value = called(value);
                let found = self.store.find(*table, *index, &value);
                found.await.map(drop)
            }
            Use::List(table, query) => self.store.list(*table, query.clone()).await.map(drop),
            Use::Count(table, group) => self.store.count(*table, group).await.map(drop),
            Use::Commit(batch) => {
                self.commit(batch, run).await;
                Ok(())
            }
        };
        read.expect("the journal can be read");
    }

    async fn commit(&mut self, batch: &Batch, run: usize) {
        let mut next = self.revs.clone();
        let writes = batch.writes.iter().map(|write| match write {
            Write::Put { table, row, .. } => {
                let mut row = row_in(&self.recorded.fresh, row, run);
                let rev = next.entry((*table, row.key.clone())).or_default();
                let expect = match *rev {
                    0 => Expect::Absent,
                    held => Expect::Rev(held),
                };
                *rev += 1;
                row.rev = *rev;
                Write::Put {
                    table: *table,
                    expect,
                    row,
                }
            }
            Write::Delete { table, key, .. } => {
                let key = called(&self.recorded.fresh, key, run);
                let rev = next.remove(&(*table, key.clone()));
                Write::Delete {
                    table: *table,
                    key,
                    rev: rev.expect("it is there"),
                }
            }
        });
        let writes = writes.collect();
        let audit = batch.audit.clone();
        let stored = self.store.commit(Batch { writes, audit }).await;
        stored.expect("it is stored");
        self.revs = next;
    }

    /// Removes what the last payment had of its own: the next finds as many rows.
    async fn forget(&mut self) {
        let kept: BTreeSet<(Table, &str)> = self
            .recorded
            .rows
            .iter()
            .map(|(table, row)| (*table, row.key.as_str()))
            .collect();
        let (held, own): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.revs)
            .into_iter()
            .partition(|((table, key), _)| kept.contains(&(*table, key.as_str())));
        self.revs = held;
        let writes = own
            .into_iter()
            .map(|((table, key), rev)| Write::Delete { table, key, rev });
        let (writes, audit) = (writes.collect(), Vec::new());
        let removed = self.store.commit(Batch { writes, audit }).await;
        removed.expect("they are removed");
    }
}

/// Puts the recorded rows into the tables that the port has made, and the copies. Gives the number
/// of audit lines.
const FILL: &str = "
    const bytes = text => Uint8Array.from(text.match(/../g) ?? [], one => parseInt(one, 16));
    const stored = row => {
      const object = { key: row.key, rev: row.rev, updated: row.updated.padStart(20, '0'),
        v: row.v, body: bytes(row.body) };
      if (row.open) object.open = 1;
      for (const name of ['group', 'identity', 'stamp_key'])
        if (row[name] !== null) object[name] = row[name];
      return object;
    };
    return (async () => {
      const rows = JSON.parse(text).rows;
      const database = await new Promise((done, failed) => {
        const open = indexedDB.open(name);
        open.onsuccess = () => done(open.result);
        open.onerror = () => failed(open.error);
      });
      const putting = (tables, put) => new Promise((done, failed) => {
        const writing = database.transaction(tables, 'readwrite', { durability: 'relaxed' });
        put(table => writing.objectStore(table));
        writing.oncomplete = () => done();
        writing.onabort = () => failed(writing.error);
      });
      const tables = Object.keys(rows);
      await putting(tables, store => {
        for (const table of tables) for (const row of rows[table]) store(table).put(stored(row));
      });
      const [paid] = rows.intents.map(stored);
      const audit = rows.audit.map(stored);
      const its = audit.filter(line => new TextDecoder().decode(line.body).includes(paid.key));
      let number = Number(audit.at(-1).key);
      for (let from = 1; from <= copies; from += 5000) {
        await putting(['intents', 'audit'], store => {
          for (let n = from; n < from + 5000 && n <= copies; n += 1) {
            const updated = `${BigInt(paid.updated) - BigInt(n) * 1000000000n}`.padStart(20, '0');
            const key = n.toString(16).padStart(32, '0');
            const copy = { ...paid, key, updated };
            // Hashes lie anywhere in their index.
            for (const name of ['identity', 'stamp_key'])
              if (name in paid)
                copy[name] = [...crypto.getRandomValues(new Uint8Array(32))]
                  .map(one => one.toString(16).padStart(2, '0')).join('');
            store('intents').put(copy);
            for (const line of its) {
              number += 1;
              store('audit').put({ ...line, key: `${number}`.padStart(16, '0') });
            }
          }
        });
      }
      database.close();
      return number;
    })();";

/// Tables into which rows are put without a look.
struct Bare {
    database: JsValue,
}

impl Bare {
    async fn of_journal(name: &str) -> Self {
        let body = "return new Promise((done, failed) => {
              const open = indexedDB.open(name);
              open.onsuccess = () => done(open.result);
              open.onerror = () => failed(open.error);
            });";
        let database = settled(script("name", body, &[&name.into()])).await;
        Self { database }
    }

    async fn without_indexes() -> Self {
        let body = "return new Promise((done, failed) => {
              const open = indexedDB.open('bare', 1);
              open.onupgradeneeded = () => {
                for (const name of names) open.result.createObjectStore(name, { keyPath: 'key' });
              };
              open.onsuccess = () => done(open.result);
              open.onerror = () => failed(open.error);
            });";
        let names: Array = Table::ALL
            .iter()
            .map(|table| JsValue::from(table.name()))
            .collect();
        let database = settled(script("names", body, &[&names])).await;
        Self { database }
    }

    /// How long a strict transaction takes that puts the rows of a batch and its line.
    async fn put(&self, name: &str, batch: &Batch, fresh: &BTreeSet<String>, run: usize) -> f64 {
        let puts = Array::new();
        // Beside the journal's own rows, which it still counts the revisions of.
        let put = |table: Table, row: Row| {
            let row = Row {
                key: format!("{} bare", row.key),
                identity: row.identity.map(|value| format!("{value} bare")),
                stamp_key: row.stamp_key.map(|value| format!("{value} bare")),
                ..row
            };
            puts.push(&Array::of2(&table.name().into(), &object(&row)));
        };
        for write in &batch.writes {
            match write {
                Write::Put { table, row, .. } => put(*table, row_in(fresh, row, run)),
                Write::Delete { .. } => panic!("nothing is deleted here"),
            }
        }
        let line = Row {
            // Before every line of the journal, whose next number follows its last.
            key: format!("- {name} {run}"),
            rev: 1,
            open: false,
            group: None,
            identity: None,
            stamp_key: None,
            updated: Timestamp::default(),
            v: 1,
            body: batch.audit.clone(),
        };
        put(Table::Audit, line);
        let body = "const tables = [...new Set(puts.map(([table]) => table))];
            const start = performance.now();
            return new Promise((done, failed) => {
              const writing = database.transaction(tables, 'readwrite', { durability: 'strict' });
              writing.oncomplete = () => done(performance.now() - start);
              writing.onabort = () => failed(writing.error);
              for (const [table, row] of puts) writing.objectStore(table).put(row);
              writing.commit();
            });";
        let took = settled(script("database, puts", body, &[&self.database, &puts])).await;
        took.as_f64().expect("a number")
    }
}

/// A row as the port stores it.
fn object(row: &Row) -> JsValue {
    let stored = Object::new();
    let set = |name: &str, value: &JsValue| {
        Reflect::set(&stored, &name.into(), value).expect("it is a plain object");
    };
    set("key", &row.key.as_str().into());
    set(
        "rev",
        &(u32::try_from(row.rev).expect("it is small")).into(),
    );
    set("updated", &format!("{:020}", row.updated.as_nanos()).into());
    set("v", &row.v.into());
    set("body", &Uint8Array::from(row.body.as_slice()));
    if row.open {
        set("open", &1.into());
    }
    for (name, value) in [
        ("group", &row.group),
        ("identity", &row.identity),
        ("stamp_key", &row.stamp_key),
    ] {
        if let Some(value) = value {
            set(name, &value.as_str().into());
        }
    }
    stored.into()
}
