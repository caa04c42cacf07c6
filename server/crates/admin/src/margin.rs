//! `GET /api/admin/margin`: charges beside what providers ask.

use std::collections::BTreeSet;

use super::{Admin, unavailable};
use tollgate_api::Cx;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::admin_service::{SumMargin, SumMarginError, SumMarginInput};
use tollgate_api::generated::types::{MarginGroup, MarginReply, MarginReport, MarginRow};
use tollgate_base::{Day, Usd};
use tollgate_credit::{LedgerStoreError, ServiceUsageQuery, TokenPrices, UsageSpan, UsageSums};

/// The most sums of a day and model that are read for one answer.
const ROWS_MAX: u32 = 100_000;

/// The columns that margins are grouped by.
#[derive(Debug, Clone, Copy)]
pub(super) struct MarginGrouping {
    pub(super) day: bool,
    pub(super) model: bool,
}

/// Charges and costs over the requests of some days.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Margins {
    /// By day and model.
    pub(super) rows: Vec<Margin>,
    /// The models whose cost is not known.
    pub(super) without_cost: BTreeSet<String>,
}

/// Charges and costs over the requests of one group.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Margin {
    /// The day, where rows are grouped by it.
    pub(super) day: Option<Day>,
    /// The model, where rows are grouped by it.
    pub(super) model: Option<String>,
    pub(super) requests: u64,
    /// Those that were given back whole.
    pub(super) released: u64,
    pub(super) charged: Usd,
    /// Charges of models whose cost is known, and that cost. `None` where no model has one.
    reckoned: Option<ReckonedMargin>,
}

/// Charges beside the cost of the same requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ReckonedMargin {
    charged: Usd,
    cost: Usd,
}

impl Margin {
    /// The cost of the models whose cost is known.
    pub(super) fn cost(&self) -> Option<Usd> {
        self.reckoned.map(|reckoned| reckoned.cost)
    }

    /// The margin of these models: below zero where their providers ask for more than was charged.
    pub(super) fn margin(&self) -> Option<Usd> {
        let difference = |ReckonedMargin { charged, cost }: ReckonedMargin| charged.checked_sub(cost);
        Some(difference(self.reckoned?).expect("two amounts above zero have a difference"))
    }
}

impl ReckonedMargin {
    fn plus(self, other: Self) -> Option<Self> {
        let Self { charged, cost } = self;
        Some(Self { charged: charged.checked_add(other.charged)?, cost: cost.checked_add(other.cost)? })
    }
}

