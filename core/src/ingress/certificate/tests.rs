//! Every refusal of a certificate, and what is accepted, over keys and trees of our own.

use ic_certification::{Certificate, Delegation, HashTree, pruned};

use super::*;
use crate::ids::RequestId;
use crate::ingress::testnet::{Key, at, bytes, canister, ranges_leaf, time_leaf, tree};
use crate::ingress::{RequestStatus, Trust};

const CALL: RequestId = RequestId::from_bytes([0x77; 32]);
const UPTIME: Span = Span::from_secs(5);

fn root() -> Key {
    Key::new(1)
}

fn subnet_key() -> Key {
    Key::new(2)
}

/// The content of an answer to a status read, at a time.
fn answer(secs: u64) -> HashTree {
    tree(&[
        (
            &[b"request_status", CALL.as_bytes(), b"reply"],
            b"reply".to_vec(),
        ),
        (
            &[b"request_status", CALL.as_bytes(), b"status"],
            b"replied".to_vec(),
        ),
        (&[b"time"], time_leaf(at(secs))),
    ])
}

/// What the root subnet states about the subnet with `subnet_key`, in the older form.
fn delegation_tree(secs: u64, ranges: &[(u64, u64)]) -> HashTree {
    let id = subnet_key().public().subnet();
    tree(&[
        (
            &[b"subnet", id.as_slice(), b"canister_ranges"],
            ranges_leaf(ranges),
        ),
        (
            &[b"subnet", id.as_slice(), b"public_key"],
            subnet_key().public().as_der().to_vec(),
        ),
        (&[b"time"], time_leaf(at(secs))),
    ])
}

/// The same in the sharded form.
fn sharded_delegation_tree(secs: u64, shards: &[&[(u64, u64)]]) -> HashTree {
    let id = subnet_key().public().subnet();
    let labels: Vec<Principal> = shards.iter().map(|shard| canister(shard[0].0)).collect();
    let paths: Vec<[&[u8]; 3]> = labels
        .iter()
        .map(|label| {
            [
                b"canister_ranges".as_slice(),
                id.as_slice(),
                label.as_slice(),
            ]
        })
        .collect();
    let mut entries: Vec<(&[&[u8]], Vec<u8>)> = paths
        .iter()
        .zip(shards)
        .map(|(path, shard)| (path.as_slice(), ranges_leaf(shard)))
        .collect();
    let key_path: [&[u8]; 3] = [b"subnet", id.as_slice(), b"public_key"];
    entries.push((&key_path, subnet_key().public().as_der().to_vec()));
    entries.push((&[b"time"], time_leaf(at(secs))));
    tree(&entries)
}

fn delegation_of(certificate: &Certificate) -> Option<Delegation> {
    Some(Delegation {
        subnet_id: subnet_key().public().subnet().as_slice().to_vec(),
        certificate: bytes(certificate),
    })
}

fn delegated(inner: HashTree, outer: HashTree) -> Certificate {
    let delegation = root().certify(inner, None);
    subnet_key().certify(outer, delegation_of(&delegation))
}

fn admit(certificate: &Certificate, for_canister: u64) -> Result<Certified, CertificateError> {
    Trust::new(root().public()).admit(&bytes(certificate), canister(for_canister), UPTIME)
}

fn root_trust_with_ranges() -> Trust {
    let mut trust = Trust::new(root().public());
    let id = root().public().subnet();
    let stated = root().certify(
        tree(&[
            (
                &[b"subnet", id.as_slice(), b"canister_ranges"],
                ranges_leaf(&[(0, 9)]),
            ),
            (&[b"time"], time_leaf(at(50))),
        ]),
        None,
    );
    trust.admit(&bytes(&stated), canister(4), UPTIME).unwrap();
    trust
}

#[test]
fn a_delegated_certificate_is_accepted_with_either_form_of_ranges() {
    for inner in [
        delegation_tree(90, &[(0, 9), (20, 29)]),
        sharded_delegation_tree(90, &[&[(0, 9)]]),
        sharded_delegation_tree(90, &[&[(0, 3)], &[(4, 9)], &[(20, 29)]]),
    ] {
        let certified = admit(&delegated(inner, answer(100)), 4).unwrap();
        assert_eq!(certified.time(), at(100));
        assert_eq!(certified.subnet(), subnet_key().public().subnet());
        assert_eq!(certified.effective_canister(), canister(4));
        assert_eq!(
            certified.request_status(&CALL),
            Ok(RequestStatus::Replied(b"reply".to_vec()))
        );
    }
}

