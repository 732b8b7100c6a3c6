//! Points in time and spans of it, in nanoseconds. There is no way to read a clock here.

use core::fmt;
use serde::{Deserialize, Serialize};

/// Nanoseconds since 1970-01-01T00:00:00 UTC, as the Internet Computer counts them.
///
/// Which clock it was read from is said where it is used: certified (`/time` of a certificate) or
/// the host's. The two are never compared with each other.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(transparent)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The point this many nanoseconds after the epoch.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the epoch.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The point `span` later; the last representable point where that is beyond it.
    #[must_use]
    pub const fn plus(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// The point `span` earlier; the epoch where that is before it.
    #[must_use]
    pub const fn minus(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// How long after `earlier` this is; nothing where it is not after it.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

/// A length of time in nanoseconds.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(transparent)]
pub struct Span(u64);

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// This many nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// This many milliseconds.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// This many seconds.
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000_000))
    }

    /// This many minutes.
    #[must_use]
    pub const fn from_mins(mins: u64) -> Self {
        Self::from_secs(mins.saturating_mul(60))
    }

    /// This many hours.
    #[must_use]
    pub const fn from_hours(hours: u64) -> Self {
        Self::from_mins(hours.saturating_mul(60))
    }

    /// Nanoseconds.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Whole milliseconds, rounded down.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000_000
    }

    /// Whole seconds, rounded down.
    #[must_use]
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000_000_000
    }

    /// Half of it, rounded down.
    #[must_use]
    pub const fn half(self) -> Self {
        Self(self.0 / 2)
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 in UTC, with as many digits of the second as are not zero:
    /// `2026-10-09T12:00:01Z`, `2026-10-09T12:00:01.5Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0 / 1_000_000_000;
        let nanos = self.0 % 1_000_000_000;
        let days = i64::try_from(secs / 86_400).expect("2^64 nanoseconds are 213,504 days");
        let (year, month, day) = civil_from_days(days);
        let (hour, minute, second) = (secs / 3_600 % 24, secs / 60 % 60, secs % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if nanos != 0 {
            let digits = format!("{nanos:09}");
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        f.write_str("Z")
    }
}

/// A date and time of day in UTC, by the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Civil {
    /// Year, 1970 or later.
    pub year: u64,
    /// 1 to 12.
    pub month: u64,
    /// 1 to the month's last.
    pub day: u64,
    /// 0 to 23.
    pub hour: u64,
    /// 0 to 59.
    pub minute: u64,
    /// 0 to 59: the Internet Computer's time has no leap seconds.
    pub second: u64,
    /// 0 to 999,999,999.
    pub nanos: u64,
}

impl Timestamp {
    /// The point that this date and time of day name. `None` where there is no such date, or it
    /// is outside what a timestamp holds.
    #[must_use]
    pub fn from_civil(civil: Civil) -> Option<Self> {
        let Civil {
            year,
            month,
            day,
            hour,
            minute,
            second,
            nanos,
        } = civil;
        let in_bounds = (1970..=2554).contains(&year)
            && (1..=12).contains(&month)
            && (1..=31).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60
            && nanos < 1_000_000_000;
        if !in_bounds {
            return None;
        }
        let signed = |part: u64| i64::try_from(part).ok();
        let date = (signed(year)?, signed(month)?, signed(day)?);
        let days = days_from_civil(date.0, date.1, date.2);
        if civil_from_days(days) != date {
            return None;
        }
        let secs = u64::try_from(days).ok()? * 86_400 + hour * 3_600 + minute * 60 + second;
        secs.checked_mul(1_000_000_000)?
            .checked_add(nanos)
            .map(Self)
    }
}

/// The day of a proleptic Gregorian date, counted from 1970-01-01: what [`civil_from_days`] undoes.
/// For a date that the calendar does not have, a day that it calls by another date.
pub(crate) const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    year.div_euclid(400) * 146_097 + day_of_era - 719_468
}

/// The proleptic Gregorian date (year, month, day) of a day counted from 1970-01-01.
///
/// Counts in eras of 400 years that begin on 1 March, so that the leap day is the last of a year.
pub(crate) const fn civil_from_days(days_since_epoch: i64) -> (i64, i64, i64) {
    let days = days_since_epoch + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_shows_as_rfc_3339() {
        let shown = |nanos| Timestamp::from_nanos(nanos).to_string();
        assert_eq!(shown(1_791_547_201_000_000_000), "2026-10-09T12:00:01Z");
        assert_eq!(shown(0), "1970-01-01T00:00:00Z");
        assert_eq!(shown(951_782_400_500_000_000), "2000-02-29T00:00:00.5Z");
        assert_eq!(shown(u64::MAX), "2554-07-21T23:34:33.709551615Z");
    }

    #[test]
    fn a_date_names_the_point_that_shows_as_it() {
        for days in (-719_528..2_932_896).step_by(7) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
        }
        let civil = Civil {
            year: 2026,
            month: 10,
            day: 9,
            hour: 12,
            minute: 0,
            second: 1,
            nanos: 5,
        };
        let nanos = Timestamp::from_civil(civil).map(Timestamp::as_nanos);
        assert_eq!(nanos, Some(1_791_547_201_000_000_005));
        for wrong in [
            Civil {
                month: 2,
                day: 29,
                ..civil
            },
            Civil { month: 13, ..civil },
            Civil { day: 0, ..civil },
            Civil { hour: 24, ..civil },
            Civil {
                second: 60,
                ..civil
            },
            Civil {
                year: 1969,
                ..civil
            },
            Civil {
                year: 2554,
                month: 12,
                ..civil
            },
        ] {
            assert_eq!(Timestamp::from_civil(wrong), None);
        }
    }

    #[test]
    fn arithmetic_stops_at_the_ends() {
        let last = Timestamp::from_nanos(u64::MAX);
        assert_eq!(last.plus(Span::from_secs(1)), last);
        assert_eq!(
            Timestamp::default().minus(Span::from_secs(1)),
            Timestamp::default()
        );
        assert_eq!(Timestamp::default().since(last), Span::ZERO);
    }
}
