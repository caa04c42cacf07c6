//! Requests that carry a key: whose turn it is after whatever became of the first.

use http::{HeaderMap, StatusCode};

use super::*;
use crate::api::{KeptAnswer, Keyed, Once, OnceEnd, Turn};
use crate::generated::limits;

const DAY_MS: i64 = 86_400_000;

impl House {
    fn keyed(&self, account: AccountId, key: &str, body: u8) -> Keyed {
        let request = RequestId::mint(self.clock.now_ms());
        Keyed { account, key: key.to_owned(), sha256: [body; 32], request }
    }

    /// A hold of the request itself.
    async fn hold_of(&self, request: &Keyed) -> Hold {
        self.credit.hold(HoldAsk { request: request.request, ..self.ask(request.account, "0.1") }).await.unwrap()
    }
}

fn answer(first: RequestId, bytes: usize) -> KeptAnswer {
    let mut headers = HeaderMap::new();
    headers.append("content-type", "application/json".parse().unwrap());
    headers.append("x-two", "a".parse().unwrap());
    headers.append("x-two", "b".parse().unwrap());
    KeptAnswer { first, status: StatusCode::OK, headers, body: vec![b'\0'; bytes].into() }
}

async fn an_answer_is_given_again_for_a_day(on: On) {
    let house = House::open_on(on).await;
    let (account, other) = (house.account(1, "1").await, house.account(2, "1").await);
    let repeats = Repeats::new(&house.credit);
    let first = house.keyed(account, "k", 1);
    assert_eq!(repeats.begin(&first).await, Ok(Turn::First));
    let same = house.keyed(account, "k", 1);
    assert_eq!(repeats.begin(&same).await, Ok(Turn::InFlight(first.request)));
    assert_eq!(repeats.begin(&house.keyed(other, "k", 1)).await, Ok(Turn::First), "another's key is another");
    let kept = answer(first.request, limits::IDEMPOTENCY_ANSWER);
    repeats.ended(&first, OnceEnd::Answered(kept.clone())).await;
    assert_eq!(repeats.begin(&same).await, Ok(Turn::Answered(kept)));
    assert_eq!(repeats.begin(&house.keyed(account, "k", 2)).await, Ok(Turn::Other(first.request)));
    let large = house.keyed(account, "large", 1);
    repeats.begin(&large).await.unwrap();
    repeats.ended(&large, OnceEnd::Answered(answer(large.request, limits::IDEMPOTENCY_ANSWER + 1))).await;
    assert_eq!(repeats.begin(&large).await, Ok(Turn::Done(large.request)));
    assert_eq!(repeats.purge().await.unwrap(), 0);
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.begin(&house.keyed(account, "k", 2)).await, Ok(Turn::First), "its day is over");
    assert_eq!(repeats.purge().await.unwrap(), 1, "and that of the large one; the other account's is under way");
    assert_eq!(repeats.begin(&house.keyed(account, "large", 1)).await, Ok(Turn::First));
}

async fn what_came_of_a_stream_is_asked_of_the_ledger(on: On) {
    let house = House::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    let begun = async |key: &str| {
        let request = house.keyed(account, key, 1);
        assert_eq!(repeats.begin(&request).await, Ok(Turn::First));
        let hold = house.hold_of(&request).await;
        repeats.ended(&request, OnceEnd::Done).await;
        (request, hold)
    };
    let (broke, hold) = begun("broke").await;
    assert_eq!(repeats.begin(&house.keyed(account, "broke", 1)).await, Ok(Turn::InFlight(broke.request)));
    house.credit.release(hold, SettlementRule::NothingDelivered, Delivery::default()).await.unwrap();
    assert_eq!(repeats.begin(&house.keyed(account, "broke", 1)).await, Ok(Turn::First), "nothing came of it");
    let (paid, hold) = begun("paid").await;
    house.credit.settle(hold, settlement("0.1")).await.unwrap();
    assert_eq!(repeats.begin(&house.keyed(account, "paid", 1)).await, Ok(Turn::Done(paid.request)));
}

