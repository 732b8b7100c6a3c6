//! The linear scan that a text passes before a parser sees it.
//!
//! The parser recurses over nesting, over runs of comments and over definitions, and looks for the
//! end of the line at every token; on hostile text that ends in an overflow or takes minutes. The
//! scan bounds size, tokens and nesting, and writes the text anew with one token a line, the doc
//! comments that stand right above a token, and quoted names in one spelling. What the parser reads
//! is therefore only ever what was scanned.

use super::error::InterfaceError;
use crate::text::Untrusted;

/// The longest text, in bytes.
pub const MAX_TEXT: usize = 1 << 20;
/// The most tokens.
pub const MAX_TOKENS: usize = 200_000;
/// The deepest nesting of `opt`, `vec`, braces and parentheses.
pub const MAX_NESTING: usize = 100;
/// The most that the nesting of all tokens may add up to: the parser copies a type once for each
/// type around it.
const MAX_COPIES: usize = 1_000_000;
/// The longest name, in bytes.
pub const MAX_NAME: usize = 512;
/// The most comment lines kept above a token.
const MAX_DOCS: usize = 32;

/// A text that passed the scan.
#[derive(Debug)]
pub(super) struct Guarded {
    /// The text, one token a line.
    text: String,
    /// For each token: the byte where it stands in [`Guarded::text`], and its line in the original.
    lines: Vec<(usize, usize)>,
}

impl Guarded {
    /// The text for the parser.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The original line (from 1) of the token at this byte of [`Guarded::text`].
    pub(super) fn line_at(&self, byte: usize) -> usize {
        let after = self.lines.partition_point(|(start, _)| *start <= byte);
        after.checked_sub(1).map_or(1, |at| self.lines[at].1)
    }

    /// The original line (from 1) and the text of the token that begins at this byte.
    pub(super) fn token_at(&self, byte: usize) -> Option<(usize, &str)> {
        let at = self
            .lines
            .binary_search_by_key(&byte, |(start, _)| *start)
            .ok()?;
        Some((self.lines[at].1, self.text.get(byte..)?.lines().next()?))
    }
}

/// Scans a text.
pub(super) fn scan(text: &str) -> Result<Guarded, InterfaceError> {
    if text.len() > MAX_TEXT {
        return Err(InterfaceError::TooLarge);
    }
    let mut scan = Scan {
        rest: text.trim_start_matches('\u{feff}'),
        line: 1,
        docs: Vec::new(),
        blank: false,
        token_on_line: false,
        nesting: Nesting::default(),
        out: Guarded {
            text: String::with_capacity(text.len() * 2),
            lines: Vec::new(),
        },
    };
    while let Some(c) = scan.rest.chars().next() {
        scan.step(c)?;
    }
    Ok(scan.out)
}

struct Scan<'a> {
    rest: &'a str,
    line: usize,
    /// Comment lines since the last token.
    docs: Vec<&'a str>,
    /// Whether nothing but space stands on the line so far.
    blank: bool,
    token_on_line: bool,
    nesting: Nesting,
    out: Guarded,
}

impl<'a> Scan<'a> {
    fn step(&mut self, c: char) -> Result<(), InterfaceError> {
        match c {
            ' ' | '\t' | '\r' => {
                self.take(1);
            }
            '\n' => {
                self.take(1);
                self.line += 1;
                if self.blank {
                    self.docs.clear();
                }
                self.blank = true;
                self.token_on_line = false;
            }
            '/' if self.rest.starts_with("//") => self.line_comment(),
            '/' if self.rest.starts_with("/*") => self.block_comment()?,
            '"' => self.quoted()?,
            '0'..='9' => self.number()?,
            'a'..='z' | 'A'..='Z' | '_' => {
                let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                if word.len() > MAX_NAME {
                    return Err(InterfaceError::NameTooLong { line: self.line });
                }
                if word == "import" {
                    return Err(InterfaceError::Imports { line: self.line });
                }
                self.token(word)?;
            }
            '-' if self.rest.starts_with("->") => {
                let arrow = self.take(2);
                self.token(arrow)?;
            }
            '{' | '}' | '(' | ')' | '=' | ';' | ',' | ':' => {
                let symbol = self.take(1);
                self.token(symbol)?;
            }
            other => {
                return Err(InterfaceError::Syntax {
                    line: self.line,
                    near: Untrusted::new(&other.to_string()),
                });
            }
        }
        Ok(())
    }

    /// Takes that many bytes, which are all ASCII.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Writes a token with the comments above it.
    fn token(&mut self, token: &str) -> Result<(), InterfaceError> {
        if self.out.lines.len() == MAX_TOKENS {
            return Err(InterfaceError::TooManyTokens);
        }
        self.nesting.token(token, self.line)?;
        for doc in self.docs.drain(..) {
            self.out.text.push_str("// ");
            self.out.text.push_str(doc);
            self.out.text.push('\n');
        }
        self.out.lines.push((self.out.text.len(), self.line));
        self.out.text.push_str(token);
        self.out.text.push('\n');
        self.blank = false;
        self.token_on_line = true;
        Ok(())
    }

