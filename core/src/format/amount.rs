//! An amount of a token: a decimal number, with the token's symbol or without.

use super::{Issue, IssueCode, MAX_DIGITS, is_digits, is_space, trim};
use core::fmt;
use num_bigint::BigUint;

/// The most decimals a token may have here. A ledger that claims more gets no amounts.
pub const MAX_DECIMALS: u8 = 36;

/// A token's symbol that is safe to stand in our words: 1 to 10 of `A–Z a–z 0–9 . $ -`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Symbol(String);

impl Symbol {
    /// The symbol, where it is made of the allowed characters alone.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'$' | b'-');
        ((1..=10).contains(&text.len()) && text.bytes().all(allowed)).then(|| Self(text.to_owned()))
    }

    /// The symbol as its ledger writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a ledger counts: 10^decimals base units are one token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Token {
    decimals: u8,
    symbol: Option<Symbol>,
}

impl Token {
    /// A token, where its decimals are at most [`MAX_DECIMALS`].
    #[must_use]
    pub fn new(decimals: u8, symbol: Option<Symbol>) -> Option<Self> {
        (decimals <= MAX_DECIMALS).then_some(Self { decimals, symbol })
    }

    /// How many digits after the point a base unit is.
    #[must_use]
    pub const fn decimals(&self) -> u8 {
        self.decimals
    }

    /// The symbol, where it is fit to be written.
    #[must_use]
    pub const fn symbol(&self) -> Option<&Symbol> {
        self.symbol.as_ref()
    }
}

/// Says how to write an amount; without a token (several canisters that differ), without numbers.
#[must_use]
pub fn describe(token: Option<&Token>) -> String {
    let grammar = "Digits stand on both sides of a point; no sign, no thousands separators, no \
                   exponent. Nothing is rounded: digits beyond the token's decimals are refused, \
                   even zeros.";
    let Some(token) = token else {
        return format!(
            "An amount of tokens, as a decimal number with at most as many digits after the point \
             as the token of the chosen canister has decimals; its symbol may follow after a \
             space. {grammar} Examples: \"1\", \"25\"."
        );
    };
    let digits = match token.decimals {
        0 => "a whole number".to_owned(),
        1 => "a decimal number with at most 1 digit after the point".to_owned(),
        n => format!("a decimal number with at most {n} digits after the point"),
    };
    let example = match token.decimals {
        0 => "25",
        1 => "1.5",
        _ => "1.25",
    };
    match &token.symbol {
        Some(symbol) => format!(
            "An amount in {symbol}: {digits}; a space and the symbol {symbol} may follow. \
             {grammar} Examples: \"1\", \"{example}\", \"{example} {symbol}\"."
        ),
        None => format!(
            "An amount in whole tokens: {digits}, without a symbol. {grammar} Examples: \"1\", \
             \"{example}\"."
        ),
    }
}

/// The grammar of [`read`] for one token.
#[must_use]
pub fn pattern(token: &Token) -> String {
    let mut pattern = r"^\s*[0-9]+".to_owned();
    if token.decimals > 0 {
        pattern.push_str(&format!(r"(?:\.[0-9]{{1,{}}})?", token.decimals));
    }
    if let Some(symbol) = &token.symbol {
        pattern.push_str(r"(?:\s+");
        for c in symbol.0.chars() {
            match c {
                'a'..='z' | 'A'..='Z' => {
                    pattern.extend(['[', c.to_ascii_uppercase(), c.to_ascii_lowercase(), ']']);
                }
                '.' | '$' => pattern.extend(['\\', c]),
                _ => pattern.push(c),
            }
        }
        pattern.push_str(")?");
    }
    pattern.push_str(r"\s*$");
    pattern
}

