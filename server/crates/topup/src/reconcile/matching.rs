//! Matching transfers of a chain with payments of the ledger.

use std::collections::BTreeMap;

use crate::x402::SeenTransfer;
use tollgate_api::generated::machines::payment::State;

use super::sql::LedgerPayment;

/// The transfers of a chain matched with the payments of the ledger. Each transfer and each payment is in one place at most.
#[derive(Debug, Default)]
pub(super) struct MatchResult<'a> {
    /// The number of payments that are the same on both sides.
    pub(super) matched: usize,
    /// Payments that the service may still credit by itself, and whose transfers are there.
    pub(super) under_way: Vec<&'a LedgerPayment>,
    /// Transfers that no payment of the ledger is; with a payment that was given up and is alike.
    pub(super) not_credited: Vec<(&'a SeenTransfer, Option<&'a LedgerPayment>)>,
    /// Payments that were credited, and whose transaction has moved another amount.
    pub(super) differing: Vec<(&'a SeenTransfer, &'a LedgerPayment)>,
    /// Payments that were credited, and that not every node has told: each node is asked about these.
    pub(super) doubtful: Vec<&'a LedgerPayment>,
    /// Payments that were charged back whole, and whose transfer is there.
    pub(super) charged_back: Vec<(&'a SeenTransfer, &'a LedgerPayment)>,
    /// Payments that were charged back whole, and whose transfer is not there by the transaction of the credit.
    pub(super) charged_back_unseen: Vec<&'a LedgerPayment>,
}

/// Transfers that are no payment yet, by their transaction.
type UnmatchedTransfers<'a> = BTreeMap<&'a str, Vec<&'a SeenTransfer>>;

/// Compares the transfers that `answered` nodes tell with payments of the same chain.
pub(super) fn matched<'a>(
    transfers: &'a [SeenTransfer],
    payments: &'a [LedgerPayment],
    answered: usize,
) -> MatchResult<'a> {
    let mut free: UnmatchedTransfers<'a> = BTreeMap::new();
    for seen in transfers {
        free.entry(&seen.transfer.transaction).or_default().push(seen);
    }
    let mut told = MatchResult::default();
    let rest = booked(&mut free, &mut told, payments, answered);
    let by_hand = differing(&mut free, &mut told, rest);
    decided_by_hand(&mut free, &mut told, by_hand);
    for payment in payments.iter().filter(|payment| payment.is_open()) {
        if take_alike(&mut free, payment).is_some() {
            told.under_way.push(payment);
        }
    }
    let mut given_up: Vec<&LedgerPayment> =
        payments.iter().filter(|payment| payment.state == State::Void && !payment.is_open()).collect();
    for seen in free.into_values().flatten() {
        let alike = given_up.iter().position(|payment| is_alike(seen, payment));
        told.not_credited.push((seen, alike.map(|index| given_up.swap_remove(index))));
    }
    told
}

/// Matches payments that came, each by its transaction and its exact amount, the earliest first. Of several that name one transfer,
/// it backs one. Returns the unmatched ones.
fn booked<'a>(
    free: &mut UnmatchedTransfers<'a>,
    told: &mut MatchResult<'a>,
    payments: &'a [LedgerPayment],
    answered: usize,
) -> Vec<&'a LedgerPayment> {
    let mut came: Vec<_> =
        payments.iter().filter(|payment| matches!(payment.state, State::Paid | State::Surplus)).collect();
    came.sort_by_key(|payment| payment.order_of_coming());
    let mut rest = Vec::new();
    for payment in came {
        let exact =
            |seen: &SeenTransfer| seen.transfer.asset == payment.asset && Some(seen.transfer.amount) == payment.amount;
        match take(free, payment.transaction(), exact) {
            Some(seen) if payment.is_charged_back() => told.charged_back.push((seen, payment)),
            Some(seen) if seen.told_by < answered && payment.is_credited() => told.doubtful.push(payment),
            Some(_) => told.matched += 1,
            None => rest.push(payment),
        }
    }
    rest
}

/// Matches payments whose transaction has moved another amount. For one that was set aside, that is mostly the reason. Returns
/// those that an operator has decided on without a transaction.
fn differing<'a>(
    free: &mut UnmatchedTransfers<'a>,
    told: &mut MatchResult<'a>,
    rest: Vec<&'a LedgerPayment>,
) -> Vec<&'a LedgerPayment> {
    let mut by_hand = Vec::new();
    for payment in rest {
        match take(free, payment.transaction(), |seen| seen.transfer.asset == payment.asset) {
            Some(_) if payment.state == State::Surplus => told.matched += 1,
            Some(seen) if payment.is_credited() => told.differing.push((seen, payment)),
            None if payment.is_by_hand() => by_hand.push(payment),
            None if payment.is_credited() => told.doubtful.push(payment),
            None if payment.is_charged_back() => told.charged_back_unseen.push(payment),
            Some(_) | None => {}
        }
    }
    by_hand
}

