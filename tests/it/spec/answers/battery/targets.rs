//! Methods, paths and queries.

use super::endpoint::Endpoint;
use super::{Case, May};

/// In place of a parameter of the path.
#[rustfmt::skip] // a row is read as a row
const NAMES: [&[u8]; 24] = [
    b"", b"%", b"%z", b"%zz", b"%ff%fe", b"%00", b"..", b"%2e%2e", b".", b"a/b", b"a%2fb", b"/", b"//", b"%20", b"+", b"'",
    b"%22", b"\xc3\xa9", b"\xff", b"%c3%a9", b"resp_", b"nothing", b":", b"%3a",
];

/// In place of the value of a parameter of the query.
#[rustfmt::skip]
const VALUES: [&[u8]; 16] = [
    b"", b"0", b"-1", b"1.5", b"1e9", b"x", b"true", b"99999999999999999999", b"%", b"%zz", b"%ff", b"%00", b"\xc3\xa9", b"+",
    b"[]", b"a=b",
];

/// Queries that no operation has.
#[rustfmt::skip]
const QUERIES: [&[u8]; 10] = [
    b"?", b"&&==&", b"=", b"%", b"%ff=%fe", b"a=1&a=2", b"nothing=1", b"\xff", b"a#b", b"{}",
];

const METHODS: [&str; 8] = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "NONSENSE", "get"];

pub(super) fn cases(endpoint: &Endpoint) -> Vec<Case> {
    let good = &endpoint.good;
    let mut cases = Vec::new();
    for method in METHODS.into_iter().filter(|method| *method != good.method) {
        let mut request = good.clone();
        request.method = method.to_owned();
        cases.push(Case::new("method", May::Either, method, request));
    }
    for path in &endpoint.paths {
        for (place, name) in parameters(path).into_iter().flat_map(|place| names().map(move |name| (place, name))) {
            let (before, after) = (&path.as_bytes()[..place.0], &path.as_bytes()[place.1..]);
            let target = [before, &name, after].concat();
            let what = target[..target.len().min(60)].escape_ascii().to_string();
            // What is no target is no HTTP.
            let may = if name.iter().all(u8::is_ascii_graphic) { May::Either } else { May::Closed };
            cases.push(Case::new("path", may, what, good.clone().at(target)));
        }
    }
    let plain = good.target.split(|byte| *byte == b'?').next().expect("a path");
    for path in [&b"/"[..], b"x", b"//", b"/../x", b"%2f", b"%"] {
        cases.push(Case::new(
            "path",
            May::Either,
            path.escape_ascii().to_string(),
            good.clone().at([plain, path].concat()),
        ));
    }
    let long = [plain, b"?x=", &b"x".repeat(20_000)].concat();
    cases.push(Case::new("query", May::Either, "a long one", good.clone().at(long)));
    let mut query = |query: &[u8]| {
        let may = if query.is_ascii() { May::Either } else { May::Closed };
        let request = good.clone().at([plain, b"?", query].concat());
        cases.push(Case::new("query", may, query.escape_ascii().to_string(), request));
    };
    QUERIES.into_iter().for_each(&mut query);
    for name in &endpoint.query {
        for value in VALUES {
            query(&[name.as_bytes(), b"=", value].concat());
        }
        query(format!("{name}=1&{name}=2").as_bytes());
        query(name.as_bytes());
    }
    cases
}

fn names() -> impl Iterator<Item = Vec<u8>> {
    NAMES.map(<[u8]>::to_vec).into_iter().chain([b"x".repeat(1_000), b"x".repeat(9_000), b"%41".repeat(500)])
}

/// Where the parameters of a path stand.
fn parameters(path: &str) -> Vec<(usize, usize)> {
    let opened = path.match_indices('{').map(|(at, _)| at);
    opened.zip(path.match_indices('}').map(|(at, _)| at + 1)).collect()
}
