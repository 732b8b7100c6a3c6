//! State trees and their witnesses: the whole state is hashed, and what was not asked for is
//! pruned, so that every certificate of one moment has one root hash.

use ic_certification::{HashTree, hash_tree};
use sha2::{Digest as _, Sha256};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// Writes an unsigned number as LEB128, as numbers stand in the state tree.
#[must_use]
pub fn leb128(mut n: u64) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let low = u8::try_from(n & 0x7f).expect("seven bits fit a byte");
        n >>= 7;
        if n == 0 {
            out.push(low);
            return out;
        }
        out.push(low | 0x80);
    }
}

/// A tree of state with nothing left out.
#[derive(Clone, Debug)]
pub enum State {
    /// A value.
    Leaf(Vec<u8>),
    /// Labelled children, in the order of their labels' bytes.
    Node(BTreeMap<Vec<u8>, Self>),
}

impl Default for State {
    fn default() -> Self {
        Self::Node(BTreeMap::new())
    }
}

impl State {
    /// Sets the value at a path, making the nodes on the way.
    ///
    /// # Panics
    ///
    /// Where the path leads through a value: the builder of a state has it wrong.
    pub fn set(&mut self, path: &[&[u8]], value: impl Into<Vec<u8>>) {
        match path.split_first() {
            None => *self = Self::Leaf(value.into()),
            Some((label, rest)) => self.child(label).set(rest, value),
        }
    }

    /// Makes sure that there is a node at a path, with or without children.
    ///
    /// # Panics
    ///
    /// Where the path leads through a value.
    pub fn node(&mut self, path: &[&[u8]]) {
        if let Some((label, rest)) = path.split_first() {
            self.child(label).node(rest);
        }
    }

    fn child(&mut self, label: &[u8]) -> &mut Self {
        match self {
            Self::Leaf(_) => panic!("a value has no children"),
            Self::Node(children) => children.entry(label.to_vec()).or_default(),
        }
    }

    /// The hash tree of the whole state.
    #[must_use]
    pub fn full(&self) -> HashTree {
        self.reveal(&[&[]])
    }

    /// The hash tree that shows what is at or below each path, or that nothing is there, and
    /// prunes the rest.
    #[must_use]
    pub fn witness(&self, paths: &[Vec<Vec<u8>>]) -> HashTree {
        let paths: Vec<&[Vec<u8>]> = paths.iter().map(Vec::as_slice).collect();
        self.reveal(&paths)
    }

    /// The hash of the whole, without making its hash tree.
    fn digest(&self) -> [u8; 32] {
        match self {
            Self::Leaf(value) => digest_of_leaf(value),
            Self::Node(children) => {
                let children: Vec<_> = children.iter().collect();
                digest_of(&children)
            }
        }
    }

    fn reveal(&self, paths: &[&[Vec<u8>]]) -> HashTree {
        if paths.is_empty() {
            return hash_tree::pruned(self.digest());
        }
        let whole = paths.iter().any(|path| path.is_empty());
        match self {
            Self::Leaf(value) => hash_tree::leaf(value.clone()),
            Self::Node(children) => {
                let labels: Vec<&Vec<u8>> = children.keys().collect();
                let shown = if whole {
                    vec![Shown::Whole; labels.len()]
                } else {
                    what_to_show(&labels, paths)
                };
                let nodes: Vec<(&Vec<u8>, &Self, Shown)> = children
                    .iter()
                    .zip(shown)
                    .map(|((label, child), shown)| (label, child, shown))
                    .collect();
                forks(&nodes, paths)
            }
        }
    }
}

/// What a witness shows of one child.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Shown {
    /// Nothing: it may vanish in a pruned fork.
    Nothing,
    /// Its label, as the neighbour of a label that is not there.
    Label,
    /// What lies on the paths through it.
    Paths,
    /// All of it.
    Whole,
}

fn what_to_show(labels: &[&Vec<u8>], paths: &[&[Vec<u8>]]) -> Vec<Shown> {
    let mut shown = vec![Shown::Nothing; labels.len()];
    for path in paths {
        let Some(wanted) = path.first() else { continue };
        match labels.binary_search(&wanted) {
            Ok(i) => shown[i] = Shown::Paths,
            Err(i) => {
                for neighbour in [i.checked_sub(1), (i < labels.len()).then_some(i)] {
                    if let Some(i) = neighbour
                        && shown[i] == Shown::Nothing
                    {
                        shown[i] = Shown::Label;
                    }
                }
            }
        }
    }
    shown
}

/// The hash of children side by side.
fn digest_of(children: &[(&Vec<u8>, &State)]) -> [u8; 32] {
    match children {
        [] => hashed(b"\x11ic-hashtree-empty", &[]),
        [(label, child)] => hashed(b"\x13ic-hashtree-labeled", &[label, &child.digest()]),
        _ => {
            let (left, right) = children.split_at(children.len() / 2);
            let both = [digest_of(left), digest_of(right)];
            hashed(b"\x10ic-hashtree-fork", &[&both[0], &both[1]])
        }
    }
}

