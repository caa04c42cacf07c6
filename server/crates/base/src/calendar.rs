//! Days and moments as people write them, read from outside. All in UTC.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::well_known::Rfc3339;
use time::{Date, Month, OffsetDateTime};

const MS_PER_DAY: i64 = 86_400_000;
/// The Julian day of 1970-01-01.
const JULIAN_1970: i32 = 2_440_588;
/// 0001-01-01 and 9999-12-31.
const DAYS: [i32; 2] = [-719_162, 2_932_896];

/// A day of the years 1 to 9999, counted from 1970-01-01 and written `2026-11-21`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

/// A month of the years 1 to 9999, by its first day and written `2026-11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct YearMonth(Day);

/// A point in time of the years 1 to 9999, in unix milliseconds. It is read from RFC 3339 text; parts of a millisecond are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

/// A text that is no day, month or moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CalendarError {
    /// Not a day.
    #[error("is no day such as 2026-11-21")]
    Day,
    /// Not a month.
    #[error("is no month such as 2026-11")]
    YearMonth,
    /// Not a moment.
    #[error("is no time such as 2026-11-21T08:30:00Z")]
    Moment,
}

impl Day {
    /// The day that a moment is in.
    #[must_use]
    pub fn of_ms(unix_ms: i64) -> Self {
        Self::from_number(unix_ms.div_euclid(MS_PER_DAY))
    }

    /// The day of this number, counted from 1970-01-01; outside the years 1 to 9999, the nearest end of that range.
    #[must_use]
    pub fn from_number(number: i64) -> Self {
        let [first, last] = DAYS;
        let nearest = number.clamp(i64::from(first), i64::from(last));
        Self(i32::try_from(nearest).unwrap_or(last))
    }

    /// Its number, counted from 1970-01-01.
    #[must_use]
    pub fn number(self) -> i64 {
        i64::from(self.0)
    }

    /// The day that is so many later, or earlier when negative.
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self::from_number(self.number().saturating_add(days))
    }

    fn date(self) -> Date {
        Date::from_julian_day(self.0 + JULIAN_1970).expect("a day is of the years 1 to 9999")
    }
}

fn number_of(date: Date) -> i32 {
    date.to_julian_day() - JULIAN_1970
}

impl FromStr for Day {
    type Err = CalendarError;

    fn from_str(text: &str) -> Result<Self, CalendarError> {
        let digits = |part: &str, count: usize| {
            let plain = part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| part.parse::<u16>().ok()).flatten()
        };
        let read = || {
            let [year, month, day] = text.split('-').collect::<Vec<_>>().try_into().ok()?;
            let month = Month::try_from(u8::try_from(digits(month, 2)?).ok()?).ok()?;
            let (year, day) = (i32::from(digits(year, 4)?), u8::try_from(digits(day, 2)?).ok()?);
            Date::from_calendar_date(year, month, day).ok().filter(|_| year > 0)
        };
        read().map(|date| Self(number_of(date))).ok_or(CalendarError::Day)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date();
        write!(f, "{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
    }
}

impl YearMonth {
    /// The month that a moment is in.
    #[must_use]
    pub fn of_ms(unix_ms: i64) -> Self {
        let date = Day::of_ms(unix_ms).date();
        Self(Day(number_of(date.replace_day(1).unwrap_or(date))))
    }

    /// Its first millisecond, in unix time.
    #[must_use]
    pub fn starts_at_ms(self) -> i64 {
        self.0.number() * MS_PER_DAY
    }

    /// The first millisecond of the next.
    #[must_use]
    pub fn ends_at_ms(self) -> i64 {
        self.next().starts_at_ms()
    }

    /// The month after it.
    #[must_use]
    pub fn next(self) -> Self {
        // No month is longer, and none so short that this were in the one after the next.
        Self::of_ms(self.0.plus(31).number() * MS_PER_DAY)
    }
}

impl FromStr for YearMonth {
    type Err = CalendarError;

    fn from_str(text: &str) -> Result<Self, CalendarError> {
        format!("{text}-01").parse().map(Self).map_err(|_| CalendarError::YearMonth)
    }
}

impl fmt::Display for YearMonth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.0.date();
        write!(f, "{:04}-{:02}", date.year(), u8::from(date.month()))
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Moment {
    /// Unix time in milliseconds.
    #[must_use]
    pub fn unix_ms(self) -> i64 {
        self.0
    }
}

impl FromStr for Moment {
    type Err = CalendarError;

    fn from_str(text: &str) -> Result<Self, CalendarError> {
        let at = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| CalendarError::Moment)?;
        i64::try_from(at.unix_timestamp_nanos().div_euclid(1_000_000)).map(Self).map_err(|_| CalendarError::Moment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_they_are_written_and_no_other_way() {
        for (text, number) in [
            ("1970-01-01", 0),
            ("2026-11-21", 20_778),
            ("2024-02-29", 19_782),
            ("1969-12-31", -1),
            ("0001-01-01", -719_162),
        ] {
            let day: Day = text.parse().unwrap();
            assert_eq!((day.number(), day.to_string().as_str()), (number, text));
            assert_eq!(Day::of_ms(number * MS_PER_DAY + MS_PER_DAY - 1), day);
        }
        for wrong in ["", "2026-1-1", "2026-13-01", "2025-02-29", "0000-01-01", "+026-01-01", "2026-01-01T", "2026-01"]
        {
            assert_eq!(wrong.parse::<Day>(), Err(CalendarError::Day), "{wrong}");
        }
    }

    #[test]
    fn days_stay_in_the_calendar() {
        assert_eq!(Day::from_number(i64::MAX).to_string(), "9999-12-31");
        assert_eq!(Day::from_number(i64::MIN).to_string(), "0001-01-01");
        assert_eq!("9999-12-31".parse::<Day>().unwrap().plus(1).to_string(), "9999-12-31");
        assert_eq!("2024-02-28".parse::<Day>().unwrap().plus(2).to_string(), "2024-03-01");
    }

    #[test]
    fn months_are_read_and_written_and_follow_each_other() {
        let month = |text: &str| text.parse::<YearMonth>();
        for (text, next) in
            [("2026-11", "2026-12"), ("2026-12", "2027-01"), ("2024-02", "2024-03"), ("1970-01", "1970-02")]
        {
            assert_eq!(
                (month(text).unwrap().to_string(), month(text).unwrap().next().to_string()),
                (text.into(), next.into())
            );
        }
        let november = month("2026-11").unwrap();
        assert_eq!((november.starts_at_ms(), november.ends_at_ms()), (1_793_491_200_000, 1_796_083_200_000));
        assert_eq!(YearMonth::of_ms(november.ends_at_ms() - 1), november);
        assert_eq!(YearMonth::of_ms(november.ends_at_ms()), november.next());
        for wrong in ["", "2026", "2026-13", "2026-1", "2026-11-01", "26-11"] {
            assert_eq!(month(wrong), Err(CalendarError::YearMonth), "{wrong}");
        }
    }

    #[test]
    fn moments_are_read_in_any_zone() {
        let ms = |text: &str| text.parse::<Moment>().map(Moment::unix_ms);
        assert_eq!(ms("2027-01-15T08:00:00.125Z"), Ok(1_800_000_000_125));
        assert_eq!(ms("2027-01-15T10:00:00.1259+02:00"), Ok(1_800_000_000_125));
        for wrong in ["2027-01-15", "2027-01-15T08:00:00", "1800000000", "2027-01-15T25:00:00Z"] {
            assert_eq!(ms(wrong), Err(CalendarError::Moment), "{wrong}");
        }
    }
}
