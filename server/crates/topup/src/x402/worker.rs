//! The worker that brings every open payment on a chain to its end, also those that another process began.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::future::{join, join_all};
use futures_util::stream::{self, FuturesUnordered, StreamExt};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

use tollgate_api::generated::machines::payment::State;
use tollgate_base::Usd;
use tollgate_chains::evm::{EvmNetwork, GAS_MAX, GasFees, gas_least};
use tollgate_store::StoreError;

use super::super::commit::{Step, commit};
use super::super::payments::resolve::ON_ITS_WAY_MS;
use super::X402Payments;
use super::evm::{is_lost, offers, token_of, unsigned};
use super::network::{ChainClient, PaymentNetwork};
use super::overdue::UNCONFIRMED_MS;
use super::poll_schedule::{LOOKS_IN_VAIN, PollResult, PollSchedule, PollStart};
use super::settle::SettleOutcome;
use super::settle_error::SettleError;
use super::sql::{self, PendingPayment, RelayerTransaction};

/// The pause between two rounds on a chain that answers.
const ROUND: Duration = Duration::from_secs(1);
/// The longest pause on a chain that does not answer.
const PAUSE_MAX: Duration = Duration::from_secs(15);
/// In one of so many rounds, finished transactions are marked.
const ROUNDS_OF_DONE: u32 = 15;
/// The age of a transaction, in milliseconds, from which it is signed again with a higher fee.
const STUCK_MS: i64 = 30_000;
/// Looks at payments of a chain at the same time. A look that hangs holds one of these places until its time limit.
const LOOKS_AT_ONCE: usize = 16;
/// The number of looks under way from which none begins for a credited payment. So others have places of their own.
const WATCHED_AT_ONCE: usize = 8;
/// The age of a credit, in milliseconds, from which its payment is looked at less often. Most reorganisations come at once.
const WATCHED_LESS_MS: i64 = 2 * 60_000;
/// The most transactions by which a node's count may be ahead of ours, because others may send from our account.
const AHEAD_MAX: u64 = 1_000;
/// Transactions that are sent again at the same time.
const SENDS_AT_ONCE: usize = 8;

impl X402Payments {
    /// Works on each chain, for ever. A chain that does not answer delays no other, and sending does not delay looking.
    pub async fn settle_for_ever(&self) {
        join_all(self.networks().iter().map(|network| self.work_on(network))).await;
    }

    async fn work_on(&self, network: &PaymentNetwork) {
        join(self.keep_sending(network), self.keep_looking(network)).await;
    }

    async fn keep_sending(&self, network: &PaymentNetwork) {
        let mut pause = ROUND;
        let mut round: u32 = 0;
        loop {
            sleep(pause).await;
            let unfit = self.compare(network).await;
            // Payments that were made before are credited all the same.
            let ended = match &network.chain {
                ChainClient::Evm(evm) => self.send_again(network, evm, round.is_multiple_of(ROUNDS_OF_DONE)).await,
                ChainClient::Solana(_) => Ok(()),
            };
            if let Err(error) = &ended {
                let (network, error) = (network.id.as_str(), error as &dyn std::error::Error);
                tracing::warn!(
                    network,
                    error,
                    "what was signed for a chain could not be sent again; again in a moment"
                );
            }
            pause = if unfit || ended.is_err() { (pause * 2).min(PAUSE_MAX) } else { ROUND };
            round = round.wrapping_add(1);
        }
    }

