//! Pure helpers between a view and what stands on the screen: how long texts are grouped, what a
//! button says, how a passphrase is judged. No element is made here.

use countersign_core::confirm::picture::Picture;
use countersign_core::confirm::view::{Amount, Call, CallAsk, Effect};
use countersign_core::wire::ui::{ActivityRow, State};
use std::fmt::Write as _;

use crate::t;

/// A piece of a long text, with what joins it to the next. The pieces and joints together are the
/// text again.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Piece {
    /// The piece.
    pub(crate) text: String,
    /// `-`, `.` or nothing.
    pub(crate) joint: &'static str,
}

/// Characters a piece of digits has.
const DIGITS: usize = 8;

/// Cuts an account, a principal or a row of digits into pieces that an eye can compare.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let (head, tail) = match text.split_once('.') {
        Some((head, tail)) => (head, Some(tail)),
        None => (text, None),
    };
    let mut pieces: Vec<Piece> = head
        .split('-')
        .flat_map(|group| digits(group, "-"))
        .collect();
    if let Some(last) = pieces.last_mut() {
        last.joint = if tail.is_some() { "." } else { "" };
    }
    if let Some(tail) = tail {
        pieces.extend(digits(tail, ""));
    }
    pieces
}

fn digits(text: &str, joint: &'static str) -> Vec<Piece> {
    let characters: Vec<char> = text.chars().collect();
    let mut pieces: Vec<Piece> = characters
        .chunks(DIGITS)
        .map(|chunk| Piece {
            text: chunk.iter().collect(),
            joint: "",
        })
        .collect();
    if pieces.is_empty() {
        pieces.push(Piece {
            text: String::new(),
            joint: "",
        });
    }
    if let Some(last) = pieces.last_mut() {
        last.joint = joint;
    }
    pieces
}

/// The first and the last group of an address, where one line has to do and nothing is decided.
pub(crate) fn short(address: &str) -> String {
    let groups: Vec<&str> = address.split('-').collect();
    match groups.as_slice() {
        [first, _, .., last] if groups.len() > 3 => {
            let last: String = last
                .chars()
                .rev()
                .take(5)
                .collect::<Vec<_>>()
                .iter()
                .rev()
                .collect();
            format!("{first}…{last}")
        }
        _ => address.to_owned(),
    }
}

/// An amount with its unit, as one text.
pub(crate) fn amount(amount: &Amount) -> String {
    // A no-break space: number and unit never stand on two lines.
    format!("{}\u{a0}{}", amount.number, amount.unit)
}

/// How large an amount is written, so that its digits stand on one line.
pub(crate) fn amount_class(amount: &Amount) -> &'static str {
    const FITS: usize = 14;
    if amount.number.chars().count() > FITS {
        "amount long"
    } else {
        "amount"
    }
}

/// What the button that says yes to a call says.
pub(crate) fn yes(ask: &CallAsk) -> String {
    let Call {
        effect,
        amount: shown,
        method,
        ..
    } = &ask.call;
    let again = ask.resend.is_some();
    match (effect, shown) {
        (Effect::Transfer | Effect::Allowance | Effect::TransferFrom, Some(shown)) if again => {
            t!("ask-pay-again", amount = amount(shown))
        }
        (Effect::Transfer, Some(shown)) => t!("ask-pay", amount = amount(shown)),
        (Effect::Allowance, Some(shown)) => t!("ask-allow", amount = amount(shown)),
        (Effect::TransferFrom, Some(shown)) => t!("ask-move", amount = amount(shown)),
        (Effect::Other, _) | (_, None) if again => t!("ask-do-again", method = method.as_str()),
        (Effect::Other, _) | (_, None) => t!("ask-do", method = method.as_str()),
    }
}

/// How loud a state is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Tone {
    /// It came out as wished.
    Good,
    /// It is not over.
    Open,
    /// Anything else.
    Quiet,
}

/// A row's state in words.
pub(crate) fn state(row: &ActivityRow) -> (Tone, String) {
    match row.state {
        State::Done => {
            let word = match row.effect {
                Effect::Transfer => t!("state-paid"),
                Effect::Allowance => t!("state-allowed"),
                Effect::TransferFrom => t!("state-moved"),
                Effect::Other => t!("state-done"),
            };
            (Tone::Good, word)
        }
        State::AlreadyDone => (Tone::Good, t!("state-already")),
        State::SettledDone => (Tone::Good, t!("state-settled-done")),
        State::Asked => (Tone::Open, t!("state-asked")),
        State::Sending => (Tone::Open, t!("state-sending")),
        State::NoAnswer => (Tone::Open, t!("state-no-answer")),
        State::Unclear => (Tone::Open, t!("state-unclear")),
        State::Prepared => (Tone::Quiet, t!("state-prepared")),
        State::Declined => (Tone::Quiet, t!("state-declined")),
        State::Expired => (Tone::Quiet, t!("state-expired")),
        State::NotExecuted => (Tone::Quiet, t!("state-not-executed")),
        State::Refused => (Tone::Quiet, t!("state-refused")),
        State::Superseded => (Tone::Quiet, t!("state-superseded")),
        State::SettledNot => (Tone::Quiet, t!("state-settled-not")),
        State::SettledAgain => (Tone::Quiet, t!("state-settled-again")),
    }
}

