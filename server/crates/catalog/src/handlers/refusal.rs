//! The reasons for which an operation about what is on offer is refused, and the closed errors of each operation.

use tollgate_api::Cx;
use tollgate_api::generated::ops::admin_groups::{ChangeGroupError, CreateGroupError, RemoveGroupError};
use tollgate_api::generated::ops::admin_models::{
    ChangeOfferedModelError, CreateOfferedModelError, GetOfferedModelError, QuoteModelError, RemoveOfferedModelError,
};
use tollgate_api::generated::ops::admin_prices::{
    ComparePriceListError, CreatePriceError, GetPriceError, ImportPriceListError, RemovePriceError, ReplacePriceError,
};
use tollgate_api::generated::ops::admin_providers::{
    ChangeProviderError, CreateProviderError, DrainProviderError, GetProviderError, GetProviderHealthError,
    RemoveProviderError, ResealSecretsError, ResumeProviderError, TryProviderError,
};

use crate::entry::{EntryKind, EntryName};
use crate::error::CatalogError;
use crate::offer::UnplacedComplaint;

/// The reason where a model names a price that is not there.
const NO_PRICE: &str = "there is no such price, and a model without a price is not sold: add the price first";

/// A refusal, with the names that it has among the errors of operations.
#[derive(Debug)]
pub(super) enum Refusal {
    BadField { field: String, expected: String, found: String },
    CatalogNotFound { kind: String, name: String },
    CatalogNameTaken { kind: String, name: String },
    CatalogConfigured { kind: String, name: String },
    CatalogUnusable { field: String, reason: String },
    CatalogInUse { kind: String, name: String, by: String },
    CatalogNoSecrets,
    CatalogSandbox,
    ChangedMeanwhile { version: String },
    LedgerUnavailable,
}

impl Refusal {
    /// A member of the body that cannot be used.
    pub(super) fn field(field: &str, expected: impl Into<String>, found: &str) -> Self {
        Self::BadField { field: field.to_owned(), expected: expected.into(), found: found.to_owned() }
    }

    /// A member of the body that does not go with the rest of what is on offer.
    pub(super) fn unusable(field: &str, reason: impl Into<String>) -> Self {
        Self::CatalogUnusable { field: field.to_owned(), reason: reason.into() }
    }

    /// There is nothing of that name.
    pub(super) fn not_found(kind: EntryKind, name: &str) -> Self {
        Self::CatalogNotFound { kind: kind.as_str().to_owned(), name: name.to_owned() }
    }

    /// The refusal for an error of this room; `if_match` is the version that was named. Logs, once, what callers are not told.
    pub(super) fn of(cx: &Cx, error: CatalogError, if_match: &str) -> Self {
        let of = |EntryName { kind, name }| (EntryKind::as_str(kind).to_owned(), name);
        match error {
            CatalogError::NotFound(EntryName { kind, name }) => Self::not_found(kind, &name),
            CatalogError::NameTaken(name) => {
                let (kind, name) = of(name);
                Self::CatalogNameTaken { kind, name }
            }
            CatalogError::Configured(name) => {
                let (kind, name) = of(name);
                Self::CatalogConfigured { kind, name }
            }
            CatalogError::InUse { name, by } => {
                let (kind, name) = of(name);
                Self::CatalogInUse { kind, name, by }
            }
            CatalogError::Changed(_) => Self::ChangedMeanwhile { version: if_match.to_owned() },
            CatalogError::Invalid(complaint) => Self::of_complaint(&complaint),
            CatalogError::NoSealingKey => Self::CatalogNoSecrets,
            CatalogError::Sandbox => Self::CatalogSandbox,
            error @ (CatalogError::GroupMissing(_) | CatalogError::Store(_) | CatalogError::Upstream(_)) => {
                unavailable(cx, &error);
                Self::LedgerUnavailable
            }
        }
    }

    /// The refusal of something that cannot be used as it is written, at the member of the body.
    fn of_complaint(complaint: &UnplacedComplaint) -> Self {
        let key = complaint.path.get(2..).unwrap_or_default().join(".");
        let message = complaint.message.as_str();
        let (field, reason) = match (complaint.path.first().map(String::as_str), key.as_str()) {
            // A model names its price, which stands elsewhere.
            (Some("models"), "price") => ("settings.listed_as".to_owned(), NO_PRICE),
            (Some("models"), key) if key.starts_with("price.") => ("settings.listed_as".to_owned(), message),
            (Some("groups"), "") => ("ratio".to_owned(), message),
            (Some("groups"), key) => (key.to_owned(), message),
            // Beside the settings of a provider.
            (_, "api_key") => ("api_key".to_owned(), message),
            (_, "") => ("settings".to_owned(), message),
            (_, key) => (format!("settings.{key}"), message),
        };
        Self::unusable(&field, reason)
    }

