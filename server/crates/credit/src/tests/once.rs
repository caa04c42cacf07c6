//! Requests that carry a key: whose turn it is after whatever became of the first.

mod nodes;

use std::sync::Arc;

use futures_util::future::join_all;
use http::{HeaderMap, StatusCode};

use super::*;
use tollgate_api::generated::limits;
use tollgate_api::{
    ClaimReply, ClaimState, IdempotencyOutcome, IdempotentEnd, IdempotentRequest, KeptAnswer, KeyClaim, Once,
    ProxyReply, ProxyReplyBody,
};
use tollgate_store::CommitSide;
use tollgate_store::testing::ENDS_AT;

const DAY_MS: i64 = 86_400_000;

impl TestLedger {
    fn keyed(&self, account: AccountId, key: &str, body: u8) -> IdempotentRequest {
        let request = RequestId::mint(self.clock.now_ms());
        IdempotentRequest { account, key: key.to_owned(), sha256: [body; 32], request, is_paid_for: false }
    }

    /// A hold of the request itself.
    async fn hold_of(&self, request: &IdempotentRequest) -> Hold {
        self.credit.hold(HoldRequest { request: request.request, ..self.ask(request.account, "0.1") }).await.unwrap()
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
    let house = TestLedger::open_on(on).await;
    let (account, other) = (house.account(1, "1").await, house.account(2, "1").await);
    let repeats = house.credit.idempotency().clone();
    let first = house.keyed(account, "k", 1);
    assert_eq!(repeats.begin(&first).await, Ok(IdempotencyOutcome::First));
    let same = house.keyed(account, "k", 1);
    assert_eq!(repeats.begin(&same).await, Ok(IdempotencyOutcome::InFlight(first.request)));
    assert_eq!(
        repeats.begin(&house.keyed(other, "k", 1)).await,
        Ok(IdempotencyOutcome::First),
        "another's key is another"
    );
    let kept = answer(first.request, limits::IDEMPOTENCY_ANSWER);
    repeats.ended(&first, None, IdempotentEnd::Answered(kept.clone())).await;
    assert_eq!(repeats.begin(&same).await, Ok(IdempotencyOutcome::Answered(kept)));
    assert_eq!(repeats.begin(&house.keyed(account, "k", 2)).await, Ok(IdempotencyOutcome::Other(first.request)));
    let large = house.keyed(account, "large", 1);
    repeats.begin(&large).await.unwrap();
    repeats.ended(&large, None, IdempotentEnd::Answered(answer(large.request, limits::IDEMPOTENCY_ANSWER + 1))).await;
    assert_eq!(repeats.begin(&large).await, Ok(IdempotencyOutcome::Done(large.request)));
    assert_eq!(repeats.purge().await.unwrap(), 0);
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.begin(&house.keyed(account, "k", 2)).await, Ok(IdempotencyOutcome::First), "its day is over");
    assert_eq!(repeats.purge().await.unwrap(), 1, "and that of the large one; the other account's is under way");
    assert_eq!(repeats.begin(&house.keyed(account, "large", 1)).await, Ok(IdempotencyOutcome::First));
}

