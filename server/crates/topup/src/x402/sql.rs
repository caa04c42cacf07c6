//! The statements about payments on chains.

use std::ops::RangeInclusive;

use tollgate_api::generated::machines::payment::State;
use tollgate_base::{AccountId, AgentId, OrderId, Usd};
use tollgate_chains::WalletAddress;
use tollgate_chains::evm::{GasFees, SignedTransaction};
use tollgate_store::{DatabaseRow, ReadPool, StatementTarget, StoreError, StoreTransaction, query};

use super::super::NewPayment;
use super::evm::RelayerNumber;
use super::terms::{SignedTerms, hex, unhex};

const WISH: &str = "INSERT INTO chain_orders (order_id, network, symbol) VALUES ($1, $2, $3)";
const WISHED: &str = "SELECT network, symbol FROM chain_orders WHERE order_id = $1";
const NOTE_BLOCK: &str = "INSERT INTO chain_order_blocks (order_id, network, block) VALUES ($1, $2, $3)";
const BLOCKS: &str = "SELECT network, block FROM chain_order_blocks WHERE order_id = $1";
const WAITING: &str = "SELECT id FROM topup_order WHERE account_id = $1 AND rail = 'x402' AND status = 'pending' \
    AND expires_at > $2 ORDER BY created_at, id";
const FOR_WALLETS: &str = "SELECT count(*) FROM topup_order o JOIN chain_orders c ON c.order_id = o.id \
    WHERE o.account_id = $1 AND o.rail = 'crypto' AND o.status = 'pending' AND o.expires_at > $2";
const WALLET: &str = "SELECT addr FROM agents WHERE id = $1 AND account_id = $2 AND state = 'active'";
const KEEP: &str =
    "INSERT INTO chain_payments (payment_id, network, since_block, terms, call, fee) VALUES ($1, $2, $3, $4, $5, $6)";
const NEXT_NONCE: &str = "INSERT INTO chain_relayers (network, relayer, next_nonce) VALUES ($1, $2, $3 + 1) \
    ON CONFLICT (network, relayer) DO UPDATE SET next_nonce = \
    CASE WHEN chain_relayers.next_nonce > $3 THEN chain_relayers.next_nonce ELSE $3 END + 1 RETURNING next_nonce - 1";
const SIGNED: &str = "INSERT INTO chain_sends \
    (hash, network, relayer, nonce, turn, payment_id, raw, gas, fee_most, fee_tip, signed_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
const SEEN: &str = "UPDATE chain_payments SET seen_block = $2 WHERE payment_id = $1";
const UNSEEN: &str = "UPDATE chain_payments SET seen_block = NULL WHERE payment_id = $1 AND seen_block IS NOT NULL";
const SEEN_AGAIN: &str = "UPDATE chain_payments SET seen_block = $2 WHERE payment_id = $1 AND seen_block IS NULL \
    AND EXISTS (SELECT 1 FROM audit_log WHERE action = 'topup.taken_back' AND subject = $3)";
const CLOSE: &str = "UPDATE chain_payments SET closed = 1 WHERE payment_id = $1 AND closed = 0";
const DONE: &str = "UPDATE chain_sends SET done = 1 WHERE network = $1 AND relayer = $2 AND nonce < $3 AND done = 0 \
    AND EXISTS (SELECT 1 FROM chain_payments c WHERE c.payment_id = chain_sends.payment_id AND c.closed = 1)";
const SEEN_OF: &str = "SELECT max(c.seen_block) FROM chain_payments c JOIN payments p ON p.id = c.payment_id \
    WHERE p.order_id = $1 AND p.state = 'claimed'";

const TAKEN: &str = "SELECT p.order_id, o.account_id FROM payments p JOIN topup_order o ON o.id = p.order_id \
    WHERE p.source = $1 AND p.reference = $2";
