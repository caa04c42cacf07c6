//! `GET /console/overview`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::pools::{PoolSpending, PoolTable, named};
use super::spending::{PoolSelection, Spending};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::balance::{GetBalance, GetBalanceInput};
use tollgate_api::generated::ops::console::{ShowOwnOverview, ShowOwnOverviewError, ShowOwnOverviewInput};
use tollgate_api::generated::ops::receipts::{ListReceipts, ListReceiptsInput};
use tollgate_api::generated::types::{Balance, Key, Receipt, ReceiptPage, ReceiptStatus};
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
    /// By team, the dearest first, where there are teams.
    teams: Vec<PoolSpending>,
    /// The span of the sums.
    from: Day,
    to: Day,
    receipts: Vec<Receipt>,
    /// True if older receipts were not looked at.
    has_more: bool,
    /// Requests that are not charged yet. The page asks for them anew while somebody looks.
    under_way: Vec<Receipt>,
    /// Those that are in use.
    keys: Vec<Key>,
}

impl OwnOverviewPage {
    fn team_table(&self) -> PoolTable<'_> {
        PoolTable::of_teams(self.t, &self.teams)
    }
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
        let all = PoolSelection::default();
        let month @ [from, end] = self.month();
        let mut spending = self.spending(cx, caller, month, all).await?.unwrap_or_default();
        spending.models.truncate(SHOWN);
        let pools = self.named_pools(cx, caller, frame.powers).await?;
        let [teams, _] = if pools.teams.is_empty() {
            [Vec::new(), Vec::new()]
        } else {
            self.pool_spending(cx, caller, month, all).await?
        };
        let mut teams = named(&pools.teams, teams);
        teams.truncate(SHOWN);
        let mut keys = self.all_keys(cx, caller).await?;
        keys.retain(|key| self.is_in_use(key));
        keys.truncate(SHOWN);
        let ReceiptPage { receipts, next } = self.latest_receipts(cx, caller, None).await?;
        let under_way = self.latest_receipts(cx, caller, Some(ReceiptStatus::Held)).await?.receipts;
        let (t, chart, to) = (frame.t, spending.chart(), end.plus(-1));
        Ok(reply::page(&OwnOverviewPage {
            t,
            frame,
            balance,
            spending,
            chart,
            teams,
            from,
            to,
            receipts,
            has_more: next.is_some(),
            under_way,
            keys,
        }))
    }

    /// The latest receipts, or those of a state.
    async fn latest_receipts(
        &self,
        cx: &Cx,
        caller: &Caller,
        status: Option<ReceiptStatus>,
    ) -> Result<ReceiptPage, Unreadable> {
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
            status,
            from: None,
            to: None,
        };
        Ok(self.credit.list_receipts(cx, list).await.map_err(|_| Unreadable)?.data)
    }

    /// The days of this month up to today, and the day after them.
    fn month(&self) -> [Day; 2] {
        let now_ms = self.clock.now_ms();
        [Day::of_ms(YearMonth::of_ms(now_ms).starts_at_ms()), Day::of_ms(now_ms).plus(1)]
    }
}
