//! `/api/user/self/keys`: make, list, change and revoke.

use super::convert::{asked, changed, key_reply};
use super::refusal::KeyManagementError;
use crate::{AccountError, AccountService, BadLimit};
use tollgate_api::Cx;
use tollgate_api::generated::ops::keys::{
    ChangeKey, ChangeKeyError, ChangeKeyInput, CreateKey, CreateKeyError, CreateKeyInput, ListKeys, ListKeysError,
    ListKeysInput, RevokeKey, RevokeKeyError, RevokeKeyInput,
};
use tollgate_api::generated::types::{Key, KeyCreated, KeyCreatedReply, KeyListReply, KeyReply};
use tollgate_base::{Caller, KeyId};

impl CreateKey for AccountService {
    async fn create_key(&self, cx: &Cx, input: CreateKeyInput) -> Result<KeyCreatedReply, CreateKeyError> {
        let label = input.body.label.clone();
        let expires_at_ms = input.body.expires_at.map(|seconds| seconds.saturating_mul(1000));
        let limits = asked(input.body).map_err(|bad| CreateKeyError::from(KeyManagementError::Field(bad)))?;
        let created = self.create_own_key(&input.caller, label, expires_at_ms, limits).await;
        let created = created.map_err(|error| CreateKeyError::from(KeyManagementError::of(cx, error)))?;
        let data = KeyCreated { api_key: created.secret.reveal().to_owned().into(), key: key_reply(created.key) };
        Ok(KeyCreatedReply { success: true, message: String::new(), data })
    }
}

impl ListKeys for AccountService {
    async fn list_keys(&self, cx: &Cx, input: ListKeysInput) -> Result<KeyListReply, ListKeysError> {
        let keys = self.own_keys(&input.caller).await.map_err(|error| KeyManagementError::of(cx, error))?;
        Ok(KeyListReply { success: true, message: String::new(), data: keys.into_iter().map(key_reply).collect() })
    }
}

impl AccountService {
    /// A key as the list has it, however many there are. None where the caller may see no such key.
    ///
    /// # Errors
    /// As the list.
    pub async fn show_own_key(&self, cx: &Cx, caller: &Caller, id: KeyId) -> Result<Option<Key>, ListKeysError> {
        match self.find_own_key(caller, id).await {
            Ok(key) => Ok(Some(key_reply(key))),
            Err(AccountError::NoSuchKey) => Ok(None),
            Err(error) => Err(KeyManagementError::of(cx, error).into()),
        }
    }
}

impl ChangeKey for AccountService {
    async fn change_key(&self, cx: &Cx, input: ChangeKeyInput) -> Result<KeyReply, ChangeKeyError> {
        let key_id = input.key_id;
        let refused = |refusal| match refusal {
            KeyManagementError::Field(BadLimit { field, expected, found }) => {
                ChangeKeyError::BadField { field, expected: expected.to_owned(), found }
            }
            KeyManagementError::Limited => ChangeKeyError::KeyLimited,
            KeyManagementError::SignedOut => ChangeKeyError::SessionInvalid,
            KeyManagementError::Frozen => ChangeKeyError::KeyDisabled,
            KeyManagementError::NotFound => ChangeKeyError::KeyNotFound { key_id },
            KeyManagementError::Revoked => ChangeKeyError::KeyRevoked { key_id },
            KeyManagementError::NoTeam(team_id) => ChangeKeyError::TeamNotFound { team_id },
            KeyManagementError::NoMember(member_id) => ChangeKeyError::MemberNotFound { member_id },
            KeyManagementError::OwnKeysOnly => ChangeKeyError::OwnKeysOnly,
            KeyManagementError::TooMany(_) | KeyManagementError::Ledger => ChangeKeyError::LedgerUnavailable,
        };
        let change = changed(input.body).map_err(|bad| refused(KeyManagementError::Field(bad)))?;
        let key = self.change_own_key(&input.caller, KeyId(key_id), change).await;
        let key = key.map_err(|error| refused(KeyManagementError::of(cx, error)))?;
        Ok(KeyReply { success: true, message: String::new(), data: key_reply(key) })
    }
}

impl RevokeKey for AccountService {
    async fn revoke_key(&self, cx: &Cx, input: RevokeKeyInput) -> Result<KeyReply, RevokeKeyError> {
        let key_id = input.key_id;
        let key = self.revoke_own_key(&input.caller, KeyId(key_id)).await;
        let key = key.map_err(|error| match KeyManagementError::of(cx, error) {
            KeyManagementError::Limited => RevokeKeyError::KeyLimited,
            KeyManagementError::SignedOut => RevokeKeyError::SessionInvalid,
            KeyManagementError::Frozen => RevokeKeyError::KeyDisabled,
            KeyManagementError::NotFound => RevokeKeyError::KeyNotFound { key_id },
            // A revocation sets no field, makes no key, and may be repeated.
            KeyManagementError::Field(_)
            | KeyManagementError::Revoked
            | KeyManagementError::NoTeam(_)
            | KeyManagementError::NoMember(_)
            | KeyManagementError::OwnKeysOnly
            | KeyManagementError::TooMany(_)
            | KeyManagementError::Ledger => RevokeKeyError::LedgerUnavailable,
        })?;
        Ok(KeyReply { success: true, message: String::new(), data: key_reply(key) })
    }
}

impl From<KeyManagementError> for CreateKeyError {
    fn from(refusal: KeyManagementError) -> Self {
        match refusal {
            KeyManagementError::Field(BadLimit { field, expected, found }) => {
                Self::BadField { field, expected: expected.to_owned(), found }
            }
            KeyManagementError::Limited => Self::KeyLimited,
            KeyManagementError::SignedOut => Self::SessionInvalid,
            KeyManagementError::Frozen => Self::KeyDisabled,
            KeyManagementError::TooMany(count) => Self::KeyLimit { count },
            KeyManagementError::NoTeam(team_id) => Self::TeamNotFound { team_id },
            KeyManagementError::NoMember(member_id) => Self::MemberNotFound { member_id },
            KeyManagementError::OwnKeysOnly => Self::OwnKeysOnly,
            // There is no key yet that could be missing or revoked.
            KeyManagementError::NotFound | KeyManagementError::Revoked | KeyManagementError::Ledger => {
                Self::LedgerUnavailable
            }
        }
    }
}

impl From<KeyManagementError> for ListKeysError {
    fn from(refusal: KeyManagementError) -> Self {
        match refusal {
            KeyManagementError::Limited => Self::KeyLimited,
            KeyManagementError::SignedOut => Self::SessionInvalid,
            KeyManagementError::Frozen => Self::KeyDisabled,
            // A list names no key and sets nothing.
            KeyManagementError::Field(_)
            | KeyManagementError::NotFound
            | KeyManagementError::Revoked
            | KeyManagementError::NoTeam(_)
            | KeyManagementError::NoMember(_)
            | KeyManagementError::OwnKeysOnly
            | KeyManagementError::TooMany(_)
            | KeyManagementError::Ledger => Self::LedgerUnavailable,
        }
    }
}
