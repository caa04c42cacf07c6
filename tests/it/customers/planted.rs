//! Nothing that anybody wrote runs in the console of an account: every text that an operation of customers takes, and those that
//! others write, is planted as markup and script, and every page is read in a browser by who is signed in.

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tollgate_api::generated::types::MemberRole;
use tollgate_base::{Clock, ManualClock, Secret};
use tollgate_tests::TestGateway;
use tollgate_tests::checkout::{Provider, token_in};
use tollgate_tests::gateway::Options;
use tollgate_tests::oidc::OidcProvider;
use tollgate_tests::reply::{Reply, chat_stream};
use tollgate_tests::wallet::{self, Wallet};

use super::sessions::{asked, session, signed_in};
use crate::accounts::console::offer;
use crate::operators::admin_client::AdminClient;
use crate::planted::{
    Answer, Draft, PAYLOADS, PlantedTexts, Planting, ask_for_a_model, assert_drafts, pages, plant_all, slots, texts_of,
};
use crate::spec::answers::{
    self, Ask, Names, ORDER_VALIDITY_MS, PASSWORD, PERSON, PUBLIC_URL, another_agent_of, another_invitation,
    another_key, another_team, timely, topped_up, waiting,
};
use crate::spec::conformance::document;

/// Fewer would mean that places were lost, or that all is refused.
const SLOTS_MIN: usize = 50;
const STORED_MIN: usize = 80;
/// More than the time for which tries to sign in are counted.
const MINUTE_MS: i64 = 61_000;
/// Tries of the planter in a minute, fewer than are counted as too many.
const TRIES: usize = 4;
/// Minutes until the planter signs in again: what asks for a recent sign-in is to be refused for its texts alone.
const MINUTES: usize = 10;

/// Places whose texts are taken, and which no page shows, with the reason.
const SHOWN_NOWHERE: [(&str, &str); 5] = [
    ("sessions.change_password new_password", "it is hashed"),
    ("sessions.end ?session", "it names no session"),
    ("sessions.register email", "the name of another account, which is planted as a member's"),
    ("sessions.register invitation", "everybody may register"),
    ("sessions.register password", "it is hashed"),
];

/// Parameters of pages whose value is shown again, by the page or by what tells that it is refused.
const REFLECTED: [&str; 15] = [
    "/console/receipts?from",
    "/console/receipts?key_id",
    "/console/receipts?member_id",
    "/console/receipts?model",
    "/console/receipts?request",
    "/console/receipts?status",
    "/console/receipts?tag",
    "/console/receipts?team_id",
    "/console/receipts?to",
    "/console/usage?by",
    "/console/usage?from",
    "/console/usage?member_id",
    "/console/usage?team_id",
    "/console/usage?to",
    "/topup/crypto?order",
];

/// The cookie of the account's owner, who acts for it: a sign-in acts for the organisation that was made or entered last.
async fn own_session(gateway: &TestGateway) -> String {
    let session = signed_in(gateway).await;
    let path = format!("/api/user/self/organisations/{}/enter", gateway.account.0);
    let (status, code, _) = asked(gateway, Method::POST, &path, &session, None).await;
    assert_eq!(status, 200, "{code}");
    session
}

/// Plants as the person whose account it is.
struct Planter {
    gateway: TestGateway,
    clock: Clock,
    hand: ManualClock,
    session: String,
    texts: PlantedTexts,
    /// Tries to sign in, of all kinds.
    tries: usize,
}

impl Planter {
    async fn new() -> Self {
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let options = Options { clock: clock.clone(), credit: "1000", ..Options::default() };
        let gateway = answers::gateway(options).await;
        offer(&gateway).await;
        let session = own_session(&gateway).await;
        Self { gateway, clock, hand, session, texts: PlantedTexts::default(), tries: 0 }
    }

    /// Before a try to sign in, of which there are so many a minute.
    async fn tries(&mut self) {
        self.tries += 1;
        if self.tries.is_multiple_of(TRIES) {
            self.hand.advance_ms(MINUTE_MS);
        }
        if self.tries.is_multiple_of(TRIES * MINUTES) {
            self.session = own_session(&self.gateway).await;
        }
    }

