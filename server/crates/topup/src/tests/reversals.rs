//! Money that was set aside and that a person decides on, and money that went back to whoever paid.

use super::*;

impl House {
    /// A payment of an order that other money has paid, by its number.
    async fn set_aside(&self, rail: PaymentRail, name: &str) -> (CreditOrder, i64) {
        let order = self.order(rail).await;
        self.credit(&order, &format!("{name} first")).await.unwrap();
        let second = format!("{name} second");
        assert!(matches!(self.credit(&order, &second).await.unwrap(), CreditOutcome::SetAside(_)));
        (order, self.number_of(&second).await)
    }

    pub(super) async fn number_of(&self, reference: &str) -> i64 {
        let row = query("SELECT id FROM payments WHERE reference = $1").bind(reference);
        row.fetch_one(self.topups.store.readers()).await.unwrap().try_get(0).unwrap()
    }

    async fn resolve(
        &self,
        payment: i64,
        credit: Option<CreditAmount>,
    ) -> Result<ResolvedPayment, PaymentResolveRefused> {
        self.topups.resolve(ResolveRequest { payment, credit, actor: "test".into(), reason: "looked at" }).await
    }

    async fn back(
        &self,
        of: &str,
        by: ReversalParty,
        amount: Option<&str>,
        idem: &str,
    ) -> Result<PaymentReversal, PaymentReversalRefused> {
        let amount = amount.map(usd);
        self.topups
            .reverse(PaymentReversalRequest { of, by, amount, idem, actor: "test".into(), reason: "a dispute" })
            .await
    }

    async fn spend(&self, amount: &str) {
        let ask = TakeBackRequest {
            account: self.account,
            amount: usd(amount),
            debt: false,
            idem: &format!("spent {amount}"),
            actor: "test".into(),
            reason: "as if spent",
        };
        assert_eq!(self.books.take(ask).await.unwrap().taken, usd(amount));
    }

    async fn owes(&self) -> Usd {
        self.books.debt(self.account).await.unwrap()
    }

    async fn stands(&self, code: &str) -> i128 {
        self.books.audit().await.unwrap().house[code]
    }
}

async fn what_was_set_aside_is_credited_out_of_clearing_once(on: On) {
    let house = house(on).await;
    let (order, payment) = house.set_aside(PaymentRail::Ewallet, "p").await;
    let waits = house.topups.unresolved().await.unwrap();
    assert_eq!(waits.iter().map(|waits| (waits.id, waits.order)).collect::<Vec<_>>(), [(payment, order.id)]);
    let resolved = house.resolve(payment, Some(CreditAmount::OfOrder)).await.unwrap();
    assert_eq!((resolved.resolution, resolved.account), (Resolution::Credit(usd("5")), house.account));
    assert_eq!((house.posted().await, house.stands("clearing:ewallet").await), (usd("10"), -10_000_000_000));
    let again = house.resolve(payment, Some(CreditAmount::OfOrder)).await.unwrap();
    assert_eq!(again, ResolvedPayment { repeated: true, ..resolved });
    let others = [None, Some(CreditAmount::Exactly(usd("4")))];
    for other in others {
        let refused = house.resolve(payment, other).await.unwrap_err();
        assert!(matches!(refused, PaymentResolveRefused::Otherwise(Resolution::Credit(_))), "{refused:?}");
    }
    assert_eq!((house.posted().await, house.noted("payment.resolve").await), (usd("10"), 1));
    assert!(house.topups.unresolved().await.unwrap().is_empty());
    house.assert_clean().await;
}

async fn what_was_returned_is_closed_and_credits_nothing(on: On) {
    let house = house(on).await;
    let (_, payment) = house.set_aside(PaymentRail::Crypto, "p").await;
    let resolved = house.resolve(payment, None).await.unwrap();
    assert_eq!((resolved.resolution, resolved.credit, resolved.repeated), (Resolution::Returned, None, false));
    assert!(house.resolve(payment, None).await.unwrap().repeated);
    let refused = house.resolve(payment, Some(CreditAmount::OfOrder)).await.unwrap_err();
    assert!(matches!(refused, PaymentResolveRefused::Otherwise(Resolution::Returned)));
    let refused = house.back(&payment.to_string(), ReversalParty::Operator, None, "a").await.unwrap_err();
    assert!(matches!(refused, PaymentReversalRefused::NotCredited(_)), "{refused:?}");
    assert_eq!((house.posted().await, house.stands("clearing:crypto").await), (usd("5"), -5_000_000_000));
    house.assert_clean().await;
}

