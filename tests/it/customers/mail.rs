//! Invitations by mail, through a mail server that says what it was sent.

use serde_json::{Value, json};
use tollgate_base::{Clock, ManualClock};
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::Options;
use tollgate_tests::mail_server::MailServer;
use tollgate_tests::{TestGateway, client};

const START_MS: i64 = 1_800_000_000_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
const INVITATIONS: &str = "/api/user/self/invitations";
const PASSWORD: &str = "p4ss of the mail server";

struct House {
    gateway: TestGateway,
    hand: ManualClock,
}

impl House {
    async fn new(mail: &str) -> Self {
        let (clock, hand) = Clock::manual(START_MS);
        let config = format!("public_url = \"https://gateway.example\"\n[console]\nname = \"Example Gateway\"\n{mail}");
        let gateway = TestGateway::with(Options { clock, config, ..Options::default() }).await;
        Self { gateway, hand }
    }

    async fn invite(&self, body: Value) -> Value {
        invite(&self.gateway.url(INVITATIONS), &self.gateway.key, body).await
    }
}

/// The data of an answer, or the error.
async fn invite(url: &str, key: &str, body: Value) -> Value {
    let mut told: Value =
        client().post(url).bearer_auth(key).json(&body).send().await.expect("an answer").json().await.expect("JSON");
    if told["success"] == true { told["data"].take() } else { told }
}

fn to(address: &str) -> Value {
    json!({"invited": address, "role": "developer", "send_email": true})
}

#[tokio::test]
async fn the_link_of_an_invitation_is_mailed_where_that_is_asked_for() {
    let server = MailServer::start("off", None);
    let house = House::new(&server.config("127.0.0.1", "off", "")).await;
    let made = house.invite(to("grace@example.org")).await;
    assert_eq!(made["email"], "accepted", "{made}");
    let mail = server.next();
    assert_eq!(
        (&mail["sender"], &mail["recipients"], &mail["from"], &mail["to"]),
        (
            &json!("noreply@example.com"),
            &json!(["grace@example.org"]),
            &json!("\"Example\" <noreply@example.com>"),
            &json!("grace@example.org")
        )
    );
    assert_eq!(mail["subject"], "Example Gateway: you are invited to \"test\"", "{mail}");
    assert_eq!(mail["auto_submitted"], "auto-generated");
    let (text, link) = (mail["text"].as_str().expect("a text"), made["link"].as_str().expect("a link"));
    assert!(link.starts_with("https://gateway.example/invitation#") && text.lines().any(|line| line == link), "{text}");
    assert!(text.contains("in the role developer") && text.contains("until 2027-01-22T08:00:00"), "{text}");
    // Whoever does not ask for it passes the link on, whether the name is an address or not.
    for quiet in [
        json!({"invited": "grace@example.org", "role": "viewer"}),
        json!({"invited": "Grace", "role": "viewer", "send_email": false}),
    ] {
        let made = house.invite(quiet).await;
        assert!(made["link"].is_string() && made.get("email").is_none(), "{made}");
    }
    assert!(server.is_empty());
}

#[tokio::test]
async fn what_is_no_address_or_is_never_mailed_is_refused_and_nobody_is_invited() {
    let server = MailServer::start("off", None);
    let house = House::new(&server.config("127.0.0.1", "off", "")).await;
    for text in [
        "Grace",
        "grace@",
        "a@example.org, b@example.org",
        "Grace <a@example.org>",
        "a b@example.org",
        "root@localhost",
    ] {
        let refused = house.invite(to(text)).await;
        assert_eq!(
            (&refused["code"], &refused["data"]["field"]),
            (&json!("BAD_FIELD"), &json!("invited")),
            "{refused}"
        );
    }
    let without = House::new("").await;
    let refused = without.invite(to("grace@example.org")).await;
    assert_eq!((&refused["code"], &refused["data"]["field"]), (&json!("BAD_FIELD"), &json!("send_email")), "{refused}");
    for house in [&house, &without] {
        let listed: Value = house.gateway.get(INVITATIONS).send().await.expect("an answer").json().await.expect("JSON");
        assert_eq!(listed["data"], json!([]));
    }
    assert!(server.is_empty());
}

#[tokio::test]
async fn an_invitation_stands_whatever_becomes_of_its_mail() {
    let server = MailServer::start("off", None);
    let house = House::new(&server.config("127.0.0.1", "off", "")).await;
    let gone = MailServer::start("off", None).config("127.0.0.1", "off", "");
    let elsewhere = House::new(&gone).await;
    // It has no such mailbox; it never says that it has the mail; it is gone.
    for (house, address) in
        [(&house, "nobody@example.org"), (&house, "silence@example.org"), (&elsewhere, "grace@example.org")]
    {
        let made = house.invite(to(address)).await;
        assert_eq!((&made["email"], &made["invitation"]["status"]), (&json!("failed"), &json!("open")), "{made}");
        assert!(made["link"].is_string());
    }
    assert!(server.is_empty());
}

