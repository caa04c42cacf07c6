//! The mail server that invitations are sent through.

use std::net::IpAddr;

use tollgate_catalog::UnplacedComplaint;
use tollgate_net::{MailConfig, MailTls, Mailer};

use super::file::{ConfigFile, MailProtection, MailTable};
use super::secrets::SecretReference;

/// Reads the table `mail`.
pub(super) fn server(
    file: &ConfigFile,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<MailConfig> {
    let table = file.mail.as_ref()?;
    let before = found.len();
    let mut complain = |key: &str, message: &str| found.push(UnplacedComplaint::new(&["mail", key], message));
    if file.public_url.is_none() {
        complain("host", "links in mail begin with the address that people come by: set public_url");
    }
    if table.host.is_empty() || !table.host.chars().all(|letter| letter.is_ascii_graphic()) || table.host.contains('/')
    {
        complain("host", "must be the name or the address of a mail server");
    }
    if table.port == Some(0) {
        complain("port", "must be from 1 to 65535");
    }
    if table.tls == MailProtection::Off && !is_this_machine(&table.host) {
        complain(
            "tls",
            "links and passwords must not go over the net in clear: only \"localhost\" is spoken to without TLS",
        );
    }
    let from = table.from.parse();
    if from.is_err() {
        complain("from", "must be an address, or a name and an address: \"Example <noreply@example.com>\"");
    }
    let password = SecretReference {
        table: &["mail"],
        name: "password",
        variable: table.password_env.as_ref(),
        file: table.password_file.as_ref(),
    };
    if table.user.is_some() && !password.is_given() {
        password.complain("the mail server asks \"user\" for it: password_env or password_file".to_owned(), found);
    }
    if table.user.is_none() {
        password.refuse("it is the password of \"user\", which is not given", found);
    }
    let password = password.read(env, found);
    let config = MailConfig {
        host: table.host.clone(),
        port: table.port.unwrap_or(usual_port(table)),
        tls: match table.tls {
            MailProtection::Starttls => MailTls::StartTls,
            MailProtection::Implicit => MailTls::Implicit,
            MailProtection::Off => MailTls::Off,
        },
        from: from.ok()?,
        login: table.user.clone().zip(password),
    };
    if found.len() == before && Mailer::new(config.clone()).is_err() {
        let message = "TLS cannot be used with it: it is no name that a certificate could be for, or this system has no certificates";
        found.push(UnplacedComplaint::new(&["mail", "host"], message));
    }
    Some(config)
}

/// The port of RFC 8314, 7.3, or that of RFC 6409, 3.1, or the oldest one.
fn usual_port(table: &MailTable) -> u16 {
    match table.tls {
        MailProtection::Implicit => 465,
        MailProtection::Starttls => 587,
        MailProtection::Off => 25,
    }
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
