//! Faults of ledgers and of lagging states, and whole histories from a seed, over
//! `Network::handle`.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

mod certified;
mod world;

use candid::Nat;
use countersign_localnet::{
    Nanos,
    canisters::ledger::{Change, DRIFT, WINDOW},
    config::tka_id,
    faults::{BadCertificate, Fault, Kind, RejectCode, Round, history},
    network::{Answer, Response, Topology},
};
use ic_certification::LookupResult;
use icrc_ledger_types::icrc1::transfer::TransferError;
use world::{
    Certificate, MINUTE, NOW, SECOND, Sent, Status, World, http_status, named, paid, status_in,
};

fn refused(error: TransferError) -> Status {
    Status::Paid(Err(error))
}

/// A stamped transfer sent twice, each time in an envelope of its own; the second under a fault.
fn twice_under(name: &str) -> (World, Status) {
    let mut world = World::new();
    let first = world.transfer(5, NOW, 0);
    world.send(&first);
    assert_eq!(world.status(&first), paid(1));
    world.network.faults.order(named(name));
    let second = world.transfer(5, NOW, 1);
    world.send(&second);
    let status = world.status(&second);
    (world, status)
}

mod ledgers {
    use super::*;

    #[test]
    fn what_was_recorded_is_a_duplicate() {
        let (world, second) = twice_under("delay");
        assert_eq!(
            second,
            refused(TransferError::Duplicate {
                duplicate_of: 1u64.into()
            })
        );
        assert_eq!(world.paid(), 1);
    }

    #[test]
    fn what_comes_before_the_look_up_of_duplicates_says_nothing_of_the_first_try() {
        for (name, error) in [
            ("throttle", TransferError::TemporarilyUnavailable),
            ("stamps_too_old", TransferError::TooOld),
            (
                "clock_back",
                TransferError::CreatedInFuture {
                    ledger_time: NOW - 10 * MINUTE,
                },
            ),
        ] {
            let (world, second) = twice_under(name);
            assert_eq!(second, refused(error), "{name}");
            assert_eq!(world.paid(), 1, "{name}");
        }
    }

    #[test]
    fn a_fee_left_out_is_a_duplicate_whatever_it_has_become() {
        let (world, second) = twice_under("change_fee");
        assert!(matches!(
            second,
            Status::Paid(Err(TransferError::Duplicate { .. }))
        ));
        assert_eq!(world.ledger().settings().fee, 20_000);
    }

    #[test]
    fn where_nothing_is_remembered_the_same_argument_pays_again() {
        for name in [
            "stamps_ignored",
            "stamps_not_remembered",
            "forget_transactions",
        ] {
            let (world, second) = twice_under(name);
            assert_eq!(second, paid(2), "{name}");
            assert_eq!(world.paid(), 2, "{name}");
        }
    }

    #[test]
    fn a_window_that_is_checked_does_not_show_that_anything_is_remembered() {
        let mut world = World::new();
        world.network.faults.order(named("stamps_not_remembered"));
        let old = world.transfer(5, NOW - WINDOW - 1, 0);
        world.send(&old);
        assert_eq!(world.status(&old), refused(TransferError::TooOld));
        for (nonce, block) in [(1, 1), (2, 2)] {
            let same = world.transfer(5, NOW, nonce);
            world.send(&same);
            assert_eq!(world.status(&same), paid(block));
        }
        let mut world = World::new();
        world.network.faults.order(named("stamps_ignored"));
        let old = world.transfer(5, 1, 0);
        world.send(&old);
        assert_eq!(world.status(&old), paid(1));
    }

    #[test]
    fn an_upgrade_that_forgets_runs_other_code() {
        let module = |world: &mut World| {
            let id = tka_id();
            let response = world.read(vec![vec![b"canister", id.as_slice(), b"module_hash"]]);
            let certificate = world.verified(&response);
            let path = [&b"canister"[..], id.as_slice(), b"module_hash"];
            found(certificate.tree.lookup_path(path))
        };
        let mut world = World::new();
        let before = module(&mut world);
        world.network.faults.order(named("forget_transactions"));
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        assert_ne!(module(&mut world), before);
    }

