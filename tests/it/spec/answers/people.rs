//! What people are told who manage keys or sign in.

use serde_json::{Value, json};
use tollgate_accounts::{AccountState, KeyLimits, NewKey, UserSession};
use tollgate_api::generated::limits;
use tollgate_api::generated::types::MemberRole;
use tollgate_base::{AccountId, Caller, Clock, Secret, Usd};
use tollgate_chains::ChainFamily;
use tollgate_identities::{NewWalletChallenge, OidcProviderConfig, WalletProof};
use tollgate_server::app::Service;
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::Options;
use tollgate_tests::oidc::{self, OidcProvider};
use tollgate_tests::wallet::Wallet;

use super::asks::{Ask, Names, PASSWORD, PERSON, PUBLIC_URL};
use super::codes::{Cases, Expected, Shape};
use super::{
    Door, another_agent, another_invitation, another_key, another_member, another_team, by_session, proof, returned,
    signed_in,
};

/// What only a caller who is not limited may do.
const MANAGING: &[&str] = &[
    "keys.create",
    "keys.list",
    "keys.change",
    "keys.revoke",
    "agents.register",
    "agents.list",
    "agents.change",
    "agents.revoke",
    "organisation.show",
    "organisation.change",
    "teams.create",
    "teams.list",
    "teams.change",
    "teams.close",
    "members.list",
    "members.change",
    "members.remove",
    "invitations.create",
    "invitations.list",
    "invitations.withdraw",
];

const CHANGE: &str = "sessions.change_password";

pub(super) async fn run(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    managing_keys(cases, gateway, door).await;
    managing_teams(cases, gateway, door).await;
    managing_members(cases, gateway, door).await;
    acting_for_organisations(cases, gateway, door).await;
    managing_agents(cases, gateway, door).await;
    providers(cases, gateway, door).await;
    identities(cases, gateway, door).await;
    signing_in(cases, gateway, door).await;
    sign_in_stale(cases).await;
}

async fn managing_keys(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let key = |account| NewKey { account, label: String::new(), expires_at_ms: None };
    let accounts = &gateway.service().accounts;
    let budget = KeyLimits { budget_life: Some(Usd::ZERO), ..KeyLimits::default() };
    let limited = accounts.create_limited_key(key(gateway.account), budget, "test").await.expect("a key").secret;
    let names = Names { key: another_key(gateway).await, ..Names::default() };
    for &operation in MANAGING {
        let request = Ask::of(operation, &names).request(&door.url).bearer_auth(limited.reveal());
        told(cases, door, operation, request, "KEY_LIMITED").await;
    }
    for operation in ["keys.change", "keys.revoke"] {
        let request = Ask::of(operation, &Names::default()).request(&door.url).bearer_auth(&gateway.key);
        told(cases, door, operation, request, "KEY_NOT_FOUND").await;
    }
    accounts.revoke_key(&names.key.to_string(), "test").await.expect("revoked");
    let request = Ask::of("keys.change", &names).request(&door.url).bearer_auth(&gateway.key);
    told(cases, door, "keys.change", request, "KEY_REVOKED").await;
    let full = accounts.create_account("full", "test").await.expect("an account").id;
    let first = accounts.create_key(key(full), "test").await.expect("a key").secret;
    fill(gateway, full).await;
    let request = Ask::of("keys.create", &names).request(&door.url).bearer_auth(first.reveal());
    told(cases, door, "keys.create", request, "KEY_LIMIT").await;
    let request = Ask::of("agents.register", &names).request(&door.url).bearer_auth(first.reveal());
    told(cases, door, "agents.register", request, "KEY_LIMIT").await;
}

