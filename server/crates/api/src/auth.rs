//! Credentials: their places in a request, and the look-up of their holders.

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue, Method, Uri};

use super::params::{decode_query_value, query_pairs};
use super::{Caller, Failure, Framework, OperatorCaller, Principal, Scheme, SessionCookies};
use crate::generated::auth::names::X_TOLLGATE_ACCOUNT;
use tollgate_base::AccountId;

/// The look-up of credentials. Implemented by the room that keeps keys.
pub trait Authenticate: Send + Sync + 'static {
    /// Looks up an API key. `secret` is the key as shown, never logged or kept.
    fn authenticate(&self, secret: &str) -> impl Future<Output = Result<Principal, AuthFailure>> + Send;

    /// Looks up a session by its cookie. Services without sessions know none.
    fn authenticate_session(&self, token: &str) -> impl Future<Output = Result<Caller, AuthFailure>> + Send {
        let _ = token;
        std::future::ready(Err(AuthFailure::Unknown))
    }

    /// Looks up the key of an operator. `secret` is the key as shown, never logged or kept. Services without operators know none.
    fn authenticate_operator(&self, secret: &str) -> impl Future<Output = Result<OperatorCaller, AuthFailure>> + Send {
        let _ = secret;
        std::future::ready(Err(AuthFailure::Unknown))
    }

    /// Looks up the session of an operator by its cookie. Services without operators know none.
    fn authenticate_operator_session(
        &self,
        token: &str,
    ) -> impl Future<Output = Result<OperatorCaller, AuthFailure>> + Send {
        let _ = token;
        std::future::ready(Err(AuthFailure::Unknown))
    }
}

/// The reasons why a credential is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AuthFailure {
    /// Nobody has such a credential.
    #[error("unknown key")]
    Unknown,
    /// Switched off by its owner or the operator.
    #[error("disabled key")]
    Disabled,
    /// Past its time.
    #[error("expired key")]
    Expired,
    /// It cannot be looked up now.
    #[error("keys cannot be looked up now")]
    Unavailable,
}

/// The credentials that a request shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ShownCredentials {
    pub(super) key: Option<HeaderValue>,
    /// Different keys in two places: nobody can say whom to charge.
    pub(super) conflict: bool,
    /// True if a key begins as those of its scheme do.
    pub(super) well_formed: bool,
    pub(super) session: Option<HeaderValue>,
    /// True if the session would be used by a page of another site, or by a form of one.
    pub(super) foreign: bool,
    /// The number of the account that the page was made for which sends the request, where it says so. More than one where the
    /// page contradicts itself.
    pub(super) accounts: Vec<HeaderValue>,
}

impl AuthFailure {
    pub(super) fn of_key(self, framework: &Framework) -> Failure {
        Failure::new(match self {
            Self::Unknown => framework.key_invalid,
            Self::Disabled => framework.key_disabled,
            Self::Expired => framework.key_expired,
            Self::Unavailable => framework.auth_unavailable,
        })
    }

    pub(super) fn of_session(self, framework: &Framework) -> Failure {
        Failure::new(match self {
            Self::Unknown | Self::Disabled | Self::Expired => framework.session_invalid,
            Self::Unavailable => framework.auth_unavailable,
        })
    }
}

impl ShownCredentials {
    /// True if an operator may have shown them: a key that begins as operators' keys do, or a session without any key.
    pub(super) fn may_be_of_operator(&self) -> bool {
        if self.key.is_some() { self.well_formed } else { self.session.is_some() }
    }

    /// True if the page that sends the request was made for this account, or says for none.
    pub(super) fn is_for(&self, account: AccountId) -> bool {
        let number = account.to_string();
        self.accounts.iter().all(|named| named.as_bytes() == number.as_bytes())
    }
}

/// Finds the credentials in the places that `schemes` name. A key counts before a session, which browsers send unasked.
pub(super) fn read_credentials(
    schemes: &[&Scheme],
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    cookies: &SessionCookies,
) -> ShownCredentials {
    let mut shown = ShownCredentials::default();
    for scheme in schemes {
        each_key(scheme, uri, headers, |key| {
            shown.well_formed |= key.as_bytes().starts_with(scheme.key_starts.as_bytes());
            match &shown.key {
                Some(first) => shown.conflict |= *first != key,
                None => shown.key = Some(key),
            }
        });
    }
    let names = || schemes.iter().filter_map(|scheme| scheme.cookie);
    shown.session = names().find_map(|name| cookies.shown(name, headers));
    shown.accounts = X_TOLLGATE_ACCOUNT.values(headers).cloned().collect();
    shown.foreign = shown.session.is_some() && !method.is_safe() && !cookies.may_change(uri, headers);
    shown
}

/// Takes every place that could hold a credential out of the headers.
pub(super) fn strip(schemes: &[&Scheme], headers: &mut HeaderMap) {
    for scheme in schemes {
        if let Some(name) = scheme.header {
            name.remove_from(headers);
        }
    }
    headers.remove(COOKIE);
    headers.remove(http::header::PROXY_AUTHORIZATION);
}

/// True if a query parameter carries a key in any scheme.
pub(super) fn is_secret_parameter(schemes: &[&Scheme], name: &str) -> bool {
    schemes.iter().any(|scheme| scheme.query == Some(name))
}

fn each_key(scheme: &Scheme, uri: &Uri, headers: &HeaderMap, mut take: impl FnMut(HeaderValue)) {
    let mut take = |key: HeaderValue| {
        if !key.is_empty() {
            take(key);
        }
    };
    for value in scheme.header.iter().flat_map(|name| name.values(headers)) {
        after_prefix(value, scheme.prefix).map(&mut take);
    }
    let Some(name) = scheme.query else { return };
    for (_, value) in query_pairs(uri.query()).filter(|(key, _)| key == name) {
        decode_query_value(value).and_then(|key| HeaderValue::try_from(key).ok()).map(&mut take);
    }
}

/// The value after `Bearer `; `None` when another scheme of the same header is used.
fn after_prefix(value: &HeaderValue, prefix: &str) -> Option<HeaderValue> {
    let bytes = value.as_bytes();
    if prefix.is_empty() {
        return Some(value.clone());
    }
    let (start, rest) = bytes.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix.as_bytes()).then(|| HeaderValue::from_bytes(rest.trim_ascii()).ok()).flatten()
}
