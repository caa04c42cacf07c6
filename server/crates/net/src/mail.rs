//! Mail: what the service writes to people, sent through one mail server (SMTP, RFC 5321).

use std::error::Error;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, SinglePart};
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use rustls::pki_types::ServerName;
use tokio::sync::Semaphore;

use super::error::{UnusableMailServer, causes};
use super::tls::install_tls;
use tollgate_base::{Secret, draw_text};

/// The longest address that mail is sent to, in letters (RFC 5321, 4.5.3.1.3, without its brackets).
const ADDRESS_LETTERS_MAX: usize = 254;
/// The most time for one mail, from opening a connection to the word that the mail server has it.
const PATIENCE: Duration = Duration::from_secs(10);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The most mails that are on their way to the mail server at once; others wait for their turn.
const CONNECTIONS_MAX: usize = 4;

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
    /// The most mails within a day.
    pub per_day: u32,
}

/// The protection of connections to a mail server. Its certificate is checked against those of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTls {
    /// TLS from the first byte (RFC 8314), usually on port 465.
    Implicit,
    /// TLS before a password or a mail is sent, by STARTTLS, usually on port 587. Where it is not offered nothing is sent.
    StartTls,
    /// None.
    Off,
}

/// A sender, as mail programs show it: `Name <address>`, or an address alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailSender(Mailbox);

/// An address that mail is sent to: of letters of ASCII, at a host by its name. A mailbox of the mail server itself, by the name of
/// its machine or an IP address, is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAddress(Address);

/// A text that is no address of mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is no address of mail")]
pub struct InvalidMailAddress;

/// The reason that a mail server has not taken a mail. Never carries an address or what the server wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// It refused the sender, the recipient or the text, with a code of RFC 5321, 4.2.
    #[error("the mail server refused with code {0}")]
    Refused(u16),
    /// It did not answer in time.
    #[error("the mail server did not answer within {PATIENCE:?}")]
    TimedOut,
    /// Its certificate cannot be trusted.
    #[error("the certificate of the mail server cannot be trusted")]
    Untrusted,
    /// It offers no TLS, or no way of signing in that is known.
    #[error("the mail server offers no TLS, or no way of signing in that is known")]
    NotOffered,
    /// It was not reached, or the connection broke, or it spoke otherwise than mail servers do.
    #[error("the mail server was not reached, or broke off")]
    Connection,
    /// As many were sent within a day as are to be.
    #[error("too many mails were sent within a day")]
    TooMany,
    /// The text cannot be sent to such an address.
    #[error("the mail cannot be written")]
    Unwritable,
}

/// Sends mail through one server. Cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    server: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    per_day: u32,
    connections: Arc<Semaphore>,
    /// The beginning of a day, and the mails since then.
    sent: Arc<Mutex<(Instant, u32)>>,
}

impl Mailer {
    /// A sender through this server. It is not asked yet.
    ///
    /// # Errors
    /// When TLS cannot be used: the system has no certificates, or a certificate cannot be for the host.
    pub fn new(config: MailConfig) -> Result<Self, UnusableMailServer> {
        install_tls();
        let protection = || {
            ServerName::try_from(config.host.as_str()).map_err(|_| UnusableMailServer(None))?;
            TlsParameters::new(config.host.clone()).map_err(|error| UnusableMailServer(Some(error)))
        };
        let tls = match config.tls {
            MailTls::Implicit => Tls::Wrapper(protection()?),
            MailTls::StartTls => Tls::Required(protection()?),
            MailTls::Off => Tls::None,
        };
        let server = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(config.host).port(config.port).tls(tls);
        let server = server.hello_name(ClientId::Domain(config.from.0.email.domain().to_owned()));
        let server = match config.login {
            Some((name, password)) => server.credentials(Credentials::new(name, password.reveal().to_owned())),
            None => server,
        };
        Ok(Self {
            server: server.timeout(Some(PATIENCE)).build(),
            from: config.from.0,
            per_day: config.per_day,
            connections: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            sent: Arc::new(Mutex::new((Instant::now(), 0))),
        })
    }

