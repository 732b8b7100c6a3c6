use ic_certification::{HashTree, fork, labeled, pruned};

use super::*;
use crate::ingress::Trust;
use crate::ingress::testnet::{Key, at, bytes, canister, ranges_leaf, time_leaf, tree};
use crate::time::Span;

const CALL: RequestId = RequestId::from_bytes([0x77; 32]);

/// A certificate with these entries under `/request_status`, and what makes it admissible.
fn certified(request_status: Option<HashTree>) -> Certified {
    let root = Key::new(1);
    let id = root.public().subnet();
    let rest = tree(&[
        (
            &[b"subnet", id.as_slice(), b"canister_ranges"],
            ranges_leaf(&[(0, 9)]),
        ),
        (&[b"time"], time_leaf(at(100))),
    ]);
    let whole = match request_status {
        Some(statuses) => fork(labeled("request_status", statuses), rest),
        None => rest,
    };
    Trust::new(root.public())
        .admit(
            &bytes(&root.certify(whole, None)),
            canister(4),
            Span::from_secs(1),
        )
        .unwrap()
}

fn status_of(parts: &[(&str, &[u8])]) -> Result<RequestStatus, StatusError> {
    let paths: Vec<[&[u8]; 2]> = parts
        .iter()
        .map(|(name, _)| [CALL.as_bytes().as_slice(), name.as_bytes()])
        .collect();
    let entries: Vec<(&[&[u8]], Vec<u8>)> = paths
        .iter()
        .zip(parts)
        .map(|(path, (_, value))| (path.as_slice(), value.to_vec()))
        .collect();
    certified(Some(tree(&entries))).request_status(&CALL)
}

#[test]
fn each_status_of_the_specification_is_read() {
    assert_eq!(
        status_of(&[("status", b"received")]),
        Ok(RequestStatus::Received)
    );
    assert_eq!(
        status_of(&[("status", b"processing")]),
        Ok(RequestStatus::Processing)
    );
    assert_eq!(status_of(&[("status", b"done")]), Ok(RequestStatus::Done));
    assert_eq!(
        status_of(&[("reply", b"abc"), ("status", b"replied")]),
        Ok(RequestStatus::Replied(b"abc".to_vec()))
    );
}

#[test]
fn a_reject_is_read_with_its_code_and_words() {
    assert_eq!(
        status_of(&[
            ("error_code", b"IC0503"),
            ("reject_code", &[5]),
            ("reject_message", b"trapped\x07"),
            ("status", b"rejected"),
        ]),
        Ok(RequestStatus::Rejected(Reject {
            code: RejectCode::CanisterError,
            message: Untrusted::new("trapped\x07"),
            error_code: Some(Untrusted::new("IC0503")),
        }))
    );
    assert_eq!(
        status_of(&[
            ("reject_code", &[0xac, 0x02]),
            ("reject_message", b"?"),
            ("status", b"rejected"),
        ]),
        Ok(RequestStatus::Rejected(Reject {
            code: RejectCode::Unlisted(300),
            message: Untrusted::new("?"),
            error_code: None,
        }))
    );
}

#[test]
fn an_absent_call_is_told_apart_from_one_that_is_not_shown() {
    // No entry at all, and no entry between its neighbours: proved absent.
    assert_eq!(
        certified(None).request_status(&CALL),
        Ok(RequestStatus::Absent)
    );
    let neighbours = fork(
        labeled([0x11; 32].to_vec(), pruned([1; 32])),
        labeled([0x99; 32].to_vec(), pruned([2; 32])),
    );
    assert_eq!(
        certified(Some(neighbours)).request_status(&CALL),
        Ok(RequestStatus::Absent)
    );
    // Cut away in whole or in part: unknown.
    assert_eq!(
        certified(Some(pruned([3; 32]))).request_status(&CALL),
        Ok(RequestStatus::Unknown)
    );
    let beside_a_cut = fork(
        labeled([0x11; 32].to_vec(), pruned([1; 32])),
        pruned([2; 32]),
    );
    assert_eq!(
        certified(Some(beside_a_cut)).request_status(&CALL),
        Ok(RequestStatus::Unknown)
    );
    let entry_cut = labeled(CALL.as_bytes().to_vec(), pruned([4; 32]));
    assert_eq!(
        certified(Some(entry_cut)).request_status(&CALL),
        Ok(RequestStatus::Unknown)
    );
    let status_cut = labeled(
        CALL.as_bytes().to_vec(),
        fork(
            labeled("reply", ic_certification::leaf(b"abc".to_vec())),
            pruned([5; 32]),
        ),
    );
    assert_eq!(
        certified(Some(status_cut)).request_status(&CALL),
        Ok(RequestStatus::Unknown)
    );
}