async fn what_came_of_a_stream_is_asked_of_the_ledger(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let begun = async |key: &str| {
        let request = house.keyed(account, key, 1);
        assert_eq!(repeats.begin(&request).await, Ok(IdempotencyOutcome::First));
        let hold = house.hold_of(&request).await;
        repeats.ended(&request, None, IdempotentEnd::Done).await;
        (request, hold)
    };
    let (broke, hold) = begun("broke").await;
    assert_eq!(repeats.begin(&house.keyed(account, "broke", 1)).await, Ok(IdempotencyOutcome::InFlight(broke.request)));
    house.credit.release(hold, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    assert_eq!(
        repeats.begin(&house.keyed(account, "broke", 1)).await,
        Ok(IdempotencyOutcome::First),
        "nothing came of it"
    );
    let (paid, hold) = begun("paid").await;
    house.credit.settle(hold, settlement("0.1")).await.unwrap();
    assert_eq!(repeats.begin(&house.keyed(account, "paid", 1)).await, Ok(IdempotencyOutcome::Done(paid.request)));
}

/// However often it comes, it keeps nobody waiting who writes.
async fn what_has_ended_waits_for_no_lock_when_it_comes_again(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let first = house.keyed(account, "stream", 1);
    assert_eq!(repeats.begin(&first).await, Ok(IdempotencyOutcome::First));
    let hold = house.hold_of(&first).await;
    repeats.ended(&first, None, IdempotentEnd::Done).await;
    house.credit.settle(hold, settlement("0.1")).await.unwrap();
    let locked = house.store.begin_of(account).await.unwrap();
    let again = repeats.begin(&house.keyed(account, "stream", 1)).await;
    assert_eq!(again, Ok(IdempotencyOutcome::Done(first.request)));
    locked.rollback().await.unwrap();
}

async fn only_so_many_answers_are_kept_and_no_refusal_that_cost_nothing(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let refused = house.keyed(account, "refused", 1);
    repeats.begin(&refused).await.unwrap();
    let refusal = KeptAnswer { status: StatusCode::BAD_REQUEST, ..answer(refused.request, 9) };
    repeats.ended(&refused, None, IdempotentEnd::Answered(refusal)).await;
    assert_eq!(
        repeats.begin(&house.keyed(account, "refused", 1)).await,
        Ok(IdempotencyOutcome::First),
        "nothing was held for it"
    );
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
    repeats.ended(&one_more, None, IdempotentEnd::Answered(answer(one_more.request, 9))).await;
    assert_eq!(
        repeats.begin(&house.keyed(account, "one more", 1)).await,
        Ok(IdempotencyOutcome::Done(one_more.request))
    );
}

async fn of_many_at_once_one_is_first(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let asked: Vec<IdempotentRequest> = (0..20).map(|_| house.keyed(account, "k", 1)).collect();
    let turns = join_all(asked.iter().map(|request| repeats.begin(request))).await;
    assert_eq!(turns.iter().filter(|turn| **turn == Ok(IdempotencyOutcome::First)).count(), 1);
    assert_eq!(turns.iter().filter(|turn| matches!(turn, Ok(IdempotencyOutcome::InFlight(_)))).count(), 19);
}

async fn after_a_crash_the_ledger_says_whether_it_was_carried_out(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let [before, held, charged, free] = ["before", "held", "charged", "free"].map(|key| house.keyed(account, key, 1));
    for request in [&before, &held, &charged, &free] {
        assert_eq!(repeats.begin(request).await, Ok(IdempotencyOutcome::First));
    }
    std::mem::forget(house.hold_of(&held).await);
    let hold = house.hold_of(&charged).await;
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    let hold = house.hold_of(&free).await;
    house.credit.settle(hold, settlement("0")).await.unwrap();
    drop(repeats);
    let house = house.crash().await;
    let repeats = house.credit.idempotency().clone();
    for key in ["before", "held"] {
        let again = house.keyed(account, key, 1);
        assert_eq!(repeats.begin(&again).await, Ok(IdempotencyOutcome::First), "{key}");
        assert_eq!(
            repeats.begin(&house.keyed(account, key, 1)).await,
            Ok(IdempotencyOutcome::InFlight(again.request)),
            "{key}"
        );
    }
    for (key, first) in [("charged", &charged), ("free", &free)] {
        assert_eq!(
            repeats.begin(&house.keyed(account, key, 1)).await,
            Ok(IdempotencyOutcome::Done(first.request)),
            "{key}"
        );
    }
    assert_eq!(house.money(account).await, (usd("0.95"), Usd::ZERO));
    house.assert_clean().await;
}

async fn what_may_run_again_does_unless_it_was_charged(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let failed = house.keyed(account, "failed", 1);
    repeats.begin(&failed).await.unwrap();
    let hold = house.hold_of(&failed).await;
    house.credit.release(hold, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    repeats.ended(&failed, None, IdempotentEnd::MayRunAgain).await;
    assert_eq!(
        repeats.begin(&house.keyed(account, "failed", 2)).await,
        Ok(IdempotencyOutcome::First),
        "nothing is left of it"
    );

    let charged = house.keyed(account, "charged", 1);
    repeats.begin(&charged).await.unwrap();
    let hold = house.hold_of(&charged).await;
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    repeats.ended(&charged, None, IdempotentEnd::MayRunAgain).await;
    assert_eq!(repeats.begin(&house.keyed(account, "charged", 1)).await, Ok(IdempotencyOutcome::Done(charged.request)));

    // Its answer was given up before it was over: whoever comes next waits until the ledger knows.
    let open = house.keyed(account, "open", 1);
    repeats.begin(&open).await.unwrap();
    let hold = house.hold_of(&open).await;
    repeats.ended(&open, None, IdempotentEnd::MayRunAgain).await;
    assert_eq!(repeats.begin(&house.keyed(account, "open", 1)).await, Ok(IdempotencyOutcome::InFlight(open.request)));
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    assert_eq!(repeats.begin(&house.keyed(account, "open", 1)).await, Ok(IdempotencyOutcome::Done(open.request)));
}

/// A clock that is set is no reason to carry out again what is under way.
async fn what_is_under_way_keeps_its_key_whatever_the_clock_says(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let [runs, streams] = ["runs", "streams"].map(|key| house.keyed(account, key, 1));
    for request in [&runs, &streams] {
        assert_eq!(repeats.begin(request).await, Ok(IdempotencyOutcome::First));
    }
    let (held, streamed) = (house.hold_of(&runs).await, house.hold_of(&streams).await);
    // Its answer has begun, and goes on.
    repeats.ended(&streams, None, IdempotentEnd::Done).await;
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.purge().await.unwrap(), 0);
    for (key, first) in [("runs", &runs), ("streams", &streams)] {
        let again = repeats.begin(&house.keyed(account, key, 1)).await;
        assert_eq!(again, Ok(IdempotencyOutcome::InFlight(first.request)), "{key}");
    }
    house.credit.settle(held, settlement("0.1")).await.unwrap();
    house.credit.settle(streamed, settlement("0.1")).await.unwrap();
    assert_eq!(repeats.purge().await.unwrap(), 1, "the stream is over");
    assert_eq!(repeats.begin(&house.keyed(account, "streams", 1)).await, Ok(IdempotencyOutcome::First));
    repeats.ended(&runs, None, IdempotentEnd::Done).await;
    assert_eq!(repeats.purge().await.unwrap(), 1);
    assert_eq!(house.money(account).await, (usd("0.8"), Usd::ZERO), "each was charged once");
}

/// A request that nobody is at work on any more is forgotten with its day, whatever its row says.
async fn what_a_crash_left_under_way_is_forgotten_with_its_day(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    repeats.begin(&house.keyed(account, "k", 1)).await.unwrap();
    drop(repeats);
    let house = house.crash().await;
    let repeats = house.credit.idempotency().clone();
    assert_eq!(repeats.purge().await.unwrap(), 0);
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.purge().await.unwrap(), 1);
}

