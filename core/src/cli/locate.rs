//! Where in a text something stands.

use super::diagnostic::Span;
use crate::interface::InterfaceError;
use crate::profile::{RelPath, Root};

/// The place that an interface's refusal is about.
pub(super) fn of_refusal(text: &str, error: &InterfaceError) -> Option<Span> {
    let line = error.line()?;
    let content = text.lines().nth(line.checked_sub(1)?)?;
    let start = content.as_ptr() as usize - text.as_ptr() as usize;
    let near = error.near().map(crate::text::Untrusted::as_str);
    let mut hits = near
        .into_iter()
        .flat_map(|near| content.match_indices(near))
        .filter(|(at, found)| is_word(content, *at, found));
    // Where the word stands there twice, the line is all that is known.
    match (hits.next(), hits.next()) {
        (Some((at, found)), None) => Span::of(text, start + at, start + at + found.len()),
        (Some(_), Some(_)) | (None, _) => Span::of_line(text, line),
    }
}

/// Where a method's name stands in its service.
pub(super) fn of_method(text: &str, method: &str) -> Option<Span> {
    let service = text.rfind("service").unwrap_or(0);
    let quoted = format!("\"{method}\"");
    let hits = [method, quoted.as_str()];
    let mut found = hits.into_iter().flat_map(|name| {
        text.match_indices(name)
            .map(move |(at, _)| (at, name.len()))
            .collect::<Vec<_>>()
    });
    let declares = |at: usize, length: usize| {
        let after = text.get(at + length..).unwrap_or_default();
        is_word(text, at, method) && after.trim_start().starts_with(':')
    };
    let (at, length) = found.find(|(at, length)| *at > service && declares(*at, *length))?;
    Span::of(text, at, at + length)
}

/// Whether what stands at `at` is no part of a longer name.
fn is_word(text: &str, at: usize, word: &str) -> bool {
    let in_name = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let names = in_name(word.chars().next());
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(at + word.len()..).and_then(|t| t.chars().next());
    !names || (!in_name(before) && !in_name(after))
}

/// Where the name stands that keys lead to in a JSON text, or the last of them that is there.
pub(super) fn of_keys(json: &str, keys: &[String]) -> Option<Span> {
    let mut scan = Scan { json, at: 0 };
    let mut last = None;
    let mut above = "";
    for key in keys {
        let Some((from, to)) = scan.enter(above, key) else {
            break;
        };
        last = Some((from, to));
        above = key;
    }
    let (from, to) = last?;
    Span::of(json, from, to)
}

/// A walk over a JSON text that is known to be one.
struct Scan<'a> {
    json: &'a str,
    at: usize,
}

impl Scan<'_> {
    /// From the start of an object to the start of what it holds under a key. Gives where the key
    /// stands.
    fn enter(&mut self, above: &str, key: &str) -> Option<(usize, usize)> {
        self.space();
        self.eat('{')?;
        loop {
            self.space();
            let from = self.at;
            let name = self.text()?;
            let to = self.at;
            self.space();
            self.eat(':')?;
            self.space();
            if is_same(above, &name, key) {
                return Some((from, to));
            }
            self.skip()?;
            self.space();
            self.eat(',')?;
        }
    }

    fn rest(&self) -> &str {
        self.json.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.at += rest.len() - trimmed.len();
    }

    fn eat(&mut self, wanted: char) -> Option<()> {
        self.rest().starts_with(wanted).then(|| {
            self.at += wanted.len_utf8();
        })
    }

    /// A text in quotes, read.
    fn text(&mut self) -> Option<String> {
        let from = self.at;
        self.eat('"')?;
        loop {
            let c = self.rest().chars().next()?;
            self.at += c.len_utf8();
            match c {
                '"' => break,
                '\\' => self.at += self.rest().chars().next()?.len_utf8(),
                _ => {}
            }
        }
        serde_json::from_str(self.json.get(from..self.at)?).ok()
    }

    /// Passes one value.
    fn skip(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            self.space();
            match self.rest().chars().next()? {
                '"' => {
                    self.text()?;
                }
                '{' | '[' => {
                    self.at += 1;
                    open += 1;
                    continue;
                }
                '}' | ']' if open > 0 => {
                    self.at += 1;
                    open -= 1;
                }
                ',' | ':' if open > 0 => {
                    self.at += 1;
                    continue;
                }
                _ => {
                    let end = self
                        .rest()
                        .find([',', '}', ']', ' ', '\n', '\r', '\t'])
                        .unwrap_or(self.rest().len());
                    if end == 0 {
                        return None;
                    }
                    self.at += end;
                }
            }
            if open == 0 {
                return Some(());
            }
        }
    }
}

/// Whether a name is the key: the same text, or another way to write the same place.
fn is_same(above: &str, name: &str, key: &str) -> bool {
    let root = match above {
        "at" => Root::Args,
        "outcome" => Root::Results,
        _ => return name == key,
    };
    name == key
        || RelPath::parse(name, root)
            .is_ok_and(|path| RelPath::parse(key, root).is_ok_and(|other| path == other))
}
