//! `GET /console/top-up`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use crate::crypto_page::{TokenChoice, choices, sentence};
use tollgate_api::generated::ops::balance::{GetBalance, GetBalanceInput};
use tollgate_api::generated::ops::console::{ShowTopup, ShowTopupError, ShowTopupInput};
use tollgate_api::generated::types::Balance;
use tollgate_api::{Cx, ProxyReply, Usd, UsdBounds};
use tollgate_pages::reply;
use tollgate_topup::{Config, PaymentRail};

/// Amounts that are usual, in USD.
const USUAL: [i64; 5] = [5, 10, 25, 50, 100];
const NANOS: i64 = 1_000_000_000;

#[derive(Template)]
#[template(path = "account/topup.html")]
struct TopupPage<'c> {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    balance: Balance,
    /// Usual amounts that can be paid in some way.
    amounts: Vec<i64>,
    /// Empty where the rail is off.
    tokens: Vec<TokenChoice<'c>>,
    /// Empty where the rail is off.
    wallets: Vec<WalletChoice>,
    /// True where agents pay in by program.
    agents_pay: bool,
}

/// An e-wallet that can be chosen.
#[derive(Debug)]
struct WalletChoice {
    code: String,
    name: String,
    /// The first letter of the name.
    sign: String,
    region: String,
    /// The bounds of an order, as a sentence.
    bounds: String,
}

impl ShowTopup for AccountPages {
    async fn show_topup(&self, cx: &Cx, input: ShowTopupInput) -> Result<ProxyReply, ShowTopupError> {
        let ShowTopupInput { caller } = input;
        let frame = self.frame(cx, &caller, ConsoleSection::Topup).await;
        let frame = frame.map_err(|Unreadable| ShowTopupError::LedgerUnavailable)?;
        let balance = self.credit.get_balance(cx, GetBalanceInput { caller }).await;
        let balance = balance.map_err(|_| ShowTopupError::LedgerUnavailable)?.data;
        let (t, config) = (frame.t, self.topups.config());
        let tokens = if config.is_on(PaymentRail::Crypto) { choices(config) } else { Vec::new() };
        let (amounts, wallets) = (amounts(config), wallets(config));
        let agents_pay = config.is_on(PaymentRail::X402);
        Ok(reply::page(&TopupPage { t, frame, balance, amounts, tokens, wallets, agents_pay }))
    }
}

/// The usual amounts that a rail which is on takes.
fn amounts(config: &Config) -> Vec<i64> {
    let rails = [PaymentRail::Crypto, PaymentRail::Ewallet].into_iter().filter(|rail| config.is_on(*rail));
    let bounds: Vec<UsdBounds> = rails.map(|rail| config.bounds(rail)).collect();
    let taken = |usd: &i64| bounds.iter().any(|bounds| bounds.allow(Usd::from_nanos(usd * NANOS)));
    USUAL.into_iter().filter(taken).collect()
}

fn wallets(config: &Config) -> Vec<WalletChoice> {
    let checkout = config.checkout.as_ref().filter(|_| config.is_on(PaymentRail::Ewallet));
    let UsdBounds { min, max } = config.bounds(PaymentRail::Ewallet);
    let offered = checkout.iter().flat_map(|checkout| &checkout.wallets);
    let choice = offered.map(|wallet| WalletChoice {
        code: wallet.code.clone(),
        name: wallet.name.clone(),
        sign: wallet.name.chars().take(1).collect(),
        region: wallet.region.clone(),
        bounds: sentence(UsdBounds { min: min.max(Some(wallet.min_usd)), max }),
    });
    choice.collect()
}
