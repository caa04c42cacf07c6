//! The order in which the candidates of a model are tried: by priority; of equal ones by weight, and the quicker the
//! likelier, or for a session always in the same order.

use std::time::Duration;

/// The priority, weight and latency of one candidate.
#[derive(Debug, Clone, Copy)]
pub struct CandidateStats {
    /// The lower the earlier.
    pub priority: u32,
    /// Its share among equals; 0 is asked last of them.
    pub weight: u32,
    /// Its usual time to the first byte, once known.
    pub latency: Option<Duration>,
}

/// The largest ratio of latencies that counts.
///
/// A candidate ten times as slow still gets some requests, so that it is seen when it recovers.
const RATIO_MAX: u64 = 8;
/// Parts of one weight.
const SCALE: u64 = 1 << 10;

/// The indexes of `standings` in the order to try them. `random` gives numbers over the whole range.
#[must_use]
pub fn order(standings: &[CandidateStats], mut random: impl FnMut() -> u64) -> Vec<usize> {
    if standings.len() < 2 {
        return (0..standings.len()).collect();
    }
    let quickest = standings.iter().filter_map(|standing| standing.latency).min();
    let mut left: Vec<usize> = (0..standings.len()).collect();
    left.sort_by_key(|index| standings[*index].priority);
    let mut order = Vec::with_capacity(left.len());
    while let Some(first) = left.first() {
        let priority = standings[*first].priority;
        let equals = left.iter().take_while(|index| standings[**index].priority == priority).count();
        let shares: Vec<u64> = left[..equals].iter().map(|index| share(&standings[*index], quickest)).collect();
        order.push(left.remove(drawn(&shares, random())));
    }
    order
}

/// The indexes of `standings` in the order to try them for a session, by weighted rendezvous hashing.
///
/// `hashes` has the hash of the session with each of them. Each comes first for its share of all sessions, and a session
/// keeps its order whoever else comes or goes.
#[must_use]
pub fn order_of_session(standings: &[CandidateStats], hashes: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..standings.len()).collect();
    order.sort_by_key(|index| {
        let CandidateStats { priority, weight, .. } = standings[*index];
        // An exponentially distributed time at the rate of the weight: the shortest is first as often as its weight says.
        let time = halvings(hashes[*index]) << 32;
        (priority, time.checked_div(weight.into()).unwrap_or(u128::MAX))
    });
    order
}

/// Bits of [`halvings`] behind the point.
const FRACTION: u32 = 24;

/// The negative logarithm of `hash` / 2^64 to the base 2, as a whole number of 1 / 2^`FRACTION`.
///
/// It is computed in whole numbers, so that all machines agree on it.
fn halvings(hash: u64) -> u128 {
    let hash = hash | 1;
    let zeros = hash.leading_zeros();
    // From 1 to 2, with 63 bits behind the point. Each square shows the next bit of the logarithm.
    let mut mantissa = u128::from(hash << zeros);
    let mut fraction = 0;
    for _ in 0..FRACTION {
        mantissa = (mantissa * mantissa) >> 63;
        let two = mantissa >> 64;
        fraction = (fraction << 1) | two;
        mantissa >>= two;
    }
    ((u128::from(zeros) + 1) << FRACTION) - fraction
}

/// The share of the requests among equals, scaled.
fn share(standing: &CandidateStats, quickest: Option<Duration>) -> u64 {
    let weight = u64::from(standing.weight).saturating_mul(SCALE);
    let (Some(own), Some(quickest)) = (standing.latency, quickest) else { return weight };
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1);
    let slower = (micros(own).saturating_mul(SCALE) / micros(quickest)).clamp(SCALE, RATIO_MAX * SCALE);
    weight / slower * SCALE + weight % slower * SCALE / slower
}