async fn a_person_decides_on_what_came_and_on_nothing_else(on: On) {
    let house = house(on).await;
    assert!(matches!(house.resolve(7, None).await.unwrap_err(), PaymentResolveRefused::NoSuchPayment(7)));
    let order = house.order(PaymentRail::Crypto).await;
    house.claim(&order, "n1").await.unwrap();
    let payment = house.number_of("n1").await;
    assert!(matches!(house.resolve(payment, None).await.unwrap_err(), PaymentResolveRefused::OnItsWay));
    house.credit(&order, "n1").await.unwrap();
    let refused = house.resolve(payment, Some(CreditAmount::OfOrder)).await.unwrap_err();
    assert!(matches!(refused, PaymentResolveRefused::Credited(id) if id == order.id));
    let (_, aside) = house.set_aside(PaymentRail::Crypto, "p").await;
    for amount in ["0", "-1", "5.000000001"] {
        let refused = house.resolve(aside, Some(CreditAmount::Exactly(usd(amount)))).await.unwrap_err();
        assert!(matches!(refused, PaymentResolveRefused::AmountOutOfRange { max } if max == usd("5")), "{refused:?}");
    }
    house.resolve(aside, Some(CreditAmount::Exactly(usd("4.5")))).await.unwrap();
    assert_eq!(house.posted().await, usd("14.5"));
    // One that was given up, and that came in a way that only a person sees: from then on nothing else credits it.
    let order = house.order(PaymentRail::Crypto).await;
    house.claim(&order, "n2").await.unwrap();
    house.topups.give_up("eip155:8453", "n2", &why()).await.unwrap();
    house.resolve(house.number_of("n2").await, Some(CreditAmount::OfOrder)).await.unwrap();
    assert!(matches!(house.credit(&order, "n2").await.unwrap(), CreditOutcome::SetAside(_)));
    assert_eq!(house.posted().await, usd("19.5"));
    house.assert_clean().await;
}

/// What its payer signed is over for a day, whatever the nodes show: nobody has to wait for it any more.
async fn a_person_decides_on_what_a_chain_has_not_shown_for_days(on: On) {
    let house = house(on).await;
    let (order, other) = (house.order(PaymentRail::Crypto).await, house.order(PaymentRail::Ewallet).await);
    house.claim(&order, "n1").await.unwrap();
    house.claim(&other, "n2").await.unwrap();
    let [payment, at_a_provider] = [house.number_of("n1").await, house.number_of("n2").await];
    house.hand.advance_ms(2 * 24 * 60 * MINUTE_MS - 1);
    let refused = house.resolve(payment, Some(CreditAmount::OfOrder)).await.unwrap_err();
    assert!(matches!(refused, PaymentResolveRefused::OnItsWay), "{refused:?}");
    house.hand.advance_ms(1);
    let refused = house.resolve(at_a_provider, Some(CreditAmount::OfOrder)).await.unwrap_err();
    assert!(matches!(refused, PaymentResolveRefused::OnItsWay), "{refused:?}");
    let resolved = house.resolve(payment, Some(CreditAmount::OfOrder)).await.unwrap();
    assert_eq!((resolved.resolution, resolved.repeated), (Resolution::Credit(usd("5")), false));
    assert!(house.resolve(payment, Some(CreditAmount::OfOrder)).await.unwrap().repeated);
    let order = house.topups.order(order.id).await.unwrap().unwrap();
    assert_eq!((order.state, order.state_at(house.topups.now_ms())), (State::Failed, State::Success));
    // Whatever a chain shows afterwards is that money.
    assert!(matches!(house.credit(&order, "n1").await.unwrap(), CreditOutcome::SetAside(_)));
    assert_eq!((house.posted().await, house.noted("payment.resolve").await), (usd("5"), 1));
    house.assert_clean().await;
}