/// Reads an amount to base units, exactly.
///
/// # Errors
///
/// `E_SYNTAX` where it is no decimal number, `E_SYMBOL` where another symbol follows it,
/// `E_EXCESS_PRECISION` where it has more digits after the point than the token has decimals
/// (zeros count), `E_RANGE` where it is absurdly long. Whether the position holds it is asked of
/// [`super::integer::Bounds`].
pub fn read(text: &str, token: &Token) -> Result<BigUint, Issue> {
    let syntax = || {
        Issue::new(
            IssueCode::Syntax,
            format!(
                "This is no amount. {}",
                if token.decimals == 0 {
                    "Write a whole number, as \"25\"; this token has no fractions."
                } else {
                    "Write digits, with a point and more digits where needed, as \"1\" or \"1.5\"."
                }
            ),
        )
    };
    let text = trim(text);
    let (number, symbol) = match text.split_once(is_space) {
        Some((number, symbol)) => (number, Some(trim(symbol))),
        None => (text, None),
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    if !is_digits(whole) || fraction.is_some_and(|digits| !is_digits(digits)) {
        return Err(syntax());
    }
    if let Some(given) = symbol {
        check_symbol(given, token)?;
    }
    let fraction = fraction.unwrap_or_default();
    let missing = usize::from(token.decimals)
        .checked_sub(fraction.len())
        .ok_or_else(|| {
            let (given, n) = (fraction.len(), token.decimals);
            Issue::new(
                IssueCode::ExcessPrecision,
                format!(
                    "The amount has {given} digits after the point, and this token has {n} \
                     decimals. Nothing is rounded: give at most {n}."
                ),
            )
        })?;
    if whole.len() > MAX_DIGITS {
        return Err(Issue::new(
            IssueCode::Range,
            format!("An amount has at most {MAX_DIGITS} digits before the point."),
        ));
    }
    let digits: Vec<u8> = (whole.bytes().chain(fraction.bytes()))
        .map(|b| b - b'0')
        .chain(std::iter::repeat_n(0, missing))
        .collect();
    BigUint::from_radix_be(&digits, 10).ok_or_else(syntax)
}

fn check_symbol(given: &str, token: &Token) -> Result<(), Issue> {
    match &token.symbol {
        Some(symbol) if given.eq_ignore_ascii_case(&symbol.0) => Ok(()),
        Some(symbol) => Err(Issue::new(
            IssueCode::Symbol,
            format!(
                "This canister's token is {symbol}; write the number alone or with {symbol}, and \
                 check that the token is the one you mean."
            ),
        )),
        None => Err(Issue::new(
            IssueCode::Symbol,
            "No symbol is taken for this token; write the number alone, and check that the \
             canister is the one you mean.",
        )),
    }
}

/// Writes base units as an amount: no zeros at the end of the fraction, the symbol where there is
/// one.
#[must_use]
pub fn show(units: &BigUint, token: &Token) -> String {
    let decimals = usize::from(token.decimals);
    let mut number = format!("{units:0>width$}", width = decimals + 1);
    if decimals > 0 {
        number.insert(number.len() - decimals, '.');
        let kept = number.trim_end_matches('0').trim_end_matches('.').len();
        number.truncate(kept);
    }
    match &token.symbol {
        Some(symbol) => format!("{number} {symbol}"),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex_lite::Regex;

    fn token(decimals: u8, symbol: &str) -> Token {
        Token::new(decimals, Symbol::parse(symbol)).unwrap()
    }

    fn refused(text: &str, token: &Token) -> IssueCode {
        read(text, token).unwrap_err().code
    }

    #[test]
    fn an_amount_reads_to_base_units_exactly() {
        let tka = token(8, "TKA");
        for (text, units) in [
            ("1", 100_000_000_u64),
            ("1.5 TKA", 150_000_000),
            ("1.50", 150_000_000),
            (" 1.25   tka ", 125_000_000),
            ("0.00000001", 1),
            ("007.1", 710_000_000),
            ("0", 0),
        ] {
            assert_eq!(read(text, &tka), Ok(units.into()), "{text:?}");
        }
    }

    #[test]
    fn more_digits_than_decimals_are_refused_even_zeros() {
        let tka = token(8, "TKA");
        assert_eq!(refused("1.123456789 TKA", &tka), IssueCode::ExcessPrecision);
        assert_eq!(refused("1.000000000", &tka), IssueCode::ExcessPrecision);
        assert_eq!(refused("1.0", &token(0, "N")), IssueCode::ExcessPrecision);
    }

    #[test]
    fn what_is_not_a_plain_decimal_number_is_refused() {
        let tka = token(8, "TKA");
        for text in [
            "",
            " ",
            ".5",
            "1.",
            "1,5",
            "1_000",
            "1e3",
            "-1",
            "+1",
            "0x10",
            "1.5TKA",
            "TKA 1",
            "1..5",
            "1.5.5",
            "١",
            "1\u{200b}",
            "one",
        ] {
            assert_eq!(refused(text, &tka), IssueCode::Syntax, "{text:?}");
        }
    }

    #[test]
    fn another_symbol_is_refused() {
        assert_eq!(refused("1.5 ICP", &token(8, "TKA")), IssueCode::Symbol);
        assert_eq!(refused("1.5 TKA TKA", &token(8, "TKA")), IssueCode::Symbol);
        assert_eq!(
            refused("1.5 T", &Token::new(8, None).unwrap()),
            IssueCode::Symbol
        );
    }

    #[test]
    fn a_symbol_with_other_characters_or_too_long_is_none() {
        for text in ["", "ТKA", "TK A", "ELEVENCHARS", "a\u{301}", "A\"B"] {
            assert_eq!(Symbol::parse(text), None, "{text:?}");
        }
        assert!(Symbol::parse("ck.US$-D").is_some());
    }

    #[test]
    fn thirty_six_decimals_are_the_most() {
        assert!(Token::new(36, None).is_some());
        assert!(Token::new(37, None).is_none());
    }

    #[test]
    fn the_pattern_is_the_seeds_for_its_example() {
        assert_eq!(
            pattern(&token(8, "TKA")),
            r"^\s*[0-9]+(?:\.[0-9]{1,8})?(?:\s+[Tt][Kk][Aa])?\s*$"
        );
    }

    #[test]
    fn an_amount_shows_without_zeros_at_its_end() {
        assert_eq!(show(&150_000_000_u64.into(), &token(8, "TKA")), "1.5 TKA");
        assert_eq!(show(&100_u64.into(), &token(0, "N")), "100 N");
        assert_eq!(
            show(&1_u64.into(), &Token::new(18, None).unwrap()),
            "0.000000000000000001"
        );
        assert_eq!(show(&BigUint::ZERO, &token(8, "TKA")), "0 TKA");
    }

    #[test]
    fn an_endless_number_is_refused_at_once() {
        assert_eq!(
            refused(&"9".repeat(200_000), &token(8, "TKA")),
            IssueCode::Range
        );
    }

    fn any_token() -> impl Strategy<Value = Token> {
        (0..=MAX_DECIMALS, prop::option::of("[A-Za-z0-9.$-]{1,10}"))
            .prop_map(|(decimals, symbol)| token_of(decimals, symbol.as_deref()))
    }

    fn token_of(decimals: u8, symbol: Option<&str>) -> Token {
        Token::new(decimals, symbol.and_then(Symbol::parse)).unwrap()
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(bytes: [u8; 40], token in any_token()) {
            let units = BigUint::from_bytes_be(&bytes);
            prop_assert_eq!(read(&show(&units, &token), &token), Ok(units));
        }

        #[test]
        fn the_pattern_and_the_reader_take_the_same_texts(
            text in "[ ]{0,2}[0-9.]{0,5}[ ]{0,2}[A-Ca-c.$]{0,2}[ ]?",
            decimals in 0_u8..4,
            symbol in prop::option::of("[A-Ca-c.$]{1,2}"),
        ) {
            let token = token_of(decimals, symbol.as_deref());
            let matched = Regex::new(&pattern(&token)).unwrap().is_match(&text);
            prop_assert_eq!(matched, read(&text, &token).is_ok());
        }
    }
}
