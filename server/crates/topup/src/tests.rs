//! Orders and the money for them, on a file and on a server.

mod caps;
mod histories;
mod long_histories;
mod reversals;

use std::sync::Arc;

use tempfile::TempDir;
use tokio::task::JoinSet;

use super::*;
use tollgate_accounts::AccountService;
use tollgate_api::generated::limits;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{AccountId, Clock, ManualClock, OrderId, Usd};
use tollgate_credit::{LedgerStore, ReversalRefused, TakeBackRequest};
use tollgate_store::testing::{On, on_both, temporary_on};
use tollgate_store::{StoreConfig, StoreError, StoreTransaction, query};

const START_MS: i64 = 1_800_000_000_000;
const MINUTE_MS: i64 = 60_000;

struct House {
    topups: Topups,
    books: LedgerStore,
    account: AccountId,
    config: StoreConfig,
    hand: ManualClock,
    _folder: TempDir,
}

/// Rails that are on, with bounds as in the spec.
fn open_rails() -> Config {
    let on = RailConfig { enabled: true, ..RailConfig::default() };
    Config { crypto: on, x402: on, ewallet: on, ..Config::default() }
}

async fn house(on: On) -> House {
    let (clock, hand) = Clock::manual(START_MS);
    let (folder, config, store) = temporary_on(on, &clock).await;
    let account = AccountService::new(store.clone(), clock.clone()).create_account("payer", "test").await.unwrap().id;
    let books = LedgerStore::new(store.clone(), clock.clone());
    House { topups: Topups::new(store, clock, open_rails()), books, account, config, hand, _folder: folder }
}

fn usd(text: &str) -> Usd {
    text.parse().unwrap()
}

fn payment(reference: &str) -> NewPayment {
    NewPayment {
        source: "eip155:8453".to_owned(),
        reference: reference.to_owned(),
        asset: "0xa0".to_owned(),
        amount: "5000000".to_owned(),
        payer: Some("0xb0".to_owned()),
        receipt: None,
    }
}

fn why() -> OrderFailure {
    OrderFailure { code: "X402_PAYMENT_REJECTED".to_owned(), detail: "the token is paused".to_owned() }
}

async fn nothing(_: &mut StoreTransaction, _: &OrderPayment) -> Result<(), ClaimRefused> {
    Ok(())
}

/// The row of a payment on a chain: the fee of its carrier, and the block that shows its outcome.
async fn on_chain(
    transaction: &mut StoreTransaction,
    payment: &OrderPayment,
    fee: Option<i64>,
    block: Option<i64>,
) -> Result<(), ClaimRefused> {
    let kept = query(
        "INSERT INTO chain_payments (payment_id, network, since_block, terms, call, fee, seen_block) \
        VALUES ($1, 'eip155:8453', 0, '{}', $2, $3, $4)",
    );
    let kept = kept.bind(payment.id).bind(&b"call"[..]).bind(fee).bind(block).execute(transaction).await;
    kept.map(drop).map_err(|error| StoreError::write("a payment on chain")(error).into())
}

impl House {
    fn five(&self, rail: PaymentRail) -> NewOrder {
        NewOrder { account: self.account, agent: None, rail, amount: usd("5") }
    }

    async fn order(&self, rail: PaymentRail) -> CreditOrder {
        self.topups.open(self.five(rail)).await.unwrap()
    }

    async fn claim(&self, order: &CreditOrder, reference: &str) -> Result<PaymentClaim, ClaimRefused> {
        self.topups.claim(order.id, &payment(reference), nothing).await
    }

    async fn credit(&self, order: &CreditOrder, reference: &str) -> Result<CreditOutcome, CreditError> {
        let mut payment = payment(reference);
        payment.receipt = Some(format!("tx {reference}"));
        self.topups.credit(&ConfirmedPayment { order: order.id, payment }).await
    }

    async fn state(&self, order: &CreditOrder) -> State {
        self.topups.order(order.id).await.unwrap().unwrap().state
    }

