//! `/api/admin/providers`: providers with their health.

use super::refusal::{Refusal, unavailable};
use super::{Provenance, after, is_fit, rewritten};
use crate::draft::{CatalogChange, ExpectedEntry, SecretChange};
use crate::entry::{EntryBody, EntryKind, EntryName};
use crate::live::LiveCatalog;
use crate::offer::UpstreamTable;
use crate::sealing::ProviderSecret;
use crate::service::CatalogService;
use tollgate_api::generated::ops::admin_providers::{
    ChangeProvider, ChangeProviderError, ChangeProviderInput, CreateProvider, CreateProviderError, CreateProviderInput,
    DrainProvider, DrainProviderError, DrainProviderInput, GetProvider, GetProviderError, GetProviderHealth,
    GetProviderHealthError, GetProviderHealthInput, GetProviderInput, ListProviders, ListProvidersError,
    ListProvidersInput, RemoveProvider, RemoveProviderError, RemoveProviderInput, ResealSecrets, ResealSecretsError,
    ResealSecretsInput, ResumeProvider, ResumeProviderError, ResumeProviderInput, TryProvider, TryProviderError,
    TryProviderInput,
};
use tollgate_api::generated::types::{
    CandidateHealth, CandidateState, CatalogRemoved, CatalogRemovedReply, Provider, ProviderHealth,
    ProviderHealthReply, ProviderListReply, ProviderMinute, ProviderPage, ProviderReply, ProviderRequest,
    ProviderSettings, ProviderState, ProviderTest, ProviderTestReply, ProviderUpdate, SecretsResealed,
    SecretsResealedReply,
};
use tollgate_api::{Cx, OperatorCaller, PageLimit, ShownOnce};
use tollgate_base::{Actor, rfc3339};

impl ListProviders for CatalogService {
    async fn list_providers(&self, _: &Cx, input: ListProvidersInput) -> Result<ProviderListReply, ListProvidersError> {
        let ListProvidersInput { limit, after: place, origin, .. } = input;
        let limit = PageLimit::new(limit, false);
        let live = self.live();
        let left_out = live.kept.entries.iter().filter(|entry| entry.name.kind == EntryKind::Provider);
        let names = live.merged.offer.upstreams.keys().chain(left_out.map(|entry| &entry.name.name)).cloned();
        let providers =
            after(names.collect(), place.as_deref()).into_iter().filter_map(|name| self.provider(&live, &name));
        let providers = providers.filter(|provider| origin.is_none_or(|origin| provider.origin == origin));
        let mut providers: Vec<_> = providers.take(limit.most_to_read()).collect();
        let next = limit.next_page(&mut providers, |last| last.name.clone());
        let data = ProviderPage { providers, next };
        Ok(ProviderListReply { success: true, message: String::new(), data })
    }
}

impl GetProvider for CatalogService {
    async fn get_provider(&self, _: &Cx, input: GetProviderInput) -> Result<ProviderReply, GetProviderError> {
        Ok(self.provider_reply(&input.name)?)
    }
}

impl GetProviderHealth for CatalogService {
    async fn get_provider_health(
        &self,
        _: &Cx,
        input: GetProviderHealthInput,
    ) -> Result<ProviderHealthReply, GetProviderHealthError> {
        self.provider_reply(&input.name)?;
        // One that cannot be used is unknown to the gateway.
        let minutes = self.gateway().provider_minutes(&input.name).unwrap_or_default();
        let data = ProviderHealth { minutes: minutes.iter().map(minute).collect() };
        Ok(ProviderHealthReply { success: true, message: String::new(), data })
    }
}

/// A minute in the words of the spec.
fn minute(minute: &tollgate_gateway::ProviderMinute) -> ProviderMinute {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    ProviderMinute {
        at: rfc3339(minute.start_ms),
        requests: number(minute.attempts),
        failures: number(minute.failures),
        limited: number(minute.limited),
        first_byte_ms: minute.first_byte.map(|mean| i64::try_from(mean.as_millis()).unwrap_or(i64::MAX)),
        breaker_openings: number(minute.openings),
    }
}

