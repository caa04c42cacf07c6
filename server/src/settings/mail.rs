//! The mail server that invitations are sent through.

use std::net::IpAddr;

use tollgate_catalog::UnplacedComplaint;
use tollgate_net::{MailConfig, MailTls, Mailer};

use super::file::{ConfigFile, MailProtection, MailTable};
use super::secrets::SecretReference;

/// The mails of a day, where nothing else is said.
const PER_DAY: u32 = 1_000;

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
    let host = table.host.clone().unwrap_or_default();
    if !is_host(&host) {
        complain("host", "must be the name or the address of a mail server, without its port");
    }
    if table.port == Some(0) {
        complain("port", "must be from 1 to 65535");
    }
    if table.tls == MailProtection::Off && !is_this_machine(&host) {
        complain(
            "tls",
            "links and passwords must not go over the net in clear: only \"localhost\" is spoken to without TLS",
        );
    }
    let from = table.from.as_deref().unwrap_or_default().parse();
    if from.is_err() {
        complain("from", "must be an address, or a name and an address: \"Example <noreply@example.com>\"");
    }
    let password = SecretReference {
        table: &["mail"],
        name: "password",
        variable: table.password_env.as_ref(),
        file: table.password_file.as_ref(),
    };
    if table.username.is_some() && !password.is_given() {
        password.complain("the mail server asks \"username\" for it: password_env or password_file".to_owned(), found);
    }
    if table.username.is_none() {
        password.refuse("it is the password of \"username\", which is not given", found);
    }
    let password = password.read(env, found);
    let config = MailConfig {
        host,
        port: table.port.unwrap_or(usual_port(table)),
        tls: match table.tls {
            MailProtection::Starttls => MailTls::StartTls,
            MailProtection::Implicit => MailTls::Implicit,
            MailProtection::Off => MailTls::Off,
        },
        from: from.ok()?,
        per_day: table.per_day.unwrap_or(PER_DAY),
        login: table.username.clone().zip(password),
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

fn is_host(text: &str) -> bool {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_');
    text.parse::<IpAddr>().is_ok() || (!text.is_empty() && text.chars().all(is_name))
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::settings::complaints::placed;

    /// The configuration, and the keys that are complained about.
    fn read(text: &str) -> (Option<MailConfig>, Vec<String>) {
        let text = format!("public_url = \"https://gateway.example\"\n[mail]\n{text}");
        read_whole(&text)
    }

    fn read_whole(text: &str) -> (Option<MailConfig>, Vec<String>) {
        let mut found = Vec::new();
        let env = |name: &str| (name == "PASSWORD").then(|| "secret".to_owned());
        let config = server(&toml::from_str(text).expect("a file"), &env, &mut found);
        (config, placed(Path::new("x"), found, text).into_iter().map(|complaint| complaint.key).collect())
    }

    const WHOLE: &str = "host = \"mail.example.com\"\nfrom = \"Example <noreply@example.com>\"\n";

    #[test]
    fn a_mail_server_has_the_usual_port_of_its_protection() {
        for (more, port) in [("", 587), ("tls = \"implicit\"\n", 465), ("tls = \"implicit\"\nport = 2525\n", 2525)] {
            let (config, complaints) = read(&format!("{WHOLE}{more}"));
            assert_eq!((config.map(|config| config.port), complaints), (Some(port), Vec::new()), "{more}");
        }
        let here = "host = \"127.0.0.1\"\nfrom = \"noreply@example.com\"\ntls = \"off\"\n";
        assert_eq!(read(here).0.map(|config| config.port), Some(25));
        let login = format!("{WHOLE}username = \"service\"\npassword_env = \"PASSWORD\"\n");
        assert!(read(&login).0.is_some_and(|config| config.login.is_some()));
        assert!(read_whole("").0.is_none());
    }

    #[test]
    fn what_cannot_be_is_named() {
        let whole = |more: &str| format!("{WHOLE}{more}");
        for (text, key) in [
            (String::new(), "mail.host"),
            ("from = \"noreply@example.com\"\n".to_owned(), "mail.host"),
            ("host = \"mail.example.com\"\n".to_owned(), "mail.from"),
            ("host = \"mail.example.com:587\"\nfrom = \"noreply@example.com\"\n".to_owned(), "mail.host"),
            ("host = \"https://mail.example.com\"\nfrom = \"noreply@example.com\"\n".to_owned(), "mail.host"),
            ("host = \"mail..example\"\nfrom = \"noreply@example.com\"\n".to_owned(), "mail.host"),
            ("host = \"mail.example.com\"\nfrom = \"Example\"\n".to_owned(), "mail.from"),
            (whole("port = 0\n"), "mail.port"),
            (whole("tls = \"off\"\n"), "mail.tls"),
            (whole("username = \"service\"\n"), "mail.password_env"),
            (whole("password_env = \"PASSWORD\"\n"), "mail.password_env"),
            (whole("username = \"service\"\npassword_env = \"NOTHING\"\n"), "mail.password_env"),
        ] {
            assert_eq!(read(&text).1.first().map(String::as_str), Some(key), "{text}");
        }
        assert_eq!(read_whole(&format!("[mail]\n{WHOLE}")).1, ["mail.host"], "links begin with an address");
    }
}
