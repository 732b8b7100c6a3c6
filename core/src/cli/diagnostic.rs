//! Messages with the place they are about, as compilers write them.

use serde_json::{Value, json};

use crate::profile::Severity;
use crate::text::escaped;

/// A message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Diagnostic {
    pub(super) severity: Level,
    /// The stable code; none for a note.
    pub(super) code: Option<&'static str>,
    pub(super) message: String,
    pub(super) place: Option<Place>,
    /// Lines below the source, such as `place: icrc1_transfer $args[0].amount`.
    pub(super) notes: Vec<(&'static str, String)>,
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Level {
    Error,
    Warning,
    Note,
}

/// Where in a file a message is about.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Place {
    /// The file, as the command line names it.
    pub(super) file: String,
    pub(super) span: Option<Span>,
}

/// A stretch of one line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Span {
    /// From 1.
    pub(super) line: usize,
    /// From 1, in characters.
    pub(super) column: usize,
    /// In characters; at least 1.
    pub(super) length: usize,
    /// The whole line.
    pub(super) text: String,
}

/// Why a command has no answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Failure {
    pub(super) code: u8,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
        }
    }
}

impl Level {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl Span {
    /// The stretch of `text` from one byte to another, cut at the end of its first line.
    pub(super) fn of(text: &str, from: usize, to: usize) -> Option<Self> {
        let before = text.get(..from)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text.get(start..)?.lines().next().unwrap_or_default();
        let column = text.get(start..from)?.chars().count();
        let marked = text.get(from..to)?.lines().next().unwrap_or_default();
        Some(Self {
            line: before.matches('\n').count() + 1,
            column: column + 1,
            length: marked.chars().count().max(1),
            text: line.to_owned(),
        })
    }

    /// A whole line without the space around it.
    pub(super) fn of_line(text: &str, line: usize) -> Option<Self> {
        let content = text.lines().nth(line.checked_sub(1)?)?;
        let indent = content.chars().take_while(|c| c.is_whitespace()).count();
        Some(Self {
            line,
            column: indent + 1,
            length: content.trim().chars().count().max(1),
            text: content.to_owned(),
        })
    }
}

impl Diagnostic {
    pub(super) fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Level::Error,
            code: Some(code),
            message: message.into(),
            place: None,
            notes: Vec::new(),
        }
    }

    pub(super) fn in_file(mut self, file: &str, span: Option<Span>) -> Self {
        self.place = Some(Place {
            file: file.to_owned(),
            span,
        });
        self
    }

    pub(super) fn noted(mut self, label: &'static str, text: impl Into<String>) -> Self {
        self.notes.push((label, text.into()));
        self
    }

    pub(super) fn into_failure(self, code: u8) -> Failure {
        Failure {
            code,
            diagnostics: vec![self],
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let mut out = json!({
            "severity": self.severity.as_str(),
            "code": self.code,
            "message": self.message,
        });
        if let Some(place) = &self.place {
            out["file"] = json!(place.file);
            if let Some(span) = &place.span {
                out["line"] = json!(span.line);
                out["column"] = json!(span.column);
            }
        }
        for (label, text) in &self.notes {
            out[*label] = json!(text);
        }
        out
    }

    /// The message as text, ending in a line feed.
    fn render(&self) -> String {
        let code = self
            .code
            .map_or_else(String::new, |code| format!("[{code}]"));
        let head = self.severity.as_str();
        let mut out = format!("{head}{code}: {}\n", escaped(&self.message));
        let mut margin = 1;
        if let Some(place) = &self.place {
            let file = match place.file.as_str() {
                "-" => "standard input".to_owned(),
                file => escaped(file),
            };
            if let Some(span) = &place.span {
                margin = span.line.to_string().len();
                let space = " ".repeat(margin);
                out.push_str(&format!(
                    "{space}--> {file}:{}:{}\n",
                    span.line, span.column
                ));
                out.push_str(&excerpt(span, &space));
            } else {
                out.push_str(&format!(" --> {file}\n"));
            }
        }
        let space = " ".repeat(margin);
        for (label, text) in &self.notes {
            out.push_str(&format!("{space} = {label}: {}\n", escaped(text)));
        }
        out
    }
}

/// The line with the stretch underlined. Hidden characters are written out, and a long line is cut to
/// what lies around the stretch.
fn excerpt(span: &Span, margin: &str) -> String {
    /// How many characters of a long line stand before the stretch, and how many in all.
    const BEFORE: usize = 30;
    const WIDTH: usize = 90;
    let chars: Vec<char> = span.text.chars().collect();
    let start = span.column - 1;
    let from = if chars.len() > WIDTH {
        start.saturating_sub(BEFORE).min(chars.len())
    } else {
        0
    };
    let to = chars.len().min(from + WIDTH);
    let part = |from: usize, to: usize| {
        let text: String = chars.get(from..to).unwrap_or_default().iter().collect();
        escaped(&text.replace('\t', " "))
    };
    let end = (start + span.length).clamp(start, to.max(start));
    let cut_before = if from > 0 { "…" } else { "" };
    let cut_after = if to < chars.len() { "…" } else { "" };
    let lead = cut_before.chars().count() + part(from, start).chars().count();
    let marks = part(start, end).chars().count().max(1);
    format!(
        "{margin} |\n{} | {cut_before}{}{cut_after}\n{margin} | {}{}\n",
        span.line,
        part(from, to),
        " ".repeat(lead),
        "^".repeat(marks),
    )
}

/// Messages one below the other.
pub(super) fn page(diagnostics: &[Diagnostic]) -> String {
    let texts: Vec<_> = diagnostics.iter().map(Diagnostic::render).collect();
    texts.join("\n")
}