impl CreateProvider for CatalogService {
    async fn create_provider(&self, cx: &Cx, input: CreateProviderInput) -> Result<ProviderReply, CreateProviderError> {
        let ProviderRequest { name, settings, api_key, access_key, secret_key, reason } = input.body;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        if !is_fit(&name) {
            return Err(Refusal::field("name", "without line breaks and outer spaces", &name).into());
        }
        let secret = secret(api_key, access_key, secret_key).map_or(SecretChange::Keep, SecretChange::Set);
        let change = CatalogChange::create(EntryKind::Provider, &name, EntryBody::Provider(table(&settings)?));
        let change = change.with_secret(secret);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, ""))?;
        Ok(self.provider_reply(&name)?)
    }
}

impl ChangeProvider for CatalogService {
    async fn change_provider(&self, cx: &Cx, input: ChangeProviderInput) -> Result<ProviderReply, ChangeProviderError> {
        let ChangeProviderInput { name, if_match, caller, body, .. } = input;
        let ProviderUpdate { settings, api_key, access_key, secret_key, drop_secret, reason } = body;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let secret = match (secret(api_key, access_key, secret_key), drop_secret.unwrap_or(false)) {
            (Some(_), true) => {
                return Err(Refusal::field("drop_secret", "false beside a new secret", "true").into());
            }
            (Some(secret), false) => SecretChange::Set(secret),
            (None, true) => SecretChange::Drop,
            (None, false) => SecretChange::Keep,
        };
        let body = EntryBody::Provider(table(&settings)?);
        let change = CatalogChange::replace(EntryKind::Provider, &name, body, &if_match).with_secret(secret);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(self.provider_reply(&name)?)
    }
}

impl RemoveProvider for CatalogService {
    async fn remove_provider(
        &self,
        cx: &Cx,
        input: RemoveProviderInput,
    ) -> Result<CatalogRemovedReply, RemoveProviderError> {
        let RemoveProviderInput { name, if_match, caller, reason, .. } = input;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        // One of the same name that is added later is not drained.
        let changes = vec![
            CatalogChange::remove(EntryKind::Provider, &name, &if_match),
            CatalogChange::of(EntryKind::Drain, &name, None, ExpectedEntry::Anything),
        ];
        self.change(changes, actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(CatalogRemovedReply { success: true, message: String::new(), data: CatalogRemoved { name } })
    }
}

impl DrainProvider for CatalogService {
    async fn drain_provider(&self, cx: &Cx, input: DrainProviderInput) -> Result<ProviderReply, DrainProviderError> {
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: input.reason.as_deref().unwrap_or_default() };
        Ok(self.set_draining(cx, &input.name, Some(EntryBody::Drain), actor).await?)
    }
}

impl ResumeProvider for CatalogService {
    async fn resume_provider(&self, cx: &Cx, input: ResumeProviderInput) -> Result<ProviderReply, ResumeProviderError> {
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: input.reason.as_deref().unwrap_or_default() };
        Ok(self.set_draining(cx, &input.name, None, actor).await?)
    }
}

impl TryProvider for CatalogService {
    async fn try_provider(&self, cx: &Cx, input: TryProviderInput) -> Result<ProviderTestReply, TryProviderError> {
        let TryProviderInput { name, body, caller, .. } = input;
        self.provider_reply(&name)?;
        // The provider bills it, so the log tells who asked.
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: "" };
        self.note(actor, "provider.test", &name, &body.model).await.map_err(|error| {
            unavailable(cx, &error);
            TryProviderError::LedgerUnavailable
        })?;
        let test = self.gateway().try_provider(&name, &body.model).await;
        let test = test.ok_or_else(|| Refusal::not_found(EntryKind::Provider, &name))?;
        let data = ProviderTest {
            answered: test.answered,
            status: test.status.map(i64::from),
            duration_ms: i64::try_from(test.duration.as_millis()).unwrap_or(i64::MAX),
            answer: test.answer,
        };
        Ok(ProviderTestReply { success: true, message: String::new(), data })
    }
}

impl ResealSecrets for CatalogService {
    async fn reseal_secrets(
        &self,
        cx: &Cx,
        input: ResealSecretsInput,
    ) -> Result<SecretsResealedReply, ResealSecretsError> {
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: input.reason.as_deref().unwrap_or_default() };
        let resealed = self.reseal(actor).await.map_err(|error| Refusal::of(cx, error, ""))?;
        let key_id = self.terms().keys.ids().next().unwrap_or_default().to_owned();
        let data = SecretsResealed { resealed: i64::try_from(resealed).unwrap_or(i64::MAX), key_id };
        Ok(SecretsResealedReply { success: true, message: String::new(), data })
    }
}

