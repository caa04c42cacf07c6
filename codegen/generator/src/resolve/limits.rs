//! Limits, rails and proofs.

use serde::Serialize;

use super::ResolvedOrigin;
use crate::map::IndexMap;
use crate::model::{self, BODY_BYTES, LimitBound, RUNTIME_LIMITS, Spec};

/// A bound.
#[derive(Debug, Serialize)]
pub struct ResolvedLimit<'s> {
    /// The quantity that it bounds, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The bound itself.
    #[serde(flatten)]
    pub value: LimitValue<'s>,
    /// The scope over which it is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per: Option<&'s str>,
    /// True for the least that there must be, false for the most that there may be.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub least: bool,
    /// True if a deployment may change it while running.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub live: bool,
    /// The key of the configuration by which an operator sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<&'s str>,
    /// The part of the service that keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_by: Option<&'s str>,
    /// The code that is answered when it is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'s str>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

/// The bound of a limit, in its unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitValue<'s> {
    /// At most so many.
    Count(u64),
    /// A time.
    Seconds(u64),
    /// A size.
    Bytes(u64),
    /// An amount: least and most, as decimals.
    Usd(Option<&'s str>, Option<&'s str>),
}

/// A way to pay.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the keys of the spec language")]
pub struct ResolvedRail<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    pub pays: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signer: Option<&'s str>,
    pub credit_on: &'s str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wallets: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validity: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<&'s str>,
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

/// A second authorization.
#[derive(Debug, Serialize)]
pub struct ResolvedProof<'s> {
    /// The statement that it proves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// The domain of the typed data that is signed on EVM chains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eip712_domain: Option<&'s str>,
    /// That domain's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eip712_version: Option<&'s str>,
    /// The type of what is signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eip712_type: Option<&'s str>,
    /// The name of what is signed with ed25519 on Solana.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ed25519_over: Option<&'s str>,
    /// The text of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ed25519_text: Option<&'s str>,
    /// One of each that is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<&'s str>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
}

pub(super) fn resolve(spec: &Spec) -> IndexMap<&str, ResolvedLimit<'_>> {
    let limits = spec.limits.iter();
    let lowered = limits.filter_map(|(name, entry)| {
        let limit = ResolvedLimit {
            doc: entry.doc.as_deref(),
            value: value(entry.bound()?),
            per: word(entry.per.as_ref()),
            least: *entry.least,
            live: *entry.live,
            setting: word(entry.setting.as_ref()),
            kept_by: word(entry.kept_by.as_ref()),
            error: word(entry.error.as_ref()),
            origin: ResolvedOrigin::of(spec, name, entry),
        };
        Some((name.as_str(), limit))
    });
    lowered.collect()
}

fn word(text: Option<&model::SpannedText>) -> Option<&str> {
    text.map(|text| text.value.as_str())
}

fn value(bound: LimitBound<'_>) -> LimitValue<'_> {
    match bound {
        LimitBound::Count(count) => LimitValue::Count(count),
        LimitBound::Seconds(seconds) => LimitValue::Seconds(seconds),
        LimitBound::Bytes(bytes) => LimitValue::Bytes(bytes),
        LimitBound::Usd(least, most) => {
            LimitValue::Usd(least.map(model::WrittenNumber::text), most.map(model::WrittenNumber::text))
        }
    }
}

/// The bounds of the runtime that the spec names a limit for, in the order of the runtime.
pub(super) fn runtime(spec: &Spec) -> IndexMap<&str, &str> {
    RUNTIME_LIMITS.iter().filter_map(|bound| Some((bound.name, spec.runtime_limit(bound.name)?))).collect()
}

/// The limit of a body: the one it names, else the runtime's.
pub(super) fn body_limit<'s>(spec: &'s Spec, named: Option<&'s model::SpannedText>) -> Option<&'s str> {
    named.map(|name| name.value.as_str()).or_else(|| spec.runtime_limit(BODY_BYTES))
}

pub(super) fn rails(spec: &Spec) -> IndexMap<&str, ResolvedRail<'_>> {
    spec.rails
        .iter()
        .map(|(name, entry)| {
            let rail = ResolvedRail {
                doc: entry.doc.as_deref(),
                pays: &entry.pays.value,
                currency: word(entry.currency.as_ref()),
                signer: word(entry.signer.as_ref()),
                credit_on: &entry.credit_on.value,
                chains: entry.chains.iter().map(|chain| chain.value.as_str()).collect(),
                wallets: entry.wallets.as_ref().map(|count| count.value),
                validity: word(entry.validity.as_ref()),
                rate: entry.rate.as_ref().map(|rate| rate.text()),
                origin: ResolvedOrigin::of(spec, name, entry),
            };
            (name.as_str(), rail)
        })
        .collect()
}

pub(super) fn proofs(spec: &Spec) -> IndexMap<&str, ResolvedProof<'_>> {
    spec.proofs
        .iter()
        .map(|(name, entry)| {
            let proof = ResolvedProof {
                doc: entry.doc.as_deref(),
                eip712_domain: entry.evm.as_ref().map(|evm| evm.eip712_domain.as_str()),
                eip712_version: entry.evm.as_ref().and_then(|evm| word(evm.version.as_ref())),
                eip712_type: entry.evm.as_ref().and_then(|evm| word(evm.signs.as_ref())),
                ed25519_over: entry.solana.as_ref().map(|solana| solana.ed25519_over.as_str()),
                ed25519_text: entry.solana.as_ref().and_then(|solana| word(solana.signs.as_ref())),
                example: entry.example.as_deref(),
                origin: ResolvedOrigin::of(spec, name, entry),
            };
            (name.as_str(), proof)
        })
        .collect()
}
