//! Names on the wire, callers, proofs, rails, limits, request objects.

use super::super::node::{DiffNode, FacetKind, FacetValue, ValueRoom};
use super::facets::{choice, plain, room, switch, whole, word};
use crate::model::{
    AuthScheme, BODY_BYTES, CallerKind, DeclaredLimit, DeclaredMemberClass, DeclaredMemberClasses, DeclaredProof,
    DeclaredRail, DeclaredRequestObject, DeclaredWireName, LimitBound, SourceSpan, SpannedText, Spec, SpecEntry,
    SpecSection, TextClass, WrittenNumber,
};

pub(super) fn all(spec: &Spec) -> Vec<DiffNode> {
    let mut nodes = Vec::new();
    if let Some(service) = &spec.service {
        nodes.push(word(FacetKind::Package, &service.name).step("service.name"));
        let opened = |prefix: &SpannedText| {
            DiffNode::thing(FacetKind::AnyOrigin, &prefix.value, prefix.place).under("service.any_origin")
        };
        nodes.extend(service.any_origin.iter().map(opened));
        let kept = |prefix: &SpannedText| {
            DiffNode::thing(FacetKind::OperatorPath, &prefix.value, prefix.place).under("service.operator_paths")
        };
        nodes.extend(service.operator_paths.iter().map(kept));
    }
    nodes.extend(spec.wire_names.iter().map(|(name, entry)| wire_name(name, entry)));
    nodes.extend(spec.auth.iter().map(|(name, entry)| scheme(name, entry)));
    for (kind, section) in [(FacetKind::Role, SpecSection::Roles), (FacetKind::MemberRole, SpecSection::MemberRoles)] {
        let role = |(name, place)| DiffNode::thing(kind, name, place).under(section.key());
        nodes.extend(spec.names(section).map(role));
    }
    nodes.extend(spec.proofs.iter().map(|(name, entry)| proof(name, entry)));
    nodes.extend(spec.rails.iter().map(|(name, entry)| rail(spec, name, entry)));
    nodes.extend(spec.limits.iter().map(|(name, entry)| limit(name, entry)));
    // What bounds bodies is compared where they are.
    let bounds = spec.runtime_limits.iter().filter(|(bound, _)| *bound != BODY_BYTES);
    nodes.extend(bounds.map(|(bound, limit)| {
        let named = Some(limit.value.value.clone());
        capped(spec, FacetKind::RuntimeLimit, named, limit.value.place)
            .keyed(bound)
            .step(format!("runtime_limits.{bound}"))
    }));
    nodes.extend(spec.runtime_headers.iter().map(|(header, name)| {
        plain(FacetKind::RuntimeHeader, Some(&name.value.value), name.value.place)
            .keyed(header)
            .step(format!("runtime_headers.{header}"))
    }));
    nodes.extend(spec.request_objects.iter().map(|(name, entry)| request_object(name, entry)));
    nodes
}

fn wire_name(name: &str, entry: &SpecEntry<DeclaredWireName>) -> DiffNode {
    let first = entry.accepts.first().map_or(name, |first| &first.value);
    DiffNode::thing(FacetKind::WireName, name, entry.place)
        .under("wire_names")
        .with(
            entry.accepts.iter().map(|accepted| DiffNode::thing(FacetKind::Accepted, &accepted.value, accepted.place)),
        )
        .with([plain(FacetKind::FirstName, Some(first), entry.place)])
}

fn scheme(name: &str, entry: &SpecEntry<AuthScheme>) -> DiffNode {
    let carrier = |of: &str, text| choice(FacetKind::Carrier, text, entry.place).keyed(of).step(of);
    DiffNode::thing(FacetKind::Scheme, name, entry.place)
        .under("auth")
        .with([
            carrier("header", entry.header.as_ref()),
            carrier("query", entry.query.as_ref()),
            carrier("cookie", entry.cookie.as_ref()),
            carrier("prefix", entry.prefix.as_ref()),
            choice(FacetKind::KeyStart, entry.key_starts.as_ref(), entry.place),
        ])
        .with(entry.gives.iter().map(|kind| DiffNode::thing(FacetKind::Caller, caller(kind.value), kind.place)))
}

