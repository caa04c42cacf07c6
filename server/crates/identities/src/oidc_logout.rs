//! People whom a provider of OpenID Connect has signed out.

use super::oidc::{OidcLogout, read_logout_token};
use super::oidc_sign_in::key_of;
use super::{IdentityError, IdentityService, sql};

impl IdentityService {
    /// Ends the sessions of a person whom a provider has signed out: those that it has begun, up to then. Gives their number; of whom
    /// nobody knows there are none. `request` is the body that the provider has sent.
    ///
    /// # Errors
    /// When there is no such provider, it cannot be asked for its keys, the logout token does not count, or the store fails.
    pub async fn log_out_by_oidc(&self, provider: &str, request: &[u8]) -> Result<u64, IdentityError> {
        let provider = self.provider(provider)?;
        let OidcLogout { subject, upto_ms } = provider.signed_out(&read_logout_token(request)?).await?;
        let known = sql::find(self.store.readers(), &key_of(&provider.config, &subject)).await?;
        let Some(identity) = known else { return Ok(0) };
        let issuer = &provider.config.issuer;
        let ended = self.accounts.end_sessions_by(identity.account, issuer, upto_ms).await?;
        tracing::info!(issuer, account = %identity.account, ended, "a provider has signed a person out");
        Ok(ended)
    }
}
