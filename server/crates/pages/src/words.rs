//! Times and amounts as people read them.

use tollgate_api::Usd;
use tollgate_base::rfc3339;

/// A time in unix seconds: `2026-11-27 04:30:00 UTC`.
#[must_use]
pub fn time(seconds: i64) -> String {
    moment(&rfc3339(seconds.saturating_mul(1000)))
}

/// A time of the API, to the second.
#[must_use]
pub fn moment(rfc3339: &str) -> String {
    let (day, time) = rfc3339.split_once('T').unwrap_or((rfc3339, ""));
    let time = time.split(['.', 'Z']).next().unwrap_or_default();
    format!("{day} {time} UTC")
}

/// An amount with at least two places, and all that it has.
#[must_use]
pub fn amount(usd: &Usd) -> String {
    let text = usd.to_string();
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    match places {
        0 => format!("{text}.00"),
        1 => format!("{text}0"),
        _ => text,
    }
}

/// Words of the API as a sentence of their own: their first letter is a capital, and a full stop ends them.
#[must_use]
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_amounts_are_told_to_people() {
        assert_eq!(time(1_795_538_948), "2026-11-24 16:49:08 UTC");
        assert_eq!(moment("2026-11-27T03:00:00.125Z"), "2026-11-27 03:00:00 UTC");
        for (usd, told) in [("3", "3.00"), ("0.5", "0.50"), ("-1.25", "-1.25"), ("0.000000001", "0.000000001")] {
            assert_eq!(amount(&usd.parse().unwrap()), told);
        }
        for (words, told) in [("no such key", "No such key."), ("Who?", "Who?"), ("", ".")] {
            assert_eq!(sentence(words), told);
        }
    }
}
