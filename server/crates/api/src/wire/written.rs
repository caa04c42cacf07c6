//! An amount as the client wrote it.

use serde::{Deserialize, Serialize};

use super::Number;
use tollgate_base::Usd;

/// An amount of US dollars as it was written, which may have more places than there are: what becomes of it is the operation's
/// to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WrittenUsd(Number);

impl WrittenUsd {
    /// The amount. None where it is no plain decimal with at most 9 places.
    #[must_use]
    pub fn exact(&self) -> Option<Usd> {
        self.0.get().parse().ok()
    }

    /// The nearest amount with at most so many places; the largest one, above or below zero, where it is beyond.
    #[must_use]
    pub fn nearest(&self, places: u32) -> Usd {
        let text = self.0.get();
        let largest = if text.starts_with('-') { Usd::from_nanos(-Usd::MAX.nanos()) } else { Usd::MAX };
        Usd::nearest(text, places).unwrap_or(largest)
    }
}

impl From<Usd> for WrittenUsd {
    fn from(amount: Usd) -> Self {
        Self(Number::from_text(amount.to_string()).expect("an exact decimal is a JSON number"))
    }
}
