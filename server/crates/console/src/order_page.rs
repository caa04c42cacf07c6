//! The page to which a checkout sends the payer back.

use askama::Template;

use super::page::{PageError, RenderedPage, STYLE, policy};

const SCRIPT: &str = include_str!("../templates/order.js");

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage {
    style: &'static str,
    script: &'static str,
}

/// Writes the page that follows an order.
pub(super) fn order() -> Result<RenderedPage, PageError> {
    let page = OrderPage { style: STYLE, script: SCRIPT };
    Ok(RenderedPage { html: page.render()?.into(), policy: policy(SCRIPT)? })
}