/// A team that is not there, one with a key, one that is closed, the name of another, and more than there may be.
async fn managing_teams(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let names = Names { team: another_team(gateway, "first").await, ..Names::default() };
    let of = |ask: Ask| ask.request(&door.url).bearer_auth(&gateway.key);
    for operation in ["teams.change", "teams.close"] {
        told(cases, door, operation, of(Ask::of(operation, &Names::default())), "TEAM_NOT_FOUND").await;
    }
    let in_team = Ask::of("keys.create", &names).with("team_id", json!(names.team));
    let made: Value = door.send("keys.create", of(in_team)).await.json().await.expect("JSON");
    told(cases, door, "teams.close", of(Ask::of("teams.close", &names)), "TEAM_IN_USE").await;
    let key = made["data"]["key"]["key_id"].as_i64().expect("a number");
    let keys = Names { key, ..Names::default() };
    for operation in ["keys.create", "keys.change"] {
        let ask = Ask::of(operation, &keys).with("team_id", json!(4_503_599_627_370_497_i64));
        told(cases, door, operation, of(ask), "TEAM_NOT_FOUND").await;
    }
    another_team(gateway, "second").await;
    for operation in ["teams.create", "teams.change"] {
        let ask = Ask::of(operation, &names).with("name", json!("second"));
        told(cases, door, operation, of(ask), "TEAM_NAME_TAKEN").await;
    }
    assert_eq!(door.send("keys.revoke", of(Ask::of("keys.revoke", &keys))).await.status(), 200);
    assert_eq!(door.send("teams.close", of(Ask::of("teams.close", &names))).await.status(), 200);
    told(cases, door, "teams.change", of(Ask::of("teams.change", &names)), "TEAM_CLOSED").await;
    let accounts = &gateway.service().accounts;
    let account = accounts.create_account("of many teams", "test").await.expect("an account").id;
    let key = NewKey { account, label: String::new(), expires_at_ms: None };
    let key = accounts.create_key(key, "test").await.expect("a key").secret;
    let create = |number: u32| {
        let ask = Ask::of("teams.create", &names).with("name", json!(format!("team {number}")));
        ask.request(&door.url).bearer_auth(key.reveal())
    };
    for number in 0..limits::TEAMS_PER_ACCOUNT {
        assert_eq!(create(number).send().await.expect("an answer").status(), 200);
    }
    told(cases, door, "teams.create", create(limits::TEAMS_PER_ACCOUNT), "TEAM_LIMIT").await;
}

