//! Floors: imports go down, never up or sideways; and the outside packages that belong to certain rooms.

use crate::names::{Named, named};
use crate::source::{File, files};

/// Rooms by floor: crates below `server/crates/`, and the folders of the binary.
const FLOORS: [&[&str]; 7] = [
    &["base", "spec-build"],
    &["api", "formats", "net", "store", "telemetry"],
    &["accounts", "chains", "credit", "pages"],
    &["agents", "gateway", "organisations"],
    &["catalog", "identities", "topup", "video"],
    &["admin", "console", "http", "sandbox"],
    BINARY,
];
/// The folders of the binary.
const BINARY: &[&str] = &["app", "cli", "settings"];

/// Pairs of folders of the binary where one is made for the other; commands start the app.
const BESIDE: [(&str, &str); 3] = [("app", "settings"), ("cli", "settings"), ("cli", "app")];

/// Outside packages and the places that may name them.
const PACKAGES: [(&str, &[&str]); 25] = [
    ("sqlx", &["server/crates/store/", "/sql.rs", "/sql/"]),
    ("rusqlite", &["server/crates/store/", "/sql.rs", "/sql/"]),
    (
        "reqwest",
        &[
            "server/crates/chains/",
            "server/crates/identities/src/oidc/",
            "server/crates/sandbox/src/checkout/",
            "server/crates/telemetry/src/traces/",
            "server/crates/topup/src/ewallet/provider/",
            // Commands at a running server: a few requests, whose waits and redirects are set for the whole of them.
            "server/src/cli/remote/",
        ],
    ),
    ("opentelemetry", &["server/crates/telemetry/src/traces/"]),
    ("opentelemetry_sdk", &["server/crates/telemetry/src/traces/"]),
    ("opentelemetry_otlp", &["server/crates/telemetry/src/traces/"]),
    ("opentelemetry_http", &["server/crates/telemetry/src/traces/"]),
    ("rustls", &["server/crates/net/"]),
    ("rustls_platform_verifier", &["server/crates/net/"]),
    ("hyper", &["server/crates/net/", "server/crates/http/"]),
    ("hyper_util", &["server/crates/net/", "server/crates/http/"]),
    ("hyper_rustls", &["server/crates/net/"]),
    ("h2", &["server/crates/net/"]),
    ("url", &["server/crates/gateway/src/upstream/"]),
    ("axum", &["server/crates/api/", "server/crates/http/", "server/crates/console/", "server/crates/sandbox/"]),
    ("clap", &["server/src/cli/"]),
    ("flate2", &["server/crates/api/", "server/crates/store/"]),
    ("qrcode", &["server/crates/accounts/", "server/crates/console/"]),
    ("plotters", &["server/crates/pages/"]),
    ("toml", &["server/crates/catalog/", "server/src/settings/"]),
    ("alloy", &["server/crates/chains/"]),
    ("ed25519_dalek", &["server/crates/chains/"]),
    ("jsonwebtoken", &["server/crates/identities/src/oidc/"]),
    ("lettre", &["server/crates/net/src/mail.rs", "server/crates/net/src/error.rs"]),
    ("bs58", &["server/crates/chains/"]),
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// The room of a file of the binary: `server/src/<room>/…` or `server/src/<room>.rs`.
fn room(file: &File) -> Option<&str> {
    let inside = file.path.strip_prefix("server/src/")?;
    let first = inside.split('/').next()?;
    Some(first.strip_suffix(".rs").unwrap_or(first)).filter(|room| !matches!(*room, "lib" | "main"))
}

/// The packages that a manifest names, those for tests included, with its room.
fn packages(manifest: &File) -> (&str, Vec<String>) {
    let room = manifest.path.split('/').nth(2).expect("server/crates/<room>/Cargo.toml");
    let table: toml::Table = manifest.text.parse().unwrap_or_else(|error| panic!("{}: {error}", manifest.path));
    let sections =
        ["dependencies", "dev-dependencies"].into_iter().filter_map(|section| table.get(section)?.as_table());
    (room, sections.flat_map(toml::Table::keys).cloned().collect())
}

#[test]
fn every_room_has_a_floor() {
    let manifests = files("server/crates", "/Cargo.toml");
    let crates = manifests.iter().map(|manifest| packages(manifest).0);
    let sources = files("server/src", ".rs");
    for room in crates.chain(sources.iter().filter_map(room)) {
        assert!(floor(room).is_some(), "the room `{room}` has no floor; see ARCHITECTURE.md");
    }
}

#[test]
fn crates_stand_on_lower_floors_alone() {
    let mut wrong = Vec::new();
    for manifest in files("server/crates", "/Cargo.toml") {
        let (here, packages) = packages(&manifest);
        for there in packages.iter().filter_map(|package| package.strip_prefix("tollgate-")) {
            if floor(there).is_some_and(|there| there >= floor(here).expect("a floor")) {
                wrong.push(format!("{}: `{here}` names `{there}`", manifest.path));
            }
        }
    }
    assert!(wrong.is_empty(), "imports go down, never up or sideways:\n{}", wrong.join("\n"));
}

#[test]
fn crates_name_no_package_that_they_do_not_use() {
    // Named for the order in which things are built.
    const UNNAMED: [&str; 1] = ["tollgate-spec-build"];
    let mut wrong = Vec::new();
    for manifest in files("server/crates", "/Cargo.toml") {
        let (room, packages) = packages(&manifest);
        let sources = files(&format!("server/crates/{room}/src"), ".rs");
        for package in packages.iter().filter(|package| !UNNAMED.contains(&package.as_str())) {
            let name = package.replace('-', "_");
            if !sources.iter().any(|file| file.text.contains(&format!("{name}::"))) {
                wrong.push(format!("{}: {package}", manifest.path));
            }
        }
    }
    assert!(wrong.is_empty(), "these are not used:\n{}", wrong.join("\n"));
}

#[test]
fn imports_in_the_binary_go_down() {
    let mut wrong = Vec::new();
    for file in files("server/src", ".rs") {
        let Some(here) = room(&file) else { continue };
        for Named { line, path } in named(&file) {
            let [root, there, ..] = path.as_slice() else { continue };
            if root == "crate" && here != there && !BESIDE.contains(&(here, there)) {
                wrong.push(format!("{}:{line}: `{here}` names `{there}`", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "imports go down, never up or sideways:\n{}", wrong.join("\n"));
}

#[test]
fn outside_packages_keep_to_their_rooms() {
    let mut wrong = Vec::new();
    for file in files("server", ".rs") {
        for Named { line, path } in named(&file) {
            let places = PACKAGES.iter().filter(|(package, _)| path[0] == *package).flat_map(|(_, places)| *places);
            let mut places = places.peekable();
            if places.peek().is_some() && !places.any(|place| file.path.contains(place)) {
                wrong.push(format!("{}:{line}: `{}` has no place here", file.path, path[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