/// A length of time in the largest unit that says it in whole numbers of two or more.
pub(crate) fn span(seconds: u64) -> String {
    match seconds {
        0..120 => t!("seconds", n = seconds),
        120..7_200 => t!("minutes", n = seconds / 60),
        7_200.. => t!("hours", n = seconds / 3_600),
    }
}

/// The outline of a picture's cells, as the `d` of an SVG path in a box of five by five.
pub(crate) fn outline(picture: Picture) -> String {
    let mut path = String::new();
    for row in 0..5 {
        for column in 0..5 {
            if picture.is_filled(column, row) {
                write!(path, "M{column} {row}h1v1h-1z").expect("a String takes any text");
            }
        }
    }
    path
}

/// What can honestly be said of a passphrase without knowing who typed it: its length, and how much
/// of it is more than repetition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Strength {
    /// Nothing typed.
    Empty,
    /// This many characters too short.
    Short(usize),
    /// Long enough, but mostly repeats and rows.
    Plain,
    /// Long enough for this wallet.
    Fair,
    /// Long.
    Long,
}

impl Strength {
    /// Whether a wallet is made with it.
    pub(crate) const fn is_enough(self) -> bool {
        match self {
            Self::Fair | Self::Long => true,
            Self::Empty | Self::Short(_) | Self::Plain => false,
        }
    }
}

/// A number of the wire as a count.
pub(crate) fn count(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// Judges a passphrase of at least `shortest` characters.
pub(crate) fn strength(passphrase: &str, shortest: usize) -> Strength {
    let characters: Vec<char> = passphrase.chars().collect();
    let length = characters.len();
    if length == 0 {
        return Strength::Empty;
    }
    if length < shortest {
        return Strength::Short(shortest - length);
    }
    // A character that continues a row (aaa, 123, cba) or a repeated pair (abab) adds nothing.
    let fresh = (0..length)
        .filter(|&at| {
            let step = |a: usize, b: usize| {
                i64::from(u32::from(characters[b])) - i64::from(u32::from(characters[a]))
            };
            let row =
                at >= 2 && step(at - 1, at) == step(at - 2, at - 1) && step(at - 1, at).abs() < 2;
            let pair = at >= 2 && characters[at] == characters[at - 2];
            let same = at >= 1 && characters[at] == characters[at - 1];
            !(row || pair || same)
        })
        .count();
    let distinct = (0..length)
        .filter(|&at| !characters[..at].contains(&characters[at]))
        .count();
    if fresh * 2 < length || fresh < shortest / 2 || distinct < 5 {
        Strength::Plain
    } else if fresh < 18 {
        Strength::Fair
    } else {
        Strength::Long
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        pieces(text)
            .iter()
            .map(|p| format!("{}{}", p.text, p.joint))
            .collect()
    }

    #[test]
    fn pieces_joined_are_the_text_again() {
        for text in [
            "",
            "aaaaa-aa",
            "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae",
            "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae-dfxgiyy.102030405060708090a0b0c0d0e0f10",
            "89ef3d0036bf686c1325fc44dcb3635679721c3fbef46705c07b86b7ef82b4b0",
            "-.-",
            "é日本語",
        ] {
            assert_eq!(joined(text), text);
            assert!(
                pieces(text)
                    .iter()
                    .all(|p| p.text.chars().count() <= DIGITS),
                "{text}"
            );
        }
    }

    #[test]
    fn a_short_address_keeps_both_ends() {
        assert_eq!(
            short("k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae"),
            "k2t6j…6ae"
        );
        assert_eq!(short("aaaaa-aa"), "aaaaa-aa");
        assert_eq!(short(""), "");
    }

    #[test]
    fn a_passphrase_is_judged_by_what_is_not_repetition() {
        let judged = |text| strength(text, 10);
        assert_eq!(judged(""), Strength::Empty);
        assert_eq!(judged("abc"), Strength::Short(7));
        assert_eq!(judged("aaaaaaaaaaaaaaaaaaaaaaaaa"), Strength::Plain);
        assert_eq!(judged("1234567890123456"), Strength::Plain);
        assert_eq!(judged("abababababababababab"), Strength::Plain);
        assert_eq!(judged("kx7-mole-up"), Strength::Fair);
        assert_eq!(judged("saffron otter writes badly"), Strength::Long);
        assert_eq!(judged("水鳥は夜の港で歌をうたう猫"), Strength::Fair);
    }

    #[test]
    fn a_span_is_said_in_whole_numbers() {
        assert_eq!(span(1), "1 second");
        assert_eq!(span(119), "119 seconds");
        assert_eq!(span(120), "2 minutes");
        assert_eq!(span(90_000), "25 hours");
    }

    #[test]
    fn a_picture_is_drawn_cell_by_cell() {
        assert_eq!(
            outline(Picture { cells: 1, hue: 0 }),
            "M0 0h1v1h-1zM4 0h1v1h-1z"
        );
    }
}
