//! Keys of servers that share a ledger.

use super::*;

/// Another server is at work on it, until it is taken for gone.
#[tokio::test]
async fn what_another_server_is_at_work_on_is_waited_for() {
    let house = TestLedger::open_on(On::Server).await;
    let account = house.account(1, "1").await;
    let repeats = house.credit.idempotency().clone();
    let other =
        "INSERT INTO nodes (epoch, name, started_at, seen_at, state) VALUES (77, 'other', 1, 9000000000000000, 'up')";
    raw::run(&house.store, other).await.unwrap();
    let first = house.keyed(account, "k", 1);
    repeats.begin(&first).await.unwrap();
    raw::run(&house.store, "UPDATE idempotency SET epoch = 77").await.unwrap();
    let again = house.keyed(account, "k", 1);
    assert_eq!(repeats.begin(&again).await, Ok(IdempotencyOutcome::InFlight(first.request)));
    house.hand.advance_ms(DAY_MS);
    assert_eq!(repeats.purge().await.unwrap(), 0);
    assert_eq!(
        repeats.begin(&again).await,
        Ok(IdempotencyOutcome::InFlight(first.request)),
        "our own clock says nothing of it"
    );
    raw::run(&house.store, "UPDATE nodes SET state = 'gone' WHERE epoch = 77").await.unwrap();
    assert_eq!(repeats.begin(&again).await, Ok(IdempotencyOutcome::First));
}

/// The hold of another server's request was released, and that one does not end its row.
#[tokio::test]
async fn what_another_server_released_is_free_though_its_row_runs() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let account = first.account(1, "1").await;
    let (here, there) = (first.credit.idempotency().clone(), second.credit.idempotency().clone());
    let (request, claim) = first.claim(&here, account, "k").await;
    let hold = first.hold_with(&claim).await.unwrap();
    let again = second.keyed(account, "k", 1);
    assert_eq!(there.begin(&again).await, Ok(IdempotencyOutcome::InFlight(request.request)));
    let keep = "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; \
        CREATE TRIGGER stay BEFORE DELETE ON idempotency FOR EACH ROW EXECUTE FUNCTION stay()";
    raw::run(&first.store, keep).await.unwrap();
    first.credit.release(hold, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    let (paid, theirs) = second.claim(&there, account, "k").await;
    assert_eq!(there.taken(&theirs).await, Ok(None), "no other has it");
    let hold = second.hold_with(&theirs).await.unwrap();
    assert_eq!(
        (hold.request(), theirs.state()),
        (paid.request, ClaimState::Running),
        "it is held in the other's place"
    );
    assert_eq!(there.begin(&again).await, Ok(IdempotencyOutcome::InFlight(paid.request)));
}

/// It got the key of one that came to nothing, and did not hear of it: nobody waits for it for long.
#[tokio::test]
async fn a_key_that_was_given_unheard_is_let_go() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let account = first.account(1, "1").await;
    let (here, there) = (first.credit.idempotency().clone(), second.credit.idempotency().clone());
    let gone = first.keyed(account, "k", 1);
    here.begin(&gone).await.unwrap();
    raw::run(&first.store, "UPDATE idempotency SET epoch = 0").await.unwrap();
    let (asked, claim) = second.claim(&there, account, "k").await;
    let held = ENDS_AT.scope(CommitSide::After, second.hold_with(&claim)).await;
    assert!(matches!(held, Err(HoldRefused::Unavailable)), "{held:?}");
    there.ended(&asked, Some(&claim), IdempotentEnd::MayRunAgain).await;
    let again = first.keyed(account, "k", 1);
    assert_eq!(here.begin(&again).await, Ok(IdempotencyOutcome::InFlight(asked.request)));
    there.purge().await.unwrap();
    assert_eq!(here.begin(&again).await, Ok(IdempotencyOutcome::First));
}

/// On two nodes at once: each batch reads the keys behind the locks of its accounts.
#[tokio::test]
async fn of_claims_on_two_nodes_at_once_one_has_the_key() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let account = first.account(1, "10").await;
    let (here, there) = (first.credit.idempotency().clone(), second.credit.idempotency().clone());
    for turn in 0..20 {
        let key = format!("k{turn}");
        let (_, ours) = first.claim(&here, account, &key).await;
        let (_, theirs) = second.claim(&there, account, &key).await;
        let held = tokio::join!(first.hold_with(&ours), second.hold_with(&theirs));
        let (has, other) = match held {
            (Ok(hold), Err(HoldRefused::Claimed(other))) | (Err(HoldRefused::Claimed(other)), Ok(hold)) => {
                (hold, other)
            }
            neither_or_both => panic!("{key}: {neither_or_both:?}"),
        };
        assert_eq!(has.request(), other);
    }
}

/// Its end could not be written, so the others wait for it: until the store can be written again.
#[tokio::test]
async fn what_has_ended_unwritten_is_let_go() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let account = first.account(1, "1").await;
    let (here, there) = (first.credit.idempotency().clone(), second.credit.idempotency().clone());
    let asked = first.keyed(account, "k", 1);
    assert_eq!(here.begin(&asked).await, Ok(IdempotencyOutcome::First));
    raw::run(&first.store, "ALTER TABLE idempotency RENAME TO away").await.unwrap();
    here.ended(&asked, None, IdempotentEnd::MayRunAgain).await;
    assert!(here.purge().await.is_err(), "nor can this be written yet");
    raw::run(&first.store, "ALTER TABLE away RENAME TO idempotency").await.unwrap();
    let again = second.keyed(account, "k", 1);
    assert_eq!(there.begin(&again).await, Ok(IdempotencyOutcome::InFlight(asked.request)));
    assert_eq!(here.purge().await.unwrap(), 0);
    assert_eq!(there.begin(&again).await, Ok(IdempotencyOutcome::First));
    assert_eq!(here.begin(&asked).await, Ok(IdempotencyOutcome::InFlight(again.request)));
}
