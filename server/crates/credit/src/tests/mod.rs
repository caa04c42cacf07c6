//! The ledger from outside: on a real file, with a clock in hand.

mod attacks;
mod audits;
mod durable_holds;
mod endings;
mod fake;
mod faults;
mod grants;
mod history;
mod holds;
mod limits;
mod lists;
mod memory;
mod months;
mod naive;
mod nodes;
mod once;
mod orphaned_holds;
mod pooled;
mod prices;
mod races;
mod real;
mod regressions;
mod reversals;
mod rules;
mod same;
mod seals;
mod storm;
mod tags;

use tempfile::TempDir;

use super::sql::raw;
use super::*;
use tollgate_base::{AccountId, Clock, KeyId, ManualClock, PicoUsd, PriceRatio, RequestId, RequestTags, Usd};
use tollgate_store::testing::{On, on_both, temporary_on};
use tollgate_store::{ServeLock, Store, StoreConfig};

const START_MS: i64 = 1_800_000_000_000;
/// The month of it, in UTC.
const MONTH: (i64, i64) = (1_798_761_600_000, 1_801_440_000_000);

/// A ledger with one server on it.
struct TestLedger {
    credit: Ledger,
    worker: LedgerWorker,
    store: Store,
    config: StoreConfig,
    clock: Clock,
    hand: ManualClock,
    lock: ServeLock,
    folder: TempDir,
}

impl TestLedger {
    /// On a file.
    async fn open() -> Self {
        Self::open_on(On::File).await
    }

    async fn open_on(on: On) -> Self {
        let (clock, hand) = Clock::manual(START_MS);
        let made = temporary_on(on, &clock).await;
        Self::on(made, clock, hand).await
    }

    async fn on((folder, config, store): (TempDir, StoreConfig, Store), clock: Clock, hand: ManualClock) -> Self {
        let lock = ServeLock::take(&config).unwrap();
        let books = LedgerStore::new(store.clone(), clock.clone());
        let (credit, worker) = Ledger::start(books, &lock).await.unwrap();
        Self { credit, worker, store, config, clock, hand, lock, folder }
    }

    /// Ends without a word to anyone, as a process does that is killed, and starts again.
    async fn crash(self) -> Self {
        let Self { credit, worker, store, config, clock, hand, lock, folder } = self;
        drop((credit, worker));
        store.close().await;
        let store = Store::open(&config, &clock).await.unwrap();
        let (credit, worker) = Ledger::start(LedgerStore::new(store.clone(), clock.clone()), &lock).await.unwrap();
        Self { credit, worker, store, config, clock, hand, lock, folder }
    }

    /// An account with this much.
    async fn account(&self, number: i64, amount: &str) -> AccountId {
        let account = raw::open_account(&self.store, number).await;
        if amount != "0" {
            let idem = format!("open {number}");
            self.credit
                .grant(GrantRequest { account, amount: usd(amount), idem: &idem, actor: "test".into(), note: "" })
                .await
                .unwrap();
        }
        account
    }

    fn ask(&self, account: AccountId, want: &str) -> HoldRequest {
        HoldRequest {
            account,
            key: KeyId(7),
            request: RequestId::mint(self.clock.now_ms()),
            tokens: 0,
            want: usd(want),
            least: usd(want),
            expires_at_ms: self.clock.now_ms() + 60_000,
            model: "a-model".to_owned(),
            stream: true,
            price: price(),
            tags: RequestTags::default(),
            claim: None,
        }
    }

    async fn hold(&self, account: AccountId, want: &str) -> Hold {
        self.credit.hold(self.ask(account, want)).await.unwrap()
    }

    /// `(posted, held)`.
    async fn money(&self, account: AccountId) -> (Usd, Usd) {
        let balance = self.credit.balance(account).await.unwrap();
        (balance.posted, balance.held)
    }

    /// Waits until no hold is open. Endings that nobody waits for come in their own time.
    async fn settled_down(&self) {
        while raw::number(&self.store, "SELECT count(*) FROM holds").await > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    /// Waits until nothing of an account is held.
    async fn holds_nothing(&self, account: AccountId) {
        while self.money(account).await.1 > Usd::ZERO {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    async fn assert_clean(&self) {
        let report = self.credit.audit().await.unwrap();
        assert!(report.is_clean(), "{report}");
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Not negative, and below `bound`. By splitmix64.
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        i64::try_from((mixed ^ (mixed >> 31)) % u64::try_from(bound).unwrap()).unwrap()
    }
}

fn usd(text: &str) -> Usd {
    text.parse().unwrap()
}

fn price() -> TokenPrices {
    let picos = |picos| PicoUsd::new(picos).unwrap();
    TokenPrices {
        prompt: picos(150_000),
        cached: picos(75_000),
        cache_write: picos(187_500),
        cache_write_long: picos(300_000),
        completion: picos(600_000),
        media: MediaTokens {
            audio_prompt: picos(1_000_000),
            image_prompt: picos(500_000),
            audio_completion: picos(2_000_000),
            image_completion: picos(4_000_000),
        },
        reasoning: picos(600_000),
        request: PicoUsd::ZERO,
        ratio: PriceRatio::ONE,
        version: "2026-11".to_owned(),
    }
}

/// Usage that costs more than any charge in these tests, so that an audit finds none of them too dear, nor too cheap: it is
/// estimated.
const MUCH: BilledUsage = BilledUsage {
    prompt: 1 << 40,
    cached: 5,
    cache_write: 3,
    cache_write_long: 2,
    completion: 400,
    reasoning: 30,
    media: MediaTokens { audio_prompt: 4, image_prompt: 6, audio_completion: 7, image_completion: 8 },
    estimated: true,
};

fn settlement(cost: &str) -> Settlement {
    let delivery = UpstreamDelivery {
        upstream: Some("first".to_owned()),
        upstream_model: Some("a-model-1".to_owned()),
        first_byte_ms: Some(300),
        duration_ms: Some(1_500),
    };
    Settlement {
        cost: usd(cost),
        rule: SettlementRule::Reported,
        usage: MUCH,
        delivery,
        fallback: None,
        tier: None,
        services: ServiceCharges::default(),
    }
}
