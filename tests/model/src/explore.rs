//! A breadth-first walk over every state that can be reached, to the end.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::hash::{BuildHasherDefault, Hasher};

use crate::bounds::Bounds;
use crate::key::Key;
use crate::kinds::Seen;
use crate::law::{Broken, Law};
use crate::world::{Step, World};

/// What a walk found.
pub struct Walk {
    /// States that differ in what later behaviour depends on.
    pub states: usize,
    /// Steps between them.
    pub steps: usize,
    /// How often each event, effect, fact and answer of the kernel occurred.
    pub seen: Seen,
    /// The first law that broke, with the steps that lead there.
    pub broken: Option<(Broken, Vec<Step>)>,
}

/// A key is a hash already.
#[derive(Default)]
struct Half(u64);

impl Hasher for Half {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut half = [0; 8];
        half.copy_from_slice(&bytes[..8]);
        self.0 = u64::from_le_bytes(half);
    }
}

/// Walks every state of a bounded world. Breadth first, so that the steps to a broken law are as
/// few as they can be.
#[must_use]
pub fn walk(bounds: &Bounds) -> Walk {
    let mut seen = Seen::default();
    let mut known: HashMap<Key, u32, BuildHasherDefault<Half>> = HashMap::default();
    let mut came: Vec<(u32, Step)> = Vec::new();
    // Steps that need no new call of an agent, backwards.
    let mut back: Vec<(u32, u32)> = Vec::new();
    let mut settled: Vec<bool> = Vec::new();
    let mut next: VecDeque<(u32, World)> = VecDeque::new();
    let mut steps = 0;

    let start = World::default();
    known.insert(start.key(), 0);
    came.push((0, Step::START));
    settled.push(start.is_settled());
    next.push_back((0, start));
    let mut after = Vec::new();
    while let Some((from, world)) = next.pop_front() {
        world.count(&mut seen);
        if let Err((broken, step)) = world.steps(bounds, &mut seen, &mut after) {
            let mut path = path(&came, from);
            path.push(step);
            return Walk {
                states: known.len(),
                steps,
                seen,
                broken: Some((broken, path)),
            };
        }
        for (step, world) in after.drain(..) {
            steps += 1;
            let fresh = u32::try_from(came.len()).expect("fewer states than a u32 can name");
            let to = *known.entry(world.key()).or_insert(fresh);
            if !step.by_agent && to != from {
                back.push((to, from));
            }
            if to == fresh {
                came.push((from, step));
                settled.push(world.is_settled());
                next.push_back((to, world));
            }
        }
    }
    let broken = stuck(&settled, back).map(|state| {
        let why = "nothing but a new call of the agent leads to an end".to_owned();
        (Broken(Law::CanEnd, why), path(&came, state))
    });
    Walk {
        states: known.len(),
        steps,
        seen,
        broken,
    }
}

fn path(came: &[(u32, Step)], mut state: u32) -> Vec<Step> {
    let mut path = Vec::new();
    while state != 0 {
        let (from, step) = came[state as usize];
        path.push(step);
        state = from;
    }
    path.reverse();
    path
}

/// The first state from which no way without the agent leads to where everything has ended.
fn stuck(settled: &[bool], mut back: Vec<(u32, u32)>) -> Option<u32> {
    back.sort_unstable();
    let mut can_end = settled.to_vec();
    let mut queue: Vec<u32> = (0..)
        .zip(settled)
        .filter(|(_, s)| **s)
        .map(|(i, _)| i)
        .collect();
    while let Some(to) = queue.pop() {
        let first = back.partition_point(|(at, _)| *at < to);
        for (_, from) in back[first..].iter().take_while(|(at, _)| *at == to) {
            if !core::mem::replace(&mut can_end[*from as usize], true) {
                queue.push(*from);
            }
        }
    }
    can_end
        .iter()
        .position(|can| !can)
        .map(|i| u32::try_from(i).expect("a state's number"))
}

/// How many worlds that are alike to the last byte were walked, and how many of their states.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Counted {
    /// Worlds, told apart by everything that is in them.
    pub worlds: usize,
    /// States, told apart by their keys.
    pub states: usize,
}

/// Whether worlds that a key makes one state go on alike: with the same steps to the same states.
/// Walks worlds by all that is in them, up to a number of them, and tells the first two that differ.
///
/// # Errors
///
/// What one of two worlds can do that the other cannot.
pub fn keys_are_right(bounds: &Bounds, most: usize) -> Result<Counted, String> {
    let mut known = std::collections::HashSet::new();
    let mut ways: HashMap<Key, (Vec<String>, World), BuildHasherDefault<Half>> = HashMap::default();
    let mut next = VecDeque::from([World::default()]);
    let mut worlds = 0;
    while let Some(world) = next.pop_front() {
        worlds += 1;
        let key = world.key();
        let mut after = Vec::new();
        let went = world.steps(bounds, &mut Seen::default(), &mut after);
        went.map_err(|(broken, _)| format!("{} is broken", broken.0.name()))?;
        let mut way = Vec::new();
        for (step, world) in after {
            let to = world.key();
            if to != key {
                way.push(format!("{} {} {} {to:x}", step.what, step.slot, step.how));
            }
            if known.len() < most && known.insert(crate::key::of_text(&format!("{world:?}"))) {
                next.push_back(world);
            }
        }
        way.sort_unstable();
        way.dedup();
        let (first, other) = ways
            .entry(key)
            .or_insert_with(|| (way.clone(), world.clone()));
        if let Some(differs) = first
            .iter()
            .find(|step| !way.contains(step))
            .or_else(|| way.iter().find(|step| !first.contains(step)))
        {
            return Err(format!(
                "only one can: {differs}\n{other:#?}\n---\n{world:#?}"
            ));
        }
    }
    Ok(Counted {
        worlds,
        states: ways.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{ByHand, Change, Reads, Said, Written, small};

    #[test]
    fn a_small_world_has_so_many_states_and_keeps_every_law() {
        let walk = walk(&small());
        assert!(walk.broken.is_none(), "{:?}", walk.broken);
        assert_eq!((walk.states, walk.steps), (12_817, 64_318));
    }

    #[test]
    fn what_a_key_makes_one_state_goes_on_alike() {
        let worlds = [
            small(),
            Bounds {
                skew: true,
                locks: true,
                received: true,
                says: &[Said::Ok, Said::Busy],
                ..small()
            },
            Bounds {
                envelopes: 2,
                sent: 2,
                says: &[Said::Ok, Said::Busy, Said::Duplicate],
                changes: &[Change::Module],
                ..small()
            },
            Bounds {
                intents: 2,
                says: &[Said::Ok, Said::TooOld],
                ..small()
            },
            Bounds {
                restores: true,
                ..small()
            },
            Bounds {
                restores: true,
                reads: Reads::ToFloor,
                by_hand: ByHand::Never,
                ..small()
            },
            Bounds {
                reads: Reads::FromAnywhere,
                writes: &[Written::Exact, Written::Coarse, Written::Bare],
                ..small()
            },
        ];
        for bounds in worlds {
            let counted = keys_are_right(&bounds, 1_500).unwrap_or_else(|why| panic!("{why}"));
            assert!(counted.worlds > counted.states, "{counted:?} of {bounds}");
        }
    }
}
