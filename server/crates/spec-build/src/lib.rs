//! The pages of `/docs` and OpenAPI 3.0.3, as the build script makes them of `spec/` and of the guides.
//!
//! The script also keeps the generated files of `api` and `store` what `spec/` says: those crates depend on this one, so that
//! they are compiled after it has run.

/// A file of the documentation.
#[derive(Debug, Clone, Copy)]
pub struct DocsFile {
    /// Its name in addresses; `index` is the first page.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its entity tag, which changes with its bytes.
    pub tag: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// The service in OpenAPI 3.0.3.
pub static OPENAPI_30: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi-3.0.json"));

/// All files of `/docs`, by name.
pub static DOCS_FILES: &[DocsFile] = include!(concat!(env!("OUT_DIR"), "/docs.rs"));
