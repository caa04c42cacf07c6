//! In which order the candidates of a model are asked: by priority; of equal ones by weight, and the quicker the likelier.

use std::time::Duration;

/// What counts of one candidate.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// The lower the earlier.
    pub priority: u32,
    /// Its share among equals; 0 is asked last of them.
    pub weight: u32,
    /// Its usual time to the first byte, once known.
    pub latency: Option<Duration>,
}

/// Latencies are told apart up to this ratio: a candidate ten times as slow still gets some requests, so that it is seen
/// when it recovers.
const RATIO_MAX: u64 = 8;
/// Parts of one weight.
const SCALE: u64 = 1 << 10;

/// The indexes of `standings` in the order to ask them. `random` gives numbers over the whole range.
#[must_use]
pub fn order(standings: &[Standing], mut random: impl FnMut() -> u64) -> Vec<usize> {
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

/// The part of the requests among equals, scaled.
fn share(standing: &Standing, quickest: Option<Duration>) -> u64 {
    let weight = u64::from(standing.weight).saturating_mul(SCALE);
    let (Some(own), Some(quickest)) = (standing.latency, quickest) else { return weight };
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(1);
    let slower = (micros(own).saturating_mul(SCALE) / micros(quickest)).clamp(SCALE, RATIO_MAX * SCALE);
    weight / slower * SCALE + weight % slower * SCALE / slower
}

/// Which of `shares` the number falls to.
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

    const fn standing(priority: u32, weight: u32, latency_ms: Option<u64>) -> Standing {
        let latency = match latency_ms {
            Some(ms) => Some(Duration::from_millis(ms)),
            None => None,
        };
        Standing { priority, weight, latency }
    }

    /// How often each comes first in 1,000 evenly spread draws.
    fn firsts(standings: &[Standing]) -> Vec<usize> {
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

    #[test]
    fn no_weight_at_all_goes_in_order() {
        assert_eq!(order(&[standing(0, 0, None), standing(0, 0, None)], || 7), [0, 1]);
    }
}
