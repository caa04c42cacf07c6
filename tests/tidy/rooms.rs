//! Floors: imports go down, never up or sideways; and the outside packages that belong to certain rooms.

use crate::names::{Named, named};
use crate::source::{File, files};

/// Rooms by floor. `codes` and the like of `api` are macros, and belong to it.
const FLOORS: [&[&str]; 7] = [
    &["base"],
    &["api", "generated", "store", "telemetry"],
    &["accounts", "chains", "credit"],
    &["agents", "gateway"],
    &["topup", "video"],
    &["console", "http", "sandbox"],
    &["app", "cli", "settings"],
];

/// Pairs on one floor where one is made for the other.
const BESIDE: [(&str, &str); 3] = [("generated", "api"), ("app", "settings"), ("cli", "settings")];
/// See [`BESIDE`]; commands start the app.
const ABOVE_ALL: (&str, &str) = ("cli", "app");

/// Outside packages and the places that may name them.
const PACKAGES: [(&str, &[&str]); 16] = [
    ("sqlx", &["server/src/store/", "/sql.rs", "/sql/"]),
    ("rusqlite", &["server/src/store/", "/sql.rs", "/sql/"]),
    (
        "reqwest",
        &[
            "server/src/chains/",
            "server/src/gateway/upstream/",
            "server/src/sandbox/checkout/",
            "server/src/telemetry/traces/",
            "server/src/topup/ewallet/provider/",
        ],
    ),
    ("opentelemetry", &["server/src/telemetry/traces/"]),
    ("opentelemetry_sdk", &["server/src/telemetry/traces/"]),
    ("opentelemetry_otlp", &["server/src/telemetry/traces/"]),
    ("opentelemetry_http", &["server/src/telemetry/traces/"]),
    ("rustls", &["server/src/gateway/upstream/", "server/src/lib.rs"]),
    (
        "axum",
        &["server/src/api/", "server/src/generated/", "server/src/http/", "server/src/console/", "server/src/sandbox/"],
    ),
    ("clap", &["server/src/cli/"]),
    ("flate2", &["server/src/api/", "server/src/store/"]),
    ("qrcode", &["server/src/console/"]),
    ("toml", &["server/src/settings/"]),
    ("alloy", &["server/src/chains/"]),
    ("ed25519_dalek", &["server/src/chains/"]),
    ("bs58", &["server/src/chains/"]),
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// `server/src/<room>/…` or `server/src/<room>.rs`.
fn room(file: &File) -> Option<&str> {
    let inside = file.path.strip_prefix("server/src/")?;
    let first = inside.split('/').next()?;
    Some(first.strip_suffix(".rs").unwrap_or(first)).filter(|room| !matches!(*room, "lib" | "main"))
}

#[test]
fn every_room_has_a_floor() {
    for file in files("server/src", ".rs") {
        if let Some(room) = room(&file) {
            assert!(floor(room).is_some(), "{}: the room `{room}` has no floor; see ARCHITECTURE.md", file.path);
        }
    }
}

#[test]
fn imports_go_down() {
    let mut wrong = Vec::new();
    for file in files("server/src", ".rs") {
        let Some(here) = room(&file) else { continue };
        for Named { line, path } in named(&file) {
            let [root, there, ..] = path.as_slice() else { continue };
            if root != "crate" {
                continue;
            }
            if there == "*" {
                wrong.push(format!("{}:{line}: `{here}` takes whatever the root has", file.path));
            }
            let (Some(from), Some(to)) = (floor(here), floor(there)) else { continue };
            let beside = BESIDE.contains(&(here, there)) || ABOVE_ALL == (here, there);
            if to > from || (to == from && here != there && !beside) {
                wrong.push(format!("{}:{line}: `{here}` (floor {from}) names `{there}` (floor {to})", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "imports go down, never up or sideways:\n{}", wrong.join("\n"));
}

#[test]
fn outside_packages_keep_to_their_rooms() {
    let mut wrong = Vec::new();
    for file in files("server/src", ".rs") {
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
