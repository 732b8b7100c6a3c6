//! Places in arguments and replies.

use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::text::Untrusted;

/// A place in a method's arguments or reply: `$args[0].amount`, `(0).Ok`, `Err.Duplicate`.
///
/// An `opt` has no step of its own: the option and what it holds are one place.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct RelPath {
    /// The tuple the path starts in.
    pub root: Root,
    /// The position in that tuple.
    pub index: usize,
    /// The way from there.
    pub steps: Vec<Step>,
}

/// The tuple a path starts in.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Root {
    /// The arguments.
    Args,
    /// The results.
    Results,
}

/// One step of a path.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Step {
    /// Into a field of a record or a case of a variant, by its name.
    Member(String),
    /// Into a field or a case that has a number and no name.
    Number(u32),
    /// Into every element of a `vec`.
    Elements,
}

/// Why a text is no path.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error(
    "`{}` is no position: write it like `$args[0].amount` or `(0).Ok`",
    Untrusted::new(text)
)]
pub struct RelPathError {
    /// The text.
    pub text: String,
}

impl RelPath {
    /// The whole argument at `index`.
    #[must_use]
    pub const fn arg(index: usize) -> Self {
        Self {
            root: Root::Args,
            index,
            steps: Vec::new(),
        }
    }

    /// The whole result at `index`.
    #[must_use]
    pub const fn result(index: usize) -> Self {
        Self {
            root: Root::Results,
            index,
            steps: Vec::new(),
        }
    }

    /// The path one member further.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        self.then(Step::Member(name.to_owned()))
    }

    /// The path one numbered member further.
    #[must_use]
    pub fn number(&self, number: u32) -> Self {
        self.then(Step::Number(number))
    }

    /// The path of the elements.
    #[must_use]
    pub fn elements(&self) -> Self {
        self.then(Step::Elements)
    }

    /// The path one step further.
    #[must_use]
    pub fn then(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self {
            root: self.root,
            index: self.index,
            steps,
        }
    }

    /// The path one step shorter; `None` for a whole argument or result.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, above) = self.steps.split_last()?;
        Some(Self {
            root: self.root,
            index: self.index,
            steps: above.to_vec(),
        })
    }

    /// Reads a path. `$args[0]` begins in the arguments and `(0)` in the results. A path that names
    /// neither begins in the first of `default_root`: in a place that means results, `.Ok` and `Ok`
    /// are `(0).Ok`. A member that is no plain name is quoted: `(0)."a.b"`.
    ///
    /// # Errors
    ///
    /// Text that is none of these.
    pub fn parse(text: &str, default_root: Root) -> Result<Self, RelPathError> {
        let error = || RelPathError {
            text: text.to_owned(),
        };
        let mut rest = text;
        let mut path = Self {
            root: default_root,
            index: 0,
            steps: Vec::new(),
        };
        let mut at_start = true;
        if let Some(tail) = rest.strip_prefix("$args") {
            path.root = Root::Args;
            at_start = false;
            rest = tail;
            if let Some(tail) = rest.strip_prefix('[') {
                (path.index, rest) = number(tail, ']').ok_or_else(error)?;
            }
        } else if let Some(tail) = rest.strip_prefix('(') {
            path.root = Root::Results;
            (path.index, rest) = number(tail, ')').ok_or_else(error)?;
            at_start = false;
        }
        if rest.is_empty() && at_start {
            return Err(error());
        }
        while !rest.is_empty() {
            if let Some(tail) = rest.strip_prefix("[]") {
                path.steps.push(Step::Elements);
                rest = tail;
            } else {
                let tail = match rest.strip_prefix('.') {
                    Some(tail) => tail,
                    None if at_start => rest,
                    None => return Err(error()),
                };
                let (step, tail) = member(tail).ok_or_else(error)?;
                path.steps.push(step);
                rest = tail;
            }
            at_start = false;
        }
        Ok(path)
    }

    /// The path without its tuple: `to.owner`, `[].start`; `(0)` for a whole one. Reasons and issues
    /// speak this form.
    #[must_use]
    pub fn short(&self) -> String {
        match self.steps.first() {
            Some(Step::Member(_) | Step::Number(_)) => {
                let mut out = String::new();
                write_steps(&mut out, &self.steps);
                out.strip_prefix('.').map_or(out.clone(), str::to_owned)
            }
            Some(Step::Elements) | None => {
                let mut out = format!("({})", self.index);
                write_steps(&mut out, &self.steps);
                out
            }
        }
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = match self.root {
            Root::Args => format!("$args[{}]", self.index),
            Root::Results => format!("({})", self.index),
        };
        write_steps(&mut out, &self.steps);
        f.write_str(&out)
    }
}