    async fn posted(&self) -> Usd {
        self.books.balance(self.account).await.unwrap().posted
    }

    async fn assert_clean(&self) {
        let report = self.books.audit().await.unwrap();
        assert!(report.is_clean(), "{report}");
    }

    async fn noted(&self, action: &str) -> i64 {
        let row = query("SELECT count(*) FROM audit_log WHERE action = $1").bind(action);
        row.fetch_one(self.topups.store.readers()).await.unwrap().try_get(0).unwrap()
    }
}

async fn a_payment_is_claimed_comes_and_is_credited_once(on: On) {
    let house = house(on).await;
    let order = house.order(PaymentRail::X402).await;
    assert_eq!((order.state, order.expires_at_ms), (State::Pending, START_MS + 10 * MINUTE_MS));
    let claimed = house.claim(&order, "n1").await.unwrap();
    assert_eq!((claimed.order.state, house.state(&order).await), (State::Settling, State::Settling));
    assert_eq!(house.posted().await, Usd::ZERO);
    house.hand.advance_ms(11 * MINUTE_MS);
    assert!(matches!(house.credit(&order, "n1").await.unwrap(), CreditOutcome::Now(_)), "once taken, it has time");
    assert!(matches!(house.credit(&order, "n1").await.unwrap(), CreditOutcome::Before(_)));
    let order = house.topups.find(house.account, &order.trade_no).await.unwrap().unwrap();
    assert_eq!((order.state, order.receipt.as_deref()), (State::Success, Some("tx n1")));
    assert_eq!(order.settled_at_ms, Some(START_MS + 11 * MINUTE_MS));
    assert_eq!((house.posted().await, house.noted("topup.late").await), (usd("5"), 0));
    house.assert_clean().await;
}

async fn an_order_refuses_what_it_cannot_take_and_stays_as_it_is(on: On) {
    let house = house(on).await;
    let (first, second) = (house.order(PaymentRail::X402).await, house.order(PaymentRail::X402).await);
    let unknown = OrderId(first.id.0 ^ 1);
    let refused = house.topups.claim(unknown, &payment("n1"), nothing).await.unwrap_err();
    assert!(matches!(refused, ClaimRefused::NoSuchOrder));
    house.claim(&first, "n1").await.unwrap();
    assert!(matches!(house.claim(&first, "n2").await.unwrap_err(), ClaimRefused::Settling));
    assert!(matches!(house.claim(&second, "n1").await.unwrap_err(), ClaimRefused::Used));
    assert!(matches!(house.credit(&second, "n1").await.unwrap_err(), CreditError::OfAnother(id) if id == first.id));
    assert_eq!(house.state(&second).await, State::Pending);
    house.credit(&first, "n1").await.unwrap();
    assert!(matches!(house.claim(&first, "n3").await.unwrap_err(), ClaimRefused::Settled));
    house.hand.advance_ms(10 * MINUTE_MS);
    assert!(matches!(house.claim(&second, "n4").await.unwrap_err(), ClaimRefused::Expired(State::Expired)));
    assert_eq!(house.posted().await, usd("5"));
    house.assert_clean().await;
}

async fn what_is_written_beside_a_claim_is_there_with_it_or_not_at_all(on: On) {
    let house = house(on).await;
    let order = house.order(PaymentRail::Crypto).await;
    let fails = async |_: &mut StoreTransaction, _: &OrderPayment| -> Result<(), ClaimRefused> {
        Err(StoreError::Unreadable { what: "a plan", found: "nothing".to_owned() }.into())
    };
    let refused = house.topups.claim(order.id, &payment("n1"), fails).await.unwrap_err();
    assert!(matches!(refused, ClaimRefused::Store(_)));
    assert_eq!(house.state(&order).await, State::Pending);
    house.claim(&order, "n1").await.expect("the name is free as before");
}

