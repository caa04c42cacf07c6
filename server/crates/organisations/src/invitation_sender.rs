//! The sender of invitations.

use tollgate_net::Mailer;

/// The sender of invitations, and the name that this service goes by.
#[derive(Debug, Clone)]
pub(super) struct InvitationSender {
    pub(super) mailer: Mailer,
    pub(super) service: String,
}
