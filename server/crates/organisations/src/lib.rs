//! Floor 3: organisations, whose wallet an account is: members and invitations, teams, and budgets that several keys spend together.
//!
//! Imports `base`, `api`, `store`, `net`, `accounts` and `credit`. Writes budgets down; that no more is spent is for the
//! ledger, in the transaction of each hold, under rules that are the database's. Invariants: a team is open or closed for ever,
//! and no live key is of a closed one; the name of an open team is its own; an organisation has an owner; an invitation is
//! accepted once; budgets change under the lock that the ledger decides by.
//! Start reading at [`OrganisationService::change_team`] and [`OrganisationService::accept`].

mod budgets;
mod error;
mod handlers;
mod invitation_mail;
mod invitation_sender;
mod invitations;
mod member;
mod members;
mod memberships;
mod organisation;
mod sql;
mod team;
mod teams;

use invitation_sender::InvitationSender;
use tollgate_accounts::AccountService;
use tollgate_base::{Clock, Secret};
use tollgate_net::Mailer;
use tollgate_store::Store;

pub use budgets::{BudgetUse, BudgetsChange, PooledBudgets};
pub use error::OrganisationError;
pub use member::{CreatedInvitation, Invitation, InvitationState, Member, MemberChange, Membership, ProviderPerson};
pub use organisation::Organisation;
pub use team::{Team, TeamChange, TeamState};

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OrganisationService {
    store: Store,
    clock: Clock,
    accounts: AccountService,
    /// Where people find the pages of the service; they know it themselves where it is not told.
    public_url: Option<String>,
    /// Absent where nothing is mailed.
    sender: Option<InvitationSender>,
}

impl OrganisationService {
    /// A handle on the organisations of `store`, whose keys and people are those of `accounts`.
    #[must_use]
    pub fn new(store: Store, clock: Clock, accounts: AccountService) -> Self {
        Self { store, clock, accounts, public_url: None, sender: None }
    }

    /// Sets the accounts whose registration may be switched off.
    #[must_use]
    pub fn with_accounts(self, accounts: AccountService) -> Self {
        Self { accounts, ..self }
    }

    /// Sets the address that links in invitations begin with, without a slash at its end.
    #[must_use]
    pub fn with_public_url(self, public_url: Option<String>) -> Self {
        Self { public_url, ..self }
    }

    /// Sets the sender of mail, and the name that the service goes by in it.
    #[must_use]
    pub fn with_mailer(self, mailer: Mailer, service: String) -> Self {
        Self { sender: Some(InvitationSender { mailer, service }), ..self }
    }

    /// The page at which an invitation is accepted. Browsers send nowhere what stands behind the `#`.
    fn link(&self, token: &Secret) -> String {
        format!("{}/invitation#{}", self.public_url.as_deref().unwrap_or_default(), token.reveal())
    }
}
