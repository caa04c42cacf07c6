//! `GET /v1/dashboard/billing/usage`.

use super::unreadable;
use crate::{KeySelection, Ledger, UsageGrouping, UsageSumQuery};
use tollgate_api::generated::ops::billing::{GetUsage, GetUsageError, GetUsageInput};
use tollgate_api::generated::types::BillingUsage;
use tollgate_api::{Cx, Number, Rest};
use tollgate_base::{Day, Usd};

const NANOS_PER_CENT: i64 = 10_000_000;

impl GetUsage for Ledger {
    async fn get_usage(&self, cx: &Cx, input: GetUsageInput) -> Result<BillingUsage, GetUsageError> {
        let ask = UsageSumQuery {
            account: input.caller.account,
            keys: KeySelection { key: Some(input.caller.key), ..KeySelection::default() },
            tag: None,
            from: input.start_date.unwrap_or(Day::from_number(i64::MIN)),
            to: input.end_date.unwrap_or(Day::from_number(i64::MAX)),
            by: UsageGrouping::default(),
            rows_max: 1,
        };
        let rows = self.sums(ask).await.map_err(|error| {
            unreadable(cx, &error);
            GetUsageError::LedgerUnavailable
        })?;
        // One row at most, as nothing tells rows apart; none where nothing has ended.
        let charged = rows.and_then(|rows| rows.first().map(|row| row.charged)).unwrap_or(Usd::ZERO);
        Ok(BillingUsage { object: "list", total_usage: cents(charged), rest: Rest::default() })
    }
}

/// An amount in US cents, every digit of it.
fn cents(amount: Usd) -> Number {
    let nanos = amount.nanos();
    let (whole, rest) = (nanos / NANOS_PER_CENT, (nanos % NANOS_PER_CENT).unsigned_abs());
    let sign = if nanos < 0 && whole == 0 { "-" } else { "" };
    let text = format!("{sign}{whole}.{rest:07}");
    let text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
    Number::from_text(text).expect("digits with a point are a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_are_exact() {
        for (usd, text) in
            [("0", "0"), ("1", "100"), ("0.01", "1"), ("0.123456789", "12.3456789"), ("0.000000001", "0.0000001")]
        {
            assert_eq!(cents(usd.parse().unwrap()).get(), text);
        }
        assert_eq!(cents(Usd::from_nanos(-1)).get(), "-0.0000001");
        assert_eq!(cents(Usd::from_nanos(i64::MAX)).get(), "922337203685.4775807");
    }
}
