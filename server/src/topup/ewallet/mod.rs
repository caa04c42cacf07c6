//! The rail of hosted checkout pages: what a payment provider is asked, what it answers, and what it reports by itself.
//!
//! May import `base` and the limits of the spec; of this room, what an order and a payment are. Cannot: find or write an
//! order, move money, or answer a client; whoever calls it decides what an answer means for an order.
//!
//! Invariants: nothing of a provider is believed before its signature over the raw bytes was verified; an answer that does
//! not say for certain how a payment ended is [`ProviderError::Unknown`] and never a failure; amounts are whole cents in
//! integers. Start reading at [`CheckoutProvider`], then [`Antom`].

mod action;
mod ask;
mod cents;
mod client;
mod code;
mod config;
mod keys;
mod money;
mod notice;
mod payment_id;
mod provider;
pub mod published;
mod sign;
mod wire;

pub use cents::{Cents, NotWholeCents};
pub use client::{Antom, ClientError};
pub use config::{Config, RequestTimeFormat, WalletOption, called_path, default_wallets};
pub use keys::{KeyError, SigningKey, VerifyingKey, VerifyingKeys};
pub use money::{OrderMismatch, confirm_payment};
pub use notice::{AuthenticityError, NoticeOutcome, NoticeRefused, PaymentNotice, UnusableNotice, reread};
pub use payment_id::PaymentId;
pub use provider::{
    CheckoutOrder, CheckoutPage, CheckoutProvider, OrderRef, ProviderError, ProviderStatus, RawRequest, RawResponse,
    UncertainAnswer,
};
pub use sign::{BadSignature, CLIENT_ID, REQUEST_TIME, RESPONSE_TIME, SIGNATURE, SignatureHeader, SignatureInput};

#[cfg(test)]
mod tests;
