//! Files of a package before they are written.

/// The first line of every file of code.
pub(super) const ABOUT: &str = "Made by `codegen client`. Hands off: make it again.";

/// The function that makes a file; files are made side by side.
pub(super) type ClientFileJob<'p> = Box<dyn FnOnce() -> String + Send + 'p>;

/// A file on its way.
pub(super) fn job<'p>(
    path: impl Into<String>,
    text: impl FnOnce() -> String + Send + 'p,
) -> (String, ClientFileJob<'p>) {
    (path.into(), Box::new(text))
}
