//! `GET /console/usage`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::pools::{NamedPools, PoolSpending, PoolTable, named};
use super::spending::{PoolSelection, Spending, SpentOn};
use super::tag_spending::SpentOnTag;
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{ShowOwnUsage, ShowOwnUsageError, ShowOwnUsageInput};
use tollgate_api::{Cx, Day, ProxyReply};
use tollgate_pages::link::link;
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/usage.html")]
struct OwnUsagePage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    from: Day,
    /// The last day.
    to: Day,
    /// Absent where the span is too long.
    spending: Option<Spending>,
    /// By key, with its label and its prefix.
    keys: Vec<LabelledKey>,
    /// Teams and members that can be looked for.
    pools: NamedPools,
    selection: PoolSelection,
    /// By team and by member, where there are any.
    by_pool: [Vec<PoolSpending>; 2],
    tags: SpendingByTag,
    /// The sums of every tag as CSV.
    tags_csv: String,
    /// Every sum as CSV.
    csv: String,
}

/// The spending by tag. It is told where it is asked for: it is summed up from the receipts, which takes its time where they are
/// many.
#[derive(Debug)]
enum SpendingByTag {
    NotAsked,
    /// More days, receipts or tags than are told.
    TooMuch,
    Told(Vec<SpentOnTag>),
}

/// The spending by a key.
#[derive(Debug)]
struct LabelledKey {
    on: SpentOn,
    label: String,
}

impl ShowOwnUsage for AccountPages {
    async fn show_own_usage(&self, cx: &Cx, input: ShowOwnUsageInput) -> Result<ProxyReply, ShowOwnUsageError> {
        self.own_usage(cx, input).await.map_err(|Unreadable| ShowOwnUsageError::LedgerUnavailable)
    }
}

impl AccountPages {
    async fn own_usage(&self, cx: &Cx, input: ShowOwnUsageInput) -> Result<ProxyReply, Unreadable> {
        let ShowOwnUsageInput { caller, from, to, team_id, member_id, by } = input;
        let frame = self.frame(cx, &caller, ConsoleSection::Usage).await?;
        let [_, end] = self.last_days();
        // Words that are no days are left out.
        let day = |text: Option<String>| text.and_then(|text| text.parse::<Day>().ok());
        let to = day(to).unwrap_or_else(|| end.plus(-1));
        let from = day(from).unwrap_or_else(|| to.plus(-29)).min(to);
        // As with words that are no numbers.
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).filter(|number| *number > 0);
        let selection = PoolSelection { team: number(team_id), member: number(member_id) };
        let pools = self.named_pools(cx, &caller, frame.powers).await?;
        let mut spending = self.spending(cx, &caller, [from, to.plus(1)], selection).await?;
        let by_pool = if pools.has_any() && spending.is_some() {
            let [teams, members] = self.pool_spending(cx, &caller, [from, to.plus(1)], selection).await?;
            [named(&pools.teams, teams), named(&pools.members, members)]
        } else {
            [Vec::new(), Vec::new()]
        };
        let spent = spending.as_mut().map(|spending| std::mem::take(&mut spending.keys)).unwrap_or_default();
        let tags = if by.as_deref() == Some("tag") {
            let told = self.tag_spending(cx, &caller, [from, to.plus(1)], selection).await?;
            told.map_or(SpendingByTag::TooMuch, SpendingByTag::Told)
        } else {
            SpendingByTag::NotAsked
        };
        let keys = self.all_keys(cx, &caller).await?;
        let label = |on: SpentOn| {
            let key = keys.iter().find(|key| key.key_id.to_string() == on.name);
            LabelledKey { label: key.map(|key| key.label.clone()).unwrap_or_default(), on }
        };
        let keys = spent.into_iter().map(label).collect();
        let days = [from, to.plus(1)];
        let (csv, tags_csv) = (csv(days, &columns(&pools), selection), csv(days, "day,tag", selection));
        let t = frame.t;
        let page = OwnUsagePage { t, frame, from, to, spending, keys, pools, selection, by_pool, tags, tags_csv, csv };
        Ok(reply::page(&page))
    }

    /// The last thirty days up to today, and the day after them.
    pub(super) fn last_days(&self) -> [Day; 2] {
        let today = Day::of_ms(self.clock.now_ms());
        [today.plus(-29), today.plus(1)]
    }
}

/// The columns of every sum: by team and by member too where there are any.
fn columns(pools: &NamedPools) -> String {
    let mut by = vec!["day", "model", "key"];
    by.extend((!pools.teams.is_empty()).then_some("team"));
    by.extend((!pools.members.is_empty()).then_some("member"));
    by.join(",")
}

/// The address of sums as CSV.
fn csv([from, to]: [Day; 2], columns: &str, selection: PoolSelection) -> String {
    let number = |id: Option<i64>| id.map(|id| id.to_string()).unwrap_or_default();
    let words = [
        ("format", "csv".to_owned()),
        ("group_by", columns.to_owned()),
        ("from", from.to_string()),
        ("to", to.to_string()),
        ("team_id", number(selection.team)),
        ("member_id", number(selection.member)),
    ];
    link("/api/user/self/usage", &words.each_ref().map(|(name, value)| (*name, value.as_str())))
}

impl OwnUsagePage {
    /// True for the team that is looked at.
    fn is_team(&self, id: &str) -> bool {
        self.selection.team.is_some_and(|team| team.to_string() == id)
    }

    /// True for the member that is looked at.
    fn is_member(&self, id: &str) -> bool {
        self.selection.member.is_some_and(|member| member.to_string() == id)
    }

    /// The selection, as the address of a page goes on with it.
    fn selected(&self) -> String {
        let of = |name: &str, id: Option<i64>| id.map(|id| format!("&{name}={id}")).unwrap_or_default();
        of("team_id", self.selection.team) + &of("member_id", self.selection.member)
    }

    /// The tables by team and by member that have rows.
    fn pool_tables(&self) -> impl Iterator<Item = PoolTable<'_>> {
        let [teams, members] = &self.by_pool;
        let tables = [PoolTable::of_teams(self.t, teams), PoolTable::of_members(self.t, members)];
        tables.into_iter().filter(|table| !table.rows.is_empty())
    }
}
