//! A PostgreSQL server that is reached by TLS: it serves where its certificate is good, and is refused with what to do where it is
//! not, or where it speaks no TLS.

// suite of this file: waiting

use std::fs::{self, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::client;
use tollgate_tests::postgres::{Postgres, hand_over};

/// In the address of the database, and nowhere else.
const PASSWORD: &str = "word-of-nobody-else";
/// Sessions of ours that are encrypted, and that are not.
const SESSIONS: &str = "SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl) \
    FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'tollgate'";

/// A server with a certificate and one without, each at an address of this machine.
struct Servers {
    with_tls: Postgres,
    without: Postgres,
    /// The address that the certificate names, another one of the same server, and that of the other server.
    named: Ipv4Addr,
    unnamed: Ipv4Addr,
    plain: Ipv4Addr,
    folder: TempDir,
}

/// An authority of that name.
fn authority(name: &str) -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate")
}

impl Servers {
    fn start() -> Self {
        // Far from those that others take, as the port is the usual one.
        let [first, second, ..] = RandomState::new().hash_one(std::process::id()).to_be_bytes();
        let [named, unnamed, plain] = [1, 2, 3].map(|last| Ipv4Addr::new(127, first | 0x80, second, last));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str, text: String| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("a file of ours");
            fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("it is ours");
            hand_over(&path);
            path.display().to_string()
        };
        let (ours, other) = (authority("ours"), authority("another"));
        let key = KeyPair::generate().expect("a key");
        let certificate = CertificateParams::new([named.to_string()]).and_then(|params| params.signed_by(&key, &ours));
        let certificate = file("server.pem", certificate.expect("a certificate").pem());
        let key = file("server.key", key.serialize_pem());
        let _ = [file("ca.pem", ours.pem()), file("other-ca.pem", other.pem())];
        hand_over(folder.path());
        let with = |settings: Vec<String>| {
            Postgres::with(settings.into_iter().map(|setting| &*setting.leak()).collect::<Vec<&str>>().leak())
        };
        let with_tls = with(vec![
            format!("listen_addresses={named},{unnamed}"),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={certificate}"),
            format!("ssl_key_file={key}"),
        ]);
        Self { with_tls, without: with(vec![format!("listen_addresses={plain}")]), named, unnamed, plain, folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The configuration of a gateway that reaches a database at an address and believes an authority.
    fn config(&self, database: &str, at: Ipv4Addr, authority: &str) -> String {
        let (folder, ca) = (tempfile::tempdir_in(self.folder.path()).expect("a folder").keep(), self.file(authority));
        let name = database.rsplit('/').next().expect("it ends with the name");
        let (ca, url) = (ca.display(), folder.join("url"));
        let address = format!("postgres://test:{PASSWORD}@{at}/{name}?sslmode=verify-full&sslrootcert={ca}");
        fs::write(&url, address).expect("a file of ours");
        let path = folder.join("tollgate.toml");
        let data = folder.join("data");
        let text = format!("data_dir = {data:?}\n[database]\nurl_file = {url:?}\n[sandbox]\nenabled = true\n");
        fs::write(&path, text).expect("a file of ours");
        path.display().to_string()
    }
}

/// Refused by every command, with the reason and what to do, and without the password.
fn assert_refused(config: &str, why: &str) {
    let commands: [&[&str]; 3] = [&["account", "create", "one"], &["serve", "--listen", "127.0.0.1:0"], &["check"]];
    for command in commands {
        let output = run(&[&["--config", config], command].concat());
        let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!output.status.success(), "{why}: {command:?}: {told}");
        for word in [why, "sslmode", "sslrootcert", "ssl = on"] {
            assert!(told.contains(word), "{command:?}: no {word} in: {told}");
        }
        assert!(!told.contains(PASSWORD), "{told}");
    }
}

/// The number of schemas of ours in a database.
async fn schemas(url: &str) -> i64 {
    let mut session = PgConnection::connect(url).await.expect("the database");
    let asked = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'tollgate%'";
    sqlx::query_scalar(asked).fetch_one(&mut session).await.expect("a number")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_is_reached_by_tls_where_its_certificate_is_good_and_not_otherwise() {
    let servers = tokio::task::spawn_blocking(Servers::start).await.expect("PostgreSQL starts");
    let (database, plain) = (servers.with_tls.empty_database(), servers.without.empty_database());
    for (database, at, authority, why) in [
        (&database, servers.named, "other-ca.pem", "UnknownIssuer"),
        (&database, servers.unnamed, "ca.pem", "not valid for name"),
        (&plain, servers.plain, "ca.pem", "does not support TLS"),
        (&database, servers.named, "no-ca.pem", "No such file"),
    ] {
        assert_refused(&servers.config(database, at, authority), why);
        assert_eq!(schemas(database).await, 0, "{why}: nothing is made");
    }
    assert_serves(&servers.config(&database, servers.named, "ca.pem"), &database).await;
}

/// A gateway answers, and all its sessions are encrypted.
async fn assert_serves(config: &str, database: &str) {
    let told = |more: &[&str]| {
        let (done, told) = run_json(&[&["--config", config], more].concat());
        assert!(done, "{told}");
        told
    };
    told(&["account", "create", "one"]);
    told(&["credit", "grant", "--account", "one", "--usd", "1"]);
    let key = told(&["key", "create", "--account", "one"])["key"].as_str().expect("a key").to_owned();
    let served = Served::start(&["--config", config]);
    let asked = client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(&key);
    let reply = asked.send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let mut session = PgConnection::connect(database).await.expect("the database");
    let (encrypted, open): (i64, i64) = sqlx::query_as(SESSIONS).fetch_one(&mut session).await.expect("two numbers");
    assert!(encrypted > 0 && open == 0, "{encrypted} sessions are encrypted, and {open} are not");
    assert!(served.terminate());
    told(&["audit"]);
}
