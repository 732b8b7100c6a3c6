//! What is certified, as it comes: CBOR read by hand, without any checks.

use ciborium::Value;
use ic_certification::{HashTree, hash_tree};
use std::collections::BTreeMap;

/// The fields of a tagged map.
pub(crate) fn map_of(bytes: &[u8]) -> BTreeMap<String, Value> {
    let Value::Tag(55799, map) = ciborium::from_reader(bytes).unwrap() else {
        panic!("the self-describing tag is in front");
    };
    map.into_map()
        .unwrap()
        .into_iter()
        .map(|(key, value)| (key.into_text().unwrap(), value))
        .collect()
}

/// A hash tree.
pub(crate) fn tree_of(value: &Value) -> HashTree {
    let bytes = |value: &Value| value.as_bytes().unwrap().clone();
    match value.as_array().unwrap().as_slice() {
        [_] => hash_tree::empty(),
        [kind, left, right] if *kind == 1.into() => hash_tree::fork(tree_of(left), tree_of(right)),
        [_, label, child] => hash_tree::label(bytes(label), tree_of(child)),
        [kind, value] if *kind == 3.into() => hash_tree::leaf(bytes(value)),
        [_, hash] => hash_tree::pruned(<[u8; 32]>::try_from(bytes(hash)).unwrap()),
        _ => panic!("not a hash tree"),
    }
}
