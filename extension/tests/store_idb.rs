//! The journal in IndexedDB, inside a service worker: the suite that every journal must pass, and
//! what only a database in a browser can do.
#![cfg(target_arch = "wasm32")]

use countersign_core::ports::store::{
    Batch, CommitError, Expect, Query, Row, Store as _, StoreError, Table, UniqueIndex, Write,
};
use countersign_core::time::Timestamp;
use countersign_extension::ports::IdbStore;
use js_sys::{Array, Function, Promise, Reflect};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_service_worker);

thread_local! {
    static NAMES: Cell<u32> = const { Cell::new(0) };
}

/// A name that no other database has.
fn name() -> String {
    let number = NAMES.replace(NAMES.get() + 1);
    format!("test-{number}-{}", js_sys::Math::random())
}

async fn fresh() -> IdbStore {
    IdbStore::new(&name())
}

countersign_core::store_suite!(async fresh, wasm_bindgen_test);

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

fn row(key: &str) -> Row {
    Row {
        key: key.to_owned(),
        rev: 1,
        open: false,
        group: None,
        identity: None,
        stamp_key: None,
        updated: Timestamp::from_nanos(1),
        v: 1,
        body: vec![1, 2, 3],
    }
}

fn adding(row: Row) -> Batch {
    let (table, expect) = (Table::Intents, Expect::Absent);
    Batch {
        writes: vec![Write::Put { table, expect, row }],
        audit: b"line".to_vec(),
    }
}

/// Wraps `IDBDatabase.prototype.transaction` and records, for each transaction of the database, its
/// tables, mode and durability, and how it ended.
fn recorder(database: &str) -> Array {
    let body = "const seen = [];
        const original = IDBDatabase.prototype.transaction;
        IDBDatabase.prototype.transaction = function (tables, mode, options) {
          const transaction = original.call(this, tables, mode, options);
          if (this.name === name) {
            const one = { tables: [].concat(tables).join(), mode: transaction.mode,
              durability: options?.durability, end: 'none', db: this };
            for (const end of ['complete', 'abort'])
              transaction.addEventListener(end, () => (one.end = end));
            seen.push(one);
          }
          return transaction;
        };
        return seen;";
    script("name", body, &[&database.into()]).into()
}

fn property(value: &JsValue, name: &str) -> String {
    Reflect::get(value, &name.into())
        .ok()
        .and_then(|value| value.as_string())
        .unwrap_or_default()
}

#[wasm_bindgen_test]
async fn each_commit_is_one_strict_transaction_and_answered_after_it_is_complete() {
    let name = name();
    let store = IdbStore::new(&name);
    let seen = recorder(&name);
    for key in ["a", "b", "c"] {
        let before = seen.length();
        store.commit(adding(row(key))).await.expect("stored");
        assert_eq!(seen.length(), before + 1, "one transaction a commit");
        let transaction = seen.get(before);
        assert_eq!(property(&transaction, "end"), "complete");
        assert_eq!(property(&transaction, "mode"), "readwrite");
        assert_eq!(property(&transaction, "durability"), "strict");
        assert_eq!(property(&transaction, "tables"), "audit,intents");
    }
    let before = seen.length();
    let refused = store.commit(adding(row("a"))).await;
    assert!(matches!(refused, Err(CommitError::Conflict { .. })));
    assert_ne!(property(&seen.get(before), "end"), "complete");
}

#[wasm_bindgen_test]
async fn two_handles_of_one_database_are_one_journal() {
    let name = name();
    let (one, other) = (IdbStore::new(&name), IdbStore::new(&name));
    let held = |key| Row {
        identity: Some("i".to_owned()),
        ..row(key)
    };
    one.commit(adding(held("a"))).await.expect("stored");
    let read = other.get(Table::Intents, "a").await;
    assert_eq!(read, Ok(Some(held("a"))));
    let (table, index) = (Table::Intents, UniqueIndex::Identity);
    let second = other.commit(adding(held("b"))).await;
    assert_eq!(second, Err(CommitError::Taken { table, index }));
}

