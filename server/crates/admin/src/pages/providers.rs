//! `GET /admin/providers` and `GET /admin/providers/{name}`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::{link, segment};
use super::on_offer::settings_json;
use super::provider_hour::ProviderHour;
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{
    ShowProvider, ShowProviderError, ShowProviderInput, ShowProviders, ShowProvidersError, ShowProvidersInput,
};
use tollgate_api::generated::ops::admin_providers::{
    GetProvider, GetProviderError, GetProviderInput, ListProviders, ListProvidersInput,
};
use tollgate_api::generated::types::{
    CatalogOrigin, LoggedChange, OutputBoundField, Provider, ProviderFormat, ProviderHttp, ProviderState,
    UnknownMembers,
};
use tollgate_api::{Cx, ProxyReply};

/// The formats of providers, the most usual first.
const FORMATS: [ProviderFormat; 7] = [
    ProviderFormat::Chat,
    ProviderFormat::Responses,
    ProviderFormat::Messages,
    ProviderFormat::Generate,
    ProviderFormat::Pictures,
    ProviderFormat::PicturesLater,
    ProviderFormat::VideoA,
];
const HTTP_VERSIONS: [ProviderHttp; 3] = [ProviderHttp::Auto, ProviderHttp::Http1, ProviderHttp::Http2];
const BOUNDS: [OutputBoundField; 2] = [OutputBoundField::MaxCompletionTokens, OutputBoundField::MaxTokens];
const UNKNOWN: [UnknownMembers; 2] = [UnknownMembers::Refuse, UnknownMembers::Forward];

#[derive(Template)]
#[template(path = "providers.html")]
struct ProvidersPage {
    t: &'static Texts,
    frame: Frame,
    rows: Vec<ProviderRow>,
    /// The next page; empty on the last one.
    next: String,
}

/// A provider in the list.
struct ProviderRow {
    provider: Provider,
    hour: ProviderHour,
}

#[derive(Template)]
#[template(path = "provider.html")]
struct ProviderPage {
    t: &'static Texts,
    frame: Frame,
    provider: Provider,
    hour: ProviderHour,
    /// The path of its operation.
    api: String,
    settings: String,
    changes: Vec<LoggedChange>,
}

impl ProviderPage {
    /// True if the caller may change what it is.
    fn is_editable(&self) -> bool {
        self.frame.powers.catalog && self.provider.origin == CatalogOrigin::Api
    }

    /// True if it has a pair of keys in the place of one.
    fn has_pair(&self) -> bool {
        self.provider.settings.format == Some(ProviderFormat::VideoA)
    }
}

impl ShowProviders for Admin {
    async fn show_providers(&self, cx: &Cx, input: ShowProvidersInput) -> Result<ProxyReply, ShowProvidersError> {
        let ShowProvidersInput { caller, after } = input;
        let frame = self.frame_of_offer(&caller, Section::Providers);
        let after = after.filter(|after| !after.is_empty());
        let list = ListProvidersInput { caller: caller.clone(), limit: None, after, origin: None };
        let found = self.catalog.list_providers(cx, list).await;
        let found = found.map_err(|_| ShowProvidersError::LedgerUnavailable)?.data;
        let next = found.next.map(|after| link("/admin/providers", &[("after", &after)])).unwrap_or_default();
        let mut rows = Vec::with_capacity(found.providers.len());
        for provider in found.providers {
            let hour = self.provider_hour(cx, caller.clone(), provider.name.clone()).await;
            rows.push(ProviderRow { provider, hour });
        }
        Ok(reply::page(&ProvidersPage { t: frame.t, frame, rows, next }))
    }
}

impl ShowProvider for Admin {
    async fn show_provider(&self, cx: &Cx, input: ShowProviderInput) -> Result<ProxyReply, ShowProviderError> {
        let ShowProviderInput { caller, name } = input;
        let frame = self.frame_of_offer(&caller, Section::Providers);
        let get = GetProviderInput { caller: caller.clone(), name: name.clone() };
        let provider = self.catalog.get_provider(cx, get).await;
        let provider = provider.map_err(|error| match error {
            GetProviderError::CatalogNotFound { kind, name } => ShowProviderError::CatalogNotFound { kind, name },
            // It is logged.
            _ => ShowProviderError::LedgerUnavailable,
        })?;
        let (provider, api) = (provider.data, format!("/api/admin/providers/{}", segment(&name)));
        let hour = self.provider_hour(cx, caller.clone(), name.clone()).await;
        let changes = self.changes_of(cx, caller, "provider.", name).await;
        let changes = changes.ok_or(ShowProviderError::LedgerUnavailable)?;
        let settings = settings_json(&provider.settings);
        Ok(reply::page(&ProviderPage { t: frame.t, frame, provider, hour, api, settings, changes }))
    }
}
