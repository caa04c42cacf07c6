//! The receipts of an account as a list, and their sums: pages that stay right, bounds, and sums that are the receipts'.

use super::*;
use tollgate_base::{Day, Moment};

/// A million receipts would be no better a test, but for the time.
const MANY: i64 = 10_050;

fn everything(account: AccountId, limit: u32) -> ReceiptQuery {
    ReceiptQuery {
        account,
        limit,
        after: None,
        keys: KeySelection::default(),
        seen: KeySelection::default(),
        model: None,
        tag: None,
        standing: None,
        from: None,
        to: None,
    }
}

fn moment(at_ms: i64) -> Moment {
    tollgate_base::rfc3339(at_ms).parse().unwrap()
}

impl TestLedger {
    /// One request with this key and model, settled; a millisecond later it is another time.
    async fn charged(&self, account: AccountId, key: i64, model: &str) -> RequestId {
        let ask = HoldRequest { key: KeyId(key), model: model.to_owned(), ..self.ask(account, "0.001") };
        let request = ask.request;
        let hold = self.credit.hold(ask).await.unwrap();
        self.credit.settle(hold, settlement("0.0005")).await.unwrap();
        self.hand.advance_ms(1);
        request
    }

    async fn page(&self, ask: ReceiptQuery) -> (Vec<RequestId>, Option<ReceiptMark>) {
        let page = self.credit.receipts(&ask).await.unwrap().expect("a page");
        (page.receipts.iter().map(|receipt| receipt.request).collect(), page.next)
    }

    /// Every page, one after the other; `between` runs after each.
    async fn all(&self, mut ask: ReceiptQuery, between: impl AsyncFn()) -> Vec<RequestId> {
        let mut all = Vec::new();
        loop {
            let (page, next) = self.page(ask.clone()).await;
            assert!(page.len() <= ask.limit as usize);
            all.extend(page);
            between().await;
            let Some(next) = next else { return all };
            ask.after = Some(next);
        }
    }
}

async fn pages_stay_right_while_new_receipts_arrive(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "5").await, house.account(2, "5").await);
    let mut mine = Vec::new();
    for number in 0..23 {
        mine.insert(0, house.charged(account, 7, "m").await);
        if number % 3 == 0 {
            house.charged(other, 7, "m").await;
        }
    }
    for limit in [1, 5, 22, 23, 24] {
        assert_eq!(house.all(everything(account, limit), async || {}).await, mine, "{limit}");
    }
    // Each page brings a new request; none of them moves what follows.
    let seen = house
        .all(everything(account, 4), async || {
            house.charged(account, 7, "m").await;
        })
        .await;
    assert_eq!(seen, mine);
    let open = house.hold(account, "0.001").await;
    let first = house.credit.receipts(&everything(account, 1)).await.unwrap().unwrap().receipts;
    assert_eq!((first[0].outcome.is_none(), first[0].key), (true, KeyId(7)));
    house.credit.release(open, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    let stranger = ReceiptQuery { after: Some(mine[0].into()), ..everything(other, 1) };
    assert_eq!(house.credit.receipts(&stranger).await.unwrap(), None, "another's receipt is no place to begin");
    house.assert_clean().await;
}

async fn a_clock_that_goes_back_loses_and_repeats_nothing(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "5").await;
    let mut all = Vec::new();
    for number in 0..12 {
        all.push(house.charged(account, 7, "m").await);
        house.hand.advance_ms(if number % 4 == 3 { -10 } else { 0 });
    }
    let mut seen = house.all(everything(account, 3), async || {}).await;
    seen.sort_by_key(ToString::to_string);
    all.sort_by_key(ToString::to_string);
    assert_eq!(seen, all);
}

