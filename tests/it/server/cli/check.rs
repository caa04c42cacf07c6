//! `tollgate check`: what it tells of a configuration, to people and to programs.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};
use tollgate_tests::binary::{run, run_in, run_json};
use tollgate_tests::mail_server::MailServer;
use tollgate_tests::oidc::{self, OidcProvider};
use tollgate_topup::ewallet::published;

/// A configuration with mistakes of all kinds.
const MISTAKEN: &str = r#"mode = "production"
[sandbox]
enabled = true
[upstreams.main]
base_url = "ftp://example.com"
api_key_env = "SURELY_NOT_SET_ANYWHERE"
[upstreams.films]
base_url = "https://example.com/v1"
format = "video_a"
api_key_env = "PATH"
access_key_env = "SURELY_NOT_SET_EITHER"
[upstreams.draws]
base_url = "https://example.com/v1"
format = "pictures"
secret_key_file = "none.txt"
[models.small]
aliases = ["small"]
context_tokens = 10
max_output_tokens = 11
price = { prompt = "0.1234567", completion = "-1" }
candidates = [{ upstream = "other" }]
fallback = ["small", "tiny"]
[models.large]
context_tokens = 10
max_output_tokens = 10
price = { prompt = "1", completion = "1" }
candidates = [{ upstream = "main" }]
fallback = ["small", "small"]
[pictures]
poll_first_milliseconds = 5
[video]
poll_first_milliseconds = 10001
[topup.crypto]
enabled = true
[[oidc]]
name = "company"
issuer = "https://login.example.com"
client_id = "x"
sign_in_within_days = 0
"#;

/// Every complaint about a configuration at once, each with its place.
#[test]
fn a_configuration_is_checked_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bad.toml");
    std::fs::write(&path, MISTAKEN).expect("a file of ours");
    let output = run(&["--config", &path.display().to_string(), "check"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success());
    for (place, word) in [
        ("bad.toml:3:1: `sandbox.enabled`", "production"),
        ("bad.toml:5:1: `upstreams.main.base_url`", "https://"),
        ("bad.toml:6:1: `upstreams.main.api_key_env`", "SURELY_NOT_SET_ANYWHERE"),
        ("bad.toml:10:1: `upstreams.films.api_key_env`", "secret_key_env"),
        ("bad.toml:11:1: `upstreams.films.access_key_env`", "SURELY_NOT_SET_EITHER"),
        ("bad.toml:7:12: `upstreams.films.secret_key_env`", "needs secret_key_env or secret_key_file"),
        ("bad.toml:15:1: `upstreams.draws.secret_key_file`", "video_a"),
        ("bad.toml:17:1: `models.small.aliases`", "small"),
        ("bad.toml:19:1: `models.small.max_output_tokens`", "context_tokens"),
        ("bad.toml:20:11: `models.small.price.prompt`", "6 decimal places"),
        ("bad.toml:20:33: `models.small.price.completion`", "negative"),
        ("bad.toml:21:1: `models.small.candidates`", "upstreams.other"),
        ("bad.toml:22:1: `models.small.fallback`", "its own place"),
        ("bad.toml:22:1: `models.small.fallback`", "[models.tiny]"),
        ("bad.toml:28:1: `models.large.fallback`", "twice"),
        ("bad.toml:30:1: `pictures.poll_first_milliseconds`", "from 10 to 10000"),
        ("bad.toml:39:1: `oidc.0.sign_in_within_days`", "from 1 to 3650"),
        ("bad.toml:32:1: `video.poll_first_milliseconds`", "from 10 to 10000"),
        ("bad.toml:34:1: `topup.crypto.enabled`", "without a chain"),
        ("bad.toml:34:1: `topup.crypto.enabled`", "https://"),
    ] {
        assert!(told.lines().any(|line| line.contains(place) && line.contains(word)), "{place}:\n{told}");
    }
    let later = "[upstreams.a]\nbase_url = \"https://x\"\nformat = \"pictures_later\"\n";
    let never_asked = [
        format!("[patience]\ntotal_seconds = 1\n{later}"),
        format!("[patience]\ntotal_seconds = 2\n[pictures]\npoll_first_milliseconds = 2000\n{later}"),
    ];
    for (text, place) in [
        (never_asked[0].as_str(), "bad.toml:2:1: `patience.total_seconds`"),
        (never_asked[1].as_str(), "bad.toml:4:1: `pictures.poll_first_milliseconds`"),
        ("listen = 3", "bad.toml:1:10"),
        ("mode = \"prod\"", "bad.toml:1:8"),
        ("[upstreams.a]\nbase_url = \"https://x\"\nformat = \"completions\"", "bad.toml:3:10"),
        ("x = 1", "bad.toml:1:1"),
        (
            "mode = \"production\"\n[database]\nurl = \"postgres://me@db.example/x?sslmode=require\"",
            "bad.toml:2:2: `database`: add ?sslmode=verify-full",
        ),
        ("[", "bad.toml:1:"),
    ] {
        std::fs::write(&path, text).expect("a file of ours");
        let output = run(&["--config", &path.display().to_string(), "check"]);
        let told = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && told.contains(place), "{text}: {told}");
    }
}

