//! The cookie of a session: its name, how it is set and taken away, and which requests may use it.

use std::borrow::Cow;
use std::time::Duration;

use http::header::{COOKIE, HOST, ORIGIN};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::generated::runtime_headers::CSRF;
use tollgate_base::Secret;

/// The header in which a browser tells of the page that a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A reply that begins a session.
#[derive(Debug)]
pub struct BeginsSession<T> {
    /// The reply.
    pub reply: T,
    /// The token that the cookie will hold.
    pub token: Secret,
    /// The time for which the browser keeps it.
    pub lasts: Duration,
}

/// The settings for the session cookies of those who are signed in.
#[derive(Debug, Clone, Default)]
pub struct SessionCookies {
    /// True if browsers reach the service by https alone.
    /// The cookie is `Secure` then, and has the prefix that keeps a neighbour on another name of the domain, or on http, from
    /// setting one in its place.
    pub secure: bool,
    /// Origins besides our own whose pages may use a session: `https://console.example`.
    pub trusted_origins: Vec<String>,
}

/// The origin of the page that a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageOrigin {
    Ours,
    Foreign,
    /// Neither header tells: an old browser, or none.
    Untold,
}

impl SessionCookies {
    /// The value of a scheme's cookie in a request.
    pub(super) fn shown(&self, cookie: &str, headers: &HeaderMap) -> Option<HeaderValue> {
        let name = self.name(cookie);
        let lines = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let (_, value) = pairs.find(|(key, _)| *key == name)?;
        HeaderValue::from_str(value.trim_matches('"')).ok().filter(|value| !value.is_empty())
    }

    /// True if a session may make a request that changes something.
    /// The request has to come from a page of ours, with what a form cannot send.
    pub(super) fn may_change(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        self.page(uri, headers) == PageOrigin::Ours && headers.get(CSRF).is_some_and(|value| !value.is_empty())
    }

    /// True if a request may begin a session.
    /// One from a page that is another's may not, which would sign its visitor in as somebody else.
    pub(super) fn may_begin(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        self.page(uri, headers) != PageOrigin::Foreign
    }

    /// The header that gives a browser the cookie.
    pub(super) fn set(&self, cookie: &str, token: &Secret, lasts: Duration) -> Option<HeaderValue> {
        self.line(cookie, token.reveal(), lasts.as_secs())
    }

    /// The header that takes the cookie away.
    pub(super) fn take_away(&self, cookie: &str) -> Option<HeaderValue> {
        self.line(cookie, "", 0)
    }

    fn line(&self, cookie: &str, value: &str, seconds: u64) -> Option<HeaderValue> {
        let (name, secure) = (self.name(cookie), if self.secure { "; Secure" } else { "" });
        let line = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}");
        let mut line = HeaderValue::try_from(line).ok()?;
        line.set_sensitive(true);
        Some(line)
    }

    fn name<'c>(&self, cookie: &'c str) -> Cow<'c, str> {
        if self.secure { Cow::Owned(format!("__Host-{cookie}")) } else { Cow::Borrowed(cookie) }
    }

    fn page(&self, uri: &Uri, headers: &HeaderMap) -> PageOrigin {
        let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let (origin, site) = (text(&ORIGIN), text(&FETCH_SITE));
        if origin.is_some_and(|origin| self.trusted_origins.iter().any(|trusted| trusted == origin)) {
            return PageOrigin::Ours;
        }
        match (origin, site) {
            (Some(origin), _) if !self.is_own(origin, uri, headers) => PageOrigin::Foreign,
            (_, Some(site)) if site != "same-origin" => PageOrigin::Foreign,
            (None, None) => PageOrigin::Untold,
            _ => PageOrigin::Ours,
        }
    }

    /// True if an origin is the host that was asked for; where browsers reach us by https, one that is https too.
    fn is_own(&self, origin: &str, uri: &Uri, headers: &HeaderMap) -> bool {
        let asked = uri.authority().map(http::uri::Authority::as_str);
        let asked = asked.or_else(|| headers.get(HOST).and_then(|host| host.to_str().ok()));
        let Some((scheme, host)) = origin.split_once("://") else { return false };
        asked.is_some_and(|asked| host.eq_ignore_ascii_case(asked)) && (!self.secure || scheme == "https")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let line = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn a_change_comes_from_a_page_of_ours_with_what_no_form_sends() {
        let cookies = SessionCookies { secure: false, trusted_origins: vec!["https://console.example".to_owned()] };
        let csrf = ("x-tollgate-csrf", "1");
        for (lines, changes, begins) in [
            (vec![], false, true),
            (vec![csrf], false, true),
            (vec![csrf, ("origin", "http://h")], true, true),
            (vec![("origin", "http://h")], false, true),
            (vec![("origin", "http://h"), ("x-tollgate-csrf", "")], false, true),
            (vec![csrf, ("sec-fetch-site", "same-origin")], true, true),
            (vec![csrf, ("sec-fetch-site", "same-site")], false, false),
            (vec![csrf, ("sec-fetch-site", "cross-site")], false, false),
            (vec![csrf, ("sec-fetch-site", "none")], false, false),
            (vec![csrf, ("origin", "http://h"), ("sec-fetch-site", "cross-site")], false, false),
            (vec![csrf, ("origin", "http://h:8080")], false, false),
            (vec![csrf, ("origin", "http://evil"), ("sec-fetch-site", "same-origin")], false, false),
            (vec![csrf, ("origin", "null")], false, false),
            (vec![csrf, ("origin", "https://console.example"), ("sec-fetch-site", "cross-site")], true, true),
        ] {
            let mut headers = headers(&lines);
            headers.insert(HOST, HeaderValue::from_static("h"));
            let uri = Uri::from_static("/x");
            assert_eq!(cookies.may_change(&uri, &headers), changes, "{lines:?}");
            assert_eq!(cookies.may_begin(&uri, &headers), begins, "{lines:?}");
        }
    }

    #[test]
    fn over_tls_the_cookie_is_bound_to_the_host_and_no_other_is_read() {
        let secure = SessionCookies { secure: true, ..SessionCookies::default() };
        let line = secure.set("session", &Secret::new("t".to_owned()), Duration::from_secs(60)).expect("a header");
        assert_eq!(line, "__Host-session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure");
        let both = headers(&[("cookie", "session=planted; a=b; __Host-session=t")]);
        assert_eq!(secure.shown("session", &both).expect("a cookie"), "t");
        assert_eq!(SessionCookies::default().shown("session", &both).expect("a cookie"), "planted");
        assert_eq!(secure.shown("session", &headers(&[("cookie", "session=planted")])), None);
        let mut from = headers(&[("x-tollgate-csrf", "1"), ("origin", "http://h"), ("host", "h")]);
        assert!(!secure.may_change(&Uri::from_static("/x"), &from), "a page that anyone on the way could write");
        from.insert(ORIGIN, HeaderValue::from_static("https://h"));
        assert!(secure.may_change(&Uri::from_static("/x"), &from));
    }

    #[test]
    fn without_tls_the_cookie_is_a_plain_one() {
        let cookies = SessionCookies::default();
        let line = cookies.take_away("session").expect("a header");
        assert_eq!(line, "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
        assert!(line.is_sensitive());
    }
}
