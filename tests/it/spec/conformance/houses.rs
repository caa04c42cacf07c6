//! Gateways: one for nearly all examples, and some where something is otherwise than usual.

use std::collections::BTreeMap;

use serde_json::Value;
use tollgate_accounts::NewKey;
use tollgate_accounts::operators::OperatorRole;
use tollgate_api::InFlightRequests;
use tollgate_base::{Clock, ManualClock};
use tollgate_identities::OidcProviderConfig;
use tollgate_server::app::Service;
use tollgate_spec_generator::client_model::ExampleCase;
use tollgate_tests::chain::Anvil;
use tollgate_tests::checkout::Provider;
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client};
use tollgate_topup::{Config, RailConfig};

use crate::spec::answers::{Door, gateway, oidc_provider, signed_in, with_provider};

/// Payments that are signed before the chain is gone; an account may have no more that wait.
const PREPARED: u8 = 3;
/// More than a minute, after which tries are forgotten.
const MINUTE_MS: i64 = 61_000;

/// Where an example takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Where all is as usual.
    Usual,
    /// Where people sign in, whose tries are counted.
    Door,
    /// Where operators put things on offer, which lists of models show.
    Offer,
    /// Where somebody tries too often.
    Tried,
    /// Where it is late: orders have expired.
    Late,
    /// Without rails.
    NoRails,
    /// Without agents.
    NoAgents,
    /// Without registration.
    NoRegistration,
    /// Without an address of its own.
    NoWallets,
    /// With a sign-in provider that is gone.
    LostOidc,
    /// With a sign-in provider whose people open no accounts.
    ClosedOidc,
    /// With no place left for a request more.
    Full,
    /// On a chain that confirms nothing for long.
    SlowChain,
    /// On a chain that is gone.
    LostChain,
    /// With a payment provider that is gone.
    LostCheckout,
    /// Where no secrets are kept.
    NoSecrets,
    /// Where the configuration file can no longer be used.
    NoSettings,
    /// Where the ledger is closed.
    Closed,
}

/// Fixtures that are to be had in one place only.
const PLACES: [(&str, Place); 15] = [
    ("sent_too_often", Place::Tried),
    ("expired_order", Place::Late),
    ("rails_off", Place::NoRails),
    ("agents_off", Place::NoAgents),
    ("registration_off", Place::NoRegistration),
    ("wallets_off", Place::NoWallets),
    ("oidc_down", Place::LostOidc),
    ("oidc_registration_off", Place::ClosedOidc),
    ("no_place_left", Place::Full),
    ("slow_chain", Place::SlowChain),
    ("lost_chain", Place::LostChain),
    ("lost_checkout", Place::LostCheckout),
    ("no_sealing_key", Place::NoSecrets),
    ("unusable_settings", Place::NoSettings),
    ("ledger_closed", Place::Closed),
];

impl Place {
    pub(super) fn of(case: &ExampleCase<'_>) -> Self {
        let given = |fixture: &str| case.given.contains(&fixture);
        // Whatever else is given: what is closed is closed.
        let own = PLACES.iter().rev().find(|(fixture, _)| given(fixture)).map(|(_, place)| *place);
        let is_of = |groups: &[&str]| groups.iter().any(|group| case.id.starts_with(group));
        let usual = if is_of(&["sessions.", "identities.", "oidc.", "admin_session."]) {
            Self::Door
        } else if is_of(&[
            "admin_providers.",
            "admin_models.",
            "admin_prices.",
            "admin_groups.",
            "admin_console.",
            "admin_service.",
        ]) {
            Self::Offer
        } else {
            Self::Usual
        };
        own.unwrap_or(usual)
    }
}

/// Credentials that were never shown before, so that they are known from nowhere else.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub(super) key: String,
    pub(super) session: String,
    /// An operator's key.
    pub(super) operator: String,
}

/// A gateway in one of the places.
pub(super) struct House {
    pub(super) place: Place,
    pub(super) gateway: Option<TestGateway>,
    pub(super) door: Door,
    pub(super) clock: Clock,
    pub(super) hand: ManualClock,
    /// Credentials from before the ledger was closed.
    pub(super) before: Option<Before>,
    /// A session of somebody, for all examples that do not end it, and when it began.
    pub(super) session: Option<(String, i64)>,
    /// Orders and their payments from before the chain was gone.
    pub(super) prepared: Vec<(i64, Value)>,
}

/// Gateways, started when they are first asked for; one at a time.
#[derive(Default)]
pub(super) struct Houses {
    open: BTreeMap<Place, House>,
}