/// Matches payments that an operator has credited or sent back: the transfer of each is the one that is alike.
fn decided_by_hand<'a>(free: &mut UnmatchedTransfers<'a>, told: &mut MatchResult<'a>, by_hand: Vec<&'a LedgerPayment>) {
    for payment in by_hand {
        match take_alike(free, payment) {
            Some(seen) if payment.is_charged_back() => told.charged_back.push((seen, payment)),
            Some(_) => told.matched += 1,
            None if payment.is_credited() => told.doubtful.push(payment),
            None => {}
        }
    }
}

fn take<'a>(
    free: &mut UnmatchedTransfers<'a>,
    transaction: &str,
    fits: impl Fn(&SeenTransfer) -> bool,
) -> Option<&'a SeenTransfer> {
    let of_it = free.get_mut(transaction)?;
    let index = of_it.iter().position(|seen| fits(seen))?;
    Some(of_it.remove(index))
}

/// Takes the transfer of a payment by its transaction, or if that is not known yet, by what was signed.
fn take_alike<'a>(free: &mut UnmatchedTransfers<'a>, payment: &LedgerPayment) -> Option<&'a SeenTransfer> {
    if let Some(seen) = take(free, payment.transaction(), |seen| seen.transfer.asset == payment.asset) {
        return Some(seen);
    }
    let of_it = free.values_mut().find(|of_it| of_it.iter().any(|seen| is_alike(seen, payment)))?;
    let index = of_it.iter().position(|seen| is_alike(seen, payment))?;
    Some(of_it.remove(index))
}

