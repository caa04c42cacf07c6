//! The tags that requests carry: on their receipts however these end, in the list of receipts, and in sums of usage.

use super::*;
use tollgate_api::generated::limits;
use tollgate_base::Day;

/// Sums of one account over the first two days.
fn asked(account: AccountId) -> UsageSumQuery<'static> {
    let day = Day::of_ms(START_MS);
    let (keys, by) = (KeySelection::default(), UsageGrouping::default());
    UsageSumQuery { account, keys, tag: None, from: day, to: day.plus(2), by, rows_max: 100 }
}

fn tags(list: &str) -> RequestTags {
    RequestTags::read([list.as_bytes()]).unwrap()
}

impl TestLedger {
    async fn hold_tagged(&self, account: AccountId, key: i64, list: &str) -> Hold {
        let ask = HoldRequest { key: KeyId(key), tags: tags(list), ..self.ask(account, "0.001") };
        self.credit.hold(ask).await.unwrap()
    }

    async fn charge_tagged(&self, account: AccountId, key: i64, list: &str) -> RequestId {
        let hold = self.hold_tagged(account, key, list).await;
        let request = hold.request();
        self.credit.settle(hold, settlement("0.0005")).await.unwrap();
        self.hand.advance_ms(1);
        request
    }

    async fn tags_of(&self, account: AccountId, request: RequestId) -> RequestTags {
        self.credit.receipt(account, request).await.unwrap().unwrap().tags
    }

    /// The tag of each row, and its requests.
    async fn rows(&self, ask: UsageSumQuery<'_>) -> Vec<(Option<String>, u64)> {
        let rows = self.credit.sums(ask).await.unwrap().expect("few rows");
        rows.into_iter().map(|row| (row.tag, row.requests)).collect()
    }
}

async fn a_receipt_has_the_tags_of_its_request_however_it_ends(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "5").await;
    let list = "team-search,feature/autocomplete";
    let settled = house.charge_tagged(account, 7, list).await;
    let none = house.charge_tagged(account, 7, "").await;
    let open = house.hold_tagged(account, 7, list).await;
    assert_eq!(house.tags_of(account, open.request()).await, tags(list), "while it is held");
    let dropped = open.request();
    drop(open);
    let late = HoldRequest { tags: tags(list), ..house.ask(account, "0.001") };
    let (expired, at) = (late.request, late.expires_at_ms);
    house.credit.hold(late).await.unwrap().orphan();
    house.hand.advance_ms(at - house.clock.now_ms());
    house.credit.sweep().await.unwrap();
    let crashed = house.hold_tagged(account, 7, list).await;
    let request = crashed.request();
    crashed.orphan();
    let house = house.crash().await;
    house.settled_down().await;
    for ended in [settled, dropped, expired, request] {
        assert_eq!(house.tags_of(account, ended).await, tags(list));
    }
    assert_eq!(house.tags_of(account, none).await, RequestTags::default());
    let stored = "SELECT count(*) FROM receipts WHERE tags IS NULL";
    assert_eq!(raw::number(&house.store, stored).await, 1, "nothing is stored where there are none");
    house.assert_clean().await;
}

async fn receipts_are_found_by_a_whole_tag(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "5").await, house.account(2, "5").await);
    let first = house.charge_tagged(account, 7, "a,bb").await;
    let second = house.charge_tagged(account, 8, "bb_c,a").await;
    house.charge_tagged(account, 7, "").await;
    house.charge_tagged(other, 7, "a").await;
    let open = house.hold_tagged(account, 7, "x,a").await;
    let found = async |tag: &str, key: Option<i64>| {
        let keys = KeySelection { key: key.map(KeyId), ..KeySelection::default() };
        let (seen, tag, limit) = (KeySelection::default(), Some(tag.to_owned()), 20);
        let (after, model, standing, from, to) = (None, None, None, None, None);
        let ask = ReceiptQuery { account, limit, after, keys, seen, model, tag, standing, from, to };
        let page = house.credit.receipts(&ask).await.unwrap().unwrap();
        page.receipts.into_iter().map(|receipt| receipt.request).collect::<Vec<_>>()
    };
    assert_eq!(found("a", None).await, [open.request(), second, first]);
    assert_eq!(found("a", Some(7)).await, [open.request(), first]);
    assert_eq!(found("bb", None).await, [first]);
    for none in ["A", "b", "bb_", "bb.c", "a,bb", "%", ""] {
        assert_eq!(found(none, None).await, [], "{none:?}");
    }
}