const GIVEN: &str = "SELECT next_nonce FROM chain_relayers WHERE network = $1 AND relayer = $2";
/// Larger than 1 if the number was given before, and asked of the chain again since.
const NEXT_TURN: &str = "SELECT CAST(coalesce(max(turn), 0) + 1 AS BIGINT) FROM chain_sends \
    WHERE network = $1 AND relayer = $2 AND nonce = $3";

macro_rules! relayers {
    ($rest:literal) => {
        concat!(
            "SELECT r.network, r.relayer, r.next_nonce, (SELECT count(*) FROM chain_sends s ",
            "JOIN chain_payments c ON c.payment_id = s.payment_id WHERE s.network = r.network AND s.relayer = r.relayer ",
            "AND s.done = 0 AND c.closed = 0) FROM chain_relayers r ",
            $rest
        )
    };
}
const RELAYERS: &str = relayers!("ORDER BY r.network, r.relayer");
const RELAYER: &str = relayers!("WHERE r.network = $1 AND r.relayer = $2");
/// Closed payments are included: their transactions too are sent again until the number is used up.
const UNFINISHED: &str = "SELECT EXISTS (SELECT 1 FROM chain_sends WHERE network = $1 AND relayer = $2 AND done = 0 \
    AND nonce BETWEEN $3 AND $4)";
const HAS_SIGNED: &str = "SELECT EXISTS (SELECT 1 FROM chain_sends WHERE network = $1 AND relayer = $2)";
const FORGET_NUMBER: &str = "DELETE FROM chain_relayers WHERE network = $1 AND relayer = $2";
const DONE_ALL: &str = "UPDATE chain_sends SET done = 1 WHERE network = $1 AND relayer = $2 AND done = 0";

const CREDITED_OF_ONE_NODE: &str =
    "SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM one_node_credits WHERE network = $1 AND credited_at > $2";
const CREDIT_OF_ONE_NODE: &str =
    "INSERT INTO one_node_credits (payment_id, network, amount, credited_at) VALUES ($1, $2, $3, $4)";

/// The fees of payments that are on their way, which may still fail, that failed since a time, or that failed before and whose
/// transactions may still be carried out: those of our account alone, because nobody sends on what another one has signed. A payment
/// that was credited has paid for itself.
const FEES_IN_VAIN: &str = "SELECT CAST(coalesce(sum(c.fee), 0) AS BIGINT) FROM payments p \
    JOIN chain_payments c ON c.payment_id = p.id WHERE p.source = $1 \
    AND (p.state = 'claimed' OR p.state IN ('void', 'surplus') AND (p.decided_at > $2 \
        OR p.id IN (SELECT s.payment_id FROM chain_sends s WHERE s.network = $1 AND s.relayer = $3 AND s.done = 0)))";
const SET_FEE: &str = "UPDATE chain_payments SET fee = $2 WHERE payment_id = $1";
/// Not where a block was seen that has the payment's transaction: that has cost the fee.
const GIVE_FEE_BACK: &str = "UPDATE chain_payments SET fee = 0 WHERE payment_id = $1 AND fee IS NOT NULL AND seen_block IS NULL \
    AND EXISTS (SELECT 1 FROM payments p WHERE p.id = $1 AND p.state = 'void')";

macro_rules! sends {
    ($rest:literal) => {
        concat!(
            "SELECT hash, nonce, turn, payment_id, raw, gas, fee_most, fee_tip, signed_at, relayer FROM chain_sends ",
            $rest
        )
    };
}
const SENDS_OF: &str = sends!("WHERE payment_id = $1 ORDER BY nonce, turn");
const SENDS_OPEN: &str =
    sends!("WHERE network = $1 AND relayer = $2 AND done = 0 AND nonce >= $3 ORDER BY nonce, turn LIMIT 200");