impl TestLedger {
    /// A request that money is held for, and its claim.
    async fn claim(
        &self,
        repeats: &IdempotencyStore,
        account: AccountId,
        key: &str,
    ) -> (IdempotentRequest, Arc<KeyClaim>) {
        let request = IdempotentRequest { is_paid_for: true, ..self.keyed(account, key, 1) };
        match repeats.begin(&request).await {
            Ok(IdempotencyOutcome::Claimed(claim)) => (request, claim),
            other => panic!("{key}: {other:?}"),
        }
    }

    async fn hold_with(&self, claim: &Arc<KeyClaim>) -> Result<Hold, HoldRefused> {
        let IdempotentRequest { account, request, .. } = claim.request;
        let ask = HoldRequest { request, claim: Some(claim.clone()), ..self.ask(account, "0.1") };
        self.credit.hold(ask).await
    }
}

fn whole(bytes: usize) -> ClaimReply {
    ClaimReply::WithReceipt(Box::new(move |charged| {
        let mut headers = HeaderMap::new();
        headers.append("content-type", "application/json".parse().unwrap());
        headers.append("x-cost", charged.to_string().parse().unwrap());
        ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(vec![b'1'; bytes].into()) }
    }))
}

/// One transaction has the hold and the key, another the receipt and the answer.
async fn a_claim_is_written_with_its_hold_and_its_answer_with_the_receipt(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let (first, claim) = house.claim(&repeats, account, "k").await;
    let (second, late) = house.claim(&repeats, account, "k").await;
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM idempotency").await, 0);
    let hold = house.hold_with(&claim).await.unwrap();
    assert_eq!(
        repeats.taken(&late).await,
        Ok(Some(IdempotencyOutcome::InFlight(first.request))),
        "though it asked for no money"
    );
    assert!(matches!(house.hold_with(&late).await, Err(HoldRefused::Claimed(other)) if other == first.request));
    assert_eq!(
        (late.taken(), late.state()),
        (Some(&IdempotencyOutcome::InFlight(first.request)), ClaimState::Unwritten)
    );
    repeats.ended(&second, Some(&late), IdempotentEnd::MayRunAgain).await;
    let (again, third) = house.claim(&repeats, account, "k").await;
    assert_eq!(
        repeats.taken(&third).await,
        Ok(Some(IdempotencyOutcome::InFlight(first.request))),
        "it takes no other's key"
    );
    let unheard = KeyClaim::new(first.clone(), Arc::default());
    assert_eq!(repeats.taken(&unheard).await, Ok(None), "it is its own row");
    claim.set_reply(whole(9));
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    let Ok(Some(IdempotencyOutcome::Answered(kept))) = repeats.taken(&third).await else { panic!("it was answered") };
    assert_eq!((kept.first, &kept.headers["x-cost"], kept.body.len()), (first.request, &"0.05".parse().unwrap(), 9));
    repeats.ended(&first, Some(&claim), IdempotentEnd::MayRunAgain).await;
    assert_eq!(
        repeats.taken(&third).await,
        Ok(Some(IdempotencyOutcome::Answered(kept.clone()))),
        "whatever is told afterwards"
    );
    assert!(matches!(house.hold_with(&third).await, Err(HoldRefused::Claimed(_))), "and no money is held");
    assert_eq!(third.taken(), Some(&IdempotencyOutcome::Answered(kept)));
    let other = KeyClaim::new(IdempotentRequest { sha256: [2; 32], ..again }, Arc::default());
    assert_eq!(repeats.taken(&other).await, Ok(Some(IdempotencyOutcome::Other(first.request))));
    assert_eq!(house.money(account).await, (usd("0.95"), Usd::ZERO));
}