async fn the_list_is_narrowed_by_key_model_standing_and_time(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "5").await;
    let asks: [(i64, &str); 6] = [(7, "a"), (8, "a"), (7, "b"), (8, "b"), (7, "a"), (7, "b")];
    let mut requests = Vec::new();
    for (key, model) in asks {
        requests.push(house.charged(account, key, model).await);
    }
    let gone = house.hold(account, "0.001").await;
    house.credit.release(gone, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    let _open = house.hold(account, "0.001").await;
    let only = |places: &[usize]| places.iter().map(|place| requests[*place]).collect::<Vec<_>>();
    let base = everything(account, 2);
    let narrowed = async |ask: ReceiptQuery| house.all(ask, async || {}).await;
    assert_eq!(
        narrowed(ReceiptQuery {
            keys: KeySelection { key: Some(KeyId(8)), ..KeySelection::default() },
            ..base.clone()
        })
        .await,
        only(&[3, 1])
    );
    assert_eq!(narrowed(ReceiptQuery { model: Some("a".to_owned()), ..base.clone() }).await, only(&[4, 1, 0]));
    let settled = Some(ReceiptState::Ended(ResolutionKind::Settled));
    assert_eq!(narrowed(ReceiptQuery { standing: settled, ..base.clone() }).await, only(&[5, 4, 3, 2, 1, 0]));
    for standing in [ReceiptState::Held, ReceiptState::Ended(ResolutionKind::Released)] {
        assert_eq!(narrowed(ReceiptQuery { standing: Some(standing), ..base.clone() }).await.len(), 1, "{standing:?}");
    }
    let (from, to) = (Some(moment(START_MS + 1)), Some(moment(START_MS + 4)));
    assert_eq!(narrowed(ReceiptQuery { from, to, ..base.clone() }).await, only(&[3, 2, 1]));
    let both = ReceiptQuery {
        from,
        to,
        keys: KeySelection { key: Some(KeyId(7)), ..KeySelection::default() },
        model: Some("b".to_owned()),
        standing: settled,
        ..base
    };
    assert_eq!(narrowed(both).await, only(&[2]));
}

async fn one_page_looks_at_so_many_receipts_and_no_more(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "5").await;
    let wanted = house.charged(account, 9, "rare").await;
    let many = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) \
        INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at) \
        SELECT 1000000 + i, {account}, 7, 'req_00000000000000000000' || (100000 + i), 0, 'm', 0, 1, 1000000, 99, \
            {START_MS} + 10 + i, {START_MS} + 1000000 FROM n",
        account = account.0,
    );
    raw::run(&house.store, &format!("{}; {many}", raw::PRICES)).await.unwrap();
    let rare = ReceiptQuery {
        keys: KeySelection { key: Some(KeyId(9)), ..KeySelection::default() },
        ..everything(account, 20)
    };
    let (page, next) = house.page(rare.clone()).await;
    assert!(page.is_empty() && next.is_some(), "nothing among those that were looked at, and more to see");
    assert!(matches!(next, Some(ReceiptMark::Request(_))), "the account's own: {next:?}");
    assert_eq!(house.page(ReceiptQuery { after: next, ..rare.clone() }).await, (vec![wanted], None));
    // Whoever sees one key alone is told no request of another.
    let own = ReceiptQuery { seen: rare.keys, ..rare };
    let (page, next) = house.page(own.clone()).await;
    assert!(page.is_empty() && matches!(next, Some(ReceiptMark::Position(..))), "{next:?}");
    let after = next.map(|mark| mark.to_string().parse().unwrap());
    assert_eq!(house.page(ReceiptQuery { after, ..own.clone() }).await, (vec![wanted], None));
    let others: RequestId = "req_00000000000000000000100001".parse().unwrap();
    let after = async |request: RequestId| {
        let ask = ReceiptQuery { after: Some(request.into()), ..own.clone() };
        house.credit.receipts(&ask).await.unwrap()
    };
    assert_eq!(after(others).await, None, "it is as one that is not there");
    assert!(after(wanted).await.is_some());
}

