//! The small part of Markdown that is laid out: headings, paragraphs, points, bold text and code.
//!
//! Everything else (links, pictures, HTML, tables, numbered points, quotes) is shown as the text that
//! was written, so that a reader sees what it is. Nothing is dropped but the marks of what is laid
//! out. What comes out is plain data; hidden characters are written as `\u{…}` in it.

use super::{Block, Line, Span};
use crate::text::escaped;

/// Reads a text. Its length is bounded before.
#[must_use]
pub fn read(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    // What the next line continues, if it can.
    let mut open = None;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let (kind, rest) = kind_of(line);
        match kind {
            Kind::Blank => open = None,
            Kind::Heading => {
                blocks.push(Block::Heading(spans(rest)));
                open = None;
            }
            Kind::Point | Kind::Text => {
                let line = spans(rest);
                match (blocks.last_mut(), open == Some(kind)) {
                    (Some(Block::Paragraph(lines) | Block::List(lines)), true) => lines.push(line),
                    (_, _) if kind == Kind::Point => blocks.push(Block::List(vec![line])),
                    (_, _) => blocks.push(Block::Paragraph(vec![line])),
                }
                open = Some(kind);
            }
        }
    }
    blocks
}

/// Lines that are no markup, as one paragraph.
#[must_use]
pub fn plain<'a>(lines: impl Iterator<Item = &'a str>) -> Block {
    let lines = lines.map(|line| vec![Span::Plain(escaped(line))]);
    Block::Paragraph(lines.collect())
}

/// What a line is.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Blank,
    Heading,
    Point,
    Text,
}

/// What a line is, and what stands behind its mark.
fn kind_of(line: &str) -> (Kind, &str) {
    let line = line.trim_matches([' ', '\t']);
    if line.is_empty() {
        return (Kind::Blank, line);
    }
    let behind = line.trim_start_matches('#');
    let marks = line.len() - behind.len();
    if (1..=6).contains(&marks)
        && let Some(title) = behind.strip_prefix(' ')
    {
        return (Kind::Heading, title.trim_matches(' '));
    }
    match ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
    {
        Some(point) => (Kind::Point, point.trim_start_matches(' ')),
        None => (Kind::Text, line),
    }
}

/// Splits a line into its parts. A mark without its other half is text.
fn spans(line: &str) -> Line {
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let found = between(rest, "`")
            .map(|(inner, after)| (Span::Code(escaped(inner)), after))
            .or_else(|| {
                let (inner, after) = between(rest, "**")?;
                Some((Span::Bold(escaped(inner)), after))
            });
        if let Some((span, after)) = found {
            take_plain(&mut plain, &mut spans);
            spans.push(span);
            rest = after;
        } else {
            plain.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    take_plain(&mut plain, &mut spans);
    spans
}

fn take_plain(plain: &mut String, spans: &mut Line) {
    if !plain.is_empty() {
        spans.push(Span::Plain(escaped(&std::mem::take(plain))));
    }
}

/// What stands between two marks at the start of a text, and what comes after them. Between them is
/// something, and it neither begins nor ends with a space; what is bold holds no code.
fn between<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let (inner, after) = text.strip_prefix(mark)?.split_once(mark)?;
    let whole = !inner.is_empty() && inner.trim_matches(' ') == inner;
    let simple = mark == "`" || !inner.contains(['`', '*']);
    // Two marks of code in a row open another kind of code, which is not laid out.
    let single = mark != "`" || !after.starts_with('`');
    (whole && simple && single).then_some((inner, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain_line(text: &str) -> Line {
        vec![Span::Plain(text.to_owned())]
    }

    #[test]
    fn what_is_laid_out_is_headings_paragraphs_points_bold_text_and_code() {
        let blocks = read(
            "# Send Token A\n\nYou pay.\n**To:**\n`abc-def`\n\n- one\n* **two** and\n\nend\r\n## Two\n",
        );
        assert_eq!(
            blocks,
            [
                Block::Heading(plain_line("Send Token A")),
                Block::Paragraph(vec![
                    plain_line("You pay."),
                    vec![Span::Bold("To:".to_owned())],
                    vec![Span::Code("abc-def".to_owned())],
                ]),
                Block::List(vec![
                    plain_line("one"),
                    vec![Span::Bold("two".to_owned()), Span::Plain(" and".to_owned())],
                ]),
                Block::Paragraph(vec![plain_line("end")]),
                Block::Heading(plain_line("Two")),
            ]
        );
    }

    #[test]
    fn everything_else_stands_as_it_was_written() {
        for text in [
            "[Approve](https://evil.example)",
            "![pixel](https://evil.example/p.png)",
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "| To | Amount |",
            "|---|---|",
            "1. first",
            "> quoted",
            "```",
            "``code``",
            "*one* _two_ ~~three~~",
            "** not bold **",
            "****",
            "`",
            "a ** b",
            "**a `b` c**x".trim_end_matches('x'),
            "#hashtag",
            "####### seven",
            "---",
            "&lt;b&gt;",
        ] {
            let blocks = read(text);
            let [Block::Paragraph(lines)] = blocks.as_slice() else {
                panic!("{text}: {blocks:?}")
            };
            let [line] = lines.as_slice() else {
                panic!("{text}: {lines:?}")
            };
            if text.contains("`b`") {
                assert!(line.contains(&Span::Code("b".to_owned())), "{line:?}");
                continue;
            }
            assert_eq!(*line, plain_line(text));
        }
    }

    #[test]
    fn hidden_and_reordering_characters_become_visible() {
        assert_eq!(
            read("a\u{202e}b `c\u{200b}` **d\u{e0041}**"),
            [Block::Paragraph(vec![vec![
                Span::Plain("a\\u{202e}b ".to_owned()),
                Span::Code("c\\u{200b}".to_owned()),
                Span::Plain(" ".to_owned()),
                Span::Bold("d\\u{e0041}".to_owned()),
            ]])]
        );
    }

    fn text_of(blocks: &[Block]) -> String {
        let lines = blocks.iter().flat_map(|block| match block {
            Block::Heading(line) => vec![line],
            Block::Paragraph(lines) | Block::List(lines) => lines.iter().collect(),
            Block::Field { .. } => Vec::new(),
        });
        lines.flatten().map(Span::text).collect()
    }

    proptest! {
        /// What a reader sees is every visible character but marks, in order.
        #[test]
        fn nothing_but_marks_is_dropped(text in "[a-c#*`\\- \n\u{202e}<\\[\\]()]{0,80}") {
            let unmarked = |text: &str| -> String {
                escaped(text).chars().filter(|c| !"#*`- +\t".contains(*c)).collect()
            };
            let written = text.replace('\n', "");
            prop_assert_eq!(unmarked(&text_of(&read(&text))), unmarked(&written));
        }

        #[test]
        fn any_text_is_read(text in any::<String>()) {
            let blocks = read(&text);
            prop_assert!(text_of(&blocks).chars().all(crate::text::is_plain));
        }
    }
}