#[test]
fn a_status_in_another_shape_is_an_error_and_never_an_end() {
    for parts in [
        &[("status", b"finished".as_slice())] as &[(&str, &[u8])],
        &[("status", b"")],
        &[("status", b"replied")],
        &[("status", b"rejected")],
        &[("reject_code", &[4]), ("status", b"rejected")],
        &[
            ("reject_code", &[0x80]),
            ("reject_message", b"?"),
            ("status", b"rejected"),
        ],
        &[("reply", b"abc")],
        &[("reject_code", &[3]), ("reject_message", b"?")],
    ] {
        assert!(status_of(parts).is_err(), "{parts:?}");
    }
}

mod cut {
    use std::sync::LazyLock;

    use ic_certification::{HashTreeNode, leaf};
    use proptest::prelude::*;

    use super::*;

    /// The tree with the nodes for which `cut` says so replaced by their hashes, which anyone on
    /// the way can do without the signature becoming wrong.
    fn with_cuts(node: &HashTreeNode, cut: &mut impl FnMut() -> bool) -> HashTree {
        if cut() {
            return pruned(node.digest());
        }
        match node {
            HashTreeNode::Empty() => ic_certification::empty(),
            HashTreeNode::Fork(both) => {
                let left = with_cuts(&both.0, cut);
                fork(left, with_cuts(&both.1, cut))
            }
            HashTreeNode::Labeled(label, below) => {
                labeled(label.as_bytes().to_vec(), with_cuts(below, cut))
            }
            HashTreeNode::Leaf(value) => leaf(value.clone()),
            HashTreeNode::Pruned(hash) => pruned(*hash),
        }
    }

    fn whole() -> HashTree {
        let entry = |id: u8, parts: &[(&[&[u8]], Vec<u8>)]| labeled([id; 32].to_vec(), tree(parts));
        let reply: [(&[&[u8]], Vec<u8>); 2] = [
            (&[b"reply"], b"abc".to_vec()),
            (&[b"status"], b"replied".to_vec()),
        ];
        let received: [(&[&[u8]], Vec<u8>); 1] = [(&[b"status"], b"received".to_vec())];
        let statuses = fork(
            fork(entry(0x11, &received), entry(0x77, &reply)),
            entry(0x99, &received),
        );
        fork(
            labeled("request_status", statuses),
            labeled("time", leaf(time_leaf(at(100)))),
        )
    }

    /// A network whose root subnet's ranges are known.
    static TRUST: LazyLock<Trust> = LazyLock::new(|| {
        let root = Key::new(1);
        let id = root.public().subnet();
        let ranges = tree(&[
            (
                &[b"subnet", id.as_slice(), b"canister_ranges"],
                ranges_leaf(&[(0, 9)]),
            ),
            (&[b"time"], time_leaf(at(90))),
        ]);
        let mut trust = Trust::new(root.public());
        trust
            .admit(
                &bytes(&root.certify(ranges, None)),
                canister(4),
                Span::from_secs(1),
            )
            .unwrap();
        trust
    });

    proptest! {
        #[test]
        fn cutting_a_tree_never_makes_a_call_absent(cuts in prop::collection::vec(0..6_u8, 64)) {
            let whole = whole();
            let mut cuts = cuts.into_iter();
            let cut = with_cuts(whole.as_ref(), &mut || cuts.next() == Some(0));
            prop_assert_eq!(cut.digest(), whole.digest());

            let mut trust = TRUST.clone();
            let answer = bytes(&Key::new(1).certify(cut, None));
            if let Ok(certified) = trust.admit(&answer, canister(4), Span::from_secs(1)) {
                let status = certified.request_status(&CALL);
                prop_assert!(
                    matches!(&status, Err(_) | Ok(RequestStatus::Unknown))
                        || status == Ok(RequestStatus::Replied(b"abc".to_vec())),
                    "{:?}",
                    status
                );
            }
        }
    }
}
