//! Requests that are carried out once: what became of each Idempotency-Key.
//!
//! The row of what is paid for is written with the hold and gets the answer with the receipt, in the writer's batches. A batch
//! that finds another's row holds nothing, and a control write here decides what comes of it; what is refused before money is held
//! looks at the row afterwards. So a repeat is answered as its first was, and a request that is no repeat reads nothing of its
//! own. The row of an order is written by itself before the request is carried out, and again when its answer is there.
//!
//! Whoever finds a row that nobody is at work on any more asks the ledger: what was charged was carried out and is not again; what
//! was not, may be. So a crash between any two steps leads to one charge at most:
//!   before the hold, or between hold and settlement: nothing was charged, and the next one with the key is the first;
//!   after the settlement: it was charged, and the next one gets the answer that was written down with it. Of a stream, or an
//!   answer that is too large to be written with it, the next one is told which request it was.
//!
//! Clocks are set, so no age says that a request is over: who is at work on it says so, and its hold. What is at work goes on
//! having its key, however long it takes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::TaskTracker;

use super::LedgerStore;
use super::commit::{Step, commit};
use super::patience::PATIENCE;
use super::sql::{self, HoldState, IdempotencyRow, KeyOf};
use tollgate_api::generated::limits;
use tollgate_api::{
    ClaimState, IdempotencyOutcome, IdempotencyUnavailable, IdempotentEnd, IdempotentRequest, KeptAnswer, KeyClaim,
    Once,
};
use tollgate_base::{AccountId, Clock, RequestId};
use tollgate_store::{Store, StoreError, StoreTransaction};

/// The most requests with keys that write at the same time.
const PLACES: usize = 2;
/// The least time for a look at a row, where the request has waited for the ledger before: a client is answered within five seconds.
const LOOK_LEAST: Duration = Duration::from_millis(500);
/// The time between two looks for rows that are too old.
const PURGE_EVERY: Duration = Duration::from_secs(60);
/// The time between two counts of the kept replies of an account. In between, what other servers keep or forget is not known
/// here.
const COUNT_EVERY: Duration = Duration::from_secs(60);

/// The handle on what became of keys. Cheap to clone.
#[derive(Debug, Clone)]
pub struct IdempotencyStore {
    store: Store,
    clock: Clock,
    /// The start of this server.
    epoch: i64,
    /// The requests that this server is at work on.
    under_way: Arc<Mutex<BTreeSet<String>>>,
    /// Rows of requests whose end could not be written, so that other servers take them for under way.
    unwritten: Arc<Mutex<Vec<KeyOf>>>,
    tasks: TaskTracker,
    /// Permits for writes, so that others come to write too.
    places: Arc<Semaphore>,
    reply_counts: Arc<Mutex<ReplyCounts>>,
}

/// The number of kept replies of each account, and the time of their count.
type ReplyCounts = BTreeMap<AccountId, (Instant, Arc<AtomicU32>)>;

/// The owner of a key.
#[derive(Debug)]
enum KeyOwner {
    /// The request, whose row is in this state.
    Has(ClaimState),
    /// Another one.
    Taken(IdempotencyOutcome),
}

/// The decision about an Idempotency-Key.
#[derive(Debug, PartialEq, Eq)]
enum IdempotencyDecision {
    /// Its row says all.
    Settled(IdempotencyOutcome),
    /// This request was carried out, and its answer may be written down at this very moment. Under the lock there is none.
    Unanswered(RequestId),
    /// The request may have it, in the place of this one.
    Free(RequestId),
    /// Nobody has it.
    Unknown,
}

impl IdempotencyStore {
    /// A handle on the keys in the books, for one start of a server.
    pub(super) fn new(books: &LedgerStore, epoch: i64) -> Self {
        Self {
            store: books.store.clone(),
            clock: books.clock.clone(),
            epoch,
            under_way: Arc::default(),
            unwritten: Arc::default(),
            tasks: TaskTracker::new(),
            places: Arc::new(Semaphore::new(PLACES)),
            reply_counts: Arc::default(),
        }
    }

