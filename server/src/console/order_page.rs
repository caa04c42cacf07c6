//! The page to which a checkout sends the payer back.

use askama::Template;

use super::Page;
use super::page::{NotWritten, STYLE, policy};

const SCRIPT: &str = include_str!("../../templates/order.js");

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage {
    style: &'static str,
    script: &'static str,
}

/// Writes the page that follows an order.
pub(super) fn order() -> Result<Page, NotWritten> {
    let page = OrderPage { style: STYLE, script: SCRIPT };
    Ok(Page { html: page.render()?.into(), policy: policy(SCRIPT)? })
}
