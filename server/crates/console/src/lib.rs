//! Floor 5: the pages for people.
//!
//! May import `topup`, of which the pages tell which rails are on and within which bounds. Cannot: read or change anything of
//! anybody. A page is the same for everybody and is written once, at the start; what is an account's own, its script asks for by
//! the operations of the spec, with the session or an order's token, as any client would.
//!
//! Invariants: a page loads nothing from anywhere else, and runs no script and wears no style but its own, which its policy
//! names by their hashes; nothing that comes from outside is put into it as markup.
//!
//! Start reading at [`Console::new`].

mod crypto_page;
mod docs;
mod handlers;
mod order_page;
mod page;
mod qr_code;

use std::sync::Arc;

use tollgate_base::Branding;
use tollgate_topup::Topups;
use tollgate_topup::x402::X402Payments;

use page::{PageBranding, RenderedPage};

pub use page::PageError;

/// The pages. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Console(Arc<ConsoleState>);

#[derive(Debug)]
struct ConsoleState {
    topups: Topups,
    x402: X402Payments,
    crypto: RenderedPage,
    order: RenderedPage,
}

impl Console {
    /// Writes the pages of a service with these rails and this branding.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn new(topups: Topups, x402: X402Payments, branding: &Branding) -> Result<Self, PageError> {
        let branding = PageBranding::of(branding);
        let (crypto, order) = (crypto_page::crypto(topups.config(), &branding)?, order_page::order(&branding)?);
        Ok(Self(Arc::new(ConsoleState { topups, x402, crypto, order })))
    }
}