/// A client that polls it sees that it was paid, and the credit; its row stays as it ended, and later money counts for itself.
async fn an_order_is_told_as_paid_once_a_person_has_credited_it(on: On) {
    let house = house(on).await;
    let find = async |order: &CreditOrder| house.topups.order(order.id).await.unwrap().unwrap();
    let told = async |order: &CreditOrder| {
        let order = find(order).await;
        (order.state, order.state_at(house.topups.now_ms()), order.credited())
    };
    let (waits, fails) = (house.order(PaymentRail::Crypto).await, house.order(PaymentRail::X402).await);
    house.claim(&waits, "n1").await.unwrap();
    house.topups.give_up("eip155:8453", "n1", &why()).await.unwrap();
    assert_eq!(told(&waits).await, (State::Pending, State::Pending, None));
    house.resolve(house.number_of("n1").await, Some(CreditAmount::OfOrder)).await.unwrap();
    assert_eq!(told(&waits).await, (State::Pending, State::Success, Some((usd("5"), Some(START_MS)))));
    house.claim(&fails, "n2").await.unwrap();
    house.hand.advance_ms(11 * MINUTE_MS);
    house.topups.give_up("eip155:8453", "n2", &why()).await.unwrap();
    assert_eq!(told(&fails).await, (State::Failed, State::Failed, None));
    let at_ms = START_MS + 12 * MINUTE_MS;
    house.hand.advance_ms(MINUTE_MS);
    house.resolve(house.number_of("n2").await, Some(CreditAmount::Exactly(usd("4.5")))).await.unwrap();
    assert_eq!(told(&fails).await, (State::Failed, State::Success, Some((usd("4.5"), Some(at_ms)))));
    assert_eq!(told(&waits).await.1, State::Success, "also once its time is over");
    assert_eq!(house.topups.debt_paid(&find(&fails).await).await.unwrap(), Usd::ZERO);
    // Other money that comes late is credited as ever.
    assert!(matches!(house.credit(&fails, "n3").await.unwrap(), CreditOutcome::Now(_)));
    assert_eq!(told(&fails).await, (State::Success, State::Success, Some((usd("5"), Some(at_ms)))));
    // What was given back to its payer is no credit.
    let returned = house.order(PaymentRail::Crypto).await;
    house.claim(&returned, "n4").await.unwrap();
    house.topups.give_up("eip155:8453", "n4", &why()).await.unwrap();
    house.resolve(house.number_of("n4").await, None).await.unwrap();
    assert_eq!(told(&returned).await, (State::Pending, State::Pending, None));
    assert_eq!(house.posted().await, usd("14.5"));
    house.assert_clean().await;
}

/// The part of an operator's credit that pays a debt is shown with its order.
async fn what_a_decision_pays_of_a_debt_is_told_with_the_order(on: On) {
    let house = house(on).await;
    let first = house.order(PaymentRail::Crypto).await;
    house.credit(&first, "n1").await.unwrap();
    house.spend("3").await;
    house.back(&first.trade_no, ReversalParty::Provider, None, "back").await.unwrap();
    assert_eq!(house.owes().await, usd("3"));
    let order = house.order(PaymentRail::Crypto).await;
    house.claim(&order, "n2").await.unwrap();
    house.topups.give_up("eip155:8453", "n2", &why()).await.unwrap();
    house.resolve(house.number_of("n2").await, Some(CreditAmount::OfOrder)).await.unwrap();
    let order = house.topups.order(order.id).await.unwrap().unwrap();
    assert_eq!(house.topups.debt_paid(&order).await.unwrap(), usd("3"));
    assert_eq!((house.posted().await, house.owes().await), (usd("2"), Usd::ZERO));
    house.assert_clean().await;
}

async fn what_went_back_is_taken_in_parts_and_never_more_than_was_credited(on: On) {
    let house = house(on).await;
    let order = house.order(PaymentRail::Ewallet).await;
    let early = house.back(&order.trade_no, ReversalParty::Operator, None, "early").await.unwrap_err();
    assert!(matches!(early, PaymentReversalRefused::NotCredited(_)), "{early:?}");
    house.credit(&order, "p1").await.unwrap();
    let part = house.back(&order.trade_no, ReversalParty::Operator, Some("2"), "a").await.unwrap();
    assert_eq!((part.credited, part.reversed, part.reversal.taken), (usd("5"), usd("2"), usd("2")));
    let again = house.back(&order.id.to_string(), ReversalParty::Operator, Some("2"), "a").await.unwrap();
    assert_eq!((again.reversal.repeated, again.reversal.id, again.reversed), (true, part.reversal.id, usd("2")));
    for amount in ["0", "-1", "3.000000001"] {
        let refused = house.back(&order.trade_no, ReversalParty::Provider, Some(amount), "b").await.unwrap_err();
        assert!(matches!(refused, PaymentReversalRefused::AmountOutOfRange { .. }), "{amount}: {refused:?}");
    }
    // Another amount, another reason, another who, under the same key.
    let other = house.back(&order.trade_no, ReversalParty::Operator, Some("1"), "a").await.unwrap_err();
    assert!(matches!(other, PaymentReversalRefused::Refused(ReversalRefused::Conflict(_))), "{other:?}");
    let payment = house.number_of("p1").await.to_string();
    let rest = house.back(&payment, ReversalParty::Provider, None, "c").await.unwrap();
    assert_eq!((rest.reversal.amount, rest.reversed), (usd("3"), usd("5")));
    let again = house.back(&payment, ReversalParty::Provider, None, "c").await.unwrap();
    assert!(again.reversal.repeated, "what was left then");
    let more = house.back(&payment, ReversalParty::Provider, None, "d").await.unwrap_err();
    assert!(matches!(more, PaymentReversalRefused::AmountOutOfRange { .. }), "{more:?}");
    let nobody = house.back("tg nobody", ReversalParty::Operator, None, "e").await.unwrap_err();
    assert!(matches!(nobody, PaymentReversalRefused::NoSuchPayment(_)), "{nobody:?}");
    assert_eq!((house.posted().await, house.stands("clearing:ewallet").await), (Usd::ZERO, 0));
    assert_eq!((house.noted("payment.refund").await, house.noted("payment.chargeback").await), (1, 1));
    house.assert_clean().await;
}