/// Members and invitations that are not there or are over, owners by an admin, the last owner, and more than there may be.
async fn managing_members(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let of = |ask: Ask| ask.request(&door.url).bearer_auth(&gateway.key);
    let by = |ask: Ask, cookie: &str| by_session(ask.request(&door.url), door, cookie);
    let nothing = Names::default();
    for operation in ["members.change", "members.remove"] {
        told(cases, door, operation, of(Ask::of(operation, &nothing)), "MEMBER_NOT_FOUND").await;
    }
    told(cases, door, "invitations.withdraw", of(Ask::of("invitations.withdraw", &nothing)), "INVITATION_NOT_FOUND")
        .await;
    for operation in ["keys.create", "keys.change"] {
        let names = Names { key: another_key(gateway).await, ..Names::default() };
        let ask = Ask::of(operation, &names).with("member_id", json!(4_503_599_627_370_497_i64));
        told(cases, door, operation, of(ask), "MEMBER_NOT_FOUND").await;
    }
    let (cookie, member) = another_member(gateway, MemberRole::Developer).await;
    let made = door.send("keys.create", by(Ask::of("keys.create", &nothing), &cookie)).await;
    let key = made.json::<Value>().await.expect("JSON")["data"]["key"]["key_id"].as_i64().expect("a number");
    for operation in ["keys.create", "keys.change"] {
        let ask = Ask::of(operation, &Names { key, ..Names::default() }).with("team_id", json!(7));
        told(cases, door, operation, by(ask, &cookie), "OWN_KEYS_ONLY").await;
    }
    let names = Names { member, ..Names::default() };
    assert_eq!(door.send("members.remove", of(Ask::of("members.remove", &names))).await.status(), 200);
    told(cases, door, "members.change", of(Ask::of("members.change", &names)), "MEMBER_LEFT").await;
    let (viewer, _) = another_member(gateway, MemberRole::Viewer).await;
    told(cases, door, "invitations.list", by(Ask::of("invitations.list", &nothing), &viewer), "MEMBER_ROLE").await;
    let (admin, _) = another_member(gateway, MemberRole::Admin).await;
    let (_, owner) = another_member(gateway, MemberRole::Owner).await;
    let names = Names { member: owner, ..Names::default() };
    for operation in ["members.change", "members.remove"] {
        told(cases, door, operation, by(Ask::of(operation, &names), &admin), "OWNERS_ONLY").await;
    }
    let invite = Ask::of("invitations.create", &names).with("role", json!("owner"));
    told(cases, door, "invitations.create", by(invite, &admin), "OWNERS_ONLY").await;
    let token = another_invitation(gateway, MemberRole::Viewer).await.1;
    let names = Names { token, ..Names::default() };
    told(cases, door, "invitations.accept", by(Ask::of("invitations.accept", &names), &admin), "ALREADY_A_MEMBER")
        .await;
    let accepted = gateway.service().organisations.invitations(&caller(gateway).await).await.expect("invitations");
    let accepted = accepted.iter().find(|each| each.member.is_some()).expect("an accepted one").id;
    let names = Names { invitation: accepted, ..Names::default() };
    told(cases, door, "invitations.withdraw", of(Ask::of("invitations.withdraw", &names)), "INVITATION_ACCEPTED").await;
    for operation in ["invitations.show", "invitations.accept"] {
        let cookie = signed_in(gateway).await;
        told(cases, door, operation, by(Ask::of(operation, &nothing), &cookie), "INVITATION_NOT_OPEN").await;
    }
    for _ in 0..limits::INVITATIONS_PER_ACCOUNT {
        // Some are open already.
        if door.send("invitations.create", of(Ask::of("invitations.create", &nothing))).await.status() != 200 {
            break;
        }
    }
    told(cases, door, "invitations.create", of(Ask::of("invitations.create", &nothing)), "INVITATION_LIMIT").await;
}

/// The organisations of a person, of whom one is the only owner.
async fn acting_for_organisations(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let nothing = Names::default();
    let cookie = signed_in(gateway).await;
    let by = |ask: Ask| by_session(ask.request(&door.url), door, &cookie);
    told(cases, door, "members.leave", by(Ask::of("members.leave", &nothing)), "NOT_A_MEMBER").await;
    told(cases, door, "organisations.enter", by(Ask::of("organisations.enter", &nothing)), "ORGANISATION_NOT_FOUND")
        .await;
    let taken = Ask::of("organisations.create", &nothing).with("name", json!(PERSON));
    told(cases, door, "organisations.create", by(taken), "ORGANISATION_NAME_TAKEN").await;
    let accounts = &gateway.service().accounts;
    let organisations = gateway.service().organisations.clone();
    let closed = organisations.clone().with_accounts(accounts.clone().with_registration(false));
    let closed = Door::open(&Service { organisations: closed, ..gateway.service().clone() }).await;
    let request = by_session(Ask::of("organisations.create", &nothing).request(&closed.url), &closed, &cookie);
    told(cases, &closed, "organisations.create", request, "REGISTRATION_DISABLED").await;
    let token = cookie.trim_start_matches("session=").to_owned();
    let caller = async || accounts.session(&token).await.expect("a session").caller();
    for number in 0..limits::ORGANISATIONS_PER_PERSON {
        let name = format!("organisation {number}");
        organisations.create_organisation(&caller().await, &name).await.expect("an organisation");
    }
    told(cases, door, "organisations.create", by(Ask::of("organisations.create", &nothing)), "ORGANISATION_LIMIT")
        .await;
    told(cases, door, "members.leave", by(Ask::of("members.leave", &nothing)), "LAST_OWNER").await;
    let names = Names { member: caller().await.member.expect("a member").id.0, ..Names::default() };
    let down = Ask::of("members.change", &names).with("role", json!("viewer"));
    told(cases, door, "members.change", by(down), "LAST_OWNER").await;
    told(cases, door, "members.remove", by(Ask::of("members.remove", &names)), "LAST_OWNER").await;
    let own = accounts.find_account(PERSON).await.expect("an account").id;
    organisations.enter(&caller().await, own).await.expect("back");
}

