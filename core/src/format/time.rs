//! Points in time and lengths of time, in the unit of their position.

use super::{Issue, IssueCode, is_digits, is_space, trim};
use crate::{
    profile::TimeUnit,
    time::{Span, Timestamp, civil_from_days, days_from_civil},
};
use num_bigint::BigInt;

/// The texts that stand for the unit, shortest span first, with their nanoseconds.
const UNITS: [(&str, u64); 8] = [
    ("nanosecond", 1),
    ("microsecond", 1_000),
    ("millisecond", 1_000_000),
    ("second", 1_000_000_000),
    ("minute", 60_000_000_000),
    ("hour", 3_600_000_000_000),
    ("day", 86_400_000_000_000),
    ("week", 604_800_000_000_000),
];

/// What follows a count that lies outside the years 0 to 9999.
const SINCE_EPOCH: &str = "since 1970-01-01T00:00:00Z";

/// The most digits of a second's fraction that are looked at: zeros that follow the ninth say nothing.
const MAX_FRACTION: usize = 40;

const NANOS_PER_DAY: i128 = 86_400_000_000_000;

/// A point in time as it was written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum When {
    /// A fixed point: units since 1970-01-01T00:00:00 UTC.
    At(BigInt),
    /// So much later than the call is prepared. It is a wish of its own, whatever the clock says.
    In(Span),
}

impl When {
    /// Units since 1970-01-01T00:00:00 UTC; for a relative time, counted from `now` and without the
    /// part of a unit that the clock has passed.
    #[must_use]
    pub fn resolve(&self, now: Timestamp, unit: TimeUnit) -> BigInt {
        match self {
            Self::At(units) => units.clone(),
            Self::In(span) => {
                let nanos = u128::from(now.as_nanos()) + u128::from(span.as_nanos());
                (nanos / u128::from(unit.nanos())).into()
            }
        }
    }
}

/// Says how to write a point in time.
#[must_use]
pub fn describe(unit: TimeUnit) -> String {
    let fraction = match unit {
        TimeUnit::Seconds => "whole seconds",
        TimeUnit::Milliseconds => "at most 3 digits of a second's fraction",
        TimeUnit::Microseconds => "at most 6 digits of a second's fraction",
        TimeUnit::Nanoseconds => "at most 9 digits of a second's fraction",
    };
    format!(
        "A point in time: RFC 3339 with Z or an offset ({fraction}), or how long from now. \
         Examples: \"2027-01-31T12:00:00Z\", \"2027-01-31T14:00:00+02:00\", \"in 2 hours\"."
    )
}

/// Reads a point in time.
///
/// # Errors
///
/// `E_TIME` where it is written otherwise, is no date of the calendar, or is finer than the unit;
/// `E_RANGE` where a relative time is longer than 584 years.
pub fn read(text: &str, unit: TimeUnit) -> Result<When, Issue> {
    let text = trim(text);
    let relative = text
        .split_once(is_space)
        .filter(|(first, _)| first.eq_ignore_ascii_case("in"));
    if let Some((_, span)) = relative {
        return read_span(trim(span)).map(When::In);
    }
    if let Some(count) = text.strip_suffix(SINCE_EPOCH) {
        return read_count(trim(count), unit).map(When::At);
    }
    let nanos = rfc_3339(text).ok_or_else(|| {
        Issue::new(
            IssueCode::Time,
            "Write a point in time as RFC 3339 with Z or an offset, as \"2027-01-31T12:00:00Z\", \
             or relative, as \"in 2 hours\".",
        )
    })?;
    let unit = i128::from(unit.nanos());
    if nanos.rem_euclid(unit) != 0 {
        return Err(too_fine());
    }
    Ok(When::At((nanos / unit).into()))
}

