//! Bounds on the headers of a request, counted alike for both versions of HTTP.
//!
//! hyper has bounds of its own, in other measures and with bare answers; they are set well above these, so that they
//! bound memory and these decide. Its answers are the spec's too (`bare-refusals`): 400 and 431, never another.

use http::{HeaderMap, Uri};

use tollgate_api::generated::errors::code;
use tollgate_api::{Code, Failure};

/// The most that the head of a request may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeaderBounds {
    pub(super) count: usize,
    pub(super) bytes: usize,
}

impl HeaderBounds {
    /// Says what is too much, if anything is.
    pub(super) fn check(self, target: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        if headers.len() > self.count {
            return Err(too_large(format!("{} headers", self.count)));
        }
        let target = target.path_and_query().map_or(0, |target| target.as_str().len());
        let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        if target + bytes > self.bytes {
            return Err(too_large(format!("{} bytes, the path included", self.bytes)));
        }
        Ok(())
    }
}

fn too_large(limit: String) -> Failure {
    code::HeadersTooLarge { limit }.failure()
}
