//! The limits of a key on use, spending and speed, and the cost that its answers may tell.

use std::fmt;

use tollgate_api::generated::KEYED;
use tollgate_base::{AddressRange, KeyScope, PoolId, Usd};

/// The largest budget, as the database has it: no account can have more.
const BUDGET_MAX: Usd = Usd::from_nanos(1_000_000_000_000_000_000);
const ENTRIES_MAX: usize = 100;
const MODEL_CHARS_MAX: usize = 256;

/// The limits of a key; what is absent is unlimited. And what its answers tell, which is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyLimits {
    /// The models, operations and addresses that it is for.
    pub scope: KeyScope,
    /// The most it may spend in a UTC day.
    pub budget_day: Option<Usd>,
    /// The most it may spend in a UTC week, from Monday.
    pub budget_week: Option<Usd>,
    /// The most it may spend in a UTC month.
    pub budget_month: Option<Usd>,
    /// The most it may ever spend.
    pub budget_life: Option<Usd>,
    /// Model requests that it may begin in a minute.
    pub requests_per_minute: Option<i64>,
    /// Tokens that its model requests may use in a minute.
    pub tokens_per_minute: Option<i64>,
    /// Model requests that it may have under way.
    pub in_flight: Option<i64>,
    /// The team that it is of, whose budgets it spends from.
    pub team: Option<PoolId>,
    /// The member that it is of, whose budgets it spends from.
    pub member: Option<PoolId>,
    /// Its answers tell their cost beside the counts of tokens.
    pub include_cost: bool,
}

/// A limit that cannot be, with its member, what it has to be, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLimit {
    /// The member of a request, `addresses[2]`.
    pub field: String,
    /// The values that it may have, in words.
    pub expected: &'static str,
    /// The value that it has.
    pub found: String,
}

impl KeyLimits {
    /// True if nothing is limited.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self { include_cost: self.include_cost, ..Self::default() }
    }

    /// Checks that budgets are amounts that can be spent, and rates are above nothing.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), BadLimit> {
        let budgets = [
            ("budget_day_usd", self.budget_day),
            ("budget_week_usd", self.budget_week),
            ("budget_month_usd", self.budget_month),
            ("budget_usd", self.budget_life),
        ];
        for (field, budget) in budgets {
            if let Some(budget) = budget.filter(|budget| *budget < Usd::ZERO || *budget > BUDGET_MAX) {
                return Err(bad(field, "an amount from 0 to 1000000000", budget));
            }
        }
        let rates = [
            ("requests_per_minute", self.requests_per_minute, 1_000_000_000),
            ("tokens_per_minute", self.tokens_per_minute, 1_000_000_000_000),
            ("in_flight", self.in_flight, 1_000_000),
        ];
        for (field, rate, most) in rates {
            if let Some(rate) = rate.filter(|rate| !(1..=most).contains(rate)) {
                return Err(bad(field, "a whole number of at least 1, and no more than can be", rate));
            }
        }
        Ok(())
    }
}

