//! The page to which a checkout sends the payer back.

use askama::Template;

use super::page::{PageBranding, PageError, RenderedPage, policy};

const SCRIPT: &str = include_str!("../templates/order.js");

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage<'b> {
    branding: &'b PageBranding,
    script: &'static str,
}

/// Writes the page that follows an order.
pub(super) fn order(branding: &PageBranding) -> Result<RenderedPage, PageError> {
    let page = OrderPage { branding, script: SCRIPT };
    Ok(RenderedPage { html: page.render()?.into(), policy: policy(&branding.style, SCRIPT)? })
}
