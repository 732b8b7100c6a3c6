//! What every journal must do, as plain functions that each backend runs.
//!
//! A backend stamps the suite with [`store_suite!`](crate::store_suite); so the same cases run on
//! memory natively and on IndexedDB inside a service worker.

use crate::ports::store::{
    Batch, CommitError, Expect, Query, Row, Store, Table, UniqueIndex, Write,
};
use crate::time::Timestamp;

fn row(key: &str, rev: u64) -> Row {
    Row {
        key: key.to_owned(),
        rev,
        open: false,
        group: None,
        identity: None,
        stamp_key: None,
        updated: Timestamp::from_nanos(1_791_547_201_000_000_000),
        v: 1,
        body: format!("body of {key} at {rev}").into_bytes(),
    }
}

fn add(row: Row) -> Write {
    Write::Put {
        table: Table::Intents,
        expect: Expect::Absent,
        row,
    }
}

fn change(expected: u64, row: Row) -> Write {
    Write::Put {
        table: Table::Intents,
        expect: Expect::Rev(expected),
        row,
    }
}

fn batch(writes: Vec<Write>) -> Batch {
    Batch {
        writes,
        audit: b"line".to_vec(),
    }
}

async fn keys(store: &impl Store, query: Query) -> Vec<String> {
    let rows = store
        .list(Table::Intents, query)
        .await
        .expect("the journal can be read");
    rows.into_iter().map(|row| row.key).collect()
}

/// A row comes back as it was stored, bodies of any bytes and full 64-bit times included.
pub async fn gives_back_what_was_stored(store: impl Store) {
    let mut whole = row("a", 1);
    whole.open = true;
    whole.group = Some("https://shop.example".to_owned());
    whole.identity = Some("identity".to_owned());
    whole.stamp_key = Some("stamp".to_owned());
    whole.updated = Timestamp::from_nanos(u64::MAX);
    whole.v = u16::MAX;
    whole.body = (0..=255).collect();
    store
        .commit(batch(vec![add(whole.clone())]))
        .await
        .expect("stored");
    assert_eq!(store.get(Table::Intents, "a").await, Ok(Some(whole)));
    assert_eq!(store.get(Table::Intents, "b").await, Ok(None));
    assert_eq!(store.get(Table::Calls, "a").await, Ok(None));
}

/// Absent means absent: a second row with the key is a conflict and changes nothing.
pub async fn refuses_a_key_that_is_there(store: impl Store) {
    store
        .commit(batch(vec![add(row("a", 1))]))
        .await
        .expect("stored");
    let again = store
        .commit(batch(vec![add(Row {
            body: vec![],
            ..row("a", 1)
        })]))
        .await;
    assert_eq!(
        again,
        Err(CommitError::Conflict {
            table: Table::Intents,
            key: "a".to_owned()
        })
    );
    assert_eq!(store.get(Table::Intents, "a").await, Ok(Some(row("a", 1))));
}

/// Of two writers that read one revision, the second loses.
pub async fn the_second_writer_of_a_revision_loses(store: impl Store) {
    store
        .commit(batch(vec![add(row("a", 1))]))
        .await
        .expect("stored");
    store
        .commit(batch(vec![change(1, row("a", 2))]))
        .await
        .expect("the first writer wins");
    let second = store.commit(batch(vec![change(1, row("a", 2))])).await;
    assert!(matches!(second, Err(CommitError::Conflict { .. })));
    assert_eq!(store.get(Table::Intents, "a").await, Ok(Some(row("a", 2))));
}

/// A revision that does not follow the expected one is refused.
pub async fn a_revision_follows_the_last(store: impl Store) {
    let skipped = store.commit(batch(vec![add(row("a", 2))])).await;
    assert!(matches!(skipped, Err(CommitError::Conflict { .. })));
    store
        .commit(batch(vec![add(row("a", 1))]))
        .await
        .expect("stored");
    let same = store.commit(batch(vec![change(1, row("a", 1))])).await;
    assert!(matches!(same, Err(CommitError::Conflict { .. })));
    let missing = store.commit(batch(vec![change(1, row("b", 2))])).await;
    assert!(matches!(missing, Err(CommitError::Conflict { .. })));
}

/// A batch whose last write fails leaves no trace of its first, nor of its audit line.
pub async fn a_batch_happens_whole_or_not_at_all(store: impl Store) {
    store
        .commit(batch(vec![add(row("a", 1))]))
        .await
        .expect("stored");
    let half = batch(vec![
        change(1, row("a", 2)),
        add(row("b", 1)),
        change(7, row("c", 8)),
    ]);
    assert!(store.commit(half).await.is_err());
    assert_eq!(store.get(Table::Intents, "a").await, Ok(Some(row("a", 1))));
    assert_eq!(store.get(Table::Intents, "b").await, Ok(None));
    let lines = store
        .list(Table::Audit, Query::All)
        .await
        .expect("the journal can be read");
    assert_eq!(lines.len(), 1);
}

