//! Core's rooms: each uses only those above it, and those before `ports` never wait.

use super::Finding;
use super::source::Source;

/// Core's rooms from the ground up.
pub const ROOMS: &[&str] = &[
    "ids",
    "time",
    "text",
    "json",
    "stored",
    "interface",
    "profile",
    "format",
    "tools",
    "intent",
    "policy",
    "confirm",
    "ingress",
    "vault",
    "mcp",
    "wire",
    "ports",
    "engine",
    "testing",
    "cli",
];

/// The first room that may wait for anything.
const FIRST_ASYNC: &str = "ports";

fn place(room: &str) -> Option<usize> {
    ROOMS.iter().position(|listed| *listed == room)
}

pub fn findings(sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    // The program is made of the library like any other user of it.
    let core = |source: &&Source| {
        source.file.starts_with("core/src/") && !source.file.starts_with("core/src/bin/")
    };
    for source in sources.iter().filter(core) {
        let module = source.module();
        match module.first() {
            Some(room) => match place(room) {
                Some(place) => in_room(source, room, place, &mut found),
                None => found.push(Finding {
                    rule: "room-listed",
                    at: source.file.clone(),
                    says: format!("core has no room `{room}`: the list is in tests/xtask"),
                }),
            },
            None => order(source, &mut found),
        }
    }
    found
}

/// The crate's root lists rooms, in their order.
fn order(root: &Source, found: &mut Vec<Finding>) {
    let mut last = 0;
    for room in &root.modules {
        match place(room) {
            Some(place) if place < last => found.push(Finding {
                rule: "room-listed",
                at: root.file.clone(),
                says: format!("`{room}` stands below a room that may use it"),
            }),
            Some(place) => last = place,
            None => {}
        }
    }
}

fn in_room(source: &Source, room: &str, place_of_room: usize, found: &mut Vec<Finding>) {
    for path in source.paths.iter().filter(|path| !path.test) {
        if path.what.other.is_some() {
            continue;
        }
        let Some(used) = path.what.segments.first() else {
            continue;
        };
        let says = match place(used) {
            Some(place) if place <= place_of_room => continue,
            Some(_) => format!("`{room}` uses `{used}`, which stands below it"),
            None => format!("`{room}` uses `crate::{used}`, which is no room"),
        };
        found.push(Finding {
            rule: "room-order",
            at: format!("{}:{}", source.file, path.line),
            says,
        });
    }
    if place(FIRST_ASYNC).is_some_and(|first| place_of_room >= first) {
        return;
    }
    for word in &source.words {
        if word.what == "async" || word.what == "await" {
            found.push(Finding {
                rule: "kernel-no-async",
                at: format!("{}:{}", source.file, word.line),
                says: format!("`{room}` stands before `{FIRST_ASYNC}`, so it never waits"),
            });
        }
    }
}
