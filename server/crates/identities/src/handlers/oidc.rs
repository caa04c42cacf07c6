//! `/api/user/login/oidc` and `/api/user/self/identities/oidc`: sign-in providers.

use super::convert::{answer, identity, start_reply};
use super::{too_many_texts, too_many_tries, unavailable};
use crate::{IdentityError, IdentityService};
use tollgate_accounts::NewSession;
use tollgate_api::generated::ops::oidc::{
    BeginOidcSignIn, BeginOidcSignInError, BeginOidcSignInInput, BeginOwnOidc, BeginOwnOidcError, BeginOwnOidcInput,
    LinkOidc, LinkOidcError, LinkOidcInput, ListSignInProviders, ListSignInProvidersError, ListSignInProvidersInput,
    ReceiveOidcLogout, ReceiveOidcLogoutError, ReceiveOidcLogoutInput, SignInByOidc, SignInByOidcError,
    SignInByOidcInput,
};
use tollgate_api::generated::types::{
    IdentityReply, LoginReply, OidcLogoutReply, OidcStartReply, SessionsEnded, SignInProvider, SignInProviderListReply,
};
use tollgate_api::{BeginsSession, Cx};

impl ListSignInProviders for IdentityService {
    async fn list_sign_in_providers(
        &self,
        _cx: &Cx,
        _input: ListSignInProvidersInput,
    ) -> Result<SignInProviderListReply, ListSignInProvidersError> {
        let told = |(name, label): (&str, &str)| SignInProvider { name: name.to_owned(), label: label.to_owned() };
        let data = self.providers().map(told).collect();
        Ok(SignInProviderListReply { success: true, message: String::new(), data })
    }
}

impl BeginOidcSignIn for IdentityService {
    async fn begin_oidc_sign_in(
        &self,
        cx: &Cx,
        input: BeginOidcSignInInput,
    ) -> Result<OidcStartReply, BeginOidcSignInError> {
        let provider = input.body.provider;
        let begun = self.begin_oidc(&provider, cx.client).await;
        begun.map(start_reply).map_err(|error| match error {
            IdentityError::NoProvider => BeginOidcSignInError::OidcProviderNotFound { provider },
            IdentityError::TooMany { wait_seconds } => {
                BeginOidcSignInError::RateLimited { limit: too_many_texts(cx, wait_seconds) }
            }
            error => {
                not_asked(cx, &provider, &error);
                BeginOidcSignInError::OidcUnavailable { provider }
            }
        })
    }
}

impl SignInByOidc for IdentityService {
    async fn sign_in_by_oidc(
        &self,
        cx: &Cx,
        input: SignInByOidcInput,
    ) -> Result<BeginsSession<LoginReply>, SignInByOidcError> {
        let answer = answer(input.body);
        let begun = IdentityService::sign_in_by_oidc(self, &answer, cx.client).await;
        let provider = answer.provider;
        begun.map(NewSession::into_reply).map_err(|error| match error {
            IdentityError::NoProvider => SignInByOidcError::OidcProviderNotFound { provider },
            IdentityError::OidcRefused(reason) => {
                SignInByOidcError::OidcRefused { reason: told(cx, &provider, reason), provider }
            }
            IdentityError::OidcUnavailable(_) | IdentityError::OidcNotExchanged(_) => {
                not_asked(cx, &provider, &error);
                SignInByOidcError::OidcUnavailable { provider }
            }
            IdentityError::TooMany { wait_seconds } => {
                SignInByOidcError::RateLimited { limit: too_many_tries(cx, wait_seconds) }
            }
            IdentityError::Frozen => SignInByOidcError::AccountFrozen,
            IdentityError::Closed => SignInByOidcError::RegistrationDisabled,
            error => {
                unavailable(cx, &error);
                SignInByOidcError::LedgerUnavailable
            }
        })
    }
}