impl Houses {
    pub(super) async fn house(&mut self, place: Place) -> &mut House {
        if !self.open.contains_key(&place) {
            self.close().await;
            self.open.insert(place, House::open(place).await);
        }
        let house = self.open.get_mut(&place).expect("it is open now");
        if place == Place::Door || place == Place::Tried {
            house.hand.advance_ms(MINUTE_MS);
        }
        house
    }

    /// Closes what is open; the books of each are right.
    pub(super) async fn close(&mut self) {
        for house in std::mem::take(&mut self.open).into_values() {
            if let Some(gateway) = &house.gateway {
                gateway.assert_books().await;
            }
        }
    }
}

impl House {
    async fn open(place: Place) -> Self {
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let options = Options { clock: clock.clone(), ..Options::default() };
        let on = RailConfig { enabled: true, ..RailConfig::default() };
        let x402 = |chains| Config { crypto: on, x402: on, chains, ..Config::default() };
        let mut prepared = Vec::new();
        let gateway = match place {
            Place::NoRails => TestGateway::with(options).await,
            Place::NoAgents => gateway(Options { config: "[agents]\nenabled = false\n".to_owned(), ..options }).await,
            Place::NoSecrets => {
                let config = "[admin]\nprovider_networks = [\"127.0.0.0/8\"]\n".to_owned();
                TestGateway::with(Options { config, ..options }).await
            }
            Place::SlowChain => {
                let chains = Anvil::shared().await.chains(1_000_000).await;
                TestGateway::with(Options { topup: Some(x402(chains)), ..options }).await
            }
            Place::LostChain => {
                let anvil = Anvil::start().await;
                let chains = anvil.chains(0).await;
                let gateway = TestGateway::with(Options { topup: Some(x402(chains)), ..options }).await;
                for number in 0..PREPARED {
                    prepared.push(payment(&gateway, &anvil, number).await);
                }
                gateway
            }
            Place::LostCheckout => {
                let topup = Some(Provider::start(Clock::system(), 1).rails());
                TestGateway::with(Options { topup, ..options }).await
            }
            _ => gateway(options).await,
        };
        let service = gateway.service();
        let door = match place {
            Place::Full => Door::with(service, |config| config.places = InFlightRequests::new(100, 0)).await,
            Place::NoRegistration => {
                let accounts = service.accounts.clone().with_registration(false);
                let organisations = service.organisations.clone().with_accounts(accounts.clone());
                let identities = service.identities.clone().with_accounts(accounts.clone());
                Door::open(&Service { accounts, organisations, identities, ..service.clone() }).await
            }
            Place::NoWallets => {
                let identities = service.identities.clone().with_audience(None);
                Door::open(&Service { identities, ..service.clone() }).await
            }
            Place::LostOidc => {
                let lost = OidcProviderConfig { issuer: "http://127.0.0.1:9".to_owned(), ..oidc_provider() };
                with_provider(&gateway, lost).await
            }
            Place::ClosedOidc => {
                let closed = OidcProviderConfig { registration: Some(false), ..oidc_provider() };
                with_provider(&gateway, closed).await
            }
            _ => Door::open(service).await,
        };
        let mut house =
            Self { place, gateway: Some(gateway), door, clock, hand, before: None, session: None, prepared };
        if place == Place::Closed {
            house.close_ledger().await;
        }
        house
    }

    /// The listener stays open, as while a server ends.
    async fn close_ledger(&mut self) {
        let gateway = self.gateway.take().expect("it was opened");
        let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
        let key = gateway.service().accounts.create_key(key, "test").await.expect("a key").secret;
        let cookie = signed_in(&gateway).await;
        let session = cookie.trim_start_matches("session=").to_owned();
        let operators = &gateway.service().operators;
        let operator = operators.create_key("before", OperatorRole::Owner, None, "test").await.expect("a key").secret;
        let (key, operator) = (key.reveal().to_owned(), operator.reveal().to_owned());
        self.before = Some(Before { key, session, operator });
        gateway.stop().await;
    }
}

/// An order of the gateway's account, and its payment on a chain.
async fn payment(gateway: &TestGateway, anvil: &Anvil, number: u8) -> (i64, Value) {
    let request = client().post(gateway.url("/api/user/topup/x402/orders")).bearer_auth(&gateway.key);
    let request = request.header("content-type", "application/json").body(r#"{"amount_usd": 5}"#);
    let made: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    let order_id = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    (order_id, anvil.payment(&made["data"]["challenge"], number))
}