    /// A label that is a number, written anew in one spelling.
    fn number(&mut self) -> Result<(), InterfaceError> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        let digits = word.replace('_', "");
        let read = match digits
            .strip_prefix("0x")
            .or_else(|| digits.strip_prefix("0X"))
        {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let number = read.map_err(|_| InterfaceError::Syntax {
            line: self.line,
            near: Untrusted::new(word),
        })?;
        self.token(&number.to_string())
    }

    /// A comment up to the end of the line. One that follows a token belongs to nothing.
    fn line_comment(&mut self) {
        let comment = self.take_while(|c| c != '\n');
        self.blank = false;
        if self.token_on_line {
            return;
        }
        let words = comment.trim_start_matches('/').trim();
        if self.docs.len() < MAX_DOCS && words.len() <= MAX_NAME {
            self.docs.push(words);
        }
    }

    /// A comment between marks, which may hold others.
    fn block_comment(&mut self) -> Result<(), InterfaceError> {
        let started = self.line;
        let mut open = 0_usize;
        loop {
            if self.rest.starts_with("/*") {
                self.take(2);
                open += 1;
            } else if self.rest.starts_with("*/") {
                self.take(2);
                open -= 1;
                if open == 0 {
                    self.blank = false;
                    return Ok(());
                }
            } else {
                let mut chars = self.rest.chars();
                match chars.next() {
                    None => return Err(InterfaceError::Unclosed { line: started }),
                    Some('\n') => self.line += 1,
                    Some(_) => {}
                }
                self.rest = chars.as_str();
            }
        }
    }

    /// A quoted name, written anew in one spelling.
    fn quoted(&mut self) -> Result<(), InterfaceError> {
        let started = self.line;
        let unclosed = InterfaceError::Unclosed { line: started };
        let bad = InterfaceError::BadEscape { line: started };
        let mut bytes = Vec::new();
        let mut chars = self.rest.chars();
        chars.next();
        loop {
            match chars.next().ok_or_else(|| unclosed.clone())? {
                '"' => break,
                '\\' => {
                    let (value, rest) = escape(chars.as_str()).ok_or_else(|| bad.clone())?;
                    bytes.extend(value);
                    chars = rest.chars();
                }
                c => {
                    if c == '\n' {
                        self.line += 1;
                    }
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            if bytes.len() > MAX_NAME {
                return Err(InterfaceError::NameTooLong { line: started });
            }
        }
        self.rest = chars.as_str();
        let name = String::from_utf8(bytes).map_err(|_| bad)?;
        let mut token = String::with_capacity(name.len() + 2);
        token.push('"');
        for c in name.chars() {
            match c {
                '"' | '\\' => token.extend(['\\', c]),
                c if crate::text::is_plain(c) => token.push(c),
                c => token.extend(c.escape_unicode()),
            }
        }
        token.push('"');
        self.token(&token)
    }
}

/// Reads what follows a backslash (Candid specification, "Text"), and gives the bytes that it means
/// and what follows.
fn escape(text: &str) -> Option<(Vec<u8>, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    let plain = |byte: u8| Some((vec![byte], rest));
    match first {
        'n' => plain(b'\n'),
        'r' => plain(b'\r'),
        't' => plain(b'\t'),
        '\\' | '"' | '\'' => plain(u8::try_from(first).ok()?),
        'u' => {
            let (digits, rest) = rest.strip_prefix('{')?.split_once('}')?;
            let sound = digits.starts_with(|c: char| c.is_ascii_hexdigit()) && digits.len() <= 16;
            if !sound || !digits.chars().all(|c| c.is_ascii_hexdigit() || c == '_') {
                return None;
            }
            let point = u32::from_str_radix(&digits.replace('_', ""), 16).ok()?;
            Some((char::from_u32(point)?.to_string().into_bytes(), rest))
        }
        high => {
            let low = chars.next()?;
            let byte = high.to_digit(16)? * 16 + low.to_digit(16)?;
            Some((vec![u8::try_from(byte).ok()?], chars.as_str()))
        }
    }
}

/// How deep `opt`, `vec`, braces and parentheses stand in one another.
#[derive(Default)]
struct Nesting {
    /// For each open bracket: the prefixes right before it.
    open: Vec<usize>,
    depth: usize,
    /// The `opt` and `vec` in a row right here.
    prefixes: usize,
    /// The sum of depths so far.
    sum: usize,
}

impl Nesting {
    fn token(&mut self, token: &str, line: usize) -> Result<(), InterfaceError> {
        match token {
            "opt" | "vec" => self.prefixes += 1,
            "record" | "variant" | "func" | "service" => {}
            "{" | "(" => {
                self.open.push(self.prefixes);
                self.depth += self.prefixes + 1;
                self.prefixes = 0;
            }
            "}" | ")" => {
                if let Some(prefixes) = self.open.pop() {
                    self.depth -= prefixes + 1;
                }
                self.prefixes = 0;
            }
            _ => self.prefixes = 0,
        }
        self.sum += self.depth;
        if self.depth + self.prefixes > MAX_NESTING || self.sum > MAX_COPIES {
            return Err(InterfaceError::TooDeep { line });
        }
        Ok(())
    }
}