/// The index of the share that the number falls to.
fn drawn(shares: &[u64], random: u64) -> usize {
    let sum: u64 = shares.iter().fold(0, |sum, share| sum.saturating_add(*share));
    let mut rest = if sum == 0 { 0 } else { random % sum };
    for (index, share) in shares.iter().enumerate() {
        if rest < *share {
            return index;
        }
        rest -= share;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn standing(priority: u32, weight: u32, latency_ms: Option<u64>) -> CandidateStats {
        let latency = match latency_ms {
            Some(ms) => Some(Duration::from_millis(ms)),
            None => None,
        };
        CandidateStats { priority, weight, latency }
    }

    /// The number of times that each comes first in 1,000 evenly spread draws.
    fn firsts(standings: &[CandidateStats]) -> Vec<usize> {
        let mut firsts = vec![0; standings.len()];
        for draw in 0..1_000_u64 {
            let mut random = draw.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let order = order(standings, || {
                random = random.rotate_left(17).wrapping_mul(0x2545_F491_4F6C_DD1D);
                random >> 11
            });
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..standings.len()).collect::<Vec<_>>(), "each once");
            firsts[order[0]] += 1;
        }
        firsts
    }

    #[test]
    fn priority_goes_before_weight() {
        assert_eq!(firsts(&[standing(1, 100, None), standing(0, 1, None)]), [0, 1_000]);
    }

    #[test]
    fn equals_share_by_weight() {
        let shares = firsts(&[standing(0, 3, None), standing(0, 1, None), standing(0, 0, None)]);
        assert!((650..850).contains(&shares[0]) && (150..350).contains(&shares[1]) && shares[2] == 0, "{shares:?}");
    }

    #[test]
    fn the_quicker_is_the_likelier_and_the_slow_one_is_still_asked() {
        let shares = firsts(&[standing(0, 1, Some(10)), standing(0, 1, Some(1_000))]);
        assert!(shares[1] > 50 && shares[1] < 200, "{shares:?}");
    }

    fn sessions_of(standings: &[CandidateStats]) -> Vec<usize> {
        let mut firsts = vec![0; standings.len()];
        let mut random = 7_u64;
        for _ in 0..10_000 {
            let hashes: Vec<u64> = standings
                .iter()
                .map(|_| {
                    random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
                    let mixed = (random ^ (random >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                    mixed ^ (mixed >> 31)
                })
                .collect();
            let order = order_of_session(standings, &hashes);
            assert_eq!(order, order_of_session(standings, &hashes));
            firsts[order[0]] += 1;
        }
        firsts
    }

    #[test]
    fn sessions_are_shared_by_weight_whatever_the_latency() {
        let shares = sessions_of(&[standing(0, 3, Some(900)), standing(0, 1, Some(1)), standing(0, 0, None)]);
        assert!((7_300..7_700).contains(&shares[0]) && shares[2] == 0, "{shares:?}");
        assert_eq!(sessions_of(&[standing(1, 9, None), standing(0, 1, None)]), [0, 10_000]);
    }

    #[test]
    fn a_session_moves_only_from_the_one_that_is_gone() {
        let three = [standing(0, 1, None); 3];
        for hashes in [[9, 1 << 60, u64::MAX], [u64::MAX, 0, 5], [1 << 40, 1 << 41, 1 << 42]] {
            let order = order_of_session(&three, &hashes);
            let gone = order[0];
            let left: Vec<usize> = (0..3).filter(|index| *index != gone).collect();
            let rest = order_of_session(&three[..2], &[hashes[left[0]], hashes[left[1]]]);
            assert_eq!(order[1..], rest.iter().map(|index| left[*index]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_half_is_halved_once() {
        assert_eq!([1 << 63, 1 << 62, 3 << 62, 0].map(halvings), [1 << 24, 2 << 24, 6_963_174, 64 << 24]);
    }

    #[test]
    fn no_weight_at_all_goes_in_order() {
        assert_eq!(order(&[standing(0, 0, None), standing(0, 0, None)], || 7), [0, 1]);
    }
}