    #[test]
    fn a_ledgers_clock_moves_its_window_and_never_its_log_back() {
        let mut world = World::new();
        let ahead = Change {
            clock_ms: Some(600_000),
            ..Change::default()
        };
        let ledger = world.network.ledger_mut(tka_id()).unwrap();
        ledger.change(&ahead);
        // Good for the network's time, and too old for the ledger's.
        let old = world.transfer(5, NOW - WINDOW + SECOND, 0);
        world.send(&old);
        assert_eq!(world.status(&old), refused(TransferError::TooOld));
        let future = world.transfer(5, NOW + 10 * MINUTE + DRIFT, 1);
        world.send(&future);
        assert_eq!(world.status(&future), paid(1));
        world.network.faults.order(named("clock_back"));
        let next = world.transfer(6, NOW - 10 * MINUTE, 2);
        world.send(&next);
        assert_eq!(world.status(&next), paid(2));
        let times: Vec<Nanos> = world.ledger().blocks()[1..]
            .iter()
            .map(|block| block.transaction.timestamp)
            .collect();
        assert_eq!(times, [NOW + 10 * MINUTE, NOW + 10 * MINUTE]);
    }

    #[test]
    fn a_reinstalled_ledger_knows_nobody() {
        let mut world = World::new();
        world.network.faults.order(named("reinstall"));
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        let nothing = TransferError::InsufficientFunds {
            balance: Nat::from(0u8),
        };
        assert_eq!(world.status(&sent), refused(nothing));
        assert!(world.ledger().blocks().is_empty());
    }
}

/// The value that a witness shows.
fn found(looked_up: LookupResult<'_>) -> Vec<u8> {
    match looked_up {
        LookupResult::Found(bytes) => bytes.to_vec(),
        other => panic!("{other:?}"),
    }
}

mod states {
    use super::*;

    fn old_state(world: &mut World, behind_ms: u64) {
        world.network.faults.order(Fault {
            behind_ms,
            ..named("old_state")
        });
    }

    fn time(certificate: &Certificate) -> Nanos {
        let bytes = found(certificate.tree.lookup_path(["time"]));
        let digits = bytes.iter().rev();
        digits.fold(0, |n, byte| (n << 7) | u64::from(byte & 0x7f))
    }

    fn read_status(world: &mut World, sent: &Sent) -> (Nanos, Status) {
        let response = world.read(vec![vec![b"request_status", sent.id.as_slice()]]);
        let certificate = world.verified(&response);
        (time(&certificate), status_in(&certificate, &sent.id))
    }

    #[test]
    fn a_state_that_lags_says_truly_what_was_so_then() {
        let mut world = World::new();
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        old_state(&mut world, 1);
        let before = NOW - SECOND / 1_000;
        assert_eq!(read_status(&mut world, &sent), (before, Status::Absent));
        assert_eq!(read_status(&mut world, &sent), (NOW, paid(1)));
        // What is pruned by now was there then.
        world.now += 5 * MINUTE + SECOND;
        assert_eq!(read_status(&mut world, &sent).1, Status::Absent);
        old_state(&mut world, 2_000);
        assert_eq!(
            read_status(&mut world, &sent),
            (NOW + 5 * MINUTE - SECOND, paid(1))
        );
    }

    #[test]
    fn a_state_that_lags_shows_a_held_call_as_it_stood() {
        for (name, word) in [
            ("hold_received", "received"),
            ("hold_processing", "processing"),
        ] {
            let mut world = World::new();
            world.network.faults.order(named(name));
            let sent = world.transfer(5, NOW, 0);
            world.send(&sent);
            world.now += 30 * SECOND;
            world.network.pass_time(world.now);
            world.network.release();
            assert_eq!(world.status(&sent), paid(1));
            old_state(&mut world, 10_000);
            let then = NOW + 20 * SECOND;
            let word = Status::Word(word.into());
            assert_eq!(read_status(&mut world, &sent), (then, word), "{name}");
        }
    }

    #[test]
    fn accepted_and_never_run_it_is_absent_to_its_expiry_and_after() {
        let mut world = World::new();
        world.network.faults.order(named("accept_never"));
        let sent = world.transfer(5, NOW, 0);
        assert_eq!(http_status(&world.send(&sent)), Some(202));
        for _ in 0..4 {
            assert_eq!(world.status(&sent), Status::Absent);
            world.now += MINUTE;
        }
        assert_eq!(world.paid(), 0);
    }

    #[test]
    fn done_without_a_reply_it_stays_until_it_is_pruned() {
        let mut world = World::new();
        world.network.faults.order(named("forget_reply"));
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        world.now += 5 * MINUTE - 1;
        assert_eq!(world.status(&sent), Status::Word("done".into()));
        assert_eq!(world.paid(), 1);
    }