/// Many in one batch, and on a server in batches of two nodes: one has the key.
async fn of_many_claims_at_once_one_has_the_key(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "10").await;
    let repeats = house.credit.idempotency().clone();
    let claims = join_all((0..20).map(|_| house.claim(&repeats, account, "k"))).await;
    let held = join_all(claims.iter().map(|(_, claim)| house.hold_with(claim))).await;
    let (one, others): (Vec<_>, Vec<_>) = held.into_iter().partition(Result::is_ok);
    assert_eq!(one.len(), 1);
    let has = one[0].as_ref().unwrap().request();
    assert!(others.iter().all(|refused| matches!(refused, Err(HoldRefused::Claimed(other)) if *other == has)));
}

async fn a_claim_whose_hold_is_released_is_free_again(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let (first, claim) = house.claim(&repeats, account, "k").await;
    let hold = house.hold_with(&claim).await.unwrap();
    house.credit.release(hold, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM idempotency").await, 0);
    // Nothing was charged: whatever it was told, the next one is carried out.
    let refusal = KeptAnswer { status: StatusCode::BAD_REQUEST, ..answer(first.request, 9) };
    repeats.ended(&first, Some(&claim), IdempotentEnd::Answered(refusal)).await;
    house.claim(&repeats, account, "k").await;
    let (failed, claim) = house.claim(&repeats, account, "failed").await;
    drop(house.hold_with(&claim).await.unwrap());
    until_free(&house).await;
    repeats.ended(&failed, Some(&claim), IdempotentEnd::MayRunAgain).await;
    house.claim(&repeats, account, "failed").await;
}

/// Until the ledger holds nothing.
async fn until_free(house: &TestLedger) {
    while raw::number(&house.store, "SELECT count(*) FROM holds").await > 0 {
        tokio::task::yield_now().await;
    }
}

/// A stream has no answer that is kept, and a large answer is written down by itself.
async fn what_is_not_kept_with_the_receipt_is_done_or_comes_later(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let (stream, claim) = house.claim(&repeats, account, "stream").await;
    let hold = house.hold_with(&claim).await.unwrap();
    repeats.ended(&stream, Some(&claim), IdempotentEnd::Done).await;
    let again = |key| house.keyed(account, key, 1);
    assert_eq!(repeats.begin(&again("stream")).await, Ok(IdempotencyOutcome::InFlight(stream.request)));
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.purge().await.unwrap(), 0, "it goes on");
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    let (large, claim) = house.claim(&repeats, account, "large").await;
    let hold = house.hold_with(&claim).await.unwrap();
    claim.set_reply(ClaimReply::Afterwards);
    house.credit.settle(hold, settlement("0.05")).await.unwrap();
    assert_eq!(repeats.begin(&again("large")).await, Ok(IdempotencyOutcome::InFlight(large.request)));
    let kept = answer(large.request, limits::IDEMPOTENCY_ANSWER);
    repeats.ended(&large, Some(&claim), IdempotentEnd::Answered(kept.clone())).await;
    assert_eq!(repeats.begin(&again("large")).await, Ok(IdempotencyOutcome::Answered(kept)));
    assert_eq!(repeats.purge().await.unwrap(), 1, "the stream's day is over, and so is the stream");
}

