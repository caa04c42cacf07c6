//! The fixtures that there are: each kind of answer of each format, whole and streamed, stands here in the words of its
//! provider, and beside it what every client gets. A format without a word for something has no fixture of it.

use super::super::Format;
use super::{FORMATS, golden, name};

/// A kind of answer, the fixtures of it, and the formats that have no word for it.
type Row = (&'static str, &'static [&'static str], &'static [Format]);

/// Whole and streamed.
const BOTH: [Row; 11] = [
    ("text", &["text"], &[]),
    ("calls, one and several", &["calls"], &[]),
    ("thinking", &["thinking"], &[]),
    ("pictures", &["picture"], &[Format::Messages]),
    ("tools of the provider", &["own"], &[Format::Chat]),
    ("the bound as the end", &["length"], &[]),
    ("a refusal as the end", &["refusal"], &[]),
    ("a filter as the end", &["filtered"], &[Format::Messages, Format::Generate]),
    ("a stop sequence as the end", &["sequence"], &[Format::Chat, Format::Responses, Format::Generate]),
    ("an end of one format alone", &["pause", "full"], &[Format::Chat, Format::Responses, Format::Generate]),
    ("another", &["blocked", "malformed"], &[Format::Chat, Format::Responses, Format::Messages]),
];

/// Of a stream alone; what is an error and no answer when it comes whole has a test of its own in `answers`.
const STREAMED: [Row; 2] = [("an error within", &["broken"], &[]), ("cut within", &["cut"], &[])];

/// Of requests.
const ASKED: [Row; 8] = [
    ("text", &["text"], &[]),
    ("tools", &["tools"], &[]),
    ("several calls at once", &["parallel"], &[]),
    ("thinking", &["thinking", "own_thoughts"], &[]),
    ("pictures", &["pictures", "addresses"], &[]),
    ("documents", &["documents"], &[]),
    ("sound", &["sound"], &[Format::Messages]),
    ("settings", &["settings"], &[]),
];

fn missing(folder: &str, ending: &str, rows: &[Row]) -> Vec<String> {
    let mut missing = Vec::new();
    for (what, fixtures, without) in rows {
        for format in FORMATS.into_iter().filter(|format| !without.contains(format)) {
            let there = golden::fixtures(&format!("{folder}/{}", name(format)), ending);
            let lacks = fixtures.iter().filter(|fixture| !there.iter().any(|(name, _)| name == *fixture));
            missing.extend(lacks.map(|fixture| format!("{folder}/{}/{fixture}: {what}", name(format))));
        }
    }
    missing
}

#[test]
fn every_kind_of_answer_of_every_format_has_a_fixture() {
    let streamed = [&BOTH[..], &STREAMED].concat();
    let missing =
        [missing("replies", ".json", &BOTH), missing("streams", ".sse", &streamed), missing("asks", ".json", &ASKED)]
            .concat();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