/// Two rows never share an identity or a stamp, in one batch or in two.
pub async fn unique_indexes_are_unique(store: impl Store) {
    let with = |key: &str, identity: &str, stamp: &str| Row {
        identity: Some(identity.to_owned()),
        stamp_key: Some(stamp.to_owned()),
        ..row(key, 1)
    };
    store
        .commit(batch(vec![add(with("a", "i", "s"))]))
        .await
        .expect("stored");
    let taken = |index| {
        Err(CommitError::Taken {
            table: Table::Intents,
            index,
        })
    };
    let same_identity = store.commit(batch(vec![add(with("b", "i", "t"))])).await;
    assert_eq!(same_identity, taken(UniqueIndex::Identity));
    let same_stamp = store.commit(batch(vec![add(with("b", "j", "s"))])).await;
    assert_eq!(same_stamp, taken(UniqueIndex::StampKey));
    let both_new = batch(vec![add(with("b", "k", "u")), add(with("c", "k", "v"))]);
    assert_eq!(store.commit(both_new).await, taken(UniqueIndex::Identity));
    assert_eq!(keys(&store, Query::All).await, ["a"]);
}

/// A row that gives its identity up leaves it to another, in the same batch too.
pub async fn an_identity_given_up_can_be_taken(store: impl Store) {
    let held = |key: &str, rev| Row {
        identity: Some("i".to_owned()),
        ..row(key, rev)
    };
    store
        .commit(batch(vec![add(held("a", 1))]))
        .await
        .expect("stored");
    let hand_on = batch(vec![change(1, row("a", 2)), add(held("b", 1))]);
    store.commit(hand_on).await.expect("handed on");
    let found = store.find(Table::Intents, UniqueIndex::Identity, "i").await;
    assert_eq!(
        found
            .expect("the journal can be read")
            .map(|row| row.key)
            .as_deref(),
        Some("b")
    );
}

/// Rows are found by identity and by stamp, each in its own index.
pub async fn finds_by_a_unique_index(store: impl Store) {
    let held = Row {
        identity: Some("x".to_owned()),
        stamp_key: Some("y".to_owned()),
        ..row("a", 1)
    };
    store
        .commit(batch(vec![add(held.clone())]))
        .await
        .expect("stored");
    let find = |index, value| store.find(Table::Intents, index, value);
    assert_eq!(
        find(UniqueIndex::Identity, "x").await,
        Ok(Some(held.clone()))
    );
    assert_eq!(find(UniqueIndex::StampKey, "y").await, Ok(Some(held)));
    assert_eq!(find(UniqueIndex::Identity, "y").await, Ok(None));
    assert_eq!(find(UniqueIndex::StampKey, "x").await, Ok(None));
}

/// Lists hold what they say, in the order of the keys.
pub async fn lists_by_index(store: impl Store) {
    let of = |key: &str, open, group: Option<&str>| {
        add(Row {
            open,
            group: group.map(str::to_owned),
            ..row(key, 1)
        })
    };
    let writes = vec![
        of("c", true, Some("g")),
        of("a", false, Some("g")),
        of("b", true, Some("h")),
        of("d", false, None),
    ];
    store.commit(batch(writes)).await.expect("stored");
    assert_eq!(keys(&store, Query::All).await, ["a", "b", "c", "d"]);
    assert_eq!(keys(&store, Query::Open).await, ["b", "c"]);
    assert_eq!(keys(&store, Query::Group("g".to_owned())).await, ["a", "c"]);
    assert_eq!(keys(&store, Query::Group("x".to_owned())).await, [""; 0]);
    assert_eq!(store.count(Table::Intents, "g").await, Ok(2));
    assert_eq!(store.count(Table::Intents, "x").await, Ok(0));
}

/// The newest rows are those written last, whatever their keys.
pub async fn lists_the_newest(store: impl Store) {
    let at = |key: &str, nanos| {
        add(Row {
            updated: Timestamp::from_nanos(nanos),
            ..row(key, 1)
        })
    };
    let big = u64::MAX;
    store
        .commit(batch(vec![
            at("a", 5),
            at("b", big),
            at("c", 7),
            at("d", big - 1),
        ]))
        .await
        .expect("stored");
    assert_eq!(keys(&store, Query::Newest(3)).await, ["b", "d", "c"]);
    assert_eq!(keys(&store, Query::Newest(9)).await, ["b", "d", "c", "a"]);
    assert_eq!(keys(&store, Query::Newest(0)).await, [""; 0]);
}

