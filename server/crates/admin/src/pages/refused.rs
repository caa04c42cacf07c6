//! The page in the place of one that an operator does not get.

use std::sync::Arc;

use askama::Template;

use super::public_frame::PublicFrame;
use super::reply;
use super::texts::{ENGLISH, Texts};
use tollgate_api::generated::errors::code;
use tollgate_api::{SignedInPages, VisitRefusal};
use tollgate_base::Branding;
use tollgate_pages::{RefusalKind, words};

#[derive(Template)]
#[template(path = "refused.html")]
struct RefusedPage<'a> {
    t: &'static Texts,
    frame: PublicFrame,
    title: &'static str,
    why: String,
    code: &'static str,
    request_id: &'a str,
}

/// The place of the pages. A session ends while a page is looked at: the next one leads to where people sign in.
#[must_use]
pub fn signed_in_pages(branding: Arc<Branding>) -> SignedInPages {
    let refused = move |refusal: &VisitRefusal<'_>| {
        let VisitRefusal { failure, status, request_id } = refusal;
        // What is no page here looks as it does elsewhere: where operators are not served, nothing tells of their pages.
        if failure.name() == code::ROUTE_NOT_FOUND.code {
            return None;
        }
        let t = &ENGLISH;
        let titles = [t.refused_absent, t.refused_forbidden, t.refused_mistaken, t.refused_busy, t.refused_failed];
        let title = RefusalKind::of(*status).word(titles);
        let why = [failure.say(), failure.remedy()].map(|words| words::sentence(&words)).join(" ");
        let frame = PublicFrame { branding: branding.clone() };
        Some(reply::page(&RefusedPage { t, frame, title, why, code: failure.name(), request_id }))
    };
    SignedInPages { below: &["/admin"], is_of_operators: true, sign_in: "/admin/sign-in", refused: Arc::new(refused) }
}
