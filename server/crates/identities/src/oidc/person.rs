//! The person that a provider has signed in.

use reqwest::header::AUTHORIZATION;
use serde_json::{Map, Value};

use super::call::{OidcClient, read};
use super::config::OidcProviderConfig;
use super::discovery::ProviderMetadata;
use super::error::OidcError;
use super::id_token::{IdClaims, Tokens};

/// A person as a provider knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OidcPerson {
    /// The name that the provider has given the person for ever (`sub`).
    pub(crate) subject: String,
    /// The address, where the provider has verified it.
    pub(crate) email: Option<String>,
    /// The groups.
    pub(crate) groups: Vec<String>,
}

/// The person of an ID token. What that does not tell is asked for, where there is an endpoint for it.
pub(super) async fn described(
    client: &OidcClient,
    config: &OidcProviderConfig,
    metadata: &ProviderMetadata,
    (tokens, claims): (&Tokens, IdClaims),
) -> Result<OidcPerson, OidcError> {
    let IdClaims { sub: subject, others: own, .. } = claims;
    let of = |claims: &Map<String, Value>| groups(claims, &config.groups_claim);
    let mut told = Map::new();
    let is_known = own.contains_key("email") && (config.roles.is_empty() || of(&own).is_some());
    if !is_known && let (Some(url), Some(token)) = (metadata.userinfo_endpoint.clone(), &tokens.access_token) {
        let header = format!("Bearer {}", token.reveal());
        told = read(client.get(url).header(AUTHORIZATION, header), "userinfo").await?;
        if told.get("sub").and_then(Value::as_str) != Some(subject.as_str()) {
            return Err(OidcError::Refused("the provider tells of another person than it signed in"));
        }
    }
    // Each is told by one of them whole: what one says of an address is not said of the other's.
    let groups = match of(&own).or_else(|| of(&told)) {
        Some(groups) => groups,
        // Too many to be listed is not none.
        None if !config.roles.is_empty() && [&own, &told].into_iter().any(are_elsewhere) => {
            return Err(OidcError::Unavailable("it lists the groups of this person elsewhere".to_owned()));
        }
        None => Vec::new(),
    };
    Ok(OidcPerson { email: verified_email(&own).or_else(|| verified_email(&told)), groups, subject })
}

fn verified_email(claims: &Map<String, Value>) -> Option<String> {
    let is_verified = matches!(claims.get("email_verified"), Some(Value::Bool(true)));
    claims.get("email").and_then(Value::as_str).filter(|_| is_verified).map(str::to_lowercase)
}

/// True where claims stand in another place than the token (OpenID Connect Core 1.0, 5.6.2).
fn are_elsewhere(claims: &Map<String, Value>) -> bool {
    claims.contains_key("_claim_names") || claims.get("hasgroups").is_some_and(|has| *has != Value::Bool(false))
}

/// The groups, where claims tell them: a list of texts, or one text.
fn groups(claims: &Map<String, Value>, path: &str) -> Option<Vec<String>> {
    let found = claims.get(path).or_else(|| {
        let mut names = path.split('.');
        let first = claims.get(names.next()?)?;
        names.try_fold(first, |value, name| value.get(name))
    })?;
    match found {
        Value::String(group) => Some(vec![group.clone()]),
        Value::Array(groups) => Some(groups.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        _ => Some(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn groups_are_a_list_a_text_or_further_in() {
        let claims = json!({
            "groups": ["a", 7, "b"], "role": "c", "realm_access": {"roles": ["d"]}, "with.dot": ["e"], "with": {"dot": ["f"]}, "none": 7,
        });
        let claims = claims.as_object().unwrap();
        let told = |path: &str| groups(claims, path).map(|groups| groups.join(" "));
        for (path, expected) in [
            ("groups", Some("a b")),
            ("role", Some("c")),
            ("realm_access.roles", Some("d")),
            ("with.dot", Some("e")),
            ("none", Some("")),
            ("missing", None),
            ("realm_access.missing", None),
            ("role.further", None),
        ] {
            assert_eq!(told(path).as_deref(), expected, "{path}");
        }
    }
}