#[tokio::test]
async fn so_many_are_mailed_within_a_day_and_others_are_invited_without() {
    let server = MailServer::start("off", None);
    let house = House::new(&server.config("127.0.0.1", "off", "")).await;
    for number in 0..50 {
        let made = house.invite(to(&format!("p{number}@example.org"))).await;
        assert_eq!(made["email"], "accepted", "{number}: {made}");
        // To invite and uninvite in turn is no way to write to everybody.
        let path = format!("{INVITATIONS}/{}", made["invitation"]["invitation_id"]);
        let gone =
            client().delete(house.gateway.url(&path)).bearer_auth(&house.gateway.key).send().await.expect("an answer");
        assert_eq!(gone.status(), 200);
        assert_eq!(server.next()["recipients"], json!([format!("p{number}@example.org")]));
    }
    let made = house.invite(to("late@example.org")).await;
    assert_eq!(made["email"], "limit", "{made}");
    assert!(made["link"].is_string() && server.is_empty());
    house.hand.advance_ms(DAY_MS + 1);
    assert_eq!(house.invite(to("late@example.org")).await["email"], "accepted");
    assert_eq!(server.next()["recipients"], json!(["late@example.org"]));
}

#[tokio::test]
async fn one_address_and_a_whole_service_are_sent_so_many() {
    let server = MailServer::start("off", None);
    let house = House::new(&server.config("127.0.0.1", "off", "per_day = 4\n")).await;
    for expected in ["accepted", "accepted", "accepted", "limit"] {
        assert_eq!(house.invite(to("grace@example.org")).await["email"], expected);
    }
    for (address, expected) in [("ada@example.org", "accepted"), ("bob@example.org", "limit")] {
        assert_eq!(house.invite(to(address)).await["email"], expected, "{address}");
    }
    let sent: Vec<Value> = (0..4).map(|_| server.next()["recipients"][0].clone()).collect();
    assert_eq!(json!(sent), json!(["grace@example.org", "grace@example.org", "grace@example.org", "ada@example.org"]));
    assert!(server.is_empty());
}

/// A gateway of its own process, which trusts this certificate: the answer to somebody's invitation, and all that it has logged.
async fn served(certificate: &str, mail: &str) -> (Value, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(place("ca.pem"), certificate).expect("a file");
    std::fs::write(place("password"), PASSWORD).expect("a file");
    let login = format!("username = \"service\"\npassword_file = {:?}\n", place("password"));
    let config = format!(
        "public_url = \"https://gateway.example\"\ndata_dir = {:?}\n[log]\nfilter = \"trace\"\n[sandbox]\nenabled = true\n{}",
        place("data"),
        mail.replace("LOGIN", &login)
    );
    std::fs::write(place("tollgate.toml"), config).expect("a file");
    let config = place("tollgate.toml");
    let (served, log) = Served::start_logged_in(("SSL_CERT_FILE", &place("ca.pem")), &["--config", &config]);
    let (made, key) = run_json(&["key", "create", "--account", "demo", "--config", &config]);
    assert!(made, "{key}");
    let key = key["key"].as_str().expect("a key");
    let made = invite(&format!("{}{INVITATIONS}", served.url()), key, to("grace@example.org")).await;
    assert!(served.terminate());
    let log: String = log.iter().map(|line| line + "\n").collect();
    for secret in [PASSWORD, made["token"].as_str().expect("a token"), "grace@example.org"] {
        assert!(!log.contains(secret), "{log}");
    }
    (made, log)
}

#[tokio::test]
async fn mail_goes_by_tls_alone_to_whom_it_trusts_with_its_password() {
    for tls in ["starttls", "implicit"] {
        let server = MailServer::start(tls, Some(("service", PASSWORD)));
        let (made, _) = served(&server.certificate, &server.config("localhost", tls, "LOGIN")).await;
        assert_eq!(made["email"], "accepted", "{tls}: {made}");
        let mail = server.next();
        assert_eq!((&mail["secure"], &mail["user"]), (&json!(true), &json!("service")), "{tls}: {mail}");
        let other = MailServer::start(tls, Some(("service", PASSWORD)));
        let strict = MailServer::start(tls, Some(("service", "another password")));
        for (server, certificate, why) in [
            (&other, &server.certificate, "the certificate of the mail server cannot be trusted"),
            (&strict, &strict.certificate, "refused with code 535"),
        ] {
            let (made, log) = served(certificate, &server.config("localhost", tls, "LOGIN")).await;
            assert_eq!(made["email"], "failed", "{tls}: {made}");
            assert!(log.contains(why), "{tls}: {log}");
            assert!(server.is_empty());
        }
    }
    // A server that offers no TLS is told nothing, by whomever that was taken away.
    let bare = MailServer::start("off", None);
    let (made, log) = served(&bare.certificate, &bare.config("localhost", "starttls", "LOGIN")).await;
    assert_eq!(made["email"], "failed", "{made}");
    assert!(log.contains("the mail server offers no TLS"), "{log}");
    let (made, _) = served(&bare.certificate, &bare.config("localhost", "implicit", "LOGIN")).await;
    assert_eq!(made["email"], "failed", "{made}");
    assert!(bare.is_empty());
}
