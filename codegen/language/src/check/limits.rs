//! Limits and rails: exactly one bound, readable numbers.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::errors, codes::references, codes::types},
    model::{ByteCount, DeclaredLimit, LimitBound, LimitUnit, SpannedValue, SpecEntry, SpecSection},
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
            if limit.kept_by.is_some() {
                self.mark_used(SpecSection::Limits, name);
            }
        }
        for rail in spec.rails.values() {
            if let Some(validity) = &rail.validity {
                self.limit_in(validity, LimitUnit::Seconds);
            }
            if let Some(rate) = &rail.rate {
                self.exact(rate);
            }
        }
    }

    fn bound(&mut self, name: &str, limit: &SpecEntry<DeclaredLimit>) {
        self.one_bound(name, limit);
        if let Some(size) = limit.bytes.as_ref().filter(|size| size.bytes().is_none()) {
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
        if let Some(LimitBound::Usd(least, most)) = limit.bound()
            && least.zip(most).and_then(|(least, most)| least.compare(most)) == Some(std::cmp::Ordering::Greater)
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

/// The keys of bounds, of which a limit has one.
const BOUNDS: [&str; 5] = ["count", "seconds", "minutes", "bytes", "usd"];
