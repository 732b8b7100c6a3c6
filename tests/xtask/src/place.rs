//! One place of one source file, old and new: what a mutant and a break change in a copy of the tree.

use crate::run::{Outcome, fail};

/// The place, and what stands there instead.
#[derive(Debug)]
pub struct Place {
    /// The file, from the root of the tree.
    pub file: String,
    old: String,
    new: String,
}

/// What stands after `name` at the beginning of a line.
pub fn field(text: &str, name: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map(|value| value.trim().to_owned())
}

impl Place {
    /// From a text with `in: FILE`, and then the old lines and the new ones between marks. `None`
    /// where one of these is not there.
    pub fn read(text: &str) -> Option<Self> {
        let (_, rest) = text.split_once("<<<<<<<\n")?;
        let (old, rest) = rest.split_once("\n=======\n")?;
        let new = rest.strip_suffix("\n>>>>>>>\n")?;
        Some(Self {
            file: field(text, "in:")?,
            old: old.to_owned(),
            new: new.to_owned(),
        })
    }

    /// The source with the place changed, where it stands there once; `name` is whose place it is.
    pub fn changed(&self, name: &str, source: &str) -> Outcome<String> {
        let places = source.matches(&self.old).count();
        if places != 1 || self.old == self.new {
            let file = &self.file;
            return fail(format!("{name}: its place is {places} times in {file}"));
        }
        Ok(source.replace(&self.old, &self.new))
    }
}
