//! `GET /docs` and `GET /docs/{file}`

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use tollgate_api::generated::errors::code;
use tollgate_api::generated::ops::service::{
    ShowDocs, ShowDocsError, ShowDocsFile, ShowDocsFileError, ShowDocsFileInput, ShowDocsInput,
};
use tollgate_api::{Cx, ProxyReply, ProxyReplyBody, raise};
use tollgate_spec_build::{DOCS_FILES, DocsFile};

use super::Console;

/// The first page.
const HOME: &str = "index";
/// Policy of the pages: nothing but the files beside them, and no text becomes markup or script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; \
                      base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/// Browsers revalidate each time, since the next version of the service may differ.
const FRESH: &str = "no-cache";

impl ShowDocs for Console {
    async fn show_docs(&self, cx: &Cx, _: ShowDocsInput) -> Result<ProxyReply, ShowDocsError> {
        let home = find(HOME).expect("the first page is always made");
        Ok(reply(home, &cx.headers))
    }
}

impl ShowDocsFile for Console {
    async fn show_docs_file(&self, cx: &Cx, input: ShowDocsFileInput) -> Result<ProxyReply, ShowDocsFileError> {
        let found = find(&input.file).filter(|file| file.name != HOME);
        let path = || format!("/docs/{}", input.file);
        let file = found.ok_or_else(|| raise(code::RouteNotFound { method: "GET".to_owned(), path: path() }))?;
        Ok(reply(file, &cx.headers))
    }
}

fn find(name: &str) -> Option<&'static DocsFile> {
    DOCS_FILES.iter().find(|file| file.name == name)
}

fn reply(file: &'static DocsFile, asked: &HeaderMap) -> ProxyReply {
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(file.kind)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (CACHE_CONTROL, HeaderValue::from_static(FRESH)),
        (ETAG, HeaderValue::from_static(file.tag)),
    ]);
    let (status, body) = if is_known(file.tag, asked) {
        (StatusCode::NOT_MODIFIED, Bytes::new())
    } else {
        (StatusCode::OK, Bytes::from_static(file.bytes))
    };
    ProxyReply { status, headers, body: ProxyReplyBody::Whole(body) }
}

/// True if the client has this version. A weak tag, as proxies make of ours, counts as the same.
fn is_known(tag: &str, asked: &HeaderMap) -> bool {
    let lists = asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_first_page_and_each_file_is_there_once() {
        assert!(find(HOME).is_some() && find("docs.css").is_some() && find("no-such-page").is_none());
        let names: std::collections::BTreeSet<&str> = DOCS_FILES.iter().map(|file| file.name).collect();
        assert_eq!(names.len(), DOCS_FILES.len());
    }

    #[test]
    fn a_version_that_is_known_is_not_sent_again() {
        let home = find(HOME).unwrap();
        let status = |tags: &[&str]| {
            let asked = tags.iter().map(|tag| (IF_NONE_MATCH, HeaderValue::from_str(tag).unwrap())).collect();
            reply(home, &asked).status.as_u16()
        };
        let weak = format!("\"other\", W/{}", home.tag);
        assert_eq!([status(&[]), status(&["\"other\""]), status(&["\"other\"", home.tag])], [200, 200, 304]);
        assert_eq!([status(&[&weak]), status(&["*"]), status(&[home.tag.trim_matches('"')])], [304, 304, 200]);
    }
}
