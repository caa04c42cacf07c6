//! One offer of what the configuration says and what operators added.
//!
//! The configuration goes first: its names are its own, and it is whole without the rest. What operators added and cannot be used
//! beside it, because the configuration has changed since, is left out with the reason; it is never sold by halves.

use std::collections::BTreeMap;

use tollgate_gateway::{Config, check_provider_address};

use crate::entry::{CatalogEntry, EntryBody, EntryKind, EntryName};
use crate::offer::{FileOffer, Offer, UnplacedComplaint, UpstreamAccess, UpstreamTable};

/// What the configuration says.
#[derive(Debug)]
pub(crate) struct ConfiguredSide {
    /// Providers, models, prices and groups, as they are written.
    pub(crate) offer: FileOffer,
    /// The gateway's configuration that it comes to.
    pub(crate) config: Config,
}

/// The reasons for which entries are left out.
pub(crate) type Faults = BTreeMap<EntryName, UnplacedComplaint>;

/// The whole offer.
#[derive(Debug, Clone)]
pub(crate) struct MergedOffer {
    /// As it is written.
    pub(crate) offer: Offer,
    /// The gateway's configuration that it comes to.
    pub(crate) config: Config,
    /// The entries that are left out.
    pub(crate) faults: Faults,
}

/// Looks up what there is for a provider that operators added, or tells why it cannot be used.
pub(crate) type Access<'a> = dyn Fn(&str, &UpstreamTable) -> Result<UpstreamAccess, AccessFault> + 'a;

