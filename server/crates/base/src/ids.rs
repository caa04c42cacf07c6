//! Identifiers. Rows have integer ids; a request has a text id that is unique, sortable by time, and safe to show.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! row_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

row_id! {
    /// An account: the owner of a balance.
    AccountId
}
row_id! {
    /// An API key of an account.
    KeyId
}
row_id! {
    /// Whose budgets several keys spend together: an organisation, a team or a member.
    PoolId
}
row_id! {
    /// A wallet that acts for an account by a key of its own.
    AgentId
}
row_id! {
    /// A person or a key that operates the service.
    OperatorId
}
row_id! {
    /// A hold on a balance.
    HoldId
}
row_id! {
    /// An order for credit.
    OrderId
}

const PREFIX: &[u8; 4] = b"req_";
const LEN: usize = PREFIX.len() + 26;
/// Crockford's base 32, lower case: no letter that is read as a digit.
pub(super) const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// `req_` and 26 characters: 48 bits of time, then 80 bits that start at random in each process and count up.
/// Unique, not secret: whoever asks by it must own what it names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId([u8; LEN]);

impl RequestId {
    /// A fresh id. `now_ms` is unix time in milliseconds.
    #[must_use]
    pub fn mint(now_ms: i64) -> Self {
        static START: OnceLock<u128> = OnceLock::new();
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let start = *START.get_or_init(random_80_bits);
        let tail = (start + u128::from(COUNT.fetch_add(1, Ordering::Relaxed))) & ((1 << 80) - 1);
        let head = u128::from(now_ms.unsigned_abs() & ((1 << 48) - 1)) << 80;
        Self::from_bits(head | tail)
    }

    fn from_bits(bits: u128) -> Self {
        let mut text = [0; LEN];
        text[..PREFIX.len()].copy_from_slice(PREFIX);
        for (place, byte) in text[PREFIX.len()..].iter_mut().rev().enumerate() {
            let digit = (bits >> (place * 5)) & 31;
            *byte = ALPHABET[usize::try_from(digit).expect("five bits fit")];
        }
        Self(text)
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("made of ASCII alone")
    }
}

fn random_80_bits() -> u128 {
    let mut bytes = [0; 10];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not a request id.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a request id is `req_` and 26 characters of 0-9 a-z without i, l, o and u")]
pub struct InvalidRequestId;

impl FromStr for RequestId {
    type Err = InvalidRequestId;

    fn from_str(text: &str) -> Result<Self, InvalidRequestId> {
        let bytes: [u8; LEN] = text.as_bytes().try_into().map_err(|_| InvalidRequestId)?;
        let known = bytes.starts_with(PREFIX) && bytes[PREFIX.len()..].iter().all(|byte| ALPHABET.contains(byte));
        if known { Ok(Self(bytes)) } else { Err(InvalidRequestId) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_ordered_by_time_and_read_back() {
        let early = RequestId::mint(1_000);
        let late = RequestId::mint(2_000);
        assert_ne!(RequestId::mint(1_000), early);
        assert!(early.as_str() < late.as_str());
        assert_eq!(late.as_str().parse(), Ok(late));
        assert_eq!("req_short".parse::<RequestId>(), Err(InvalidRequestId));
        assert_eq!(early.as_str().to_uppercase().parse::<RequestId>(), Err(InvalidRequestId));
    }
}
