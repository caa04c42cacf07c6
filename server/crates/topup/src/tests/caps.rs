//! Orders of an agent count against its caps.

use super::*;
use tollgate_base::AgentId;
use tollgate_store::Store;

const DAY_MS: i64 = 86_400_000;

/// An agent of the house's account with caps for an order, a day and its life, in nano-USD.
async fn agent(house: &House, [order, day, life]: [Option<&str>; 3]) -> AgentId {
    let nanos = |cap: Option<&str>| cap.map(|cap| usd(cap).nanos());
    let agent = "INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, cap_order, cap_day, cap_life, created_at) \
        VALUES (5, $1, 1, 'evm', '0x00000000000000000000000000000000000000aa', 'bot', 'nonce-05', 'active', $2, $3, $4, 1)";
    let mut transaction = house.topups.store.begin().await.unwrap();
    let made = query(agent).bind(house.account.0).bind(nanos(order)).bind(nanos(day)).bind(nanos(life));
    made.execute(&mut transaction).await.unwrap();
    transaction.commit().await.unwrap();
    AgentId(5)
}

async fn order(house: &House, agent: AgentId, amount: &str) -> Result<CreditOrder, OpenRefused> {
    let new = NewOrder { account: house.account, agent: Some(agent), rail: PaymentRail::Crypto, amount: usd(amount) };
    house.topups.open(new).await
}

fn exceeded(refused: ClaimRefused) -> (CapSpan, Usd) {
    match refused {
        ClaimRefused::Cap(CapExceeded { of, cap }) => (of, cap),
        other => panic!("{other}"),
    }
}

async fn what_is_on_its_way_counts_and_what_does_not_come_is_given_back(on: On) {
    let house = house(on).await;
    let agent = agent(&house, [Some("5"), Some("8"), Some("12")]).await;
    let orders = [order(&house, agent, "5").await.unwrap(), order(&house, agent, "5").await.unwrap()];
    house.claim(&orders[0], "n1").await.unwrap();
    let refused = house.claim(&orders[1], "n2").await.unwrap_err();
    assert_eq!((exceeded(refused), house.state(&orders[1]).await), ((CapSpan::Day, usd("8")), State::Pending));
    assert_eq!(house.topups.give_up("eip155:8453", "n1", &why()).await.unwrap(), GiveUpOutcome::Waits);
    house.claim(&orders[1], "n2").await.unwrap();
    assert!(matches!(house.credit(&orders[1], "n2").await.unwrap(), CreditOutcome::Now(_)));
    assert_eq!(exceeded(house.claim(&orders[0], "n3").await.unwrap_err()), (CapSpan::Day, usd("8")));
    house.assert_clean().await;
    // Another day, and the rest of the life.
    house.hand.advance_ms(DAY_MS);
    let (next, last) = (order(&house, agent, "5").await.unwrap(), order(&house, agent, "3").await.unwrap());
    house.claim(&next, "n4").await.unwrap();
    house.credit(&next, "n4").await.unwrap();
    assert_eq!(exceeded(house.claim(&last, "n5").await.unwrap_err()), (CapSpan::Life, usd("12")));
    assert_eq!(house.posted().await, usd("10"));
    house.assert_clean().await;
}

async fn an_order_that_its_agent_may_never_pay_is_not_made(on: On) {
    let house = house(on).await;
    let agent = agent(&house, [Some("5"), Some("4"), Some("3")]).await;
    for (amount, of) in [("5.5", CapSpan::Order), ("4.5", CapSpan::Day), ("3.5", CapSpan::Life)] {
        let told = order(&house, agent, amount).await;
        assert!(matches!(told, Err(OpenRefused::Cap(exceeded)) if exceeded.of == of), "{amount}: {told:?}");
    }
    assert!(order(&house, agent, "3").await.is_ok());
    let new = NewOrder { account: house.account, agent: Some(agent), rail: PaymentRail::Ewallet, amount: usd("1") };
    assert!(house.topups.open(new).await.is_err(), "an e-wallet is nobody's agent");
}