/// Indexes follow the row: an index it left no longer lists it.
pub async fn indexes_follow_the_row(store: impl Store) {
    let opened = Row {
        open: true,
        group: Some("g".to_owned()),
        ..row("a", 1)
    };
    store
        .commit(batch(vec![add(opened)]))
        .await
        .expect("stored");
    let moved = Row {
        group: Some("h".to_owned()),
        ..row("a", 2)
    };
    store
        .commit(batch(vec![change(1, moved)]))
        .await
        .expect("stored");
    assert_eq!(keys(&store, Query::Open).await, [""; 0]);
    assert_eq!(keys(&store, Query::Group("g".to_owned())).await, [""; 0]);
    assert_eq!(keys(&store, Query::Group("h".to_owned())).await, ["a"]);
}

/// A row is removed only at the revision that was read.
pub async fn removes_only_the_revision_it_read(store: impl Store) {
    let remove = |rev| {
        batch(vec![Write::Delete {
            table: Table::Intents,
            key: "a".to_owned(),
            rev,
        }])
    };
    assert!(matches!(
        store.commit(remove(1)).await,
        Err(CommitError::Conflict { .. })
    ));
    store
        .commit(batch(vec![add(row("a", 1))]))
        .await
        .expect("stored");
    assert!(matches!(
        store.commit(remove(2)).await,
        Err(CommitError::Conflict { .. })
    ));
    store.commit(remove(1)).await.expect("removed");
    assert_eq!(store.get(Table::Intents, "a").await, Ok(None));
}

/// Each commit with a line adds exactly one to the audit log, in order; one without adds none.
pub async fn each_commit_adds_its_audit_line(store: impl Store) {
    for (key, line) in [("a", "first"), ("b", "second"), ("c", "")] {
        let writes = vec![add(row(key, 1))];
        let audit = line.as_bytes().to_vec();
        store.commit(Batch { writes, audit }).await.expect("stored");
    }
    let lines = store
        .list(Table::Audit, Query::All)
        .await
        .expect("the journal can be read");
    let lines: Vec<Vec<u8>> = lines.into_iter().map(|row| row.body).collect();
    assert_eq!(lines, [b"first".to_vec(), b"second".to_vec()]);
}

/// Every table exists and is apart from the others.
pub async fn every_table_is_there(store: impl Store) {
    for table in Table::ALL {
        if table == Table::Audit {
            continue;
        }
        let write = Write::Put {
            table,
            expect: Expect::Absent,
            row: row(table.name(), 1),
        };
        store.commit(batch(vec![write])).await.expect("stored");
    }
    for table in Table::ALL {
        let rows = store
            .list(table, Query::All)
            .await
            .expect("the journal can be read");
        assert_eq!(
            rows.len(),
            if table == Table::Audit {
                Table::ALL.len() - 1
            } else {
                1
            }
        );
    }
}

/// Stamps one test for each case of the suite: `store_suite!(make, run)`, where `make().await` is a
/// fresh, empty store and `run(future)` runs a case to its end. `store_suite!(async make, attribute)`
/// puts the attribute in place of `test` and makes the cases `async`, for runners that await.
#[macro_export]
macro_rules! store_suite {
    (@cases $kind:ident, $make:path, $with:tt $($rest:tt)*) => {
        $crate::store_suite!(@each $kind [$make] [$with $($rest)*]
            gives_back_what_was_stored
            refuses_a_key_that_is_there
            the_second_writer_of_a_revision_loses
            a_revision_follows_the_last
            a_batch_happens_whole_or_not_at_all
            unique_indexes_are_unique
            an_identity_given_up_can_be_taken
            finds_by_a_unique_index
            lists_by_index
            lists_the_newest
            indexes_follow_the_row
            removes_only_the_revision_it_read
            each_commit_adds_its_audit_line
            every_table_is_there
        );
    };
    (@each sync [$make:path] [$run:path] $($case:ident)*) => {
        $(
            #[test]
            fn $case() {
                $run(async { $crate::testing::store_suite::$case($make().await).await });
            }
        )*
    };
    (@each async [$make:path] [$attribute:meta] $($case:ident)*) => {
        $(
            #[$attribute]
            async fn $case() {
                $crate::testing::store_suite::$case($make().await).await;
            }
        )*
    };
    (async $make:path, $attribute:meta) => {
        $crate::store_suite!(@cases async, $make, $attribute);
    };
    ($make:path, $run:path) => {
        $crate::store_suite!(@cases sync, $make, $run);
    };
}
