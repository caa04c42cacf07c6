//! Facts of the spec about an error code: its kind, statuses, names and words.

/// One error code as `errors:` in the spec declares it.
#[derive(Debug)]
pub struct CodeInfo {
    /// The code's own name: `KEY_INVALID`.
    pub code: &'static str,
    /// Its kind, named per envelope style.
    pub kind: &'static Kind,
    /// The HTTP status where neither style nor operation says otherwise and the handler chose no other.
    pub http: u16,
    /// The other statuses that a handler may choose.
    pub http_also: &'static [u16],
    /// Other statuses, by envelope name or style.
    pub http_in: &'static [(&'static str, u16)],
    /// Other wire names, by envelope name or style.
    pub names: &'static [(&'static str, &'static str)],
    /// The sentence for people, with `{name}` for values of `with`.
    pub say: &'static str,
    /// The act by which the caller can mend it.
    pub remedy: &'static str,
    /// The values that travel with the code, in the order of the spec.
    pub with: &'static [&'static str],
    /// The advice on sending the same again.
    pub retry: Retry,
}

/// The advice to a client on sending the same request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It will fail again: `x-should-retry: false`.
    Never,
    /// It may succeed at once: `x-should-retry: true`.
    Now,
    /// It may succeed after `Retry-After`: `x-should-retry: true`.
    After,
}

/// A class of failures and its name in each envelope style.
#[derive(Debug)]
pub struct Kind {
    /// The spec's own name, used by the account envelopes.
    pub name: &'static str,
    /// Names by style; a style that is not listed uses `name`.
    pub names: &'static [(&'static str, &'static str)],
}

impl Kind {
    /// The name in envelopes of `style`.
    #[must_use]
    pub fn name_in(&self, style: &str) -> &'static str {
        pick(self.names, style).unwrap_or(self.name)
    }
}

/// The value listed under `key` in a short table of the spec.
pub(super) fn pick<T: Copy>(table: &[(&'static str, T)], key: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
}