/// The caller with the gateway's own key.
async fn caller(gateway: &TestGateway) -> Caller {
    gateway.service().accounts.authenticate(&gateway.key).await.expect("a key").into()
}

async fn managing_agents(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let names = Names { agent: another_agent(gateway).await, ..Names::default() };
    let of = |operation: &str, names: &Names| Ask::of(operation, names).request(&door.url).bearer_auth(&gateway.key);
    for operation in ["agents.change", "agents.revoke"] {
        told(cases, door, operation, of(operation, &Names::default()), "AGENT_NOT_FOUND").await;
    }
    assert_eq!(door.send("agents.revoke", of("agents.revoke", &names)).await.status(), 200);
    told(cases, door, "agents.change", of("agents.change", &names), "AGENT_REVOKED").await;
    // One proof, sent again as it is, again with another nonce, with another label, and much too late.
    let (wallet, operation) = (Wallet::evm(), "agents.register");
    let send = |body: Value| Ask { body: Some(body), ..Ask::of(operation, &names) }.request(&door.url);
    let first = wallet.registration(PUBLIC_URL);
    assert_eq!(door.send(operation, send(first.clone()).bearer_auth(&gateway.key)).await.status(), 200);
    told(cases, door, operation, send(first.clone()).bearer_auth(&gateway.key), "NONCE_USED").await;
    let again = send(wallet.registration(PUBLIC_URL)).bearer_auth(&gateway.key);
    told(cases, door, operation, again, "AGENT_EXISTS").await;
    let other = Ask::of(operation, &names).with("label", json!("other")).request(&door.url).bearer_auth(&gateway.key);
    told(cases, door, operation, other, "BAD_OWNERSHIP_SIG").await;
    let late = Ask::of(operation, &names).with("issued_at", json!(0)).request(&door.url).bearer_auth(&gateway.key);
    told(cases, door, operation, late, "ISSUED_AT_OUT_OF_RANGE").await;
    for _ in 0..limits::AGENTS_PER_ACCOUNT {
        of(operation, &names).send().await.expect("an answer");
    }
    told(cases, door, operation, of(operation, &names), "AGENT_LIMIT").await;
    let closed = "[agents]\nenabled = false\n".to_owned();
    let closed = super::gateway(Options { config: closed, ..Options::default() }).await;
    let door = Door::open(closed.service()).await;
    let request = Ask::of(operation, &names).request(&door.url).bearer_auth(&closed.key);
    told(cases, &door, operation, request, "AGENTS_DISABLED").await;
}

/// Gives an account as many keys as it may have, where it has one.
async fn fill(gateway: &TestGateway, account: AccountId) {
    for _ in 1..limits::KEYS_PER_ACCOUNT {
        let key = NewKey { account, label: String::new(), expires_at_ms: None };
        gateway.service().accounts.create_key(key, "test").await.expect("a key");
    }
}