/// A rail that is switched on needs its keys, and in production no keys, ids and addresses that are for trying out.
#[test]
fn the_ewallet_rail_is_checked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file of ours");
        path.display().to_string()
    };
    let merchant = file("merchant", published::MERCHANT_PRIVATE);
    let provider = file("provider", published::PROVIDER_PUBLIC);
    let gateway = "public_url = \"https://shop.example\"\n[upstreams.main]\nbase_url = \"https://x\"\n[models.small]\n\
        context_tokens = 10\nmax_output_tokens = 5\nprice = { prompt = \"1\", completion = \"2\" }\n\
        candidates = [{ upstream = \"main\" }]\n";
    let keys = format!("merchant_key_file = {merchant:?}\nprovider_key_file = {provider:?}\n");
    let sound =
        format!("{gateway}[topup.ewallet]\nbase_url = \"http://127.0.0.1:8090\"\nclient_id = \"SANDBOX_1\"\n{keys}");
    let check = |text: &str| {
        let output = run(&["--config", &file("tollgate.toml", text), "check"]);
        (output.status.success(), String::from_utf8(output.stderr).expect("text"))
    };
    assert!(check(&sound).0, "{:?}", check(&sound));
    assert!(check(&format!("{gateway}[topup.ewallet]\nbase_url = \"https://x\"\n")).0, "without its secret it is off");
    let second = format!(r#"{{ version = "2", key_file = {provider:?} }}"#);
    let listed = |keys: &str| format!("{sound}provider_keys = [{keys}]\n");
    assert!(check(&listed(&second)).0, "a key beside the one of key_version: {:?}", check(&listed(&second)));
    let alone = listed(&second).replacen("provider_key_file", "# provider_key_file", 1);
    assert!(check(&alone).0, "keys of the list alone: {:?}", check(&alone));
    let production = format!("mode = \"production\"\n{sound}");
    let with = |from: &str, to: &str| sound.replacen(from, to, 1);
    for (text, key, word) in [
        (&production, "merchant_key_file", "published"),
        (&production, "provider_key_file", "published"),
        (&production, "client_id", "sandbox"),
        (&production, "base_url", "https://"),
        (&with("public_url = \"https://shop.example\"\n", ""), "enabled", "public_url"),
        (&with(&keys, "enabled = true\n"), "merchant_key_env", "name where its key is"),
        (&with(&keys, "enabled = true\n"), "provider_key_env", "name where its key is"),
        (&with(&format!("{merchant:?}"), &format!("{provider:?}")), "merchant_key_file", "private RSA key"),
        (&with("8090\"", "8090/v1\""), "base_url", "without a path"),
        (&with("SANDBOX_1", "SANDBOX 1"), "client_id", "letters"),
        (&format!("{sound}provider = \"a/b\"\n"), "provider", "letters"),
        (&format!("{sound}key_version = \"1,2\"\n"), "key_version", "console"),
        (&listed(r#"{ version = "2" }"#), "provider_keys.0.key_env", "name where its key is"),
        (
            &listed(&format!(r#"{{ version = "2", key_file = {merchant:?} }}"#)),
            "provider_keys.0.key_file",
            "public RSA key",
        ),
        (&listed(&format!(r#"{{ version = "1", key_file = {provider:?} }}"#)), "provider_keys.0.version", "each once"),
        (&listed(&format!(r#"{{ version = "2, 3", key_file = {provider:?} }}"#)), "provider_keys.0.version", "console"),
        (&format!("mode = \"production\"\n{}", listed(&second)), "provider_keys.0.key_file", "published"),
        (&format!("{sound}min_usd = \"1.001\"\n"), "min_usd", "whole cents"),
        (&format!("{sound}min_usd = \"2\"\nmax_usd = \"1.50\"\n"), "max_usd", "min_usd"),
        (&format!("{sound}wallets = []\n"), "wallets", "at least one"),
        (&format!("{sound}return_url = \"shop.example\"\n"), "return_url", "https://"),
    ] {
        let (ok, told) = check(text);
        let key = format!("`topup.ewallet.{key}`");
        assert!(!ok && told.lines().any(|line| line.contains(&key) && line.contains(word)), "{key} {word}: {told}");
    }
}

/// Name, logo and colour of the pages, each mistake at its key, and what becomes of a colour that could not be read.
#[test]
fn the_branding_of_the_pages_is_checked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tollgate.toml");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file of ours");
    write("logo.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    write("page.svg", b"<html></html>");
    write("bare.svg", b"<svg width=\"1\"/>");
    write("large.png", &[&b"\x89PNG\r\n\x1a\n"[..], &[0; 1 << 15]].concat());
    let check = |lines: &str| {
        write("tollgate.toml", format!("[sandbox]\nenabled = true\n[console]\n{lines}\n").as_bytes());
        let output = run(&["--config", &path.display().to_string(), "check"]);
        let told = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(told).expect("text"))
    };
    for (line, key, word) in [
        ("name = \"\"", "name", "1 to 64 letters"),
        ("name = \"a\\nb\"", "name", "no line breaks"),
        ("logo_file = \"none.svg\"", "logo_file", "none.svg failed"),
        ("logo_file = \"page.svg\"", "logo_file", "neither a PNG nor an SVG"),
        ("logo_file = \"bare.svg\"", "logo_file", "xmlns"),
        ("logo_file = \"large.png\"", "logo_file", "32768 bytes"),
        ("accent = \"red\"", "accent", "#rrggbb"),
        ("accent = \"#12345\"", "accent", "#rrggbb"),
    ] {
        let (ok, told) = check(line);
        let place = format!("tollgate.toml:4:1: `console.{key}`: ");
        assert!(!ok && told.lines().any(|line| line.contains(&place) && line.contains(word)), "{line}: {told}");
    }
    let (ok, told) = check("colour = \"#123456\"");
    assert!(!ok && told.contains("tollgate.toml:4:1") && told.contains("unknown field `colour`"), "{told}");
    let (ok, told) = check("name = \"Acme\"\nlogo_file = \"logo.svg\"\naccent = \"#FFCC00\"");
    assert!(ok, "{told}");
    for line in [
        "the pages are named `Acme`",
        "the logo of the pages is image/svg+xml of 41 bytes",
        "links in the accent #ffcc00 are shown as #876c00 on light pages, and as #ffcc00 on dark ones, to be readable",
    ] {
        assert!(told.lines().any(|told| told == line), "{line}: {told}");
    }
}

/// For programs: one object, whether it can be used or not.
#[test]
fn a_check_can_be_read_by_a_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tollgate.toml");
    let check = |text: &str| {
        std::fs::write(&path, text).expect("a file of ours");
        run_json(&["--config", &path.display().to_string(), "check"])
    };
    let config = r#"listen = "127.0.0.1:9"
mode = "production"
[upstreams.main]
base_url = "http://127.0.0.1:9/v1"
[models.small]
context_tokens = 10
max_output_tokens = 5
price = { prompt = "1", completion = "2" }
candidates = [{ upstream = "main" }]
"#;
    let expected = json!({
        "usable": true, "mode": "production", "listen": "127.0.0.1:9", "sandbox": false, "models": ["small"],
        "sign_in_providers": [], "mail": null, "upstreams": ["main"], "ledger": "data/tollgate.db", "stranded": [], "standbys": null, "connections": null,
        "remarks": [], "console": {"name": "Tollgate", "logo": null, "accent": null},
    });
    assert_eq!(check(config), (true, expected));
    let (ok, told) = check(&config.replace("completion = \"2\"", "completion = \"-2\""));
    assert_eq!((ok, told.as_object().map(serde_json::Map::len)), (false, Some(1)), "{told}");
    let error = told["error"].as_str().expect("text");
    assert!(error.contains("tollgate.toml:8:") && error.contains("negative"), "{error}");
}

/// Checks a configuration with one variable in the environment: whether it can be used, and what is told of it.
fn checked(config: &str, env: (&str, &str)) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tollgate.toml");
    let data = folder.path().join("data");
    std::fs::write(&path, format!("data_dir = {data:?}\npublic_url = \"https://gateway.example\"\n{config}"))
        .expect("a file of ours");
    let output = run_in(env, &["--config", &path.display().to_string(), "check"]);
    let told = [output.stdout, output.stderr].map(|told| String::from_utf8(told).expect("text")).concat();
    (output.status.success(), told)
}

#[test]
fn a_mail_server_is_asked_whether_it_would_take_mail() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(place("password"), "right").expect("a file of ours");
    let login = format!("username = \"service\"\npassword_file = {:?}\n", place("password"));
    let config = |server: &MailServer| {
        std::fs::write(place("ca.pem"), &server.certificate).expect("a file of ours");
        checked(&server.config("localhost", "starttls", &login), ("SSL_CERT_FILE", &place("ca.pem")))
    };
    let server = MailServer::start("starttls", Some(("service", "right")));
    let (usable, told) = config(&server);
    assert!(usable && told.contains(&format!("the mail server localhost:{} takes mail", server.port)), "{told}");
    assert!(server.is_empty(), "it is sent no mail");
    let (usable, told) = config(&MailServer::start("starttls", Some(("service", "another"))));
    let why = "the mail server cannot be used as it is configured: the mail server refused with code 535";
    assert!(!usable && told.contains(why), "{told}");
    let (usable, told) = config(&MailServer::start("off", None));
    assert!(!usable && told.contains("the mail server offers no TLS"), "{told}");
}

/// A provider that publishes this key alone, for two askings; its issuer.
fn publishes(key: &Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let issuer = format!("http://{}", listener.local_addr().expect("an address"));
    let place = |path: &str| format!("{issuer}/{path}");
    let metadata = json!({
        "issuer": issuer, "authorization_endpoint": place("authorize"), "token_endpoint": place("token"), "jwks_uri": place("keys"),
    });
    let told = [metadata, json!({"keys": [key]})].map(|told| told.to_string());
    thread::spawn(move || {
        for body in told {
            let (mut stream, _) = listener.accept().expect("somebody asks");
            // Whole: what is left unread when it closes would take the answer with it.
            let lines = BufReader::new(&stream).lines().map(|line| line.expect("a request"));
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).expect("it is sent");
        }
    });
    issuer
}

#[test]
fn a_sign_in_provider_whose_keys_sign_nothing_cannot_be_used() {
    let point = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    let key = |usage: &str| json!({"kty": "EC", "crv": "P-256", "use": usage, "x": point, "y": point});
    for (usage, usable) in [("sig", true), ("enc", false)] {
        let issuer = publishes(&key(usage));
        let config = format!(
            "[[oidc]]\nname = \"company\"\nlabel = \"Company\"\nissuer = {issuer:?}\nclient_id = \"tollgate\"\n"
        );
        let (used, told) = checked(&config, ("OIDC_SECRET", "unused"));
        assert_eq!(used, usable, "{told}");
        assert_eq!(told.contains("it publishes none that an ID token may be signed by here"), !usable, "{told}");
    }
}

#[test]
fn a_sign_in_provider_is_asked_for_what_it_publishes() {
    let company = OidcProvider::start();
    let secret = ("OIDC_SECRET", oidc::SECRET);
    let config = company.config(false);
    let (usable, told) = checked(&config, secret);
    assert!(usable && told.contains("the sign-in provider `company` publishes what a sign-in needs"), "{told}");
    for (config, why) in [
        (config.replace("127.0.0.1", "localhost"), "the provider calls itself by another issuer"),
        (config.replace(&company.url, "http://127.0.0.1:9"), "could not be asked"),
    ] {
        let (usable, told) = checked(&config, secret);
        assert!(!usable, "{told}");
        assert!(told.contains("the sign-in provider `company` cannot be used as it is configured"), "{told}");
        assert!(told.contains(why), "{told}");
    }
    // All are told of, whichever is asked first.
    let lost = config.replace(&company.url, "http://127.0.0.1:9");
    let other = config.replace(&company.url, "http://127.0.0.1:11").replace("\"company\"", "\"other\"");
    let mail = "[mail]\nhost = \"127.0.0.1\"\nport = 9\nfrom = \"noreply@example.com\"\n";
    let (usable, told) = checked(&format!("{lost}{other}{mail}"), secret);
    assert!(!usable, "{told}");
    for party in ["the sign-in provider `company`", "the sign-in provider `other`", "the mail server"] {
        assert!(told.contains(&format!("{party} cannot be used as it is configured")), "{told}");
    }
}
