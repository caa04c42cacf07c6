//! Groups of accounts that pay alike.

use std::fmt;
use std::str::FromStr;

const LEN_MAX: usize = 32;

/// The name of a group: 1 to 32 of `a` to `z`, `0` to `9`, `-` and `_`. Kept in place, because it comes along with each
/// caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountGroup([u8; LEN_MAX]);

/// The text names no group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a group is 1 to {LEN_MAX} of a-z, 0-9, - and _")]
pub struct InvalidGroupName;

impl AccountGroup {
    /// The group of accounts that nobody has put into another.
    pub const DEFAULT: Self = {
        let (name, mut text) = (b"default", [0; LEN_MAX]);
        let mut place = 0;
        while place < name.len() {
            text[place] = name[place];
            place += 1;
        }
        Self(text)
    };

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let len = self.0.iter().position(|byte| *byte == 0).unwrap_or(LEN_MAX);
        std::str::from_utf8(&self.0[..len]).expect("made of ASCII alone")
    }
}

impl FromStr for AccountGroup {
    type Err = InvalidGroupName;

    fn from_str(text: &str) -> Result<Self, InvalidGroupName> {
        let fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        if !(1..=LEN_MAX).contains(&text.len()) || !text.bytes().all(fit) {
            return Err(InvalidGroupName);
        }
        let mut name = [0; LEN_MAX];
        name[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self(name))
    }
}

impl fmt::Display for AccountGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for AccountGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let longest = "a".repeat(LEN_MAX);
        for name in ["a", "gold-2_b", longest.as_str()] {
            assert_eq!(name.parse::<AccountGroup>().map(|group| group.to_string()), Ok(name.to_owned()));
        }
        assert_eq!("default".parse(), Ok(AccountGroup::DEFAULT));
        for name in ["", "Gold", "a b", "a\0", "ä", &[&longest, "a"].concat()] {
            assert_eq!(name.parse::<AccountGroup>(), Err(InvalidGroupName), "{name:?}");
        }
    }
}
