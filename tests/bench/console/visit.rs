//! An owner who signs in.

use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::{binary, client, totp};

use crate::Failed;

/// A price that operators have added.
pub(super) const PRICE: &str = "bench";
const PASSWORD: &str = "correct horse battery";

/// The number of an owner, made on the machine, and the invitation.
pub(super) fn invited(config: &str) -> Result<(String, String), Failed> {
    let (_, made) = binary::run_json(&["--config", config, "operator", "create", "root", "--role", "owner"]);
    let invitation = made["invitation"].as_str().ok_or_else(|| format!("no invitation in {made}"))?;
    Ok((made["id"].to_string(), invitation.to_owned()))
}

/// The cookie of the session that accepting it begins.
pub(super) async fn sign_in(address: &str, invitation: &str) -> Result<String, Failed> {
    let send = |path: &str, body: Value| {
        let request = client().post(format!("http://{address}/api/admin/{path}")).header("x-tollgate-csrf", "1");
        request.header("content-type", "application/json").body(body.to_string()).send()
    };
    let offered: Value = send("invitation", json!({"invitation": invitation})).await?.json().await?;
    let secret = offered["data"]["secret"].as_str().ok_or_else(|| format!("no secret in {offered}"))?;
    let code = totp::code(secret, Clock::system().now_ms());
    let accepted = json!({"invitation": invitation, "secret": secret, "code": code, "password": PASSWORD});
    let reply = send("invitation/accept", accepted).await?;
    let cookie = reply.headers().get("set-cookie").ok_or("no cookie")?.to_str()?;
    Ok(cookie.split(';').next().unwrap_or_default().to_owned())
}

/// Adds a price, which the configuration has none of.
pub(super) async fn add_price(address: &str, session: &str) -> Result<(), Failed> {
    let base = format!("http://{address}");
    let body = json!({"name": PRICE, "settings": {"prompt": "1", "completion": "2"}}).to_string();
    let request = client().post(format!("{base}/api/admin/prices")).header("cookie", session).header("origin", base);
    let request = request.header("x-tollgate-csrf", "1").header("content-type", "application/json").body(body);
    request.send().await?.error_for_status()?;
    Ok(())
}