impl BeginOwnOidc for IdentityService {
    async fn begin_own_oidc(&self, cx: &Cx, input: BeginOwnOidcInput) -> Result<OidcStartReply, BeginOwnOidcError> {
        let provider = input.body.provider;
        let begun = IdentityService::begin_own_oidc(self, &input.caller, &provider, cx.client).await;
        begun.map(start_reply).map_err(|error| match error {
            IdentityError::SignedOut => BeginOwnOidcError::SessionInvalid,
            IdentityError::SignInStale => BeginOwnOidcError::SignInStale,
            IdentityError::NoProvider => BeginOwnOidcError::OidcProviderNotFound { provider },
            IdentityError::TooMany { wait_seconds } => {
                BeginOwnOidcError::RateLimited { limit: too_many_texts(cx, wait_seconds) }
            }
            IdentityError::OidcUnavailable(_) => {
                not_asked(cx, &provider, &error);
                BeginOwnOidcError::OidcUnavailable { provider }
            }
            error => {
                unavailable(cx, &error);
                BeginOwnOidcError::LedgerUnavailable
            }
        })
    }
}

impl LinkOidc for IdentityService {
    async fn link_oidc(&self, cx: &Cx, input: LinkOidcInput) -> Result<IdentityReply, LinkOidcError> {
        let answer = answer(input.body);
        let linked = IdentityService::link_oidc(self, &input.caller, &answer, cx.client).await;
        let provider = answer.provider;
        let linked = linked.map_err(|error| match error {
            IdentityError::SignedOut => LinkOidcError::SessionInvalid,
            IdentityError::SignInStale => LinkOidcError::SignInStale,
            IdentityError::NoProvider => LinkOidcError::OidcProviderNotFound { provider },
            IdentityError::OidcRefused(reason) => {
                LinkOidcError::OidcRefused { reason: told(cx, &provider, reason), provider }
            }
            IdentityError::OidcUnavailable(_) | IdentityError::OidcNotExchanged(_) => {
                not_asked(cx, &provider, &error);
                LinkOidcError::OidcUnavailable { provider }
            }
            IdentityError::TooMany { wait_seconds } => {
                LinkOidcError::RateLimited { limit: too_many_tries(cx, wait_seconds) }
            }
            IdentityError::Exists => LinkOidcError::IdentityExists { identity: format!("this person of '{provider}'") },
            IdentityError::Limit(count) => LinkOidcError::IdentityLimit { count },
            error => {
                unavailable(cx, &error);
                LinkOidcError::LedgerUnavailable
            }
        })?;
        Ok(IdentityReply { success: true, message: String::new(), data: identity(linked) })
    }
}

impl ReceiveOidcLogout for IdentityService {
    async fn receive_oidc_logout(
        &self,
        cx: &Cx,
        input: ReceiveOidcLogoutInput,
    ) -> Result<OidcLogoutReply, ReceiveOidcLogoutError> {
        let provider = input.provider;
        let ended = self.log_out_by_oidc(&provider, &input.body).await;
        let ended = ended.map_err(|error| match error {
            IdentityError::NoProvider => ReceiveOidcLogoutError::OidcProviderNotFound { provider },
            IdentityError::OidcRefused(reason) => {
                let request_id = cx.request_id;
                tracing::info!(%request_id, provider, reason, "a logout by a provider was refused");
                ReceiveOidcLogoutError::OidcLogoutRefused { reason: reason.to_owned() }
            }
            IdentityError::OidcUnavailable(_) => {
                not_asked(cx, &provider, &error);
                ReceiveOidcLogoutError::OidcUnavailable { provider }
            }
            error => {
                unavailable(cx, &error);
                ReceiveOidcLogoutError::LedgerUnavailable
            }
        })?;
        let data = SessionsEnded { ended: i64::try_from(ended).unwrap_or(i64::MAX) };
        Ok(OidcLogoutReply { success: true, message: String::new(), data })
    }
}

/// Logs why a provider could not be asked, once.
fn not_asked(cx: &Cx, provider: &str, error: &IdentityError) {
    let (request_id, error) = (cx.request_id, error as &(dyn std::error::Error + 'static));
    tracing::warn!(%request_id, provider, error, "a sign-in provider could not be asked");
}

/// The reason why a sign-in was refused, which is logged for whoever set the provider up.
fn told(cx: &Cx, provider: &str, reason: &'static str) -> String {
    let request_id = cx.request_id;
    tracing::info!(%request_id, provider, reason, "a sign-in by a provider was refused");
    reason.to_owned()
}