async fn usage_is_summed_up_by_tags(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "5").await, house.account(2, "5").await);
    for (key, list) in [(7, "b,a"), (7, "B,b"), (8, "b"), (8, "")] {
        house.charge_tagged(account, key, list).await;
    }
    house.charge_tagged(other, 7, "a").await;
    // The next day's, which is given back.
    house.hand.advance_ms(86_400_000);
    let gone = house.hold_tagged(account, 7, "a").await;
    house.credit.release(gone, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    let _open = house.hold_tagged(account, 7, "a").await;

    let ask = asked(account);
    let by_tag = UsageSumQuery { by: UsageGrouping { tag: true, ..UsageGrouping::default() }, ..ask };
    let row = |tag: &str, requests| (Some(tag.to_owned()), requests);
    assert_eq!(house.rows(by_tag).await, [row("B", 1), row("a", 2), row("b", 3), (None, 1)]);
    assert_eq!(house.rows(UsageSumQuery { tag: Some("a"), ..by_tag }).await, [row("a", 2), row("b", 1)]);
    assert_eq!(house.rows(UsageSumQuery { tag: Some("b"), ..ask }).await, [(None, 3)], "each request once");
    assert_eq!(house.rows(UsageSumQuery { tag: Some("c"), ..by_tag }).await, []);
    assert_eq!(house.rows(UsageSumQuery { to: ask.from.plus(1), ..by_tag }).await[1], row("a", 1));
    assert_eq!(house.rows(UsageSumQuery { from: ask.from.plus(1), ..by_tag }).await, [row("a", 1)]);
    let keys = KeySelection { key: Some(KeyId(8)), ..KeySelection::default() };
    assert_eq!(house.rows(UsageSumQuery { keys, ..by_tag }).await, [row("b", 1), (None, 1)]);
    assert_eq!(house.credit.sums(UsageSumQuery { rows_max: 3, ..by_tag }).await.unwrap(), None);
    let span = UsageSpan { from: ask.from, to: ask.to };
    let more = async |most| house.credit.has_more_receipts(account, span, most).await.unwrap();
    let receipts: u64 = house.rows(ask).await.iter().map(|(_, requests)| requests).sum();
    let receipts = u32::try_from(receipts).unwrap();
    assert_eq!((more(receipts - 1).await, more(receipts).await), (true, false), "{receipts}");

    // Without tags to be told apart, what is read from receipts is what is kept by day.
    let by = UsageGrouping { day: true, key: true, model: true, tag: true, ..UsageGrouping::default() };
    let told = house.credit.sums(UsageSumQuery { tag: Some("a"), by, ..ask }).await.unwrap().unwrap();
    let of_a: Vec<&UsageSums> = told.iter().filter(|row| row.tag.as_deref() == Some("a")).collect();
    let day = |later| Some(ask.from.plus(later));
    assert_eq!(of_a.iter().map(|row| (row.day, row.released)).collect::<Vec<_>>(), [(day(0), 0), (day(1), 1)]);
    assert_eq!((of_a[0].charged, of_a[0].usage.prompt), (usd("0.0005"), MUCH.prompt));
    let mut other_way = house.credit.sums(UsageSumQuery { account: other, ..by_tag }).await.unwrap().unwrap();
    other_way[0].tag = None;
    assert_eq!(Some(other_way), house.credit.sums(asked(other)).await.unwrap(), "the same sums as are kept");
    house.assert_clean().await;
}

#[test]
fn tags_are_bounded_as_the_spec_says() {
    let bounds = [limits::REQUEST_TAGS, limits::REQUEST_TAG].map(|bound| usize::try_from(bound).unwrap());
    assert_eq!(bounds, [RequestTags::COUNT_MAX, RequestTags::LENGTH_MAX]);
    let day = Day::of_ms(START_MS);
    let span = |days| UsageSpan { from: day, to: day.plus(days) };
    assert_eq!((span(31).fault_by_tags(), span(32).fault()), (None, None));
    assert_eq!(span(32).fault_by_tags().as_deref(), Some("by tags, it is not 1 to 31 days"));
    assert!(span(0).fault_by_tags().is_some());
}

on_both!(
    a_receipt_has_the_tags_of_its_request_however_it_ends,
    receipts_are_found_by_a_whole_tag,
    usage_is_summed_up_by_tags,
);
