//! Making, listing and revoking keys.

use super::manage_accounts::random_id;
use super::{AccountError, Accounts, ApiKey, CreatedKey, KeyState, NewKey, Revoked, key, sql};
use crate::base::{AccountId, KeyId};
use crate::generated::limits;
use crate::store::{Entry, StoreError, record};

const LABEL_CHARS_MAX: usize = 64;

impl Accounts {
    /// Makes a key. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// When the account is not there or has too many live keys, the label is unfit, the expiry is past, or the store fails.
    pub async fn create_key(&self, new: NewKey, actor: &str) -> Result<CreatedKey, AccountError> {
        let created_at_ms = self.clock.now_ms();
        if new.label.chars().count() > LABEL_CHARS_MAX || new.label.chars().any(char::is_control) {
            return Err(AccountError::LabelInvalid);
        }
        if new.expires_at_ms.is_some_and(|at| at <= created_at_ms) {
            return Err(AccountError::ExpiryPast);
        }
        let secret = key::draw();
        let hash = key::hash(secret.reveal()).expect("a drawn key is well formed");
        let key = ApiKey {
            id: KeyId(random_id(1)),
            account: new.account,
            shown: key::shown(&secret),
            label: new.label,
            state: KeyState::Active,
            created_at_ms,
            expires_at_ms: new.expires_at_ms,
        };
        let mut transaction = self.store.begin().await?;
        // Counted under the write lock, so that no two take the last place.
        let live = sql::live_keys(&mut transaction, new.account, created_at_ms).await?;
        if live >= i64::from(limits::KEYS_PER_ACCOUNT) {
            return Err(AccountError::TooManyKeys(live));
        }
        sql::insert_key(&mut transaction, &key, &hash).await?;
        let subject = key.id.to_string();
        let detail = format!("account {} {}", key.account, key.shown);
        let entry = Entry { at_ms: created_at_ms, actor, action: "key.create", subject: &subject, detail: &detail };
        record(&mut transaction, &entry).await?;
        transaction.commit().await.map_err(StoreError::commit("a key"))?;
        Ok(CreatedKey { key, secret })
    }

    /// The keys of an account, the newest first, revoked ones included.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keys(&self, account: AccountId) -> Result<Vec<ApiKey>, AccountError> {
        Ok(sql::keys(self.store.readers(), account).await?)
    }

    /// Revokes the key of this number, or shown like this (`sk-AbCdE…wxyz`, or its first eight characters). Doing it
    /// twice is the same as once.
    ///
    /// # Errors
    /// When no key or more than one fits, or the store fails.
    pub async fn revoke_key(&self, id_or_shown: &str, actor: &str) -> Result<Revoked, AccountError> {
        let mut transaction = self.store.begin().await?;
        let mut fitting = sql::keys_like(&mut transaction, id_or_shown).await?;
        let mut key = fitting.pop().ok_or(AccountError::NoSuchKey)?;
        if !fitting.is_empty() {
            return Err(AccountError::Ambiguous);
        }
        let was_active = sql::revoke(&mut transaction, key.id).await?;
        key.state = KeyState::Revoked;
        if was_active {
            let subject = key.id.to_string();
            let entry = Entry {
                at_ms: self.clock.now_ms(),
                actor,
                action: "key.revoke",
                subject: &subject,
                detail: &key.shown,
            };
            record(&mut transaction, &entry).await?;
        }
        transaction.commit().await.map_err(StoreError::commit("a revocation"))?;
        self.cache.forget();
        Ok(Revoked { key, was_active })
    }
}
