//! A certified provider of OpenID Connect (`sdk/oidc/provider.js`), with people that tests make. What it needs comes by npm, once,
//! into a folder under the target folder.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::gateway::client;
use crate::script::installed;

/// The secret that the gateway shows the provider, in the variable `OIDC_SECRET`.
pub const SECRET: &str = "a secret: 100% of it";
/// The name of the provider in the configuration.
pub const NAME: &str = "company";
/// The name of a second one, at an address of this machine.
pub const OTHER: &str = "other";
/// The clients that gateways are there: at a public address, and at an address of this machine.
const PUBLIC: &str = "tollgate";
const LOCAL: &str = "tollgate: local";

/// A running provider.
#[derive(Debug)]
pub struct OidcProvider {
    process: Child,
    /// Its issuer.
    pub url: String,
}

impl OidcProvider {
    /// Starts one.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start() -> Self {
        let mut command = Command::new("node");
        // It warns of versions of Node that it is not tried with.
        command
            .arg(environment().join("provider.js"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command.spawn().expect("node runs");
        let mut line = String::new();
        let mut out = BufReader::new(process.stdout.take().expect("it is piped"));
        out.read_line(&mut line).expect("a pipe can be read");
        let told: Value = serde_json::from_str(&line).expect("it says where it listens");
        assert_eq!(told["secret"], SECRET);
        Self { process, url: told["url"].as_str().expect("an address").to_owned() }
    }

    /// The one that the tests of a process share. Nobody changes it but its people.
    #[must_use]
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<OidcProvider> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Its table in the configuration of a gateway at a public address, or at an address of this machine (`local`).
    #[must_use]
    pub fn config(&self, local: bool) -> String {
        self.config_as(NAME, if local { LOCAL } else { PUBLIC })
    }

    /// Its table as that of a second provider, of a gateway at an address of this machine.
    #[must_use]
    pub fn config_of_other(&self) -> String {
        self.config_as(OTHER, LOCAL)
    }

    fn config_as(&self, name: &str, client: &str) -> String {
        format!(
            "[[oidc]]\nname = \"{name}\"\nlabel = \"Example Company\"\nissuer = \"{}\"\nclient_id = \"{client}\"\n\
            client_secret_env = \"OIDC_SECRET\"\n",
            self.url
        )
    }

    /// Sets the claims of a person; `test` among them says how its tokens are forged.
    pub async fn person(&self, subject: &str, claims: Value) {
        self.test("people", json!({subject: claims})).await;
    }

    /// Signs a person out at the gateway, whose address is the setting `logout`.
    ///
    /// # Panics
    /// When the gateway does not take it.
    pub async fn sign_out(&self, subject: &str) {
        self.test("logout", json!({"subject": subject, "client": LOCAL})).await;
    }

    /// A logout token of a person, for a gateway at an address of this machine (`local`) or at a public one.
    pub async fn logout_token(&self, subject: &str, local: bool) -> String {
        let body = json!({"subject": subject, "client": if local { LOCAL } else { PUBLIC }});
        let request = client().post(format!("{}/test/logout_token", self.url)).body(body.to_string());
        let reply = request.send().await.expect("an answer");
        let (status, text) = (reply.status(), reply.text().await.expect("a text"));
        assert_eq!(status, 200, "{text}");
        text
    }

    /// Sets its behaviour: `alg`, `method`, `down`, `logout`, `refuses`.
    pub async fn set(&self, settings: Value) {
        self.test("set", settings).await;
    }

    /// Gives it other keys to sign by.
    pub async fn rotate(&self) {
        self.test("rotate", json!({})).await;
    }

    async fn test(&self, what: &str, body: Value) {
        let request = client().post(format!("{}/test/{what}", self.url)).body(body.to_string());
        let reply = request.send().await.expect("an answer");
        let (status, text) = (reply.status(), reply.text().await.expect("a text"));
        assert_eq!(status, 204, "{what}: {text}");
    }

    /// Goes to the address of a sign-in as this person's browser, and gives the parameters that it comes back with.
    ///
    /// # Panics
    /// When it does not come back.
    pub async fn visit(&self, url: &str, subject: &str) -> Returned {
        let mut cookies = BTreeMap::new();
        let mut next = reqwest::Url::parse(url).expect("an address");
        next.query_pairs_mut().append_pair("login_hint", subject);
        let mut steps = 0..10;
        while next.as_str().starts_with(&self.url) {
            assert!(steps.next().is_some(), "it leads nowhere: {next}");
            let sent = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
            let reply = client().get(next.clone()).header("cookie", sent).send().await.expect("an answer");
            let status = reply.status();
            for set in reply.headers().get_all("set-cookie") {
                let pair = set.to_str().expect("text").split(';').next().expect("a cookie");
                let (name, value) = pair.split_once('=').expect("a value");
                cookies.insert(name.to_owned(), value.to_owned());
            }
            let Some(place) = reply.headers().get("location").and_then(|place| place.to_str().ok()).map(str::to_owned)
            else {
                panic!("{status}: {}", reply.text().await.unwrap_or_default());
            };
            next = next.join(&place).expect("an address");
        }
        let told = |name: &str| {
            next.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        Returned { state: told("state"), code: told("code"), issuer: told("iss"), error: told("error") }
    }
}

/// The parameters that a browser comes back with; empty where there is none.
#[derive(Debug, Clone)]
pub struct Returned {
    /// The parameter `state`.
    pub state: String,
    /// The parameter `code`.
    pub code: String,
    /// The parameter `iss`.
    pub issuer: String,
    /// The parameter `error`.
    pub error: String,
}

impl Returned {
    /// The answer that the gateway is sent, with the secret of the sign-in.
    #[must_use]
    pub fn answer(&self, secret: &str) -> Value {
        self.answer_of(NAME, secret)
    }

    /// The answer that it is sent as one of this provider.
    #[must_use]
    pub fn answer_of(&self, provider: &str, secret: &str) -> Value {
        let Self { state, code, issuer, .. } = self;
        json!({"provider": provider, "secret": secret, "state": state, "code": code, "issuer": issuer})
    }
}

impl Drop for OidcProvider {
    fn drop(&mut self) {
        // It ends when nobody holds its input any more.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

fn environment() -> &'static Path {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| installed("oidc", &[], |_| {}))
}
