//! `GET /admin/overview`.

use askama::Template;

use super::chart::BarChart;
use super::frame::{Frame, Section};
use super::reply;
use super::texts::Texts;
use crate::live_numbers::LiveNumbers;
use crate::sql::{self, ServiceTotals};
use crate::{Admin, unavailable};
use tollgate_api::generated::ops::admin_changes::{ListChanges, ListChangesInput};
use tollgate_api::generated::ops::admin_console::{ShowOverview, ShowOverviewError, ShowOverviewInput};
use tollgate_api::generated::ops::admin_prices::{ListPrices, ListPricesInput};
use tollgate_api::generated::ops::admin_service::{SumServiceUsage, SumServiceUsageInput};
use tollgate_api::generated::types::{LoggedChange, ServiceUsageGroup};
use tollgate_api::{Cx, Day, OperatorCaller, ProxyReply, Usd};

/// The lines of the log that the overview shows.
const CHANGES: i64 = 10;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    t: &'static Texts,
    frame: Frame,
    totals: ServiceTotals,
    live: LiveNumbers,
    days: Vec<DayOfUsage>,
    charts: Vec<NamedChart>,
    steps: Vec<Step>,
    changes: Vec<LoggedChange>,
}

/// The usage of all accounts on a day.
#[derive(Debug)]
struct DayOfUsage {
    day: Day,
    requests: i64,
    released: i64,
    charged: Usd,
}

/// A chart with its name.
struct NamedChart {
    name: &'static str,
    svg: String,
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
        let frame = Frame::new(&input.caller, Section::Overview);
        let live = self.live_numbers(frame.t).await.map_err(|error| {
            unavailable(cx, &error);
            ShowOverviewError::LedgerUnavailable
        })?;
        // Years of rows on a database that is busy: the page comes without its charts, and the log says why.
        let days = self.days(cx, input.caller.clone()).await.unwrap_or_default();
        let changes = self.last_changes(cx, input.caller.clone(), None, CHANGES).await;
        let changes = changes.ok_or(ShowOverviewError::LedgerUnavailable)?;
        let has_price = self.has_price(cx, input.caller).await.ok_or(ShowOverviewError::LedgerUnavailable)?;
        let steps = self.steps(frame.t, &totals, has_price);
        let (t, charts) = (frame.t, charts(frame.t, &days));
        Ok(reply::page(&OverviewPage { t, frame, totals, live, days, charts, steps, changes }))
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
    vec![
        chart(t.requests_a_day, number, |day| day.requests),
        chart(t.failed_a_day, number, |day| day.released),
        chart(t.spend_a_day, |nanos| Usd::from_nanos(nanos).to_string(), |day| day.charged.nanos()),
    ]
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
    async fn days(&self, cx: &Cx, caller: OperatorCaller) -> Option<Vec<DayOfUsage>> {
        let group_by = Some(vec![ServiceUsageGroup::Day]);
        let sums = SumServiceUsageInput { caller, csv: false, from: None, to: None, group_by };
        let sums = self.credit.sum_service_usage(cx, sums).await.ok()?.data;
        let mut rows = sums.rows.into_iter().peekable();
        let days = (sums.from.number()..sums.to.number()).map(Day::from_number).map(|day| {
            match rows.next_if(|row| row.day == Some(day)) {
                Some(row) => {
                    let (requests, released) = (row.requests, row.released_requests);
                    DayOfUsage { day, requests, released, charged: row.charged_usd }
                }
                None => DayOfUsage { day, requests: 0, released: 0, charged: Usd::ZERO },
            }
        });
        Some(days.collect())
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