/// Writes a point in time as RFC 3339 in UTC; outside the years 0 to 9999 as a count of units.
#[must_use]
pub fn show(units: &BigInt, unit: TimeUnit) -> String {
    let nanos = i128::try_from(units)
        .ok()
        .and_then(|units| units.checked_mul(i128::from(unit.nanos())));
    let shown = nanos.and_then(|nanos| {
        let date = civil_from_days(i64::try_from(nanos.div_euclid(NANOS_PER_DAY)).ok()?);
        (0..=9999).contains(&date.0).then_some((date, nanos))
    });
    match shown {
        Some(((year, month, day), nanos)) => {
            let of_day = nanos.rem_euclid(NANOS_PER_DAY);
            let (secs, fraction) = (of_day / 1_000_000_000, of_day % 1_000_000_000);
            let (hour, minute, second) = (secs / 3_600, secs / 60 % 60, secs % 60);
            let mut out =
                format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
            if fraction != 0 {
                let digits = format!(".{fraction:09}");
                out.push_str(digits.trim_end_matches('0'));
            }
            out + "Z"
        }
        None => format!("{units} {}s {SINCE_EPOCH}", unit_name(unit)),
    }
}

/// Says how to write a length of time.
#[must_use]
pub fn describe_duration(unit: TimeUnit) -> String {
    format!(
        "A length of time: a whole number and a unit from weeks down to {}s. Examples: \"2 hours\", \
         \"90 seconds\".",
        unit_name(unit)
    )
}

/// Reads a length of time to units.
///
/// # Errors
///
/// `E_TIME` where it is not a number and a unit, or finer than the position's unit; `E_RANGE` where
/// it is longer than 584 years.
pub fn read_duration(text: &str, unit: TimeUnit) -> Result<BigInt, Issue> {
    let text = trim(text);
    let (count, name) = text.split_once(is_space).unwrap_or((text, ""));
    if names(trim(name), unit_name(unit)) {
        return read_count(text, unit);
    }
    let nanos = read_span(text)?.as_nanos();
    if nanos.is_multiple_of(unit.nanos()) && !count.is_empty() {
        Ok((nanos / unit.nanos()).into())
    } else {
        Err(too_fine())
    }
}

/// Writes a length of time in the position's unit.
#[must_use]
pub fn show_duration(units: &BigInt, unit: TimeUnit) -> String {
    let s = if *units == BigInt::from(1) { "" } else { "s" };
    format!("{units} {}{s}", unit_name(unit))
}

const fn unit_name(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Nanoseconds => "nanosecond",
        TimeUnit::Microseconds => "microsecond",
        TimeUnit::Milliseconds => "millisecond",
        TimeUnit::Seconds => "second",
    }
}

/// Whether `text` is the unit's name, in the singular or the plural, in any case.
fn names(text: &str, unit: &str) -> bool {
    let singular = text.strip_suffix(['s', 'S']).unwrap_or(text);
    singular.eq_ignore_ascii_case(unit) || text.eq_ignore_ascii_case(unit)
}

/// Reads `2 hours`.
fn read_span(text: &str) -> Result<Span, Issue> {
    let parts = text
        .split_once(is_space)
        .filter(|(count, _)| is_digits(count))
        .and_then(|(count, name)| {
            let name = trim(name);
            let (_, nanos) = UNITS.iter().find(|(unit, _)| names(name, unit))?;
            Some((count, *nanos))
        });
    let Some((count, nanos)) = parts else {
        return Err(Issue::new(
            IssueCode::Time,
            "Write a length of time as a whole number and one unit, as \"2 hours\" or \"30 days\".",
        ));
    };
    count
        .parse::<u64>()
        .ok()
        .and_then(|count| count.checked_mul(nanos))
        .map(Span::from_nanos)
        .ok_or_else(|| Issue::new(IssueCode::Range, "A length of time is at most 584 years."))
}

