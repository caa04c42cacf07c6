//! The shape in which a request is refused that no operation answers.

use http::{HeaderMap, Uri};

use super::{Envelope, Probe};

/// Requests below one prefix, and the shape of what is answered there where no operation matched.
#[derive(Debug)]
pub struct Family {
    prefix: &'static str,
    verbs: bool,
    with: Option<Probe>,
    pub(super) envelope: &'static Envelope,
}

impl Family {
    /// All paths under a prefix.
    #[must_use]
    pub const fn new(prefix: &'static str, envelope: &'static Envelope) -> Self {
        Self { prefix, verbs: false, with: None, envelope }
    }

    /// The paths under a prefix that end with a verb: `/v1/models/x:countTokens`.
    #[must_use]
    pub const fn of_verbs(prefix: &'static str, envelope: &'static Envelope) -> Self {
        Self { prefix, verbs: true, with: None, envelope }
    }

    /// The requests among them that have something.
    #[must_use]
    pub const fn with(self, probe: Probe) -> Self {
        Self { prefix: self.prefix, verbs: self.verbs, with: Some(probe), envelope: self.envelope }
    }

    pub(super) fn has(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        is_below(self.prefix, uri.path())
            && (!self.verbs || ends_with_verb(uri.path()))
            && self.with.as_ref().is_none_or(|probe| probe.is_in(headers, uri.query()))
    }
}

/// True if a path is the prefix itself, or goes on below it with a segment of its own.
pub(super) fn is_below(prefix: &str, path: &str) -> bool {
    let below = path.strip_prefix(prefix.trim_end_matches('/'));
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// True if a path ends with a verb: a colon and letters, the first of them small.
/// Names of models have colons too, but not this after the last.
pub(super) fn ends_with_verb(path: &str) -> bool {
    let is_verb = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let last = path.rsplit('/').next().unwrap_or_default();
    let mut after_colon = [":", "%3A", "%3a"].into_iter().filter_map(|colon| last.rsplit_once(colon));
    after_colon.any(|(_, verb)| is_verb(verb))
}
