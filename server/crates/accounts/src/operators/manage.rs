//! Making, inviting, changing and listing operators.

use super::sign_in::millis;
use super::sql::NewSecret;
use super::{
    CreatedOperatorKey, InvitedOperator, Operator, OperatorChange, OperatorError, OperatorKind, OperatorRole,
    OperatorService, OperatorState, sql,
};
use crate::name::fit_name;
use crate::{key, token};
use tollgate_api::generated::limits;
use tollgate_base::{Actor, OperatorId, draw_id};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

impl OperatorService {
    /// Makes a key for a program. Its secret is in the answer and nowhere else.
    ///
    /// # Errors
    /// When the name is unfit or taken, the expiry is past, or the store fails.
    pub async fn create_key(
        &self,
        name: &str,
        role: OperatorRole,
        expires_at_ms: Option<i64>,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<CreatedOperatorKey, OperatorError> {
        let secret = key::draw(key::OPERATOR);
        let hash = key::hash(key::OPERATOR, secret.reveal()).expect("a drawn key is well formed");
        let mut operator = self.new_operator(name, OperatorKind::Key, role)?;
        if expires_at_ms.is_some_and(|at| at <= operator.created_at_ms) {
            return Err(OperatorError::ExpiryPast);
        }
        operator.expires_at_ms = expires_at_ms;
        operator.shown = Some(key::shown(&secret));
        self.insert(&operator, NewSecret::Key(&hash), actor.into()).await?;
        Ok(CreatedOperatorKey { operator, secret })
    }

    /// Makes a person, who is let in once the invitation is accepted. It is in the answer and nowhere else.
    ///
    /// # Errors
    /// When the name is unfit or taken, or the store fails.
    pub async fn create_person(
        &self,
        name: &str,
        role: OperatorRole,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<InvitedOperator, OperatorError> {
        let invitation = token::draw();
        let mut operator = self.new_operator(name, OperatorKind::Person, role)?;
        operator.invitation_ends_at_ms =
            Some(operator.created_at_ms.saturating_add(millis(limits::OPERATOR_INVITATION)));
        let hash = token::id(invitation.reveal()).expect("a drawn token is well formed");
        self.insert(&operator, NewSecret::Invitation(&hash.0), actor.into()).await?;
        Ok(InvitedOperator { operator, invitation })
    }

    fn new_operator(&self, name: &str, kind: OperatorKind, role: OperatorRole) -> Result<Operator, OperatorError> {
        if !fit_name(name) {
            return Err(OperatorError::NameInvalid);
        }
        Ok(Operator {
            id: OperatorId(draw_id(1)),
            name: name.to_owned(),
            kind,
            role,
            state: OperatorState::Active,
            created_at_ms: self.clock.now_ms(),
            shown: None,
            expires_at_ms: None,
            invitation_ends_at_ms: None,
            enrolled: false,
        })
    }

    async fn insert(&self, operator: &Operator, secret: NewSecret<'_>, actor: Actor<'_>) -> Result<(), OperatorError> {
        let mut transaction = self.store.begin().await?;
        sql::insert(&mut transaction, operator, secret).await?;
        let detail = format!("{} {}", operator.kind.as_str(), operator.name);
        self.note(&mut transaction, operator.id, actor, "operator.create", &detail, None, Some(operator)).await?;
        transaction.commit().await.map_err(StoreError::commit("an operator"))?;
        Ok(())
    }

    /// Invites a person anew, who has lost the password or the second factor. Both go at once, and the sessions end. On the machine
    /// itself, where others can be made, the last owner is invited too.
    ///
    /// # Errors
    /// When there is no such operator, it is a key, no owner would be left whom `keeps_owner` asks for, or the store fails.
    pub async fn invite(
        &self,
        id: OperatorId,
        keeps_owner: bool,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<InvitedOperator, OperatorError> {
        let invitation = token::draw();
        let hash = token::id(invitation.reveal()).expect("a drawn token is well formed");
        let ends_at_ms = self.clock.now_ms().saturating_add(millis(limits::OPERATOR_INVITATION));
        let mut transaction = self.store.begin().await?;
        let operator = found(&mut transaction, id).await?;
        if operator.kind != OperatorKind::Person {
            return Err(OperatorError::NotAPerson);
        }
        sql::invite(&mut transaction, id, &hash.0, ends_at_ms).await?;
        if keeps_owner && is_owner_for_good(&operator) && sql::owners(&mut transaction).await? == 0 {
            return Err(OperatorError::LastOwner);
        }
        self.note(&mut transaction, id, actor.into(), "operator.invite", &operator.name, None, None).await?;
        transaction.commit().await.map_err(StoreError::commit("an invitation"))?;
        let operator = Operator { invitation_ends_at_ms: Some(ends_at_ms), enrolled: false, ..operator };
        Ok(InvitedOperator { operator, invitation })
    }

    /// Changes role or state of an operator who is as `expected`. The sessions end.
    ///
    /// # Errors
    /// When there is no such operator, it was changed since it was read, a disabled key is to be let in again, no owner would be
    /// left, or the store fails.
    pub async fn change(
        &self,
        id: OperatorId,
        change: OperatorChange,
        expected: impl Fn(&Operator) -> bool + Send,
        actor: impl Into<Actor<'_>> + Send,
    ) -> Result<Operator, OperatorError> {
        let mut transaction = self.store.begin().await?;
        let before = found(&mut transaction, id).await?;
        let role = change.role.unwrap_or(before.role);
        let state = change.state.unwrap_or(before.state);
        let after = Operator { role, state, ..before.clone() };
        if after == before {
            // Also where an answer was lost, and the change is sent again.
            return Ok(after);
        }
        if !expected(&before) {
            return Err(OperatorError::Changed);
        }
        if before.kind == OperatorKind::Key && before.state == OperatorState::Disabled && state != before.state {
            return Err(OperatorError::KeyDisabled);
        }
        sql::change(&mut transaction, &after).await?;
        let takes_owner = is_owner_for_good(&before) && !is_owner_for_good(&after);
        if takes_owner && sql::owners(&mut transaction).await? == 0 {
            return Err(OperatorError::LastOwner);
        }
        self.note(&mut transaction, id, actor.into(), "operator.change", &after.name, Some(&before), Some(&after))
            .await?;
        transaction.commit().await.map_err(StoreError::commit("an operator"))?;
        Ok(after)
    }

    /// All operators, by name.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn operators(&self) -> Result<Vec<Operator>, StoreError> {
        sql::list(self.store.readers()).await
    }

    /// The operator of this number or name.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn find(&self, id_or_name: &str) -> Result<Operator, OperatorError> {
        sql::find(self.store.readers(), id_or_name).await?.ok_or(OperatorError::NoSuchOperator)
    }

    #[expect(clippy::too_many_arguments, reason = "each is a column of the log of changes")]
    pub(super) async fn note(
        &self,
        transaction: &mut StoreTransaction,
        id: OperatorId,
        actor: Actor<'_>,
        action: &'static str,
        detail: &str,
        before: Option<&Operator>,
        after: Option<&Operator>,
    ) -> Result<(), StoreError> {
        let (subject, at_ms) = (id.to_string(), self.clock.now_ms());
        let (before, after) = (before.map(described), after.map(described));
        let entry = AuditEntry::new(at_ms, actor, action, &subject).detail(detail);
        let entry = match &after {
            Some(after) => entry.change(before.as_deref(), after),
            None => entry,
        };
        record(transaction, &entry).await
    }
}

async fn found(transaction: &mut StoreTransaction, id: OperatorId) -> Result<Operator, OperatorError> {
    sql::find(transaction, &id.to_string()).await?.ok_or(OperatorError::NoSuchOperator)
}

/// True if an operator may do everything whenever they come.
fn is_owner_for_good(operator: &Operator) -> bool {
    let comes = match operator.kind {
        OperatorKind::Key => operator.expires_at_ms.is_none(),
        OperatorKind::Person => operator.enrolled,
    };
    comes && operator.role == OperatorRole::Owner && operator.state == OperatorState::Active
}

/// The changeable part of an operator, for the log of changes.
fn described(operator: &Operator) -> String {
    serde_json::json!({"role": operator.role.as_str(), "state": operator.state.as_str()}).to_string()
}