pub(super) const fn caller(kind: CallerKind) -> &'static str {
    match kind {
        CallerKind::Account => "account",
        CallerKind::Agent => "agent",
        CallerKind::User => "user",
        CallerKind::Operator => "operator",
    }
}

fn proof(name: &str, entry: &SpecEntry<DeclaredProof>) -> DiffNode {
    let family = |name: &str, first: &SpannedText| DiffNode::thing(FacetKind::ProofFamily, name, first.place);
    let signed = |of: &str, text: Option<&SpannedText>| choice(FacetKind::Signed, text, entry.place).keyed(of).step(of);
    let evm = entry.evm.as_ref().map(|evm| {
        family("evm", &evm.eip712_domain).with([
            signed("eip712_domain", Some(&evm.eip712_domain)),
            signed("version", evm.version.as_ref()),
            signed("signs", evm.signs.as_ref()),
        ])
    });
    let solana = entry.solana.as_ref().map(|solana| {
        family("solana", &solana.ed25519_over)
            .with([signed("ed25519_over", Some(&solana.ed25519_over)), signed("signs", solana.signs.as_ref())])
    });
    DiffNode::thing(FacetKind::Proof, name, entry.place).under("proofs").with(evm).with(solana)
}

fn rail(spec: &Spec, name: &str, entry: &SpecEntry<DeclaredRail>) -> DiffNode {
    let wallets = entry.wallets.as_ref().map(|count| (i128::from(count.value), count.value.to_string(), count.place));
    let rate = entry.rate.as_ref();
    DiffNode::thing(FacetKind::Rail, name, entry.place)
        .under("rails")
        .with([
            word(FacetKind::Asset, &entry.pays).keyed("pays"),
            choice(FacetKind::Asset, entry.currency.as_ref(), entry.place).keyed("currency"),
            choice(FacetKind::Signer, entry.signer.as_ref(), entry.place),
            word(FacetKind::CreditOn, &entry.credit_on),
            room(FacetKind::Wallets, true, wallets, entry.place),
            validity(spec, entry),
            plain(FacetKind::Rate, rate.map(|rate| rate.text()), rate.map_or(entry.place, |rate| rate.place)),
        ])
        .with(entry.chains.iter().map(|chain| DiffNode::thing(FacetKind::Chain, &chain.value, chain.place)))
}

/// The time for which an order is payable. Where both sides name the same limit, the change is that of the limit.
fn validity(spec: &Spec, rail: &SpecEntry<DeclaredRail>) -> DiffNode {
    let place = rail.validity.as_ref().map_or(rail.place, |name| name.place);
    let named = rail.validity.as_ref().map(|name| name.value.clone());
    capped(spec, FacetKind::Validity, named, place)
}

/// Room up to a limit that is named.
pub(super) fn capped(spec: &Spec, kind: FacetKind, named: Option<String>, place: SourceSpan) -> DiffNode {
    let limit = named.as_deref().and_then(|name| spec.limits.get(name));
    let at = limit.and_then(|limit| match limit.bound()? {
        LimitBound::Count(most) | LimitBound::Seconds(most) | LimitBound::Bytes(most) => Some(i128::from(most)),
        LimitBound::Usd(..) => None,
    });
    let shown = match (&named, at) {
        (Some(name), Some(at)) => format!("{name} ({at})"),
        (Some(name), None) => name.clone(),
        (None, _) => "no bound".to_owned(),
    };
    DiffNode::facet(kind, FacetValue::Room(ValueRoom { most: true, at, shown, named }), place)
}

