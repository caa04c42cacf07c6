//! The mail that brings somebody the link of an invitation.

use super::budgets::unfit;
use super::invitation_sender::InvitationSender;
use super::{CreatedInvitation, Invitation, OrganisationError, OrganisationService, sql};
use tollgate_api::generated::limits;
use tollgate_api::generated::types::InvitationMail;
use tollgate_base::rfc3339;
use tollgate_net::{MailAddress, MailError};
use tollgate_store::StoreError;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

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
            return Err(unfit("send_email", "false or absent: this service sends no mail", "true"));
        }
        invited.parse().map_err(|_| unfit("invited", "an e-mail address, as `send_email` is true", "another text"))
    }

    /// Mails the link of an invitation. Whatever happens, whoever invites has the link all the same.
    pub(super) async fn mail(&self, created: &CreatedInvitation, to: MailAddress) -> InvitationMail {
        let Some(InvitationSender { mailer, service }) = &self.sender else { return InvitationMail::Failed };
        let sent = match self.mailed_name(created).await {
            Ok(Some(organisation)) => {
                let subject = format!("{service}: you are invited to {organisation}");
                mailer.send(to, &subject, self.text(created, service, &organisation)).await
            }
            Ok(None) => Err(MailError::TooMany),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(
                    invitation = created.invitation.id,
                    error,
                    "an invitation could not be read to be mailed"
                );
                return InvitationMail::Failed;
            }
        };
        match sent {
            Ok(()) => InvitationMail::Accepted,
            Err(error) => {
                let told = &error as &dyn std::error::Error;
                tracing::warn!(invitation = created.invitation.id, error = told, "an invitation was not mailed");
                if error == MailError::TooMany { InvitationMail::Limit } else { InvitationMail::Failed }
            }
        }
    }

    /// The name of the organisation, as it stands in the mail. Absent where it has invited too many within a day: whatever became of
    /// them, or who is invited and uninvited in turn would be sent as many mails as anybody.
    async fn mailed_name(&self, created: &CreatedInvitation) -> Result<Option<String>, StoreError> {
        let (readers, Invitation { organisation, invited, .. }) = (self.store.readers(), &created.invitation);
        let since_ms = self.clock.now_ms().saturating_sub(DAY_MS);
        let made = sql::invitations::made_since(readers, *organisation, invited, since_ms).await?;
        let within = made.all <= i64::from(limits::INVITATION_MAILS_PER_DAY)
            && made.of_one <= i64::from(limits::INVITATION_MAILS_PER_ADDRESS);
        if !within {
            return Ok(None);
        }
        let name = sql::members::name(readers, *organisation).await?;
        Ok(Some(if is_plain(&name) { format!("\"{name}\"") } else { "an organisation".to_owned() }))
    }

    /// The text, for a person who may have heard of neither the service nor the organisation.
    fn text(&self, created: &CreatedInvitation, service: &str, organisation: &str) -> String {
        let CreatedInvitation { invitation, token } = created;
        let (role, link, until) = (invitation.role.as_str(), self.link(token), rfc3339(invitation.ends_at_ms));
        format!(
            "You are invited to become a member of {organisation} at {service}, in the role {role}.\n\n\
            Accept or look at the invitation on this page:\n\n{link}\n\n\
            The link works once, until {until}, and for whoever has it: keep it to yourself.\n\
            If you did not expect it, do nothing. Nobody becomes a member without accepting.\n"
        )
    }
}

/// True for a name that no program for mail takes for an address: whoever names an organisation would have it sent to strangers.
fn is_plain(name: &str) -> bool {
    let is_host = |word: &str| word.trim_end_matches('.').contains('.');
    !name.contains([':', '/', '@', '\\']) && !name.split_whitespace().any(is_host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_would_be_a_link_is_not_mailed() {
        for plain in ["acme", "Example Inc.", "Bar & Sons, Ltd. of Rome", "R2-D2"] {
            assert!(is_plain(plain), "{plain}");
        }
        for link in ["https://evil.example", "evil.example", "win at www.evil.example now", "a@evil.example"] {
            assert!(!is_plain(link), "{link}");
        }
    }
}
