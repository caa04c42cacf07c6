//! `tollgate check`: explains a configuration that has been loaded and is valid.

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::{ServerMode, Settings};
use tollgate_base::{Branding, Clock, Logo, SchemeColours, ServiceName, with_causes};
use tollgate_identities::check_sign_in_providers;
use tollgate_net::Mailer;
use tollgate_store::{
    ConnectionCapacity, StandbyRisk, Store, StoreConfig, StoreError, capacity, check_clock, check_mode, standby_risk,
};
use tollgate_topup::x402::ChainAdvice;
use tollgate_topup::{OrphanOrigin, OrphanedPayments};

use super::output::{CommandOutput, CommandResult, table};

pub(super) async fn check(settings: &Settings, output: CommandOutput) -> CommandResult {
    // Builds every upstream's client: an address or key that cannot be used fails here and not at the first request.
    tollgate_gateway::Catalog::build(&settings.gateway, &Clock::system())?;
    tollgate_net::install_tls();
    // Asks each chain: a token that is not as it is written must not be found out by a payment.
    let remarks = tollgate_topup::x402::check_chains(&settings.topup).await?;
    check_parties(settings).await?;
    let store_config = crate::app::store_config(settings);
    let ledger = ask(settings, &store_config).await?;
    let models = &settings.gateway.models;
    let rows: Vec<Vec<String>> = models
        .iter()
        .map(|(name, model)| {
            let upstreams: Vec<&str> = model.candidates.iter().map(|candidate| candidate.upstream.as_str()).collect();
            let price = |picos: tollgate_base::PicoUsd| picos.to_string();
            vec![
                name.clone(),
                price(model.tariff.base.prompt),
                price(model.tariff.base.completion),
                upstreams.join(", "),
            ]
        })
        .collect();
    let mode = match settings.mode {
        ServerMode::Sandbox => "sandbox",
        ServerMode::Production => "production",
    };
    let mut text = format!("the configuration can be used: mode {mode}, listening on {}", settings.listen);
    if settings.sandbox {
        text.push_str("\nthe sandbox provider is on: its answers are not a model's");
        text.push_str("\nthe sandbox payment provider is on: no money moves on its checkout page");
    }
    for line in branding_lines(&settings.branding) {
        text.push_str(&format!("\n{line}"));
    }
    for line in asked_lines(settings) {
        text.push_str(&format!("\n{line}"));
    }
    for remark in &remarks {
        text.push_str(&format!("\nthe chain `{}` {remark}", remark.chain));
    }
    for line in ledger.lines() {
        text.push_str(&format!("\n{line}"));
    }
    if !rows.is_empty() {
        text.push_str("\n\n");
        text.push_str(&table(&["MODEL", "PROMPT USD/M", "COMPLETION USD/M", "UPSTREAMS"], &rows));
    }
    text.insert_str(text.find('\n').unwrap_or(text.len()), &format!("\nthe ledger is {store_config}"));
    let names: Vec<Value> = models.keys().map(|name| json!(name)).collect();
    output.result(
        &text,
        &json!({
            "usable": true, "mode": mode, "console": branding_json(&settings.branding), "listen": settings.listen.to_string(), "sandbox": settings.sandbox,
            "ledger": store_config.to_string(), "stranded": ledger.stranded.map(|stranded| stranded.iter().map(open_item_json).collect::<Vec<_>>()),
            "connections": ledger.capacity.map(connections),
            "standbys": ledger.standbys.as_ref().map(ToString::to_string),
            "remarks": remarks.iter().map(remark_json).collect::<Vec<_>>(), "models": names,
            "sign_in_providers": settings.oidc.iter().map(|provider| &provider.name).collect::<Vec<_>>(),
            "mail": settings.mail.as_ref().map(|mail| format!("{}:{}", mail.host, mail.port)),
            "upstreams": settings.gateway.upstreams.keys().collect::<Vec<_>>(),
        }),
    );
    Ok(ExitCode::SUCCESS)
}

/// Those outside who were asked and can be used.
fn asked_lines(settings: &Settings) -> Vec<String> {
    let providers = settings
        .oidc
        .iter()
        .map(|provider| format!("the sign-in provider `{}` publishes what a sign-in needs", provider.name));
    let mail = settings.mail.iter().map(|mail| format!("the mail server {}:{} takes mail", mail.host, mail.port));
    providers.chain(mail).collect()
}

/// Asks the sign-in providers and the mail server, all of them, so that all mistakes are told at once.
async fn check_parties(settings: &Settings) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let providers = check_sign_in_providers(&settings.oidc, &Clock::system()).await;
    let mut unusable: Vec<String> = providers.iter().map(|error| with_causes(error)).collect();
    unusable.extend(check_mail(settings).await.err().map(|error| with_causes(&*error)));
    if unusable.is_empty() { Ok(()) } else { Err(unusable.join("\n").into()) }
}

/// Asks the mail server, where there is one.
async fn check_mail(settings: &Settings) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let Some(config) = settings.mail.clone() else { return Ok(()) };
    let ready = Mailer::new(config)?.check().await;
    ready.map_err(|error| format!("the mail server cannot be used as it is configured: {error}").into())
}