#[test]
fn both_ends_of_a_range_are_in_it_and_their_neighbours_are_not() {
    let certificate = delegated(delegation_tree(90, &[(3, 5), (20, 29)]), answer(100));
    let in_range = |number| match admit(&certificate, number) {
        Ok(_) => true,
        Err(CertificateError::OutOfRange(refused)) => {
            assert_eq!(refused, canister(number));
            false
        }
        Err(other) => panic!("{other:?}"),
    };
    for (number, expected) in [
        (2, false),
        (3, true),
        (5, true),
        (6, false),
        (19, false),
        (20, true),
        (29, true),
        (30, false),
        (u64::MAX, false),
    ] {
        assert_eq!(in_range(number), expected, "{number}");
    }
}

#[test]
fn another_range_in_a_sharded_delegation_is_refused() {
    let certificate = delegated(sharded_delegation_tree(90, &[&[(20, 29)]]), answer(100));
    assert_eq!(
        admit(&certificate, 4),
        Err(CertificateError::OutOfRange(canister(4)))
    );
}

#[test]
fn a_changed_tree_is_refused() {
    let mut certificate = delegated(delegation_tree(90, &[(0, 9)]), answer(100));
    certificate.tree = tree(&[
        (
            &[b"request_status", CALL.as_bytes(), b"reply"],
            b"other".to_vec(),
        ),
        (
            &[b"request_status", CALL.as_bytes(), b"status"],
            b"replied".to_vec(),
        ),
        (&[b"time"], time_leaf(at(100))),
    ]);
    assert_eq!(admit(&certificate, 4), Err(CertificateError::Signature));
}

#[test]
fn a_changed_signature_is_refused() {
    let good = delegated(delegation_tree(90, &[(0, 9)]), answer(100));
    for position in [0, 1, 47] {
        let mut certificate = good.clone();
        certificate.signature[position] ^= 1;
        assert_eq!(admit(&certificate, 4), Err(CertificateError::Signature));
    }
    let mut short = good.clone();
    short.signature.pop();
    assert_eq!(admit(&short, 4), Err(CertificateError::Signature));
    let mut infinity = good;
    infinity.signature = vec![0; 48];
    infinity.signature[0] = 0xc0;
    assert_eq!(admit(&infinity, 4), Err(CertificateError::Signature));
}

#[test]
fn a_signature_over_the_bare_digest_is_refused() {
    let good = root().certify(delegation_tree(90, &[(0, 9)]), None);
    let mut other = good.clone();
    // A tree whose digest is the signed digest, by pruning, is the same tree: accepted as such …
    other.tree = pruned(good.tree.digest());
    // … but says no time.
    assert_eq!(admit(&other, 4), Err(CertificateError::NoTime));
}

#[test]
fn a_network_that_answers_under_its_own_root_key_is_refused() {
    let other = Key::new(9);
    let id = other.public().subnet();
    let own = other.certify(
        tree(&[
            (
                &[b"subnet", id.as_slice(), b"canister_ranges"],
                ranges_leaf(&[(0, 9)]),
            ),
            (&[b"time"], time_leaf(at(100))),
        ]),
        None,
    );
    // Good under its own key, nothing under the stored one.
    assert!(
        Trust::new(other.public())
            .admit(&bytes(&own), canister(4), UPTIME)
            .is_ok()
    );
    assert_eq!(admit(&own, 4), Err(CertificateError::Signature));
    // Nor does its delegation of our subnet's key help it.
    let delegation = other.certify(delegation_tree(90, &[(0, 9)]), None);
    let certificate = subnet_key().certify(answer(100), delegation_of(&delegation));
    assert_eq!(
        admit(&certificate, 4),
        Err(CertificateError::DelegationSignature)
    );
}

#[test]
fn a_certificate_signed_by_another_key_than_the_delegated_one_is_refused() {
    let delegation = root().certify(delegation_tree(90, &[(0, 9)]), None);
    let certificate = Key::new(9).certify(answer(100), delegation_of(&delegation));
    assert_eq!(admit(&certificate, 4), Err(CertificateError::Signature));
    // The root key itself is not the delegated key either.
    let certificate = root().certify(answer(100), delegation_of(&delegation));
    assert_eq!(admit(&certificate, 4), Err(CertificateError::Signature));
}

#[test]
fn a_delegation_that_names_another_subnet_is_refused() {
    let delegation = root().certify(delegation_tree(90, &[(0, 9)]), None);
    let mut named = delegation_of(&delegation).unwrap();
    named.subnet_id = Key::new(9).public().subnet().as_slice().to_vec();
    let certificate = subnet_key().certify(answer(100), Some(named.clone()));
    assert_eq!(
        admit(&certificate, 4),
        Err(CertificateError::DelegationIncomplete)
    );
    named.subnet_id = vec![1; 30];
    let certificate = subnet_key().certify(answer(100), Some(named));
    assert_eq!(
        admit(&certificate, 4),
        Err(CertificateError::DelegationIncomplete)
    );
}