    /// Waits until every request with a key has ended. None may begin any more.
    pub async fn finish(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Forgets keys when their time is over, again and again.
    pub async fn purge_for_ever(&self) {
        loop {
            if let Err(error) = self.purge().await {
                tracing::warn!(error = &error as &dyn std::error::Error, "old idempotency keys could not be removed");
            }
            sleep(PURGE_EVERY).await;
        }
    }

    /// Forgets keys whose time is over, and answers how many those were.
    ///
    /// # Errors
    /// When the store fails; what was removed by then is.
    pub async fn purge(&self) -> Result<u64, StoreError> {
        self.let_go().await?;
        self.reply_counts().retain(|_, (counted_at, _)| counted_at.elapsed() < COUNT_EVERY);
        let mut purged = 0;
        loop {
            // A few at a time: on a file nobody else writes meanwhile.
            let mut transaction = self.store.begin().await?;
            let until_ms = self.clock.now_ms() - kept_ms();
            let mut some = sql::purge_keys(&mut transaction, until_ms).await?;
            let left = sql::left_keys(&mut transaction, until_ms, self.epoch).await?;
            // Looked at after the rows: whoever is at work on one of them was there before its row.
            let over: Vec<KeyOf> = left.into_iter().filter(|of| !self.is_at_work_on(of.request)).collect();
            for of in &over {
                some += sql::take_key(&mut transaction, of).await?;
            }
            commit(transaction, Step::PurgeKeys, "old keys").await?;
            purged += some;
            if some == 0 {
                return Ok(purged);
            }
        }
    }

    /// Writes down that nobody is at work any more on requests whose end could not be written at its time.
    async fn let_go(&self) -> Result<(), StoreError> {
        let unwritten = self.unwritten().clone();
        if unwritten.is_empty() {
            return Ok(());
        }
        let mut transaction = self.store.begin().await?;
        for of in &unwritten {
            sql::let_go(&mut transaction, of).await?;
        }
        commit(transaction, Step::PurgeKeys, "that requests with keys have ended").await?;
        self.unwritten().retain(|of| !unwritten.contains(of));
        Ok(())
    }

    /// Decides whether a request has its key.
    async fn decide(&self, request: &IdempotentRequest) -> Result<KeyOwner, StoreError> {
        // Most of those that come again find the row as it is, and take no lock to read it.
        if let IdempotencyDecision::Settled(turn) = self.read(request).await? {
            return Ok(KeyOwner::Taken(turn));
        }
        let _place = self.places.acquire().await;
        loop {
            let mut transaction = self.store.begin_of(request.account).await?;
            let instead_of = match self.verdict(&mut transaction, request).await? {
                IdempotencyDecision::Settled(turn) => return Ok(KeyOwner::Taken(turn)),
                IdempotencyDecision::Unanswered(first) => return Ok(KeyOwner::Taken(IdempotencyOutcome::Done(first))),
                IdempotencyDecision::Unknown if request.is_paid_for => return Ok(KeyOwner::Has(ClaimState::Unwritten)),
                IdempotencyDecision::Unknown => None,
                IdempotencyDecision::Free(other) => Some(other),
            };
            // Given up in the middle, its row may be there: nobody is at work on it then, as after a crash.
            let mut unheard = UnconfirmedKey { repeats: self, of: Some(request) };
            // A batch of the ledger may have given the key to another one meanwhile: then it is asked anew.
            if !sql::give_key(&mut transaction, request, instead_of, self.epoch, self.clock.now_ms()).await? {
                unheard.of = None;
                continue;
            }
            commit(transaction, Step::GiveKey, "a key").await?;
            unheard.of = None;
            return Ok(KeyOwner::Has(ClaimState::Running));
        }
    }

    async fn read(&self, request: &IdempotentRequest) -> Result<IdempotencyDecision, StoreError> {
        let mut snapshot = self.store.readers().begin().await.map_err(StoreError::read("a key"))?;
        self.verdict(&mut snapshot, request).await
    }

    /// The turn that is told to a request for which nothing was held, if another one has its key.
    async fn read_turn(&self, request: &IdempotentRequest) -> Result<Option<IdempotencyOutcome>, StoreError> {
        let mut verdict = self.read(request).await?;
        if let IdempotencyDecision::Unanswered(_) = verdict {
            let _place = self.places.acquire().await;
            verdict = self.verdict(&mut self.store.begin_of(request.account).await?, request).await?;
        }
        // Its own row may be there: that it holds money was written, and not heard of.
        let another = |turn: &IdempotencyOutcome| turn.first().is_some_and(|first| first != request.request);
        Ok(match verdict {
            IdempotencyDecision::Settled(turn) => Some(turn).filter(another),
            IdempotencyDecision::Unanswered(first) => Some(IdempotencyOutcome::Done(first)).filter(another),
            IdempotencyDecision::Free(_) | IdempotencyDecision::Unknown => None,
        })
    }

    /// Decides on a claim whose key another request had when money was to be held: true where it may be held for this one after
    /// all. Else the claim knows what became of the other one.
    pub(super) async fn reclaim(&self, claim: &KeyClaim) -> Result<bool, IdempotencyUnavailable> {
        match looked_up(&claim.request, PATIENCE, self.decide(&claim.request)).await? {
            KeyOwner::Has(state) => {
                claim.set_state(state);
                Ok(true)
            }
            KeyOwner::Taken(turn) => {
                claim.set_taken(turn);
                Ok(false)
            }
        }
    }

    /// The number of kept replies of an account: from the last count, and those that this server has added since.
    async fn kept_replies_of(&self, account: AccountId) -> Result<Arc<AtomicU32>, StoreError> {
        let now = Instant::now();
        let counted = self.reply_counts().get(&account).filter(|(at, _)| now - *at < COUNT_EVERY).cloned();
        if let Some((_, answers)) = counted {
            return Ok(answers);
        }
        let kept = sql::answers_kept(self.store.readers(), account).await?;
        let answers = Arc::new(AtomicU32::new(u32::try_from(kept).unwrap_or(u32::MAX)));
        let mut counts = self.reply_counts();
        // Another request may have counted meanwhile: there is one count for all.
        let (_, answers) = counts
            .entry(account)
            .and_modify(|count| {
                if now - count.0 >= COUNT_EVERY {
                    *count = (now, answers.clone());
                }
            })
            .or_insert((now, answers.clone()));
        Ok(answers.clone())
    }

    fn reply_counts(&self) -> std::sync::MutexGuard<'_, ReplyCounts> {
        self.reply_counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn verdict(
        &self,
        transaction: &mut StoreTransaction,
        request: &IdempotentRequest,
    ) -> Result<IdempotencyDecision, StoreError> {
        let Some(row) = sql::find_key(&mut *transaction, request.account, &request.key).await? else {
            return Ok(IdempotencyDecision::Unknown);
        };
        let first = row.request;
        let is_old = self.clock.now_ms() - row.created_at_ms >= kept_ms();
        // But for a stream that goes on: it is the clock that was set.
        if !row.running && is_old && sql::hold_stands(transaction, request.account, first).await? != HoldState::Held {
            return Ok(IdempotencyDecision::Free(first));
        }
        if row.sha256 != request.sha256 {
            return Ok(IdempotencyDecision::Settled(IdempotencyOutcome::Other(first)));
        }
        if let Some(answer) = row.answer {
            return Ok(IdempotencyDecision::Settled(IdempotencyOutcome::Answered(answer)));
        }
        let stands = sql::hold_stands(&mut *transaction, request.account, first).await?;
        // Another server that is up may have lost sight of it, but what was released has no end that it could write.
        let is_over = stands == HoldState::Released && row.epoch != self.epoch;
        if row.running && !is_over && self.is_under_way(&mut *transaction, &row).await? {
            return Ok(IdempotencyDecision::Settled(IdempotencyOutcome::InFlight(first)));
        }
        // Nobody will write down how it ended, or it was a stream, that had only begun then: the ledger is asked.
        Ok(match stands {
            // It was answered, whatever for.
            HoldState::None if !row.running => IdempotencyDecision::Settled(IdempotencyOutcome::Done(first)),
            HoldState::None | HoldState::Released => IdempotencyDecision::Free(first),
            // Its reply may have been written since the row was read, with the receipt.
            HoldState::Settled | HoldState::Kept => {
                let read_again = sql::find_key(transaction, request.account, &request.key).await?;
                match read_again.filter(|row| row.request == first) {
                    Some(IdempotencyRow { answer: Some(answer), .. }) => {
                        IdempotencyDecision::Settled(IdempotencyOutcome::Answered(answer))
                    }
                    // A row of a request that has ended changes no more.
                    Some(IdempotencyRow { running: false, .. }) => {
                        IdempotencyDecision::Settled(IdempotencyOutcome::Done(first))
                    }
                    _ => IdempotencyDecision::Unanswered(first),
                }
            }
            // It is given back, or charged, in a moment.
            HoldState::Held => IdempotencyDecision::Settled(IdempotencyOutcome::InFlight(first)),
        })
    }

    /// True if a server is at work on the request of a row.
    async fn is_under_way(&self, transaction: &mut StoreTransaction, row: &IdempotencyRow) -> Result<bool, StoreError> {
        if row.epoch == self.epoch {
            return Ok(self.is_at_work_on(row.request));
        }
        sql::is_up(transaction, row.epoch).await
    }

    fn is_at_work_on(&self, request: RequestId) -> bool {
        self.under_way().contains(request.as_str())
    }

    async fn write_end(&self, request: &IdempotentRequest, end: IdempotentEnd) -> Result<(), StoreError> {
        let _place = self.places.acquire().await;
        let mut transaction = self.store.begin_of(request.account).await?;
        match end {
            IdempotentEnd::Answered(answer) => self.keep(&mut transaction, request, &answer).await?,
            IdempotentEnd::Done => sql::keep_answer(&mut transaction, request, None).await?,
            IdempotentEnd::MayRunAgain => {
                match sql::hold_stands(&mut transaction, request.account, request.request).await? {
                    HoldState::None | HoldState::Released => {
                        sql::take_key(&mut transaction, &request.into()).await?;
                    }
                    HoldState::Settled => sql::keep_answer(&mut transaction, request, None).await?,
                    // Not over yet: whoever comes next finds out how it ended.
                    HoldState::Held | HoldState::Kept => {}
                }
            }
        }
        commit(transaction, Step::EndKey, "the end of a request with a key").await
    }

    /// Keeps an answer, as far as there is room for it. A refusal that nothing was held for is none: it would be told for a day
    /// to whoever has done meanwhile what it asks for.
    async fn keep(
        &self,
        transaction: &mut StoreTransaction,
        request: &IdempotentRequest,
        answer: &KeptAnswer,
    ) -> Result<(), StoreError> {
        let stands = sql::hold_stands(transaction, request.account, request.request).await?;
        if answer.status.is_client_error() && stands == HoldState::None {
            return sql::take_key(transaction, &request.into()).await.map(drop);
        }
        let fits = answer.body.len() <= limits::IDEMPOTENCY_ANSWER
            && sql::answers_kept(&mut *transaction, request.account).await? < i64::from(limits::IDEMPOTENCY_ANSWERS);
        sql::keep_answer(transaction, request, Some(answer).filter(|_| fits)).await
    }

    fn under_way(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unwritten(&self) -> std::sync::MutexGuard<'_, Vec<KeyOf>> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Once for IdempotencyStore {
    async fn begin(&self, request: &IdempotentRequest) -> Result<IdempotencyOutcome, IdempotencyUnavailable> {
        // Before its row is there, so that nobody finds the row and takes the request for gone.
        let name = request.request.as_str().to_owned();
        self.under_way().insert(name.clone());
        let turn = looked_up(request, PATIENCE, async {
            if request.is_paid_for {
                let kept_replies = self.kept_replies_of(request.account).await?;
                return Ok(IdempotencyOutcome::Claimed(Arc::new(KeyClaim::new(request.clone(), kept_replies))));
            }
            Ok(match self.decide(request).await? {
                KeyOwner::Has(_) => IdempotencyOutcome::First,
                KeyOwner::Taken(turn) => turn,
            })
        });
        let turn = turn.await;
        if !matches!(turn, Ok(IdempotencyOutcome::First | IdempotencyOutcome::Claimed(_))) {
            self.under_way().remove(&name);
        }
        turn
    }

    async fn taken(&self, claim: &KeyClaim) -> Result<Option<IdempotencyOutcome>, IdempotencyUnavailable> {
        if claim.state() != ClaimState::Unwritten {
            return Ok(None);
        }
        match claim.taken() {
            Some(turn) => Ok(Some(turn.clone())),
            None => {
                let left = PATIENCE.saturating_sub(claim.age()).max(LOOK_LEAST);
                looked_up(&claim.request, left, self.read_turn(&claim.request)).await
            }
        }
    }

    async fn ended(&self, request: &IdempotentRequest, claim: Option<&KeyClaim>, end: IdempotentEnd) {
        let is_written = claim.is_some_and(|claim| claim.covers(&end));
        if !is_written && let Err(error) = self.write_end(request, end).await {
            self.unwritten().push(request.into());
            let request_id = request.request;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "the answer to a request with an idempotency key could not be kept");
        }
        self.under_way().remove(request.request.as_str());
    }

    fn spawn_tracked(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }
}

/// A guard while the row of a request with a key is written: dropped early, it notes that the row may be there.
struct UnconfirmedKey<'r> {
    repeats: &'r IdempotencyStore,
    of: Option<&'r IdempotentRequest>,
}

impl Drop for UnconfirmedKey<'_> {
    fn drop(&mut self) {
        self.repeats.unwritten().extend(self.of.map(KeyOf::from));
    }
}

/// The result of a look at the row of a request, within a time.
async fn looked_up<T>(
    request: &IdempotentRequest,
    patience: Duration,
    look: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, IdempotencyUnavailable> {
    let found = timeout(patience, look).await.unwrap_or(Err(StoreError::Silent));
    found.map_err(|error| {
        let request_id = request.request;
        tracing::error!(%request_id, error = &error as &dyn std::error::Error, "an idempotency key could not be looked up");
        IdempotencyUnavailable
    })
}

fn kept_ms() -> i64 {
    i64::try_from(limits::IDEMPOTENCY_KEPT.as_millis()).unwrap_or(i64::MAX)
}