async fn money_that_is_there_counts_above_a_cap(on: On) {
    let house = house(on).await;
    let agent = agent(&house, [None, Some("6"), None]).await;
    let (first, second) = (order(&house, agent, "5").await.unwrap(), order(&house, agent, "5").await.unwrap());
    house.claim(&first, "n1").await.unwrap();
    house.credit(&first, "n1").await.unwrap();
    assert_eq!(exceeded(house.claim(&second, "n2").await.unwrap_err()), (CapSpan::Day, usd("6")));
    house.topups.claim_carried(second.id, &payment("n2"), nothing).await.unwrap();
    assert!(matches!(house.credit(&second, "n2").await.unwrap(), CreditOutcome::Now(_)));
    let third = order(&house, agent, "1").await.unwrap();
    assert_eq!(exceeded(house.claim(&third, "n3").await.unwrap_err()), (CapSpan::Day, usd("6")));
    assert_eq!(house.posted().await, usd("10"));
    house.assert_clean().await;
}

async fn money_that_comes_late_counts_above_a_cap(on: On) {
    let house = house(on).await;
    let agent = agent(&house, [None, Some("6"), None]).await;
    let (first, second) = (order(&house, agent, "5").await.unwrap(), order(&house, agent, "5").await.unwrap());
    house.claim(&first, "n1").await.unwrap();
    house.hand.advance_ms(10 * MINUTE_MS);
    assert_eq!(house.topups.give_up("eip155:8453", "n1", &why()).await.unwrap(), GiveUpOutcome::Failed);
    house.topups.expire_lapsed().await.unwrap();
    for (order, reference) in [(&first, "n1"), (&second, "n2")] {
        assert!(matches!(house.credit(order, reference).await.unwrap(), CreditOutcome::Now(_)));
    }
    let third = order(&house, agent, "1").await.unwrap();
    assert_eq!(exceeded(house.claim(&third, "n3").await.unwrap_err()), (CapSpan::Day, usd("6")));
    assert_eq!(house.posted().await, usd("10"));
    house.assert_clean().await;
}

/// Another server on the same ledger; a file has one.
async fn second(house: &House, on: On) -> Topups {
    match on {
        On::File => house.topups.clone(),
        On::Server => {
            let store = Store::open(&house.config, &house.topups.clock).await.unwrap();
            Topups::new(store, house.topups.clock.clone(), open_rails())
        }
    }
}

/// Sixty-four orders over five dollars are claimed at once, every second one on another server; what becomes of each.
async fn sixty_four_claims(house: &House, on: On, orders: Vec<CreditOrder>) -> Vec<Result<PaymentClaim, ClaimRefused>> {
    let second = second(house, on).await;
    assert_eq!(orders.len(), 64);
    let mut payers = JoinSet::new();
    for (payer, order) in orders.into_iter().enumerate() {
        let topups = if payer % 2 == 0 { house.topups.clone() } else { second.clone() };
        payers.spawn(async move { topups.claim(order.id, &payment(&format!("n{payer}")), nothing).await });
    }
    payers.join_all().await
}

async fn sixty_four_orders(house: &House, agent: AgentId) -> Vec<CreditOrder> {
    let mut orders = Vec::new();
    for _ in 0..64 {
        orders.push(order(house, agent, "5").await.unwrap());
    }
    orders
}

async fn of_sixty_four_payments_at_once_on_two_servers_as_many_go_as_the_cap_holds(on: On) {
    for (caps, of) in
        [([None, Some("17"), Some("100")], CapSpan::Day), ([None, Some("100"), Some("17")], CapSpan::Life)]
    {
        let house = house(on).await;
        let agent = agent(&house, caps).await;
        let orders = sixty_four_orders(&house, agent).await;
        let told = sixty_four_claims(&house, on, orders).await;
        let (taken, refused): (Vec<_>, Vec<_>) = told.into_iter().partition(Result::is_ok);
        assert_eq!(taken.len(), 3, "{of}");
        assert!(
            refused.iter().all(|told| matches!(told, Err(ClaimRefused::Cap(told)) if told.of == of)),
            "{refused:?}"
        );
        for claimed in taken {
            let PaymentClaim { order, payment } = claimed.unwrap();
            house.topups.credit(&ConfirmedPayment { order: order.id, payment: payment.new }).await.unwrap();
        }
        assert_eq!(house.posted().await, usd("15"));
        house.assert_clean().await;
    }
}

