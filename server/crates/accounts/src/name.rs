//! The names of accounts and operators.

const NAME_CHARS_MAX: usize = 64;

/// True if a name has 1 to 64 characters, no control characters, no outer spaces, and is not a number: that would be taken for the
/// number of another.
pub(super) fn fit_name(name: &str) -> bool {
    let chars = name.chars().count();
    (1..=NAME_CHARS_MAX).contains(&chars)
        && name.trim() == name
        && !name.chars().any(char::is_control)
        && name.parse::<i128>().is_err()
}
