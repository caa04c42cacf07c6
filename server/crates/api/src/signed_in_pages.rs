//! The pages of a service whose visitors sign in, and what these are shown in the place of one.

use std::fmt;
use std::sync::Arc;

use http::StatusCode;

use super::{Failure, ProxyReply};

/// A refusal of a page that a browser opens.
#[derive(Debug)]
pub struct VisitRefusal<'a> {
    /// The failure.
    pub failure: &'a Failure,
    /// Its status here.
    pub status: StatusCode,
    /// The id of the request.
    pub request_id: &'a str,
}

/// Writes the page that tells a refusal. Where there is none, the refusal stays JSON.
pub type RefusalPage = Arc<dyn Fn(&VisitRefusal<'_>) -> Option<ProxyReply> + Send + Sync>;

/// The pages of a service whose visitors sign in.
#[derive(Clone)]
pub struct SignedInPages {
    /// The paths that all of them are below.
    pub below: &'static [&'static str],
    /// True for the pages of operators, the only ones on a listener of their own.
    pub is_of_operators: bool,
    /// The path of the page where people sign in. It has to be public.
    pub sign_in: &'static str,
    /// The page that tells a browser any other error.
    pub refused: RefusalPage,
}

impl fmt::Debug for SignedInPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedInPages")
            .field("below", &self.below)
            .field("sign_in", &self.sign_in)
            .finish_non_exhaustive()
    }
}