/// Transactions of our account for payments that were credited since a time and for which several numbers were signed, with the
/// transaction by which each came. An hour has fewer numbers than are looked at.
const SENDS_BESIDE: &str = "SELECT s.hash, s.nonce, s.turn, s.payment_id, s.raw, s.gas, s.fee_most, s.fee_tip, s.signed_at, s.relayer, \
        p.receipt FROM chain_sends s JOIN payments p ON p.id = s.payment_id \
    WHERE s.network = $1 AND s.relayer = $2 AND p.state = 'paid' AND p.decided_at > $3 \
        AND s.nonce >= (SELECT r.next_nonce - 1000 FROM chain_relayers r WHERE r.network = $1 AND r.relayer = $2) \
        AND EXISTS (SELECT 1 FROM chain_sends o WHERE o.payment_id = s.payment_id AND (o.nonce <> s.nonce OR o.relayer <> s.relayer)) \
    ORDER BY s.nonce, s.turn";

macro_rules! kept {
    ($condition:literal) => {
        concat!(
            "SELECT p.id, p.source, p.reference, p.order_id, p.state, p.asset, p.amount, p.payer, p.receipt, p.claimed_at, ",
            "c.since_block, c.terms, c.call, c.seen_block, p.decided_at FROM chain_payments c JOIN payments p ON p.id = c.payment_id ",
            $condition
        )
    };
}
const OPEN: &str = kept!("WHERE c.network = $1 AND c.closed = 0 AND c.payment_id > $2 ORDER BY c.payment_id LIMIT 100");
const ONE: &str = kept!("WHERE c.payment_id = $1");

/// A payment on a chain, as it was kept when it was claimed.
#[derive(Debug, Clone)]
pub(super) struct PendingPayment {
    pub(super) payment: i64,
    pub(super) order: OrderId,
    pub(super) state: State,
    pub(super) new: NewPayment,
    pub(super) claimed_at_ms: i64,
    /// The time of the last decision on it, unix time in milliseconds.
    pub(super) decided_at_ms: Option<i64>,
    pub(super) since_block: u64,
    pub(super) terms: SignedTerms,
    pub(super) call: Vec<u8>,
    pub(super) seen_block: Option<u64>,
}

/// A transaction that our account has signed.
#[derive(Debug, Clone)]
pub(super) struct RelayerTransaction {
    pub(super) signed: SignedTransaction,
    /// The address of our account that has signed it. The configured key may have changed since.
    pub(super) relayer: String,
    pub(super) nonce: u64,
    pub(super) turn: i64,
    pub(super) payment: i64,
    pub(super) gas: u64,
    pub(super) fees: GasFees,
    pub(super) signed_at_ms: i64,
}

/// The network and token that the client of an order asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AssetFilter {
    pub(super) network: Option<String>,
    pub(super) symbol: Option<String>,
}

/// Keeps the wanted network and token, and a block of each chain before what can pay the order.
pub(super) async fn wish(
    transaction: &mut StoreTransaction,
    order: OrderId,
    wish: &AssetFilter,
    blocks: &[(String, u64)],
) -> Result<(), StoreError> {
    let kept = query(WISH).bind(order.0).bind(wish.network.as_deref()).bind(wish.symbol.as_deref());
    kept.execute(&mut *transaction).await.map_err(writing)?;
    for (network, block) in blocks {
        let noted = query(NOTE_BLOCK).bind(order.0).bind(network).bind(number(*block));
        noted.execute(&mut *transaction).await.map_err(writing)?;
    }
    Ok(())
}

/// The wanted network and token of an order. Empty if the order is older than this table.
pub(super) async fn wished(readers: &ReadPool, order: OrderId) -> Result<AssetFilter, StoreError> {
    let row = query(WISHED).bind(order.0).fetch_optional(readers).await.map_err(reading)?;
    let Some(row) = row else { return Ok(AssetFilter::default()) };
    Ok(AssetFilter { network: row.try_get(0).map_err(reading)?, symbol: row.try_get(1).map_err(reading)? })
}

