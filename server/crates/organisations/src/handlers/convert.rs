//! Organisations and teams between the words of the spec and those of this room.

use crate::{
    BudgetUse, BudgetsChange, Invitation, InvitationState, Member, MemberChange, Organisation, Team, TeamChange,
    TeamState,
};
use tollgate_api::generated::types::{self, BudgetTime, InvitationStatus, OrganisationChange, TeamRequest, TeamStatus};
use tollgate_credit::BudgetPeriod;

/// The change of budgets that a request asks for, by the members that each such request has.
macro_rules! budgets_change {
    ($body:ident) => {
        BudgetsChange {
            day: $body.budget_day_usd,
            week: $body.budget_week_usd,
            month: $body.budget_month_usd,
            life: $body.budget_usd,
            raised_by: $body.raised_by_usd,
            raised_until_ms: $body.raised_until.map(|at| at.map(ms)),
        }
    };
}

/// The change of the budgets of an organisation.
pub(super) fn organisation_change(body: &OrganisationChange) -> BudgetsChange {
    budgets_change!(body)
}

/// The name and the budgets of a new team.
pub(super) fn new_team(body: TeamRequest) -> (String, BudgetsChange) {
    let budgets = BudgetsChange {
        day: Some(body.budget_day_usd),
        week: Some(body.budget_week_usd),
        month: Some(body.budget_month_usd),
        life: Some(body.budget_usd),
        raised_by: Some(body.raised_by_usd),
        raised_until_ms: Some(body.raised_until.map(ms)),
    };
    (body.name, budgets)
}

/// The change of a team that a request asks for.
pub(super) fn team_change(body: types::TeamChange) -> TeamChange {
    TeamChange { name: body.name, budgets: budgets_change!(body) }
}

/// The change of a member that a request asks for.
pub(super) fn member_change(body: &types::MemberChange) -> MemberChange {
    MemberChange { role: body.role, budgets: budgets_change!(body) }
}

/// A member in the words of the spec.
pub(super) fn member_reply(member: Member) -> types::Member {
    let Member {
        id,
        person,
        name,
        role,
        state,
        issuer,
        may_return,
        budgets,
        usage,
        keys,
        created_at_ms,
        left_at_ms,
        ..
    } = member;
    types::Member {
        member_id: id.0,
        user_id: person.0,
        name,
        role,
        status: state,
        issuer,
        may_return,
        keys,
        r#use: usage.into_iter().map(use_reply).collect(),
        budget_day_usd: budgets.day,
        budget_week_usd: budgets.week,
        budget_month_usd: budgets.month,
        budget_usd: budgets.life,
        raised_by_usd: budgets.raised_by,
        raised_until: budgets.raised_until_ms.map(|at| at / 1000),
        created_at: created_at_ms / 1000,
        left_at: left_at_ms.map(|at| at / 1000),
    }
}

/// An invitation in the words of the spec, as it stands at a time.
pub(super) fn invitation_reply(invitation: Invitation, now_ms: i64) -> types::Invitation {
    types::Invitation {
        invitation_id: invitation.id,
        status: match invitation.state {
            InvitationState::Open if now_ms >= invitation.ends_at_ms => InvitationStatus::Ended,
            InvitationState::Open => InvitationStatus::Open,
            InvitationState::Accepted => InvitationStatus::Accepted,
            InvitationState::Withdrawn => InvitationStatus::Withdrawn,
        },
        invited: invitation.invited,
        role: invitation.role,
        created_at: invitation.created_at_ms / 1000,
        ends_at: invitation.ends_at_ms / 1000,
        member_id: invitation.member.map(|member| member.0),
    }
}

/// An organisation in the words of the spec.
pub(super) fn organisation_reply(organisation: Organisation) -> types::Organisation {
    let Organisation { name, budgets, usage } = organisation;
    types::Organisation {
        name,
        r#use: usage.into_iter().map(use_reply).collect(),
        budget_day_usd: budgets.day,
        budget_week_usd: budgets.week,
        budget_month_usd: budgets.month,
        budget_usd: budgets.life,
        raised_by_usd: budgets.raised_by,
        raised_until: budgets.raised_until_ms.map(|at| at / 1000),
    }
}

/// A team in the words of the spec.
pub(super) fn team_reply(team: Team) -> types::Team {
    let Team { id, name, state, budgets, usage, keys, created_at_ms } = team;
    types::Team {
        team_id: id.0,
        name,
        status: match state {
            TeamState::Active => TeamStatus::Active,
            TeamState::Closed => TeamStatus::Closed,
        },
        keys,
        r#use: usage.into_iter().map(use_reply).collect(),
        budget_day_usd: budgets.day,
        budget_week_usd: budgets.week,
        budget_month_usd: budgets.month,
        budget_usd: budgets.life,
        raised_by_usd: budgets.raised_by,
        raised_until: budgets.raised_until_ms.map(|at| at / 1000),
        created_at: created_at_ms / 1000,
    }
}

fn use_reply(usage: BudgetUse) -> types::BudgetUse {
    types::BudgetUse {
        left_usd: usage.left(),
        period: match usage.period {
            BudgetPeriod::Day => BudgetTime::Day,
            BudgetPeriod::Week => BudgetTime::Week,
            BudgetPeriod::Month => BudgetTime::Month,
            BudgetPeriod::Life => BudgetTime::Life,
        },
        budget_usd: usage.budget,
        spent_usd: usage.spent,
        held_usd: usage.held,
        resets_at: usage.resets_at_ms.map(|at| at / 1000),
    }
}

fn ms(seconds: i64) -> i64 {
    seconds.saturating_mul(1000)
}
