//! Limits and rails: exactly one bound, readable numbers.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::errors, codes::references, codes::types, slip_of},
    model::{
        ByteCount, DeclaredLimit, DeclaredRail, LimitBound, LimitUnit, SpannedText, SpannedValue, SpecEntry,
        SpecSection, WrittenNumber,
    },
};

impl<'a> CheckContext<'a> {
    pub(super) fn limits(&mut self) {
        let spec = self.spec;
        for (name, limit) in &spec.limits {
            self.bound(name, limit);
            if let Some(error) = &limit.error {
                self.resolve(SpecSection::Errors, error, references::UNKNOWN_ERROR);
            }
            if let Some(keeper) = &limit.kept_by {
                self.resolve(SpecSection::Actors, keeper, references::UNKNOWN_ACTOR);
            }
            if let Some(scope) = &limit.per {
                self.scope(scope);
            }
            if limit.kept_by.is_some() {
                self.mark_used(SpecSection::Limits, name);
            }
        }
        for rail in spec.rails.values() {
            if let Some(validity) = &rail.validity {
                self.limit_in(validity, LimitUnit::Seconds);
            }
            self.rail(rail);
        }
    }

    /// The chains of a rail are chains, each once; it credits something.
    fn rail(&mut self, rail: &'a DeclaredRail) {
        self.no_repeats(types::WORD_TWICE, &rail.chains);
        for chain in rail.chains.iter().filter(|chain| !is_chain(&chain.value)) {
            let message = format!("`{}` is no id of a chain", chain.value);
            let complaint = Diagnostic::error(errors::BAD_CHAIN, chain.place, message);
            self.complain(complaint.label("a CAIP-2 id, like `eip155:8453`"));
        }
        let Some(rate) = &rail.rate else { return };
        let nothing = WrittenNumber::new("0");
        if self.exact(rate) && rate.compare(&nothing).is_some_and(Ordering::is_le) {
            let message = format!("a rate of `{}` credits nothing", rate.text());
            self.complain(Diagnostic::error(errors::RATE_OF_NOTHING, rate.place, message));
        }
    }

    /// A scope is a free word; one that is a slip away from a usual one is misspelt.
    fn scope(&mut self, scope: &SpannedText) {
        if let Some(meant) = slip_of(&scope.value, SCOPES) {
            let message = format!("unknown scope `{}`", scope.value);
            let complaint = Diagnostic::error(errors::MISSPELT_SCOPE, scope.place, message);
            self.complain(complaint.suggest(Some(meant)));
        }
    }

    fn bound(&mut self, name: &str, limit: &SpecEntry<DeclaredLimit>) {
        self.one_bound(name, limit);
        if let Some(size) = limit.bytes.as_ref().filter(|size| size.bytes().is_none_or(|bytes| bytes == 0)) {
            self.bad_size(size);
        }
        let Some(usd) = &limit.usd else { return };
        if limit.least.value {
            let message = format!("the limit `{name}` is an amount, which says its least itself");
            self.complain(Diagnostic::error(errors::LIMIT_SHAPE, limit.least.place, message));
        }
        for number in usd.iter().flatten() {
            self.exact(&SpannedValue { value: number.clone(), place: usd.place });
        }
        if usd.iter().all(Option::is_none) {
            let message = "an amount has a least, a most or both";
            self.complain(Diagnostic::error(errors::LIMIT_SHAPE, usd.place, message));
        }
        if let Some(LimitBound::Usd(least, most)) = limit.bound()
            && least.zip(most).and_then(|(least, most)| least.compare(most)) == Some(Ordering::Greater)
        {
            let message = "the least amount is above the greatest";
            self.complain(Diagnostic::error(types::BOUNDS_CROSSED, usd.place, message));
        }
    }

    /// A limit has exactly one bound.
    fn one_bound(&mut self, name: &str, limit: &SpecEntry<DeclaredLimit>) {
        let there = [
            limit.count.is_some(),
            limit.seconds.is_some(),
            limit.minutes.is_some(),
            limit.bytes.is_some(),
            limit.usd.is_some(),
        ];
        let bounds: Vec<&str> = BOUNDS.into_iter().zip(there).filter_map(|(key, there)| there.then_some(key)).collect();
        if bounds.len() == 1 || self.damage.lacks(SpecSection::Limits, name, &BOUNDS) {
            return;
        }
        let message = if bounds.is_empty() {
            format!("the limit `{name}` has no bound")
        } else {
            format!("the limit `{name}` is several bounds at once: {}", bounds.join(", "))
        };
        self.complain(Diagnostic::error(errors::LIMIT_SHAPE, limit.place, message));
    }

    /// A size that is none; where only its unit is written in another way, the right one is suggested.
    fn bad_size(&mut self, size: &SpannedValue<ByteCount>) {
        let mended = size.text().replace("kB", "KiB").replace("KB", "KiB").replace("MB", "MiB").replace("GB", "GiB");
        let digits = mended.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).trim_end();
        let unit = mended.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start();
        let known = ["KiB", "MiB", "GiB"].contains(&unit) && digits.parse::<u64>().is_ok();
        let message = format!("`{}` is not a size", size.text());
        let complaint = Diagnostic::error(errors::BAD_SIZE, size.place, message);
        let complaint = complaint.label("like `65536`, `64 KiB`, `4 MiB`");
        self.complain(complaint.suggest(known.then(|| format!("{digits} {unit}"))));
    }
}

/// True for a CAIP-2 id: a namespace and a reference.
fn is_chain(text: &str) -> bool {
    let Some((namespace, reference)) = text.split_once(':') else { return false };
    let fits = |part: &str, length: RangeInclusive<usize>, inner: fn(u8) -> bool| {
        length.contains(&part.len()) && part.bytes().all(inner)
    };
    fits(namespace, 3..=8, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && fits(reference, 1..=32, |byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The usual scopes of limits.
const SCOPES: [&str; 14] = [
    "account",
    "address",
    "agent",
    "client",
    "connection",
    "key",
    "model",
    "node",
    "order",
    "page",
    "request",
    "response",
    "session",
    "user",
];
/// The keys of bounds, of which a limit has one.
const BOUNDS: [&str; 5] = ["count", "seconds", "minutes", "bytes", "usd"];
