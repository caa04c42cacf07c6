//! `GET /console/usage`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::spending::{Spending, SpentOn};
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
    /// Every sum as CSV.
    csv: String,
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
        let ShowOwnUsageInput { caller, from, to } = input;
        let frame = self.frame(cx, &caller, ConsoleSection::Usage).await?;
        let [_, end] = self.last_days();
        // Words that are no days are left out.
        let day = |text: Option<String>| text.and_then(|text| text.parse::<Day>().ok());
        let to = day(to).unwrap_or_else(|| end.plus(-1));
        let from = day(from).unwrap_or_else(|| to.plus(-29)).min(to);
        let mut spending = self.spending(cx, &caller, [from, to.plus(1)]).await?;
        let spent = spending.as_mut().map(|spending| std::mem::take(&mut spending.keys)).unwrap_or_default();
        let keys = self.all_keys(cx, &caller).await?;
        let label = |on: SpentOn| {
            let key = keys.iter().find(|key| key.key_id.to_string() == on.name);
            LabelledKey { label: key.map(|key| key.label.clone()).unwrap_or_default(), on }
        };
        let keys = spent.into_iter().map(label).collect();
        let days = [from.to_string(), to.plus(1).to_string()];
        let csv =
            [("format", "csv"), ("group_by", "day,model,key"), ("from", days[0].as_str()), ("to", days[1].as_str())];
        let csv = link("/api/user/self/usage", &csv);
        let t = frame.t;
        Ok(reply::page(&OwnUsagePage { t, frame, from, to, spending, keys, csv }))
    }

    /// The last thirty days up to today, and the day after them.
    pub(super) fn last_days(&self) -> [Day; 2] {
        let today = Day::of_ms(self.clock.now_ms());
        [today.plus(-29), today.plus(1)]
    }
}
