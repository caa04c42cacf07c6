//! A client of the admin API with an owner's key.

use reqwest::Method;
use serde_json::Value;
use tollgate_accounts::operators::OperatorRole;
use tollgate_tests::gateway::exact;
use tollgate_tests::{TestGateway, client};

/// An owner at one server.
#[derive(Debug, Clone)]
pub(crate) struct AdminClient {
    base: String,
    key: String,
}

/// An answer: its status, and its body.
pub(crate) type Told = (u16, Value);

impl AdminClient {
    pub(crate) const fn new(base: String, key: String) -> Self {
        Self { base, key }
    }

    /// An owner at a gateway in this process.
    pub(crate) async fn of(gateway: &TestGateway) -> Self {
        let operators = &gateway.service().operators;
        let owner = operators.create_key("root", OperatorRole::Owner, None, "test").await.expect("a key");
        Self { base: gateway.url(""), key: owner.secret.reveal().to_owned() }
    }

    /// The same owner at another server.
    pub(crate) fn at(&self, base: String) -> Self {
        Self { base, key: self.key.clone() }
    }

    /// What `GET /api/admin/…` answers.
    pub(crate) async fn get(&self, path: &str) -> Told {
        self.send(Method::GET, path, None, "").await
    }

    /// A page of the console.
    pub(crate) async fn page(&self, path: &str) -> String {
        let url = format!("{}/admin/{path}", self.base);
        let reply = client().get(url).bearer_auth(&self.key).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{path}");
        reply.text().await.expect("a page")
    }

    /// What `POST /api/admin/…` answers.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Told {
        self.send(Method::POST, path, Some(body), "*").await
    }

    /// What `PUT /api/admin/…` answers, for any version.
    pub(crate) async fn put(&self, path: &str, body: &Value) -> Told {
        self.send(Method::PUT, path, Some(body), "*").await
    }

    /// What `DELETE /api/admin/…` answers, for any version.
    pub(crate) async fn delete(&self, path: &str) -> Told {
        self.send(Method::DELETE, path, None, "*").await
    }

    /// The data of an answer that is a success.
    pub(crate) fn data((status, told): Told) -> Value {
        assert_eq!(status, 200, "{told}");
        told["data"].clone()
    }

    /// The code of an answer that is a refusal, with its detail.
    pub(crate) fn refused((status, told): Told) -> (String, String) {
        assert!(status >= 400, "{told}");
        let text = |name: &str| told[name].as_str().unwrap_or_else(|| panic!("{told}")).to_owned();
        (text("code"), text("detail"))
    }

    /// What a grant of credit answers, by a key of its own.
    pub(crate) async fn grant(&self, account: &str, usd: &str) -> Told {
        let url = format!("{}/api/admin/accounts/{account}/grants", self.base);
        let request = client().post(url).bearer_auth(&self.key).header("idempotency-key", "first");
        let request = request.header("content-type", "application/json").body(format!("{{\"usd\": {usd}}}"));
        let reply = request.send().await.expect("an answer");
        (reply.status().as_u16(), exact(&reply.text().await.expect("a body")))
    }

    /// One request; an answer that does not come is a panic.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>, if_match: &str) -> Told {
        self.try_send(method, path, body, if_match).await.expect("an answer")
    }

    /// One request, to a server that may be gone.
    pub(crate) async fn try_send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        if_match: &str,
    ) -> Result<Told, reqwest::Error> {
        let mut request = client().request(method, format!("{}/api/admin/{path}", self.base)).bearer_auth(&self.key);
        if !if_match.is_empty() {
            request = request.header("if-match", if_match);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let reply = request.send().await?;
        let status = reply.status().as_u16();
        Ok((status, exact(&reply.text().await?)))
    }
}
