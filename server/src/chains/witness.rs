//! What several nodes say of the same payment, held against each other.

use futures_util::stream::{Stream, StreamExt};

use super::rpc::RpcError;

/// What nodes agree on. That a payment came is believed of so many `witnesses` that show the same, and the others are not waited
/// for; anything else, of all of them alone.
///
/// # Errors
/// When they do not answer or do not agree, or too few of them show that it came.
pub(super) async fn agreed<T: PartialEq>(
    mut told: impl Stream<Item = Result<T, RpcError>> + Unpin,
    is_came: impl Fn(&T) -> bool,
    witnesses: usize,
) -> Result<T, RpcError> {
    let (mut came, mut others, mut last) = (Vec::new(), Vec::new(), None);
    while let Some(answer) = told.next().await {
        match answer {
            Ok(shown) if is_came(&shown) => {
                if came.iter().filter(|other| **other == shown).count() + 1 >= witnesses {
                    return Ok(shown);
                }
                came.push(shown);
            }
            Ok(shown) => others.push(shown),
            Err(error) => last = Some(error),
        }
    }
    let disagreed = |why: String| Err(RpcError::Disagreed(why));
    match (others.pop(), last) {
        (_, Some(error)) if !came.is_empty() => {
            disagreed(format!("too few of them show a payment, and of another: {error}"))
        }
        (_, None) if !came.is_empty() => disagreed("too few of them show a payment, or not the same".to_owned()),
        (_, Some(error)) => Err(error),
        (Some(one), None) if others.iter().all(|other| *other == one) => Ok(one),
        (Some(_), None) => disagreed("each shows something else of a payment".to_owned()),
        (None, None) => disagreed("there is none".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream::iter;

    use super::*;

    /// `a` and `b` came, in one block or in another; anything else did not. `!` is no answer.
    async fn told(answers: &str, witnesses: usize) -> Result<char, String> {
        let answers = answers.chars().map(|answer| match answer {
            '!' => Err(RpcError::Unreachable("it is down".to_owned())),
            told => Ok(told),
        });
        let agreed = agreed(iter(answers.collect::<Vec<_>>()), |told| "ab".contains(*told), witnesses).await;
        agreed.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn what_came_is_believed_of_so_many_and_anything_else_of_all() {
        for (answers, witnesses, expected) in [
            ("a", 1, Ok('a')),
            ("xa", 1, Ok('a')),
            ("!a", 1, Ok('a')),
            ("aa", 2, Ok('a')),
            ("axa", 2, Ok('a')),
            ("a!a", 2, Ok('a')),
            ("xx", 2, Ok('x')),
            ("x", 1, Ok('x')),
            ("a", 2, Err("too few")),
            ("a!", 2, Err("too few of them show a payment, and of another: the node could not be reached")),
            ("ab", 2, Err("or not the same")),
            ("ax", 2, Err("or not the same")),
            ("xy", 1, Err("each shows something else")),
            ("x!", 1, Err("it is down")),
            ("!", 1, Err("it is down")),
            ("", 1, Err("there is none")),
        ] {
            match (told(answers, witnesses).await, expected) {
                (Ok(told), Ok(expected)) => assert_eq!(told, expected, "{answers}"),
                (Err(told), Err(expected)) => assert!(told.contains(expected), "{answers}: {told}"),
                (told, expected) => panic!("{answers}: {told:?}, and not {expected:?}"),
            }
        }
    }
}
