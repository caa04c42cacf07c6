//! Making an order that is paid on a page: first it is written down, then its page is opened.

use crate::orders::amount::{AcceptedAmounts, AmountRefused};
use tollgate_api::generated::{errors, limits};
use tollgate_api::{Code as _, UsdBounds, WrittenUsd};
use tollgate_base::{AccountId, Secret, Usd};
use tollgate_store::StoreError;

use super::super::commit::{Step, commit};
use super::super::{CreditOrder, NewOrder, OpenRefused, OrderFailure, PaymentRail};
use super::provider::{
    Cents, CheckoutOrder, CheckoutPage, CheckoutProvider, ProviderError, UncertainAnswer, WalletOption,
};
use super::questions::first_ask;
use super::sql::{self, NewCheckout};
use super::{Checkouts, ProviderConnection, token};

/// A request for an order with a checkout page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckoutRequest {
    pub(super) account: AccountId,
    pub(super) amount: WrittenUsd,
    /// The wallet's code at the provider.
    pub(super) wallet: String,
}

/// The reason for which there is no page to pay on.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckoutRefused {
    /// The refusal of an order on any rail.
    #[error(transparent)]
    Open(#[from] OpenRefused),
    /// No such amount can be paid with that wallet.
    #[error("the amount of an order must be {}", .0.taken.allowed())]
    Amount(AmountRefused),
    /// That wallet is not offered.
    #[error("there is no wallet {0}")]
    Wallet(String),
    /// This many orders wait already.
    #[error("{0} orders wait on a checkout page already")]
    Waiting(i64),
    /// The provider opened no page. Nothing was paid, and nobody knows a page on which it could be.
    #[error("the payment provider opened no page")]
    NoPage(#[source] ProviderError),
}

impl From<StoreError> for CheckoutRefused {
    fn from(error: StoreError) -> Self {
        Self::Open(OpenRefused::Store(error))
    }
}

impl Checkouts {
    /// Makes an order and opens its page. Returns the order and the address of the page.
    pub(super) async fn create(&self, asked: &CheckoutRequest) -> Result<(CreditOrder, String), CheckoutRefused> {
        let desk = self.desk().ok_or(OpenRefused::Off(PaymentRail::Ewallet))?;
        let wallet = desk.config().wallets.iter().find(|wallet| wallet.code == asked.wallet);
        let wallet = wallet.ok_or_else(|| CheckoutRefused::Wallet(asked.wallet.clone()))?;
        let amounts = AcceptedAmounts { bounds: self.bounds(wallet), places: Cents::PLACES };
        let amount = amounts.take(&asked.amount).map_err(CheckoutRefused::Amount)?;
        let cents = Cents::try_from(amount).map_err(|_| CheckoutRefused::Amount(amounts.refuse(&asked.amount)))?;
        let token = token::draw();
        let order = self.open(desk, asked, amount, &token).await?;
        match open_page(desk, &order, wallet, cents, &token).await {
            Ok(session) => {
                // The page is kept before anybody knows it: an order whose page nobody was given is given up.
                let mut transaction = self.topups().store.begin_of(asked.account).await?;
                // Opening the page has taken so long that the order was given up: a payer on it now gets the money back.
                if !sql::keep_page(&mut transaction, order.id, &session).await? {
                    return Err(CheckoutRefused::NoPage(UncertainAnswer::TooSlow.into()));
                }
                commit(transaction, Step::Page, "the page of an order").await?;
                Ok((order, session.url))
            }
            Err(error) => {
                if let ProviderError::Definite { code } = &error {
                    self.refused(&order, code).await;
                }
                Err(CheckoutRefused::NoPage(error))
            }
        }
    }

    /// The bounds of an order by a wallet: its minimum is the larger one of the rail and the wallet.
    fn bounds(&self, wallet: &WalletOption) -> UsdBounds {
        let bounds = self.topups().config().bounds(PaymentRail::Ewallet);
        UsdBounds { min: bounds.min.max(Some(wallet.min_usd)), ..bounds }
    }

    /// Writes an order with its name at the provider and the hash of its token.
    async fn open(
        &self,
        desk: &ProviderConnection,
        asked: &CheckoutRequest,
        amount: Usd,
        token: &Secret,
    ) -> Result<CreditOrder, CheckoutRefused> {
        let topups = self.topups();
        let now_ms = topups.now_ms();
        let mut transaction = topups.store.begin_of(asked.account).await?;
        let waiting = sql::waiting(&mut transaction, asked.account, now_ms).await?;
        if waiting >= i64::from(limits::CHECKOUT_ORDERS) {
            return Err(CheckoutRefused::Waiting(waiting));
        }
        // A person pays on the page: an agent has no part in it but for asking.
        let new = NewOrder { account: asked.account, agent: None, rail: PaymentRail::Ewallet, amount };
        let order = topups.open_in(&mut transaction, new).await?;
        let checkout = NewCheckout {
            provider: desk.name(),
            request_id: &order.trade_no,
            wallet: &asked.wallet,
            ask_at_ms: first_ask(now_ms),
            token_sha256: &token::hash(token.reveal()),
        };
        sql::open(&mut transaction, order.id, checkout).await?;
        commit(transaction, Step::Open, "an order").await?;
        Ok(order)
    }

    /// Ends an order for which the provider will open no page, however often it is asked. If that cannot be written, the next
    /// question to the provider finds it out again.
    async fn refused(&self, order: &CreditOrder, code: &str) {
        let detail = format!("the payment provider opened no checkout page: {code}");
        let why = OrderFailure { code: errors::code::CheckoutUnavailable::INFO.code.to_owned(), detail };
        if let Err(error) = self.give_up(order.id, &why).await {
            let (order, error) = (&order.trade_no, &error as &dyn std::error::Error);
            tracing::warn!(order, error, "an order without a page could not be ended; its provider will be asked");
        }
    }
}

/// Opens the page of an order. If the answer was lost, the call is repeated once under the same name; after a timeout it is not,
/// because the client has waited long enough.
async fn open_page(
    desk: &ProviderConnection,
    order: &CreditOrder,
    wallet: &WalletOption,
    amount: Cents,
    token: &Secret,
) -> Result<CheckoutPage, ProviderError> {
    let asked = CheckoutOrder {
        trade_no: &order.trade_no,
        wallet: &wallet.code,
        amount,
        expires_at_ms: order.expires_at_ms,
        notify_url: &desk.notify_url,
        return_url: &desk.config().return_to(&desk.public_url, &order.trade_no, token),
    };
    match desk.provider.create(&asked).await {
        Err(ProviderError::Unknown(unsure)) if !matches!(unsure, UncertainAnswer::TooSlow) => {
            desk.provider.create(&asked).await
        }
        answered => answered,
    }
}
