//! Keys and their limits between the words of the spec and those of this room.

use crate::{ApiKey, BadLimit, KeyChange, KeyLimits, KeyState, addresses, models, operations};
use tollgate_api::generated::types::{self, Key, KeyAddress, KeyModel, KeyOperation, KeyRequest, KeyStatus};
use tollgate_base::{AddressRange, KeyScope, PoolId};

/// The limits that a new key is to have.
pub(super) fn asked(body: KeyRequest) -> Result<KeyLimits, BadLimit> {
    Ok(KeyLimits {
        scope: KeyScope {
            models: body.models.map(named_models).transpose()?,
            operations: body.operations.map(named_operations).transpose()?,
            addresses: body.addresses.map(ranges).transpose()?,
        },
        budget_day: body.budget_day_usd,
        budget_week: body.budget_week_usd,
        budget_month: body.budget_month_usd,
        budget_life: body.budget_usd,
        requests_per_minute: body.requests_per_minute,
        tokens_per_minute: body.tokens_per_minute,
        in_flight: body.in_flight,
        team: body.team_id.map(PoolId),
        member: body.member_id.map(PoolId),
        include_cost: body.include_cost.unwrap_or_default(),
    })
}

/// The change of a key that a request asks for.
pub(super) fn changed(body: types::KeyChange) -> Result<KeyChange, BadLimit> {
    Ok(KeyChange {
        label: body.label,
        models: inside(body.models, named_models)?,
        operations: inside(body.operations, named_operations)?,
        addresses: inside(body.addresses, ranges)?,
        budget_day: body.budget_day_usd,
        budget_week: body.budget_week_usd,
        budget_month: body.budget_month_usd,
        budget_life: body.budget_usd,
        requests_per_minute: body.requests_per_minute,
        tokens_per_minute: body.tokens_per_minute,
        in_flight: body.in_flight,
        team: body.team_id.map(|team| team.map(PoolId)),
        member: body.member_id.map(|member| member.map(PoolId)),
        include_cost: body.include_cost,
    })
}

/// A key in the words of the spec.
pub(super) fn key_reply(key: ApiKey) -> Key {
    let KeyLimits {
        scope,
        budget_day,
        budget_week,
        budget_month,
        budget_life,
        requests_per_minute,
        tokens_per_minute,
        in_flight,
        team,
        member,
        include_cost,
    } = key.limits;
    Key {
        key_id: key.id.0,
        label: key.label,
        prefix: key.shown,
        status: match key.state {
            KeyState::Active => KeyStatus::Active,
            KeyState::Revoked => KeyStatus::Revoked,
        },
        models: scope.models,
        operations: scope.operations,
        addresses: scope.addresses.map(|ranges| ranges.iter().map(AddressRange::to_string).collect()),
        budget_day_usd: budget_day,
        budget_week_usd: budget_week,
        budget_month_usd: budget_month,
        budget_usd: budget_life,
        requests_per_minute,
        tokens_per_minute,
        in_flight,
        team_id: team.map(|team| team.0),
        member_id: member.map(|member| member.0),
        include_cost,
        created_at: key.created_at_ms / 1000,
        expires_at: key.expires_at_ms.map(|at| at / 1000),
    }
}

fn named_models(given: Vec<KeyModel>) -> Result<Vec<String>, BadLimit> {
    models(given.into_iter().map(KeyModel::into_inner).collect())
}

fn named_operations(given: Vec<KeyOperation>) -> Result<Vec<String>, BadLimit> {
    operations(given.into_iter().map(KeyOperation::into_inner).collect())
}

fn ranges(given: Vec<KeyAddress>) -> Result<Vec<AddressRange>, BadLimit> {
    addresses(given.into_iter().map(KeyAddress::into_inner).collect())
}

/// Reads what is neither absent nor null.
fn inside<T, U>(
    given: Option<Option<T>>,
    read: impl FnOnce(T) -> Result<U, BadLimit>,
) -> Result<Option<Option<U>>, BadLimit> {
    given.map(|given| given.map(read).transpose()).transpose()
}
