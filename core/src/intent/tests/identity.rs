//! Who asked for what, and stamps.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

fn inputs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(path, value)| ((*path).to_owned(), (*value).to_owned()))
        .collect()
}

fn hash(change: impl Fn(&mut Identity<'_>)) -> String {
    let given = inputs(&[
        ("$args[0].amount", "150000000"),
        ("$args[0].to", "aaaaa-aa"),
    ]);
    let mut identity = Identity {
        origin: "https://shop.example",
        door: Door::Mcp,
        network: NetworkId::from_bytes([3; 32]),
        canister: ledger(),
        method: "icrc1_transfer",
        inputs: &given,
    };
    change(&mut identity);
    identity.hash().to_string()
}

#[test]
fn an_identity_has_a_fixed_hash() {
    assert_eq!(
        hash(|_| ()),
        "bc3d89feaedec9303772c46f24c472daf51be1772521e421d7c939dcd6d3bc64"
    );
}

#[test]
fn every_part_of_an_identity_counts() {
    let other = inputs(&[
        ("$args[0].amount", "15000000"),
        ("$args[0].to", "0aaaaa-aa"),
    ]);
    let none = BTreeMap::new();
    let mut hashes = vec![
        hash(|_| ()),
        hash(|i| i.origin = "https://shop.example:8443"),
        hash(|i| i.network = NetworkId::from_bytes([4; 32])),
        hash(|i| i.canister = Principal::management_canister()),
        hash(|i| i.method = "icrc2_approve"),
    ];
    let with = |inputs: &BTreeMap<String, String>| {
        Identity {
            origin: "https://shop.example",
            door: Door::Mcp,
            network: NetworkId::from_bytes([3; 32]),
            canister: ledger(),
            method: "icrc1_transfer",
            inputs,
        }
        .hash()
        .to_string()
    };
    hashes.push(with(&other));
    hashes.push(with(&none));
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

fn rule(now: u64, entropy: u64) -> StampRule {
    StampRule {
        now: Timestamp::from_nanos(now),
        drift: Span::from_secs(60),
        entropy,
        floor: None,
        cap: None,
    }
}

const NOW: u64 = 1_791_547_201_000_000_000;

fn given(rule: &StampRule, taken: &[u64]) -> Result<u64, StampError> {
    allot(rule, |stamp| taken.contains(&stamp.as_nanos())).map(Timestamp::as_nanos)
}

#[test]
fn without_entropy_a_stamp_is_the_certified_time() {
    assert_eq!(given(&rule(NOW, 0), &[]), Ok(NOW));
}

#[test]
fn a_stamp_is_less_than_a_second_before_the_certified_time() {
    assert_eq!(given(&rule(NOW, 999_999_999), &[]), Ok(NOW - 999_999_999));
    assert_eq!(given(&rule(NOW, 1_000_000_000), &[]), Ok(NOW));
    assert_eq!(
        given(&rule(NOW, u64::MAX), &[]),
        Ok(NOW - u64::MAX % 1_000_000_000)
    );
}

#[test]
fn a_stamp_is_later_than_every_one_handed_over() {
    let floor = Some(Timestamp::from_nanos(NOW + 5));
    assert_eq!(
        given(
            &StampRule {
                floor,
                ..rule(NOW, 7)
            },
            &[]
        ),
        Ok(NOW + 6)
    );
    let far = Some(Timestamp::from_nanos(NOW + 60_000_000_000));
    assert_eq!(
        given(
            &StampRule {
                floor: far,
                ..rule(NOW, 0)
            },
            &[]
        ),
        Err(StampError::FloorAhead)
    );
}

#[test]
fn a_stamp_is_given_out_once() {
    assert_eq!(given(&rule(NOW, 0), &[NOW, NOW + 1, NOW + 3]), Ok(NOW + 2));
}

#[test]
fn after_a_stamp_from_the_future_the_next_is_at_most_the_ledgers_time() {
    let capped = StampRule {
        floor: Some(Timestamp::from_nanos(NOW + 100)),
        cap: Some(Timestamp::from_nanos(NOW - 10)),
        ..rule(NOW, 0)
    };
    assert_eq!(given(&capped, &[]), Ok(NOW - 10));
    assert_eq!(given(&capped, &[NOW - 10, NOW - 11]), Ok(NOW - 12));
    let none = StampRule {
        cap: Some(Timestamp::from_nanos(1)),
        ..rule(NOW, 0)
    };
    assert_eq!(given(&none, &[0, 1]), Err(StampError::NoneFree));
}

#[test]
fn a_stamp_has_one_owner_whatever_the_method_arguments_and_origin() {
    let key = |prepared: Prepared| {
        Intent::new(prepared, Evidence::Known)
            .unwrap()
            .stamp_key()
            .unwrap()
            .hash()
    };
    let other = Prepared {
        method: "transfer".into(),
        origin: "https://other.example".into(),
        arg: vec![1],
        ..prepared()
    };
    assert_eq!(key(prepared()), key(other));
    assert_ne!(
        key(prepared()),
        key(Prepared {
            sender: Principal::anonymous(),
            ..prepared()
        })
    );
    assert_ne!(
        key(prepared()),
        key(Prepared {
            network: NetworkId::from_bytes([0; 32]),
            ..prepared()
        })
    );
    assert_ne!(
        key(prepared()),
        key(Prepared {
            canister: Principal::anonymous(),
            ..prepared()
        })
    );
}

#[test]
fn a_stamp_sets_a_floor_only_once_it_was_handed_over() {
    let mut run = Run::known();
    run.commit().yes().start().sign();
    assert!(!run.intent.sets_stamp_floor());
    run.hand_over();
    assert!(run.intent.sets_stamp_floor());
}

proptest! {
    #[test]
    fn stamps_of_one_sender_never_meet(
        times in prop::collection::vec((0_u64..5, any::<u64>(), any::<bool>()), 1..60)
    ) {
        let taken = RefCell::new(BTreeSet::new());
        let mut floor = None;
        let mut now = NOW;
        for (step, entropy, handed_over) in times {
            now += step;
            let rule = StampRule { floor, ..rule(now, entropy) };
            let stamp = allot(&rule, |stamp| taken.borrow().contains(&stamp)).unwrap();
            prop_assert!(taken.borrow_mut().insert(stamp), "given out twice");
            prop_assert!(floor.is_none_or(|floor| stamp > floor), "not later than the floor");
            if handed_over {
                floor = Some(stamp);
            }
        }
    }
}
