//! `/api/admin/accounts/{account_id}/keys` and `/api/admin/keys/{key_id}`: the keys of any account, for operators.

use super::convert::{asked, changed, key_reply};
use super::refusal::KeyManagementError;
use crate::{AccountError, AccountService, BadLimit, NewKey};
use tollgate_api::generated::ops::admin_keys::{
    ChangeAccountKey, ChangeAccountKeyError, ChangeAccountKeyInput, CreateAccountKey, CreateAccountKeyError,
    CreateAccountKeyInput, ListAccountKeys, ListAccountKeysError, ListAccountKeysInput, RevokeAccountKey,
    RevokeAccountKeyError, RevokeAccountKeyInput,
};
use tollgate_api::generated::types::{
    AccountKeyChangedReply, AccountKeyCreatedReply, AccountKeyListReply, AccountKeyReply, KeyCreated, KeyRevoked,
};
use tollgate_api::{Cx, OperatorCaller};
use tollgate_base::{AccountId, Actor, KeyId};

impl ListAccountKeys for AccountService {
    async fn list_account_keys(
        &self,
        cx: &Cx,
        input: ListAccountKeysInput,
    ) -> Result<AccountKeyListReply, ListAccountKeysError> {
        let account_id = input.account_id;
        let keys = async {
            self.find_account(&account_id.to_string()).await?;
            self.keys(AccountId(account_id)).await
        };
        let keys = keys.await.map_err(|error| match error {
            AccountError::NoSuchAccount => ListAccountKeysError::AccountNotFound { account_id },
            error => {
                super::unavailable(cx, &error);
                ListAccountKeysError::LedgerUnavailable
            }
        })?;
        Ok(AccountKeyListReply {
            success: true,
            message: String::new(),
            data: keys.into_iter().map(key_reply).collect(),
        })
    }
}

impl CreateAccountKey for AccountService {
    async fn create_account_key(
        &self,
        cx: &Cx,
        input: CreateAccountKeyInput,
    ) -> Result<AccountKeyCreatedReply, CreateAccountKeyError> {
        let account_id = input.account_id;
        let refused = |refusal| match refusal {
            KeyManagementError::Field(BadLimit { field, expected, found }) => {
                CreateAccountKeyError::BadField { field, expected: expected.to_owned(), found }
            }
            KeyManagementError::TooMany(count) => CreateAccountKeyError::KeyLimit { count },
            KeyManagementError::NoTeam(team_id) => CreateAccountKeyError::TeamNotFound { team_id },
            KeyManagementError::NoMember(member_id) => CreateAccountKeyError::MemberNotFound { member_id },
            // An operator has neither a key with limits nor an account, and what is made is there.
            KeyManagementError::Limited
            | KeyManagementError::SignedOut
            | KeyManagementError::OwnKeysOnly
            | KeyManagementError::Frozen
            | KeyManagementError::NotFound
            | KeyManagementError::Revoked
            | KeyManagementError::Ledger => CreateAccountKeyError::LedgerUnavailable,
        };
        let new = NewKey {
            account: AccountId(account_id),
            label: input.body.label.clone(),
            expires_at_ms: input.body.expires_at.map(|seconds| seconds.saturating_mul(1000)),
        };
        let limits = asked(input.body).map_err(|bad| refused(KeyManagementError::Field(bad)))?;
        let name = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &name, address: cx.client, reason: "" };
        let created = self.create_limited_key(new, limits, actor).await.map_err(|error| match error {
            AccountError::NoSuchAccount => CreateAccountKeyError::AccountNotFound { account_id },
            error => refused(KeyManagementError::of(cx, error)),
        })?;
        let data = KeyCreated { api_key: created.secret.reveal().to_owned().into(), key: key_reply(created.key) };
        Ok(AccountKeyCreatedReply { success: true, message: String::new(), data })
    }
}

impl ChangeAccountKey for AccountService {
    async fn change_account_key(
        &self,
        cx: &Cx,
        input: ChangeAccountKeyInput,
    ) -> Result<AccountKeyChangedReply, ChangeAccountKeyError> {
        let key_id = input.key_id;
        let refused = |refusal| match refusal {
            KeyManagementError::Field(BadLimit { field, expected, found }) => {
                ChangeAccountKeyError::BadField { field, expected: expected.to_owned(), found }
            }
            KeyManagementError::NotFound => ChangeAccountKeyError::KeyNotFound { key_id },
            KeyManagementError::Revoked => ChangeAccountKeyError::KeyRevoked { key_id },
            KeyManagementError::NoTeam(team_id) => ChangeAccountKeyError::TeamNotFound { team_id },
            KeyManagementError::NoMember(member_id) => ChangeAccountKeyError::MemberNotFound { member_id },
            // An operator has neither a key with limits nor an account, and no key is made.
            KeyManagementError::Limited
            | KeyManagementError::SignedOut
            | KeyManagementError::OwnKeysOnly
            | KeyManagementError::Frozen
            | KeyManagementError::TooMany(_)
            | KeyManagementError::Ledger => ChangeAccountKeyError::LedgerUnavailable,
        };
        let change = changed(input.body).map_err(|bad| refused(KeyManagementError::Field(bad)))?;
        let name = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &name, address: cx.client, reason: "" };
        let key = self.change_any_key(KeyId(key_id), change, actor).await;
        let key = key.map_err(|error| refused(KeyManagementError::of(cx, error)))?;
        Ok(AccountKeyChangedReply { success: true, message: String::new(), data: key_reply(key) })
    }
}

impl RevokeAccountKey for AccountService {
    async fn revoke_account_key(
        &self,
        cx: &Cx,
        input: RevokeAccountKeyInput,
    ) -> Result<AccountKeyReply, RevokeAccountKeyError> {
        let key_id = input.key_id;
        let name = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &name, address: cx.client, reason: "" };
        let revoked = self.revoke_any_key(KeyId(key_id), actor).await.map_err(|error| match error {
            AccountError::NoSuchKey => RevokeAccountKeyError::KeyNotFound { key_id },
            error => {
                super::unavailable(cx, &error);
                RevokeAccountKeyError::LedgerUnavailable
            }
        })?;
        let data = KeyRevoked { key: key_reply(revoked.key), was_active: revoked.was_active };
        Ok(AccountKeyReply { success: true, message: String::new(), data })
    }
}