#[wasm_bindgen_test]
async fn of_many_writers_at_once_one_is_stored() {
    let store = Rc::new(fresh().await);
    let ended: Rc<RefCell<Vec<Result<(), CommitError>>>> = Rc::default();
    let all = Array::new();
    for key in ["a", "b", "c", "d"] {
        let (store, ended) = (Rc::clone(&store), Rc::clone(&ended));
        let held = Row {
            identity: Some("i".to_owned()),
            ..row(key)
        };
        all.push(&future_to_promise(async move {
            let stored = store.commit(adding(held)).await;
            ended.borrow_mut().push(stored);
            Ok(JsValue::UNDEFINED)
        }));
    }
    settled(Promise::all(&all).into()).await;
    let (table, index) = (Table::Intents, UniqueIndex::Identity);
    let taken = Err(CommitError::Taken { table, index });
    let ends = [Ok(()), taken.clone(), taken.clone(), taken];
    assert_eq!(*ended.borrow(), ends);
    let lines = store.list(Table::Audit, Query::All).await;
    assert_eq!(lines.map(|lines| lines.len()), Ok(1));
}

#[wasm_bindgen_test]
async fn a_journal_of_a_later_version_is_refused_and_left_as_it_is() {
    let name = name();
    let body = "return new Promise((done, failed) => {
          const open = indexedDB.open(name, 1000);
          open.onupgradeneeded = () => open.result.createObjectStore('later');
          open.onsuccess = () => { open.result.close(); done(); };
          open.onerror = () => failed(open.error);
        });";
    settled(script("name", body, &[&name.as_str().into()])).await;
    let store = IdbStore::new(&name);
    let read = store.get(Table::Intents, "a").await;
    assert_eq!(read, Err(StoreError::Newer));
    let written = store.commit(adding(row("a"))).await;
    assert_eq!(written, Err(CommitError::Store(StoreError::Newer)));
    let body = "return indexedDB.databases().then(
          all => all.find(one => one.name === name).version);";
    let version = settled(script("name", body, &[&name.into()])).await;
    assert_eq!(version.as_f64(), Some(1000.0));
}

/// The journal of version 1, as it was released: the first twelve tables, each with these indexes.
#[wasm_bindgen_test]
async fn a_journal_of_the_first_version_is_taken_over_with_all_that_is_in_it() {
    let (new, old) = (name(), name());
    let store = IdbStore::new(&new);
    store.commit(adding(row("a"))).await.expect("stored");
    let body = "const opened = (name, version, upgrade) => new Promise((done, failed) => {
          const open = indexedDB.open(name, version);
          open.onupgradeneeded = () => upgrade(open.result);
          open.onsuccess = () => done(open.result);
          open.onerror = () => failed(open.error);
        });
        return (async () => {
          const from = await opened(fresh);
          const held = await new Promise(done => {
            const all = from.transaction('intents').objectStore('intents').getAll();
            all.onsuccess = () => done(all.result);
          });
          from.close();
          const tables = ['intents', 'calls', 'floors', 'sites', 'connects', 'canisters',
            'interfaces', 'networks', 'accounts', 'windows', 'settings', 'audit'];
          const to = await opened(first, 1, database => {
            for (const table of tables) {
              const store = database.createObjectStore(table, { keyPath: 'key' });
              for (const name of ['open', 'group', 'identity', 'stamp_key', 'updated'])
                store.createIndex(name, name, { unique: ['identity', 'stamp_key'].includes(name) });
            }
          });
          const writing = to.transaction('intents', 'readwrite');
          for (const row of held) writing.objectStore('intents').put(row);
          await new Promise(done => { writing.oncomplete = done; });
          to.close();
          return held.length;
        })();";
    let names = [&new.as_str().into(), &old.as_str().into()];
    let held = settled(script("fresh, first", body, &names)).await;
    assert_eq!(held.as_f64(), Some(1.0));
    let store = IdbStore::new(&old);
    assert_eq!(store.get(Table::Intents, "a").await, Ok(Some(row("a"))));
    let grouped = Row {
        group: Some("g".to_owned()),
        ..row("b")
    };
    let batch = Batch {
        writes: vec![Write::Put {
            table: Table::Dealings,
            expect: Expect::Absent,
            row: grouped.clone(),
        }],
        audit: Vec::new(),
    };
    store.commit(batch).await.expect("stored");
    let found = store
        .list(Table::Dealings, Query::Group("g".to_owned()))
        .await;
    assert_eq!(found, Ok(vec![grouped]));
}

