//! How each operation is asked for something that it grants.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tollgate_tests::checkout::NOTIFY;
use tollgate_tests::client;
use tollgate_tests::wallet::Wallet;

/// Where the service says that it is reached, which the proof of a wallet names.
pub(crate) const PUBLIC_URL: &str = "http://gateway.example";

/// An account that somebody can sign in to.
pub(crate) const PERSON: &str = "person";
/// Its password.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// What a request names.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// A model.
    pub(crate) model: String,
    /// A stored response.
    pub(crate) response: String,
    /// A finished video.
    pub(crate) video: String,
    /// A request that was charged.
    pub(crate) request: String,
    /// A key of the account.
    pub(crate) key: i64,
    /// An agent of the account.
    pub(crate) agent: i64,
    /// A team of the account's organisation.
    pub(crate) team: i64,
    /// A member of the account's organisation.
    pub(crate) member: i64,
    /// An open invitation to the account's organisation, and its secret.
    pub(crate) invitation: i64,
    pub(crate) token: String,
    /// An order of the account.
    pub(crate) order: String,
    /// Its number.
    pub(crate) order_id: i64,
}

impl Default for Names {
    fn default() -> Self {
        let name = str::to_owned;
        Self {
            model: name("small"),
            response: name("resp_none"),
            video: name("video_none"),
            request: name("req_none"),
            key: 7,
            agent: 7,
            team: 7,
            member: 7,
            invitation: 7,
            token: name("UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw"),
            order: name("tg0"),
            order_id: 7,
        }
    }
}

impl Names {
    pub(super) fn of_model(model: &str) -> Self {
        Self { model: model.to_owned(), ..Self::default() }
    }
}

/// A request without a key.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) body: Option<Value>,
}