/// The wallet of a live agent of the account.
pub(super) async fn wallet_of(
    readers: &ReadPool,
    account: AccountId,
    agent: AgentId,
) -> Result<Option<WalletAddress>, StoreError> {
    let row = query(WALLET).bind(agent.0).bind(account.0).fetch_optional(readers).await.map_err(reading)?;
    let Some(row) = row else { return Ok(None) };
    let found: String = row.try_get(0).map_err(reading)?;
    match found.parse() {
        Ok(wallet) => Ok(Some(wallet)),
        Err(_) => Err(StoreError::Unreadable { what: "the wallet of an agent", found }),
    }
}

/// A block of each chain before what can pay the order.
pub(super) async fn blocks(readers: &ReadPool, order: OrderId) -> Result<Vec<(String, u64)>, StoreError> {
    let rows = query(BLOCKS).bind(order.0).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| Ok((row.try_get(0).map_err(reading)?, unsigned(row, 1)?))).collect()
}

/// The account's orders that wait and can be paid until after `until_ms`.
pub(super) async fn waiting(readers: &ReadPool, account: AccountId, until_ms: i64) -> Result<Vec<OrderId>, StoreError> {
    let rows = query(WAITING).bind(account.0).bind(until_ms).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0).map(OrderId).map_err(reading)).collect()
}

