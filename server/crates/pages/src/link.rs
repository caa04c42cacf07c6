//! Addresses with parameters.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The address of a page or an operation with those parameters that are not empty.
#[must_use]
pub fn link(path: &str, parameters: &[(&str, &str)]) -> String {
    let given = parameters.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> =
        given.map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))).collect();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

/// A name as a part of a path.
#[must_use]
pub fn segment(name: &str) -> String {
    utf8_percent_encode(name, NON_ALPHANUMERIC).to_string()
}

/// The time at which a day begins, as the API reads it; empty where none is given.
#[must_use]
pub fn start_of(day: &str) -> String {
    if day.is_empty() { String::new() } else { format!("{day}T00:00:00Z") }
}

#[cfg(test)]
mod tests {
    use super::{link, segment};

    #[test]
    fn parameters_are_escaped_and_empty_ones_left_out() {
        assert_eq!(link("/a", &[("b", ""), ("c", "")]), "/a");
        assert_eq!(link("/a", &[("b", "x&y=\"é\""), ("c", ""), ("d", "1")]), "/a?b=x%26y%3D%22%C3%A9%22&d=1");
        assert_eq!(segment("a/b c"), "a%2Fb%20c");
    }
}
