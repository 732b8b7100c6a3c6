//! Certificates as they are encoded. The library's own reading of a cut branch needs bytes that it
//! can borrow, which a reader that bounds depth and size does not give.

use core::fmt;

use ic_certification::{Certificate, Delegation, HashTree, empty, fork, labeled, leaf, pruned};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, IgnoredAny, SeqAccess, Visitor},
};
use serde_bytes::{ByteArray, ByteBuf};

use super::cbor::{self, CborError};

/// Reads a certificate (IC interface specification, "Certificate").
pub(super) fn certificate(bytes: &[u8]) -> Result<Certificate, CborError> {
    let read: Read = cbor::decode(bytes)?;
    Ok(Certificate {
        tree: read.tree.0,
        signature: read.signature.into_vec(),
        delegation: read.delegation.map(|delegation| Delegation {
            subnet_id: delegation.subnet_id.into_vec(),
            certificate: delegation.certificate.into_vec(),
        }),
    })
}

#[derive(Deserialize)]
struct Read {
    tree: Tree,
    signature: ByteBuf,
    delegation: Option<ReadDelegation>,
}

#[derive(Deserialize)]
struct ReadDelegation {
    subnet_id: ByteBuf,
    certificate: ByteBuf,
}

/// `[0]`, `[1, left, right]`, `[2, label, below]`, `[3, value]` or `[4, hash]`.
struct Tree(HashTree);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node of a hash tree")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        fn part<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(seq: &mut A) -> Result<T, A::Error> {
            seq.next_element()?
                .ok_or_else(|| A::Error::custom("a node of a hash tree has too few parts"))
        }
        let node = match part::<u8, A>(&mut seq)? {
            0 => empty(),
            1 => {
                let left: Tree = part(&mut seq)?;
                let right: Tree = part(&mut seq)?;
                fork(left.0, right.0)
            }
            2 => {
                let label: ByteBuf = part(&mut seq)?;
                let below: Tree = part(&mut seq)?;
                labeled(label.into_vec(), below.0)
            }
            3 => leaf(part::<ByteBuf, A>(&mut seq)?.into_vec()),
            4 => pruned(part::<ByteArray<32>, A>(&mut seq)?.into_array()),
            _ => return Err(A::Error::custom("there is no such node in a hash tree")),
        };
        match seq.next_element::<IgnoredAny>()? {
            None => Ok(Tree(node)),
            Some(_) => Err(A::Error::custom("a node of a hash tree has too many parts")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tree: &[u8]) -> Result<HashTree, CborError> {
        cbor::decode::<Tree>(tree).map(|tree| tree.0)
    }

    #[test]
    fn a_certificate_reads_back_with_every_kind_of_node() {
        let whole = Certificate {
            tree: fork(
                fork(labeled("a", leaf(*b"value")), labeled("b", empty())),
                labeled("c", pruned([7; 32])),
            ),
            signature: vec![1, 2],
            delegation: Some(Delegation {
                subnet_id: vec![3],
                certificate: vec![4],
            }),
        };
        assert_eq!(certificate(&cbor::encode(&whole)), Ok(whole.clone()));
        let without = Certificate {
            delegation: None,
            ..whole
        };
        assert_eq!(certificate(&cbor::encode(&without)), Ok(without));
    }

    #[test]
    fn a_node_has_exactly_its_parts() {
        assert_eq!(read(&[0x81, 0]), Ok(empty()));
        assert_eq!(read(&[0x82, 3, 0x41, 9]), Ok(leaf([9])));
        for odd in [
            [0x80].as_slice(),
            &[0x82, 0, 0],
            &[0x82, 1, 0x81],
            &[0x81, 3],
            &[0x83, 3, 0x40, 0x40],
            &[0x82, 4, 0x41, 1],
            &[0x81, 5],
            &[0x82, 3, 0x61, b'a', 0],
        ] {
            assert_eq!(read(odd).unwrap_err(), CborError::Malformed, "{odd:?}");
        }
    }

    #[test]
    fn a_tree_that_nests_without_end_is_refused() {
        let mut deep = Vec::new();
        for _ in 0..100_000 {
            deep.extend_from_slice(&[0x83, 2, 0x40]);
        }
        assert_eq!(read(&deep), Err(CborError::Malformed));
    }
}