    /// The refusal of a list of prices: of one that cannot be used, with its name; and where something was changed meanwhile.
    pub(super) fn of_list(cx: &Cx, error: CatalogError, if_match: &str) -> Self {
        match error {
            CatalogError::Invalid(complaint) => {
                let place = complaint.path.get(1..).unwrap_or_default().join(".");
                Self::unusable("list", format!("{place}: {}", complaint.message))
            }
            CatalogError::NotFound(_) | CatalogError::NameTaken(_) | CatalogError::Configured(_) => {
                Self::ChangedMeanwhile { version: if_match.to_owned() }
            }
            error => Self::of(cx, error, if_match),
        }
    }
}

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
pub(super) fn unavailable(cx: &Cx, error: &(dyn std::error::Error + 'static)) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "what is on offer could not be read or changed");
}

/// Refusals as errors of an operation. One that it has no code for cannot come of what it does.
macro_rules! refusals {
    ($($error:ident: $($code:ident { $($field:ident)* })+;)+) => {
        $(impl From<Refusal> for $error {
            fn from(refusal: Refusal) -> Self {
                match refusal {
                    $(Refusal::$code { $($field),* } => Self::$code { $($field),* },)+
                    other => {
                        if !matches!(other, Refusal::LedgerUnavailable) {
                            tracing::error!(refusal = ?other, "an operation has no code for its refusal");
                        }
                        Self::LedgerUnavailable
                    }
                }
            }
        })+
    };
}

refusals! {
    GetProviderError: CatalogNotFound {kind name};
    GetProviderHealthError: CatalogNotFound {kind name};
    CreateProviderError: BadField {field expected found} CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNameTaken {kind name} CatalogNoSecrets {};
    ChangeProviderError: BadField {field expected found} CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNotFound {kind name} ChangedMeanwhile {version} CatalogNoSecrets {};
    RemoveProviderError: CatalogNotFound {kind name} CatalogConfigured {kind name} CatalogInUse {kind name by} CatalogSandbox {} ChangedMeanwhile {version};
    DrainProviderError: CatalogNotFound {kind name} CatalogSandbox {};
    ResumeProviderError: CatalogNotFound {kind name} CatalogSandbox {};
    TryProviderError: CatalogNotFound {kind name};
    ResealSecretsError: CatalogNoSecrets {} CatalogUnusable {field reason};
    GetOfferedModelError: CatalogNotFound {kind name};
    CreateOfferedModelError: BadField {field expected found} CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNameTaken {kind name};
    ChangeOfferedModelError: CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNotFound {kind name} ChangedMeanwhile {version};
    RemoveOfferedModelError: CatalogNotFound {kind name} CatalogConfigured {kind name} CatalogInUse {kind name by} CatalogSandbox {} ChangedMeanwhile {version};
    QuoteModelError: BadField {field expected found} CatalogNotFound {kind name};
    GetPriceError: CatalogNotFound {kind name};
    CreatePriceError: BadField {field expected found} CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNameTaken {kind name};
    ReplacePriceError: CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNotFound {kind name} ChangedMeanwhile {version};
    RemovePriceError: CatalogNotFound {kind name} CatalogConfigured {kind name} CatalogInUse {kind name by} CatalogSandbox {} ChangedMeanwhile {version};
    ComparePriceListError: CatalogUnusable {field reason};
    ImportPriceListError: CatalogUnusable {field reason} CatalogSandbox {} ChangedMeanwhile {version};
    CreateGroupError: BadField {field expected found} CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNameTaken {kind name};
    ChangeGroupError: CatalogUnusable {field reason} CatalogConfigured {kind name} CatalogSandbox {} CatalogNotFound {kind name} ChangedMeanwhile {version};
    RemoveGroupError: CatalogNotFound {kind name} CatalogConfigured {kind name} CatalogInUse {kind name by} CatalogSandbox {} ChangedMeanwhile {version};
}
