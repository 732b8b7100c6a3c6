//! Replies: bytes whose types or values are many, deep or long.

use super::{HIDDEN, Hostile, LEDGER, MEBIBYTE, Verdict, canister, plain_all_over, plans_of};
use crate::random::types::Label;
use countersign_core::interface::Interface;

/// Bytes that shall be of a type, decoded.
fn bytes(name: &str, ty: &'static str, bytes: impl Fn() -> Vec<u8> + 'static) -> Hostile {
    Hostile::new(format!("reply: {name}"), move || {
        let bytes = bytes();
        let text = format!("type A = {ty}; service : {{ m : () -> (A) query }}");
        let interface = Interface::parse(&text).expect("a sound type");
        let tuple = interface.results("m").expect("it has the method");
        Box::new(move || match tuple.decode(&bytes) {
            Err(error) => Verdict::Refused(error.code().to_owned()),
            Ok(_) => Verdict::Harm("it was decoded".to_owned()),
        })
    })
}

/// A reply that a ledger's method gives, read and classed as tools do.
fn reply(name: &str, method: &'static str, bytes: impl Fn() -> Vec<u8> + 'static) -> Hostile {
    Hostile::new(format!("reply of {method}: {name}"), move || {
        let bytes = bytes();
        let plans = plans_of(LEDGER);
        let plan = plans.plans[method].clone();
        Box::new(move || {
            let read = plan.read_reply(&canister(), &bytes);
            let classed = plan.classify(&canister(), &bytes);
            match (read, classed) {
                (Err(_), Err(_)) => Verdict::Refused("E_CANDID".to_owned()),
                (Ok(shown), Ok(classed)) => match plain_all_over([shown, classed.details]) {
                    Ok(()) => Verdict::Harmless("it is shown, what is hidden escaped"),
                    Err(harm) => harm,
                },
                (read, _) => Verdict::Harm(format!("read and classed differently: {read:?}")),
            }
        })
    })
}

/// A sound reply of many members of a kind, whose names are `m0`, `m1`, …
fn large(name: &str, kind: &'static str, bytes: impl Fn() -> Vec<u8> + 'static) -> Hostile {
    Hostile::new(format!("reply: {name}"), move || {
        let bytes = bytes();
        let count = if kind == "record" { 9_000 } else { 5_000 };
        let members: String = (0..count).map(|n| format!("m{n} : nat; ")).collect();
        let plans = plans_of(&format!(
            "service : {{ m : () -> ({kind} {{ {members} }}) query }}"
        ));
        let plan = plans.plans["m"].clone();
        Box::new(move || match plan.read_reply(&canister(), &bytes) {
            Ok(shown) => match plain_all_over([shown]) {
                Ok(()) => Verdict::Harmless("it is shown"),
                Err(harm) => harm,
            },
            Err(_) => Verdict::Refused("E_CANDID".to_owned()),
        })
    })
}

/// The numbers of the labels `m0`, `m1`, …, in rising order.
fn ids(count: usize) -> Vec<usize> {
    let id = |n| Label::Named(format!("m{n}")).id();
    let mut ids: Vec<u32> = (0..count).map(id).collect();
    ids.sort_unstable();
    ids.into_iter().map(|id| id as usize).collect()
}

/// A message of these parts: a type table, and the types and values of the arguments.
fn message(parts: &[&[u8]]) -> Vec<u8> {
    [b"DIDL".as_slice(), &parts.concat()].concat()
}

fn leb(mut number: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
    out
}

/// A number from 0 on, as a signed one is written.
fn sleb(mut number: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while number >= 0x40 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
    out
}

/// 2³² elements.
const MANY: &[u8] = b"\x80\x80\x80\x80\x10";