    #[test]
    fn a_reject_states_any_code_and_the_block_stands() {
        for stated in [6, 99, 200] {
            let mut world = World::new();
            world.network.faults.order(Fault {
                reject_stated: Some(stated),
                ..named("reject_unlisted")
            });
            let sent = world.transfer(5, NOW, 0);
            world.send(&sent);
            let response = world.read(vec![vec![b"request_status", sent.id.as_slice()]]);
            let certificate = world.verified(&response);
            let path = [&b"request_status"[..], sent.id.as_slice(), b"reject_code"];
            let code = found(certificate.tree.lookup_path(path));
            assert_eq!(code, countersign_localnet::network::leb128(stated.into()));
            assert_eq!(world.paid(), 1);
        }
    }

    #[test]
    fn every_code_can_come_before_and_after_the_block() {
        for (name, blocks) in [("reject_before", 0), ("reject_after_write", 1)] {
            for code in (1..=5).map(|code| RejectCode::try_from(code).unwrap()) {
                let mut world = World::new();
                world.network.faults.order(Fault {
                    reject_code: code,
                    ..named(name)
                });
                let sent = world.transfer(5, NOW, 0);
                world.send(&sent);
                let rejected = Status::Rejected(code as u8);
                assert_eq!((world.status(&sent), world.paid()), (rejected, blocks));
            }
        }
    }

    #[test]
    fn a_certificate_by_another_root_key_is_not_the_networks() {
        for topology in [Topology::Root, Topology::Delegated] {
            let mut world = World::of(topology);
            world.network.faults.order(Fault {
                on: Kind::ReadState,
                times: Some(1),
                ..Fault::bad(BadCertificate::WrongRootKey)
            });
            let response = world.read(vec![vec![b"time"]]);
            let certificate = Certificate::of(&response);
            assert!(!certificate.delegated);
            assert!(!certificate.signed_by_root_of(&world.network));
        }
    }
}

/// Someone who pays five things, one a round: sends, sends the same bytes again, reads what became
/// of it. Judges nothing; notes everything.
fn play(seed: u64, topology: Topology) -> (Vec<String>, usize) {
    let mut world = World::of(topology);
    let mut noted = Vec::new();
    let mut sent: Vec<Sent> = Vec::new();
    for (round, nonce) in history(seed, 15).into_iter().zip(0..) {
        let Round {
            pass_ms,
            mend,
            release,
            orders,
        } = round;
        world.now += pass_ms * 1_000_000;
        world.network.pass_time(world.now);
        if mend {
            world.network.faults.clear();
        }
        if release {
            world.network.release();
        }
        for order in orders {
            world.network.faults.order(order);
        }
        if nonce % 3 == 0 {
            let amount = u64::from(nonce / 3) + 1;
            sent.push(world.transfer(amount, world.now, nonce));
        }
        let last = sent.last().expect("the first round sends");
        let (id, body) = (last.id, last.body.clone());
        let answer = world.post("/api/v4/canister/ID/call", &body);
        noted.push(told(&answer));
        let answer = world.read(vec![vec![b"request_status", id.as_slice()]]);
        noted.push(told(&answer));
    }
    let hashes = world.ledger().blocks().iter().map(|block| block.hash);
    noted.extend(hashes.map(|hash| format!("{hash:?}")));
    (noted, world.ledger().blocks().len())
}

fn told(response: &Response) -> String {
    match &response.answer {
        Answer::Dropped => format!("{:?} dropped", response.delay),
        Answer::Http { status, body, .. } => format!("{:?} {status} {body:?}", response.delay),
    }
}

#[test]
fn a_history_played_twice_has_one_outcome() {
    let mut outcomes = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let topology = if seed % 2 == 0 {
            Topology::Root
        } else {
            Topology::Delegated
        };
        let first = play(seed, topology);
        assert_eq!(first, play(seed, topology), "seed {seed}");
        outcomes.insert(first);
    }
    assert_eq!(outcomes.len(), 12, "each seed is another history");
}

#[test]
fn after_every_history_the_network_works_again() {
    for seed in 0..12 {
        let mut world = World::new();
        for round in history(seed, 8) {
            world.now += round.pass_ms * 1_000_000;
            if round.mend {
                world.network.faults.clear();
            }
            for order in round.orders {
                world.network.faults.order(order);
            }
            let stray = world.transfer(3, world.now, 200);
            world.send(&stray);
        }
        assert_eq!(world.network.faults.standing().count(), 0, "seed {seed}");
        let Answer::Http { status, .. } = world.read(vec![vec![b"time"]]).answer else {
            panic!("seed {seed}: no answer");
        };
        assert_eq!(status, 200, "seed {seed}");
    }
}