/// Sets the cap of an agent for a day, in nano-USD.
async fn set_day(house: &House, agent: AgentId, cap: Option<i64>) {
    let mut transaction = house.topups.store.begin().await.unwrap();
    let capped = query("UPDATE agents SET cap_day = $2 WHERE id = $1").bind(agent.0).bind(cap);
    capped.execute(&mut transaction).await.unwrap();
    transaction.commit().await.unwrap();
}

/// Twenty-four at once on both servers, day after day, for a cap that lets so many of them go.
async fn day_after_day_exactly_as_many_payments_go_as_the_cap_of_the_agent_holds(on: On) {
    let house = house(on).await;
    let second = second(&house, on).await;
    let agent = agent(&house, [None, None, None]).await;
    let mut credited = 0;
    for run in 0..100 {
        let fits = run * 7 % 13;
        let mut orders = Vec::new();
        for _ in 0..24 {
            orders.push(order(&house, agent, "5").await.unwrap());
        }
        // Not quite one more.
        let cap = i64::try_from(fits).unwrap() * usd("5").nanos() + usd("4.999999999").nanos();
        set_day(&house, agent, Some(cap)).await;
        let mut payers = JoinSet::new();
        for (payer, order) in orders.into_iter().enumerate() {
            let topups = if payer % 2 == 0 { house.topups.clone() } else { second.clone() };
            let name = format!("n{run}-{payer}");
            payers.spawn(async move { topups.claim(order.id, &payment(&name), nothing).await });
        }
        let (taken, refused): (Vec<_>, Vec<_>) = payers.join_all().await.into_iter().partition(Result::is_ok);
        assert_eq!(taken.len(), fits, "run {run}");
        for refused in refused {
            assert_eq!(exceeded(refused.unwrap_err()), (CapSpan::Day, Usd::from_nanos(cap)), "run {run}");
        }
        for claimed in taken {
            let PaymentClaim { order, payment } = claimed.unwrap();
            second.credit(&ConfirmedPayment { order: order.id, payment: payment.new }).await.unwrap();
        }
        credited += fits;
        // The next orders are made before their cap is set.
        set_day(&house, agent, None).await;
        house.hand.advance_ms(DAY_MS);
    }
    assert_eq!(house.posted().await.nanos(), i64::try_from(credited).unwrap() * usd("5").nanos());
    house.assert_clean().await;
}

/// A cap of one order may be lowered under orders that are made: from then on none of them goes, on whatever server.
async fn of_sixty_four_payments_at_once_none_goes_above_a_cap_that_was_lowered(on: On) {
    let house = house(on).await;
    let agent = agent(&house, [Some("5"), None, None]).await;
    let orders = sixty_four_orders(&house, agent).await;
    let mut transaction = house.topups.store.begin().await.unwrap();
    let lowered =
        query("UPDATE agents SET cap_order = $2 WHERE id = $1").bind(agent.0).bind(usd("4.999999999").nanos());
    lowered.execute(&mut transaction).await.unwrap();
    transaction.commit().await.unwrap();
    let told = sixty_four_claims(&house, on, orders).await;
    let is_refused =
        |told: &Result<_, ClaimRefused>| matches!(told, Err(ClaimRefused::Cap(told)) if told.of == CapSpan::Order);
    assert!(told.iter().all(is_refused), "{told:?}");
    assert_eq!(house.posted().await, Usd::ZERO);
    house.assert_clean().await;
}

on_both!(
    what_is_on_its_way_counts_and_what_does_not_come_is_given_back,
    an_order_that_its_agent_may_never_pay_is_not_made,
    money_that_is_there_counts_above_a_cap,
    money_that_comes_late_counts_above_a_cap,
    of_sixty_four_payments_at_once_on_two_servers_as_many_go_as_the_cap_holds,
    day_after_day_exactly_as_many_payments_go_as_the_cap_of_the_agent_holds,
    of_sixty_four_payments_at_once_none_goes_above_a_cap_that_was_lowered,
);
