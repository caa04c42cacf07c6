//! Providers of OpenID Connect that people sign in by.

use std::collections::BTreeSet;
use std::time::Duration;

use tollgate_base::AccountId;
use tollgate_catalog::UnplacedComplaint;
use tollgate_identities::{GroupRole, OidcProviderConfig};

use super::file::{ConfigFile, OidcTable, ServerMode};
use super::secrets::SecretReference;

const NAME_LETTERS_MAX: usize = 32;
/// The least number of an account.
const ACCOUNTS_FROM: i64 = 1 << 32;
const LABEL_LETTERS_MAX: usize = 64;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const DAYS_MAX: u32 = 3_650;

/// The providers, in the order of the file.
pub(super) fn providers(
    file: &ConfigFile,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Vec<OidcProviderConfig> {
    let (mut names, mut issuers) = (BTreeSet::new(), BTreeSet::new());
    let mut providers = Vec::new();
    for (index, table) in file.oidc.iter().enumerate() {
        let index = index.to_string();
        let place = ["oidc", index.as_str()];
        let mut complain =
            |key: &str, message: &str| found.push(UnplacedComplaint::new(&[place[0], place[1], key], message));
        if !names.insert(&table.name) {
            complain("name", "another provider has this name");
        }
        if !issuers.insert(&table.issuer) {
            complain("issuer", "another provider has this issuer: people are known by it");
        }
        check(table, file.mode, &mut complain);
        let roles = roles(table, &place, found);
        let (variable, path) = (table.client_secret_env.as_ref(), table.client_secret_file.as_ref());
        let secret = SecretReference { table: &place, name: "client_secret", variable, file: path };
        let scopes = table.scopes.clone().unwrap_or_else(|| vec!["email".to_owned(), "profile".to_owned()]);
        providers.push(OidcProviderConfig {
            name: table.name.clone(),
            label: table.label.clone().unwrap_or_else(|| table.name.clone()),
            issuer: table.issuer.clone(),
            client_id: table.client_id.clone(),
            client_secret: secret.read(env, found),
            scopes: std::iter::once("openid".to_owned()).chain(scopes).collect(),
            groups_claim: table.groups_claim.clone().unwrap_or_else(|| "groups".to_owned()),
            registration: table.registration,
            sign_in_within: table.sign_in_within_days.map(|days| DAY * days),
            roles,
        });
    }
    providers
}

fn check(table: &OidcTable, mode: ServerMode, complain: &mut impl FnMut(&str, &str)) {
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if !(1..=NAME_LETTERS_MAX).contains(&table.name.len()) || !table.name.chars().all(is_name) {
        complain("name", "must be 1 to 32 small letters, digits and hyphens: it stands in addresses");
    }
    let fits = |label: &String| {
        (1..=LABEL_LETTERS_MAX).contains(&label.chars().count()) && !label.chars().any(char::is_control)
    };
    if table.label.as_ref().is_some_and(|label| !fits(label)) {
        complain("label", "must have 1 to 64 characters without line breaks");
    }
    let is_secure = table.issuer.starts_with("https://");
    if !is_secure && (mode == ServerMode::Production || !table.issuer.starts_with("http://")) {
        complain("issuer", "must start with https://, and be letter for letter as the provider writes it");
    }
    if !(1..=255).contains(&table.issuer.len()) || table.issuer.contains(['?', '#', ' ']) {
        complain("issuer", "must be an address of at most 255 letters without query and fragment");
    }
    if table.client_id.is_empty() {
        complain("client_id", "must be the name that the provider knows this service by");
    }
    if table
        .scopes
        .iter()
        .flatten()
        .any(|scope| scope.is_empty() || !scope.chars().all(|letter| letter.is_ascii_graphic()))
    {
        complain("scopes", "must be words without blanks");
    }
    if table.sign_in_within_days.is_some_and(|days| !(1..=DAYS_MAX).contains(&days)) {
        complain("sign_in_within_days", "must be from 1 to 3650");
    }
    if table.groups_claim.as_ref().is_some_and(String::is_empty) {
        complain("groups_claim", "must be the name of a claim");
    }
}

fn roles(table: &OidcTable, place: &[&str; 2], found: &mut Vec<UnplacedComplaint>) -> Vec<GroupRole> {
    let mut roles = Vec::new();
    for (index, entry) in table.roles.iter().enumerate() {
        let index = index.to_string();
        let mut complain = |key: &str, message: &str| {
            found.push(UnplacedComplaint::new(&[place[0], place[1], "roles", &index, key], message));
        };
        if entry.group.is_empty() {
            complain("group", "must be a group as the provider writes it");
        }
        if entry.organisation < ACCOUNTS_FROM {
            complain("organisation", "must be the number of an account, as `tollgate account list` tells it");
        }
        match entry.role.parse() {
            Ok(role) => {
                roles.push(GroupRole { group: entry.group.clone(), organisation: AccountId(entry.organisation), role });
            }
            Err(_) => complain("role", "must be owner, admin, billing, developer or viewer"),
        }
    }
    roles
}
