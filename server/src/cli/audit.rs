//! `tollgate audit`

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::{LogFormat, Settings};
use tollgate_base::{Clock, rfc3339, with_causes};
use tollgate_credit::{AuditReport, LedgerStore, SealReport};
use tollgate_topup::reconcile::Reconciliation;

use super::operator::open;
use super::output::{CommandOutput, CommandResult};
use super::reconcile::{self, ComparisonStart};

/// The parts of an audit beside the balances.
#[derive(Debug, Clone, Copy)]
pub(super) struct AuditScope<'a> {
    /// The chain of seals.
    pub(super) seals: bool,
    /// A hash that has to be in the chain of seals.
    pub(super) told: Option<&'a str>,
    /// Payments that came, on chains and at the payment provider.
    pub(super) chains: bool,
    pub(super) since: Option<ComparisonStart>,
    pub(super) settlements: Option<&'a Path>,
}

/// Recomputes the balances, and looks at what else is asked for.
pub(super) async fn audit(settings: &Settings, asked: AuditScope<'_>, output: CommandOutput) -> CommandResult {
    let AuditScope { seals, told, chains, since, settlements } = asked;
    let settlements = settlements.map(reconcile::read).transpose()?;
    // Alarms of an audit that a timer runs go to the log, as those of the server do.
    tollgate_telemetry::start(&settings.log_filter, settings.log_format == LogFormat::Json, &Clock::system())?;
    let (store, clock) = open(settings).await?;
    let books = LedgerStore::new(store.clone(), clock.clone());
    let report = books.audit().await?;
    let chain = if seals { Some(SealAudit { report: books.verify_seals(told).await?, told }) } else { None };
    // The audit is told even where the comparison fails.
    let outside = match chains {
        true => Some(
            reconcile::compare(settings, store, clock, since, settlements).await.map_err(|error| with_causes(&*error)),
        ),
        false => None,
    };
    let audited = AuditOutcome { report, chain, outside };
    output.result(&audited.to_string(), &audited.to_json());
    Ok(if audited.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct AuditOutcome<'a> {
    report: AuditReport,
    chain: Option<SealAudit<'a>>,
    /// The comparison with chains and provider, or the reason for which it could not be made.
    outside: Option<Result<Reconciliation, String>>,
}

struct SealAudit<'a> {
    report: SealReport,
    told: Option<&'a str>,
}

impl AuditOutcome<'_> {
    fn is_clean(&self) -> bool {
        let is_whole = self.chain.as_ref().is_none_or(SealAudit::is_whole);
        let is_as_outside =
            self.outside.as_ref().is_none_or(|outside| outside.as_ref().is_ok_and(Reconciliation::is_clean));
        self.report.is_clean() && is_whole && is_as_outside
    }

    fn to_json(&self) -> Value {
        let mut report = self.report.to_json();
        report["clean"] = self.is_clean().into();
        if let Some(chain) = &self.chain {
            report["seals"] = chain.to_json();
        }
        match &self.outside {
            Some(Ok(outside)) => report["chains"] = reconcile::to_json(outside),
            Some(Err(why)) => report["chains"] = json!({"clean": false, "error": why}),
            None => {}
        }
        report
    }
}

impl fmt::Display for AuditOutcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(chain) = &self.chain {
            writeln!(f, "{chain}")?;
        }
        match &self.outside {
            Some(Ok(outside)) => writeln!(f, "{outside}")?,
            Some(Err(why)) => writeln!(f, "NOT COMPARED with the chains and the payment provider: {why}")?,
            None => {}
        }
        self.report.fmt(f)
    }
}

impl SealAudit<'_> {
    fn is_whole(&self) -> bool {
        self.report.broken.is_none() && (self.told.is_none() || self.report.told.is_some())
    }

    fn to_json(&self) -> Value {
        let SealReport { seals, rows, unsealed, head, broken, told } = &self.report;
        json!({
            "whole": self.is_whole(),
            "seals": seals,
            "rows": rows,
            "unsealed": unsealed,
            "head": head.as_ref().map(|head| json!({"number": head.number, "hash": head.to_hex(), "at": rfc3339(head.created_at_ms)})),
            "first_broken": broken,
            "told": told,
        })
    }
}

impl fmt::Display for SealAudit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.told, self.report.told) {
            (Some(hash), None) => writeln!(f, "DIFFERENCE: no seal is {hash}")?,
            (Some(_), Some(number)) => writeln!(f, "that hash is the one of seal {number}")?,
            (None, _) => {}
        }
        self.report.fmt(f)
    }
}
