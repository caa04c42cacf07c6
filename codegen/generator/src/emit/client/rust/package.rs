//! What makes the files a package.

use super::super::lines::IndentedLines;
use super::super::model::ClientPackage;
use super::layout::{STEP, quoted};
use super::names::{group_name, group_type};
use crate::naming;

pub(super) fn library(package: &ClientPackage<'_>) -> String {
    let mut lines = IndentedLines::new(STEP);
    lines.marked_doc("//!", package.document.service.doc.as_deref().unwrap_or(&package.document.service.title));
    lines.line(MODULES);
    let client = package.client();
    lines.gap();
    lines.line("/// The client.");
    lines.line("#[derive(Debug, Clone)]");
    lines.line(format!("pub struct {client} {{"));
    lines.within(|lines| lines.line("transport: runtime::Transport,"));
    lines.line("}");
    lines.gap();
    lines.line(GROUP_LINTS);
    lines.line(format!("impl {client} {{"));
    lines.line(MAKERS);
    lines.within(|lines| {
        for group in &package.groups {
            let (name, class) = (group_name(group), group_type(group));
            // These make a client.
            let function =
                if matches!(group.name, "clone" | "new" | "over") { format!("{name}_") } else { name.clone() };
            lines.gap();
            lines.line(format!("/// Calls of `{}`.", group.name));
            lines.line("#[must_use]");
            lines.line(format!("pub fn {function}(&self) -> calls::{name}::{class}<'_> {{"));
            lines.within(|lines| lines.line(format!("calls::{name}::{class}(&self.transport)")));
            lines.line("}");
        }
    });
    lines.line("}");
    lines.done()
}

/// Lints that the functions of the client are exempt from, since groups may be called as anything.
const GROUP_LINTS: &str =
    "#[allow(clippy::should_implement_trait, clippy::wrong_self_convention, reason = \"groups are called so\")]";

/// The text before the client.
const MODULES: &str = r#"
#[allow(
    clippy::new_ret_no_self,
    clippy::should_implement_trait,
    clippy::wrong_self_convention,
    reason = "the service calls its operations so"
)]
pub mod calls;
mod envelopes;
#[allow(dead_code, unused_imports, reason = "the same for all services, and not each has forms, streams or pages")]
mod runtime;
#[allow(clippy::large_enum_variant, reason = "what is on the wire decides how large a variant is")]
pub mod types;

use std::time::Duration;

pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use runtime::{CallOptions, Code, ConnectionError, Error, EventStream, OnResponse, Pages, Part};
pub use runtime::{Refusal, ResponseHead, Strange, TextOrList, Unsent, Upload, Usd};"#;

/// The constructors of a client, as they stand in it.
const MAKERS: &str = r#"    /// A client of the service at this address, with a key, over a connection pool of its own.
    ///
    /// # Panics
    /// Where `reqwest::Client::new` does.
    #[must_use]
    pub fn new(base_url: impl Into<String>, api_key: Option<String>) -> Self {
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
        Self::over(http.expect("what `reqwest::Client::new` needs is there"), base_url, api_key)
    }

    /// A client of the service over this client of HTTP. The service redirects nobody; where something before it
    /// does, a client that follows may send another request than it was given: let it have `redirect::Policy::none()`.
    #[must_use]
    pub fn over(http: reqwest::Client, base_url: impl Into<String>, api_key: Option<String>) -> Self {
        let (base_url, timeout) = (base_url.into(), Duration::from_secs(600));
        Self { transport: runtime::Transport { http, base_url, api_key, max_retries: 2, timeout } }
    }"#;

pub(super) fn manifest(package: &ClientPackage<'_>) -> String {
    let said = |key: &str, value: &Option<String>| {
        value.as_ref().map(|value| format!("{key} = {}\n", quoted(value))).unwrap_or_default()
    };
    let listing = &package.listing;
    let said = said("license", &listing.license) + &said("repository", &listing.repository);
    format!(
        "[package]\nname = {}\nversion = {}\nedition = \"2024\"\nrust-version = \"1.87\"\ndescription = {}\n\
         readme = \"README.md\"\n{said}\n[features]\ndefault = [\"tls\"]\n\
         # Without it: plain HTTP, or a client of HTTP of your own.\ntls = [\"reqwest/rustls\"]\n\n\
         [dependencies]\nreqwest = {{ version = \"0.13\", default-features = false, features = [\"http2\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\
         tokio = {{ version = \"1\", features = [\"time\"] }}\n\n# A package by itself, wherever it lies.\n[workspace]\n",
        quoted(&package.name()),
        quoted(&listing.version),
        quoted(&format!("Client of: {}", package.document.service.title)),
    )
}

pub(super) fn readme(package: &ClientPackage<'_>) -> String {
    let (name, client) = (package.name(), package.client());
    let call = super::super::first_call::first(package).map_or_else(String::new, |sample| {
        let (group, verb) = (sample.group, naming::snake(&sample.verb));
        format!(
            "let body = serde_json::from_value(serde_json::json!({body}))?;\nlet options = CallOptions::default();\n\
             let reply = client.{group}().{verb}(&body, &options).await?;\n\n\
             let mut events = client.{group}().{verb}_stream(&body, &options).await?;\n\
             while let Some(event) = events.next().await {{\n    println!(\"{{:?}}\", event?);\n}}\n",
            body = sample.body,
        )
    });
    format!(
        "# {name}\n\nClient of: {title}, over reqwest.\n\n```rust\nuse {module}::{{CallOptions, {client}}};\n\n\
         let client = {client}::new(\"https://…\", Some(\"sk-…\".to_owned()));\n{call}```\n\n{NOTES}",
        title = package.document.service.title,
        module = naming::snake(&name),
    )
}

const NOTES: &str = "\
- Each call takes what stands in the path, then the body, then its other parameters, then options.
- A refusal with a declared code is `Error::Refused`; each call has a closed set of codes of its own.
- A success whose reply is not of the type that is known here is `Error::Strange`, with the reply as it came.
- What is sent again by itself: requests that do no more when they come twice, and those with an `idempotency_key`, which
  the calls take that the service carries out once for each key.
- A list that comes in pages has a second call, `…_all`, which goes through all of them.
- A form with files is a call of its own, `…_form`, where the same may be sent as JSON.
- A later version may let a request say more: end what you write of one with `..Default::default()`, and where a type has none,
  make it of JSON with `serde_json::from_value`.
- Fields that are not listed are kept in `further`; words and kinds that were not known are `Other`, or `OtherThanListed`
  where one of those that were is called so. What a later version may have more of is `#[non_exhaustive]`.
";
