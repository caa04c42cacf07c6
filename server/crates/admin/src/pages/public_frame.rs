//! The branding around a page for people who are not signed in.

use std::sync::Arc;

use tollgate_base::Branding;

/// The frame of a page for people who are not signed in.
#[derive(Debug)]
pub(super) struct PublicFrame {
    pub(super) branding: Arc<Branding>,
}