#[test]
fn a_delegation_that_rests_on_a_delegation_is_refused() {
    let inner = root().certify(delegation_tree(90, &[(0, 9)]), None);
    let nested = subnet_key().certify(delegation_tree(90, &[(0, 9)]), delegation_of(&inner));
    let certificate = subnet_key().certify(answer(100), delegation_of(&nested));
    assert_eq!(
        admit(&certificate, 4),
        Err(CertificateError::DelegationNested)
    );
}

#[test]
fn a_delegation_with_parts_missing_is_refused() {
    let id = subnet_key().public().subnet();
    let key = subnet_key().public().as_der().to_vec();
    let ranges = ranges_leaf(&[(0, 9)]);
    let time = time_leaf(at(90));
    let without_key = tree(&[
        (
            &[b"subnet", id.as_slice(), b"canister_ranges"],
            ranges.clone(),
        ),
        (&[b"time"], time.clone()),
    ]);
    let without_ranges = tree(&[
        (&[b"subnet", id.as_slice(), b"public_key"], key.clone()),
        (&[b"time"], time.clone()),
    ]);
    let without_time = tree(&[
        (
            &[b"subnet", id.as_slice(), b"canister_ranges"],
            ranges.clone(),
        ),
        (&[b"subnet", id.as_slice(), b"public_key"], key.clone()),
    ]);
    let odd_key = tree(&[
        (&[b"subnet", id.as_slice(), b"canister_ranges"], ranges),
        (
            &[b"subnet", id.as_slice(), b"public_key"],
            key[1..].to_vec(),
        ),
        (&[b"time"], time.clone()),
    ]);
    let odd_ranges = tree(&[
        (
            &[b"subnet", id.as_slice(), b"canister_ranges"],
            b"?".to_vec(),
        ),
        (&[b"subnet", id.as_slice(), b"public_key"], key),
        (&[b"time"], time),
    ]);
    let refused = |inner| admit(&delegated(inner, answer(100)), 4).unwrap_err();
    assert_eq!(refused(without_key), CertificateError::DelegationIncomplete);
    assert_eq!(refused(odd_key), CertificateError::DelegationIncomplete);
    assert_eq!(
        refused(without_time),
        CertificateError::DelegationIncomplete
    );
    assert_eq!(refused(without_ranges), CertificateError::RangesUnreadable);
    assert_eq!(refused(odd_ranges), CertificateError::RangesUnreadable);
}

#[test]
fn a_delegation_that_is_no_certificate_is_refused() {
    let delegation = Delegation {
        subnet_id: subnet_key().public().subnet().as_slice().to_vec(),
        certificate: vec![0xa0],
    };
    let certificate = subnet_key().certify(answer(100), Some(delegation));
    assert_eq!(
        admit(&certificate, 4),
        Err(CertificateError::DelegationUnreadable(CborError::Malformed))
    );
}

#[test]
fn a_delegation_far_older_than_the_answer_is_refused() {
    let month = MAX_DELEGATION_AGE.as_secs();
    let certificate = delegated(delegation_tree(90, &[(0, 9)]), answer(90 + month));
    assert!(admit(&certificate, 4).is_ok());
    let certificate = delegated(delegation_tree(90, &[(0, 9)]), answer(91 + month));
    assert_eq!(
        admit(&certificate, 4),
        Err(CertificateError::DelegationTooOld)
    );
}

#[test]
fn the_root_subnets_answer_about_a_canister_of_another_subnet_is_refused() {
    let certificate = bytes(&root().certify(answer(100), None));
    let mut trust = root_trust_with_ranges();
    assert!(trust.admit(&certificate, canister(4), UPTIME).is_ok());
    assert_eq!(
        trust.admit(&certificate, canister(10), UPTIME),
        Err(CertificateError::OutOfRange(canister(10)))
    );
}

#[test]
fn the_root_subnets_ranges_must_be_known_before_its_answers_count() {
    let certificate = root().certify(answer(100), None);
    assert_eq!(admit(&certificate, 4), Err(CertificateError::RangesUnknown));
}

#[test]
fn the_root_subnets_ranges_are_asked_for_again_when_they_are_old() {
    let month = MAX_DELEGATION_AGE.as_secs();
    let after = |secs| bytes(&root().certify(answer(50 + secs), None));
    let later = Span::from_hours(1);
    let mut trust = root_trust_with_ranges();
    assert!(trust.admit(&after(month), canister(4), later).is_ok());
    assert_eq!(
        trust.admit(&after(month + 1), canister(4), later),
        Err(CertificateError::RangesUnknown)
    );
}

