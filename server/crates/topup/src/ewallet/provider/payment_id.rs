//! Names on this wire: of a payment at the provider, and of an order.

use std::fmt;

const NAME_MAX: usize = 64;

/// The provider's name of a payment: at most 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PaymentId(String);

impl PaymentId {
    /// Reads one; `None` for what has another form.
    #[must_use]
    pub fn read(text: String) -> Option<Self> {
        is_name(&text).then_some(Self(text))
    }

    /// The text, as the provider writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PaymentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// True if a text can be the name of an order or a payment on this wire. A name has 1 to 64 visible ASCII characters.
pub(super) fn is_name(text: &str) -> bool {
    (1..=NAME_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}
