//! Numbers that look random and are the same in every run.

/// xorshift64*: small, and good enough to spread test cases.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A sequence; the seed names it.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`, which is not zero.
    ///
    /// # Panics
    /// When `bound` is larger than memory.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a bound fits");
        usize::try_from(self.number() % bound).expect("below a bound that fits")
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
