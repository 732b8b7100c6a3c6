//! Pictures that are drawn, never loaded: a site's glyph, and the person's own mark.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Number of colours that a picture can have.
pub const HUES: u8 = 8;

/// A drawing of five by five cells whose right half mirrors its left, in one of [`HUES`] colours.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Picture {
    /// The cells of three columns and five rows, row by row, from the lowest bit.
    pub cells: u16,
    /// Which colour, below [`HUES`].
    pub hue: u8,
}

impl Picture {
    /// The picture of these bytes: the same bytes always give the same picture.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let hash: [u8; 32] = Sha256::digest(bytes).into();
        Self::from_bits([hash[0], hash[1], hash[2]])
    }

    const fn from_bits([low, high, hue]: [u8; 3]) -> Self {
        let cells = u16::from_le_bytes([low, high]) & 0x7fff;
        // Fewer than five cells would look like none at all.
        let cells = if cells.count_ones() < 5 {
            !cells & 0x7fff
        } else {
            cells
        };
        Self {
            cells,
            hue: hue % HUES,
        }
    }

    /// Whether the cell in this column and row (0 to 4 each) is filled.
    #[must_use]
    pub const fn is_filled(self, column: u8, row: u8) -> bool {
        if column > 4 || row > 4 {
            return false;
        }
        let column = if column > 2 { 4 - column } else { column };
        self.cells >> (row * 3 + column) & 1 == 1
    }
}

/// The person's mark: a picture and two words, made once, shown on every page of the wallet and
/// to nobody else.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Mark {
    /// The picture.
    pub picture: Picture,
    /// A word for a place or a thing.
    pub first: String,
    /// A word for an animal.
    pub second: String,
}

impl Mark {
    /// The mark of five random bytes.
    #[must_use]
    pub fn from_entropy(bytes: [u8; 5]) -> Self {
        let [a, b, c, first, second] = bytes;
        let word = |list: &[&str; 64], byte: u8| list[usize::from(byte % 64)].to_owned();
        Self {
            picture: Picture::from_bits([a, b, c]),
            first: word(&PLACES, first),
            second: word(&ANIMALS, second),
        }
    }

    /// Whether it is one that [`Self::from_entropy`] makes.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        let [low, high] = self.picture.cells.to_le_bytes();
        Picture::from_bits([low, high, self.picture.hue]) == self.picture
            && PLACES.contains(&self.first.as_str())
            && ANIMALS.contains(&self.second.as_str())
    }
}

const PLACES: [&str; 64] = [
    "amber", "anchor", "apple", "autumn", "barley", "basalt", "beacon", "birch", "bramble",
    "bridge", "canal", "candle", "cedar", "chalk", "cherry", "cinder", "clover", "copper", "coral",
    "cotton", "dune", "ember", "fern", "fjord", "garden", "ginger", "granite", "harbour", "hazel",
    "heather", "indigo", "island", "ivory", "jasmine", "juniper", "lagoon", "lantern", "lemon",
    "linen", "maple", "marble", "meadow", "mint", "moss", "nectar", "oak", "olive", "orchard",
    "paper", "pebble", "pepper", "plum", "prairie", "quartz", "reed", "river", "saffron", "silver",
    "slate", "sugar", "thistle", "tundra", "velvet", "willow",
];

const ANIMALS: [&str; 64] = [
    "badger",
    "beaver",
    "beetle",
    "bison",
    "bittern",
    "bobcat",
    "camel",
    "caribou",
    "cheetah",
    "cicada",
    "condor",
    "cormorant",
    "cricket",
    "curlew",
    "dolphin",
    "donkey",
    "dormouse",
    "eagle",
    "egret",
    "falcon",
    "ferret",
    "finch",
    "firefly",
    "fox",
    "gannet",
    "gazelle",
    "gecko",
    "goose",
    "hare",
    "hedgehog",
    "heron",
    "hornet",
    "ibis",
    "iguana",
    "jackdaw",
    "kestrel",
    "kingfisher",
    "koala",
    "lapwing",
    "lemur",
    "lizard",
    "lynx",
    "magpie",
    "marmot",
    "marten",
    "mole",
    "moth",
    "newt",
    "ocelot",
    "otter",
    "owl",
    "panther",
    "pelican",
    "penguin",
    "plover",
    "puffin",
    "quail",
    "rabbit",
    "raven",
    "robin",
    "salmon",
    "seal",
    "swallow",
    "tortoise",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_picture_mirrors_and_is_never_nearly_empty() {
        for bits in 0..=u16::MAX {
            let [low, high] = bits.to_le_bytes();
            let picture = Picture::from_bits([low, high, high]);
            assert!(picture.cells.count_ones() >= 5, "{bits}");
            assert!(picture.hue < HUES);
        }
        let picture = Picture::of(b"https://agent.example");
        for row in 0..5 {
            assert_eq!(picture.is_filled(0, row), picture.is_filled(4, row));
            assert_eq!(picture.is_filled(1, row), picture.is_filled(3, row));
        }
        assert!(!picture.is_filled(5, 0) && !picture.is_filled(0, 5));
    }

    #[test]
    fn every_word_stands_once() {
        let words: BTreeSet<&str> = PLACES.iter().chain(&ANIMALS).copied().collect();
        assert_eq!(words.len(), 128);
    }

    #[test]
    fn the_same_entropy_gives_the_same_mark() {
        let mark = Mark::from_entropy([3, 200, 5, 27, 30]);
        assert_eq!(
            (mark.first.as_str(), mark.second.as_str()),
            ("harbour", "heron")
        );
        assert_eq!(mark, Mark::from_entropy([3, 200, 5, 27, 30]));
        assert_ne!(mark, Mark::from_entropy([3, 200, 5, 27, 31]));
    }
}
