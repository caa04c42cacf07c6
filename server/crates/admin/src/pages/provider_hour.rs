//! The last hour of a provider at the server that answers, in charts and numbers.

use super::chart::{BarChart, NamedChart, Sparkline};
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_providers::{GetProviderHealth, GetProviderHealthInput};
use tollgate_api::generated::types::ProviderMinute;
use tollgate_api::{Cx, OperatorCaller};

/// The last hour of a provider.
#[derive(Debug, Default)]
pub(super) struct ProviderHour {
    /// All minutes, the oldest first.
    minutes: Vec<ProviderMinute>,
    pub(super) requests: i64,
    pub(super) failures: i64,
    pub(super) limited: i64,
    pub(super) openings: i64,
    /// Mean time to the first byte of all that were answered, in milliseconds.
    pub(super) first_byte_ms: Option<i64>,
}

impl ProviderHour {
    fn of(minutes: Vec<ProviderMinute>) -> Self {
        let sum = |of: fn(&ProviderMinute) -> i64| minutes.iter().map(of).fold(0, i64::saturating_add);
        let answered = |minute: &ProviderMinute| minute.requests - minute.failures - minute.limited;
        let waited = minutes.iter().map(|minute| minute.first_byte_ms.unwrap_or(0).saturating_mul(answered(minute)));
        Self {
            requests: sum(|minute| minute.requests),
            failures: sum(|minute| minute.failures),
            limited: sum(|minute| minute.limited),
            openings: sum(|minute| minute.breaker_openings),
            first_byte_ms: waited.fold(0, i64::saturating_add).checked_div(minutes.iter().map(answered).sum()),
            minutes,
        }
    }

    /// The minutes in which something happened, the newest first.
    pub(super) fn used(&self) -> impl Iterator<Item = &ProviderMinute> {
        self.minutes.iter().rev().filter(|minute| minute.requests > 0)
    }

    /// Charts by the minute.
    pub(super) fn charts(&self, t: &Texts) -> Vec<NamedChart> {
        let words: Vec<String> = self.minutes.iter().map(|minute| t.minute(&minute.at)).collect();
        let chart = |name, of: fn(&ProviderMinute) -> i64| {
            let values: Vec<i64> = self.minutes.iter().map(of).collect();
            NamedChart {
                name,
                svg: BarChart { values: &values, words: &words, value: |value| value.to_string() }.svg(),
            }
        };
        vec![
            chart(t.requests_a_minute, |minute| minute.requests),
            chart(t.failed_a_minute, |minute| minute.failures + minute.limited),
            chart(t.first_byte_by_minute, |minute| minute.first_byte_ms.unwrap_or(0)),
        ]
    }

    /// A small chart of the requests, with those that failed or were turned away.
    pub(super) fn sparkline(&self) -> String {
        let of = |of: fn(&ProviderMinute) -> i64| self.minutes.iter().map(of).collect::<Vec<_>>();
        let (values, bad) = (of(|minute| minute.requests), of(|minute| minute.failures + minute.limited));
        Sparkline { values: &values, bad: &bad }.svg()
    }
}

impl Admin {
    /// The last hour of a provider; nothing where it was taken off meanwhile.
    pub(super) async fn provider_hour(&self, cx: &Cx, caller: OperatorCaller, name: String) -> ProviderHour {
        let health = self.catalog.get_provider_health(cx, GetProviderHealthInput { caller, name }).await;
        health.map(|health| ProviderHour::of(health.data.minutes)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(requests: i64, failures: i64, limited: i64, first_byte_ms: Option<i64>) -> ProviderMinute {
        let at = "2026-11-27T08:18:00.000Z".to_owned();
        ProviderMinute { at, requests, failures, limited, first_byte_ms, breaker_openings: failures }
    }

    #[test]
    fn an_hour_is_the_sum_of_its_minutes() {
        let hour = ProviderHour::of(vec![
            minute(3, 1, 1, Some(100)),
            minute(0, 0, 0, None),
            minute(9, 0, 0, Some(300)),
            minute(2, 2, 0, None),
        ]);
        assert_eq!((hour.requests, hour.failures, hour.limited, hour.openings), (14, 3, 1, 3));
        assert_eq!(hour.first_byte_ms, Some(280));
        assert_eq!(hour.used().map(|minute| minute.requests).collect::<Vec<_>>(), [2, 9, 3]);
        let nothing = ProviderHour::of(vec![minute(1, 1, 0, None)]);
        assert_eq!((nothing.first_byte_ms, ProviderHour::of(Vec::new()).requests), (None, 0));
    }
}
