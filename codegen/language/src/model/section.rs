//! The sections that hold named entries, as data.

/// The key of `changes` that names the release they are counted from.
pub(super) const SINCE: &str = "since";

/// The sections that hold named entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecSection {
    /// `wire_names`
    WireNames,
    /// `auth`
    Auth,
    /// `roles`
    Roles,
    /// `member_roles`
    MemberRoles,
    /// `proofs`
    Proofs,
    /// `rails`
    Rails,
    /// `limits`
    Limits,
    /// `request_objects`
    RequestObjects,
    /// `actors`
    Actors,
    /// `families`
    Families,
    /// `envelopes`
    Envelopes,
    /// `kinds`
    Kinds,
    /// `errors`
    Errors,
    /// `groups`
    Groups,
    /// `framework`
    Framework,
    /// `runtime_limits`
    RuntimeLimits,
    /// `runtime_headers`
    RuntimeHeaders,
    /// `parameters`
    Parameters,
    /// `operations`
    Operations,
    /// `types`
    Types,
    /// `machines`
    Machines,
    /// `fixtures`
    Fixtures,
    /// `examples`
    Examples,
    /// `untold`
    Untold,
    /// `facts`
    Facts,
    /// `changes`
    Changes,
}

impl SpecSection {
    /// All of them, in the order in which a reader would want them.
    pub const ALL: [Self; 26] = [
        Self::WireNames,
        Self::Auth,
        Self::Roles,
        Self::MemberRoles,
        Self::Proofs,
        Self::Rails,
        Self::Limits,
        Self::RequestObjects,
        Self::Actors,
        Self::Families,
        Self::Envelopes,
        Self::Kinds,
        Self::Errors,
        Self::Groups,
        Self::Framework,
        Self::RuntimeLimits,
        Self::RuntimeHeaders,
        Self::Parameters,
        Self::Operations,
        Self::Types,
        Self::Machines,
        Self::Fixtures,
        Self::Examples,
        Self::Untold,
        Self::Facts,
        Self::Changes,
    ];

    /// The key of the section in a file.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::WireNames => "wire_names",
            Self::Auth => "auth",
            Self::Roles => "roles",
            Self::MemberRoles => "member_roles",
            Self::Proofs => "proofs",
            Self::Rails => "rails",
            Self::Limits => "limits",
            Self::RequestObjects => "request_objects",
            Self::Actors => "actors",
            Self::Families => "families",
            Self::Envelopes => "envelopes",
            Self::Kinds => "kinds",
            Self::Errors => "errors",
            Self::Groups => "groups",
            Self::Framework => "framework",
            Self::RuntimeLimits => "runtime_limits",
            Self::RuntimeHeaders => "runtime_headers",
            Self::Parameters => "parameters",
            Self::Operations => "operations",
            Self::Types => "types",
            Self::Machines => "machines",
            Self::Fixtures => "fixtures",
            Self::Examples => "examples",
            Self::Untold => "untold",
            Self::Facts => "facts",
            Self::Changes => "changes",
        }
    }

    /// The key in it that is no entry but of the section itself.
    #[must_use]
    pub const fn own_key(self) -> Option<&'static str> {
        match self {
            Self::Changes => Some(SINCE),
            _ => None,
        }
    }

    /// The word for one of its entries, for sentences.
    #[must_use]
    pub const fn entry(self) -> &'static str {
        match self {
            Self::WireNames => "wire name",
            Self::Auth => "auth scheme",
            Self::Roles => "role",
            Self::MemberRoles => "role of members",
            Self::Proofs => "proof",
            Self::Rails => "rail",
            Self::Limits => "limit",
            Self::RequestObjects => "request object",
            Self::Actors => "actor",
            Self::Families => "family",
            Self::Envelopes => "envelope",
            Self::Kinds => "kind",
            Self::Errors => "error code",
            Self::Groups => "group",
            Self::Framework => "framework event",
            Self::RuntimeLimits => "bound of the runtime",
            Self::RuntimeHeaders => "header of the runtime",
            Self::Parameters => "parameter",
            Self::Operations => "operation",
            Self::Types => "type",
            Self::Machines => "machine",
            Self::Fixtures => "fixture",
            Self::Examples => "example",
            Self::Untold => "reason",
            Self::Facts => "fact",
            Self::Changes => "class of change",
        }
    }
}
