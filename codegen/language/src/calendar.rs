//! Days and moments, as the texts of a spec say them.

/// From the first of March of the year 0 to the first of January of 1970.
const DAYS_TO_1970: i64 = 719_468;

/// True for a day of the calendar.
pub(crate) fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, length: usize| {
        let digits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// The Unix time in seconds at which a day of the calendar begins in UTC; `None` for a text that is no day.
#[must_use]
pub fn unix_seconds(day: &str) -> Option<i64> {
    let mut parts = day.split('-').map(str::parse::<i64>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok().filter(|_| is_day(day))?);
    // Years begin in March, so that leap days are their last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1;
    Some((days - DAYS_TO_1970) * 86_400)
}

/// True for a moment as RFC 3339 writes it: `2026-11-21T09:30:00Z`, with a fraction or an offset too.
pub(crate) fn is_moment(text: &str) -> bool {
    let Some((day, time)) = text.split_once(['T', 't']) else { return false };
    let Some(end) = time.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, zone) = time.split_at(end);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let zoned = match zone {
        "Z" | "z" => true,
        offset => offset.strip_prefix(['+', '-']).is_some_and(|offset| is_clock(offset, &[23, 59])),
    };
    // The sixtieth second is a leap second.
    is_day(day) && is_clock(clock, &[23, 59, 60]) && digits && zoned
}

/// True for pairs of digits with colons between, each at most its bound.
fn is_clock(text: &str, most: &[u32]) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    let fits = |(part, most): (&&str, &u32)| {
        let digits = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        digits && part.parse::<u32>().is_ok_and(|number| number <= *most)
    };
    parts.len() == most.len() && parts.iter().zip(most).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        assert!(is_day("2026-11-21") && is_day("2024-02-29"));
        assert!(!is_day("2026-02-29") && !is_day("21.11.2026") && !is_day("2026-13-01") && !is_day("2026-1-1"));
    }

    #[test]
    fn days_begin_at_a_second() {
        let of = |day| unix_seconds(day).map(|seconds| seconds / 86_400);
        assert_eq!(
            [of("1970-01-01"), of("1969-12-31"), of("2000-02-29"), of("2000-03-01")],
            [0, -1, 11_016, 11_017].map(Some)
        );
        assert_eq!((unix_seconds("2026-11-21"), unix_seconds("2026-02-29")), (Some(1_795_219_200), None));
    }

    #[test]
    fn moments_of_a_day() {
        for text in ["2026-11-21T09:30:00Z", "2026-11-21t09:30:00.123456789z", "2016-12-31T23:59:60+05:30"] {
            assert!(is_moment(text), "{text}");
        }
        let none = ["2026-11-21", "2026-02-30T09:30:00Z", "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z"];
        for text in none.into_iter().chain(["2026-11-21T09:30:00", "2026-11-21T09:30Z", "2026-11-21T09:30:00.Z"]) {
            assert!(!is_moment(text), "{text}");
        }
        assert!(!is_moment("2026-11-21T09:30:00Z05:30") && !is_moment("2026-11-21 09:30:00Z"));
        assert!(!is_moment("2026-11-21T09:30:00+5") && !is_moment(""));
    }
}
