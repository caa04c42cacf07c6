//! The page in the place of one that a person does not get.

use std::sync::Arc;

use askama::Template;

use super::texts::{ConsoleTexts, ENGLISH};
use tollgate_api::generated::errors::code;
use tollgate_api::{SignedInPages, VisitRefusal};
use tollgate_base::Branding;
use tollgate_pages::{RefusalKind, reply, words};

#[derive(Template)]
#[template(path = "account/refused.html")]
struct RefusedPage<'a> {
    t: &'static ConsoleTexts,
    branding: Arc<Branding>,
    title: &'static str,
    why: String,
    code: &'static str,
    request_id: &'a str,
}

/// The place of the pages. Who is not signed in, or no longer, is led to where people sign in.
#[must_use]
pub fn signed_in_pages(branding: Arc<Branding>) -> SignedInPages {
    let refused = move |refusal: &VisitRefusal<'_>| {
        let VisitRefusal { failure, status, request_id } = refusal;
        let t = &ENGLISH;
        let titles = [t.refused_absent, t.refused_forbidden, t.refused_mistaken, t.refused_busy, t.refused_failed];
        let title = RefusalKind::of(*status).word(titles);
        let told = t.problems().into_iter().find(|(code, _)| *code == failure.name());
        let why = match told {
            Some((_, words)) => words.to_owned(),
            // Nobody who looks at pages thinks of operations.
            None if failure.name() == code::ROUTE_NOT_FOUND.code => t.no_such_page.to_owned(),
            None => words::sentence(&failure.say()),
        };
        Some(reply::page(&RefusedPage { t, branding: branding.clone(), title, why, code: failure.name(), request_id }))
    };
    let below = &["/console", "/sign-in", "/invitation"];
    SignedInPages { below, is_of_operators: false, sign_in: "/console/sign-in", refused: Arc::new(refused) }
}