async fn a_payment_that_is_given_up_leaves_the_order_to_wait_or_fails_it(on: On) {
    let house = house(on).await;
    let order = house.order(PaymentRail::X402).await;
    house.claim(&order, "n1").await.unwrap();
    let source = "eip155:8453";
    assert_eq!(house.topups.give_up(source, "n1", &why()).await.unwrap(), GiveUpOutcome::Waits);
    assert_eq!(house.topups.give_up(source, "n1", &why()).await.unwrap(), GiveUpOutcome::Untouched);
    assert!(matches!(house.claim(&order, "n1").await.unwrap_err(), ClaimRefused::Used), "a name is used for ever");
    house.claim(&order, "n2").await.unwrap();
    house.hand.advance_ms(10 * MINUTE_MS);
    assert_eq!(house.topups.give_up(source, "n2", &why()).await.unwrap(), GiveUpOutcome::Failed);
    let failed = house.topups.order(order.id).await.unwrap().unwrap();
    assert_eq!((failed.state, failed.failed), (State::Failed, Some(why())));
    assert!(matches!(house.claim(&order, "n3").await.unwrap_err(), ClaimRefused::Expired(State::Failed)));
    // Whatever was certain: money that is there counts.
    assert!(matches!(house.credit(&order, "n2").await.unwrap(), CreditOutcome::Now(_)));
    assert_eq!((house.posted().await, house.noted("topup.late").await), (usd("5"), 1));
    house.assert_clean().await;
}

async fn money_counts_however_late_and_whatever_the_order_has_come_to(on: On) {
    let house = house(on).await;
    let (unclaimed, lapsed, expired) = (
        house.order(PaymentRail::Ewallet).await,
        house.order(PaymentRail::Crypto).await,
        house.order(PaymentRail::X402).await,
    );
    assert!(matches!(house.credit(&unclaimed, "p1").await.unwrap(), CreditOutcome::Now(_)));
    house.hand.advance_ms(10 * MINUTE_MS);
    assert!(matches!(house.credit(&lapsed, "p2").await.unwrap(), CreditOutcome::Now(_)));
    assert_eq!(house.topups.expire_lapsed().await.unwrap(), 1);
    assert_eq!((house.state(&expired).await, house.topups.expire_lapsed().await.unwrap()), (State::Expired, 0));
    assert!(matches!(house.credit(&expired, "p3").await.unwrap(), CreditOutcome::Now(_)));
    assert_eq!((house.posted().await, house.noted("topup.late").await), (usd("15"), 2));
    house.assert_clean().await;
}

async fn a_second_payment_of_an_order_is_set_aside(on: On) {
    let house = house(on).await;
    let order = house.order(PaymentRail::Ewallet).await;
    house.credit(&order, "p1").await.unwrap();
    assert!(matches!(house.credit(&order, "p2").await.unwrap(), CreditOutcome::SetAside(_)));
    assert!(matches!(house.credit(&order, "p2").await.unwrap(), CreditOutcome::SetAside(_)));
    assert!(matches!(house.credit(&order, "p1").await.unwrap(), CreditOutcome::Before(_)));
    assert_eq!((house.posted().await, house.noted("topup.surplus").await), (usd("5"), 1));
    house.assert_clean().await;
}

async fn of_twenty_reports_at_once_one_credits(on: On) {
    let house = Arc::new(house(on).await);
    let order = house.order(PaymentRail::X402).await;
    let mut reports = JoinSet::new();
    for report in 0..20 {
        let (house, order) = (house.clone(), order.clone());
        reports.spawn(async move {
            // Ten of one payment and ten of others.
            let reference = if report < 10 { "n".to_owned() } else { format!("n{report}") };
            house.credit(&order, &reference).await.unwrap()
        });
    }
    let told = reports.join_all().await;
    assert_eq!(told.iter().filter(|told| matches!(told, CreditOutcome::Now(_))).count(), 1, "{told:?}");
    assert_eq!(house.posted().await, usd("5"));
    house.assert_clean().await;
}