async fn only_so_many_answers_are_kept_and_no_refusal_that_cost_nothing(on: On) {
    let house = House::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    let refused = house.keyed(account, "refused", 1);
    repeats.begin(&refused).await.unwrap();
    let refusal = KeptAnswer { status: StatusCode::BAD_REQUEST, ..answer(refused.request, 9) };
    repeats.ended(&refused, OnceEnd::Answered(refusal)).await;
    assert_eq!(repeats.begin(&house.keyed(account, "refused", 1)).await, Ok(Turn::First), "nothing was held for it");
    let full = format!(
        "INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, status, headers, answer, created_at) \
         SELECT account_id, 'old ' || n, request_sha256, request_id, epoch, 'done', 200, '[]', request_sha256, created_at \
         FROM idempotency, (WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {}) SELECT n FROM c) counted \
         WHERE idem_key = 'refused'",
        limits::IDEMPOTENCY_ANSWERS
    );
    raw::run(&house.store, &full).await.unwrap();
    let one_more = house.keyed(account, "one more", 1);
    repeats.begin(&one_more).await.unwrap();
    repeats.ended(&one_more, OnceEnd::Answered(answer(one_more.request, 9))).await;
    assert_eq!(repeats.begin(&house.keyed(account, "one more", 1)).await, Ok(Turn::Done(one_more.request)));
}

async fn of_many_at_once_one_is_first(on: On) {
    let house = House::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    let asked: Vec<Keyed> = (0..20).map(|_| house.keyed(account, "k", 1)).collect();
    let turns = futures_util::future::join_all(asked.iter().map(|request| repeats.begin(request))).await;
    assert_eq!(turns.iter().filter(|turn| **turn == Ok(Turn::First)).count(), 1);
    assert_eq!(turns.iter().filter(|turn| matches!(turn, Ok(Turn::InFlight(_)))).count(), 19);
}

async fn after_a_crash_the_ledger_says_whether_it_was_carried_out(on: On) {
    let house = House::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    let [before, held, charged, free] = ["before", "held", "charged", "free"].map(|key| house.keyed(account, key, 1));
    for request in [&before, &held, &charged, &free] {
        assert_eq!(repeats.begin(request).await, Ok(Turn::First));
    }
    std::mem::forget(house.hold_of(&held).await);
    let hold = house.hold_of(&charged).await;
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    let hold = house.hold_of(&free).await;
    house.credit.settle(hold, settlement("0")).await.unwrap();
    drop(repeats);
    let house = house.crash().await;
    let repeats = Repeats::new(&house.credit);
    for key in ["before", "held"] {
        let again = house.keyed(account, key, 1);
        assert_eq!(repeats.begin(&again).await, Ok(Turn::First), "{key}");
        assert_eq!(repeats.begin(&house.keyed(account, key, 1)).await, Ok(Turn::InFlight(again.request)), "{key}");
    }
    for (key, first) in [("charged", &charged), ("free", &free)] {
        assert_eq!(repeats.begin(&house.keyed(account, key, 1)).await, Ok(Turn::Done(first.request)), "{key}");
    }
    assert_eq!(house.money(account).await, (usd("0.95"), Usd::ZERO));
    house.assert_clean().await;
}

async fn what_may_run_again_does_unless_it_was_charged(on: On) {
    let house = House::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    let failed = house.keyed(account, "failed", 1);
    repeats.begin(&failed).await.unwrap();
    let hold = house.hold_of(&failed).await;
    house.credit.release(hold, SettlementRule::NothingDelivered, Delivery::default()).await.unwrap();
    repeats.ended(&failed, OnceEnd::MayRunAgain).await;
    assert_eq!(repeats.begin(&house.keyed(account, "failed", 2)).await, Ok(Turn::First), "nothing is left of it");

    let charged = house.keyed(account, "charged", 1);
    repeats.begin(&charged).await.unwrap();
    let hold = house.hold_of(&charged).await;
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    repeats.ended(&charged, OnceEnd::MayRunAgain).await;
    assert_eq!(repeats.begin(&house.keyed(account, "charged", 1)).await, Ok(Turn::Done(charged.request)));

    // Its answer was given up before it was over: whoever comes next waits until the ledger knows.
    let open = house.keyed(account, "open", 1);
    repeats.begin(&open).await.unwrap();
    let hold = house.hold_of(&open).await;
    repeats.ended(&open, OnceEnd::MayRunAgain).await;
    assert_eq!(repeats.begin(&house.keyed(account, "open", 1)).await, Ok(Turn::InFlight(open.request)));
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    assert_eq!(repeats.begin(&house.keyed(account, "open", 1)).await, Ok(Turn::Done(open.request)));
}

