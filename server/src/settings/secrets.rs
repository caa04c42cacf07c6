//! Secrets, those of providers and others: never in the file, but in the environment or a file of their own, which it names.

use std::path::PathBuf;

use tollgate_base::Secret;
use tollgate_gateway::{KeyPair, ProviderKind, ProviderReach};

use tollgate_catalog::{UnplacedComplaint, UpstreamAccess, UpstreamTable};

/// The variable or file that holds a secret.
pub(super) struct SecretReference<'a> {
    /// The path of the table that it stands in.
    pub(super) table: &'a [&'a str],
    /// The name of the secret: its keys are this with `_env` or `_file` behind.
    pub(super) name: &'a str,
    pub(super) variable: Option<&'a String>,
    pub(super) file: Option<&'a PathBuf>,
}

/// The credentials for a provider: one key, or a pair of them.
pub(super) fn keys(
    name: &str,
    file: &UpstreamTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> UpstreamAccess {
    let table = ["upstreams", name];
    let reference = |secret, variable, file| SecretReference { table: &table, name: secret, variable, file };
    let api_key = reference("api_key", file.api_key_env.as_ref(), file.api_key_file.as_ref());
    let access_key = reference("access_key", file.access_key_env.as_ref(), file.access_key_file.as_ref());
    let secret_key = reference("secret_key", file.secret_key_env.as_ref(), file.secret_key_file.as_ref());
    match file.format.kind() {
        ProviderKind::Speaks(_) | ProviderKind::Pictures | ProviderKind::PicturesLater => {
            access_key.refuse("only format \"video_a\" has it; this one has api_key_env or api_key_file", found);
            secret_key.refuse("only format \"video_a\" has it; this one has api_key_env or api_key_file", found);
            UpstreamAccess { api_key: api_key.read(env, found), key_pair: None, reach: ProviderReach::Anywhere }
        }
        ProviderKind::VideoA => {
            api_key.refuse("format \"video_a\" has access_key_env and secret_key_env instead", found);
            access_key.demand(found);
            secret_key.demand(found);
            let pair = (access_key.read(env, found), secret_key.read(env, found));
            let (Some(access_key), Some(secret_key)) = pair else { return UpstreamAccess::default() };
            UpstreamAccess {
                api_key: None,
                key_pair: Some(KeyPair { access_key, secret_key }),
                reach: ProviderReach::Anywhere,
            }
        }
    }
}

impl SecretReference<'_> {
    /// True if a variable or a file is named.
    pub(super) const fn is_given(&self) -> bool {
        self.variable.is_some() || self.file.is_some()
    }

    pub(super) fn read(
        &self,
        env: &dyn Fn(&str) -> Option<String>,
        found: &mut Vec<UnplacedComplaint>,
    ) -> Option<Secret> {
        let (text, complaint) = match (self.variable, self.file) {
            (Some(_), Some(_)) => (None, Some(format!("give {0}_env or {0}_file, not both", self.name))),
            (Some(variable), None) => (env(variable), Some(format!("the environment variable {variable} is not set"))),
            (None, Some(path)) => match std::fs::read_to_string(path) {
                Ok(text) => (Some(text), Some(format!("{} is empty", path.display()))),
                Err(error) => (None, Some(format!("reading {} failed: {error}", path.display()))),
            },
            (None, None) => (None, None),
        };
        let secret = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).map(Secret::new);
        if let (None, Some(complaint)) = (&secret, complaint) {
            self.complain(complaint, found);
        }
        secret
    }

    fn demand(&self, found: &mut Vec<UnplacedComplaint>) {
        if !self.is_given() {
            self.complain(format!("format \"video_a\" needs {0}_env or {0}_file", self.name), found);
        }
    }

    pub(super) fn refuse(&self, why: &str, found: &mut Vec<UnplacedComplaint>) {
        if self.is_given() {
            self.complain(why.to_owned(), found);
        }
    }

    /// Adds a complaint at the key that is written; of two, at the file.
    pub(super) fn complain(&self, message: String, found: &mut Vec<UnplacedComplaint>) {
        let written = if self.file.is_some() { "file" } else { "env" };
        let key = format!("{}_{written}", self.name);
        let path: Vec<&str> = self.table.iter().copied().chain([key.as_str()]).collect();
        found.push(UnplacedComplaint::new(&path, message));
    }
}