/// The reasons for which there are no margins.
#[derive(Debug, thiserror::Error)]
pub(super) enum MarginError {
    #[error(transparent)]
    Ledger(#[from] LedgerStoreError),
    #[error("it is more than {0} rows")]
    Rows(u32),
    #[error("a sum is beyond the largest amount")]
    TooLarge,
}

impl SumMargin for Admin {
    async fn sum_margin(&self, cx: &Cx, input: SumMarginInput) -> Result<MarginReply, SumMarginError> {
        let SumMarginInput { from, to, group_by, .. } = input;
        let span = UsageSpan::asked(self.clock.now_ms(), from, to);
        let UsageSpan { from, to } = span;
        let too_wide =
            |reason: String| SumMarginError::UsageTooWide { from: from.to_string(), to: to.to_string(), reason };
        if let Some(fault) = span.fault() {
            return Err(too_wide(fault));
        }
        let groups = group_by.unwrap_or_default();
        let by =
            MarginGrouping { day: groups.contains(&MarginGroup::Day), model: groups.contains(&MarginGroup::Model) };
        let Margins { rows, without_cost } = self.margins(span, by).await.map_err(|error| match error {
            MarginError::Rows(_) => too_wide(error.to_string()),
            MarginError::Ledger(_) | MarginError::TooLarge => {
                unavailable(cx, &error);
                SumMarginError::LedgerUnavailable
            }
        })?;
        let rows_max = limits::USAGE_ROWS;
        if rows.len() > usize::try_from(rows_max).unwrap_or(usize::MAX) {
            return Err(too_wide(MarginError::Rows(rows_max).to_string()));
        }
        let rows = rows.into_iter().map(margin_row).collect();
        let data = MarginReport { from, to, models_without_cost: without_cost.into_iter().collect(), rows };
        Ok(MarginReply { success: true, message: String::new(), data })
    }
}

impl Admin {
    /// Charges and costs of all accounts, by the costs of now.
    pub(super) async fn margins(&self, span: UsageSpan, by: MarginGrouping) -> Result<Margins, MarginError> {
        let UsageSpan { from, to } = span;
        // Each model has a cost of its own, whatever rows are asked for.
        let ask = ServiceUsageQuery { from, to, by_day: by.day, by_account: false, by_model: true, rows_max: ROWS_MAX };
        let sums = self.credit.service_usage(ask).await?.ok_or(MarginError::Rows(ROWS_MAX))?;
        reckon(sums.into_iter().map(|row| row.sums), by, |model| self.gateway.cost(model))
    }
}

/// Adds up sums that are each of a day and a model, in the order of these.
fn reckon(
    sums: impl Iterator<Item = UsageSums>,
    by: MarginGrouping,
    cost_of: impl Fn(&str) -> Option<TokenPrices>,
) -> Result<Margins, MarginError> {
    let mut margins = Margins { rows: Vec::new(), without_cost: BTreeSet::new() };
    for sums in sums {
        let UsageSums { day, model, requests, released, charged, usage, .. } = sums;
        let model = model.unwrap_or_default();
        let cost = cost_of(&model).map(|cost| cost.cost(&usage, requests - released));
        // Usage that has no cost is no usage that costs nothing.
        let cost = cost.transpose().map_err(|_| MarginError::TooLarge)?;
        if cost.is_none() {
            margins.without_cost.insert(model.clone());
        }
        let model = by.model.then_some(model);
        let reckoned = cost.map(|cost| ReckonedMargin { charged, cost });
        match margins.rows.last_mut().filter(|last| last.day == day && last.model == model) {
            None => margins.rows.push(Margin { day, model, requests, released, charged, reckoned }),
            Some(last) => {
                last.requests += requests;
                last.released += released;
                last.charged = last.charged.checked_add(charged).ok_or(MarginError::TooLarge)?;
                last.reckoned = match (last.reckoned, reckoned) {
                    (Some(one), Some(other)) => Some(one.plus(other).ok_or(MarginError::TooLarge)?),
                    (one, other) => one.or(other),
                };
            }
        }
    }
    Ok(margins)
}

fn margin_row(row: Margin) -> MarginRow {
    MarginRow {
        day: row.day,
        requests: i64::try_from(row.requests).unwrap_or(i64::MAX),
        charged_usd: row.charged,
        reckoned_usd: row.reckoned.map_or(Usd::ZERO, |reckoned| reckoned.charged),
        cost_usd: row.cost(),
        margin_usd: row.margin(),
        model: row.model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_base::{PicoUsd, PriceRatio};
    use tollgate_credit::{BilledUsage, MediaTokens};

    const NONE: MarginGrouping = MarginGrouping { day: false, model: false };
    const BY_DAY: MarginGrouping = MarginGrouping { day: true, model: false };
    const BY_MODEL: MarginGrouping = MarginGrouping { day: false, model: true };
    const BOTH: MarginGrouping = MarginGrouping { day: true, model: true };

    /// Three pico-USD for a token of the prompt, and so on.
    fn cost_of(model: &str) -> Option<TokenPrices> {
        let picos = |picos| PicoUsd::new(picos).expect("a price");
        let media = MediaTokens {
            audio_prompt: picos(30),
            image_prompt: picos(40),
            audio_completion: picos(50),
            image_completion: picos(60),
        };
        (model != "unknown").then(|| TokenPrices {
            prompt: picos(3),
            cached: picos(1),
            cache_write: picos(4),
            cache_write_long: picos(6),
            completion: picos(15),
            media,
            reasoning: picos(20),
            request: picos(1_000_000),
            ratio: PriceRatio::ONE,
            version: "v".to_owned(),
        })
    }

    fn usage() -> BilledUsage {
        BilledUsage {
            prompt: 1_000,
            cached: 200,
            cache_write: 100,
            cache_write_long: 50,
            completion: 300,
            reasoning: 70,
            media: MediaTokens { audio_prompt: 10, image_prompt: 20, audio_completion: 5, image_completion: 15 },
            estimated: false,
        }
    }

    fn sums(day: Option<i64>, model: &str, charged: i64) -> UsageSums {
        UsageSums {
            team: None,
            member: None,
            tag: None,
            day: day.map(Day::from_number),
            key: None,
            model: Some(model.to_owned()),
            requests: 4,
            released: 1,
            charged: Usd::from_nanos(charged),
            shortfall: Usd::ZERO,
            usage: usage(),
        }
    }

    /// The day, model and charges of a row, and its reckoned charges, cost and margin, in nano-USD.
    type RowInNanos<'a> = (Option<i64>, Option<&'a str>, i64, Option<[i64; 3]>);

    fn in_nanos(margins: &Margins) -> Vec<RowInNanos<'_>> {
        fn row(row: &Margin) -> RowInNanos<'_> {
            let reckoned = row.reckoned.zip(row.margin());
            let reckoned = reckoned.map(|(it, margin)| [it.charged, it.cost, margin].map(Usd::nanos));
            (row.day.map(Day::number), row.model.as_deref(), row.charged.nanos(), reckoned)
        }
        margins.rows.iter().map(row).collect()
    }

    /// 620 tokens of text at 3, 200 at 1, 100 at 4, 50 at 6, 10 at 30, 20 at 40, 210 at 15, 70 at 20, 5 at 50, 15 at 60, and three
    /// requests: 3,009,560 pico-USD.
    const COST: i64 = 3_010;

    #[test]
    fn a_margin_is_exact_and_rounded_once_for_each_model_and_day() {
        let rows = || [sums(Some(1), "a", 5_000), sums(Some(1), "b", 2_000), sums(Some(2), "a", 3_010)].into_iter();
        let reckoned = |charged, cost| Some([charged, cost, charged - cost]);
        let of = |by| reckon(rows(), by, cost_of).expect("margins");
        assert_eq!(
            in_nanos(&of(BOTH)),
            [
                (Some(1), Some("a"), 5_000, reckoned(5_000, COST)),
                (Some(1), Some("b"), 2_000, reckoned(2_000, COST)),
                (Some(2), Some("a"), 3_010, reckoned(3_010, COST)),
            ]
        );
        let by_day = of(BY_DAY);
        let days = [(Some(1), None, 7_000, reckoned(7_000, 2 * COST)), (Some(2), None, 3_010, reckoned(3_010, COST))];
        assert_eq!(in_nanos(&by_day), days);
        assert_eq!((by_day.rows[0].requests, by_day.rows[0].released), (8, 2));
        assert!(by_day.without_cost.is_empty());
    }

    #[test]
    fn a_model_without_a_cost_is_in_no_margin_and_named() {
        let rows = || [sums(None, "a", 5_000), sums(None, "unknown", 900)].into_iter();
        let reckoned = Some([5_000, COST, 5_000 - COST]);
        let one = reckon(rows(), NONE, cost_of).expect("margins");
        assert_eq!(in_nanos(&one), [(None, None, 5_900, reckoned)]);
        assert_eq!(one.without_cost, BTreeSet::from(["unknown".to_owned()]));
        let by_model = reckon(rows(), BY_MODEL, cost_of).expect("margins");
        assert_eq!(in_nanos(&by_model), [(None, Some("a"), 5_000, reckoned), (None, Some("unknown"), 900, None)]);
        let nothing = reckon(rows(), NONE, |_| None).expect("margins");
        assert_eq!(in_nanos(&nothing), [(None, None, 5_900, None)]);
        assert_eq!(nothing.without_cost.len(), 2);
    }

    #[test]
    fn a_cost_beyond_all_amounts_is_no_cost_of_nothing() {
        let dear = |_: &str| {
            let prompt = PicoUsd::new(i64::MAX).expect("a price");
            cost_of("a").map(|cost| TokenPrices { prompt, ..cost })
        };
        let much = UsageSums { usage: BilledUsage { prompt: 1 << 52, ..usage() }, ..sums(None, "a", 1) };
        let refused = reckon([much].into_iter(), NONE, dear).expect_err("no sum");
        assert!(matches!(refused, MarginError::TooLarge), "{refused}");
    }
}