    /// Asks the mail server whether it would take mail: opens a connection as for a mail, signs in, and sends none.
    ///
    /// # Errors
    /// When the connection, TLS or the login fails.
    pub async fn check(&self) -> Result<(), MailError> {
        let asked = tokio::time::timeout(PATIENCE, self.server.test_connection()).await;
        let is_ready = asked.map_err(|_| MailError::TimedOut)?.map_err(|error| MailError::of(&error))?;
        is_ready.then_some(()).ok_or(MailError::Connection)
    }

    /// Sends a plain text; returns once the mail server has it. Delivery is not reported.
    ///
    /// # Errors
    /// When the mail server has not taken it, or it is unknown whether it has.
    pub async fn send(&self, to: MailAddress, subject: &str, text: String) -> Result<(), MailError> {
        let mail = Message::builder()
            .from(self.from.clone())
            .to(to.0.into())
            .subject(subject)
            .message_id(Some(format!("<{}@{}>", draw_text::<26>(), self.from.email.domain())))
            .header(AutoSubmitted)
            .singlepart(SinglePart::plain(text))
            .map_err(|_| MailError::Unwritable)?;
        self.count()?;
        let sent = async {
            let _place = self.connections.acquire().await;
            self.server.send(mail).await
        };
        let sent = tokio::time::timeout(PATIENCE, sent).await;
        sent.map_err(|_| MailError::TimedOut)?.map(drop).map_err(|error| MailError::of(&error))
    }

    /// One more of those of a day, whatever becomes of it.
    fn count(&self) -> Result<(), MailError> {
        // A pair of numbers is whole after every step.
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if sent.0.elapsed() >= DAY {
            *sent = (Instant::now(), 0);
        }
        if sent.1 >= self.per_day {
            return Err(MailError::TooMany);
        }
        sent.1 += 1;
        Ok(())
    }
}

impl MailError {
    fn of(error: &smtp::Error) -> Self {
        match error.status() {
            Some(code) => Self::Refused(code.into()),
            None if error.is_timeout() => Self::TimedOut,
            None if error.is_tls() || causes(error).any(is_of_tls) => Self::Untrusted,
            None if error.is_client() => Self::NotOffered,
            None => Self::Connection,
        }
    }
}

/// True for an error of TLS, by itself or as one of a connection.
fn is_of_tls(cause: &(dyn Error + 'static)) -> bool {
    let inside = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    cause.is::<rustls::Error>() || inside.is_some_and(<dyn Error + Send + Sync>::is::<rustls::Error>)
}

impl FromStr for MailSender {
    type Err = InvalidMailAddress;

    fn from_str(text: &str) -> Result<Self, InvalidMailAddress> {
        text.parse().map(Self).map_err(|_| InvalidMailAddress)
    }
}

impl FromStr for MailAddress {
    type Err = InvalidMailAddress;

    fn from_str(text: &str) -> Result<Self, InvalidMailAddress> {
        let address: Address = text.parse().map_err(|_| InvalidMailAddress)?;
        let host = address.domain();
        let is_name = host.contains('.') && host.parse::<IpAddr>().is_err() && !host.starts_with('[');
        let fits = text.len() <= ADDRESS_LETTERS_MAX && text.is_ascii();
        (is_name && fits).then_some(Self(address)).ok_or(InvalidMailAddress)
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

    fn parse(_: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
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
        let inside = ["root@localhost", "root@127.0.0.1", "root@[127.0.0.1]", "root@[::1]", "\u{e4}@example.com"];
        for text in texts.into_iter().chain(breaks).chain(inside) {
            assert_eq!(text.parse::<MailAddress>(), Err(InvalidMailAddress), "{text}");
        }
        assert!("Example Service <noreply@example.com>".parse::<MailSender>().is_ok());
        assert!("noreply@example.com".parse::<MailSender>().is_ok());
        assert_eq!("Example Service".parse::<MailSender>(), Err(InvalidMailAddress));
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
            per_day: 1,
        };
        let shown = format!("{config:?} {:?}", Mailer::new(config.clone()).unwrap());
        assert!(!shown.contains("s3cret"), "{shown}");
    }
}