impl Ask {
    /// What an operation is asked, as a whole answer where it can stream; output is bounded to 100 tokens.
    pub(crate) fn of(operation: &str, names: &Names) -> Self {
        let Names { model, response, video, request, key, agent, team, member, invitation, token, order, order_id } =
            names;
        let turns = json!([{"role": "user", "content": "Hello"}]);
        let contents =
            json!({"contents": [{"parts": [{"text": "Hello"}]}], "generationConfig": {"maxOutputTokens": 100}});
        match operation {
            "completions.create" => {
                Self::post("/v1/completions", json!({"model": model, "prompt": "Hello", "max_tokens": 100}))
            }
            "embeddings.create" => Self::post("/v1/embeddings", json!({"model": model, "input": "Hello"})),
            "embeddings.create_for_engine" => {
                Self::post(&format!("/v1/engines/{model}/embeddings"), json!({"input": "Hello"}))
            }
            "moderations.create" => Self::post("/v1/moderations", json!({"model": model, "input": "Hello"})),
            "images.generate" => Self::post("/v1/images/generations", json!({"model": "painter", "prompt": "a cat"})),
            "images.edit" => {
                let images = json!([{"image_url": "https://example.com/a.png"}]);
                Self::post("/v1/images/edits", json!({"model": "painter", "prompt": "a hat", "images": images}))
            }
            "messages.count_tokens" => {
                let mut ask = Self::post("/v1/messages/count_tokens", json!({"model": model, "messages": turns}));
                ask.headers.push(("anthropic-version", "2023-06-01"));
                ask
            }
            "content.count_tokens" => {
                Self::post(&format!("/v1beta/models/{model}:countTokens"), json!({"contents": contents["contents"]}))
            }
            "content.embed" => {
                let content = &contents["contents"][0];
                Self::post(&format!("/v1beta/models/{model}:embedContent"), json!({"content": content}))
            }
            "content.batch_embed" => {
                let requests = json!([{"model": format!("models/{model}"), "content": contents["contents"][0]}]);
                Self::post(&format!("/v1beta/models/{model}:batchEmbedContents"), json!({"requests": requests}))
            }
            "content.list_models" => Self::get("/v1beta/models"),
            "content.get_model" => Self::get(&format!("/v1beta/models/{model}")),
            "balance.get" => Self::get("/api/user/self/balance"),
            "standing.get" => Self::get("/api/user/self/status"),
            "receipts.get" => Self::get(&format!("/api/user/self/receipts/{request}")),
            "receipts.list" => Self::get("/api/user/self/receipts?limit=5"),
            "billing.subscription" => Self::get("/v1/dashboard/billing/subscription"),
            "billing.usage" => Self::get("/v1/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01"),
            "usage.get" => Self::get("/api/user/self/usage?group_by=day,model"),
            "keys.create" => Self::post("/api/user/self/keys", json!({"label": "another"})),
            "keys.list" => Self::get("/api/user/self/keys"),
            "keys.change" => {
                let change = Self::post(&format!("/api/user/self/keys/{key}"), json!({"label": "other"}));
                Self { method: Method::PATCH, ..change }
            }
            "keys.revoke" => Self { method: Method::DELETE, ..Self::get(&format!("/api/user/self/keys/{key}")) },
            "agents.register" => Self::post("/api/user/self/agents", Wallet::evm().registration(PUBLIC_URL)),
            "agents.list" => Self::get("/api/user/self/agents"),
            "agents.change" => {
                let change = Self::post(&format!("/api/user/self/agents/{agent}"), json!({"cap_day_usd": 5}));
                Self { method: Method::PATCH, ..change }
            }
            "agents.revoke" => Self { method: Method::DELETE, ..Self::get(&format!("/api/user/self/agents/{agent}")) },
            "organisation.show" => Self::get("/api/user/self/organisation"),
            "organisation.change" => {
                let change = Self::post("/api/user/self/organisation", json!({"budget_month_usd": 1000}));
                Self { method: Method::PATCH, ..change }
            }
            "teams.create" => Self::post("/api/user/self/teams", json!({"name": "another"})),
            "teams.list" => Self::get("/api/user/self/teams"),
            "teams.change" => {
                let change = Self::post(&format!("/api/user/self/teams/{team}"), json!({"budget_day_usd": 5}));
                Self { method: Method::PATCH, ..change }
            }
            "teams.close" => Self { method: Method::DELETE, ..Self::get(&format!("/api/user/self/teams/{team}")) },
            "members.list" => Self::get("/api/user/self/members"),
            "members.change" => {
                let change = Self::post(&format!("/api/user/self/members/{member}"), json!({"budget_day_usd": 5}));
                Self { method: Method::PATCH, ..change }
            }
            "members.remove" => {
                Self { method: Method::DELETE, ..Self::get(&format!("/api/user/self/members/{member}")) }
            }
            "invitations.create" => {
                Self::post("/api/user/self/invitations", json!({"invited": "another", "role": "viewer"}))
            }
            "invitations.list" => Self::get("/api/user/self/invitations"),
            "invitations.withdraw" => {
                Self { method: Method::DELETE, ..Self::get(&format!("/api/user/self/invitations/{invitation}")) }
            }
            "x402.create" => Self::post("/api/user/topup/x402/orders", json!({"amount_usd": 5})),
            "x402.list" => Self::get("/api/user/topup/x402/orders"),
            "x402.config" => Self::get("/api/user/topup/x402/config"),
            "x402.resume" => {
                Self { method: Method::POST, ..Self::get(&format!("/api/user/topup/x402/orders/{order_id}/resume")) }
            }
            "x402.pay" => Self::post(&format!("/api/x402/pay/{order_id}"), json!({"x402Version": 2})),
            "crypto.create" => Self::post("/api/user/topup/crypto/orders", json!({"amount_usd": 5})),
            "crypto.get" => Self::get(&format!("/api/user/topup/crypto/orders/{order}")),
            "crypto.code" => Self::get(&format!("/api/user/topup/crypto/orders/{order}/code")),
            "crypto.page" => Self::get("/topup/crypto"),
            "ewallet.create" => {
                Self::post("/api/user/topup/ewallet/orders", json!({"amount_usd": 5, "wallet": "GCASH"}))
            }
            // Nobody has signed it.
            "ewallet.notify" => Self::post(NOTIFY, json!({})),
            // With nobody's token.
            "ewallet.state" => Self::get(&format!("/api/topup/order/{order}?token=00000000000000000000000000")),
            "ewallet.page" => Self::get(&format!("/topup/order/{order}")),
            "x402.handshake" => Self::get(&format!("/api/x402/pay/{order_id}")),
            "topup.info" => Self::get("/api/user/topup/info"),
            "topup.get" => Self::get(&format!("/api/user/topup/order/{order}")),
            "sessions.register" => {
                Self::post("/api/user/register", json!({"email": "new@example.org", "password": PASSWORD}))
            }
            "sessions.login" => Self::post("/api/user/login", json!({"email": PERSON, "password": PASSWORD})),
            "sessions.logout" => Self { method: Method::POST, ..Self::get("/api/user/logout") },
            "sessions.list" => Self::get("/api/user/self/sessions"),
            "sessions.end" => Self { method: Method::DELETE, ..Self::get("/api/user/self/sessions") },
            // The password stays what others sign in with.
            "sessions.change_password" => {
                Self::post("/api/user/self/password", json!({"password": PASSWORD, "new_password": PASSWORD}))
            }
            "members.leave" => Self { method: Method::POST, ..Self::get("/api/user/self/organisation/leave") },
            "invitations.show" => Self::post("/api/user/invitations/show", json!({"token": token})),
            "invitations.accept" => Self::post("/api/user/invitations/accept", json!({"token": token})),
            "organisations.list" => Self::get("/api/user/self/organisations"),
            "organisations.create" => Self::post("/api/user/self/organisations", json!({"name": "an organisation"})),
            "organisations.enter" => {
                Self { method: Method::POST, ..Self::get(&format!("/api/user/self/organisations/{member}/enter")) }
            }
            "console.organisation" => Self::get("/console/organisation"),
            "console.invitation" => Self::get("/invitation"),
            "console.oidc_return" => Self::get("/sign-in/company"),
            "oidc.providers" => Self::get("/api/user/login/oidc"),
            "oidc.begin" => Self::post("/api/user/login/oidc/begin", json!({"provider": "company"})),
            "oidc.begin_own" => Self::post("/api/user/self/identities/oidc/begin", json!({"provider": "company"})),
            // Of no sign-in that anybody began.
            "oidc.sign_in" => Self::post("/api/user/login/oidc", unreturned()),
            "oidc.link" => Self::post("/api/user/self/identities/oidc", unreturned()),
            // Nobody has signed the token.
            "oidc.log_out" => {
                Self::post("/api/user/login/oidc/company/logout", json!({"logout_token": "eyJhbGciOiJub25lIn0.e30."}))
            }
            "identities.challenge" => Self::post("/api/user/login/wallet/challenge", wallet_of(&Wallet::evm())),
            "identities.challenge_own" => Self::post("/api/user/self/identities/challenge", wallet_of(&Wallet::evm())),
            // Nobody has given the text out.
            "identities.sign_in" => Self::post("/api/user/login/wallet", unproven()),
            "identities.link" => Self::post("/api/user/self/identities", unproven()),
            "identities.list" => Self::get("/api/user/self/identities"),
            "identities.remove" => Self { method: Method::DELETE, ..Self::get("/api/user/self/identities/7") },
            "console.sign_in" => Self::get("/"),
            "console.register" => Self::get("/console/register"),
            "console.file" => Self::get("/console/files/console.css"),
            "console.overview" => Self::get("/console/overview"),
            "console.keys" => Self::get("/console/keys"),
            "console.key" => Self::get(&format!("/console/keys/{key}")),
            "console.receipts" => Self::get("/console/receipts?model=small"),
            "console.receipt" => Self::get(&format!("/console/receipts/{request}")),
            "console.usage" => Self::get("/console/usage?from=2026-11-01&to=2026-11-27"),
            "console.topup" => Self::get("/console/top-up"),
            "console.first_steps" => Self::get("/console/first-steps"),
            "console.playground" => Self::get("/console/playground"),
            "console.agents" => Self::get("/console/agents"),
            "console.settings" => Self::get("/console/settings"),
            "models.list" => Self::get("/v1/models"),
            "models.get" => Self::get(&format!("/v1/models/{model}")),
            "chat.create" => {
                let body = json!({"model": model, "messages": turns, "max_completion_tokens": 100});
                Self::post("/v1/chat/completions", body)
            }
            "messages.create" => {
                let mut ask = Self::post("/v1/messages", json!({"model": model, "messages": turns, "max_tokens": 100}));
                ask.headers.push(("anthropic-version", "2023-06-01"));
                ask
            }
            "content.generate" => Self::post(&format!("/v1beta/models/{model}:generateContent"), contents),
            "content.stream" => Self::post(&format!("/v1beta/models/{model}:streamGenerateContent?alt=sse"), contents),
            "responses.create" => {
                Self::post("/v1/responses", json!({"model": model, "input": "Hello", "max_output_tokens": 100}))
            }
            "responses.compact" => Self::post("/v1/responses/compact", json!({"model": model, "input": "Hello"})),
            "responses.count_tokens" => {
                Self::post("/v1/responses/input_tokens", json!({"model": model, "input": "Hello"}))
            }
            "responses.get" => Self::get(&format!("/v1/responses/{response}")),
            "responses.delete" => Self { method: Method::DELETE, ..Self::get(&format!("/v1/responses/{response}")) },
            "responses.cancel" => {
                Self { method: Method::POST, ..Self::get(&format!("/v1/responses/{response}/cancel")) }
            }
            "responses.input_items" => Self::get(&format!("/v1/responses/{response}/input_items")),
            "videos.create" => Self::post("/v1/videos", json!({"model": "film", "prompt": "a cat"})),
            "videos.get" => Self::get(&format!("/v1/videos/{video}")),
            "videos.get_generation" => Self::get(&format!("/v1/video/generations/{video}")),
            "videos.list" => Self::get("/v1/videos?limit=5"),
            "videos.delete" => Self { method: Method::DELETE, ..Self::get(&format!("/v1/videos/{video}")) },
            "videos.download" => Self::get(&format!("/v1/videos/{video}/content")),
            "video_a.create_from_text" => {
                let model = if model == "small" { "film" } else { model };
                Self::post("/videoA/v1/videos/text2video", json!({"model": model, "prompt": "a cat"}))
            }
            "video_a.create_from_image" => {
                let image = "https://example.com/a.png";
                Self::post("/videoA/v1/videos/image2video", json!({"model": "film", "prompt": "a cat", "image": image}))
            }
            "video_a.get_text" => Self::get(&format!("/videoA/v1/videos/text2video/{video}")),
            "video_a.get_image" => Self::get(&format!("/videoA/v1/videos/image2video/{video}")),
            "service.health" => Self::get("/healthz"),
            "service.ready" => Self::get("/readyz"),
            "service.metrics" => Self::get("/metrics"),
            "service.openapi_30" => Self::get("/openapi-3.0.json"),
            "service.openapi" => Self::get("/openapi.json"),
            "service.docs" => Self::get("/docs"),
            "service.docs_file" => Self::get("/docs/errors"),
            other => panic!("say here how `{other}` is asked"),
        }
    }

