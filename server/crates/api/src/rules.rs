//! The spec's rules for requests as such, as data.

use std::time::Duration;

use http::{HeaderMap, Uri};

use super::family::is_below;
use super::{Envelope, Failure, Family, Framework, Scheme};

/// The spec's rules for requests as such.
/// These are the codes for what the runtime refuses, and the families that answer where no operation matched.
#[derive(Debug)]
pub struct Rules {
    /// The codes of the runtime's own refusals.
    pub framework: Framework,
    /// The families that answer where no operation matched; longer prefixes first, `/` last.
    pub families: &'static [Family],
    /// Path prefixes below which pages of any origin may call, without cookies.
    pub any_origin: &'static [&'static str],
    /// Path prefixes below which the operations of operators are.
    pub operator_paths: &'static [&'static str],
    /// Every scheme of the spec: none of their places reaches a handler.
    pub schemes: &'static [&'static Scheme],
    /// The most levels that a JSON body may be nested.
    pub json_levels: usize,
    /// The most parts that a form may have.
    pub multipart_parts: usize,
    /// The longest time that a body may stay silent.
    pub body_idle: Duration,
    /// The longest time that a body may take to arrive.
    pub body_total: Duration,
    /// The longest time that an operation may take to begin its answer where it waits for an upstream.
    pub proxy_total: Duration,
}

impl Rules {
    /// The failure of a request while too many are in flight.
    #[must_use]
    pub fn overloaded(&self) -> Failure {
        Failure::new(self.framework.overloaded)
    }

    /// The envelope of the family that a request belongs to.
    ///
    /// # Panics
    /// When the families have no entry for `/`; the generator refuses such a spec.
    #[must_use]
    pub fn family(&self, uri: &Uri, headers: &HeaderMap) -> &'static Envelope {
        let belongs = self.families.iter().find(|family| family.has(uri, headers));
        belongs.or(self.families.last()).expect("the generator writes a family for /").envelope
    }

    /// True if pages of any origin may call the operations at a path.
    pub(super) fn is_open(&self, path: &str) -> bool {
        self.any_origin.iter().any(|prefix| is_below(prefix, path))
    }

    /// True if the operations at a path are those of operators.
    pub(super) fn is_of_operators(&self, path: &str) -> bool {
        self.operator_paths.iter().any(|prefix| is_below(prefix, path))
    }
}
