//! The limits of a key, as a person types and reads them.

use std::fmt::Display;

use serde_json::{Value, json};

use super::args::KeyLimitArgs;
use tollgate_accounts::{BadLimit, KeyLimits, addresses, models, operations};
use tollgate_base::{AddressRange, KeyScope};

/// The limits that were typed.
pub(super) fn read(typed: KeyLimitArgs) -> Result<KeyLimits, BadLimit> {
    let given = |list: Vec<String>| Some(list).filter(|list| !list.is_empty());
    Ok(KeyLimits {
        scope: KeyScope {
            models: given(typed.models).map(models).transpose()?,
            operations: given(typed.operations).map(operations).transpose()?,
            addresses: given(typed.addresses).map(addresses).transpose()?,
        },
        budget_day: typed.budget_day_usd,
        budget_week: typed.budget_week_usd,
        budget_month: typed.budget_month_usd,
        budget_life: typed.budget_usd,
        requests_per_minute: typed.requests_per_minute,
        tokens_per_minute: typed.tokens_per_minute,
        team: None,
        member: None,
        in_flight: typed.in_flight,
        include_cost: typed.include_cost,
    })
}

/// The limits in one cell of a table.
pub(super) fn words(limits: &KeyLimits) -> String {
    let mut words = Vec::new();
    let mut say = |name: &str, value: Option<String>| words.extend(value.map(|value| format!("{name}={value}")));
    say("models", limits.scope.models.as_ref().map(|models| models.join(",")));
    say("operations", limits.scope.operations.as_ref().map(|operations| operations.join(",")));
    say("addresses", ranges(limits).map(|ranges| ranges.join(",")));
    say("usd/day", limits.budget_day.as_ref().map(text));
    say("usd/week", limits.budget_week.as_ref().map(text));
    say("usd/month", limits.budget_month.as_ref().map(text));
    say("usd", limits.budget_life.as_ref().map(text));
    say("requests/min", limits.requests_per_minute.as_ref().map(text));
    say("tokens/min", limits.tokens_per_minute.as_ref().map(text));
    say("in_flight", limits.in_flight.as_ref().map(text));
    say("include_cost", limits.include_cost.then(|| "true".to_owned()));
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

/// The limits as members of an object; null is no limit.
pub(super) fn describe(limits: &KeyLimits, value: &mut Value) {
    value["models"] = json!(limits.scope.models);
    value["operations"] = json!(limits.scope.operations);
    value["addresses"] = json!(ranges(limits));
    value["budget_day_usd"] = json!(limits.budget_day);
    value["budget_week_usd"] = json!(limits.budget_week);
    value["budget_month_usd"] = json!(limits.budget_month);
    value["budget_usd"] = json!(limits.budget_life);
    value["requests_per_minute"] = json!(limits.requests_per_minute);
    value["tokens_per_minute"] = json!(limits.tokens_per_minute);
    value["in_flight"] = json!(limits.in_flight);
    value["include_cost"] = json!(limits.include_cost);
}

fn ranges(limits: &KeyLimits) -> Option<Vec<String>> {
    limits.scope.addresses.as_ref().map(|ranges| ranges.iter().map(AddressRange::to_string).collect())
}

fn text(value: &impl Display) -> String {
    value.to_string()
}