pub(super) fn all() -> Vec<Hostile> {
    let mut all = vec![
        bytes("2³² of `null`", "vec null", || {
            message(&[b"\x01\x6d\x7f\x01\x00", MANY])
        }),
        bytes("2³² of `reserved`", "vec reserved", || {
            message(&[b"\x01\x6d\x70\x01\x00", MANY])
        }),
        bytes("2³² of `null` for `reserved`", "reserved", || {
            message(&[b"\x01\x6d\x7f\x01\x00", MANY])
        }),
        bytes(
            "2³² of `null` for an option that lacks it",
            "opt nat",
            || message(&[b"\x01\x6d\x7f\x01\x00", MANY]),
        ),
        bytes("2³² of `record {}`", "vec record {}", || {
            message(&[b"\x02\x6d\x01\x6c\x00\x01\x00", MANY])
        }),
        bytes(
            "a million lists of a million `null`",
            "vec vec null",
            || {
                let inner = leb(1_000_000).repeat(100_000);
                message(&[b"\x02\x6d\x01\x6d\x7f\x01\x00", &leb(100_000), &inner])
            },
        ),
        bytes(
            "records of nothing that double 300 times",
            "reserved",
            || {
                let mut table = leb(301);
                for next in 1..=300 {
                    table.extend(b"\x6c\x02\x00");
                    table.extend(sleb(next));
                    table.push(1);
                    table.extend(sleb(next));
                }
                table.extend(b"\x6c\x00\x01\x00");
                message(&[&table])
            },
        ),
        bytes(
            "a few records for 3,000 fields that they lack",
            "vec record {}",
            || message(&[b"\x02\x6d\x01\x6c\x00\x01\x00", &leb(2_000_000)]),
        ),
        bytes("1 MiB of `some`", "reserved", || {
            message(&[b"\x01\x6e\x00\x01\x00", &[1; MEBIBYTE], b"\x00"])
        }),
        bytes("a record of itself", "reserved", || {
            message(&[b"\x01\x6c\x01\x00\x00\x01\x00"])
        }),
        bytes("1 MiB of lists of one", "reserved", || {
            message(&[b"\x01\x6d\x00\x01\x00", &[1; MEBIBYTE]])
        }),
        bytes("a chain of 10,000 types", "reserved", || {
            let mut table = leb(10_000);
            for next in 1..10_000 {
                table.push(0x6e);
                table.extend(sleb(next));
            }
            table.extend(b"\x6e\x7d\x01\x00\x00");
            message(&[&table])
        }),
        bytes("a table of 1 MiB", "reserved", || {
            message(&[&leb(300_000), &b"\x6e\x7f".repeat(300_000), b"\x01\x00\x00"])
        }),
        bytes("a record of 300,000 fields", "reserved", || {
            let fields: Vec<u8> = (0..300_000_usize)
                .flat_map(|n| [leb(n), vec![0x7f]].concat())
                .collect();
            message(&[b"\x01\x6c", &leb(300_000), &fields, b"\x01\x00"])
        }),
        bytes("1 MiB of arguments", "nat", || {
            message(&[b"\x00", &leb(MEBIBYTE / 2), &b"\x7f".repeat(MEBIBYTE / 2)])
        }),
        bytes("a length of 2⁶³", "text", || {
            message(&[b"\x00\x01\x71", &[0xff; 8], b"\x7f"])
        }),
        bytes("a text that is no UTF-8", "text", || {
            message(&[b"\x00\x01\x71\x04\xff\xfe\xc0\x80"])
        }),
        bytes("1 MiB of text that is no UTF-8 at its end", "text", || {
            let text = [vec![b'a'; MEBIBYTE], vec![0xf0]].concat();
            message(&[b"\x00\x01\x71", &leb(text.len()), &text])
        }),
        bytes("half a character", "text", || {
            message(&[b"\x00\x01\x71\x03\xed\xa0\x80"])
        }),
        bytes("a function whose name is no UTF-8", "func () -> ()", || {
            message(&[b"\x01\x6a\x00\x00\x00\x01\x00\x01\x01\x00\x02\xff\xff"])
        }),
        bytes("a principal of 30 bytes", "principal", || {
            message(&[b"\x00\x01\x68\x01\x1e", &[7; 30]])
        }),
        bytes("a case beyond the last", "variant { a; b }", || {
            message(&[b"\x01\x6b\x02\x61\x7f\x62\x7f\x01\x00\x02"])
        }),
        bytes("a million digits", "nat", || {
            message(&[b"\x00\x01\x7d", &[0xff; 475_000], b"\x01"])
        }),
        bytes("a million digits, of a whole number", "int", || {
            message(&[b"\x00\x01\x7c", &[0xff; 475_000], b"\x01"])
        }),
        bytes("a million digits that nobody wants", "opt text", || {
            message(&[b"\x00\x01\x7d", &[0xff; 475_000], b"\x01"])
        }),
        bytes("200 numbers of 2,000 bytes", "vec nat", || {
            let one = [vec![0xff; 2_000], vec![1]].concat();
            message(&[b"\x01\x6d\x7d\x01\x00", &leb(200), &one.repeat(200)])
        }),
        bytes("a number of zeros", "nat", || {
            message(&[b"\x00\x01\x7d", &[0x80; MEBIBYTE], b"\x00"])
        }),
        bytes("no message", "nat", || b"not a message".to_vec()),
    ];
    // Sound, of the size that a reply may have, and as large as the interface allows.
    all.push(large("a record of 9,000 fields", "record", || {
        let table: Vec<u8> = ids(9_000)
            .into_iter()
            .flat_map(|id| [leb(id), vec![0x7d]].concat())
            .collect();
        message(&[b"\x01\x6c", &leb(9_000), &table, b"\x01\x00", &[1; 9_000]])
    }));
    all.push(large(
        "300,000 variants of 5,000 cases",
        "vec variant",
        || {
            let table: Vec<u8> = ids(5_000)
                .into_iter()
                .flat_map(|id| [leb(id), vec![0x7d]].concat())
                .collect();
            let one = [leb(4_999), vec![1]].concat();
            message(&[
                b"\x02\x6d\x01\x6b",
                &leb(5_000),
                &table,
                b"\x01\x00",
                &leb(300_000),
                &one.repeat(300_000),
            ])
        },
    ));
    all.push(reply("a million digits", "icrc1_fee", || {
        message(&[b"\x00\x01\x7d", &[0xff; 475_000], b"\x01"])
    }));
    all.push(reply("a text of hidden characters", "icrc1_name", || {
        let text = HIDDEN.repeat(MEBIBYTE / HIDDEN.len());
        message(&[b"\x00\x01\x71", &leb(text.len()), text.as_bytes()])
    }));
    all
}
