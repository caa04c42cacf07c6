//! `resolved.json`: the whole spec with nothing left to look up, for generators that are not ours.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::client_model;
use crate::resolve::ResolvedSpec;

const ABOUT: &[&str] = &[
    "Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.",
    "The whole spec, checked and resolved: groups of errors are spelled out, aliases of paths and headers listed, every entry names the file it is written in and its key (`at`), the part of the source it follows (`from`) and the decision behind it (`fact`, see `facts`).",
    "Sections are objects whose keys are names; their order is that of the spec. Types are one of {\"primitive\": word}, {\"ref\": name in `types`}, {\"list\": type}, {\"map\": type}, {\"const\": word}; `optional` = may be absent, `nullable` = may be null.",
    "Primitives: string, int (whole number of 64 bits), number, bool, json (anything), usd (JSON number, an exact decimal of at most nine places), unix_seconds, url, bytes (base64), date (`2026-11-21`), date_time (RFC 3339).",
    "An error's `in` says how each envelope shows it: HTTP status, kind and code as on the wire. An envelope's `body` is JSON with placeholders: {say} {kind} {code} {param} {http} {request_id} {remedy} {with} {data}; `?` = null when absent, `?omit` = the key is left out, `?\"\"` = empty text, `:int` = a number.",
];

#[derive(Serialize)]
struct ResolvedDocument<'l, 's> {
    #[serde(rename = "$about")]
    about: &'static [&'static str],
    #[serde(rename = "$version")]
    version: u32,
    #[serde(flatten)]
    lowered: &'l ResolvedSpec<'s>,
}

pub(super) fn generate(lowered: &ResolvedSpec<'_>) -> Vec<u8> {
    let document = ResolvedDocument { about: ABOUT, version: client_model::VERSION, lowered };
    let mut text = serde_json::to_vec_pretty(&document).expect("keys are texts");
    text.push(b'\n');
    text
}

/// The interface as [`client_model::read`] finds it in that file. Its sections are written and read side by side, and nobody
/// waits for the whole.
pub(super) fn interface(lowered: &ResolvedSpec<'_>) -> client_model::ApiDocument {
    let ResolvedSpec {
        service,
        wire_names,
        auth,
        roles,
        member_roles,
        proofs,
        limits,
        families,
        envelopes,
        errors,
        framework,
        runtime_headers,
        ..
    } = lowered;
    let (types, (operations, (examples, fixtures))) = rayon::join(
        || read(&lowered.types),
        || rayon::join(|| read(&lowered.operations), || (read(&lowered.examples), read(&lowered.fixtures))),
    );
    let document = client_model::ApiDocument {
        version: client_model::VERSION,
        service: read(service),
        wire_names: read(wire_names),
        auth: read(auth),
        roles: read(roles),
        member_roles: read(member_roles),
        proofs: read(proofs),
        limits: read(limits),
        families: read(families),
        envelopes: read(envelopes),
        errors: read(errors),
        framework: read(framework),
        runtime_headers: read(runtime_headers),
        operations,
        types,
        fixtures,
        examples,
    };
    client_model::served(document).expect("what was lowered is whole")
}

fn read<T: DeserializeOwned>(section: &impl Serialize) -> T {
    let text = serde_json::to_vec(section).expect("keys are texts");
    serde_json::from_slice(&text).expect("a section is read as it is written")
}
