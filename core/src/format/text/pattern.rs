//! A pattern from a profile, which is an ECMA 262 regular expression with the `u` flag, run by an
//! engine whose time is linear.
//!
//! What the two languages mean differently is translated or refused, so that a text is judged as
//! every other reader of the profile judges it.

use regex_lite::{Regex, RegexBuilder};
use thiserror::Error;

/// The longest pattern that is run, in code points.
const MAX_PATTERN: usize = 256;

/// The most memory a compiled pattern takes, in bytes.
const MAX_COMPILED: usize = 256 * 1_024;

/// White space as ECMA 262 has it, inside a class.
const SPACE: &str =
    r"\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
/// All that is not [`SPACE`], inside a class.
const NOT_SPACE: &str = r"\x00-\x08\x0e-\x1f!-\u{9f}\u{a1}-\u{167f}\u{1681}-\u{1fff}\u{200b}-\u{2027}\u{202a}-\u{202e}\u{2030}-\u{205e}\u{2060}-\u{2fff}\u{3001}-\u{fefe}\u{ff00}-\u{10ffff}";

/// A pattern that is safe to run.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    regex: Regex,
}

/// Why a pattern is not run.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum PatternError {
    /// Longer than 256 code points.
    #[error("its pattern is over 256 characters")]
    TooLong,
    /// No regular expression.
    #[error("its pattern is not valid with the u flag")]
    Invalid,
    /// It refers back to what a group matched.
    #[error("its pattern has a back reference")]
    BackReference,
    /// It looks ahead or behind.
    #[error("its pattern has a lookaround")]
    Lookaround,
    /// A repetition inside a group that is repeated.
    #[error("its pattern has a repeated group that repeats")]
    NestedRepeat,
    /// It asks for Unicode properties, whose tables the wallet does not carry.
    #[error("its pattern has a Unicode property class")]
    Property,
}

