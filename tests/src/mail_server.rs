//! A mail server (`sdk/mail/server.js`) that tells what it was sent. What it needs comes by npm, once, into a folder under the
//! target folder.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::script::installed;

/// In which a mail is there.
const COMES_WITHIN: Duration = Duration::from_secs(30);

/// A running mail server.
#[derive(Debug)]
pub struct MailServer {
    process: Child,
    told: mpsc::Receiver<Value>,
    /// Its port on this machine.
    pub port: u16,
    /// Its certificate, which is its own authority, for `localhost`.
    pub certificate: String,
}

impl MailServer {
    /// Starts one with this protection of its connections, as `mail.tls` has it, that asks for this name and password.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(tls: &str, login: Option<(&str, &str)>) -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
        let settings = json!({
            "tls": tls, "cert": certificate, "key": key,
            "user": login.map(|(user, _)| user), "password": login.map(|(_, password)| password),
        });
        let mut command = Command::new("node");
        command.arg(environment().join("server.js")).arg(settings.to_string());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node runs");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let line = serde_json::from_str(&line).expect("it tells JSON");
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
        let begun: Value = told.recv_timeout(COMES_WITHIN).expect("it says where it listens");
        let port = begun["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
        Self { process, told, port, certificate }
    }

    /// The next mail that it was sent.
    ///
    /// # Panics
    /// When none comes.
    #[must_use]
    pub fn next(&self) -> Value {
        self.told.recv_timeout(COMES_WITHIN).expect("a mail comes")
    }

    /// True if no mail is there. One that was answered for is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.told.try_recv().is_err()
    }

    /// Its table in the configuration of a gateway, with these lines more.
    #[must_use]
    pub fn config(&self, host: &str, tls: &str, more: &str) -> String {
        let port = self.port;
        format!(
            "[mail]\nhost = \"{host}\"\nport = {port}\ntls = \"{tls}\"\nfrom = \"Example <noreply@example.com>\"\n{more}"
        )
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn environment() -> &'static Path {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| installed("mail", &[], |_| {}))
}
