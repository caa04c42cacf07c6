//! A search for receipts, as it stands in the address of a page.

use tollgate_api::generated::types::ReceiptStatus;
use tollgate_api::{Day, Moment};

use crate::link::{link, start_of};

/// A search for receipts, with its values as they were typed. An empty one leaves all through.
#[derive(Debug, Default)]
pub struct ReceiptSearch {
    /// The number of the account; empty where it is that of the caller.
    pub account: String,
    /// The number of the key.
    pub key: String,
    /// The number of the team that the key is of.
    pub team: String,
    /// The number of the member that the key is of.
    pub member: String,
    /// The model, as the client named it.
    pub model: String,
    /// A tag that the request carries.
    pub tag: String,
    /// The state.
    pub status: Option<ReceiptStatus>,
    /// The first day.
    pub from: String,
    /// The day after the last.
    pub to: String,
}

impl ReceiptSearch {
    /// The states that can be searched for.
    pub const STATUSES: [ReceiptStatus; 3] = [ReceiptStatus::Held, ReceiptStatus::Settled, ReceiptStatus::Released];

    /// The search without values that are none.
    #[must_use]
    pub fn cleaned(self) -> Self {
        let number = |text: String| if text.parse::<i64>().is_ok_and(|it| it > 0) { text } else { String::new() };
        let day = |text: String| if text.parse::<Day>().is_ok() { text } else { String::new() };
        let Self { account, key, team, member, model, tag, status, from, to } = self;
        let [account, key, team, member] = [account, key, team, member].map(number);
        let tag = tag.trim().to_owned();
        Self { account, key, team, member, model, tag, status, from: day(from), to: day(to) }
    }

    /// The number of the key, where one is given.
    #[must_use]
    pub fn key_id(&self) -> Option<i64> {
        self.key.parse().ok()
    }

    /// The number of the team, where one is given.
    #[must_use]
    pub fn team_id(&self) -> Option<i64> {
        self.team.parse().ok()
    }

    /// The number of the member, where one is given.
    #[must_use]
    pub fn member_id(&self) -> Option<i64> {
        self.member.parse().ok()
    }

    /// The model, where one is given.
    #[must_use]
    pub fn model(&self) -> Option<String> {
        Some(self.model.clone()).filter(|model| !model.is_empty())
    }

    /// The tag, where one is given.
    #[must_use]
    pub fn tag(&self) -> Option<String> {
        Some(self.tag.clone()).filter(|tag| !tag.is_empty())
    }

    /// The times at which the days begin, where they are given.
    #[must_use]
    pub fn times(&self) -> [Option<Moment>; 2] {
        [&self.from, &self.to].map(|day| start_of(day).parse().ok())
    }

    /// The address of a page of the found list.
    #[must_use]
    pub fn page(&self, path: &str, more: &[(&str, &str)]) -> String {
        self.link(path, [&self.from, &self.to], more)
    }

    /// The address of the found list as CSV, at an operation of the API.
    #[must_use]
    pub fn csv(&self, path: &str) -> String {
        let [from, to] = [&self.from, &self.to].map(|day| start_of(day));
        self.link(path, [&from, &to], &[("format", "csv")])
    }

    fn link(&self, path: &str, [from, to]: [&str; 2], more: &[(&str, &str)]) -> String {
        let status = self.status.as_ref().map(ReceiptStatus::as_str).unwrap_or_default();
        let words = [
            ("key_id", self.key.as_str()),
            ("team_id", &self.team),
            ("member_id", &self.member),
            ("model", &self.model),
            ("tag", &self.tag),
            ("status", status),
            ("from", from),
            ("to", to),
        ];
        link(path, &[&words[..], more].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_and_no_day_is_left_out() {
        let typed = |key: &str, from: &str| ReceiptSearch {
            key: key.to_owned(),
            team: key.to_owned(),
            member: key.to_owned(),
            model: "a b".to_owned(),
            tag: " a/b ".to_owned(),
            status: Some(ReceiptStatus::Held),
            from: from.to_owned(),
            ..ReceiptSearch::default()
        };
        let search = typed("7", "2026-11-27").cleaned();
        assert_eq!(
            search.page("/p", &[("after", "x")]),
            "/p?key_id=7&team_id=7&member_id=7&model=a%20b&tag=a%2Fb&status=held&from=2026%2D11%2D27&after=x"
        );
        assert_eq!(
            search.csv("/p"),
            "/p?key_id=7&team_id=7&member_id=7&model=a%20b&tag=a%2Fb&status=held&from=2026%2D11%2D27T00%3A00%3A00Z&format=csv"
        );
        assert_eq!([search.key_id(), search.team_id(), search.member_id()], [Some(7); 3]);
        assert_eq!(search.times()[1], None);
        assert_eq!(typed("-7", "yesterday").cleaned().page("/p", &[]), "/p?model=a%20b&tag=a%2Fb&status=held");
    }
}