thread_local! {
    /// Long values and their hashes: an interface's text is in every state there is.
    static LONG: RefCell<VecDeque<(Vec<u8>, [u8; 32])>> = const { RefCell::new(VecDeque::new()) };
}

/// From how many bytes on a value's hash is remembered, and of how many values.
const LONG_BYTES: usize = 1_024;
const LONG_VALUES: usize = 8;

fn digest_of_leaf(value: &[u8]) -> [u8; 32] {
    let digest = || hashed(b"\x10ic-hashtree-leaf", &[value]);
    if value.len() < LONG_BYTES {
        return digest();
    }
    LONG.with_borrow_mut(|long| {
        if let Some((_, known)) = long.iter().find(|(known, _)| known == value) {
            return *known;
        }
        let digest = digest();
        long.truncate(LONG_VALUES - 1);
        long.push_front((value.to_vec(), digest));
        digest
    })
}

fn hashed(domain: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new_with_prefix(domain);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

fn forks(nodes: &[(&Vec<u8>, &State, Shown)], paths: &[&[Vec<u8>]]) -> HashTree {
    if !nodes.is_empty() && nodes.iter().all(|(_, _, shown)| *shown == Shown::Nothing) {
        let hidden: Vec<_> = nodes
            .iter()
            .map(|(label, child, _)| (*label, *child))
            .collect();
        return hash_tree::pruned(digest_of(&hidden));
    }
    match nodes {
        [] => hash_tree::empty(),
        [(label, child, shown)] => match shown {
            Shown::Nothing | Shown::Label => labelled(label, hash_tree::pruned(child.digest())),
            Shown::Whole => labelled(label, child.full()),
            Shown::Paths => {
                let inner: Vec<&[Vec<u8>]> = paths
                    .iter()
                    .filter_map(|path| path.split_first())
                    .filter(|(first, _)| first == label)
                    .map(|(_, rest)| rest)
                    .collect();
                labelled(label, child.reveal(&inner))
            }
        },
        _ => {
            let (left, right) = nodes.split_at(nodes.len() / 2);
            hash_tree::fork(forks(left, paths), forks(right, paths))
        }
    }
}

fn labelled(label: &[u8], tree: HashTree) -> HashTree {
    hash_tree::label(label.to_vec(), tree)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ic_certification::LookupResult;

    fn path(labels: &[&str]) -> Vec<Vec<u8>> {
        labels
            .iter()
            .map(|label| label.as_bytes().to_vec())
            .collect()
    }

    fn state() -> State {
        let mut state = State::default();
        for label in ["a", "c", "e", "g", "i"] {
            state.set(&[b"status", label.as_bytes(), b"reply"], label);
        }
        state.set(&[b"time"], leb128(300));
        state.node(&[b"nothing"]);
        state
    }

    #[test]
    fn every_witness_has_the_root_hash_of_the_whole() {
        let state = state();
        let root = state.full().digest();
        for wanted in [
            path(&["time"]),
            path(&["status", "c"]),
            path(&["status", "d"]),
            path(&["status", "c", "reply"]),
            path(&["status", "c", "other"]),
            path(&["nothing", "x"]),
            path(&["zzz"]),
            path(&[]),
        ] {
            assert_eq!(
                state.witness(std::slice::from_ref(&wanted)).digest(),
                root,
                "{wanted:?}"
            );
        }
        assert_eq!(
            state
                .witness(&[path(&["time"]), path(&["status", "d"])])
                .digest(),
            root
        );
    }

    #[test]
    fn a_witness_shows_what_was_asked_for_and_nothing_else() {
        let witness = state().witness(&[path(&["status", "c"])]);
        assert_eq!(
            witness.lookup_path(path(&["status", "c", "reply"])),
            LookupResult::Found(b"c")
        );
        assert_eq!(
            witness.lookup_path(path(&["status", "g", "reply"])),
            LookupResult::Unknown
        );
        assert_eq!(witness.lookup_path(path(&["time"])), LookupResult::Unknown);
    }

    #[test]
    fn what_is_not_there_is_proved_absent() {
        let state = state();
        for absent in ["0", "b", "d", "h", "z"] {
            let witness = state.witness(&[path(&["status", absent])]);
            assert_eq!(
                witness.lookup_path(path(&["status", absent, "status"])),
                LookupResult::Absent,
                "{absent}"
            );
        }
        let witness = state.witness(&[path(&["nothing", "x"])]);
        assert_eq!(
            witness.lookup_path(path(&["nothing", "x"])),
            LookupResult::Absent
        );
    }

    #[test]
    fn numbers_are_leb128() {
        assert_eq!(leb128(0), [0]);
        assert_eq!(leb128(127), [127]);
        assert_eq!(leb128(300), [0xac, 0x02]);
    }
}
