//! `GET /admin/overview`.

use askama::Template;

use super::chart::{BarChart, NamedChart};
use super::frame::{Frame, Section};
use super::reply;
use super::texts::Texts;
use crate::live_numbers::LiveNumbers;
use crate::margin::MarginGrouping;
use crate::sql::{self, ServiceTotals};
use crate::{Admin, unavailable};
use tollgate_api::generated::ops::admin_changes::{ListChanges, ListChangesInput};
use tollgate_api::generated::ops::admin_console::{ShowOverview, ShowOverviewError, ShowOverviewInput};
use tollgate_api::generated::ops::admin_prices::{ListPrices, ListPricesInput};
use tollgate_api::generated::types::LoggedChange;
use tollgate_api::{Cx, Day, OperatorCaller, ProxyReply, Usd};
use tollgate_credit::UsageSpan;

/// The lines of the log that the overview shows.
const CHANGES: i64 = 10;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    t: &'static Texts,
    frame: Frame,
    totals: ServiceTotals,
    live: LiveNumbers,
    usage: LastDays,
    charts: Vec<NamedChart>,
    steps: Vec<Step>,
    changes: Vec<LoggedChange>,
}

/// The usage of all accounts on the last days.
#[derive(Debug, Default)]
struct LastDays {
    days: Vec<DayOfUsage>,
    /// The models that are in no cost and no margin.
    without_cost: Vec<String>,
}

/// The usage of all accounts on a day.
#[derive(Debug)]
struct DayOfUsage {
    day: Day,
    requests: u64,
    released: u64,
    charged: Usd,
    /// Of the models whose cost is known, as the margin. `None` where none of them is.
    cost: Option<Usd>,
    margin: Option<Usd>,
}

/// Something that a server needs before it earns anything.
#[derive(Debug)]
struct Step {
    done: bool,
    words: &'static str,
    /// The page where it is done, where one is.
    page: &'static str,
    /// The line to write, where it is done elsewhere.
    line: &'static str,
}

impl ShowOverview for Admin {
    async fn show_overview(&self, cx: &Cx, input: ShowOverviewInput) -> Result<ProxyReply, ShowOverviewError> {
        let totals = sql::totals(self.store.readers()).await.map_err(|error| {
            unavailable(cx, &error);
            ShowOverviewError::LedgerUnavailable
        })?;
        let frame = self.frame(&input.caller, Section::Overview);
        let live = self.live_numbers(frame.t).await.map_err(|error| {
            unavailable(cx, &error);
            ShowOverviewError::LedgerUnavailable
        })?;
        // Years of rows on a database that is busy: the page comes without its charts, and the log says why.
        let usage = self.last_days(cx).await.unwrap_or_default();
        let changes = self.last_changes(cx, input.caller.clone(), None, CHANGES).await;
        let changes = changes.ok_or(ShowOverviewError::LedgerUnavailable)?;
        let has_price = self.has_price(cx, input.caller).await.ok_or(ShowOverviewError::LedgerUnavailable)?;
        let steps = self.steps(frame.t, &totals, has_price);
        let (t, charts) = (frame.t, charts(frame.t, &usage.days));
        Ok(reply::page(&OverviewPage { t, frame, totals, live, usage, charts, steps, changes }))
    }
}

/// Charts of the last days. None where nothing was used.
fn charts(t: &'static Texts, days: &[DayOfUsage]) -> Vec<NamedChart> {
    if days.iter().all(|day| day.requests == 0) {
        return Vec::new();
    }
    // Without the year.
    let words: Vec<String> = days.iter().map(|day| day.day.to_string().split_off(5)).collect();
    let chart = |name, value: fn(i64) -> String, of: fn(&DayOfUsage) -> i64| {
        let values: Vec<i64> = days.iter().map(of).collect();
        NamedChart { name, svg: BarChart { values: &values, words: &words, value }.svg() }
    };
    let number: fn(i64) -> String = |value| value.to_string();
    let usd: fn(i64) -> String = |nanos| Usd::from_nanos(nanos).to_string();
    let mut charts = vec![
        chart(t.requests_a_day, number, |day| i64::try_from(day.requests).unwrap_or(i64::MAX)),
        chart(t.failed_a_day, number, |day| i64::try_from(day.released).unwrap_or(i64::MAX)),
        chart(t.spend_a_day, usd, |day| day.charged.nanos()),
    ];
    if days.iter().any(|day| day.requests > 0 && day.margin.is_some()) {
        charts.push(chart(t.margin_a_day, usd, |day| day.margin.map_or(0, Usd::nanos)));
    }
    charts
}

impl Admin {
    /// The last changes, of one thing where it is named. `None` where they cannot be read, which is logged.
    pub(super) async fn last_changes(
        &self,
        cx: &Cx,
        caller: OperatorCaller,
        subject: Option<String>,
        limit: i64,
    ) -> Option<Vec<LoggedChange>> {
        let input = ListChangesInput {
            caller,
            csv: false,
            limit: Some(limit),
            after: None,
            actor: None,
            action: None,
            subject,
            from: None,
            to: None,
        };
        Some(self.list_changes(cx, input).await.ok()?.data.changes)
    }

    /// The usage of each of the last days, those without any included. `None` where it cannot be read, which is logged.
    async fn last_days(&self, cx: &Cx) -> Option<LastDays> {
        let span = UsageSpan::asked(self.clock.now_ms(), None, None);
        let found = self.margins(span, MarginGrouping { day: true, model: false }).await;
        let found = found.inspect_err(|error| unavailable(cx, error)).ok()?;
        let mut rows = found.rows.into_iter().peekable();
        let days = (span.from.number()..span.to.number()).map(Day::from_number).map(|day| {
            let nothing = Some(Usd::ZERO);
            match rows.next_if(|row| row.day == Some(day)) {
                Some(row) => {
                    let (cost, margin) = (row.cost(), row.margin());
                    DayOfUsage {
                        day,
                        requests: row.requests,
                        released: row.released,
                        charged: row.charged,
                        cost,
                        margin,
                    }
                }
                None => {
                    DayOfUsage { day, requests: 0, released: 0, charged: Usd::ZERO, cost: nothing, margin: nothing }
                }
            }
        });
        Some(LastDays { days: days.collect(), without_cost: found.without_cost.into_iter().collect() })
    }

    /// True if there is a price, of a model or for one. `None` where it cannot be read, which is logged.
    async fn has_price(&self, cx: &Cx, caller: OperatorCaller) -> Option<bool> {
        let list = ListPricesInput { caller, limit: Some(1), after: None, origin: None };
        let prices = self.catalog.list_prices(cx, list).await.ok()?.data.prices;
        Some(!prices.is_empty() || self.gateway.model_count() > 0)
    }

    /// What a server needs, in the order in which it is done. Empty once all of it is there.
    fn steps(&self, t: &'static Texts, totals: &ServiceTotals, has_price: bool) -> Vec<Step> {
        let step = |done, words, page, line| Step { done, words, page, line };
        let steps = vec![
            step(self.gateway.provider_count() > 0, t.step_provider, "/admin/providers", ""),
            step(has_price, t.step_price, "/admin/prices", ""),
            step(self.gateway.model_count() > 0, t.step_model, "/admin/models", ""),
            step(totals.accounts > 0, t.step_account, "/admin/accounts", ""),
            step(totals.keys > 0, t.step_key, "/admin/accounts", ""),
            step(totals.has_charged, t.step_request, "", t.step_request_line),
        ];
        if steps.iter().all(|step| step.done) { Vec::new() } else { steps }
    }
}