    fn get(path: &str) -> Self {
        Self { method: Method::GET, path: path.to_owned(), headers: Vec::new(), body: None }
    }

    fn post(path: &str, body: Value) -> Self {
        Self { method: Method::POST, path: path.to_owned(), headers: Vec::new(), body: Some(body) }
    }

    /// The same as a stream, where the body is what says so.
    pub(super) fn streamed(mut self) -> Self {
        if let Some(body) = self.body.as_mut().filter(|body| body.get("contents").is_none()) {
            body["stream"] = json!(true);
        }
        self
    }

    /// The same with a member more.
    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.body.as_mut().expect("it has a body")[name] = value;
        self
    }

    /// To be sent there.
    pub(super) fn request(&self, url: &str) -> RequestBuilder {
        let request = self.head(url);
        match &self.body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()),
            None => request,
        }
    }

    /// The same without body and type.
    pub(super) fn head(&self, url: &str) -> RequestBuilder {
        let request = client().request(self.method.clone(), format!("{url}{}", self.path));
        self.headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
    }
}

fn unreturned() -> Value {
    json!({"provider": "company", "secret": "none", "state": "none", "code": "none"})
}

fn wallet_of(wallet: &Wallet) -> Value {
    json!({"chain": wallet.chain(), "address": wallet.address()})
}

/// A proof of a text that was never given out.
fn unproven() -> Value {
    let told = json!({"data": {"message": "text", "nonce": "0".repeat(32)}});
    Wallet::evm().proof(&told)
}