async fn a_chargeback_of_what_is_spent_is_a_debt_that_the_next_payment_pays(on: On) {
    let house = house(on).await;
    let order = house.order(PaymentRail::Crypto).await;
    house.credit(&order, "p1").await.unwrap();
    house.spend("4").await;
    let back = house.back(&order.trade_no, ReversalParty::Provider, None, "a").await.unwrap();
    assert_eq!((back.reversal.taken, back.reversal.debt, house.owes().await), (usd("1"), usd("4"), usd("4")));
    assert_eq!((house.stands("clearing:crypto").await, house.stands("debts").await), (0, -4_000_000_000));
    house.assert_clean().await;
    let next = house.order(PaymentRail::X402).await;
    house.credit(&next, "p2").await.unwrap();
    assert_eq!((house.posted().await, house.owes().await), (usd("1"), Usd::ZERO));
    assert_eq!(house.topups.debt_paid(&next).await.unwrap(), usd("4"), "it is told with its order");
    assert_eq!(house.topups.debt_paid(&order).await.unwrap(), Usd::ZERO);
    // What a person credits pays too.
    house.back(&next.trade_no, ReversalParty::Provider, None, "b").await.unwrap();
    let (_, aside) = house.set_aside(PaymentRail::Crypto, "p").await;
    house.spend("1").await;
    house.back(&house.number_of("p first").await.to_string(), ReversalParty::Provider, None, "c").await.unwrap();
    let resolved = house.resolve(aside, Some(CreditAmount::OfOrder)).await.unwrap();
    assert_eq!((resolved.credit.unwrap().debt_paid, house.posted().await), (usd("5"), Usd::ZERO));
    house.assert_clean().await;
}

/// Both payments of an order were credited, the second by a person: which one went back has to be said.
async fn an_order_with_two_credited_payments_names_them(on: On) {
    let house = house(on).await;
    let (order, second) = house.set_aside(PaymentRail::Crypto, "p").await;
    house.resolve(second, Some(CreditAmount::Exactly(usd("3")))).await.unwrap();
    let refused = house.back(&order.trade_no, ReversalParty::Operator, None, "a").await.unwrap_err();
    assert!(matches!(&refused, PaymentReversalRefused::Several(payments) if payments.contains(&second)), "{refused:?}");
    let back = house.back(&second.to_string(), ReversalParty::Operator, None, "a").await.unwrap();
    assert_eq!((back.credited, back.reversal.amount), (usd("3"), usd("3")));
    assert_eq!((house.posted().await, house.stands("clearing:crypto").await), (usd("5"), -5_000_000_000));
    house.assert_clean().await;
}

async fn of_twenty_at_once_one_is_booked(on: On) {
    let house = Arc::new(house(on).await);
    let (order, aside) = house.set_aside(PaymentRail::Crypto, "p").await;
    let first = house.number_of("p first").await.to_string();
    let mut asks = JoinSet::new();
    for ask in 0..20 {
        let (house, first) = (house.clone(), first.clone());
        asks.spawn(async move {
            match ask % 2 {
                0 => house.resolve(aside, Some(CreditAmount::OfOrder)).await.unwrap().repeated,
                _ => house.back(&first, ReversalParty::Provider, None, "race").await.unwrap().reversal.repeated,
            }
        });
    }
    let told = asks.join_all().await;
    assert_eq!(told.iter().filter(|repeated| !**repeated).count(), 2, "{told:?}");
    assert_eq!((house.posted().await, house.owes().await), (usd("5"), Usd::ZERO));
    assert_eq!(house.state(&order).await, State::Success);
    house.assert_clean().await;
}

on_both!(
    what_was_set_aside_is_credited_out_of_clearing_once,
    what_was_returned_is_closed_and_credits_nothing,
    a_person_decides_on_what_came_and_on_nothing_else,
    a_person_decides_on_what_a_chain_has_not_shown_for_days,
    an_order_is_told_as_paid_once_a_person_has_credited_it,
    what_a_decision_pays_of_a_debt_is_told_with_the_order,
    what_went_back_is_taken_in_parts_and_never_more_than_was_credited,
    a_chargeback_of_what_is_spent_is_a_debt_that_the_next_payment_pays,
    an_order_with_two_credited_payments_names_them,
    of_twenty_at_once_one_is_booked,
);