/// Reads `123 seconds` where `second` is the unit.
fn read_count(text: &str, unit: TimeUnit) -> Result<BigInt, Issue> {
    let name = unit_name(unit);
    let syntax = || {
        Issue::new(
            IssueCode::Time,
            format!("Here the count must be a whole number of {name}s."),
        )
    };
    let (count, given) = text.split_once(is_space).ok_or_else(syntax)?;
    if !names(trim(given), name) {
        return Err(syntax());
    }
    super::integer::read(count, &super::integer::Bounds::INT).map_err(|issue| match issue.code {
        IssueCode::Range => issue,
        _ => syntax(),
    })
}

fn too_fine() -> Issue {
    Issue::new(
        IssueCode::Time,
        "The time is finer than this position counts; give it without that fraction. Nothing is \
         rounded.",
    )
}

/// Nanoseconds since the epoch of an RFC 3339 date and time, where it is one.
fn rfc_3339(text: &str) -> Option<i128> {
    let bytes = text.as_bytes();
    let (head, tail) = bytes.split_at_checked(19)?;
    let digits = |range: core::ops::Range<usize>| -> Option<i64> {
        head[range].iter().try_fold(0, |value, b| {
            b.is_ascii_digit().then(|| value * 10 + i64::from(b - b'0'))
        })
    };
    let separators = [head[4], head[7], head[13], head[16]] == *b"--::";
    if !separators || !matches!(head[10], b'T' | b't' | b' ') {
        return None;
    }
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    let (hour, minute, second) = (digits(11..13)?, digits(14..16)?, digits(17..19)?);
    let days = days_from_civil(year, month, day);
    if civil_from_days(days) != (year, month, day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (fraction, zone) = match tail {
        [b'.', rest @ ..] => {
            let len = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            let (fraction, zone) = rest.split_at(len);
            if len == 0 || len > MAX_FRACTION || fraction.iter().skip(9).any(|b| *b != b'0') {
                return None;
            }
            let nanos = (0..9).fold(0, |value, i| {
                value * 10 + fraction.get(i).map_or(0, |b| i128::from(b - b'0'))
            });
            (nanos, zone)
        }
        _ => (0, tail),
    };
    let offset_minutes = match zone {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), a, b, b':', c, d] => {
            let part = |tens: u8, ones: u8| -> Option<i64> {
                (tens.is_ascii_digit() && ones.is_ascii_digit())
                    .then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
            };
            let (hours, minutes) = (part(*a, *b)?, part(*c, *d)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if *sign == b'-' { -1 } else { 1 }
        }
        _ => return None,
    };
    let seconds = days * 86_400 + hour * 3_600 + (minute - offset_minutes) * 60 + second;
    Some(i128::from(seconds) * 1_000_000_000 + fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str, unit: TimeUnit) -> BigInt {
        match read(text, unit).unwrap() {
            When::At(units) => units,
            When::In(span) => panic!("{text} is relative: {span:?}"),
        }
    }

    fn refused(text: &str) -> IssueCode {
        read(text, TimeUnit::Nanoseconds).unwrap_err().code
    }

    #[test]
    fn rfc_3339_reads_with_any_offset_to_the_positions_unit() {
        for text in [
            "2026-10-09T12:00:01Z",
            " 2026-10-09t12:00:01z ",
            "2026-10-09 14:00:01+02:00",
            "2026-10-08T23:30:01.000-12:30",
        ] {
            assert_eq!(
                at(text, TimeUnit::Seconds),
                1_791_547_201.into(),
                "{text:?}"
            );
            assert_eq!(
                at(text, TimeUnit::Nanoseconds),
                1_791_547_201_000_000_000_u64.into()
            );
        }
        assert_eq!(
            at("1970-01-01T00:00:00.000000001Z", TimeUnit::Nanoseconds),
            1.into()
        );
        assert_eq!(at("1969-12-31T23:59:59Z", TimeUnit::Seconds), (-1).into());
        assert_eq!(
            at("2000-02-29T00:00:00Z", TimeUnit::Seconds),
            951_782_400.into()
        );
    }

    #[test]
    fn what_is_no_point_in_time_is_refused() {
        for text in [
            "",
            "2026-10-09",
            "2026-10-09T12:00:01",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-10-09T24:00:00Z",
            "2026-10-09T12:60:00Z",
            "2026-10-09T12:00:60Z",
            "2026-10-09T12:00:01.Z",
            "2026-10-09T12:00:01+2:00",
            "2026-10-09T12:00:01+24:00",
            "1791547201",
            "tomorrow",
            "in two hours",
            "in 2",
            "in -2 hours",
            "in 1.5 hours",
            "2 hours",
            "in 2 months",
            "2026-10-09T12:00:01.0000000001Z",
            "２026-10-09T12:00:01Z",
        ] {
            assert_eq!(refused(text), IssueCode::Time, "{text:?}");
        }
    }

    #[test]
    fn a_time_finer_than_the_unit_is_refused() {
        assert!(read("2026-10-09T12:00:01.5Z", TimeUnit::Milliseconds).is_ok());
        let finer = read("2026-10-09T12:00:01.5Z", TimeUnit::Seconds);
        assert_eq!(finer.unwrap_err().code, IssueCode::Time);
    }

    #[test]
    fn a_relative_time_stays_a_span_until_it_is_resolved() {
        let hours = When::In(Span::from_hours(2));
        for text in [
            "in 2 hours",
            " In  2   HOURS ",
            "in 120 minutes",
            "in 7200 second",
        ] {
            assert_eq!(
                read(text, TimeUnit::Nanoseconds),
                Ok(hours.clone()),
                "{text:?}"
            );
        }
        let now = Timestamp::from_nanos(1_500_000_000);
        assert_eq!(
            hours.resolve(now, TimeUnit::Nanoseconds),
            7_201_500_000_000_u64.into()
        );
        assert_eq!(hours.resolve(now, TimeUnit::Seconds), 7_201.into());
        assert_eq!(refused("in 99999999999 weeks"), IssueCode::Range);
    }

    #[test]
    fn a_length_of_time_reads_in_any_unit_that_is_whole_in_the_positions() {
        let secs = TimeUnit::Seconds;
        assert_eq!(read_duration("2 hours", secs), Ok(7_200.into()));
        assert_eq!(read_duration(" 1 Second ", secs), Ok(1.into()));
        assert_eq!(read_duration("5000 milliseconds", secs), Ok(5.into()));
        for text in ["500 milliseconds", "2", "hours", "", "in 2 hours"] {
            assert_eq!(
                read_duration(text, secs).unwrap_err().code,
                IssueCode::Time,
                "{text:?}"
            );
        }
    }

    fn any_unit() -> impl Strategy<Value = TimeUnit> {
        prop_oneof![
            Just(TimeUnit::Nanoseconds),
            Just(TimeUnit::Microseconds),
            Just(TimeUnit::Milliseconds),
            Just(TimeUnit::Seconds),
        ]
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(count: i64, bytes: [u8; 20], unit in any_unit()) {
            for units in [BigInt::from(count), BigInt::from_signed_bytes_be(&bytes)] {
                let text = show(&units, unit);
                prop_assert_eq!(read(&text, unit), Ok(When::At(units.clone())), "{}", text);
                let text = show_duration(&units, unit);
                prop_assert_eq!(read_duration(&text, unit), Ok(units), "{}", text);
            }
        }

        #[test]
        fn a_shown_timestamp_is_the_one_that_time_shows(nanos: u64) {
            prop_assert_eq!(
                show(&nanos.into(), TimeUnit::Nanoseconds),
                Timestamp::from_nanos(nanos).to_string()
            );
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,40}", date in "[-0-9T:.Z+ ]{15,40}") {
            let _ = read(&text, TimeUnit::Nanoseconds);
            let _ = read(&date, TimeUnit::Seconds);
        }
    }
}