impl CatalogService {
    async fn set_draining(
        &self,
        cx: &Cx,
        name: &str,
        body: Option<EntryBody>,
        actor: Actor<'_>,
    ) -> Result<ProviderReply, Refusal> {
        // What drains has to be there, and may have been added at another server a moment ago.
        self.refresh().await.map_err(|error| Refusal::of(cx, error, ""))?;
        self.provider_reply(name)?;
        let change = CatalogChange::of(EntryKind::Drain, name, body, ExpectedEntry::Anything);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, ""))?;
        self.provider_reply(name)
    }

    fn provider_reply(&self, name: &str) -> Result<ProviderReply, Refusal> {
        let data = self.provider(&self.live(), name);
        let data = data.ok_or_else(|| Refusal::not_found(EntryKind::Provider, name))?;
        Ok(ProviderReply { success: true, message: String::new(), data })
    }

    /// A provider in the words of the spec.
    fn provider(&self, live: &LiveCatalog, name: &str) -> Option<Provider> {
        let entry = live.kept.find(&EntryName::new(EntryKind::Provider, name));
        let table = match (live.merged.offer.upstreams.get(name), entry) {
            (Some(table), _) => table.clone(),
            (None, entry) => crate::entry::provider_table(entry?)?,
        };
        // A name that the configuration has is the configuration's.
        let configured = &live.configured;
        let entry = entry.filter(|_| !configured.offer.offer.upstreams.contains_key(name));
        let Provenance { origin, fault, changed_at, changed_by, version } = Provenance::of(live, entry);
        let sealed = entry.and_then(|_| live.kept.secrets.get(name));
        let config = live.merged.config.upstreams.get(name);
        let drains = live.merged.config.draining.contains(name);
        let models = self.gateway().candidates_at(name).into_iter().map(|report| CandidateHealth {
            model: report.model,
            upstream_model: report.upstream_model,
            state: if report.is_open { CandidateState::Open } else { CandidateState::Closed },
            latency_ms: report.latency.map(|latency| i64::try_from(latency.as_millis()).unwrap_or(i64::MAX)),
        });
        Some(Provider {
            name: name.to_owned(),
            origin,
            state: match (&fault, drains) {
                (Some(_), _) => ProviderState::LeftOut,
                (None, true) => ProviderState::Draining,
                (None, false) => ProviderState::Serving,
            },
            fault,
            settings: settings(&table)?,
            has_secret: sealed.is_some()
                || config.is_some_and(|config| config.api_key.is_some() || config.key_pair.is_some()),
            secret_key_id: sealed.map(|sealed| sealed.key_id.clone()),
            secret_set_at: sealed.map(|sealed| rfc3339(sealed.set_at_ms)),
            models: models.collect(),
            changed_at,
            changed_by,
            version,
        })
    }
}

/// A provider as the configuration would have it.
fn table(settings: &ProviderSettings) -> Result<UpstreamTable, Refusal> {
    rewritten(settings).map_err(|error| Refusal::unusable("settings", error.to_string()))
}

/// A provider in the words of the spec, without what may be a credential in its address.
fn settings(table: &UpstreamTable) -> Option<ProviderSettings> {
    let shown = table.clone().at(without_credentials(&table.base_url));
    rewritten(&shown).ok()
}

/// An address without user name, password, query and fragment.
fn without_credentials(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
    format!("{scheme}://{host}{path}")
}

/// The secret of a request, where it has one.
fn secret(
    api_key: Option<ShownOnce>,
    access_key: Option<ShownOnce>,
    secret_key: Option<ShownOnce>,
) -> Option<ProviderSecret> {
    let [api_key, access_key, secret_key] = [api_key, access_key, secret_key].map(|key| key.map(|key| key.0));
    let secret = ProviderSecret { api_key, access_key, secret_key };
    (secret != ProviderSecret::default()).then_some(secret)
}

#[cfg(test)]
mod tests {
    use super::without_credentials;

    #[test]
    fn an_address_is_shown_without_its_user() {
        for (address, shown) in [
            ("https://a.example/v1", "https://a.example/v1"),
            ("https://user:pa@ss@a.example:8443/v1", "https://a.example:8443/v1"),
            ("https://a.example/@x", "https://a.example/@x"),
            ("https://a.example/v1?key=sk-1#x", "https://a.example/v1"),
            ("https://a.example?key=sk-1", "https://a.example"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without_credentials(address), shown);
        }
    }
}