/// The number of the account's orders that wait for a person's wallet.
pub(super) async fn for_wallets(
    transaction: &mut StoreTransaction,
    account: AccountId,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let row = query(FOR_WALLETS).bind(account.0).bind(now_ms).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// Keeps a payment with all that finds it again on its chain.
pub(super) async fn keep(
    transaction: &mut StoreTransaction,
    payment: i64,
    network: &str,
    since_block: u64,
    terms: &SignedTerms,
    call: &[u8],
    fee: Option<Usd>,
) -> Result<(), StoreError> {
    let terms = serde_json::to_string(terms).unwrap_or_default();
    let kept = query(KEEP).bind(payment).bind(network).bind(number(since_block)).bind(&terms).bind(call);
    let kept = kept.bind(fee.map(Usd::nanos));
    kept.execute(transaction).await.map(drop).map_err(writing)
}

/// Takes the next transaction number of our account, at least `least`, the number that the chain tells. Returns it with the turn of
/// the first transaction that is signed for it.
pub(super) async fn next_nonce(
    transaction: &mut StoreTransaction,
    network: &str,
    relayer: &str,
    least: u64,
) -> Result<(u64, i64), StoreError> {
    let row = query(NEXT_NONCE).bind(network).bind(relayer).bind(number(least)).fetch_one(&mut *transaction).await;
    let nonce = unsigned(&row.map_err(writing)?, 0)?;
    let row = query(NEXT_TURN).bind(network).bind(relayer).bind(number(nonce)).fetch_one(transaction).await;
    Ok((nonce, row.map_err(reading)?.try_get(0).map_err(reading)?))
}

/// Keeps a transaction before it is sent.
pub(super) async fn signed(
    transaction: &mut StoreTransaction,
    network: &str,
    send: &RelayerTransaction,
) -> Result<(), StoreError> {
    let hash = hex(&send.signed.hash);
    let fee = |fee: u128| i64::try_from(fee).unwrap_or(i64::MAX);
    let kept = query(SIGNED)
        .bind(&hash)
        .bind(network)
        .bind(&send.relayer)
        .bind(number(send.nonce))
        .bind(send.turn)
        .bind(send.payment)
        .bind(&send.signed.raw[..])
        .bind(number(send.gas))
        .bind(fee(send.fees.most))
        .bind(fee(send.fees.tip))
        .bind(send.signed_at_ms);
    kept.execute(transaction).await.map(drop).map_err(writing)
}

/// Writes the block in which a payment was seen.
pub(super) async fn seen(
    transaction: &mut StoreTransaction,
    payment: i64,
    block: Option<u64>,
) -> Result<(), StoreError> {
    let told = query(SEEN).bind(payment).bind(block.map(number));
    told.execute(transaction).await.map(drop).map_err(writing)
}

/// Records that a payment is in no block any more. True if nobody had done so.
pub(super) async fn unseen(transaction: &mut StoreTransaction, payment: i64) -> Result<bool, StoreError> {
    query(UNSEEN).bind(payment).execute(transaction).await.map(|changed| changed == 1).map_err(writing)
}

/// Writes the block of a payment that its chain had taken back. True if it had, and nobody had written one since.
pub(super) async fn seen_again(
    transaction: &mut StoreTransaction,
    kept: &PendingPayment,
    block: u64,
) -> Result<bool, StoreError> {
    let order = kept.order.to_string();
    let seen = query(SEEN_AGAIN).bind(kept.payment).bind(number(block)).bind(&order);
    seen.execute(transaction).await.map(|changed| changed == 1).map_err(writing)
}

/// Closes a payment that cannot change any more. True if nobody had closed it.
pub(super) async fn close(transaction: &mut StoreTransaction, payment: i64) -> Result<bool, StoreError> {
    query(CLOSE).bind(payment).execute(transaction).await.map(|changed| changed == 1).map_err(writing)
}

/// Marks transactions as finished whose number is below `below` and whose payment is closed. Returns how many those were.
pub(super) async fn done(
    transaction: &mut StoreTransaction,
    network: &str,
    relayer: &str,
    below: u64,
) -> Result<u64, StoreError> {
    query(DONE).bind(network).bind(relayer).bind(number(below)).execute(transaction).await.map_err(writing)
}

/// True if a payment for the order was seen in a block.
pub(super) async fn seen_of(readers: &ReadPool, order: OrderId) -> Result<bool, StoreError> {
    let row = query(SEEN_OF).bind(order.0).fetch_one(readers).await.map_err(reading)?;
    row.try_get::<Option<i64>>(0).map(|block| block.is_some()).map_err(reading)
}

/// The order that has claimed a payment, and its account.
pub(super) struct PaymentOwner {
    pub(super) order: OrderId,
    pub(super) account: AccountId,
}

/// The order that has claimed the payment of that name.
pub(super) async fn taken(
    readers: &ReadPool,
    source: &str,
    reference: &str,
) -> Result<Option<PaymentOwner>, StoreError> {
    let row = query(TAKEN).bind(source).bind(reference).fetch_optional(readers).await.map_err(reading)?;
    let Some(row) = row else { return Ok(None) };
    let (order, account) = (row.try_get(0).map_err(reading)?, row.try_get(1).map_err(reading)?);
    Ok(Some(PaymentOwner { order: OrderId(order), account: AccountId(account) }))
}

/// The next number of our account as the ledger has it; none if it was given none yet.
pub(super) async fn given(readers: &ReadPool, network: &str, relayer: &str) -> Result<Option<u64>, StoreError> {
    let row = query(GIVEN).bind(network).bind(relayer).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(|row| unsigned(row, 0)).transpose()
}

/// The states of all our accounts.
pub(super) async fn relayers(readers: &ReadPool) -> Result<Vec<RelayerNumber>, StoreError> {
    query(RELAYERS).fetch_all(readers).await.map_err(reading)?.iter().map(read_relayer).collect()
}

/// The state of one of our accounts.
pub(super) async fn relayer<'t>(
    reader: impl Into<StatementTarget<'t>>,
    network: &str,
    relayer: &str,
) -> Result<Option<RelayerNumber>, StoreError> {
    let row = query(RELAYER).bind(network).bind(relayer).fetch_optional(reader).await.map_err(reading)?;
    row.as_ref().map(read_relayer).transpose()
}