    /// Looks for each open payment on its own schedule. A failure makes the pauses of its own payment longer, and of no other.
    async fn keep_looking(&self, network: &PaymentNetwork) {
        let mut looks = PollSchedule::default();
        let mut waiting = VecDeque::new();
        let mut under_way = FuturesUnordered::new();
        let mut tick = interval(ROUND);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => match self.open(network).await {
                    Ok(open) => waiting = looks.due(open, Instant::now()),
                    Err(error) => {
                        let (network, error) = (network.id.as_str(), &error as &dyn std::error::Error);
                        tracing::warn!(network, error, "open payments on a chain could not be listed; again in a moment");
                    }
                },
                Some((payment, turn)) = under_way.next() => looks.ended(payment, turn, Instant::now()),
            }
            let has_place = |next: &PendingPayment, taken: usize| {
                taken < if next.state == State::Paid { WATCHED_AT_ONCE } else { LOOKS_AT_ONCE }
            };
            while waiting.front().is_some_and(|next| has_place(next, under_way.len()))
                && let Some(kept) = waiting.pop_front()
            {
                let begun = looks.begins(kept.payment);
                under_way.push(self.poll(network, kept, begun));
            }
        }
    }

    /// Payments of a chain that are open.
    async fn open(&self, network: &PaymentNetwork) -> Result<Vec<PendingPayment>, StoreError> {
        let (mut all, mut after) = (Vec::new(), 0);
        loop {
            let open = sql::open_after(self.topups().store.readers(), &network.id, after).await?;
            let Some(last) = open.last() else { return Ok(all) };
            after = last.payment;
            all.extend(open);
        }
    }

    /// One look for a payment, within its time limit.
    async fn poll(&self, network: &PaymentNetwork, mut kept: PendingPayment, begun: PollStart) -> (i64, PollResult) {
        let PollStart { patience, vain } = begun;
        let looked = timeout(patience, self.work_through(network, &mut kept, vain)).await;
        let (turn, why) = match looked.unwrap_or_else(|_| Err(SettleError::TooLong(patience.as_secs()))) {
            Ok(outcome) => match self.overdue(network, &kept, &outcome) {
                Some(why) => (PollResult::Failed, Some(why)),
                None => return (kept.payment, self.pause_after(&kept)),
            },
            Err(error) => {
                let (payment, told) = (&kept.new.reference, &error as &dyn std::error::Error);
                tracing::warn!(network = network.id, payment, error = told, "a payment could not be looked at");
                let is_too_long = matches!(error, SettleError::TooLong(_));
                (if is_too_long { PollResult::TooLong } else { PollResult::Failed }, error.of_the_nodes())
            }
        };
        if let Some(why) = why.filter(|_| vain + 1 >= LOOKS_IN_VAIN) {
            self.alarm_unconfirmed(network, &kept, &why);
        }
        (kept.payment, turn)
    }

    /// The pause after a look at which the chain has answered.
    fn pause_after(&self, kept: &PendingPayment) -> PollResult {
        match kept.state {
            State::Paid if self.credited_for_ms(kept) > WATCHED_LESS_MS => PollResult::LongRest,
            State::Void | State::Paid => PollResult::Rest,
            State::Claimed | State::Surplus => PollResult::Well,
        }
    }

    /// Raises an alarm for a payment that waits for its nodes. A large one waits for two of them, and one with contradictions for
    /// all of them.
    fn alarm_unconfirmed(&self, network: &PaymentNetwork, kept: &PendingPayment, why: &str) {
        let now_ms = self.topups().now_ms();
        let waits_ms = now_ms - kept.claimed_at_ms;
        if kept.state != State::Claimed || waits_ms < UNCONFIRMED_MS || !network.unconfirmed.is_due(now_ms) {
            return;
        }
        let (payment, seconds) = (&kept.new.reference, waits_ms / 1000);
        tracing::error!(
            target: "alarm", alarm = "unconfirmed",
            payment_id = kept.payment, order = %kept.order, network = network.id, payment, seconds, why,
            "a payment waits for the nodes of its chain, which do not tell what became of it, or not as many as have to: see to \
             the one that does not answer or does not agree, or put another in its place in `rpc_urls`; the payment goes on by \
             itself then"
        );
    }

    /// Compares a chain with its configuration, if that is due. It is due where that was not done yet and something is or was to be
    /// paid on it. True if the chain cannot be used.
    async fn compare(&self, network: &PaymentNetwork) -> bool {
        let topups = self.topups();
        let compared = if network.is_checked() {
            if network.is_whole() || !network.comparing.is_due(topups.now_ms()) {
                return false;
            }
            network.compare().await
        } else if topups.config.uses_chains() {
            network.check().await
        } else if network.is_compared() || self.open(network).await.is_ok_and(|open| open.is_empty()) {
            return false;
        } else {
            network.compare().await
        };
        let Err(error) = compared else { return false };
        // A node that did not answer is asked again.
        if network.is_checked() {
            return false;
        }
        let (network, error) = (network.id.as_str(), &error as &dyn std::error::Error);
        tracing::error!(
            network,
            error,
            "nothing can be paid on a chain: it could not be compared with the configuration"
        );
        true
    }

    async fn work_through(
        &self,
        network: &PaymentNetwork,
        kept: &mut PendingPayment,
        vain: u32,
    ) -> Result<SettleOutcome, SettleError> {
        if kept.state == State::Paid {
            self.watch(network, kept, vain).await?;
            return Ok(SettleOutcome::Booked);
        }
        // An operator has decided on it, and no block takes it any more, whatever its nodes show.
        let is_over = self.topups().now_ms() >= kept.claimed_at_ms.saturating_add(ON_ITS_WAY_MS);
        if kept.state == State::Surplus && is_over {
            self.close(kept).await?;
            return Ok(SettleOutcome::Booked);
        }
        let end = self.settle(network, kept).await?;
        if end == SettleOutcome::Waits(None) && kept.state == State::Claimed {
            match &network.chain {
                ChainClient::Evm(evm) => self.sign_anew(network, evm, kept).await?,
                // The same bytes are sent as long as they can be accepted.
                ChainClient::Solana(_) => drop(network.send(&kept.call).await),
            }
        }
        Ok(end)
    }

    /// Sends our signed transactions again that no block has taken. That includes those whose payment is decided: a number that is
    /// never used up would keep all later ones waiting.
    async fn send_again(&self, network: &PaymentNetwork, evm: &EvmNetwork, all: bool) -> Result<(), SettleError> {
        let relayer = evm.config().relayer.address().to_string();
        let readers = self.topups().store.readers();
        if sql::sends_open(readers, &network.id, &relayer, 0).await?.is_empty() {
            return Ok(());
        }
        let taken = evm.sent(false).await?;
        // Numbers that the chain has used are not sent again, however many of their payments are not decided yet.
        let waiting = sql::sends_open(readers, &network.id, &relayer, taken).await?;
        if all {
            let mut transaction = self.topups().store.begin().await?;
            sql::done(&mut transaction, &network.id, &relayer, taken).await?;
            commit(transaction, Step::Done, "transactions that are in blocks").await?;
        }
        // The last transaction of each number is the one that pays most.
        let is_last = |index: usize, send: &RelayerTransaction| {
            waiting.get(index + 1).is_none_or(|next| next.nonce != send.nonce)
        };
        let last: Vec<&RelayerTransaction> =
            waiting.iter().enumerate().filter(|(index, send)| is_last(*index, send)).map(|(_, send)| send).collect();
        let sending: Vec<_> = last.iter().map(|send| network.send(&send.signed.raw)).collect();
        let _: Vec<bool> = stream::iter(sending).buffered(SENDS_AT_ONCE).collect().await;
        // All later ones wait for the first.
        let now_ms = self.topups().now_ms();
        match last.first().filter(|send| now_ms - send.signed_at_ms > STUCK_MS) {
            Some(stuck) if stuck.nonce == taken => self.offer_more(network, evm, stuck).await,
            Some(later) => {
                if network.gap.is_due(now_ms) {
                    tracing::error!(
                        target: "alarm", alarm = "relayer", network = network.id, missing = taken, nonce = later.nonce,
                        "a number of our account on a chain is missing, and all later transactions wait for it: send any \
                        transaction of that number from it. Where they are many, as after a wrong answer of a node for a fresh \
                        account, close the rails on chains, and `tollgate relayer reset` once nothing of it is on its way"
                    );
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Signs the same call again for the same number, with a fee for which a node replaces the one before. The order and the hourly
    /// budget bound it as they bound the first: a node that keeps transactions to itself would raise it without end.
    async fn offer_more(
        &self,
        network: &PaymentNetwork,
        evm: &EvmNetwork,
        stuck: &RelayerTransaction,
    ) -> Result<(), SettleError> {
        let readers = self.topups().store.readers();
        let Some(kept) = sql::kept(readers, stuck.payment).await? else { return Ok(()) };
        let sends = sql::sends_of(readers, stuck.payment).await?;
        let (same, others): (Vec<_>, Vec<_>) =
            sends.iter().partition(|send| send.relayer == stuck.relayer && send.nonce == stuck.nonce);
        let since_ms = same.iter().map(|send| send.signed_at_ms).min().unwrap_or(stuck.signed_at_ms);
        // Where any node says that the number is used, the first one may have stopped: what is in a block needs no higher fee.
        if *evm.sent_range().await?.end() > stuck.nonce {
            self.alarm_contradicted(network, stuck, since_ms);
            return Ok(());
        }
        // What an earlier version signed may have less than any node takes.
        let gas = stuck.gas.max(gas_least(&kept.call)).min(GAS_MAX);
        let data_fee = evm.data_fee(kept.call.len()).await?;
        let most = self.gas_price_most(network, evm, kept.order, gas, data_fee, others).await?.unwrap_or_default();
        if stuck.fees.most < most && self.counts_in_vain(&kept) {
            let (token, _) = token_of(evm, &kept)?;
            let offers = offers(evm, stuck.fees, same.len(), most).await?;
            for (index, offered) in offers.iter().enumerate() {
                // The last raise goes up to the bound, if that is less than a node wants.
                let fees = GasFees { most: offered.most.min(most), tip: offered.tip.min(most) };
                let contract = token.settlement_contract();
                let signed = evm.sign(stuck.nonce, &contract, &kept.call, gas, fees).map_err(unsigned)?;
                let send = RelayerTransaction { signed, turn: stuck.turn + 1, gas, fees, ..stuck.clone() };
                if self.keep_and_send(network, send, data_fee, index + 1 < offers.len()).await? {
                    self.alarm_slow(network, stuck, since_ms);
                    return Ok(());
                }
            }
        }
        self.alarm_stuck(network, stuck);
        Ok(())
    }

    /// Signs a new transaction for a payment that none of ours can carry any more. Somebody else with our key has used its number,
    /// or an earlier account of ours has signed it, or somebody else's transaction that had carried it is gone.
    async fn sign_anew(
        &self,
        network: &PaymentNetwork,
        evm: &EvmNetwork,
        kept: &PendingPayment,
    ) -> Result<(), SettleError> {
        let sends = sql::sends_of(self.topups().store.readers(), kept.payment).await?;
        let now_ms = self.topups().now_ms();
        let last_ms = sends.iter().map(|send| send.signed_at_ms).max().unwrap_or(kept.claimed_at_ms);
        if now_ms - last_ms <= STUCK_MS {
            return Ok(());
        }
        let (token, signed) = token_of(evm, kept)?;
        let relayer = evm.config().relayer.address().to_string();
        if signed.ends(token) <= now_ms / 1000 || !is_lost(evm, token, &signed, &relayer, &sends).await? {
            return Ok(());
        }
        let (price, least) = (evm.price().await?, evm.sent(true).await?);
        if !self.may_be_so_many(network, &relayer, least).await? {
            return Ok(());
        }
        let gas = sends.last().map_or(GAS_MAX, |send| send.gas.max(gas_least(&kept.call)).min(GAS_MAX));
        let data_fee = evm.data_fee(kept.call.len()).await?;
        let most = self.gas_price_most(network, evm, kept.order, gas, data_fee, &sends).await?;
        let Some(fees) = most.and_then(|most| price.offered(most)) else { return Ok(()) };
        let mut transaction = self.topups().store.begin().await?;
        // Another server may have signed meanwhile.
        if sql::sends_of(&mut transaction, kept.payment).await?.len() != sends.len() {
            return Ok(());
        }
        let payment = kept.payment;
        // The fees of transactions with other numbers are added: one of them may still be carried out.
        let fee =
            network.worth_of(&sends, data_fee).checked_add(network.worth(gas, fees, data_fee)).unwrap_or(Usd::MAX);
        if !self.spends_more(&mut transaction, network, payment, fee, false).await? {
            return Ok(());
        }
        let (nonce, turn) = sql::next_nonce(&mut transaction, &network.id, &relayer, least).await?;
        let signed = evm.sign(nonce, &token.settlement_contract(), &kept.call, gas, fees).map_err(unsigned)?;
        let send = RelayerTransaction { signed, relayer, nonce, turn, payment, gas, fees, signed_at_ms: now_ms };
        sql::signed(&mut transaction, &network.id, &send).await?;
        commit(transaction, Step::Sign, "a transaction").await?;
        network.send(&send.signed.raw).await;
        Ok(())
    }

    /// True if our account may have sent so many transactions, as a node says. A number that lies far ahead cannot be taken back:
    /// all later transactions wait for those between.
    pub(super) async fn may_be_so_many(
        &self,
        network: &PaymentNetwork,
        relayer: &str,
        sent: u64,
    ) -> Result<bool, StoreError> {
        let given = sql::given(self.topups().store.readers(), &network.id, relayer).await?;
        let Some(given) = given.filter(|given| sent > given.saturating_add(AHEAD_MAX)) else { return Ok(true) };
        if network.ahead.is_due(self.topups().now_ms()) {
            tracing::error!(
                target: "alarm", alarm = "relayer", network = network.id, relayer, sent, given,
                "a node says that our account on a chain has sent many more transactions than were ever signed here, and nothing is \
                 paid by it: take a node that is right, or where the account sends for others too, one of its own"
            );
        }
        Ok(false)
    }

    /// Keeps a transaction and sends it. False where the hourly budget has no room for it, of which there is no alarm where less can
    /// be offered.
    async fn keep_and_send(
        &self,
        network: &PaymentNetwork,
        send: RelayerTransaction,
        data_fee: u128,
        can_be_less: bool,
    ) -> Result<bool, SettleError> {
        let send = RelayerTransaction { signed_at_ms: self.topups().now_ms(), ..send };
        let mut transaction = self.topups().store.begin().await?;
        let sends = sql::sends_of(&mut transaction, send.payment).await?;
        let fee = network.worth_of(sends.iter().chain([&send]), data_fee);
        if !self.spends_more(&mut transaction, network, send.payment, fee, can_be_less).await? {
            return Ok(false);
        }
        sql::signed(&mut transaction, &network.id, &send).await?;
        commit(transaction, Step::Sign, "a transaction").await?;
        network.send(&send.signed.raw).await;
        Ok(true)
    }
}
