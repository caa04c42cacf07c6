//! `GET /` and `GET /console/register`: the pages for people who are not signed in.

use std::sync::Arc;

use askama::Template;

use super::AccountPages;
use super::texts::{ConsoleTexts, ENGLISH};
use tollgate_api::generated::errors::code;
use tollgate_api::generated::ops::console::{
    ShowLogin, ShowLoginError, ShowLoginInput, ShowOidcReturn, ShowOidcReturnError, ShowOidcReturnInput,
    ShowRegistration, ShowRegistrationError, ShowRegistrationInput,
};
use tollgate_api::{Cx, ProxyReply, raise};
use tollgate_base::Branding;
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/sign_in.html")]
struct LoginPage {
    t: &'static ConsoleTexts,
    branding: Arc<Branding>,
    /// True where people may open accounts by themselves.
    is_open: bool,
    /// True where people may sign in by a wallet.
    takes_wallets: bool,
    /// Sign-in providers: their names in the configuration, and for people.
    providers: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "account/register.html")]
struct RegistrationPage {
    t: &'static ConsoleTexts,
    branding: Arc<Branding>,
    is_open: bool,
    takes_wallets: bool,
    providers: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "account/oidc_return.html")]
struct OidcReturnPage {
    t: &'static ConsoleTexts,
    branding: Arc<Branding>,
    name: String,
    label: String,
}

impl AccountPages {
    /// The sign-in providers, by their names in the configuration and for people.
    pub(super) fn sign_in_providers(&self) -> Vec<(String, String)> {
        self.identities.providers().map(|(name, label)| (name.to_owned(), label.to_owned())).collect()
    }
}

impl ShowOidcReturn for AccountPages {
    async fn show_oidc_return(&self, _cx: &Cx, input: ShowOidcReturnInput) -> Result<ProxyReply, ShowOidcReturnError> {
        let known = self.sign_in_providers().into_iter().find(|(name, _)| *name == input.provider);
        let (name, label) = known.ok_or_else(|| {
            let path = format!("/sign-in/{}", input.provider);
            raise(code::RouteNotFound { method: "GET".to_owned(), path })
        })?;
        Ok(reply::page(&OidcReturnPage { t: &ENGLISH, branding: self.branding.clone(), name, label }))
    }
}

impl ShowLogin for AccountPages {
    async fn show_login(&self, _cx: &Cx, _input: ShowLoginInput) -> Result<ProxyReply, ShowLoginError> {
        Ok(reply::page(&LoginPage {
            t: &ENGLISH,
            branding: self.branding.clone(),
            is_open: self.accounts.is_registration_open(),
            takes_wallets: self.identities.takes_wallets(),
            providers: self.sign_in_providers(),
        }))
    }
}

impl ShowRegistration for AccountPages {
    async fn show_registration(
        &self,
        _cx: &Cx,
        _input: ShowRegistrationInput,
    ) -> Result<ProxyReply, ShowRegistrationError> {
        Ok(reply::page(&RegistrationPage {
            t: &ENGLISH,
            branding: self.branding.clone(),
            is_open: self.accounts.is_registration_open(),
            takes_wallets: self.identities.takes_wallets(),
            providers: self.sign_in_providers(),
        }))
    }
}
