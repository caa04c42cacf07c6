//! The database that several servers share, where there is one.

use tollgate_store::ServerAddress;

use super::file::{DatabaseTable, ServerMode};
use super::secrets::SecretReference;
use tollgate_catalog::UnplacedComplaint;

const TABLE: [&str; 1] = ["database"];

/// Its address; absent where the ledger is a file in `data_dir`.
pub(super) fn address(
    file: &DatabaseTable,
    mode: ServerMode,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<Box<ServerAddress>> {
    let address = read(file, env, found)?;
    if mode == ServerMode::Production && address.is_unverified_remote() {
        let message = "add ?sslmode=verify-full: somebody on the way could read the password and all that follows";
        found.push(UnplacedComplaint::new(&TABLE, message));
    }
    Some(address)
}

fn read(
    file: &DatabaseTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<Box<ServerAddress>> {
    let secret =
        SecretReference { table: &TABLE, name: "url", variable: file.url_env.as_ref(), file: file.url_file.as_ref() };
    let is_referred_to = file.url_env.is_some() || file.url_file.is_some();
    let Some(url) = &file.url else {
        let url = secret.read(env, found)?;
        let address = url.reveal().parse();
        return address.map(Box::new).map_err(|error| secret.complain(format!("what it names {error}"), found)).ok();
    };
    if is_referred_to {
        found.push(UnplacedComplaint::new(&["database", "url"], "give url, url_env or url_file, and one of them"));
        return None;
    }
    if ServerAddress::has_password(url) {
        let message = "a password is never written here: name the variable or the file that holds the address, by url_env or url_file";
        found.push(UnplacedComplaint::new(&["database", "url"], message));
        return None;
    }
    url.parse()
        .map(Box::new)
        .map_err(|error| found.push(UnplacedComplaint::new(&["database", "url"], format!("this {error}"))))
        .ok()
}
