//! `GET /` and `GET /console/register`: the pages for people who are not signed in.

use std::sync::Arc;

use askama::Template;

use super::AccountPages;
use super::texts::{ConsoleTexts, ENGLISH};
use tollgate_api::generated::ops::console::{
    ShowLogin, ShowLoginError, ShowLoginInput, ShowRegistration, ShowRegistrationError, ShowRegistrationInput,
};
use tollgate_api::{Cx, ProxyReply};
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
}

#[derive(Template)]
#[template(path = "account/register.html")]
struct RegistrationPage {
    t: &'static ConsoleTexts,
    branding: Arc<Branding>,
    is_open: bool,
    takes_wallets: bool,
}

impl ShowLogin for AccountPages {
    async fn show_login(&self, _cx: &Cx, _input: ShowLoginInput) -> Result<ProxyReply, ShowLoginError> {
        Ok(reply::page(&LoginPage {
            t: &ENGLISH,
            branding: self.branding.clone(),
            is_open: self.accounts.is_registration_open(),
            takes_wallets: self.identities.takes_wallets(),
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
        }))
    }
}