/// Wallets that sign what was never given out, that others have, and more than there may be.
async fn identities(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let (cookie, names, wallet) = (signed_in(gateway).await, Names::default(), Wallet::evm());
    let own = |ask: Ask| by_session(ask.request(&door.url), door, &cookie);
    for operation in ["identities.sign_in", "identities.link"] {
        let cookie = (operation == "identities.link").then_some(cookie.as_str());
        let sent = |ask: Ask| match cookie {
            Some(cookie) => by_session(ask.request(&door.url), door, cookie),
            None => ask.request(&door.url),
        };
        told(cases, door, operation, sent(Ask::of(operation, &names)), "CHALLENGE_INVALID").await;
        let mut ask = proof(door, operation, &wallet, cookie).await;
        ask = ask.with("signature", json!(Wallet::evm().sign_text("another text")));
        told(cases, door, operation, sent(ask), "BAD_WALLET_SIGNATURE").await;
    }
    told(cases, door, "identities.remove", own(Ask::of("identities.remove", &names)), "IDENTITY_NOT_FOUND").await;
    let link = async |wallet: &Wallet| own(proof(door, "identities.link", wallet, Some(&cookie)).await);
    assert_eq!(door.send("identities.link", link(&wallet).await).await.status(), 200);
    told(cases, door, "identities.link", link(&wallet).await, "IDENTITY_EXISTS").await;
    let without = gateway.service().identities.clone().with_audience(None);
    let without = Door::open(&Service { identities: without, ..gateway.service().clone() }).await;
    let request = Ask::of("identities.challenge", &names).request(&without.url);
    told(cases, &without, "identities.challenge", request, "WALLETS_DISABLED").await;
    // Somebody who has nothing but a wallet, and is frozen then.
    let lone = Wallet::solana(78);
    let sign_in = async || proof(door, "identities.sign_in", &lone, None).await.request(&door.url);
    let begun = door.send("identities.sign_in", sign_in().await).await;
    let session = begun.headers()["set-cookie"].to_str().expect("text").split(';').next().expect("a cookie").to_owned();
    let account = begun.json::<Value>().await.expect("JSON")["data"]["user_id"].as_i64().expect("a number");
    let listed = by_session(Ask::of("identities.list", &names).request(&door.url), door, &session);
    let listed: Value = door.send("identities.list", listed).await.json().await.expect("JSON");
    let path = format!("/api/user/self/identities/{}", listed["data"][0]["identity_id"]);
    let last = Ask { path, ..Ask::of("identities.remove", &names) };
    told(cases, door, "identities.remove", by_session(last.request(&door.url), door, &session), "IDENTITY_LAST").await;
    let accounts = &gateway.service().accounts;
    accounts.set_account_state(AccountId(account), AccountState::Frozen, "test").await.expect("frozen");
    told(cases, door, "identities.sign_in", sign_in().await, "ACCOUNT_FROZEN").await;
    too_many_identities(cases, gateway, door, &cookie).await;
}

