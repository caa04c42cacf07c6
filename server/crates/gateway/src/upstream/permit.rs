//! Permits for the concurrent requests at one provider.

use tokio::sync::OwnedSemaphorePermit;

/// A permit for one of the concurrent requests at a provider, released when it is dropped.
#[derive(Debug)]
pub struct UpstreamPermit(
    #[expect(dead_code, reason = "given back when it is dropped")] pub(super) Option<OwnedSemaphorePermit>,
);

impl UpstreamPermit {
    /// A permit that counts against no limit.
    #[must_use]
    pub const fn unbounded() -> Self {
        Self(None)
    }
}

/// The error of a provider that has its most requests under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpstreamAtLimit;
