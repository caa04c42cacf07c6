//! Providers of OpenID Connect: what is asked of them, and who they say that somebody is.
//!
//! Knows nothing of accounts. Start reading at [`OidcProvider::begin`].

mod answer;
mod call;
mod config;
mod discovery;
mod error;
mod id_token;
mod logout_token;
mod person;
mod provider;
mod sign_in_secret;
mod signature;
mod signed_token;

pub use self::answer::{OidcAnswer, OidcStart};
pub use self::config::{GroupRole, OidcProviderConfig};
pub(super) use self::error::OidcError;
pub use self::error::{OidcClientError, UnusableSignInProvider};
pub(super) use self::logout_token::{OidcLogout, read as read_logout_token};
pub(super) use self::person::OidcPerson;
pub(super) use self::provider::OidcProvider;
pub use self::provider::check_sign_in_providers;
pub(super) use self::sign_in_secret::OidcPurpose;
