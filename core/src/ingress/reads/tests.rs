use ic_certification::{HashTree, fork, labeled, leaf, pruned};

use super::*;
use crate::ingress::Trust;
use crate::ingress::testnet::{Key, at, bytes, canister, ranges_leaf, time_leaf, tree};
use crate::time::Span;

/// A certificate of the root subnet with this under `/canister`, or `/subnet/<id>/node`.
fn certified(canisters: Option<HashTree>, nodes: Option<HashTree>) -> Certified {
    let root = Key::new(1);
    let id = root.public().subnet();
    let ranges = labeled("canister_ranges", leaf(ranges_leaf(&[(0, 9)])));
    let subnet = match nodes {
        Some(nodes) => fork(ranges, labeled("node", nodes)),
        None => ranges,
    };
    let rest = fork(
        labeled("subnet", labeled(id.as_slice().to_vec(), subnet)),
        labeled("time", leaf(time_leaf(at(100)))),
    );
    let whole = match canisters {
        Some(canisters) => fork(labeled("canister", canisters), rest),
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

fn of_canister(below: HashTree) -> Certified {
    certified(Some(labeled(canister(4).as_slice().to_vec(), below)), None)
}

#[test]
fn metadata_is_told_apart_from_none_and_from_not_shown() {
    let with = of_canister(tree(&[(
        &[b"metadata", b"candid:service"],
        b"service : {}".to_vec(),
    )]));
    assert_eq!(
        with.metadata(canister(4), "candid:service"),
        Ok(Some(b"service : {}".as_slice()))
    );
    assert_eq!(with.metadata(canister(4), "candid:args"), Ok(None));
    assert_eq!(with.metadata(canister(5), "candid:service"), Ok(None));
    let cut = of_canister(labeled("metadata", pruned([1; 32])));
    assert_eq!(
        cut.metadata(canister(4), "candid:service"),
        Err(ReadError::LeftOut)
    );
    let odd = of_canister(tree(&[(
        &[b"metadata", b"candid:service", b"more"],
        b"?".to_vec(),
    )]));
    assert_eq!(
        odd.metadata(canister(4), "candid:service"),
        Err(ReadError::Malformed)
    );
}

#[test]
fn a_module_hash_has_32_bytes() {
    let hash =
        |value: Vec<u8>| of_canister(tree(&[(&[b"module_hash"], value)])).module_hash(canister(4));
    assert_eq!(
        hash(vec![7; 32]),
        Ok(Some(ContentHash::from_bytes([7; 32])))
    );
    assert_eq!(hash(vec![7; 31]), Err(ReadError::Malformed));
    assert_eq!(
        of_canister(tree(&[(&[b"controllers"], vec![])])).module_hash(canister(4)),
        Ok(None)
    );
}

#[test]
fn a_subnets_nodes_are_read_with_their_keys() {
    let mut der = ED25519_DER_PREFIX.to_vec();
    der.extend_from_slice(&[9; 32]);
    let node = Principal::self_authenticating(&der);
    let nodes = |key: Vec<u8>| {
        let nodes = tree(&[(&[node.as_slice(), b"public_key"], key)]);
        Subnet::read(&certified(None, Some(nodes)))
    };
    let subnet = nodes(der.clone()).unwrap();
    assert_eq!(subnet.id(), Key::new(1).public().subnet());
    assert_eq!(subnet.time(), at(100));
    assert_eq!(subnet.size(), 1);
    assert_eq!(subnet.node_key(node), Some(&[9; 32]));
    assert_eq!(subnet.node_key(canister(4)), None);

    assert_eq!(nodes(der[1..].to_vec()), Err(ReadError::Malformed));
    assert_eq!(nodes(der[..43].to_vec()), Err(ReadError::Malformed));
    let no_principal = tree(&[(&[&[1; 30], b"public_key"], der)]);
    assert_eq!(
        Subnet::read(&certified(None, Some(no_principal))),
        Err(ReadError::Malformed)
    );
}

#[test]
fn a_subnet_whose_nodes_are_not_shown_is_not_read() {
    assert_eq!(
        Subnet::read(&certified(None, Some(pruned([1; 32])))),
        Err(ReadError::LeftOut)
    );
    assert_eq!(
        Subnet::read(&certified(None, None)),
        Err(ReadError::Malformed)
    );
}
