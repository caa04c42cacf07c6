//! A presented secret becomes a caller, or is refused.

use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};

use super::cache::FoundKey;
use super::{AccountService, AccountState, KeyRejection, KeyState, key, sql};
use tollgate_base::Principal;

const WATCH_EVERY: Duration = Duration::from_millis(250);

impl AccountService {
    /// Accepts or refuses a secret. Form and checksum first, then keys seen before, then the database.
    ///
    /// # Errors
    /// Says which rule refused it; [`KeyRejection::Unavailable`] when it could not be looked up.
    pub async fn authenticate(&self, secret: &str) -> Result<Principal, KeyRejection> {
        let hash = key::hash(key::ACCOUNT, secret).ok_or(KeyRejection::Malformed)?;
        if let Some(found) = self.cache.get(&hash) {
            return self.decide(found);
        }
        let began = Instant::now();
        let (epoch, found) = sql::keys::find(self.store.readers(), &hash).await.map_err(KeyRejection::Unavailable)?;
        // Only keys that exist are kept: guessing fills nothing.
        self.cache.observe(epoch, began, found.clone().map(|found| (hash, found)));
        self.decide(found.ok_or(KeyRejection::Unknown)?)
    }

    fn decide(&self, key: FoundKey) -> Result<Principal, KeyRejection> {
        match (key.state, key.account_state) {
            (KeyState::Revoked, _) => Err(KeyRejection::Revoked),
            (KeyState::Active, _) if key.expires_at_ms.is_some_and(|at| self.clock.now_ms() >= at) => {
                Err(KeyRejection::Expired)
            }
            (KeyState::Active, AccountState::Frozen) => Err(KeyRejection::AccountFrozen),
            (KeyState::Active, AccountState::Active) => Ok(key.principal),
        }
    }

    /// Watches for changed keys, so that [`AccountService::authenticate`] can trust what it has seen before. Runs until it
    /// is dropped; without it the database is asked again for each key, every second.
    pub async fn watch(&self) {
        let mut ticks = interval(WATCH_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut failing = false;
        loop {
            ticks.tick().await;
            let began = Instant::now();
            match sql::keys::key_epoch(self.store.readers()).await {
                Ok(epoch) => {
                    self.cache.observe(epoch, began, None);
                    failing = false;
                }
                Err(error) if !failing => {
                    failing = true;
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "cannot watch for changed keys: each request looks its key up"
                    );
                }
                Err(_) => {}
            }
        }
    }
}
