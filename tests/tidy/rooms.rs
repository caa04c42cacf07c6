//! Floors: imports go down, never up or sideways; and the outside packages that belong to certain rooms.

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
const PACKAGES: [(&str, &[&str]); 7] = [
    ("sqlx", &["server/src/store/", "/sql.rs", "/sql/"]),
    ("rusqlite", &["server/src/store/", "/sql.rs", "/sql/"]),
    ("reqwest", &["server/src/gateway/upstream/"]),
    ("rustls", &["server/src/gateway/upstream/", "server/src/lib.rs"]),
    (
        "axum",
        &["server/src/api/", "server/src/generated/", "server/src/http/", "server/src/console/", "server/src/sandbox/"],
    ),
    ("clap", &["server/src/cli/"]),
    ("toml", &["server/src/settings/"]),
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

/// Every room named behind `crate::` in code; comments are passed over.
fn named<'t>(text: &'t str, prefix: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")).flat_map(move |(number, line)| {
        line.split(prefix).skip(1).map(move |rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
            (number + 1, &rest[..end])
        })
    })
}

#[test]
fn every_room_has_a_floor() {
    for file in files("server/src", ".rs") {
        if let Some(room) = room(&file) {
            assert!(floor(room).is_some(), "{}: the room `{room}` has no floor; see DESIGN", file.path);
        }
    }
}

#[test]
fn imports_go_down() {
    let mut wrong = Vec::new();
    for file in files("server/src", ".rs") {
        let Some(here) = room(&file) else { continue };
        for (line, there) in named(&file.text, "crate::") {
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
        for (package, places) in PACKAGES {
            let prefix = format!("{package}::");
            let used = named(&file.text, &prefix).next();
            let allowed = places.iter().any(|place| file.path.contains(place));
            if let (Some((line, _)), false) = (used, allowed) {
                let words = file.text.lines().nth(line - 1).expect("the line that was found");
                // `crate::…::toml::` and longer words that end alike are something else.
                let at = words.find(&prefix).expect("found above");
                let before = words[..at].chars().next_back();
                if !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == ':') {
                    wrong.push(format!("{}:{line}: `{package}` has no place here", file.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
