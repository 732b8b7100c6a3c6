//! Faults and their traces, over `Network::handle`, without sockets: what was executed, what the
//! sender gets, and what a certificate says afterwards.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

mod certified;
mod world;

use candid::{Decode, Encode};
use certified::tree_of;
use ciborium::Value;
use countersign_localnet::{
    Config,
    config::tka_id,
    faults::{BadCertificate, Execution, Fault, Forget, Kind, Reply},
    network::{Answer, Topology},
};
use ed25519_dalek::SigningKey;
use ic_certification::LookupResult;
use ic_transport_types::{EnvelopeContent, RejectCode};
use icrc_ledger_types::{icrc1::transfer::TransferError, icrc3::blocks::ICRC3DataCertificate};
use std::time::Duration;
use world::{Certificate, MINUTE, NOW, Status, World, fields, http_status, named, paid, status_in};

#[test]
fn without_a_fault_a_call_is_executed_and_its_certificate_has_the_reply() {
    let mut world = World::new();
    let sent = world.transfer(5, NOW, 0);
    assert_eq!(world.status(&sent), Status::Absent);
    let response = world.send(&sent);
    let certificate = world.replied(&response);
    assert_eq!(status_in(&certificate, &sent.id), paid(1));
    assert_eq!(world.status(&sent), paid(1));
    assert_eq!(world.paid(), 1);
}

#[test]
fn the_same_requests_at_the_same_times_give_the_same_bytes() {
    let run = || {
        let mut world = World::of(Topology::Delegated);
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent)
    };
    assert_eq!(run(), run());
}

#[test]
fn a_call_on_v2_is_a_receipt_and_its_status_is_read() {
    let mut world = World::new();
    let sent = world.transfer(5, NOW, 0);
    let response = world.post("/api/v2/canister/ID/call", &sent.body);
    assert_eq!(http_status(&response), Some(202));
    assert_eq!(world.status(&sent), paid(1));
    let response = world.post("/api/v3/canister/ID/call", &sent.body);
    let certificate = world.replied(&response);
    assert_eq!(status_in(&certificate, &sent.id), paid(1));
}

#[test]
fn dropped_before_it_was_never_seen() {
    let mut world = World::new();
    world.network.faults.order(named("drop_before"));
    let sent = world.transfer(5, NOW, 0);
    assert_eq!(world.send(&sent).answer, Answer::Dropped);
    assert_eq!((world.status(&sent), world.paid()), (Status::Absent, 0));
    // The same envelope, sent again, runs.
    world.send(&sent);
    assert_eq!((world.status(&sent), world.paid()), (paid(1), 1));
    let seen = world.network.counters(tka_id());
    assert_eq!(
        (seen.calls_posted, seen.calls_admitted, seen.calls_executed),
        (2, 1, 1)
    );
}

#[test]
fn dropped_after_it_has_run_and_its_status_says_so() {
    let mut world = World::new();
    world.network.faults.order(named("drop_after"));
    let sent = world.transfer(5, NOW, 0);
    assert_eq!(world.send(&sent).answer, Answer::Dropped);
    assert_eq!((world.status(&sent), world.paid()), (paid(1), 1));
}

#[test]
fn http_errors_after_execution_look_like_failures_and_are_none() {
    for (name, status) in [
        ("http_503_after", 503),
        ("http_404_after", 404),
        ("http_400_after", 400),
    ] {
        let mut world = World::new();
        world.network.faults.order(named(name));
        let sent = world.transfer(5, NOW, 0);
        let response = world.send(&sent);
        assert_eq!(http_status(&response), Some(status));
        assert_eq!((world.status(&sent), world.paid()), (paid(1), 1), "{name}");
    }
}