async fn three_orders_of_an_agent_wait_at_most_and_each_place_comes_free_again(on: On) {
    let house = Arc::new(house(on).await);
    let most = usize::try_from(limits::X402_PENDING_ORDERS).unwrap();
    let mut askers = JoinSet::new();
    for _ in 0..20 {
        let house = house.clone();
        let new = house.five(PaymentRail::X402);
        askers.spawn(async move { house.topups.open(new).await });
    }
    let told = askers.join_all().await;
    let (made, refused): (Vec<_>, Vec<_>) = told.into_iter().partition(Result::is_ok);
    assert_eq!(made.len(), most);
    assert!(refused.iter().all(|told| matches!(told, Err(OpenRefused::TooMany(3)))), "{refused:?}");
    let first = made.into_iter().next().unwrap().unwrap();
    house.order(PaymentRail::Crypto).await;
    // One that is being paid waits no more; where it comes back its place is taken, and there are four for once.
    house.claim(&first, "n1").await.unwrap();
    house.order(PaymentRail::X402).await;
    assert_eq!(house.topups.give_up("eip155:8453", "n1", &why()).await.unwrap(), GiveUpOutcome::Waits);
    let new = house.five(PaymentRail::X402);
    assert!(matches!(house.topups.open(new).await.unwrap_err(), OpenRefused::TooMany(4)));
    // Those past their time do not count, whether or not somebody has ended them.
    house.hand.advance_ms(10 * MINUTE_MS);
    house.order(PaymentRail::X402).await;
}

async fn an_order_keeps_to_the_rails_and_their_bounds(on: On) {
    let mut house = house(on).await;
    let (account, config) = (house.account, open_rails());
    let open = async |house: &House, rail, amount: &str| {
        house.topups.open(NewOrder { account, agent: None, rail, amount: usd(amount) }).await
    };
    for (rail, amount, fits) in [
        (PaymentRail::X402, "1", true),
        (PaymentRail::X402, "0.999999999", false),
        (PaymentRail::Crypto, "1000", true),
        (PaymentRail::Crypto, "1000.000000001", false),
        (PaymentRail::Ewallet, "1000.000000001", true),
        (PaymentRail::Ewallet, "0", false),
        (PaymentRail::Ewallet, "-5", false),
    ] {
        let told = open(&house, rail, amount).await;
        let bounds = config.bounds(rail);
        let right = if fits { told.is_ok() } else { matches!(told, Err(OpenRefused::Amount(told)) if told == bounds) };
        assert!(right, "{rail} {amount}: {told:?}");
    }
    let narrow = RailConfig { enabled: true, min: Some(usd("2")), max: Some(usd("3")) };
    let config = Config { crypto: narrow, x402: RailConfig::default(), ..config };
    let Topups { store, clock, .. } = house.topups.clone();
    house.topups = Topups::new(store, clock, config);
    assert!(matches!(open(&house, PaymentRail::X402, "5").await, Err(OpenRefused::Off(PaymentRail::X402))));
    assert!(matches!(open(&house, PaymentRail::Crypto, "1.99").await, Err(OpenRefused::Amount(_))));
    assert!(open(&house, PaymentRail::Crypto, "3").await.is_ok());
}