#[wasm_bindgen_test]
async fn a_journal_that_is_deleted_is_not_made_again_by_the_same_worker() {
    let name = name();
    let store = IdbStore::new(&name);
    store.commit(adding(row("a"))).await.expect("stored");
    let body = "return new Promise((done, failed) => {
          const request = indexedDB.deleteDatabase(name);
          request.onsuccess = () => done();
          request.onerror = () => failed(request.error);
        });";
    settled(script("name", body, &[&name.into()])).await;
    let read = store.get(Table::Intents, "a").await;
    assert_eq!(read, Err(StoreError::Unavailable));
    let written = store.commit(adding(row("a"))).await;
    assert_eq!(written, Err(CommitError::Store(StoreError::Unavailable)));
}

#[wasm_bindgen_test]
async fn a_connection_that_the_browser_closes_stays_closed() {
    let name = name();
    let store = IdbStore::new(&name);
    let seen = recorder(&name);
    assert_eq!(store.get(Table::Intents, "a").await, Ok(None));
    let body = "one.db.dispatchEvent(new Event('close'))";
    script("one", body, &[&seen.get(0)]);
    let read = store.get(Table::Intents, "a").await;
    assert_eq!(read, Err(StoreError::Unavailable));
}

/// How a commit ends that goes through `tamper(transaction, commit)` instead of
/// `IDBTransaction.prototype.commit`, and whether its row is there afterwards.
async fn tampered(tamper: &str) -> (Result<(), CommitError>, bool) {
    let name = name();
    let store = IdbStore::new(&name);
    assert_eq!(store.get(Table::Intents, "a").await, Ok(None));
    let tamper = Function::new_with_args("transaction, commit", tamper);
    let body = "const original = IDBTransaction.prototype.commit;
        IDBTransaction.prototype.commit = function () {
          if (this.db.name === name) tamper(this, () => original.call(this));
          else original.call(this);
        };";
    script("name, tamper", body, &[&name.as_str().into(), &tamper]);
    let ended = store.commit(adding(row("a"))).await;
    let there = store.get(Table::Intents, "a").await.expect("read");
    (ended, there.is_some())
}

#[wasm_bindgen_test]
async fn a_transaction_that_is_aborted_at_its_end_is_not_called_stored() {
    let (ended, there) = tampered("transaction.abort()").await;
    assert_eq!(ended, Err(CommitError::OutcomeUnknown));
    assert!(!there);
}

#[wasm_bindgen_test]
async fn a_commit_that_says_it_failed_but_did_not_is_of_unknown_outcome() {
    let (ended, there) = tampered("commit(); throw new Error('after all')").await;
    assert_eq!(ended, Err(CommitError::OutcomeUnknown));
    assert!(there);
}

#[wasm_bindgen_test]
async fn a_full_disk_is_told_as_such_and_writes_nothing() {
    let full = "const full = new DOMException('no room', 'QuotaExceededError');
        Object.defineProperty(transaction, 'error', { get: () => full });
        transaction.abort();";
    let (ended, there) = tampered(full).await;
    assert_eq!(ended, Err(CommitError::Full));
    assert!(!there);
}
