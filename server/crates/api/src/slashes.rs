//! One spelling of a path: a doubled slash counts as one, and one at the end as none.
//!
//! It is done before anything looks at the path, so that routes, keys' scopes, shapes of errors and repeats all see the same
//! one. Nothing is decoded: an encoded slash stays a part of its segment.

use http::Uri;
use http::uri::PathAndQuery;

/// Rewrites a target whose path has slashes to spare.
pub fn collapse_slashes(uri: &mut Uri) {
    let path = uri.path();
    let spare = path.len() > 1 && (path.ends_with('/') || memchr::memmem::find(path.as_bytes(), b"//").is_some());
    if !spare || !path.starts_with('/') {
        return;
    }
    let mut target = String::with_capacity(path.len());
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        target.push('/');
        target.push_str(segment);
    }
    if target.is_empty() {
        target.push('/');
    }
    if let Some(query) = uri.query() {
        target.push('?');
        target.push_str(query);
    }
    let mut parts = std::mem::take(uri).into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(target).expect("parts of a target make a target"));
    *uri = Uri::from_parts(parts).expect("only slashes were taken away");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_to_spare_go_and_all_else_stays() {
        let cases = [
            ("/", "/"),
            ("//", "/"),
            ("///?a=//", "/?a=//"),
            ("/v1/models", "/v1/models"),
            ("/v1/models/", "/v1/models"),
            ("//v1///models//?key=a//b/", "/v1/models?key=a//b/"),
            ("/v1/models/a%2F%2Fb/?", "/v1/models/a%2F%2Fb?"),
            ("https://host.example//v1/models/", "https://host.example/v1/models"),
            ("host.example:443", "host.example:443"),
            ("*", "*"),
        ];
        for (given, want) in cases {
            let mut uri = Uri::try_from(given).expect("a target");
            collapse_slashes(&mut uri);
            assert_eq!(uri, Uri::try_from(want).expect("a target"), "{given}");
        }
    }
}
