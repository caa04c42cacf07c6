//! The ways to show who is calling, as data.

use super::WireName;

/// One way to show who is calling, as `auth:` in the spec declares it.
#[derive(Debug)]
pub struct Scheme {
    /// Its name in the spec.
    pub id: &'static str,
    /// The header that carries the key.
    pub header: Option<&'static WireName>,
    /// The text before the key in the header: `Bearer `, in any case.
    pub prefix: &'static str,
    /// The query parameter that carries the key.
    pub query: Option<&'static str>,
    /// The cookie that carries a session.
    pub cookie: Option<&'static str>,
    /// The text that every key begins with.
    pub key_starts: &'static str,
}
