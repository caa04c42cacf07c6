//! Headers that are known under several names on the wire.

use http::{HeaderMap, HeaderName, HeaderValue};

/// A header by its canonical name, and every name it is accepted under; the first of those is the one we send.
#[derive(Debug)]
pub struct WireName {
    /// The name in the spec.
    pub canonical: &'static str,
    /// The names on the wire.
    pub accepts: &'static [HeaderName],
}

/// The header stands in the request twice with different values.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HeaderConflict;

impl WireName {
    /// The name that we send it under.
    ///
    /// # Panics
    /// When it has no name; the generator refuses such a spec.
    #[must_use]
    pub fn sent(&self) -> HeaderName {
        self.accepts.first().expect("the generator writes at least one name").clone()
    }

    /// True if the request has the header under any of its names.
    #[must_use]
    pub fn is_in(&self, headers: &HeaderMap) -> bool {
        self.accepts.iter().any(|name| headers.contains_key(name))
    }

    /// Every value of the header, under any of its names.
    pub fn values<'h>(&self, headers: &'h HeaderMap) -> impl Iterator<Item = &'h HeaderValue> {
        self.accepts.iter().flat_map(|name| headers.get_all(name))
    }

    /// The header's one value. Two names, or the same name twice, must agree.
    pub(super) fn value<'h>(&self, headers: &'h HeaderMap) -> Result<Option<&'h HeaderValue>, HeaderConflict> {
        let mut values = self.values(headers);
        let first = values.next();
        if values.all(|value| Some(value) == first) { Ok(first) } else { Err(HeaderConflict) }
    }

    pub(super) fn remove_from(&self, headers: &mut HeaderMap) {
        for name in self.accepts {
            headers.remove(name);
        }
    }
}
