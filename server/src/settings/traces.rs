//! The collector of traces, and the share of requests that are traced.

use super::file::TelemetryTable;
use tollgate_base::PriceRatio;
use tollgate_catalog::UnplacedComplaint;
use tollgate_telemetry::TracesConfig;

pub(super) fn config(table: &TelemetryTable, found: &mut Vec<UnplacedComplaint>) -> Option<TracesConfig> {
    let ratio = table.traces_ratio.parse::<PriceRatio>().ok().filter(|ratio| *ratio <= PriceRatio::ONE);
    let millionths = ratio.and_then(|ratio| u32::try_from(ratio.millionths()).ok());
    if millionths.is_none() {
        found.push(UnplacedComplaint::new(
            &["telemetry", "traces_ratio"],
            "must be a decimal above 0 and up to 1, as in \"0.1\"; without telemetry.traces nothing is traced",
        ));
    }
    let endpoint = table.traces.clone()?;
    let parsed = endpoint.parse::<http::Uri>().ok();
    let known = parsed.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.path().len() > 1);
    let Some(address) = known else {
        found.push(UnplacedComplaint::new(
            &["telemetry", "traces"],
            "must be a collector's whole address, as in \"http://127.0.0.1:4318/v1/traces\"",
        ));
        return None;
    };
    if address.authority().is_some_and(|authority| authority.as_str().contains('@')) || address.query().is_some() {
        found.push(UnplacedComplaint::new(
            &["telemetry", "traces"],
            "must have neither a password nor a query, in which there may be a key: use OTEL_EXPORTER_OTLP_HEADERS",
        ));
        return None;
    }
    Some(TracesConfig { endpoint, millionths: millionths? })
}