#[test]
fn a_certified_reject_can_follow_a_block_that_stands() {
    for code in [RejectCode::CanisterReject, RejectCode::CanisterError] {
        let mut world = World::new();
        let mut fault = named("reject_after_write");
        fault.reject_code = code;
        world.network.faults.order(fault);
        let sent = world.transfer(5, NOW, 0);
        let response = world.send(&sent);
        let certificate = world.replied(&response);
        assert_eq!(
            status_in(&certificate, &sent.id),
            Status::Rejected(code as u8)
        );
        assert_eq!(world.paid(), 1);
        // Another envelope over the same argument finds the first.
        let again = world.transfer(5, NOW, 1);
        world.send(&again);
        let duplicate = TransferError::Duplicate {
            duplicate_of: 1u64.into(),
        };
        assert_eq!(world.status(&again), Status::Paid(Err(duplicate)));
        assert_eq!(world.paid(), 1);
    }
}

#[test]
fn a_certified_reject_before_execution_leaves_nothing() {
    for code in (1..=5).map(|code| RejectCode::try_from(code).unwrap()) {
        let mut world = World::new();
        let mut fault = Fault::on(Kind::Call);
        fault.execute = Execution::RejectBefore;
        fault.reject_code = code;
        world.network.faults.order(fault);
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        assert_eq!(
            (world.status(&sent), world.paid()),
            (Status::Rejected(code as u8), 0)
        );
    }
}

#[test]
fn an_uncertified_reject_says_nothing_about_execution() {
    let mut world = World::new();
    world.network.faults.order(named("reject_uncertified"));
    let sent = world.transfer(5, NOW, 0);
    let response = world.send(&sent);
    let answer = fields(&response);
    assert_eq!(answer["status"], Value::from("non_replicated_rejection"));
    assert_eq!(answer["reject_code"], Value::from(5));
    assert_eq!((world.status(&sent), world.paid()), (paid(1), 1));
}

#[test]
fn a_pruned_status_is_proved_absent_although_the_call_was_executed() {
    let mut world = World::new();
    world.network.faults.order(named("prune_status"));
    let sent = world.transfer(5, NOW, 0);
    assert_eq!(world.send(&sent).answer, Answer::Dropped);
    assert_eq!((world.status(&sent), world.paid()), (Status::Absent, 1));
    // Its request id is spent all the same.
    assert_eq!(http_status(&world.send(&sent)), Some(202));
    assert_eq!(world.paid(), 1);
}

#[test]
fn a_forgotten_reply_is_done() {
    let mut world = World::new();
    let mut fault = Fault::on(Kind::Call);
    fault.forget = Some(Forget::Reply);
    world.network.faults.order(fault);
    let sent = world.transfer(5, NOW, 0);
    world.send(&sent);
    assert_eq!(world.status(&sent), Status::Word("done".into()));
    assert_eq!(world.paid(), 1);
}

#[test]
fn a_status_is_gone_five_minutes_after_the_call_ended() {
    let mut world = World::new();
    let sent = world.transfer(5, NOW, 0);
    world.send(&sent);
    world.now += 5 * MINUTE - 1;
    assert_eq!(world.status(&sent), paid(1));
    world.now += 1;
    assert_eq!(world.status(&sent), Status::Absent);
}

#[test]
fn a_held_call_runs_when_released() {
    for (execute, word) in [
        (Execution::HoldReceived, "received"),
        (Execution::HoldProcessing, "processing"),
    ] {
        let mut world = World::new();
        let mut fault = Fault::on(Kind::Call);
        fault.execute = execute;
        world.network.faults.order(fault);
        let sent = world.transfer(5, NOW, 0);
        assert_eq!(http_status(&world.send(&sent)), Some(202));
        assert_eq!(world.status(&sent), Status::Word(word.into()));
        assert_eq!(world.paid(), 0);
        assert_eq!(world.network.release(), 1);
        assert_eq!((world.status(&sent), world.paid()), (paid(1), 1));
        assert_eq!(world.network.release(), 0);
    }
}

#[test]
fn a_received_call_is_rejected_once_it_expired_and_a_processing_one_is_not() {
    for (execute, ends) in [
        (Execution::HoldReceived, Status::Rejected(2)),
        (Execution::HoldProcessing, Status::Word("processing".into())),
    ] {
        let mut world = World::new();
        let mut fault = Fault::on(Kind::Call);
        fault.execute = execute;
        world.network.faults.order(fault);
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        world.now += 2 * MINUTE + 1;
        assert_eq!(world.status(&sent), ends);
        let may_run = usize::from(execute == Execution::HoldProcessing);
        assert_eq!(world.network.release(), may_run);
        assert_eq!(world.paid(), may_run);
    }
}

