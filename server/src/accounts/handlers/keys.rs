//! `/api/user/self/keys`: make, list, change and revoke.

use super::refusal::Refusal;
use super::shown::{asked, changed, shown};
use crate::accounts::{Accounts, BadLimit};
use crate::api::Cx;
use crate::base::KeyId;
use crate::generated::ops::keys::{
    ChangeKey, ChangeKeyError, ChangeKeyInput, CreateKey, CreateKeyError, CreateKeyInput, ListKeys, ListKeysError,
    ListKeysInput, RevokeKey, RevokeKeyError, RevokeKeyInput,
};
use crate::generated::types::{KeyCreated, KeyCreatedReply, KeyListReply, KeyReply};

impl CreateKey for Accounts {
    async fn create_key(&self, cx: &Cx, input: CreateKeyInput) -> Result<KeyCreatedReply, CreateKeyError> {
        let label = input.body.label.clone();
        let expires_at_ms = input.body.expires_at.map(|seconds| seconds.saturating_mul(1000));
        let limits = asked(input.body).map_err(|bad| CreateKeyError::from(Refusal::Field(bad)))?;
        let created = self.create_own_key(&input.caller, label, expires_at_ms, limits).await;
        let created = created.map_err(|error| CreateKeyError::from(Refusal::of(cx, error)))?;
        let data = KeyCreated { api_key: created.secret.reveal().to_owned().into(), key: shown(created.key) };
        Ok(KeyCreatedReply { success: true, message: String::new(), data })
    }
}

impl ListKeys for Accounts {
    async fn list_keys(&self, cx: &Cx, input: ListKeysInput) -> Result<KeyListReply, ListKeysError> {
        let keys = self.own_keys(&input.caller).await.map_err(|error| Refusal::of(cx, error))?;
        Ok(KeyListReply { success: true, message: String::new(), data: keys.into_iter().map(shown).collect() })
    }
}

impl ChangeKey for Accounts {
    async fn change_key(&self, cx: &Cx, input: ChangeKeyInput) -> Result<KeyReply, ChangeKeyError> {
        let key_id = input.key_id;
        let refused = |refusal| match refusal {
            Refusal::Field(BadLimit { field, expected, found }) => {
                ChangeKeyError::BadField { field, expected: expected.to_owned(), found }
            }
            Refusal::Limited => ChangeKeyError::KeyLimited,
            Refusal::SignedOut => ChangeKeyError::SessionInvalid,
            Refusal::Frozen => ChangeKeyError::KeyDisabled,
            Refusal::NotFound => ChangeKeyError::KeyNotFound { key_id },
            Refusal::Revoked => ChangeKeyError::KeyRevoked { key_id },
            Refusal::TooMany(_) | Refusal::Ledger => ChangeKeyError::LedgerUnavailable,
        };
        let change = changed(input.body).map_err(|bad| refused(Refusal::Field(bad)))?;
        let key = self.change_own_key(&input.caller, KeyId(key_id), change).await;
        let key = key.map_err(|error| refused(Refusal::of(cx, error)))?;
        Ok(KeyReply { success: true, message: String::new(), data: shown(key) })
    }
}

impl RevokeKey for Accounts {
    async fn revoke_key(&self, cx: &Cx, input: RevokeKeyInput) -> Result<KeyReply, RevokeKeyError> {
        let key_id = input.key_id;
        let key = self.revoke_own_key(&input.caller, KeyId(key_id)).await;
        let key = key.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Limited => RevokeKeyError::KeyLimited,
            Refusal::SignedOut => RevokeKeyError::SessionInvalid,
            Refusal::Frozen => RevokeKeyError::KeyDisabled,
            Refusal::NotFound => RevokeKeyError::KeyNotFound { key_id },
            // A revocation sets no field, makes no key, and may be repeated.
            Refusal::Field(_) | Refusal::Revoked | Refusal::TooMany(_) | Refusal::Ledger => {
                RevokeKeyError::LedgerUnavailable
            }
        })?;
        Ok(KeyReply { success: true, message: String::new(), data: shown(key) })
    }
}

impl From<Refusal> for CreateKeyError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Field(BadLimit { field, expected, found }) => {
                Self::BadField { field, expected: expected.to_owned(), found }
            }
            Refusal::Limited => Self::KeyLimited,
            Refusal::SignedOut => Self::SessionInvalid,
            Refusal::Frozen => Self::KeyDisabled,
            Refusal::TooMany(count) => Self::KeyLimit { count },
            // There is no key yet that could be missing or revoked.
            Refusal::NotFound | Refusal::Revoked | Refusal::Ledger => Self::LedgerUnavailable,
        }
    }
}

impl From<Refusal> for ListKeysError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Limited => Self::KeyLimited,
            Refusal::SignedOut => Self::SessionInvalid,
            Refusal::Frozen => Self::KeyDisabled,
            // A list names no key and sets nothing.
            Refusal::Field(_) | Refusal::NotFound | Refusal::Revoked | Refusal::TooMany(_) | Refusal::Ledger => {
                Self::LedgerUnavailable
            }
        }
    }
}
