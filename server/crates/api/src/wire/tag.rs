//! The member by which the kinds of a union are told apart.

/// The discriminator to be written among the members of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'k> {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub kind: &'k str,
}