impl Serialize for RelPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RelPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text, Root::Results).map_err(de::Error::custom)
    }
}

fn write_steps(out: &mut String, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Elements => out.push_str("[]"),
            Step::Number(number) => {
                out.push('.');
                out.push_str(&number.to_string());
            }
            Step::Member(name) if is_plain(name) => {
                out.push('.');
                out.push_str(name);
            }
            Step::Member(name) => {
                out.push_str(".\"");
                for c in name.chars() {
                    if matches!(c, '"' | '\\') {
                        out.push('\\');
                    }
                    out.push(c);
                }
                out.push('"');
            }
        }
    }
}

/// Whether a member stands unquoted.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !is_digits(name)
        && !name
            .chars()
            .any(|c| matches!(c, '.' | '[' | ']' | '(' | ')' | '"' | '$'))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Reads a number up to `close`, and gives what follows it.
fn number(text: &str, close: char) -> Option<(usize, &str)> {
    let (digits, rest) = text.split_once(close)?;
    Some((usize::try_from(canonical(digits)?).ok()?, rest))
}

/// Reads digits that are written as a number is shown.
fn canonical(digits: &str) -> Option<u32> {
    let shown = digits == "0" || !digits.starts_with('0');
    (shown && !digits.is_empty() && is_digits(digits)).then(|| digits.parse().ok())?
}

/// Reads one member, and gives what follows it.
fn member(text: &str) -> Option<(Step, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let mut name = String::new();
        let mut chars = quoted.chars();
        loop {
            match chars.next()? {
                '"' => return Some((Step::Member(name), chars.as_str())),
                '\\' => name.push(chars.next()?),
                c => name.push(c),
            }
        }
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if let Some(number) = canonical(name) {
        return Some((Step::Number(number), rest));
    }
    is_plain(name).then(|| (Step::Member(name.to_owned()), rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reply(text: &str) -> RelPath {
        RelPath::parse(text, Root::Results).unwrap()
    }

    #[test]
    fn three_ways_to_write_a_reply_case_are_one() {
        assert_eq!(reply("(0).Ok"), reply("Ok"));
        assert_eq!(reply(".Ok"), reply("Ok"));
        assert_eq!(reply("Err.Duplicate").to_string(), "(0).Err.Duplicate");
    }

    #[test]
    fn arguments_are_named_by_their_root_or_by_the_place() {
        let amount = RelPath::arg(0).member("amount");
        assert_eq!(reply("$args[0].amount"), amount);
        assert_eq!(reply("$args.amount"), amount);
        assert_eq!(RelPath::parse("amount", Root::Args), Ok(amount));
    }

    #[test]
    fn reasons_speak_the_short_form() {
        assert_eq!(RelPath::arg(0).member("start").short(), "start");
        assert_eq!(
            RelPath::arg(0).elements().member("start").short(),
            "(0)[].start"
        );
        assert_eq!(RelPath::arg(1).short(), "(1)");
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in [
            "", "(", "(x)", "(00)", "$args[", "(0)Ok", "Ok..a", "Ok.", "[1]", "a\"b",
        ] {
            assert!(RelPath::parse(text, Root::Results).is_err(), "{text}");
        }
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            Just(Step::Elements),
            any::<u32>().prop_map(Step::Number),
            ".{0,6}".prop_map(Step::Member),
            "[0-9.\\[\"]{0,3}".prop_map(Step::Member),
        ]
    }

    proptest! {
        #[test]
        fn a_path_reads_back_what_it_shows(
            args: bool,
            index in 0_usize..20,
            steps in proptest::collection::vec(step(), 0..5)
        ) {
            let path = RelPath {
                root: if args { Root::Args } else { Root::Results },
                index,
                steps,
            };
            prop_assert_eq!(&reply(&path.to_string()), &path);
        }
    }
}