#[test]
fn what_a_network_has_told_survives_being_stored() {
    let trust = root_trust_with_ranges();
    let stored = serde_json::to_string(&trust).unwrap();
    let mut trust: Trust = serde_json::from_str(&stored).unwrap();
    assert_eq!(trust.highest_time(root().public().subnet()), Some(at(50)));
    assert!(
        trust
            .admit(
                &bytes(&root().certify(answer(100), None)),
                canister(4),
                UPTIME
            )
            .is_ok()
    );
}

#[test]
fn a_certificate_without_a_readable_time_is_refused() {
    let id = root().public().subnet();
    let ranges: (&[&[u8]], Vec<u8>) = (
        &[b"subnet", id.as_slice(), b"canister_ranges"],
        ranges_leaf(&[(0, 9)]),
    );
    let with_time = |leaf: Vec<u8>| {
        let entries = [ranges.clone(), (&[b"time".as_slice()], leaf)];
        admit(&root().certify(tree(&entries), None), 4)
    };
    assert!(with_time(time_leaf(at(100))).is_ok());
    let unfinished = vec![0x80];
    let endless = vec![0xff; 11];
    let too_large = vec![0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
    let trailing = vec![0x01, 0x01];
    for leaf in [vec![], unfinished, endless, too_large, trailing] {
        assert_eq!(
            with_time(leaf.clone()),
            Err(CertificateError::NoTime),
            "{leaf:?}"
        );
    }
    let entries = [ranges.clone()];
    assert_eq!(
        admit(&root().certify(tree(&entries), None), 4),
        Err(CertificateError::NoTime)
    );
}

#[test]
fn an_answer_older_than_what_was_seen_is_refused() {
    let at_time = |secs| bytes(&delegated(delegation_tree(90, &[(0, 9)]), answer(secs)));
    let mut trust = Trust::new(root().public());
    trust.admit(&at_time(1000), canister(4), UPTIME).unwrap();
    assert!(trust.admit(&at_time(940), canister(4), UPTIME).is_ok());
    assert_eq!(
        trust.admit(&at_time(939), canister(4), UPTIME),
        Err(CertificateError::Time(TimeError::Stale {
            time: at(939),
            reference: at(1000)
        }))
    );
    assert_eq!(
        trust.admit(&at_time(1301), canister(4), UPTIME),
        Err(CertificateError::Time(TimeError::Future {
            time: at(1301),
            reference: at(1000)
        }))
    );
}

#[test]
fn a_refused_certificate_leaves_no_trace() {
    let mut trust = Trust::new(root().public());
    let before = trust.clone();
    let out_of_range = bytes(&delegated(delegation_tree(90, &[(20, 29)]), answer(9999)));
    assert!(trust.admit(&out_of_range, canister(4), UPTIME).is_err());
    assert_eq!(trust, before);
}

#[test]
fn bytes_that_are_no_certificate_are_refused() {
    let mut trust = Trust::new(root().public());
    let mut refused = |bytes: &[u8]| trust.admit(bytes, canister(4), UPTIME).unwrap_err();
    assert_eq!(
        refused(b""),
        CertificateError::Unreadable(CborError::Malformed)
    );
    assert_eq!(
        refused(b"\xa0"),
        CertificateError::Unreadable(CborError::Malformed)
    );
    let mut trailing = bytes(&delegated(delegation_tree(90, &[(0, 9)]), answer(100)));
    trailing.push(0);
    assert_eq!(
        refused(&trailing),
        CertificateError::Unreadable(CborError::TrailingBytes)
    );
}

#[test]
fn numbers_read_as_they_are_written() {
    for value in [0, 1, 127, 128, 300, u64::MAX] {
        assert_eq!(leb128(&crate::ingress::testnet::leb128(value)), Some(value));
    }
}

mod hostile {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;

    fn admit_bytes(bytes: &[u8]) -> Result<Certified, CertificateError> {
        Trust::new(root().public()).admit(bytes, canister(4), UPTIME)
    }

    /// A good certificate and what it says.
    static GOOD: LazyLock<(Vec<u8>, Certified)> = LazyLock::new(|| {
        let good = bytes(&delegated(delegation_tree(90, &[(0, 9)]), answer(100)));
        let certified = admit_bytes(&good).unwrap();
        (good, certified)
    });

    proptest! {
        #[test]
        fn bytes_of_any_kind_end_in_a_refusal(noise in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(admit_bytes(&noise).is_err());
        }

        #[test]
        fn a_flipped_bit_is_refused_or_changes_nothing(position in any::<prop::sample::Index>(), bit in 0..8_u8) {
            let (good, expected) = &*GOOD;
            let mut flipped = good.clone();
            flipped[position.index(good.len())] ^= 1 << bit;
            if let Ok(read) = admit_bytes(&flipped) {
                prop_assert_eq!(&read, expected);
            }
        }
    }
}
