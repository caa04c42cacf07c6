//! The quorum of nodes: the answers of several nodes about the same payment, compared with each other.

use futures_util::stream::{Stream, StreamExt};
use tokio::time::{Instant, timeout_at};

use super::rpc::{BEHIND_THE_FIRST, RpcError};

/// The number of nodes that show that a payment came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WitnessCount {
    /// One, and no other answers, or there is no other.
    One,
    /// Two, which show the same.
    Two,
}

/// The answer that the nodes agree on.
/// Two that show that a payment came, the same way, are enough, and the others are not waited for. One is enough where no other
/// answers: one that does and shows anything else, or has not got so far, contradicts it. That a payment did not come is believed
/// of all of them alone.
///
/// # Errors
/// When they do not answer or do not agree.
pub(super) async fn quorum_answer<T: PartialEq>(
    mut told: impl Stream<Item = Result<T, RpcError>> + Unpin,
    is_came: impl Fn(&T) -> bool,
) -> Result<(T, WitnessCount), RpcError> {
    let (mut came, mut other, mut last) = (Vec::new(), None, None);
    let (mut differ, mut behind, mut until) = (false, false, None);
    while let Some(answer) = next_within(&mut told, until).await {
        match answer {
            Ok(shown) if is_came(&shown) => {
                if came.contains(&shown) {
                    return Ok((shown, WitnessCount::Two));
                }
                came.push(shown);
                until = until.or_else(|| Some(Instant::now() + BEHIND_THE_FIRST));
            }
            Ok(shown) => differ |= other.replace(shown).is_some_and(|before| other.as_ref() != Some(&before)),
            Err(error) => {
                behind |= matches!(error, RpcError::Behind | RpcError::Disagreed(_));
                last = Some(error);
            }
        }
    }
    let disagreed = |why: &str| Err(RpcError::Disagreed(why.to_owned()));
    match (came.pop(), other, last) {
        (Some(_), _, _) if !came.is_empty() => disagreed("each shows a payment otherwise"),
        (Some(_), Some(_), _) => disagreed("one of them shows a payment, and another does not"),
        (Some(_), None, _) if behind => disagreed("one of them shows a payment, and another has not got so far"),
        (Some(shown), None, _) => Ok((shown, WitnessCount::One)),
        (None, _, Some(error)) => Err(error),
        (None, Some(_), None) if differ => disagreed("each shows something else of a payment"),
        (None, Some(shown), None) => Ok((shown, WitnessCount::One)),
        (None, None, None) => disagreed("there is none"),
    }
}

/// The next answer, where it comes in time. None once there is no other, or the time is over.
async fn next_within<T>(told: &mut (impl Stream<Item = T> + Unpin), until: Option<Instant>) -> Option<T> {
    match until {
        Some(until) => timeout_at(until, told.next()).await.ok().flatten(),
        None => told.next().await,
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use futures_util::stream::FuturesUnordered;

    use super::*;

    /// `a` and `b` came, in one block or in another; anything else did not. `!` is no answer, `<` one that is behind, and `~`
    /// never comes.
    async fn told(answers: &str) -> Result<(char, WitnessCount), String> {
        let answers: FuturesUnordered<_> = answers.chars().map(one).collect();
        quorum_answer(answers, |told| "ab".contains(*told)).await.map_err(|error| error.to_string())
    }

    async fn one(answer: char) -> Result<char, RpcError> {
        match answer {
            '!' => Err(RpcError::Unreachable("it is down".to_owned())),
            '<' => Err(RpcError::Behind),
            '~' => pending().await,
            told => Ok(told),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn two_are_enough_and_one_where_no_other_answers() {
        use WitnessCount::{One, Two};
        for (answers, expected) in [
            ("a", Ok(('a', One))),
            ("a!", Ok(('a', One))),
            ("!a", Ok(('a', One))),
            ("a~", Ok(('a', One))),
            ("aa", Ok(('a', Two))),
            ("aa~", Ok(('a', Two))),
            ("axa", Ok(('a', Two))),
            ("a!a", Ok(('a', Two))),
            ("x", Ok(('x', One))),
            ("xx", Ok(('x', One))),
            ("ab", Err("each shows a payment otherwise")),
            ("ax", Err("and another does not")),
            ("xa", Err("and another does not")),
            ("ax~", Err("and another does not")),
            ("a<", Err("another has not got so far")),
            ("<a", Err("another has not got so far")),
            ("a<!", Err("another has not got so far")),
            ("xy", Err("each shows something else")),
            ("x!", Err("it is down")),
            ("x<", Err("is behind")),
            ("!", Err("it is down")),
            ("", Err("there is none")),
        ] {
            match (told(answers).await, expected) {
                (Ok(told), Ok(expected)) => assert_eq!(told, expected, "{answers}"),
                (Err(told), Err(expected)) => assert!(told.contains(expected), "{answers}: {told}"),
                (told, expected) => panic!("{answers}: {told:?}, and not {expected:?}"),
            }
        }
    }
}
