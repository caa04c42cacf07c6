//! Floor 5: the pages for people.
//!
//! Two kinds. The pages on which a payment is made and followed are the same for everybody and are written once, at the start; what
//! is an account's own, their script asks for by the operations of the spec, with the session or an order's token, as any client
//! would. The pages of [`AccountPages`] are written for each request, with what the account that is signed in to may see; they read
//! by the handlers of other rooms, and change nothing.
//!
//! Invariants: a page loads nothing from anywhere else, and runs no script and wears no style but its own, which its policy
//! names; nothing that comes from outside is put into it as markup.
//!
//! Start reading at [`Console::new`] and [`AccountPages`].

mod account;
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

pub use account::{AccountPages, signed_in_pages};
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
