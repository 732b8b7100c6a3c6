//! Text from outside, made safe to read.
//!
//! A memo, an error message, a canister's words or a page's name may hold characters that hide,
//! reorder or imitate others. [`Untrusted`] is the only way such text reaches a person or a model:
//! it is made once from the raw text and holds the escaped form.

use core::fmt;
use serde::{Serialize, Serializer};

/// The longest untrusted text that is passed on, in code points.
pub const MAX_UNTRUSTED: usize = 256;

/// Text from outside, cut to [`MAX_UNTRUSTED`] code points, with every character that is not
/// plainly visible written as `\u{…}`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Untrusted(String);

impl Untrusted {
    /// Escapes and cuts `raw`. A cut text ends in `…`.
    #[must_use]
    pub fn new(raw: &str) -> Self {
        Self::kept(raw, is_plain)
    }

    /// The same for what stands between quotation marks: those in it are written as `\u{…}`, too, so
    /// that the quote ends where it seems to.
    #[must_use]
    pub fn quoted(raw: &str) -> Self {
        Self::kept(raw, |c| is_plain(c) && !is_quotation_mark(c))
    }

    fn kept(raw: &str, keeps: impl Fn(char) -> bool) -> Self {
        let mut out = String::new();
        for (position, c) in raw.chars().enumerate() {
            if position == MAX_UNTRUSTED {
                out.push('…');
                break;
            }
            if keeps(c) {
                out.push(c);
            } else {
                out.extend(c.escape_unicode());
            }
        }
        Self(out)
    }

    /// The escaped text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Untrusted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// The whole text, with every character that is not plainly visible written as `\u{…}`.
#[must_use]
pub fn escaped(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        if is_plain(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

/// Whether a character shows as itself wherever it stands: no control, no format, no separator but
/// the space, no private use, no tag, no variation selector, no filler.
#[must_use]
pub const fn is_plain(c: char) -> bool {
    !matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'            // controls
        | '\u{a0}' | '\u{ad}'                        // no-break space, soft hyphen
        | '\u{34f}' | '\u{61c}'                      // combining grapheme joiner, Arabic mark
        | '\u{115f}'..='\u{1160}'                    // Hangul fillers
        | '\u{1680}' | '\u{17b4}'..='\u{17b5}'       // Ogham space, Khmer inherent vowels
        | '\u{180b}'..='\u{180f}'                    // Mongolian selectors and separator
        | '\u{2000}'..='\u{200f}'                    // spaces, zero width, direction marks
        | '\u{2028}'..='\u{202f}'                    // separators, direction embedding
        | '\u{205f}'..='\u{206f}'                    // math space, invisible operators, isolates
        | '\u{2800}'                                 // blank Braille pattern
        | '\u{3000}' | '\u{3164}'                    // ideographic space, Hangul filler
        | '\u{e000}'..='\u{f8ff}'                    // private use
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'       // variation selectors, byte order mark
        | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}'       // half-width filler, specials
        | '\u{13430}'..='\u{1345f}'                  // Egyptian format controls
        | '\u{1bca0}'..='\u{1bca3}'                  // shorthand format controls
        | '\u{1d173}'..='\u{1d17a}'                  // musical format controls
        | '\u{e0000}'..='\u{10ffff}'                 // tags, selectors, private planes
    )
}

/// Whether a character looks like a double quotation mark. Single ones are apostrophes, which people
/// have in their names.
const fn is_quotation_mark(c: char) -> bool {
    matches!(c,
        '"' | '«' | '»' | '\u{201c}'..='\u{201f}' | '\u{275d}' | '\u{275e}' | '\u{2e42}'
        | '\u{300c}'..='\u{300f}' | '\u{301d}'..='\u{301f}' | '\u{ff02}'
    )
}

/// Whether letters of more than one script stand in a text. Latin letters beside East Asian ones are
/// one, as people write them.
#[must_use]
pub fn mixes_scripts(text: &str) -> bool {
    let mut first = None;
    text.chars().filter(|c| c.is_alphabetic()).any(|c| {
        let script = script(c);
        match (*first.get_or_insert(script), script) {
            (Script::Latin, Script::EastAsian) | (Script::EastAsian, Script::Latin) => false,
            (one, other) => one != other,
        }
    })
}

/// A writing system, as far as it can be told by blocks of characters.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Ethiopic,
    EastAsian,
    /// Any other, by its block of 128 characters.
    Block(u32),
}

const fn script(c: char) -> Script {
    match c {
        'a'..='z'
        | 'A'..='Z'
        | '\u{aa}'
        | '\u{ba}'
        | '\u{c0}'..='\u{24f}'
        | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}'
        | '\u{1c80}'..='\u{1c8f}'
        | '\u{2de0}'..='\u{2dff}'
        | '\u{a640}'..='\u{a69f}' => Script::Cyrillic,
        '\u{530}'..='\u{58f}' => Script::Armenian,
        '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}' => Script::Hebrew,
        '\u{600}'..='\u{6ff}'
        | '\u{750}'..='\u{77f}'
        | '\u{8a0}'..='\u{8ff}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}' => Script::Arabic,
        '\u{1200}'..='\u{139f}' => Script::Ethiopic,
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{318f}'
        | '\u{31a0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Script::EastAsian,
        _ => Script::Block(c as u32 >> 7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_several_scripts_are_known_by_their_blocks() {
        for text in [
            "",
            "Main 2 – café",
            "Накопления",
            "工资 Account カナ",
            "한국어",
            "ελληνικά",
            "حساب",
        ] {
            assert!(!mixes_scripts(text), "{text}");
        }
        for text in [
            "S\u{430}vings",
            "\u{ff33}avings",
            "s\u{3b1}ve",
            "\u{1d5ba}b",
            "עב\u{430}",
        ] {
            assert!(mixes_scripts(text), "{text}");
        }
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        assert_eq!(
            Untrusted::new("lunch for 2, très bon 午餐").as_str(),
            "lunch for 2, très bon 午餐"
        );
    }

    #[test]
    fn hidden_and_reordering_characters_become_visible() {
        assert_eq!(
            Untrusted::new("a\u{202e}b\u{200b}c").as_str(),
            "a\\u{202e}b\\u{200b}c"
        );
        assert_eq!(Untrusted::new("\u{e0041}\n").as_str(), "\\u{e0041}\\u{a}");
    }

    #[test]
    fn what_is_quoted_has_no_quotation_mark_but_keeps_its_apostrophes() {
        assert_eq!(
            Untrusted::quoted("O\u{2019}Neil's \"A\u{201d} \u{bb}").as_str(),
            "O\u{2019}Neil's \\u{22}A\\u{201d} \\u{bb}"
        );
    }

    #[test]
    fn a_long_text_is_cut_by_code_points_and_says_so() {
        let cut = Untrusted::new(&"é".repeat(300));
        assert_eq!(cut.as_str().chars().count(), MAX_UNTRUSTED + 1);
        assert!(cut.as_str().ends_with('…'));
        assert_eq!(Untrusted::new(&"é".repeat(256)).as_str(), "é".repeat(256));
    }
}