async fn an_account_has_so_much_at_stake_and_no_more(on: On) {
    let house = house(on).await;
    let most = usize::try_from(limits::PAYMENTS_AT_STAKE).unwrap();
    let at_stake = |told: &Result<_, ClaimRefused>| matches!(told, Err(ClaimRefused::AtStake));
    // Each that came to nothing counts three.
    let order = house.order(PaymentRail::Crypto).await;
    house.claim(&order, "void 0").await.unwrap();
    house.topups.give_up("eip155:8453", "void 0", &why()).await.unwrap();
    for number in 0..most - 3 {
        let order = house.order(PaymentRail::Crypto).await;
        house.claim(&order, &format!("n{number}")).await.unwrap();
    }
    let next = house.order(PaymentRail::Crypto).await;
    assert!(at_stake(&house.claim(&next, "next").await));
    let same = Topups::new(house.topups.store.clone(), house.topups.clock.clone(), open_rails());
    assert!(at_stake(&same.claim(next.id, &payment("next"), nothing).await), "whoever asks");
    assert_eq!(house.state(&next).await, State::Pending);
    // Money that is there already is no fee of ours.
    house.topups.claim_carried(next.id, &payment("carried"), nothing).await.expect("it is taken");
    assert!(matches!(house.credit(&next, "carried").await.unwrap(), CreditOutcome::Now(_)));
    assert_eq!(house.posted().await, usd("5"));
    let next = house.order(PaymentRail::Crypto).await;
    assert!(at_stake(&house.claim(&next, "next").await), "nor does it make room");
    // What came is at stake no more, and what came to nothing is forgotten after an hour.
    house.credit(&order, "void 0").await.unwrap();
    house.claim(&next, "next").await.expect("nothing of it was used up");
    for number in 0..3 {
        let order = house.order(PaymentRail::Crypto).await;
        let claimed = house.claim(&order, &format!("more {number}")).await;
        assert_eq!(claimed.is_ok(), number < 2, "{claimed:?}");
    }
    house.topups.give_up("eip155:8453", "next", &why()).await.unwrap();
    assert!(at_stake(&house.claim(&next, "again").await), "one becomes three");
    house.hand.advance_ms(60 * MINUTE_MS + 1);
    let late = house.order(PaymentRail::Crypto).await;
    house.claim(&late, "late").await.unwrap();
    house.assert_clean().await;
}

/// Payments that the chain let lapse, or that somebody else was to carry, have cost nobody but their payer.
async fn payments_that_fail_without_their_payers_doing_stop_nobody(on: On) {
    let house = house(on).await;
    let most = usize::try_from(limits::PAYMENTS_AT_STAKE).unwrap();
    for (number, (fee, block)) in
        [(Some(1), None), (None, None), (None, Some(7))].into_iter().cycle().enumerate().take(most)
    {
        let (order, reference) = (house.order(PaymentRail::Crypto).await, format!("lapsed {number}"));
        let beside = async |transaction: &mut StoreTransaction, payment: &OrderPayment| {
            on_chain(transaction, payment, fee, block).await
        };
        house.topups.claim(order.id, &payment(&reference), beside).await.expect("it is taken");
        house.topups.give_up("eip155:8453", &reference, &why()).await.unwrap();
    }
    for number in 0..most / 3 {
        let (order, reference) = (house.order(PaymentRail::Crypto).await, format!("refused {number}"));
        let beside = async |transaction: &mut StoreTransaction, payment: &OrderPayment| {
            on_chain(transaction, payment, Some(1), Some(7)).await
        };
        house.topups.claim(order.id, &payment(&reference), beside).await.expect("it is taken");
        house.topups.give_up("eip155:8453", &reference, &why()).await.unwrap();
    }
    let next = house.order(PaymentRail::Crypto).await;
    let refused = house.claim(&next, "next").await;
    assert!(matches!(refused, Err(ClaimRefused::AtStake)), "what a block refused counts three each: {refused:?}");
    house.assert_clean().await;
}

on_both!(
    payments_that_fail_without_their_payers_doing_stop_nobody,
    an_account_has_so_much_at_stake_and_no_more,
    a_payment_is_claimed_comes_and_is_credited_once,
    an_order_refuses_what_it_cannot_take_and_stays_as_it_is,
    what_is_written_beside_a_claim_is_there_with_it_or_not_at_all,
    a_payment_that_is_given_up_leaves_the_order_to_wait_or_fails_it,
    money_counts_however_late_and_whatever_the_order_has_come_to,
    a_second_payment_of_an_order_is_set_aside,
    of_twenty_reports_at_once_one_credits,
    three_orders_of_an_agent_wait_at_most_and_each_place_comes_free_again,
    an_order_keeps_to_the_rails_and_their_bounds,
);
