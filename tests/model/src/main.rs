//! Walks every bounded world, or those that are named.
//!
//! Its lines are read by `cargo xtask model`: a broken law as `broken: LAW: why`, the last as that
//! verb ends, less the mutants. With `--names` it tells its laws and worlds instead.

#![allow(clippy::print_stdout, reason = "a program says what it found")]

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use countersign_model::bounds::{Bounds, worlds};
use countersign_model::explore::{Walk, walk};
use countersign_model::kinds::{Kind, Seen};
use countersign_model::law::Law;

fn main() -> ExitCode {
    let only: Vec<String> = std::env::args().skip(1).collect();
    if only == ["--names"] {
        for law in Law::ALL {
            println!("law {}", law.name());
        }
        for world in worlds() {
            println!("world {}", world.name);
        }
        return ExitCode::SUCCESS;
    }
    let mut todo: VecDeque<Bounds> = worlds().into();
    todo.retain(|bounds| only.is_empty() || only.iter().any(|name| name == bounds.name));
    if only
        .iter()
        .any(|name| !todo.iter().any(|bounds| name == bounds.name))
    {
        println!("there is no such world");
        return ExitCode::FAILURE;
    }
    let began = Instant::now();
    let walked = walk_all(todo);
    let mut states = 0;
    let mut seen = Seen::default();
    let mut broken = false;
    for (bounds, walk, took) in walked {
        println!("{bounds}");
        println!(
            "  {} states, {} steps, {:.1} s",
            walk.states,
            walk.steps,
            took.as_secs_f64()
        );
        states += walk.states;
        seen.add(&walk.seen);
        if let Some((law, path)) = walk.broken {
            for step in path {
                println!("  {} [{}] {}", step.what, step.slot, step.how);
            }
            println!("broken: {}: {}", law.0.name(), law.1);
            broken = true;
        }
    }
    if broken {
        return ExitCode::FAILURE;
    }
    let mut missing = Vec::new();
    for (kind, times) in seen.all() {
        println!("{times:>12} {}", kind.name());
        if times == 0 && !Kind::ELSEWHERE.contains(&kind) {
            missing.push(kind.name());
        }
    }
    if only.is_empty() && !missing.is_empty() {
        println!("never occurred: {}", missing.join(", "));
        return ExitCode::FAILURE;
    }
    let laws = Law::ALL.len();
    println!(
        "model: {states} states in {} s, {laws}/{laws} invariants",
        began.elapsed().as_secs()
    );
    ExitCode::SUCCESS
}

/// Walks worlds side by side, as many as there are processors.
fn walk_all(todo: VecDeque<Bounds>) -> Vec<(Bounds, Walk, Duration)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let todo = Mutex::new(todo);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let bounds = todo
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .pop_front();
                    let Some(bounds) = bounds else {
                        return;
                    };
                    let since = Instant::now();
                    let walk = walk(&bounds);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((bounds, walk, since.elapsed()));
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
