//! The way to a chain: the addresses of its nodes, and the key of the account that pays fees.

use tollgate_base::Secret;

use super::file;
use super::secrets::SecretReference;
use tollgate_catalog::UnplacedComplaint;

/// Addresses of nodes: as they are, or where they are secret by reference, parted by spaces or lines.
pub(super) fn nodes(
    name: &str,
    written: &file::ChainTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Vec<Secret> {
    let table = ["chains", name];
    let (variable, file) = (written.rpc_urls_env.as_ref(), written.rpc_urls_file.as_ref());
    let is_referred_to = variable.is_some() || file.is_some();
    if is_referred_to != written.rpc_urls.is_empty() {
        let message = "give rpc_urls, rpc_urls_env or rpc_urls_file, and one of them";
        found.push(UnplacedComplaint::new(&["chains", name, "rpc_urls"], message));
        return Vec::new();
    }
    let referred = SecretReference { table: &table, name: "rpc_urls", variable, file };
    let urls: Vec<String> = match is_referred_to {
        true => referred.read(env, found).map(|text| text.reveal().split_whitespace().map(str::to_owned).collect()),
        false => Some(written.rpc_urls.clone()),
    }
    .unwrap_or_default();
    if urls.iter().any(|url| !url.starts_with("https://") && !url.starts_with("http://")) {
        found.push(UnplacedComplaint::new(&["chains", name, "rpc_urls"], "each must start with https:// or http://"));
    }
    // A node that is named twice would count as two witnesses.
    if urls.iter().enumerate().any(|(at, url)| urls[..at].contains(url)) {
        found.push(UnplacedComplaint::new(&["chains", name, "rpc_urls"], "a node is named twice"));
    }
    urls.into_iter().map(Secret::new).collect()
}

/// The key of our account on a chain, in the form that `read` makes of it.
pub(super) fn key<K>(
    name: &str,
    written: &file::ChainTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
    read: impl FnOnce(&Secret) -> Result<K, String>,
) -> Option<K> {
    let table = ["chains", name];
    let (variable, file) = (written.relayer_key_env.as_ref(), written.relayer_key_file.as_ref());
    let key = SecretReference { table: &table, name: "relayer_key", variable, file };
    if variable.is_none() && file.is_none() {
        let message = "missing: the key of the account that pays fees, by relayer_key_env or relayer_key_file";
        found.push(UnplacedComplaint::new(&["chains", name, "relayer_key_env"], message));
    }
    let secret = key.read(env, found)?;
    read(&secret).map_err(|error| key.complain(format!("what it names is {error}"), found)).ok()
}