fn limit(name: &str, entry: &SpecEntry<DeclaredLimit>) -> DiffNode {
    let place = entry.place;
    let mut node = DiffNode::thing(FacetKind::Limit, name, place).under("limits").with([
        plain(FacetKind::Unit, unit(entry), bound_at(entry).unwrap_or(place)),
        switch(FacetKind::Live, &entry.live, place),
        choice(FacetKind::Scope, entry.per.as_ref(), place),
        choice(FacetKind::LimitCode, entry.error.as_ref(), place),
        choice(FacetKind::Setting, entry.setting.as_ref(), place),
    ]);
    let written = [&entry.count, &entry.seconds, &entry.minutes].into_iter().flatten().next();
    match entry.bound() {
        Some(LimitBound::Usd(least, most)) => {
            let at = entry.usd.as_ref().map_or(place, |usd| usd.place);
            let bound = |number: &WrittenNumber| Some((number.nanos()?, number.text().to_owned(), at));
            node.children.push(room(FacetKind::Amount, false, least.and_then(bound), place));
            node.children.push(room(FacetKind::Amount, true, most.and_then(bound), place));
        }
        Some(LimitBound::Bytes(at)) => {
            let written = entry.bytes.as_ref().map(|size| (i128::from(at), size.text().to_owned(), size.place));
            node.children.push(size(entry, written));
        }
        Some(LimitBound::Count(at) | LimitBound::Seconds(at)) => {
            let shown = written.map(|number| (i128::from(at), at.to_string(), whole(number).2));
            node.children.push(size(entry, shown));
        }
        None => {}
    }
    node
}

/// The one bound that is no amount: the most that there may be, or the least that there must be.
fn size(limit: &SpecEntry<DeclaredLimit>, bound: Option<(i128, String, SourceSpan)>) -> DiffNode {
    let side = if limit.least.value { "at least" } else { "at most" };
    let bound = bound.map(|(at, shown, place)| (at, format!("{side} {shown}"), place));
    room(FacetKind::Size, !limit.least.value, bound, limit.place).keyed("bound")
}

/// The place of the bound.
fn bound_at(limit: &DeclaredLimit) -> Option<SourceSpan> {
    let number = [&limit.count, &limit.seconds, &limit.minutes].into_iter().flatten().next().map(|number| number.place);
    let size = limit.bytes.as_ref().map(|size| size.place);
    number.or(size).or_else(|| limit.usd.as_ref().map(|usd| usd.place))
}

/// The unit of what is counted; seconds and minutes are one unit.
fn unit(limit: &DeclaredLimit) -> Option<&'static str> {
    limit.bound().map(|bound| bound.unit().key())
}

fn request_object(name: &str, entry: &SpecEntry<DeclaredRequestObject>) -> DiffNode {
    let format = entry.body_of.as_ref().map(|format| format.value.as_str());
    let place = entry.body_of.as_ref().map_or(entry.place, |format| format.place);
    let text = match entry.text_is.as_ref().map(|class| class.value).unwrap_or_default() {
        TextClass::Free => "free",
        TextClass::State => "state",
    };
    DiffNode::thing(FacetKind::RequestObject, name, entry.place)
        .under("request_objects")
        .with([plain(FacetKind::BodyOf, format, place), plain(FacetKind::TextClass, Some(text), entry.place)])
        .with(known("members", &entry.members))
        .with(known("kinds", &entry.kinds))
}

/// Each name of `list` with its class.
fn known<'c>(list: &'static str, classes: &'c DeclaredMemberClasses) -> impl Iterator<Item = DiffNode> + 'c {
    classes.all().map(move |(name, place, class)| {
        let key = format!("{list}.{name}");
        DiffNode::thing(FacetKind::KnownMember, key, place).with([plain(
            FacetKind::MemberClass,
            Some(&class_words(class)),
            place,
        )])
    })
}

fn class_words(class: DeclaredMemberClass<'_>) -> String {
    match class {
        DeclaredMemberClass::Holds(of) | DeclaredMemberClass::Sold(of) => format!("{} ({})", class.key(), of.value),
        DeclaredMemberClass::Tier(words) | DeclaredMemberClass::Address(words) => {
            let words: Vec<&str> = words.iter().map(|value| value.value.as_str()).collect();
            format!("{} ({})", class.key(), words.join(", "))
        }
        DeclaredMemberClass::Free
        | DeclaredMemberClass::Client
        | DeclaredMemberClass::Tokens
        | DeclaredMemberClass::State
        | DeclaredMemberClass::Model => class.key().to_owned(),
    }
}