#[test]
fn reads_are_dropped_until_cleared() {
    let mut world = World::new();
    let sent = world.transfer(5, NOW, 0);
    world.network.faults.order(named("drop_reads"));
    world.send(&sent);
    for _ in 0..3 {
        assert_eq!(world.read(vec![vec![b"time"]]).answer, Answer::Dropped);
    }
    world.network.faults.clear();
    assert_eq!(world.status(&sent), paid(1));
}

#[test]
fn a_delay_delays_the_answer_only() {
    let mut world = World::new();
    world.network.faults.order(named("delay"));
    let sent = world.transfer(5, NOW, 0);
    let response = world.send(&sent);
    assert_eq!(response.delay, Duration::from_secs(2));
    assert_eq!(http_status(&response), Some(200));
    assert_eq!(world.paid(), 1);
}

#[test]
fn a_changed_fee_meets_the_call_it_was_ordered_for() {
    let mut world = World::new();
    let first = world.transfer(5, NOW, 0);
    world.send(&first);
    world.network.faults.order(named("change_fee"));
    let second = world.transfer(6, NOW, 1);
    world.send(&second);
    assert_eq!(world.status(&second), paid(2));
    let fees: Vec<_> = world.ledger().blocks()[1..]
        .iter()
        .map(|block| block.transaction.transfer.clone().unwrap().fee.unwrap())
        .collect();
    assert_eq!(fees, [10_000u64, 20_000]);
}

#[test]
fn a_query_for_the_tip_gets_a_certificate_of_it_and_an_update_gets_none() {
    let mut world = World::new();
    let sent = world.transfer(5, NOW, 0);
    world.send(&sent);
    let method = "icrc3_get_tip_certificate";
    let content = EnvelopeContent::Query {
        ingress_expiry: world.now,
        sender: world.me(),
        canister_id: tka_id(),
        method_name: method.into(),
        arg: Encode!().unwrap(),
        nonce: None,
        sender_info: None,
    };
    let body = world.seal(content);
    let response = world.post("/api/v3/canister/ID/query", &body);
    let answer = fields(&response);
    let reply = answer["reply"].as_map().unwrap()[0].1.as_bytes().unwrap();
    let tip = Decode!(reply, Option<ICRC3DataCertificate>)
        .unwrap()
        .unwrap();
    let certificate = Certificate::read(&tip.certificate);
    assert!(certificate.signed_by_root_of(&world.network));
    let Value::Tag(55799, tree) = ciborium::from_reader(&**tip.hash_tree).unwrap() else {
        panic!("the self-describing tag is in front");
    };
    let tree = tree_of(&tree);
    let id = tka_id();
    assert_eq!(
        certificate
            .tree
            .lookup_path([&b"canister"[..], id.as_slice(), b"certified_data"]),
        LookupResult::Found(&tree.digest())
    );
    assert_eq!(
        tree.lookup_path(["last_block_index"]),
        LookupResult::Found(&[1])
    );
    assert_eq!(
        tree.lookup_path(["last_block_hash"]),
        LookupResult::Found(&world.ledger().blocks()[1].hash)
    );

    let call = EnvelopeContent::Call {
        nonce: None,
        ingress_expiry: world.now,
        sender: world.me(),
        canister_id: tka_id(),
        method_name: method.into(),
        arg: Encode!().unwrap(),
        sender_info: None,
    };
    let asked = call.to_request_id();
    let body = world.seal(call);
    let response = world.post("/api/v4/canister/ID/call", &body);
    let certificate = world.replied(&response);
    let reply = certificate
        .tree
        .lookup_path([&b"request_status"[..], asked.as_slice(), b"reply"]);
    let LookupResult::Found(reply) = reply else {
        panic!("{reply:?}");
    };
    let tip = Decode!(reply, Option<ICRC3DataCertificate>).unwrap();
    assert!(tip.is_none());
}