fn is_alike(seen: &SeenTransfer, payment: &LedgerPayment) -> bool {
    let transfer = &seen.transfer;
    transfer.asset == payment.asset
        && Some(transfer.amount) == payment.amount
        && transfer.payer.is_some()
        && transfer.payer == payment.payer
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_base::{AccountId, OrderId, Usd};
    use tollgate_chains::IncomingTransfer;

    fn seen(transaction: &str, payer: &str, amount: u128, told_by: usize) -> SeenTransfer {
        let (place, at_seconds, memo) = (Some(amount.try_into().unwrap()), None, None);
        let (transaction, asset, payer) = (transaction.to_owned(), "coin".to_owned(), Some(payer.to_owned()));
        SeenTransfer {
            transfer: IncomingTransfer { transaction, place, asset, payer, amount, block: 1, at_seconds, memo },
            told_by,
        }
    }

    fn payment(id: i64, state: State, receipt: Option<&str>, payer: &str, amount: u128) -> LedgerPayment {
        LedgerPayment {
            id,
            reference: format!("reference {id}"),
            state,
            asset: "coin".to_owned(),
            amount: Some(amount),
            payer: Some(payer.to_owned()),
            receipt: receipt.map(str::to_owned),
            order: OrderId(id),
            account: AccountId(1),
            claimed_at_ms: 1,
            decided_at_ms: Some(1),
            is_resolved_as_credit: false,
            credited: Usd::from_nanos(5),
            reversed: Usd::ZERO,
            charged_back: Usd::ZERO,
            is_looked_for: false,
        }
    }

    fn ids(payments: &[&LedgerPayment]) -> Vec<i64> {
        payments.iter().map(|payment| payment.id).collect()
    }

    #[test]
    fn a_transaction_with_several_transfers_is_several_payments() {
        let transfers = [seen("t", "a", 5, 2), seen("t", "b", 6, 2), seen("t", "c", 7, 2)];
        let payments = [payment(1, State::Paid, Some("t"), "a", 5), payment(2, State::Surplus, Some("t/6"), "b", 6)];
        let told = matched(&transfers, &payments, 2);
        assert_eq!((told.matched, told.differing.len(), told.doubtful.len()), (2, 0, 0));
        let left: Vec<_> = told.not_credited.iter().map(|(seen, _)| seen.transfer.amount).collect();
        assert_eq!(left, [7]);
    }

    #[test]
    fn what_is_credited_is_told_by_every_node_or_asked_about() {
        let transfers = [seen("one", "a", 5, 1), seen("both", "a", 5, 2), seen("less", "a", 4, 2)];
        let payments = [
            payment(1, State::Paid, Some("one"), "a", 5),
            payment(2, State::Paid, Some("both"), "a", 5),
            payment(3, State::Paid, Some("none"), "a", 5),
            payment(4, State::Paid, Some("less"), "a", 5),
            LedgerPayment { reversed: Usd::from_nanos(5), ..payment(5, State::Paid, Some("gone"), "a", 5) },
        ];
        let told = matched(&transfers, &payments, 2);
        assert_eq!((told.matched, ids(&told.doubtful)), (1, vec![1, 3]));
        assert_eq!(told.differing.iter().map(|(_, payment)| payment.id).collect::<Vec<_>>(), [4]);
        assert!(told.not_credited.is_empty());
    }

    #[test]
    fn what_was_charged_back_whole_must_not_be_there() {
        let usd = Usd::from_nanos;
        let transfers = ["back", "refunded", "partly"].map(|transaction| seen(transaction, "a", 5, 2));
        let payments = [
            LedgerPayment { reversed: usd(5), charged_back: usd(5), ..payment(1, State::Paid, Some("back"), "a", 5) },
            // We have sent it back ourselves: its transfer stays.
            LedgerPayment { reversed: usd(5), ..payment(2, State::Paid, Some("refunded"), "a", 5) },
            LedgerPayment { reversed: usd(4), charged_back: usd(4), ..payment(3, State::Paid, Some("partly"), "a", 5) },
            LedgerPayment { reversed: usd(5), charged_back: usd(5), ..payment(4, State::Paid, Some("gone"), "a", 5) },
        ];
        let told = matched(&transfers, &payments, 2);
        let there: Vec<_> = told.charged_back.iter().map(|(seen, of)| (&*seen.transfer.transaction, of.id)).collect();
        assert_eq!((there, ids(&told.charged_back_unseen)), (vec![("back", 1)], vec![4]));
        assert_eq!((told.matched, told.doubtful.len(), told.not_credited.len()), (2, 0, 0));
    }

    #[test]
    fn what_a_person_has_decided_without_its_transaction_is_the_transfer_that_is_alike() {
        let transfers = [seen("credited", "a", 5, 1), seen("returned", "b", 6, 1), seen("other", "a", 7, 1)];
        let credited = LedgerPayment { is_resolved_as_credit: true, ..payment(1, State::Surplus, None, "a", 5) };
        let unlike = LedgerPayment { is_resolved_as_credit: true, ..payment(3, State::Surplus, None, "a", 8) };
        let payments = [credited, payment(2, State::Surplus, None, "b", 6), unlike];
        let told = matched(&transfers, &payments, 1);
        assert_eq!((told.matched, ids(&told.doubtful)), (2, vec![3]));
        let left: Vec<_> = told.not_credited.iter().map(|(seen, _)| seen.transfer.amount).collect();
        assert_eq!(left, [7]);
    }

    #[test]
    fn a_transfer_backs_the_first_credit_that_names_it_and_no_other() {
        let transfers = [seen("t", "a", 5, 1)];
        let first = LedgerPayment { decided_at_ms: Some(1), ..payment(2, State::Paid, Some("t"), "a", 5) };
        let again = LedgerPayment { decided_at_ms: Some(2), ..payment(1, State::Paid, Some("t"), "a", 5) };
        let payments = [again, first];
        let told = matched(&transfers, &payments, 1);
        assert_eq!((told.matched, ids(&told.doubtful)), (1, vec![1]));
    }

    #[test]
    fn what_may_still_be_credited_is_under_way_and_what_was_given_up_is_told_beside() {
        let transfers = [seen("sent", "a", 5, 1), seen("late", "b", 6, 1), seen("again", "a", 5, 1)];
        let payments = [payment(1, State::Claimed, None, "a", 5), payment(2, State::Void, None, "b", 6)];
        let told = matched(&transfers, &payments, 1);
        assert_eq!(ids(&told.under_way), [1], "one of the two that are alike");
        let left: Vec<_> =
            told.not_credited.iter().map(|(seen, of)| (seen.transfer.amount, of.map(|of| of.id))).collect();
        assert_eq!(left, [(6, Some(2)), (5, None)]);
        let open = [LedgerPayment { is_looked_for: true, ..payment(2, State::Void, None, "b", 6) }];
        assert_eq!(ids(&matched(&transfers, &open, 1).under_way), [2]);
    }
}
