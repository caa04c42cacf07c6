//! Mail: what the service writes to people, sent through one mail server (SMTP, RFC 5321).

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use super::error::UnusableMailServer;
use super::tls::install_tls;
use tollgate_base::Secret;

/// The longest address that mail is sent to, in letters (RFC 5321, 4.5.3.1.3, without its brackets).
const ADDRESS_LETTERS_MAX: usize = 254;
/// The most time for one mail, from opening a connection to the word that the mail server has it.
const PATIENCE: Duration = Duration::from_secs(10);

/// A mail server that takes what this service sends.
#[derive(Debug, Clone)]
pub struct MailConfig {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The protection of the connection.
    pub tls: MailTls,
    /// The sender of all mail.
    pub from: MailSender,
    /// The name and the password that it asks for.
    pub login: Option<(String, Secret)>,
}

/// The protection of connections to a mail server. Its certificate is checked against those of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTls {
    /// TLS from the first byte (RFC 8314), usually on port 465.
    Implicit,
    /// TLS before anything else is said, by STARTTLS, usually on port 587. Where it is not offered nothing is sent.
    StartTls,
    /// None.
    Off,
}

/// A sender, as mail programs show it: `Name <address>`, or an address alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailSender(Mailbox);

/// An address that mail is sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAddress(Address);

/// A text that is no address of mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is no address of mail")]
pub struct NoMailAddress;

/// The reason that a mail server has not taken a mail. Never carries an address or what the server wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// It refused the sender, the recipient or the text, with a code of RFC 5321, 4.2.
    #[error("the mail server refused it with code {0}")]
    Refused(u16),
    /// It did not answer in time.
    #[error("the mail server did not answer within {PATIENCE:?}")]
    TimedOut,
    /// It offers no TLS, or its certificate cannot be trusted.
    #[error("the connection to the mail server cannot be protected by TLS")]
    Untrusted,
    /// It was not reached, or the connection broke, or it spoke otherwise than mail servers do.
    #[error("the mail server was not reached, or broke off")]
    Connection,
    /// The text cannot be sent to such an address.
    #[error("the mail cannot be written")]
    Unwritable,
}

/// Sends mail through one server. Cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    server: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mailer {
    /// A sender through this server. It is not asked yet.
    ///
    /// # Errors
    /// When TLS cannot be used: the system has no certificates, or the host is no name that one could be for.
    pub fn new(config: MailConfig) -> Result<Self, UnusableMailServer> {
        install_tls();
        let protection = || TlsParameters::new(config.host.clone()).map_err(UnusableMailServer);
        let tls = match config.tls {
            MailTls::Implicit => Tls::Wrapper(protection()?),
            MailTls::StartTls => Tls::Required(protection()?),
            MailTls::Off => Tls::None,
        };
        let server = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(config.host).port(config.port).tls(tls);
        let server = match config.login {
            Some((name, password)) => server.credentials(Credentials::new(name, password.reveal().to_owned())),
            None => server,
        };
        Ok(Self { server: server.timeout(Some(PATIENCE)).build(), from: config.from.0 })
    }

    /// Sends a plain text; returns once the mail server has it. What becomes of it then nobody tells.
    ///
    /// # Errors
    /// When the mail server has not taken it, or it is unknown whether it has.
    pub async fn send(&self, to: MailAddress, subject: &str, text: String) -> Result<(), MailError> {
        let mail = Message::builder()
            .from(self.from.clone())
            .to(to.0.into())
            .subject(subject)
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|_| MailError::Unwritable)?;
        let sent = tokio::time::timeout(PATIENCE, self.server.send(mail)).await;
        sent.map_err(|_| MailError::TimedOut)?.map(drop).map_err(|error| MailError::of(&error))
    }
}

impl MailError {
    fn of(error: &smtp::Error) -> Self {
        match error.status() {
            Some(code) => Self::Refused(code.into()),
            None if error.is_timeout() => Self::TimedOut,
            None if error.is_tls() => Self::Untrusted,
            None => Self::Connection,
        }
    }
}

impl FromStr for MailSender {
    type Err = NoMailAddress;

    fn from_str(text: &str) -> Result<Self, NoMailAddress> {
        text.parse().map(Self).map_err(|_| NoMailAddress)
    }
}

impl FromStr for MailAddress {
    type Err = NoMailAddress;

    fn from_str(text: &str) -> Result<Self, NoMailAddress> {
        let fits = text.len() <= ADDRESS_LETTERS_MAX;
        let address = fits.then(|| text.parse().ok()).flatten();
        address.map(Self).ok_or(NoMailAddress)
    }
}

impl fmt::Debug for Mailer {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailer").field("from", &self.from).finish_non_exhaustive()
    }
}

/// Says that a program wrote the mail (RFC 3834, 5), so that no program answers it.
#[derive(Debug, Clone, Copy)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_and_nothing_more() {
        for text in ["a@example.com", "first.last+tag@mail.example.com"] {
            assert!(text.parse::<MailAddress>().is_ok(), "{text}");
        }
        let long = format!("{}@example.com", "a".repeat(ADDRESS_LETTERS_MAX));
        let texts =
            ["", "a", "@", "a@", "a@b@c", "A <a@example.com>", "a@example.com, b@example.com", "a@ex ample.com"];
        let breaks =
            ["a@example.com\r\nBcc: b@example.com", "a@example.com\n", "a\r\n@example.com", "a@example.com>", &long];
        for text in texts.into_iter().chain(breaks) {
            assert_eq!(text.parse::<MailAddress>(), Err(NoMailAddress), "{text}");
        }
        assert!("Example Service <noreply@example.com>".parse::<MailSender>().is_ok());
        assert!("noreply@example.com".parse::<MailSender>().is_ok());
        assert_eq!("Example Service".parse::<MailSender>(), Err(NoMailAddress));
    }

    #[test]
    fn a_sender_tells_nobody_its_password() {
        let login = Some(("service".to_owned(), Secret::new("s3cret-of-mail".to_owned())));
        let config = MailConfig {
            host: "mail.example.com".to_owned(),
            port: 587,
            tls: MailTls::StartTls,
            from: "noreply@example.com".parse().unwrap(),
            login,
        };
        let shown = format!("{config:?} {:?}", Mailer::new(config.clone()).unwrap());
        assert!(!shown.contains("s3cret"), "{shown}");
    }
}