mod bad_certificates {
    use super::*;

    /// The certificate of a read under a fault, and whether its signature is the root key's.
    fn read_under(case: BadCertificate) -> (Certificate, bool) {
        let mut world = World::new();
        let mut fault = Fault::on(Kind::ReadState);
        fault.reply = Reply::Bad(case);
        world.network.faults.order(fault);
        let response = world.read(vec![vec![b"time"]]);
        let certificate = Certificate::of(&response);
        let by_root = certificate.signed_by_root_of(&world.network);
        (certificate, by_root)
    }

    fn time(certificate: &Certificate) -> u64 {
        let LookupResult::Found(bytes) = certificate.tree.lookup_path(["time"]) else {
            panic!("there is a time");
        };
        bytes
            .iter()
            .rev()
            .fold(0, |n, byte| (n << 7) | u64::from(byte & 0x7f))
    }

    #[test]
    fn tampering_breaks_the_signature() {
        for case in [
            BadCertificate::TamperedTree,
            BadCertificate::TamperedSignature,
        ] {
            assert!(!read_under(case).1, "{case:?}");
        }
    }

    #[test]
    fn stale_and_future_ones_are_signed_and_ten_minutes_off() {
        let (stale, valid) = read_under(BadCertificate::Stale);
        assert!(valid);
        assert_eq!(time(&stale), NOW - 10 * MINUTE);
        let (future, valid) = read_under(BadCertificate::Future);
        assert!(valid);
        assert_eq!(time(&future), NOW + 10 * MINUTE);
    }

    #[test]
    fn a_wrong_range_comes_with_a_delegation() {
        let (certificate, by_root) = read_under(BadCertificate::WrongDelegationRange);
        assert!(!by_root);
        assert!(certificate.delegated);
    }

    #[test]
    fn a_wrong_signature_comes_with_a_call_that_was_executed() {
        let mut world = World::new();
        world.network.faults.order(named("wrong_signature"));
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        assert_eq!((world.status(&sent), world.paid()), (paid(1), 1));
    }
}

mod who_may_read {
    use super::*;

    #[test]
    fn another_sender_may_not_read_the_status_of_a_call() {
        let mut world = World::new();
        let sent = world.transfer(5, NOW, 0);
        world.send(&sent);
        world.key = SigningKey::from_bytes(&[4; 32]);
        let response = world.read(vec![vec![b"request_status", sent.id.as_slice()]]);
        assert_eq!(http_status(&response), Some(403));
    }

    #[test]
    fn one_read_names_one_request() {
        let mut world = World::new();
        let response = world.read(vec![
            vec![b"request_status", &[1; 32]],
            vec![b"request_status", &[2; 32]],
        ]);
        assert_eq!(http_status(&response), Some(400));
    }

    #[test]
    fn certified_data_and_other_canisters_are_not_read() {
        let mut world = World::new();
        let id = tka_id();
        let response = world.read(vec![vec![b"canister", id.as_slice(), b"certified_data"]]);
        assert_eq!(http_status(&response), Some(404));
        let other = countersign_localnet::config::gem_id();
        let response = world.read(vec![vec![b"canister", other.as_slice(), b"module_hash"]]);
        assert_eq!(http_status(&response), Some(400));
    }
}

#[test]
fn an_envelope_for_one_network_does_the_same_on_another() {
    // An envelope names no network: that one key belongs to one network is the wallet's rule.
    let mut a = World::new();
    let sent = a.transfer(5, NOW, 0);
    let mut b = World {
        network: Config::seeded("b").network(),
        key: a.key.clone(),
        now: NOW,
    };
    let me = b.me();
    let ledger = b.network.ledger_mut(tka_id()).unwrap();
    ledger.mint(me.into(), 1_000_000, NOW).unwrap();
    assert_ne!(a.network.root_key(), b.network.root_key());
    a.send(&sent);
    b.send(&sent);
    assert_eq!((a.paid(), b.paid()), (1, 1));
}
