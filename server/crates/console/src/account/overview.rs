//! `GET /console/overview`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::spending::{PoolSelection, Spending};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::balance::{GetBalance, GetBalanceInput};
use tollgate_api::generated::ops::console::{ShowOwnOverview, ShowOwnOverviewError, ShowOwnOverviewInput};
use tollgate_api::generated::ops::receipts::{ListReceipts, ListReceiptsInput};
use tollgate_api::generated::types::{Balance, Key, Receipt};
use tollgate_api::{Caller, Cx, Day, ProxyReply, Usd};
use tollgate_base::YearMonth;
use tollgate_pages::reply;

/// The receipts, keys and models that the page shows.
const SHOWN: usize = 5;

#[derive(Template)]
#[template(path = "account/overview.html")]
struct OwnOverviewPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    balance: Balance,
    /// Of this month.
    spending: Spending,
    /// Absent where nothing was spent.
    chart: Option<String>,
    receipts: Vec<Receipt>,
    /// Those that are in use.
    keys: Vec<Key>,
}

impl ShowOwnOverview for AccountPages {
    async fn show_own_overview(
        &self,
        cx: &Cx,
        input: ShowOwnOverviewInput,
    ) -> Result<ProxyReply, ShowOwnOverviewError> {
        self.own_overview(cx, &input.caller).await.map_err(|Unreadable| ShowOwnOverviewError::LedgerUnavailable)
    }
}

impl AccountPages {
    async fn own_overview(&self, cx: &Cx, caller: &Caller) -> Result<ProxyReply, Unreadable> {
        let frame = self.frame(cx, caller, ConsoleSection::Overview).await?;
        let balance = GetBalanceInput { caller: caller.clone() };
        let balance = self.credit.get_balance(cx, balance).await.map_err(|_| Unreadable)?.data;
        let mut spending = self.spending(cx, caller, self.month(), PoolSelection::default()).await?.unwrap_or_default();
        spending.models.truncate(SHOWN);
        let mut keys = self.all_keys(cx, caller).await?;
        keys.retain(|key| self.is_in_use(key));
        keys.truncate(SHOWN);
        let list = ListReceiptsInput {
            caller: caller.clone(),
            csv: false,
            limit: i64::try_from(SHOWN).ok(),
            after: None,
            key_id: None,
            team_id: None,
            member_id: None,
            model: None,
            tag: None,
            status: None,
            from: None,
            to: None,
        };
        let receipts = self.credit.list_receipts(cx, list).await.map_err(|_| Unreadable)?.data.receipts;
        let (t, chart) = (frame.t, spending.chart());
        Ok(reply::page(&OwnOverviewPage { t, frame, balance, spending, chart, receipts, keys }))
    }

    /// The days of this month up to today, and the day after them.
    fn month(&self) -> [Day; 2] {
        let now_ms = self.clock.now_ms();
        [Day::of_ms(YearMonth::of_ms(now_ms).starts_at_ms()), Day::of_ms(now_ms).plus(1)]
    }
}
