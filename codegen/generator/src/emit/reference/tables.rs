//! The short tables: schemes, names, limits, rails.

use super::operations::heading;
use crate::emit::text::{self, anchor, cell, decision, list};
use crate::model::RoleHolder;
use crate::resolve::{LimitValue, ResolvedLimit, ResolvedOrigin, ResolvedSpec};

pub(super) struct SchemeRow {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) gives: String,
    pub(super) about: String,
}

/// The roles of operators or of members, and what they may call.
pub(super) struct RoleTable {
    pub(super) heading: &'static str,
    pub(super) anchor: String,
    pub(super) about: &'static str,
    pub(super) roles: Vec<RoleRow>,
    pub(super) rights: Vec<RightsRow>,
}

/// A role.
pub(super) struct RoleRow {
    pub(super) name: String,
    pub(super) includes: String,
    pub(super) about: String,
}

/// An operation, with a word for each role: whether it may call it.
pub(super) struct RightsRow {
    pub(super) operation: String,
    pub(super) by: Vec<&'static str>,
}

pub(super) struct NameRow {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) about: String,
}

pub(super) struct LimitRow {
    pub(super) name: String,
    pub(super) bound: String,
    pub(super) error: String,
    pub(super) about: String,
}

pub(super) struct RailRow {
    pub(super) name: String,
    pub(super) pays: String,
    pub(super) credit_on: String,
    pub(super) about: String,
}

pub(super) fn schemes(lowered: &ResolvedSpec<'_>) -> Vec<SchemeRow> {
    let rows = lowered.auth.iter().map(|(name, scheme)| {
        let header = scheme.header.map(|header| format!("header `{header}: {}…`", scheme.prefix.unwrap_or_default()));
        let query = scheme.query.map(|query| format!("query `?{query}=…`"));
        let cookie = scheme.cookie.map(|cookie| format!("cookie `{cookie}`"));
        SchemeRow {
            name: (*name).to_owned(),
            place: list([header, query, cookie].into_iter().flatten()),
            gives: scheme.gives.join(", "),
            about: about(scheme.doc, &scheme.origin),
        }
    });
    rows.collect()
}

/// The tables of roles, of which there are any.
pub(super) fn roles(lowered: &ResolvedSpec<'_>) -> Vec<RoleTable> {
    let holders = RoleHolder::ALL.into_iter().filter(|holder| !lowered.roles_for(*holder).is_empty());
    let table = |holder| {
        let (heading, about) = text::roles(holder);
        let (roles, rights) = (role_rows(lowered, holder), rights(lowered, holder));
        RoleTable { heading, anchor: anchor(heading), about, roles, rights }
    };
    holders.map(table).collect()
}

fn role_rows(lowered: &ResolvedSpec<'_>, holder: RoleHolder) -> Vec<RoleRow> {
    let rows = lowered.roles_for(holder).iter().map(|(name, role)| RoleRow {
        name: (*name).to_owned(),
        includes: list(role.includes.iter().map(|included| (*included).to_owned())),
        about: about(Some(role.doc), &role.origin),
    });
    rows.collect()
}

/// The operations that they may call, in the order of the spec.
fn rights(lowered: &ResolvedSpec<'_>, holder: RoleHolder) -> Vec<RightsRow> {
    let theirs = lowered.operations.iter().filter(|(_, operation)| !operation.roles_for(holder).is_empty());
    let rows = theirs.map(|(id, operation)| {
        let word = |role: &&str| if operation.roles_for(holder).contains(role) { "yes" } else { "no" };
        RightsRow {
            operation: format!("[{id}](#{})", anchor(&heading(id, operation))),
            by: lowered.roles_for(holder).keys().map(word).collect(),
        }
    });
    rows.collect()
}

pub(super) fn names(lowered: &ResolvedSpec<'_>) -> Vec<NameRow> {
    let rows = lowered.wire_names.iter().map(|(name, wire)| NameRow {
        name: (*name).to_owned(),
        place: list(wire.accepts.iter().map(|name| format!("`{name}`"))),
        about: about(wire.doc, &wire.origin),
    });
    rows.collect()
}

/// The headers of the runtime, in its order.
pub(super) fn runtime_headers(lowered: &ResolvedSpec<'_>) -> Vec<NameRow> {
    let rows = lowered.runtime_headers.values().filter_map(|name| {
        let wire = lowered.wire_names.get(name)?;
        let spellings = list(wire.accepts.iter().map(|name| format!("`{name}`")));
        Some(NameRow { name: spellings, place: String::new(), about: about(wire.doc, &wire.origin) })
    });
    rows.collect()
}

pub(super) fn limits(lowered: &ResolvedSpec<'_>) -> Vec<LimitRow> {
    let rows = lowered.limits.iter().map(|(name, limit)| {
        let per = limit.per.map(|per| format!(" per {per}")).unwrap_or_default();
        let live = match (limit.setting, limit.live) {
            (Some(setting), _) => format!(" (default; set by `{setting}`)"),
            (None, true) => " (default)".to_owned(),
            (None, false) => String::new(),
        };
        LimitRow {
            name: (*name).to_owned(),
            bound: format!("{}{per}{live}", bound(limit)),
            error: limit.error.map_or_else(|| "–".to_owned(), |code| format!("[{code}](#{})", code.to_lowercase())),
            about: about(limit.doc, &limit.origin),
        }
    });
    rows.collect()
}

pub(in crate::emit) fn bound(limit: &ResolvedLimit<'_>) -> String {
    let least = if limit.least { "at least " } else { "" };
    format!("{least}{}", amount(&limit.value))
}

fn amount(value: &LimitValue<'_>) -> String {
    match value {
        LimitValue::Count(count) => count.to_string(),
        LimitValue::Seconds(seconds) => format!("{seconds} s"),
        LimitValue::Bytes(bytes) => match (bytes % (1 << 20), bytes % (1 << 10)) {
            (0, _) => format!("{} MiB", bytes >> 20),
            (_, 0) => format!("{} KiB", bytes >> 10),
            _ => format!("{bytes} bytes"),
        },
        LimitValue::Usd(min, max) => match (min, max) {
            (Some(min), Some(max)) => format!("{min} to {max} USD"),
            (Some(min), None) => format!("at least {min} USD"),
            (None, Some(max)) => format!("at most {max} USD"),
            (None, None) => "none".to_owned(),
        },
    }
}

pub(super) fn rails(lowered: &ResolvedSpec<'_>) -> Vec<RailRow> {
    let rows = lowered.rails.iter().map(|(name, rail)| {
        let mut words = vec![about(rail.doc, &rail.origin)];
        words.extend(rail.signer.map(|signer| format!("Signed by: {signer}.")));
        if !rail.chains.is_empty() {
            words.push(format!("Chains: {}.", rail.chains.join(", ")));
        }
        words.extend(rail.wallets.map(|wallets| format!("Wallets: {wallets}.")));
        words.extend(rail.validity.map(|limit| format!("Payable for: {limit}.")));
        words.extend(rail.rate.map(|rate| format!("Credit per unit paid: {rate} USD.")));
        RailRow {
            name: (*name).to_owned(),
            pays: rail.pays.to_owned(),
            credit_on: rail.credit_on.replace('_', " "),
            about: words.join(" "),
        }
    });
    rows.collect()
}

fn about(doc: Option<&str>, origin: &ResolvedOrigin<'_>) -> String {
    let decided = origin.fact.map(|fact| format!(" *Decided: {}.*", decision(fact))).unwrap_or_default();
    format!("{}{decided}", cell(doc.unwrap_or_default()))
}
