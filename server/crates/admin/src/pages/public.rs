//! `GET /admin`, `GET /admin/sign-in` and `GET /admin/invitation`: the pages for people who are not signed in.

use askama::Template;

use super::public_frame::PublicFrame;
use super::reply;
use super::texts::{ENGLISH, Texts};
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{
    ShowInvitation, ShowInvitationError, ShowInvitationInput, ShowSignIn, ShowSignInError, ShowSignInInput,
};
use tollgate_api::{Cx, ProxyReply};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    t: &'static Texts,
    frame: PublicFrame,
}

#[derive(Template)]
#[template(path = "invitation.html")]
struct InvitationPage {
    t: &'static Texts,
    frame: PublicFrame,
}

impl ShowSignIn for Admin {
    async fn show_sign_in(&self, _cx: &Cx, _input: ShowSignInInput) -> Result<ProxyReply, ShowSignInError> {
        Ok(reply::page(&SignInPage { t: &ENGLISH, frame: self.public_frame() }))
    }
}

impl ShowInvitation for Admin {
    async fn show_invitation(&self, _cx: &Cx, _input: ShowInvitationInput) -> Result<ProxyReply, ShowInvitationError> {
        Ok(reply::page(&InvitationPage { t: &ENGLISH, frame: self.public_frame() }))
    }
}
