//! `resolved.json`: the whole spec with nothing left to look up, for generators that are not ours.

use serde::Serialize;

use crate::lower::Lowered;

const ABOUT: &[&str] = &[
    "Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.",
    "The whole spec, checked and resolved: groups of errors are spelled out, aliases of paths and headers listed, every entry names the file and line it is written at (`at`), the part of the source it follows (`from`) and the decision behind it (`fact`, see `facts`).",
    "Sections are objects whose keys are names; their order is that of the spec. Types are one of {\"primitive\": word}, {\"ref\": name in `types`}, {\"list\": type}, {\"map\": type}, {\"const\": word}; `optional` = may be absent, `nullable` = may be null.",
    "Primitives: string, int (whole number of 64 bits), number, bool, json (anything), usd (JSON number, an exact decimal of at most nine places), unix_seconds, url, bytes (base64), date (`2026-11-21`), date_time (RFC 3339).",
    "An error's `in` says how each envelope shows it: HTTP status, kind and code as on the wire. An envelope's `body` is JSON with placeholders: {say} {kind} {code} {param} {http} {request_id} {remedy} {with} {data}; `?` = null when absent, `?omit` = the key is left out, `?\"\"` = empty text, `:int` = a number.",
];

#[derive(Serialize)]
struct Document<'l, 's> {
    #[serde(rename = "$about")]
    about: &'static [&'static str],
    #[serde(rename = "$version")]
    version: u32,
    #[serde(flatten)]
    lowered: &'l Lowered<'s>,
}

pub(super) fn generate(lowered: &Lowered<'_>) -> Vec<u8> {
    let document = Document { about: ABOUT, version: 1, lowered };
    let mut text = serde_json::to_vec_pretty(&document).expect("keys are texts");
    text.push(b'\n');
    text
}
