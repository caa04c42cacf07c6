//! Sampling. The request's id alone gives the decision and the ids of trace and root span, so that each can be found by the other.

use opentelemetry::trace::{SpanId, TraceId};
use sha2::{Digest, Sha256};

use tollgate_base::RequestId;

/// The share of requests that are traced, in millionths.
#[derive(Debug, Clone, Copy)]
pub(super) struct TraceSampling {
    pub(super) millionths: u32,
}

/// The ids of a traced request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TraceIds {
    pub(super) trace: TraceId,
    /// Id of the span that is the parent of all others.
    pub(super) root: SpanId,
}

impl TraceSampling {
    /// The numbers of a request, if it is traced. Ids of one process count up, so they are mixed first.
    pub(super) fn of(self, request: RequestId) -> Option<TraceIds> {
        let mixed: [u8; 32] = Sha256::digest(request.as_str()).into();
        let [trace, rest] = [&mixed[..16], &mixed[16..]].map(|half| half.try_into().expect("half of it"));
        let (drawn, root) = halves(u128::from_be_bytes(rest));
        let share = (u128::from(drawn) * 1_000_000) >> 64;
        let numbers = || TraceIds { trace: TraceId::from_bytes(trace), root: SpanId::from_bytes(root.to_be_bytes()) };
        (share < u128::from(self.millionths)).then(numbers)
    }
}

fn halves(number: u128) -> (u64, u64) {
    let half = |number: u128| u64::try_from(number & u128::from(u64::MAX)).expect("64 bits fit");
    (half(number >> 64), half(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_traced_as_are_asked_for_and_always_the_same() {
        let requests: Vec<RequestId> = (0..20_000).map(|_| RequestId::mint(1_800_000_000_000)).collect();
        for (millionths, expected) in [(0, 0..=0), (100_000, 1_800..=2_200), (500_000, 9_700..=10_300)] {
            let sampling = TraceSampling { millionths };
            let traced = requests.iter().filter(|request| sampling.of(**request).is_some()).count();
            assert!(expected.contains(&traced), "{millionths}: {traced}");
        }
        let all = TraceSampling { millionths: 1_000_000 };
        for request in &requests {
            assert!(all.of(*request).is_some_and(|numbers| all.of(*request) == Some(numbers)));
        }
    }
}
