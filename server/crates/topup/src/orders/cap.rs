//! The caps of an agent: the most that it may pay in, per order, per day and in all.

use std::fmt;

use tollgate_base::Usd;

/// The span that a cap applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapSpan {
    /// One order.
    Order,
    /// A day in UTC.
    Day,
    /// The agent's whole life.
    Life,
}

impl fmt::Display for CapSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Order => "order",
            Self::Day => "day",
            Self::Life => "life",
        })
    }
}

/// The refusal of an order that would exceed a cap of its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the order would exceed the agent's cap of {cap} USD per {of}")]
pub struct CapExceeded {
    /// The span that the cap applies to.
    pub of: CapSpan,
    /// The cap, in US dollars.
    pub cap: Usd,
}

/// The caps of an agent, and how much of them is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TopupCaps {
    /// The cap of one order.
    pub order: Option<Usd>,
    /// The cap of a day, and how much of it is used.
    pub day: Option<(Usd, Usd)>,
    /// The cap of the agent's life, and how much of it is used.
    pub life: Option<(Usd, Usd)>,
}

impl TopupCaps {
    /// The first cap that an order of this amount exceeds, with what is used already.
    pub(super) fn exceeded(&self, amount: Usd) -> Option<CapExceeded> {
        let whole = self.order.map(|cap| (CapSpan::Order, cap, Usd::ZERO));
        let windows = [(CapSpan::Day, self.day), (CapSpan::Life, self.life)];
        let windows = windows.into_iter().filter_map(|(of, window)| window.map(|(cap, taken)| (of, cap, taken)));
        let mut caps = whole.into_iter().chain(windows);
        let fits = |cap: Usd, taken: Usd| taken.checked_add(amount).is_some_and(|sum| sum <= cap);
        caps.find(|(_, cap, taken)| !fits(*cap, *taken)).map(|(of, cap, _)| CapExceeded { of, cap })
    }
}
