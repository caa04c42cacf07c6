//! Amounts of this rail: whole cents.

use tollgate_base::Usd;

const NANOS_PER_CENT: i64 = 10_000_000;

/// A positive amount of US dollars, in whole cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

/// The error of an amount that this rail cannot ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the amount is not a whole number of cents above 0")]
pub struct NotWholeCents;

impl Cents {
    /// Decimal places of an amount in US dollars that is whole cents.
    pub const PLACES: u32 = 2;

    /// An amount of this many cents.
    ///
    /// # Errors
    /// At 0 and below.
    pub const fn new(cents: i64) -> Result<Self, NotWholeCents> {
        if cents > 0 { Ok(Self(cents)) } else { Err(NotWholeCents) }
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }

    /// The amount as credit; `None` beyond what an account can hold.
    #[must_use]
    pub fn usd(self) -> Option<Usd> {
        self.0.checked_mul(NANOS_PER_CENT).map(Usd::from_nanos)
    }
}

impl TryFrom<Usd> for Cents {
    type Error = NotWholeCents;

    /// Converts without rounding: the amount that is paid is the amount that is credited.
    fn try_from(usd: Usd) -> Result<Self, NotWholeCents> {
        if usd.nanos() % NANOS_PER_CENT == 0 { Self::new(usd.nanos() / NANOS_PER_CENT) } else { Err(NotWholeCents) }
    }
}