/// True if our account has ever signed anything.
pub(super) async fn has_signed(
    transaction: &mut StoreTransaction,
    network: &str,
    relayer: &str,
) -> Result<bool, StoreError> {
    let row = query(HAS_SIGNED).bind(network).bind(relayer).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// True if our account has signed a transaction with one of these numbers that is not finished.
pub(super) async fn has_unfinished<'t>(
    reader: impl Into<StatementTarget<'t>>,
    network: &str,
    relayer: &str,
    numbers: RangeInclusive<u64>,
) -> Result<bool, StoreError> {
    let asked =
        query(UNFINISHED).bind(network).bind(relayer).bind(number(*numbers.start())).bind(number(*numbers.end()));
    asked.fetch_one(reader).await.map_err(reading)?.try_get(0).map_err(reading)
}

/// Forgets the next number of our account, and marks all its transactions as finished.
pub(super) async fn forget_number(
    transaction: &mut StoreTransaction,
    network: &str,
    relayer: &str,
) -> Result<(), StoreError> {
    for statement in [DONE_ALL, FORGET_NUMBER] {
        let forgotten = query(statement).bind(network).bind(relayer);
        forgotten.execute(&mut *transaction).await.map_err(writing)?;
    }
    Ok(())
}

/// The transactions that our account has signed for a payment.
pub(super) async fn sends_of<'t>(
    reader: impl Into<StatementTarget<'t>>,
    payment: i64,
) -> Result<Vec<RelayerTransaction>, StoreError> {
    let rows = query(SENDS_OF).bind(payment).fetch_all(reader).await.map_err(reading)?;
    rows.iter().map(read_send).collect()
}

/// The unfinished transactions of our account from this number on.
pub(super) async fn sends_open(
    readers: &ReadPool,
    network: &str,
    relayer: &str,
    from: u64,
) -> Result<Vec<RelayerTransaction>, StoreError> {
    let rows =
        query(SENDS_OPEN).bind(network).bind(relayer).bind(number(from)).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read_send).collect()
}

/// Open payments of a chain, with larger numbers than `after`.
pub(super) async fn open_after(
    readers: &ReadPool,
    network: &str,
    after: i64,
) -> Result<Vec<PendingPayment>, StoreError> {
    let rows = query(OPEN).bind(network).bind(after).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read_kept).collect()
}

/// The payment of that number.
pub(super) async fn kept(readers: &ReadPool, payment: i64) -> Result<Option<PendingPayment>, StoreError> {
    let row = query(ONE).bind(payment).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(read_kept).transpose()
}

fn read_kept(row: &DatabaseRow) -> Result<PendingPayment, StoreError> {
    let (state, terms): (String, String) = (row.try_get(4).map_err(reading)?, row.try_get(11).map_err(reading)?);
    let unreadable = |what, found: &str| StoreError::Unreadable { what, found: found.to_owned() };
    Ok(PendingPayment {
        payment: row.try_get(0).map_err(reading)?,
        new: NewPayment {
            source: row.try_get(1).map_err(reading)?,
            reference: row.try_get(2).map_err(reading)?,
            asset: row.try_get(5).map_err(reading)?,
            amount: row.try_get(6).map_err(reading)?,
            payer: row.try_get(7).map_err(reading)?,
            receipt: row.try_get(8).map_err(reading)?,
        },
        order: OrderId(row.try_get(3).map_err(reading)?),
        state: state.parse().map_err(|_| unreadable("the state of a payment", &state))?,
        claimed_at_ms: row.try_get(9).map_err(reading)?,
        decided_at_ms: row.try_get(14).map_err(reading)?,
        since_block: unsigned(row, 10)?,
        terms: serde_json::from_str(&terms).map_err(|_| unreadable("the terms of a payment", &terms))?,
        call: row.try_get(12).map_err(reading)?,
        seen_block: row.try_get::<Option<i64>>(13).map_err(reading)?.map(i64::unsigned_abs),
    })
}

fn read_relayer(row: &DatabaseRow) -> Result<RelayerNumber, StoreError> {
    Ok(RelayerNumber {
        network: row.try_get(0).map_err(reading)?,
        relayer: row.try_get(1).map_err(reading)?,
        next: unsigned(row, 2)?,
        on_their_way: unsigned(row, 3)?,
    })
}