/// The findings about a configuration in the ledger and its database.
#[derive(Default)]
struct LedgerFindings {
    /// Open items of the ledger that this configuration would not handle; absent where the ledger could not be asked.
    stranded: Option<Vec<OrphanedPayments>>,
    /// Charges that a standby would forget.
    standbys: Option<StandbyRisk>,
    /// The connections that the database takes.
    capacity: Option<ConnectionCapacity>,
    /// The reason for which the ledger could not be asked.
    unasked: Option<StoreError>,
}

impl LedgerFindings {
    fn lines(&self) -> Vec<String> {
        let stranded = self.stranded.iter().flatten().map(|stranded| match &stranded.of {
            OrphanOrigin::Old(_) => format!("nobody knows what became of {stranded}"),
            OrphanOrigin::Provider(_) | OrphanOrigin::Notices(_) | OrphanOrigin::Token(..) => {
                format!("nobody would see to {stranded}: put it back until they have ended")
            }
        });
        let standbys = self.standbys.iter().map(|risk| format!("refused in mode \"production\": {risk}"));
        let unasked =
            self.unasked.iter().map(|error| format!("the ledger could not be asked what is open in it: {error}"));
        stranded.chain(standbys).chain(self.capacity.iter().map(ToString::to_string)).chain(unasked).collect()
    }
}

/// Asks the ledger. That it cannot be asked here and now is no mistake of the configuration; that it is of the other mode is, and
/// so is a certificate that is not good, a pooler that drops settings, a role that may not use the schema or a clock that is not the
/// database's, and in production a standby that would forget charges.
async fn ask(
    settings: &Settings,
    config: &StoreConfig,
) -> Result<LedgerFindings, Box<dyn std::error::Error + Send + Sync>> {
    let mut report = LedgerFindings::default();
    match look(settings, config, &mut report).await {
        Ok(()) => {}
        Err(
            error @ (StoreError::OtherMode { .. }
            | StoreError::Unverified { .. }
            | StoreError::SettingsDropped { .. }
            | StoreError::ClockDiffers { .. }
            | StoreError::SchemaForbidden { .. }),
        ) => return Err(error.into()),
        Err(error) => report.unasked = Some(error),
    }
    if let Some(capacity) = report.capacity.filter(|capacity| capacity.servers() == 0) {
        return Err(format!("the database has too few connections: {capacity}; raise the limit").into());
    }
    match &report.standbys {
        Some(risk) if settings.mode == ServerMode::Production => {
            Err(format!("the database is no place for a ledger of mode \"production\": {risk}").into())
        }
        Some(_) | None => Ok(report),
    }
}

async fn look(settings: &Settings, config: &StoreConfig, report: &mut LedgerFindings) -> Result<(), StoreError> {
    check_clock(config, &Clock::system()).await?;
    report.standbys = standby_risk(config).await?;
    report.capacity = capacity(config).await?;
    report.stranded = Some(stranded(settings, config).await?);
    Ok(())
}

/// Open payments and checkouts that the configuration does not have. A ledger that is not there yet has nothing, and one of another
/// version is not touched. Of a sandbox, whose provider is made at its start, nothing is asked but whether it is one.
async fn stranded(settings: &Settings, config: &StoreConfig) -> Result<Vec<OrphanedPayments>, StoreError> {
    let Some(readers) = Store::peek(config).await? else { return Ok(Vec::new()) };
    check_mode(&readers, crate::app::ledger_mode(settings), config).await?;
    if settings.sandbox {
        return Ok(Vec::new());
    }
    tollgate_topup::find_orphaned(&readers, &settings.topup, Clock::system().now_ms()).await
}

fn connections(capacity: ConnectionCapacity) -> Value {
    json!({"per_server": capacity.per_server, "database": capacity.takes, "servers": capacity.servers()})
}

/// What the pages for people bear, where it was configured.
fn branding_lines(branding: &Branding) -> Vec<String> {
    let Branding { name, logo, accent } = branding;
    let named = (*name != ServiceName::default()).then(|| format!("the pages are named `{name}`"));
    let logo = logo
        .as_ref()
        .map(|logo| format!("the logo of the pages is {} of {} bytes", logo.content_type(), logo.bytes().len()));
    let accent = accent.map(|accent| {
        let (given, SchemeColours { light, dark }) = (accent.colour(), accent.readable());
        format!("links in the accent {given} are shown as {light} on light pages, and as {dark} on dark ones, to be readable")
    });
    named.into_iter().chain(logo).chain(accent).collect()
}

fn branding_json(branding: &Branding) -> Value {
    let accent = branding.accent.map(|accent| {
        let SchemeColours { light, dark } = accent.readable();
        json!({"given": accent.colour().to_string(), "light": light.to_string(), "dark": dark.to_string()})
    });
    json!({
        "name": branding.name.to_string(), "logo": branding.logo.as_ref().map(Logo::content_type), "accent": accent,
    })
}

fn remark_json(remark: &ChainAdvice) -> Value {
    json!({"chain": remark.chain, "remark": remark.to_string()})
}

fn open_item_json(stranded: &OrphanedPayments) -> Value {
    let OrphanedPayments { of, count } = stranded;
    match of {
        OrphanOrigin::Provider(name) => json!({"provider": name, "checkouts": count}),
        OrphanOrigin::Notices(name) => json!({"provider": name, "notices": count}),
        OrphanOrigin::Token(network, asset) => json!({"network": network, "asset": asset, "payments": count}),
        OrphanOrigin::Old(network) => json!({"network": network, "old_payments": count}),
    }
}