/// Sign-in providers that nobody knows, that are gone, and whose people may not come in.
async fn providers(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let cookie = signed_in(gateway).await;
    let ask = |operation: &str| Ask::of(operation, &Names::default());
    let sent = |operation: &str, ask: Ask, door: &Door| match operation {
        "oidc.begin_own" | "oidc.link" => by_session(ask.request(&door.url), door, &cookie),
        _ => ask.request(&door.url),
    };
    let answer = async |operation: &str, subject: &str| {
        returned(door, operation, subject, (operation == "oidc.link").then_some(cookie.as_str())).await
    };
    let lost = OidcProviderConfig { issuer: "http://127.0.0.1:9".to_owned(), ..oidc_provider() };
    let lost = with_provider(gateway, lost).await;
    for operation in ["oidc.begin", "oidc.begin_own", "oidc.sign_in", "oidc.link"] {
        let unknown = sent(operation, ask(operation).with("provider", json!("nobody")), door);
        told(cases, door, operation, unknown, "OIDC_PROVIDER_NOT_FOUND").await;
        // It was reached when the sign-in began.
        let begins = operation.starts_with("oidc.begin");
        let asked = if begins { ask(operation) } else { answer(operation, "ann").await };
        told(cases, &lost, operation, sent(operation, asked, &lost), "OIDC_UNAVAILABLE").await;
    }
    for operation in ["oidc.sign_in", "oidc.link"] {
        told(cases, door, operation, sent(operation, ask(operation), door), "OIDC_REFUSED").await;
    }
    let unknown = Ask { path: "/api/user/login/oidc/nobody/logout".to_owned(), ..ask("oidc.log_out") };
    told(cases, door, "oidc.log_out", unknown.request(&door.url), "OIDC_PROVIDER_NOT_FOUND").await;
    told(cases, &lost, "oidc.log_out", logged_out("ann").await.request(&lost.url), "OIDC_UNAVAILABLE").await;
    told(cases, door, "oidc.log_out", ask("oidc.log_out").request(&door.url), "OIDC_LOGOUT_REFUSED").await;
    let closed = with_provider(gateway, OidcProviderConfig { registration: Some(false), ..oidc_provider() }).await;
    let asked = answer("oidc.sign_in", "stranger").await;
    told(cases, &closed, "oidc.sign_in", asked.request(&closed.url), "REGISTRATION_DISABLED").await;
    let link = async || sent("oidc.link", answer("oidc.link", "linked").await, door);
    assert_eq!(door.send("oidc.link", link().await).await.status(), 200);
    told(cases, door, "oidc.link", link().await, "IDENTITY_EXISTS").await;
    let sign_in = async || answer("oidc.sign_in", "frozen").await.request(&door.url);
    let begun: Value = door.send("oidc.sign_in", sign_in().await).await.json().await.expect("JSON");
    let account = AccountId(begun["data"]["user_id"].as_i64().expect("a number"));
    gateway.service().accounts.set_account_state(account, AccountState::Frozen, "test").await.expect("frozen");
    told(cases, door, "oidc.sign_in", sign_in().await, "ACCOUNT_FROZEN").await;
}

/// The sign-out of a person by its provider.
pub(super) async fn logged_out(subject: &str) -> Ask {
    let token = OidcProvider::shared().logout_token(subject, false).await;
    Ask { body: Some(json!({"logout_token": token})), ..Ask::of("oidc.log_out", &Names::default()) }
}

/// A door of the gateway with another sign-in provider.
pub(crate) async fn with_provider(gateway: &TestGateway, provider: OidcProviderConfig) -> Door {
    let identities = gateway.service().identities.clone().with_providers(vec![provider]).expect("a client");
    Door::open(&Service { identities, ..gateway.service().clone() }).await
}

/// The sign-in provider that all gateways have.
pub(crate) fn oidc_provider() -> OidcProviderConfig {
    OidcProviderConfig {
        name: oidc::NAME.to_owned(),
        label: String::new(),
        issuer: OidcProvider::shared().url.clone(),
        client_id: "tollgate".to_owned(),
        client_secret: Some(Secret::new(oidc::SECRET.to_owned())),
        scopes: vec!["openid".to_owned()],
        groups_claim: "groups".to_owned(),
        registration: None,
        sign_in_within: None,
        roles: Vec::new(),
    }
}

async fn too_many_identities(cases: &mut Cases, gateway: &TestGateway, door: &Door, cookie: &str) {
    let token = cookie.trim_start_matches("session=");
    let session = gateway.service().accounts.session(token).await.expect("a session");
    link_all(gateway.service(), &session).await;
    let ask = proof(door, "identities.link", &Wallet::evm(), Some(cookie)).await;
    told(cases, door, "identities.link", by_session(ask.request(&door.url), door, cookie), "IDENTITY_LIMIT").await;
    let ask = returned(door, "oidc.link", "one too many", Some(cookie)).await;
    told(cases, door, "oidc.link", by_session(ask.request(&door.url), door, cookie), "IDENTITY_LIMIT").await;
}

