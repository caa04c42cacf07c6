//! The facts of a package for its registry.

/// The facts of a package that a registry asks for, beside what the service does.
#[derive(Debug, Clone)]
pub struct PackageListing {
    /// The version.
    pub version: String,
    /// The name of the package; derived from that of the service where absent.
    pub name: Option<String>,
    /// The licence, as an SPDX expression.
    pub license: Option<String>,
    /// The address of its source.
    pub repository: Option<String>,
}

impl PackageListing {
    /// A package of this version, without any other fact.
    #[must_use]
    pub fn of(version: &str) -> Self {
        Self { version: version.to_owned(), name: None, license: None, repository: None }
    }
}