async fn sums_are_those_of_the_receipts(on: On) {
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "5").await, house.account(2, "5").await);
    for (key, model) in [(7, "a"), (7, "a"), (8, "a"), (8, "b")] {
        house.charged(account, key, model).await;
    }
    house.charged(other, 7, "a").await;
    // Held on the first day and settled on the next: it is the first day's.
    let late = house.hold(account, "0.001").await;
    house.hand.advance_ms(86_400_000);
    house.credit.settle(late, settlement("0.0005")).await.unwrap();
    let gone = house.hold(account, "0.001").await;
    house.credit.release(gone, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    let _open = house.hold(account, "0.001").await;

    let day = Day::of_ms(START_MS);
    let ask = UsageSumQuery {
        account,
        keys: KeySelection::default(),
        tag: None,
        from: day,
        to: day.plus(2),
        by: UsageGrouping::default(),
        rows_max: 100,
    };
    let sums = async |ask: UsageSumQuery| house.credit.sums(ask).await.unwrap();
    let whole = sums(ask).await.unwrap();
    let [one] = whole.as_slice() else { panic!("{whole:?}") };
    assert_eq!((one.requests, one.released, one.charged), (6, 1, usd("0.0025")));
    let times = |count: u64| count * 5;
    assert_eq!((one.usage.prompt, one.usage.completion), (times(MUCH.prompt), times(MUCH.completion)));
    assert_eq!((one.usage.media.image_completion, one.usage.cache_write_long), (times(8), times(2)));
    assert_eq!((one.day, one.key, &one.model), (None, None, &None));

    let by = UsageGrouping { day: true, key: true, model: true, ..UsageGrouping::default() };
    let rows = sums(UsageSumQuery { by, ..ask }).await.unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.day, row.key, row.model.as_deref(), row.requests)).collect();
    let row = |later, key, model, requests| (Some(day.plus(later)), Some(KeyId(key)), Some(model), requests);
    let told =
        [row(0, 7, "a", 2), row(0, 7, "a-model", 1), row(0, 8, "a", 1), row(0, 8, "b", 1), row(1, 7, "a-model", 1)];
    assert_eq!(rows, told);
    let by = UsageGrouping { model: true, ..UsageGrouping::default() };
    let rows = sums(UsageSumQuery { by, to: day.plus(1), ..ask }).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.requests).collect::<Vec<_>>(), [3, 1, 1], "a, a-model, b");
    assert_eq!(
        sums(UsageSumQuery { keys: KeySelection { key: Some(KeyId(8)), ..KeySelection::default() }, ..ask })
            .await
            .unwrap()[0]
            .requests,
        2
    );
    assert_eq!(
        sums(UsageSumQuery { by, rows_max: 2, ..ask }).await,
        None,
        "more rows than asked for are not told in part"
    );
    assert_eq!(sums(UsageSumQuery { from: day.plus(5), to: day.plus(9), ..ask }).await, Some(Vec::new()));
    house.assert_clean().await;
}

async fn an_audit_sees_a_sum_that_was_changed(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "5").await;
    house.charged(account, 7, "a").await;
    house.assert_clean().await;
    raw::run(&house.store, "UPDATE usage_days SET completion = completion + 1").await.unwrap();
    let report = house.credit.audit().await.unwrap();
    let sign = "day of usage that is not the sum of its receipts";
    assert_eq!(report.differences, [AuditDifference::Impossible { sign, row: account.0 }]);
    let deleted = raw::run(&house.store, "DELETE FROM usage_days").await.expect_err("sums stay");
    assert!(deleted.contains("usage_days stay"), "{deleted}");
}

on_both!(
    pages_stay_right_while_new_receipts_arrive,
    a_clock_that_goes_back_loses_and_repeats_nothing,
    the_list_is_narrowed_by_key_model_standing_and_time,
    one_page_looks_at_so_many_receipts_and_no_more,
    sums_are_those_of_the_receipts,
    an_audit_sees_a_sum_that_was_changed,
);