    /// The session of somebody else, whose password may be another since.
    async fn of_person(&self) -> String {
        let accounts = &self.gateway.service().accounts;
        if let Ok(person) = accounts.find_account(PERSON).await {
            accounts.set_password(person.id, Secret::new(PASSWORD.to_owned()), "test").await.expect("a password");
        }
        answers::signed_in(&self.gateway).await
    }

    /// The registration of an agent, signed at this time.
    fn registration(&self) -> Value {
        Wallet::evm().registration_with(PUBLIC_URL, &wallet::nonce(), self.clock.now_ms() / 1000)
    }
}

impl Planting for Planter {
    const BELOW: &'static str = "/api/user/";

    fn gateway(&self) -> &TestGateway {
        &self.gateway
    }

    fn texts(&mut self) -> &mut PlantedTexts {
        &mut self.texts
    }

    async fn draft(&mut self, operation: &str, serial: usize) -> Draft {
        if ["sessions.", "identities.", "oidc."].iter().any(|group| operation.starts_with(group)) {
            self.tries().await;
        }
        let (gateway, none) = (&self.gateway, Names::default());
        let names = match operation {
            "agents.change" => Names { agent: another_agent_of(gateway, self.registration()).await, ..none },
            "keys.change" => Names { key: another_key(gateway).await, ..none },
            "teams.change" => Names { team: another_team(gateway, &format!("team-{serial}")).await, ..none },
            "invitations.show" | "invitations.accept" => {
                Names { token: another_invitation(gateway, MemberRole::Viewer).await.1, ..none }
            }
            "x402.resume" => {
                let order_id = waiting(gateway).await.id.0;
                self.hand.advance_ms(ORDER_VALIDITY_MS);
                Names { order_id, ..none }
            }
            _ => none,
        };
        let Ask { path, body, .. } = Ask::of(operation, &names);
        let body = match operation {
            "agents.register" => Some(self.registration()),
            "sessions.register" => Some(json!({"email": format!("person-{serial}@example.org"), "password": PASSWORD})),
            _ => body,
        };
        let cookie = match operation {
            "sessions.change_password" | "invitations.accept" => self.of_person().await,
            // It acts for what it has made.
            "organisations.create" => session(gateway, PASSWORD).await,
            _ => self.session.clone(),
        };
        Draft { path, body, query: Vec::new(), headers: vec![("cookie".to_owned(), cookie)] }
    }

    fn signed(&self, _: &str, request: RequestBuilder) -> RequestBuilder {
        request.header("origin", self.gateway.url("")).header("x-tollgate-csrf", "1")
    }

    fn fits(operation: &str, answer: &Answer) -> bool {
        match operation {
            // Nobody has given out what they show.
            "identities.link" | "identities.sign_in" => answer.status == 409,
            "oidc.link" | "oidc.sign_in" => answer.status == 403,
            _ => answer.is_granted(),
        }
    }

    fn within(&self, place: &str, text: &str) -> String {
        match place {
            "sessions.register email" => format!("{text}@example.org"),
            _ => text.to_owned(),
        }
    }
}

/// Texts that others than the account's own people write, and those that need more than one request.
impl Planter {
    async fn plant_as_strangers(&mut self) {
        let admin = AdminClient::of(&self.gateway).await;
        for payload in PAYLOADS {
            let (serial, text) = self.texts.text(payload);
            if ask_for_a_model(&self.gateway, &admin, &text).await {
                self.texts.taken("a client's model", serial, text);
            }
            self.tag(payload).await;
            self.join(payload).await;
            self.link(payload).await;
        }
    }

    /// A tag is of letters, digits and some marks, none of which begins an element.
    async fn tag(&self, text: &str) {
        let tagged = self.gateway.hello().header("x-tollgate-tags", text.as_bytes()).send().await;
        assert_eq!(tagged.expect("an answer").status(), 400, "{text}");
    }

