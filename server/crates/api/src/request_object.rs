//! The members and kinds that a model request may hold: tables generated from the spec's `request_objects`.

use http::Uri;

/// An object that may stand in a model request, with every member and kind that is known in it.
#[derive(Debug)]
pub struct RequestObject {
    /// Its name in the spec.
    pub name: &'static str,
    /// True if a text in its place is the id of something kept at the provider.
    pub text_is_state: bool,
    /// Its members, sorted by the lengths of their names and then by these.
    pub members: &'static [(&'static str, MemberClass)],
    /// The member whose text says what kind it is.
    pub kind_in: Option<&'static str>,
    /// Its kinds, sorted in the same way; one that ends in `*` stands for all that begin so.
    pub kinds: &'static [(&'static str, MemberClass)],
}

/// The class of a member or kind of a request object.
#[derive(Debug, Clone, Copy)]
pub enum MemberClass {
    /// Nothing beyond the tokens of prompt and answer.
    Free,
    /// Nothing beyond these tokens; its objects are looked into.
    Holds(&'static RequestObject),
    /// A tool that the client runs.
    Client,
    /// Something that the provider runs for tokens that its answer reports.
    Tokens,
    /// Something that is charged for by use, at the price of this name.
    Sold(&'static str),
    /// A class of service; these values cost the base price.
    Tier(&'static [&'static str]),
    /// An address; these hosts, and those below them, are of what the provider keeps itself.
    Address(&'static [&'static str]),
    /// Something kept at the provider under the operator's name.
    State,
    /// Another model than the one that was asked for.
    Model,
}

impl RequestObject {
    /// The class of a member; `None` for one that is not known.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<MemberClass> {
        found(self.members, name)
    }

    /// The class of a kind; `None` for one that is not known.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<MemberClass> {
        let begins =
            |(known, _): &&(&str, MemberClass)| known.strip_suffix('*').is_some_and(|start| name.starts_with(start));
        found(self.kinds, name).or_else(|| self.kinds.iter().find(begins).map(|(_, class)| *class))
    }
}

/// True if the thing that an address names is kept at the provider.
/// That is so where it is no address of the web, or its host is one of the provider's own, or below one.
#[must_use]
pub fn is_kept_by_provider(own: &[&str], address: &str) -> bool {
    let address = address.to_ascii_lowercase().parse::<Uri>().ok();
    let address = address.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
    // A host may end with a dot.
    let host = address.as_ref().and_then(Uri::host).map(|host| host.strip_suffix('.').unwrap_or(host));
    let is_own = |host: &str| {
        let within =
            |own: &&str| host.strip_suffix(*own).is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '-']));
        own.iter().any(within)
    };
    host.is_none_or(is_own)
}

/// The class of a name in a table that is sorted by lengths first: the table has these in it, and the names lie elsewhere.
fn found(table: &[(&str, MemberClass)], name: &str) -> Option<MemberClass> {
    table.binary_search_by(|(known, _)| (known.len(), *known).cmp(&(name.len(), name))).ok().map(|at| table[at].1)
}
