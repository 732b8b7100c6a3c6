//! A journal that has grown for years is as quick as a young one: no path of a call reads more rows.

use countersign_scenarios::grown::{GROWN, payment};

/// The rows that each part of a payment reads with so many others stored.
fn rows_read(copies: u32) -> Vec<(&'static str, u64)> {
    let (mut parts, mut before) = (Vec::new(), 0);
    payment(copies, |stage, part| {
        if part == GROWN {
            assert_eq!(stage.intents(), copies as usize + 1);
        } else {
            parts.push((part, stage.world.memory().rows_read() - before));
        }
        before = stage.world.memory().rows_read();
    });
    parts
}

#[test]
fn with_a_hundred_thousand_stored_calls_each_path_reads_as_many_rows_as_with_a_hundred() {
    let few = rows_read(100);
    assert!(few.iter().all(|(_, rows)| *rows > 0), "{few:?}");
    assert_eq!(rows_read(100_000), few);
}
