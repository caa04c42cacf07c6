//! `GET /admin/prices` and `GET /admin/prices/{name}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::{link, segment};
use super::on_offer::settings_json;
use super::price_members::{AMOUNTS, COSTS, MEMBERS, PriceMember, price_line};
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{
    ShowPrice, ShowPriceError, ShowPriceInput, ShowPrices, ShowPricesError, ShowPricesInput,
};
use tollgate_api::generated::ops::admin_groups::{ListGroups, ListGroupsInput};
use tollgate_api::generated::ops::admin_prices::{GetPrice, GetPriceError, GetPriceInput, ListPrices, ListPricesInput};
use tollgate_api::generated::types::{AccountGroupInfo, CatalogOrigin, LoggedChange, Price};
use tollgate_api::{Cx, ProxyReply};

/// The members that the form of a new version shows at once.
const SHOWN: usize = 3;

#[derive(Template)]
#[template(path = "prices.html")]
struct PricesPage {
    t: &'static Texts,
    frame: Frame,
    prices: Vec<Price>,
    groups: Vec<AccountGroupInfo>,
    /// The next page; empty on the last one.
    next: String,
}

#[derive(Template)]
#[template(path = "price.html")]
struct PricePage {
    t: &'static Texts,
    frame: Frame,
    price: Price,
    /// The path of its operation.
    api: String,
    settings: String,
    /// The members that the form has a field for: those shown at once, and those on demand.
    shown: Vec<PriceMember>,
    hidden: Vec<PriceMember>,
    costs: Vec<PriceMember>,
    changes: Vec<LoggedChange>,
}

impl PricePage {
    /// True if the caller may change what it is.
    fn is_editable(&self) -> bool {
        self.frame.powers.catalog && self.price.origin == CatalogOrigin::Api
    }
}

impl ShowPrices for Admin {
    async fn show_prices(&self, cx: &Cx, input: ShowPricesInput) -> Result<ProxyReply, ShowPricesError> {
        let ShowPricesInput { caller, after } = input;
        let frame = self.frame_of_offer(&caller, Section::Prices);
        let groups = self.catalog.list_groups(cx, ListGroupsInput { caller: caller.clone() }).await;
        let groups = groups.map_err(|_| ShowPricesError::LedgerUnavailable)?.data;
        let after = after.filter(|after| !after.is_empty());
        let list = ListPricesInput { caller, limit: None, after, origin: None };
        let found = self.catalog.list_prices(cx, list).await.map_err(|_| ShowPricesError::LedgerUnavailable)?.data;
        let next = found.next.map(|after| link("/admin/prices", &[("after", &after)])).unwrap_or_default();
        Ok(reply::page(&PricesPage { t: frame.t, frame, prices: found.prices, groups, next }))
    }
}

impl ShowPrice for Admin {
    async fn show_price(&self, cx: &Cx, input: ShowPriceInput) -> Result<ProxyReply, ShowPriceError> {
        let ShowPriceInput { caller, name } = input;
        let frame = self.frame_of_offer(&caller, Section::Prices);
        let get = GetPriceInput { caller: caller.clone(), name: name.clone() };
        let price = self.catalog.get_price(cx, get).await;
        let price = price.map_err(|error| match error {
            GetPriceError::CatalogNotFound { kind, name } => ShowPriceError::CatalogNotFound { kind, name },
            // It is logged.
            _ => ShowPriceError::LedgerUnavailable,
        })?;
        let (price, api) = (price.data, format!("/api/admin/prices/{}", segment(&name)));
        let changes = self.changes_of(cx, caller, "price.", name).await;
        let changes = changes.ok_or(ShowPriceError::LedgerUnavailable)?;
        let (t, settings) = (frame.t, settings_json(&price.settings));
        let mut shown = PriceMember::of(t, AMOUNTS, &price.settings);
        let hidden = shown.split_off(SHOWN);
        let costs = PriceMember::of(t, &COSTS, &price.settings);
        Ok(reply::page(&PricePage { t, frame, price, api, settings, shown, hidden, costs, changes }))
    }
}