impl Pattern {
    /// Makes a pattern ready, where it is one that is run.
    ///
    /// # Errors
    ///
    /// What is said at each [`PatternError`].
    pub fn compile(source: &str) -> Result<Self, PatternError> {
        if source.chars().count() > MAX_PATTERN {
            return Err(PatternError::TooLong);
        }
        let mut translator = Translator {
            rest: source.chars().collect(),
            at: 0,
            out: String::new(),
        };
        translator.alternatives(0)?;
        if translator.at < translator.rest.len() {
            return Err(PatternError::Invalid);
        }
        let regex = RegexBuilder::new(&translator.out)
            .size_limit(MAX_COMPILED)
            .build()
            .map_err(|_| PatternError::Invalid)?;
        Ok(Self {
            source: source.to_owned(),
            regex,
        })
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it occurs in the text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// Reads ECMA 262's grammar (with `u`) and writes the same language for the engine.
struct Translator {
    rest: Vec<char>,
    at: usize,
    out: String,
}

/// What a part of a pattern holds.
#[derive(Clone, Copy, Default)]
struct Holds {
    /// Something in it may come more than once.
    repeats: bool,
}

impl Translator {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    /// Alternatives up to the end or a closing parenthesis.
    fn alternatives(&mut self, depth: usize) -> Result<Holds, PatternError> {
        let mut holds = Holds::default();
        loop {
            match self.peek() {
                None | Some(')') => return Ok(holds),
                Some('|') => {
                    self.at += 1;
                    self.out.push('|');
                }
                Some(_) => holds.repeats |= self.term(depth)?.repeats,
            }
        }
    }

    /// One atom with its quantifier, or an assertion.
    fn term(&mut self, depth: usize) -> Result<Holds, PatternError> {
        let Some(c) = self.next() else {
            return Err(PatternError::Invalid);
        };
        let inner = match c {
            '^' | '$' => {
                self.out.push(c);
                return Ok(Holds::default());
            }
            '(' => self.group(depth)?,
            '[' => {
                self.class()?;
                Holds::default()
            }
            '.' => {
                self.out.push_str(r"[^\n\r\u{2028}\u{2029}]");
                Holds::default()
            }
            '\\' => {
                if let Some(b @ ('b' | 'B')) = self.peek() {
                    self.at += 1;
                    self.out.extend(['\\', b]);
                    return Ok(Holds::default());
                }
                match self.escape()? {
                    Escape::Char(c) => push_literal(&mut self.out, c),
                    Escape::Class(class) => {
                        self.out.push('[');
                        self.out.push_str(class);
                        self.out.push(']');
                    }
                }
                Holds::default()
            }
            '*' | '+' | '?' | '{' | '}' | ']' | ')' | '|' => return Err(PatternError::Invalid),
            c => {
                push_literal(&mut self.out, c);
                Holds::default()
            }
        };
        let repeats = self.quantifier()?;
        if repeats && inner.repeats {
            return Err(PatternError::NestedRepeat);
        }
        Ok(Holds {
            repeats: repeats || inner.repeats,
        })
    }

    /// A group whose `(` was read.
    fn group(&mut self, depth: usize) -> Result<Holds, PatternError> {
        if depth >= 32 {
            return Err(PatternError::Invalid);
        }
        // What a group captured is never asked for, so each is a plain one.
        if self.eat('?') {
            match self.next() {
                Some(':') => {}
                Some('=' | '!') => return Err(PatternError::Lookaround),
                Some('<') => match self.peek() {
                    Some('=' | '!') => return Err(PatternError::Lookaround),
                    Some(_) | None => self.group_name()?,
                },
                Some(_) | None => return Err(PatternError::Invalid),
            }
        }
        self.out.push_str("(?:");
        let holds = self.alternatives(depth + 1)?;
        if !self.eat(')') {
            return Err(PatternError::Invalid);
        }
        self.out.push(')');
        Ok(holds)
    }

    fn group_name(&mut self) -> Result<(), PatternError> {
        let start = self.at;
        loop {
            match self.next() {
                Some('>') if self.at > start + 1 => return Ok(()),
                Some(c) if c.is_ascii_alphabetic() || c == '_' || c == '$' => {}
                Some(c) if c.is_ascii_digit() && self.at > start + 1 => {}
                Some(_) | None => return Err(PatternError::Invalid),
            }
        }
    }

    /// A quantifier, where there is one: whether what stands before it may come more than once.
    fn quantifier(&mut self) -> Result<bool, PatternError> {
        let repeats = match self.peek() {
            Some(c @ ('*' | '+')) => {
                self.at += 1;
                self.out.push(c);
                true
            }
            Some('?') => {
                self.at += 1;
                self.out.push('?');
                false
            }
            Some('{') => {
                self.at += 1;
                let min = self.number()?;
                let max = if self.eat(',') {
                    if self.peek() == Some('}') {
                        None
                    } else {
                        Some(self.number()?)
                    }
                } else {
                    Some(min)
                };
                if !self.eat('}') || max.is_some_and(|max| max < min) {
                    return Err(PatternError::Invalid);
                }
                let max_text = max.map_or_else(String::new, |max| max.to_string());
                self.out.push_str(&format!("{{{min},{max_text}}}"));
                max.is_none_or(|max| max > 1)
            }
            Some(_) | None => return Ok(false),
        };
        // A lazy repetition matches the same texts.
        self.eat('?');
        Ok(repeats)
    }

    fn number(&mut self) -> Result<u32, PatternError> {
        let mut digits = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_digit) {
            digits.push(c);
            self.at += 1;
        }
        digits.parse().map_err(|_| PatternError::Invalid)
    }

    /// A class whose `[` was read.
    fn class(&mut self) -> Result<(), PatternError> {
        let negated = self.eat('^');
        let mut members = String::new();
        loop {
            let Some(c) = self.next() else {
                return Err(PatternError::Invalid);
            };
            let first = match c {
                ']' => break,
                '\\' => self.class_escape()?,
                c => Escape::Char(c),
            };
            let ranged = self.peek() == Some('-')
                && self.rest.get(self.at + 1).is_some_and(|next| *next != ']');
            let Escape::Char(from) = first else {
                if ranged {
                    return Err(PatternError::Invalid);
                }
                if let Escape::Class(class) = first {
                    members.push_str(class);
                }
                continue;
            };
            push_literal(&mut members, from);
            if ranged {
                self.at += 1;
                let to = match self.next() {
                    Some('\\') => self.class_escape()?,
                    Some(c) => Escape::Char(c),
                    None => return Err(PatternError::Invalid),
                };
                match to {
                    Escape::Char(to) if to >= from => {
                        members.push('-');
                        push_literal(&mut members, to);
                    }
                    Escape::Char(_) | Escape::Class(_) => return Err(PatternError::Invalid),
                }
            }
        }
        match (members.is_empty(), negated) {
            // Nothing, and anything.
            (true, false) => self.out.push_str(r"[^\x00-\u{10ffff}]"),
            (true, true) => self.out.push_str(r"[\x00-\u{10ffff}]"),
            (false, _) => {
                self.out.push_str(if negated { "[^" } else { "[" });
                self.out.push_str(&members);
                self.out.push(']');
            }
        }
        Ok(())
    }

    fn class_escape(&mut self) -> Result<Escape, PatternError> {
        match self.peek() {
            Some('b') => {
                self.at += 1;
                Ok(Escape::Char('\u{8}'))
            }
            Some('-') => {
                self.at += 1;
                Ok(Escape::Char('-'))
            }
            Some(_) | None => self.escape(),
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<Escape, PatternError> {
        let Some(c) = self.next() else {
            return Err(PatternError::Invalid);
        };
        Ok(match c {
            'd' => Escape::Class("0-9"),
            'D' => Escape::Class(r"\x00-/:-\u{10ffff}"),
            'w' => Escape::Class("0-9A-Z_a-z"),
            'W' => Escape::Class(r"\x00-/:-@\[-\^`\{-\u{10ffff}"),
            's' => Escape::Class(SPACE),
            'S' => Escape::Class(NOT_SPACE),
            't' => Escape::Char('\t'),
            'n' => Escape::Char('\n'),
            'v' => Escape::Char('\u{b}'),
            'f' => Escape::Char('\u{c}'),
            'r' => Escape::Char('\r'),
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => Escape::Char('\0'),
            '1'..='9' | 'k' => return Err(PatternError::BackReference),
            'p' | 'P' => return Err(PatternError::Property),
            'x' => Escape::Char(self.hex(2)?),
            'u' if self.eat('{') => {
                let start = self.at;
                while self.peek().is_some_and(|c| c.is_ascii_hexdigit()) {
                    self.at += 1;
                }
                let digits: String = self.rest[start..self.at].iter().collect();
                let code = u32::from_str_radix(&digits, 16).map_err(|_| PatternError::Invalid)?;
                if !self.eat('}') {
                    return Err(PatternError::Invalid);
                }
                Escape::Char(char::from_u32(code).ok_or(PatternError::Invalid)?)
            }
            'u' => Escape::Char(self.hex(4)?),
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
            | '/' => Escape::Char(c),
            _ => return Err(PatternError::Invalid),
        })
    }

    fn hex(&mut self, digits: usize) -> Result<char, PatternError> {
        let mut code = 0;
        for _ in 0..digits {
            let digit = self.next().and_then(|c| c.to_digit(16));
            code = code * 16 + digit.ok_or(PatternError::Invalid)?;
        }
        char::from_u32(code).ok_or(PatternError::Invalid)
    }
}

/// What an escape stands for: one character, or the inside of a class.
enum Escape {
    Char(char),
    Class(&'static str),
}

/// Writes a character so that it means itself, inside a class and outside.
fn push_literal(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        out.push(c);
    } else {
        out.push_str(&format!("\\x{:02x}", u32::from(c)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::compile(pattern)
            .unwrap_or_else(|error| panic!("{pattern}: {error}"))
            .is_match(text)
    }

    fn refused(pattern: &str) -> PatternError {
        Pattern::compile(pattern).unwrap_err()
    }

    #[test]
    fn ordinary_patterns_judge_as_ecma_262_does() {
        for (pattern, yes, no) in [
            ("^[a-z0-9-]{3,8}$", "abc-1", "ab"),
            ("^(?:ab|cd)+$", "abcd", "abc"),
            (r"^\d+\.\d{2}$", "12.50", "12x50"),
            (r"^\s$", "\u{a0}", "a"),
            (r"^\S+$", "a\u{200b}", "a\u{2028}"),
            (r"^[\s,]+$", " ,\u{3000}", "a"),
            (r"^\w+$", "a_1", "é"),
            (r"^\W$", "é", "_"),
            ("^.$", "é", "\u{2028}"),
            (r"^\u{1f600}\x41\u0042$", "😀AB", "AB"),
            (r"^[\]\[\\^&~-]+$", "[]^&~-\\", "a"),
            ("^[[:alpha:]$", ":", "b"),
            ("^(?<year>[0-9]{4})$", "2026", "26"),
            ("a{2}?", "aa", "a"),
            (r"^\/\$$", "/$", "$"),
            ("^[^]$", "\n", ""),
            (r"\bword\b", "a word", "swords"),
            ("^$", "", "\n"),
        ] {
            assert!(matches(pattern, yes), "{pattern} should match {yes:?}");
            assert!(!matches(pattern, no), "{pattern} should not match {no:?}");
        }
        assert!(!matches("[]", "a"));
    }

    #[test]
    fn what_the_seed_does_not_run_is_not_run() {
        assert_eq!(refused(&"a".repeat(257)), PatternError::TooLong);
        assert_eq!(refused(r"(a)\1"), PatternError::BackReference);
        assert_eq!(refused(r"(?<n>a)\k<n>"), PatternError::BackReference);
        for pattern in ["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b"] {
            assert_eq!(refused(pattern), PatternError::Lookaround, "{pattern}");
        }
        for pattern in ["(a+)+", "(?:a*b)*", "((a{2,})b){3}", "(?:x(?:y+)?)+"] {
            assert_eq!(refused(pattern), PatternError::NestedRepeat, "{pattern}");
        }
        assert_eq!(refused(r"\p{L}"), PatternError::Property);
        for pattern in [
            "(",
            ")",
            "[a",
            "a{",
            "a{2",
            "{2}",
            "*",
            "a**",
            "a{2}{3}",
            "a{3,2}",
            "(?i)a",
            "(?i:a)",
            r"\q",
            r"\A",
            r"\u{110000}",
            r"\ud800",
            "(?<>a)",
            "]",
            "}",
            r"[\d-z]",
            "[z-a]",
            "^*",
            r"\",
        ] {
            assert_eq!(refused(pattern), PatternError::Invalid, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_grows_when_compiled_is_refused() {
        assert_eq!(refused("(?:a{1000}b){1,1}{"), PatternError::Invalid);
        assert_eq!(refused("a{60000}"), PatternError::Invalid);
    }

    #[test]
    fn the_source_is_kept_for_the_definition() {
        assert_eq!(Pattern::compile(r"^\d$").unwrap().source(), r"^\d$");
    }
}