/// All of one batch, whose replies are more than it may have: each is there afterwards.
async fn a_batch_has_so_many_bytes_of_replies_and_the_rest_comes_afterwards(on: On) {
    const REPLIES: usize = 40;
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "10").await;
    let repeats = house.credit.idempotency().clone();
    let mut open = Vec::new();
    for number in 0..REPLIES {
        let (request, claim) = house.claim(&repeats, account, &format!("k{number}")).await;
        claim.set_reply(whole(32 * 1024));
        open.push((request, claim.clone(), house.hold_with(&claim).await.unwrap()));
    }
    let (kept, holds): (Vec<_>, Vec<_>) =
        open.into_iter().map(|(request, claim, hold)| ((request, claim), hold)).unzip();
    let settled = join_all(holds.into_iter().map(|hold| house.credit.settle(hold, settlement("0.05")))).await;
    assert!(settled.iter().all(Result::is_ok));
    let afterwards = kept.iter().filter(|(_, claim)| claim.state() == ClaimState::Running).count();
    assert!((1..=REPLIES - 32).contains(&afterwards), "a mebibyte is 32 of them: {afterwards}");
    for (request, claim) in &kept {
        repeats.ended(request, Some(claim), IdempotentEnd::Answered(answer(request.request, 9))).await;
        let turn = repeats.begin(&house.keyed(account, &request.key, 1)).await;
        assert!(matches!(&turn, Ok(IdempotencyOutcome::Answered(kept)) if kept.first == request.request), "{turn:?}");
    }
}

/// An account keeps so many answers at the most, counted once and then as they come.
async fn with_receipts_too_only_so_many_answers_are_kept(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let kept = limits::IDEMPOTENCY_ANSWERS - 1;
    let zeros = if raw::is_file(&house.store) { "zeroblob(32)" } else { "decode(repeat('00', 32), 'hex')" };
    let full = format!(
        "INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, status, headers, answer, created_at) \
         SELECT {}, 'old ' || n, {zeros}, 'req_0', 1, 'done', 200, '[]', {zeros}, {START_MS} \
         FROM (WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {kept}) SELECT n FROM c) counted",
        account.0
    );
    raw::run(&house.store, &full).await.unwrap();
    for (key, is_kept) in [("last", true), ("one more", false)] {
        let (first, claim) = house.claim(&repeats, account, key).await;
        let hold = house.hold_with(&claim).await.unwrap();
        claim.set_reply(whole(9));
        house.credit.settle(hold, settlement("0.05")).await.unwrap();
        let turn = repeats.begin(&house.keyed(account, key, 1)).await;
        let answered = matches!(turn, Ok(IdempotencyOutcome::Answered(_)));
        assert!(
            if is_kept { answered } else { turn == Ok(IdempotencyOutcome::Done(first.request)) },
            "{key}: {turn:?}"
        );
    }
}

on_both!(
    a_claim_is_written_with_its_hold_and_its_answer_with_the_receipt,
    of_many_claims_at_once_one_has_the_key,
    a_claim_whose_hold_is_released_is_free_again,
    what_is_not_kept_with_the_receipt_is_done_or_comes_later,
    a_batch_has_so_many_bytes_of_replies_and_the_rest_comes_afterwards,
    with_receipts_too_only_so_many_answers_are_kept,
    what_has_ended_waits_for_no_lock_when_it_comes_again,
    what_is_under_way_keeps_its_key_whatever_the_clock_says,
    what_a_crash_left_under_way_is_forgotten_with_its_day,
    what_came_of_a_stream_is_asked_of_the_ledger,
    only_so_many_answers_are_kept_and_no_refusal_that_cost_nothing,
    an_answer_is_given_again_for_a_day,
    of_many_at_once_one_is_first,
    after_a_crash_the_ledger_says_whether_it_was_carried_out,
    what_may_run_again_does_unless_it_was_charged,
);
