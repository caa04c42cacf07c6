//! The mail that brings somebody the link of an invitation.

use super::budgets::unfit;
use super::{CreatedInvitation, OrganisationError, OrganisationService, sql};
use tollgate_api::generated::limits;
use tollgate_api::generated::types::InvitationMail;
use tollgate_base::rfc3339;
use tollgate_net::{MailAddress, Mailer};
use tollgate_store::StoreError;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The sender of invitations, and the name that this service goes by.
#[derive(Debug, Clone)]
pub(super) struct InvitationSender {
    pub(super) mailer: Mailer,
    pub(super) service: String,
}

impl OrganisationService {
    /// True if invitations can be sent by mail.
    #[must_use]
    pub fn sends_mail(&self) -> bool {
        self.sender.is_some()
    }

    /// The address that an invitation for `invited` is mailed to.
    ///
    /// # Errors
    /// When this service sends no mail, or `invited` is no address.
    pub(super) fn recipient(&self, invited: &str) -> Result<MailAddress, OrganisationError> {
        if !self.sends_mail() {
            return Err(unfit("send", "false or absent: this service sends no mail", "true"));
        }
        invited.parse().map_err(|_| unfit("invited", "an e-mail address, as `send` is true", "another text"))
    }

    /// Mails the link of an invitation. Where the mail server does not take it, whoever invites has the link all the same.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn mail(
        &self,
        created: &CreatedInvitation,
        to: MailAddress,
    ) -> Result<InvitationMail, StoreError> {
        let Some(InvitationSender { mailer, service }) = &self.sender else { return Ok(InvitationMail::Failed) };
        let (readers, organisation) = (self.store.readers(), created.invitation.organisation);
        // Whatever became of them: who is invited and uninvited in turn is sent as many mails as anybody.
        let since_ms = self.clock.now_ms().saturating_sub(DAY_MS);
        let made = sql::invitations::made_since(readers, organisation, since_ms).await?;
        if made > i64::from(limits::INVITATION_MAILS_PER_DAY) {
            return Ok(InvitationMail::Limit);
        }
        let name = sql::invitations::organisation_name(readers, organisation).await?;
        let subject = format!("{service}: you are invited to {name}");
        match mailer.send(to, &subject, self.text(created, service, &name)).await {
            Ok(()) => Ok(InvitationMail::Accepted),
            Err(error) => {
                let id = created.invitation.id;
                tracing::warn!(
                    invitation = id,
                    error = &error as &dyn std::error::Error,
                    "an invitation could not be mailed"
                );
                Ok(InvitationMail::Failed)
            }
        }
    }

    /// The text, for a person who may have heard of neither the service nor the organisation.
    fn text(&self, created: &CreatedInvitation, service: &str, organisation: &str) -> String {
        let CreatedInvitation { invitation, token } = created;
        let (role, link, until) = (invitation.role.as_str(), self.link(token), rfc3339(invitation.ends_at_ms));
        format!(
            "You are invited to become a member of \"{organisation}\" at {service}, in the role {role}.\n\n\
            Accept or look at the invitation on this page:\n\n{link}\n\n\
            The link works once, until {until}, and for whoever has it: keep it to yourself.\n\
            If you did not expect it, do nothing. Nobody becomes a member without accepting.\n"
        )
    }
}