    /// A member has the name of its account.
    async fn join(&mut self, payload: &str) {
        let (serial, text) = self.texts.text(payload);
        let (_, token) = another_invitation(&self.gateway, MemberRole::Viewer).await;
        let service = self.gateway.service();
        // A name has no line breaks.
        let Ok(account) = service.accounts.create_account(&text, "test").await else { return };
        let password = || Secret::new(PASSWORD.to_owned());
        service.accounts.set_password(account.id, password(), "test").await.expect("a password");
        let begun = service.accounts.sign_in(&text, password(), None).await.expect("signed in");
        service.organisations.accept(&begun.session.caller(), &token).await.expect("a member");
        self.texts.taken("a member's name", serial, text);
    }

    /// A person of a sign-in provider has the name that the provider gives.
    async fn link(&mut self, payload: &str) {
        const BEGIN: &str = "/api/user/self/identities/oidc/begin";
        const LINK: &str = "/api/user/self/identities/oidc";
        let (serial, text) = self.texts.text(payload);
        self.tries().await;
        timely(&text, &self.clock).await;
        let post = |path, body| asked(&self.gateway, Method::POST, path, &self.session, Some(body));
        let (_, code, begun) = post(BEGIN, json!({"provider": "company"})).await;
        let told = |name: &str| begun[name].as_str().unwrap_or_else(|| panic!("{code}")).to_owned();
        let returned = OidcProvider::shared().visit(&told("url"), &text).await;
        let (status, code, _) = post(LINK, returned.answer(&told("secret"))).await;
        assert!(status < 500, "{text}: {code}");
        if status == 200 {
            self.texts.taken("a person's name at a provider", serial, text);
        }
    }

    /// The pages of orders, to which no page leads.
    async fn orders(&self) -> [String; 2] {
        let body = json!({"amount_usd": 5, "wallet": "GCASH"});
        let path = "/api/user/topup/ewallet/orders";
        let (_, code, made) = asked(&self.gateway, Method::POST, path, &self.session, Some(body)).await;
        let told = |name: &str| made[name].as_str().unwrap_or_else(|| panic!("{code}")).to_owned();
        let token = token_in(&Provider::shared().return_address(&told("checkout_url")).await);
        let crypto = topped_up(&self.gateway).await;
        [format!("/topup/crypto?order={crypto}"), format!("/topup/order/{}?token={token}", told("trade_no"))]
    }
}

// suite: browser 60s
#[tokio::test(flavor = "multi_thread")]
async fn what_is_planted_in_any_text_is_shown_to_customers_and_never_run() {
    let document = document();
    let slots = slots(&document, Planter::BELOW);
    assert!(slots.len() >= SLOTS_MIN, "{} places", slots.len());
    let mut planter = Planter::new().await;
    assert_drafts(&mut planter, &slots).await;
    plant_all(&mut planter, &slots).await;
    planter.plant_as_strangers().await;
    let orders = planter.orders().await;
    let session = own_session(&planter.gateway).await;
    let Planter { gateway, texts, .. } = planter;
    assert!(texts.taken_count() >= STORED_MIN, "{} texts were taken", texts.taken_count());
    // What a model says in the playground.
    gateway.upstream.on(|_| Reply::stream(chat_stream(&["<img src=x onerror=planted(0)>"], 9, 3)));
    let is_page =
        |operation: &str| operation.starts_with("console.") || ["crypto.page", "ewallet.page"].contains(&operation);
    let session = session.trim_start_matches("session=").to_owned();
    let pages = pages(&document, is_page);
    let report = texts.in_browser("planted_customers.js", &gateway, session, (&pages, &orders)).await;
    texts.assert_seen(&report, &SHOWN_NOWHERE);
    let reflected: BTreeSet<&str> = texts_of(&report["reflected"]).collect();
    assert_eq!(reflected, BTreeSet::from(REFLECTED));
    gateway.assert_books().await;
}