/// Names of models, each once. Whether there is such a model is not asked: models come and go.
///
/// # Errors
/// Names the first that no model can have, or that there are none or too many.
pub fn models(given: Vec<String>) -> Result<Vec<String>, BadLimit> {
    entries("models", given, "the name of a model", |name| {
        let fits = (1..=MODEL_CHARS_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
        fits.then_some(name)
    })
}

/// Ids of operations that take a key, each once.
///
/// # Errors
/// Names the first that is none, or that there are none or too many.
pub fn operations(given: Vec<String>) -> Result<Vec<String>, BadLimit> {
    let expected = "an operation that takes a key, `chat.create`";
    entries("operations", given, expected, |id| KEYED.contains(&id.as_str()).then_some(id))
}

/// Ranges of addresses, each once.
///
/// # Errors
/// Names the first that is none, or that there are none or too many.
pub fn addresses(given: Vec<String>) -> Result<Vec<AddressRange>, BadLimit> {
    entries("addresses", given, "an address or a range of addresses, `10.0.0.0/8`", |text| text.parse().ok())
}

fn entries<T: PartialEq>(
    field: &str,
    given: Vec<String>,
    expected: &'static str,
    read: impl Fn(String) -> Option<T>,
) -> Result<Vec<T>, BadLimit> {
    if given.is_empty() || given.len() > ENTRIES_MAX {
        return Err(bad(field, "a list of 1 to 100", format!("a list of {}", given.len())));
    }
    let mut entries = Vec::with_capacity(given.len());
    for (index, text) in given.into_iter().enumerate() {
        let found = format!("'{text}'");
        let entry = read(text).ok_or_else(|| bad(&format!("{field}[{index}]"), expected, found))?;
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    Ok(entries)
}

fn bad(field: &str, expected: &'static str, found: impl fmt::Display) -> BadLimit {
    BadLimit { field: field.to_owned(), expected, found: found.to_string() }
}

impl fmt::Display for BadLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, expected, found } = self;
        write!(f, "'{field}' must be {expected}, not {found}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn each_entry_is_named_that_cannot_be() {
        let field = |refused: Result<Vec<String>, BadLimit>| refused.unwrap_err().field;
        assert_eq!(field(models(owned(&["a", "b\n"]))), "models[1]");
        assert_eq!(field(models(owned(&[""]))), "models[0]");
        assert_eq!(field(models(Vec::new())), "models");
        assert_eq!(field(models(vec!["a".to_owned(); 101])), "models");
        assert_eq!(field(operations(owned(&["chat.create", "chat.nothing"]))), "operations[1]");
        assert_eq!(field(operations(owned(&["sessions.login"]))), "operations[0]", "it takes no key");
        assert_eq!(field(operations(owned(&["sessions.logout"]))), "operations[0]", "it takes a session alone");
        let refused = addresses(owned(&["10.0.0.0/8", "::1", "10.0.0.0/33"])).unwrap_err();
        assert_eq!((refused.field.as_str(), refused.found.as_str()), ("addresses[2]", "'10.0.0.0/33'"));
    }

    #[test]
    fn the_same_twice_is_once() {
        assert_eq!(models(owned(&["a", "b", "a"])).unwrap(), ["a", "b"]);
        assert_eq!(addresses(owned(&["10.1.2.3/8", "10.0.0.0/8"])).unwrap().len(), 1);
        assert_eq!(operations(owned(&["chat.create"])).unwrap(), ["chat.create"]);
    }

    #[test]
    fn amounts_and_rates_have_bounds() {
        let usd = |text: &str| Some(text.parse::<Usd>().expect("an amount"));
        let check = |limits: KeyLimits| limits.check().map_err(|bad| bad.field);
        assert_eq!(
            check(KeyLimits { budget_day: usd("0"), budget_life: usd("1000000000"), ..KeyLimits::default() }),
            Ok(())
        );
        for (limits, field) in [
            (KeyLimits { budget_day: usd("-0.01"), ..KeyLimits::default() }, "budget_day_usd"),
            (KeyLimits { budget_week: usd("-1"), ..KeyLimits::default() }, "budget_week_usd"),
            (KeyLimits { budget_month: usd("1000000000.01"), ..KeyLimits::default() }, "budget_month_usd"),
            (KeyLimits { budget_life: usd("-1"), ..KeyLimits::default() }, "budget_usd"),
            (KeyLimits { requests_per_minute: Some(0), ..KeyLimits::default() }, "requests_per_minute"),
            (KeyLimits { tokens_per_minute: Some(-1), ..KeyLimits::default() }, "tokens_per_minute"),
            (KeyLimits { in_flight: Some(1_000_001), ..KeyLimits::default() }, "in_flight"),
        ] {
            assert_eq!(check(limits), Err(field.to_owned()));
        }
    }
}
