//! "Did you mean".

/// The candidate closest to a word, if any is close enough to have been meant.
///
/// Damerau-Levenshtein distance without regard to case, at most 0.45 of the longer length; failing that, the same words
/// in another order (`not_found_order`), then the one candidate that the word is the beginning of or that begins it.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    let mut best: Option<(usize, &str)> = None;
    let mut permuted = None;
    let mut prefixed: Option<Option<&str>> = None;
    let sorted = sorted_parts(&word);
    for candidate in candidates {
        let lower = candidate.to_lowercase();
        let longest = length.max(lower.chars().count());
        // A difference in length alone is that many edits: most candidates are dismissed without the matrix.
        let least = longest - length.min(lower.chars().count());
        // One slip is never too much, however short the word, as long as something is left of it.
        let limit = (longest * 45 / 100).max(usize::from(longest > 1));
        if least <= limit && best.is_none_or(|(distance, _)| least < distance) {
            let distance = strsim::damerau_levenshtein(&word, &lower);
            if distance <= limit && best.is_none_or(|(so_far, _)| distance < so_far) {
                best = Some((distance, candidate));
            }
        }
        if permuted.is_none() && sorted.len() > 1 && sorted == sorted_parts(&lower) {
            permuted = Some(candidate);
        }
        let begins = length >= 3 && (lower.starts_with(&word) || lower.len() >= 3 && word.starts_with(&lower));
        if begins {
            // Two candidates with the same beginning are none.
            prefixed = Some(if prefixed.is_none() { Some(candidate) } else { None });
        }
    }
    let near = best.filter(|(distance, _)| *distance <= 2).map(|(_, candidate)| candidate);
    near.or(permuted).or(best.map(|(_, candidate)| candidate)).or(prefixed.flatten())
}

/// The candidate that a word is one slip away from: a letter wrong, missing, too many, or two in each other's place.
/// `None` for a candidate itself, and for words so short that a slip makes another.
#[must_use]
pub fn slip_of<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut slip = None;
    for candidate in candidates {
        match strsim::damerau_levenshtein(word, candidate) {
            0 => return None,
            1 if candidate.chars().count() >= SLIP_LETTERS_MIN => slip = slip.or(Some(candidate)),
            _ => {}
        }
    }
    slip
}

/// The least letters of a word that one slip does not make another word of.
const SLIP_LETTERS_MIN: usize = 4;

/// The parts of a name in alphabetical order.
fn sorted_parts(name: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = name.split(['_', '-', '.', ' ']).filter(|part| !part.is_empty()).collect();
    parts.sort_unstable();
    parts
}

#[cfg(test)]
mod tests {
    use super::{closest, slip_of};

    #[test]
    fn near_words_are_offered() {
        let codes = ["KEY_MISSING", "KEY_INVALID", "MODEL_NOT_FOUND", "ORDER_EXPIRED"];
        assert_eq!(closest("KEY_MISING", codes), Some("KEY_MISSING"));
        assert_eq!(closest("model_not_fund", codes), Some("MODEL_NOT_FOUND"));
        assert_eq!(closest("NOT_FOUND_MODEL", codes), Some("MODEL_NOT_FOUND"));
        assert_eq!(closest("ORDER", codes), Some("ORDER_EXPIRED"));
        assert_eq!(closest("KEY", codes), None);
        assert_eq!(closest("CHAIN_REORG", codes), None);
    }

    #[test]
    fn slips_are_of_longer_words() {
        assert_eq!(slip_of("acount", ["account", "key"]), Some("account"));
        assert_eq!(slip_of("account", ["accounts", "account"]), None);
        assert_eq!(slip_of("kex", ["key"]), None);
        assert_eq!(slip_of("tenant", ["agent"]), None);
    }

    #[test]
    fn swapped_letters_are_one_slip() {
        assert_eq!(closest("tpye", ["type", "doc"]), Some("type"));
        assert_eq!(closest("htp", ["http", "kind", "say"]), Some("http"));
        assert_eq!(closest("di", ["name", "id"]), Some("id"));
        assert_eq!(closest("x", ["a", "o"]), None);
    }
}