/// A clock that is set is no reason to carry out again what is under way.
async fn what_is_under_way_keeps_its_key_whatever_the_clock_says(on: On) {
    let house = House::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    let [runs, streams] = ["runs", "streams"].map(|key| house.keyed(account, key, 1));
    for request in [&runs, &streams] {
        assert_eq!(repeats.begin(request).await, Ok(Turn::First));
    }
    let (held, streamed) = (house.hold_of(&runs).await, house.hold_of(&streams).await);
    // Its answer has begun, and goes on.
    repeats.ended(&streams, OnceEnd::Done).await;
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.purge().await.unwrap(), 0);
    for (key, first) in [("runs", &runs), ("streams", &streams)] {
        let again = repeats.begin(&house.keyed(account, key, 1)).await;
        assert_eq!(again, Ok(Turn::InFlight(first.request)), "{key}");
    }
    house.credit.settle(held, settlement("0.1")).await.unwrap();
    house.credit.settle(streamed, settlement("0.1")).await.unwrap();
    assert_eq!(repeats.purge().await.unwrap(), 1, "the stream is over");
    assert_eq!(repeats.begin(&house.keyed(account, "streams", 1)).await, Ok(Turn::First));
    repeats.ended(&runs, OnceEnd::Done).await;
    assert_eq!(repeats.purge().await.unwrap(), 1);
    assert_eq!(house.money(account).await, (usd("0.8"), Usd::ZERO), "each was charged once");
}

/// What nobody is at work on any more is forgotten with its day, whatever its row says.
async fn what_a_crash_left_under_way_is_forgotten_with_its_day(on: On) {
    let house = House::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    repeats.begin(&house.keyed(account, "k", 1)).await.unwrap();
    drop(repeats);
    let house = house.crash().await;
    let repeats = Repeats::new(&house.credit);
    assert_eq!(repeats.purge().await.unwrap(), 0);
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.purge().await.unwrap(), 1);
}

on_both!(
    what_is_under_way_keeps_its_key_whatever_the_clock_says,
    what_a_crash_left_under_way_is_forgotten_with_its_day,
    what_came_of_a_stream_is_asked_of_the_ledger,
    only_so_many_answers_are_kept_and_no_refusal_that_cost_nothing,
    an_answer_is_given_again_for_a_day,
    of_many_at_once_one_is_first,
    after_a_crash_the_ledger_says_whether_it_was_carried_out,
    what_may_run_again_does_unless_it_was_charged,
);

/// Another server is at work on it, until it is taken for gone.
#[tokio::test]
async fn what_another_server_is_at_work_on_is_waited_for() {
    let house = House::open_on(On::Server).await;
    let account = house.account(1, "1").await;
    let repeats = Repeats::new(&house.credit);
    let other =
        "INSERT INTO nodes (epoch, name, started_at, seen_at, state) VALUES (77, 'other', 1, 9000000000000000, 'up')";
    raw::run(&house.store, other).await.unwrap();
    let first = house.keyed(account, "k", 1);
    repeats.begin(&first).await.unwrap();
    raw::run(&house.store, "UPDATE idempotency SET epoch = 77").await.unwrap();
    let again = house.keyed(account, "k", 1);
    assert_eq!(repeats.begin(&again).await, Ok(Turn::InFlight(first.request)));
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.purge().await.unwrap(), 0);
    assert_eq!(repeats.begin(&again).await, Ok(Turn::InFlight(first.request)), "our own clock says nothing of it");
    raw::run(&house.store, "UPDATE nodes SET state = 'gone' WHERE epoch = 77").await.unwrap();
    assert_eq!(repeats.begin(&again).await, Ok(Turn::First));
}

/// Its end could not be written, so the others wait for it: until the store can be written again.
#[tokio::test]
async fn what_has_ended_unwritten_is_let_go() {
    let first = House::open_on(On::Server).await;
    let second = first.beside().await;
    let account = first.account(1, "1").await;
    let (here, there) = (Repeats::new(&first.credit), Repeats::new(&second.credit));
    let asked = first.keyed(account, "k", 1);
    assert_eq!(here.begin(&asked).await, Ok(Turn::First));
    raw::run(&first.store, "ALTER TABLE idempotency RENAME TO away").await.unwrap();
    here.ended(&asked, OnceEnd::MayRunAgain).await;
    assert!(here.purge().await.is_err(), "nor can this be written yet");
    raw::run(&first.store, "ALTER TABLE away RENAME TO idempotency").await.unwrap();
    let again = second.keyed(account, "k", 1);
    assert_eq!(there.begin(&again).await, Ok(Turn::InFlight(asked.request)));
    assert_eq!(here.purge().await.unwrap(), 0);
    assert_eq!(there.begin(&again).await, Ok(Turn::First));
    assert_eq!(here.begin(&asked).await, Ok(Turn::InFlight(again.request)));
}