/// Gives the account of a session as many wallets as it may have.
pub(crate) async fn link_all(service: &Service, session: &UserSession) {
    let caller = session.caller();
    let has = service.identities.own(&caller).await.expect("identities").len();
    for number in has..usize::try_from(limits::IDENTITIES_PER_ACCOUNT).expect("a few") {
        let from = Some([198, 51, 100, u8::try_from(number).expect("a few")].into());
        let wallet = Wallet::evm();
        let new = NewWalletChallenge { chain: ChainFamily::Evm, address: wallet.address() };
        let challenge = service.identities.challenge_own(&caller, &new, from).await.expect("a text");
        let signature = wallet.sign_text(&challenge.message);
        let proof = WalletProof { wallet: new, nonce: challenge.nonce, signature };
        service.identities.link(&caller, &proof, from).await.expect("linked");
    }
}

/// Somebody who has no password, and signed in a while ago.
async fn sign_in_stale(cases: &mut Cases) {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let gateway = super::gateway(Options { clock, ..Options::default() }).await;
    let door = Door::open(gateway.service()).await;
    let proof = proof(&door, "identities.sign_in", &Wallet::evm(), None).await;
    let begun = door.send("identities.sign_in", proof.request(&door.url)).await;
    let session = begun.headers()["set-cookie"].to_str().expect("text").split(';').next().expect("a cookie").to_owned();
    hand.advance_ms(i64::try_from(limits::RECENT_SIGN_IN.as_millis()).expect("minutes"));
    let first_password = Ask { body: Some(json!({"new_password": PASSWORD})), ..Ask::of(CHANGE, &Names::default()) };
    let own = ["identities.challenge_own", "oidc.begin_own", "oidc.link"]
        .map(|operation| (operation, Ask::of(operation, &Names::default())));
    for (operation, ask) in own.into_iter().chain([(CHANGE, first_password)]) {
        told(cases, &door, operation, by_session(ask.request(&door.url), &door, &session), "SIGN_IN_STALE").await;
    }
}

async fn signing_in(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    signed_in(gateway).await;
    let names = Names::default();
    let wrong = Ask::of("sessions.login", &names).with("password", json!("another one"));
    told(cases, door, "sessions.login", wrong.request(&door.url), "LOGIN_FAILED").await;
    let elsewhere = Ask::of("sessions.login", &names).request(&door.url).header("origin", "https://evil.example");
    told(cases, door, "sessions.login", elsewhere, "ORIGIN_REFUSED").await;
    // Somebody has it, whatever their letters.
    let accounts = &gateway.service().accounts;
    accounts.create_account("taken@example.org", "test").await.expect("an account");
    let taken = Ask::of("sessions.register", &names).with("email", json!("Taken@example.org"));
    told(cases, door, "sessions.register", taken.request(&door.url), "ACCOUNT_EXISTS").await;
    let closed = Service { accounts: accounts.clone().with_registration(false), ..gateway.service().clone() };
    let closed = Door::open(&closed).await;
    let request = Ask::of("sessions.register", &names).request(&closed.url);
    told(cases, &closed, "sessions.register", request, "REGISTRATION_DISABLED").await;
    // Whoever fails too often with a name from an address is told to wait there, whatever the password is then.
    let mut last = None;
    for number in 0..=limits::LOGIN_TRIES {
        let password = if number == limits::LOGIN_TRIES { PASSWORD } else { "wrong" };
        let body = json!({"email": PERSON, "password": password});
        let ask = Ask { body: Some(body), ..Ask::of("sessions.login", &names) };
        last = Some(door.send("sessions.login", ask.request(&door.url)).await);
    }
    assert_eq!(last.expect("tried").status(), 429);
}

pub(super) async fn told(
    cases: &mut Cases,
    door: &Door,
    operation: &str,
    request: reqwest::RequestBuilder,
    code: &'static str,
) {
    let reply = door.send(operation, request).await;
    cases.answered(Expected::new(Shape::of(operation), code), reply).await;
}