fn read_send(row: &DatabaseRow) -> Result<RelayerTransaction, StoreError> {
    let hash: String = row.try_get(0).map_err(reading)?;
    let unreadable = StoreError::Unreadable { what: "the name of a transaction", found: hash.clone() };
    Ok(RelayerTransaction {
        signed: SignedTransaction { hash: unhex(&hash).ok_or(unreadable)?, raw: row.try_get(4).map_err(reading)? },
        relayer: row.try_get(9).map_err(reading)?,
        nonce: unsigned(row, 1)?,
        turn: row.try_get(2).map_err(reading)?,
        payment: row.try_get(3).map_err(reading)?,
        gas: unsigned(row, 5)?,
        fees: GasFees { most: u128::from(unsigned(row, 6)?), tip: u128::from(unsigned(row, 7)?) },
        signed_at_ms: row.try_get(8).map_err(reading)?,
    })
}

fn unsigned(row: &DatabaseRow, index: usize) -> Result<u64, StoreError> {
    row.try_get::<i64>(index).map(i64::unsigned_abs).map_err(reading)
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The highest sum of fees, since a time, for payments of a chain that have not come, with those that our account may still pay.
pub(super) async fn fees_in_vain(
    transaction: &mut StoreTransaction,
    network: &str,
    relayer: &str,
    since_ms: i64,
) -> Result<Usd, StoreError> {
    let asked = query(FEES_IN_VAIN).bind(network).bind(since_ms).bind(relayer);
    let row = asked.fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map(Usd::from_nanos).map_err(reading)
}

/// The transactions of our account with several numbers for payments that were credited since a time, each with the transaction by
/// which its payment came.
pub(super) async fn sends_beside(
    transaction: &mut StoreTransaction,
    network: &str,
    relayer: &str,
    since_ms: i64,
) -> Result<Vec<(RelayerTransaction, Option<String>)>, StoreError> {
    let asked = query(SENDS_BESIDE).bind(network).bind(relayer).bind(since_ms);
    let rows = asked.fetch_all(transaction).await.map_err(reading)?;
    rows.iter().map(|row| Ok((read_send(row)?, row.try_get(10).map_err(reading)?))).collect()
}

/// Sets the highest fee of carrying a payment.
pub(super) async fn set_fee(transaction: &mut StoreTransaction, payment: i64, fee: Usd) -> Result<(), StoreError> {
    query(SET_FEE).bind(payment).bind(fee.nanos()).execute(transaction).await.map(drop).map_err(writing)
}

/// Takes the fee of a payment that was given up, and that no block has, out of the hourly budget.
pub(super) async fn give_fee_back(transaction: &mut StoreTransaction, payment: i64) -> Result<(), StoreError> {
    query(GIVE_FEE_BACK).bind(payment).execute(transaction).await.map(drop).map_err(writing)
}

/// The sum that was credited since a time on the word of one node.
pub(super) async fn credited_of_one_node(
    transaction: &mut StoreTransaction,
    network: &str,
    since_ms: i64,
) -> Result<Usd, StoreError> {
    let row = query(CREDITED_OF_ONE_NODE).bind(network).bind(since_ms).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map(Usd::from_nanos).map_err(reading)
}

/// Records a payment that is credited on the word of one node.
pub(super) async fn credit_of_one_node(
    transaction: &mut StoreTransaction,
    network: &str,
    payment: i64,
    amount: Usd,
    now_ms: i64,
) -> Result<(), StoreError> {
    let noted = query(CREDIT_OF_ONE_NODE).bind(payment).bind(network).bind(amount.nanos()).bind(now_ms);
    noted.execute(transaction).await.map(drop).map_err(writing)
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("a payment on chain")(error)
}

fn writing(error: sqlx::Error) -> StoreError {
    StoreError::write("a payment on chain")(error)
}