/// Why a provider cannot be used: the key at fault, and the reason.
pub(crate) type AccessFault = (&'static str, String);

/// Merges. What cannot be used is left out, and whatever cannot be used without it.
pub(crate) fn merge(configured: &ConfiguredSide, entries: &[CatalogEntry], access: &Access<'_>) -> MergedOffer {
    let mut faults = Faults::new();
    loop {
        let known = faults.len();
        let (offer, mut found) = written(configured, entries, &mut faults);
        let mut refused = Vec::new();
        let resolved = offer.resolve(
            &mut |name, table, _| match configured.offer.credentials.get(name) {
                Some(own) => own.clone(),
                None => access(name, table).unwrap_or_else(|(key, message)| {
                    refused.push(UnplacedComplaint::new(&["upstreams", name, key], message));
                    UpstreamAccess::default()
                }),
            },
            &mut found,
        );
        found.append(&mut refused);
        for complaint in found {
            if let Some(name) = entry_of(&complaint, &offer, entries) {
                faults.entry(name).or_insert(complaint);
            }
        }
        // Each round leaves out more, so there is a last one.
        if faults.len() == known {
            let mut config = configured.config.clone();
            config.upstreams.extend(resolved.upstreams);
            config.models.extend(resolved.models);
            config.patterns.extend(resolved.patterns);
            config.groups = resolved.groups;
            config.draining = draining(entries, &offer);
            return MergedOffer { offer, config, faults };
        }
    }
}

/// Checks that a provider that operators added may be at its address.
///
/// # Errors
/// The reason for the refusal, for the one who writes the address.
pub(crate) fn check_address(table: &UpstreamTable, networks: &[ipnet::IpNet]) -> Result<(), AccessFault> {
    check_provider_address(&table.base_url, networks).map_err(|reason| {
        let where_else =
            "elsewhere than on the open internet, providers may be where admin.provider_networks allows it";
        ("base_url", format!("{reason}; {where_else}"))
    })
}

/// The offer as it is written, without what is left out, and what is wrong with its prices.
fn written(
    configured: &ConfiguredSide,
    entries: &[CatalogEntry],
    faults: &mut Faults,
) -> (Offer, Vec<UnplacedComplaint>) {
    let mut offer = configured.offer.offer.clone();
    let (mut added, mut list) = (Offer::default(), configured.offer.list.clone());
    for entry in entries {
        let CatalogEntry { name: full, body, .. } = entry;
        if faults.contains_key(full) {
            continue;
        }
        let name = full.name.clone();
        let body = match EntryBody::read(full.kind, body) {
            _ if is_configured(&configured.offer, full) => Err(TAKEN.to_owned()),
            Ok(body) => Ok(body),
            Err(error) => Err(error.to_string()),
        };
        match body {
            Ok(EntryBody::Provider(table)) => drop(offer.upstreams.insert(name, table)),
            Ok(EntryBody::Group(table)) => drop(offer.groups.insert(name, table)),
            Ok(EntryBody::Model(table)) => drop(added.models.insert(name, *table)),
            Ok(EntryBody::Price(table)) => {
                let version = crate::entry::version_label(&name, entry.version);
                list.prices.insert(name, table.with_version(version));
            }
            Ok(EntryBody::Drain) => {}
            Err(message) => {
                faults.insert(full.clone(), UnplacedComplaint::new(&[full.kind.table(), &full.name], message));
            }
        }
    }
    let found = added.fill(&list).complaints;
    for (name, model) in added.models {
        // A name that a pattern found is the configuration's where that has it.
        if !offer.models.contains_key(&name) {
            offer.models.insert(name, model);
        }
    }
    for (name, taken) in taken_aliases(&configured.offer.offer, &offer) {
        let message = format!("`{taken}` is a name of the configuration");
        let full = EntryName::new(EntryKind::Model, &name);
        faults.entry(full).or_insert_with(|| UnplacedComplaint::new(&["models", &name, "aliases"], message));
    }
    (offer, found)
}

const TAKEN: &str = "the configuration has this name";

/// True if the configuration has this name, so that operators cannot take it.
pub(crate) fn is_configured(offer: &FileOffer, name: &EntryName) -> bool {
    let FileOffer { offer, list, .. } = offer;
    match name.kind {
        EntryKind::Provider => offer.upstreams.contains_key(&name.name),
        EntryKind::Model => {
            let has = |model: &crate::ModelTable| model.has_alias(&name.name);
            offer.models.contains_key(&name.name) || offer.models.values().any(has)
        }
        EntryKind::Price => list.prices.contains_key(&name.name),
        EntryKind::Group => offer.groups.contains_key(&name.name),
        // Any provider can be drained.
        EntryKind::Drain => false,
    }
}

/// The models that operators added by their names, each with an alias that the configuration has as a name.
fn taken_aliases(configured: &Offer, all: &Offer) -> Vec<(String, String)> {
    let is_taken = |alias: &String| {
        configured.models.contains_key(alias) || configured.models.values().any(|model| model.has_alias(alias))
    };
    let added = all.models.iter().filter(|(name, _)| !configured.models.contains_key(*name));
    let taken = added.filter_map(|(name, model)| {
        Some((name.clone(), model.aliases().iter().find(|alias| is_taken(alias))?.clone()))
    });
    taken.collect()
}

/// The entry that a complaint is about.
fn entry_of(complaint: &UnplacedComplaint, offer: &Offer, entries: &[CatalogEntry]) -> Option<EntryName> {
    let [table, name, rest @ ..] = &complaint.path[..] else { return None };
    let is = |kind: EntryKind| {
        let wanted = EntryName::new(kind, name);
        entries.iter().any(|entry| entry.name == wanted).then_some(wanted)
    };
    match (table.as_str(), rest.first().map(String::as_str)) {
        ("upstreams", _) => is(EntryKind::Provider),
        ("groups", _) => is(EntryKind::Group),
        ("prices", _) => is(EntryKind::Price),
        // A name that a pattern found is the pattern's.
        ("models", _) => is(EntryKind::Model).or_else(|| {
            let pattern = offer.models.get(name)?.pattern()?;
            let wanted = EntryName::new(EntryKind::Model, pattern);
            entries.iter().any(|entry| entry.name == wanted).then_some(wanted)
        }),
        _ => None,
    }
}

/// The providers that drain and are there.
fn draining(entries: &[CatalogEntry], offer: &Offer) -> std::collections::BTreeSet<String> {
    let drains = entries.iter().filter(|entry| entry.name.kind == EntryKind::Drain);
    drains.map(|entry| entry.name.name.clone()).filter(|name| offer.upstreams.contains_key(name)).collect()
}
