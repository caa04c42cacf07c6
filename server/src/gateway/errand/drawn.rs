//! The answer of a provider that is asked with parameters: in messages at once, or as a task whose pictures are made.

use bytes::Bytes;
use serde::Deserialize;

use crate::credit::Usage;

use super::super::catalog::Model;
use super::super::failed::CandidateFailed;
use super::super::meter::Reported;
use super::pictures::{Picture, Pictures, Wanted};
use super::{Content, Outcome};

#[derive(Deserialize)]
struct Answer {
    output: Output,
    #[serde(default)]
    usage: Counted,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    choices: Vec<Choice>,
    /// Of a task; some tell what came of it as choices too.
    #[serde(default)]
    results: Vec<Made>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

/// Some providers put each picture into a choice of its own, some all of them into one.
#[derive(Deserialize)]
struct Message {
    content: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    image: Option<String>,
}

/// A picture of a task; one that could not be made has a reason in its place.
#[derive(Deserialize)]
struct Made {
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    actual_prompt: Option<String>,
}

#[derive(Deserialize, Default)]
struct Counted {
    #[serde(default)]
    image_count: Option<u64>,
}

/// What came of it: addresses, or pictures that are still to be fetched, where the client wants their `bytes`.
///
/// # Errors
/// When there is no picture in the answer.
pub(super) fn outcome(
    model: &Model,
    answer: &Bytes,
    created: i64,
    wanted: Wanted,
    bytes: bool,
) -> Result<Outcome, CandidateFailed> {
    let (pictures, count) = read(answer, created)?;
    // Its figures are pictures; where tokens have the price, it tells none.
    let reported = model.image_price.map(|_| Reported::Figures(Usage { completion: count, ..Usage::default() }));
    let content = match bytes {
        true => Content::ToFetch { pictures, wanted: wanted.count },
        false => Content::Whole(pictures.written()),
    };
    Ok(Outcome { content, reported, counted: wanted.counted(model, count) })
}

/// The pictures, and how many of them are charged.
fn read(answer: &Bytes, created: i64) -> Result<(Pictures, u64), CandidateFailed> {
    let Answer { output, usage } = serde_json::from_slice(answer).map_err(|_| CandidateFailed::NoAnswer)?;
    let parts = output.choices.into_iter().flat_map(|choice| choice.message.content);
    let images = parts.filter_map(|part| Some((part.image?, None)));
    let made = output.results.into_iter().filter_map(|made| Some((made.url?, made.actual_prompt)));
    let data: Vec<_> = images
        .chain(made)
        .filter(|(url, _)| !url.is_empty())
        .map(|(url, prompt)| Picture { url, revised_prompt: prompt.unwrap_or_default(), ..Picture::default() })
        .collect();
    let count = match (u64::try_from(data.len()).unwrap_or(u64::MAX), usage.image_count) {
        (0, _) => return Err(CandidateFailed::NoAnswer),
        // More than came is no figure to be charged by, and none at all is no gift.
        (delivered, Some(told)) if (1..=delivered).contains(&told) => told,
        (delivered, _) => delivered,
    };
    Ok((Pictures { created, data }, count))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn read(answer: &Value) -> Option<(Vec<String>, u64)> {
        let (pictures, count) = super::read(&answer.to_string().into(), 7).ok()?;
        Some((pictures.data.into_iter().map(|picture| picture.url).collect(), count))
    }

    fn choice(images: &[&str]) -> Value {
        let content: Vec<_> = images.iter().map(|image| json!({"image": image})).collect();
        json!({"finish_reason": "stop", "message": {"role": "assistant", "content": content}})
    }

    #[test]
    fn pictures_are_found_in_one_choice_or_in_several() {
        let (a, b) = ("https://x.example/a", "https://x.example/b");
        let both = Some((vec![a.to_owned(), b.to_owned()], 2));
        for choices in [json!([choice(&[a, b])]), json!([choice(&[a]), choice(&[b])])] {
            assert_eq!(read(&json!({"output": {"choices": choices}, "request_id": "r"})), both);
        }
        let told = json!({"finish_reason": "stop", "message": {"content": [{"text": "here"}, {"image": a}]}});
        assert_eq!(read(&json!({"output": {"choices": [told]}})), Some((vec![a.to_owned()], 1)));
    }

    #[test]
    fn of_a_task_the_pictures_that_were_made_are_given() {
        let (a, b) = ("https://x.example/a", "https://x.example/b");
        let failed = json!({"code": "DataInspectionFailed", "message": "no"});
        let results = json!([{"url": a, "orig_prompt": "a cat"}, failed, {"url": b, "actual_prompt": "a fat cat"}]);
        let answer = |usage| json!({"output": {"task_status": "SUCCEEDED", "results": results}, "usage": usage});
        let both = Some((vec![a.to_owned(), b.to_owned()], 2));
        for usage in [json!({"image_count": 2}), json!({"image_count": 3}), json!({})] {
            assert_eq!(read(&answer(usage)), both);
        }
        let (pictures, _) = super::read(&answer(json!({})).to_string().into(), 7).expect("pictures");
        let prompts: Vec<_> = pictures.data.into_iter().map(|picture| picture.revised_prompt).collect();
        assert_eq!(prompts, ["", "a fat cat"]);
        assert_eq!(read(&json!({"output": {"results": [failed]}})), None);
    }

    #[test]
    fn a_count_is_believed_up_to_what_came() {
        let answer = |count: Value| json!({"output": {"choices": [choice(&["https://x/a", "https://x/b"])]}, "usage": {"image_count": count}});
        for (told, charged) in [(json!(2), 2), (json!(1), 1), (json!(0), 2), (json!(3), 2), (json!(null), 2)] {
            assert_eq!(read(&answer(told.clone())).map(|(_, count)| count), Some(charged), "{told}");
        }
    }

    #[test]
    fn without_a_picture_it_is_no_answer() {
        for answer in [
            json!({}),
            json!({"output": {}}),
            json!({"output": {"choices": []}}),
            json!({"output": {"choices": [choice(&[""])]}}),
            json!({"output": {"choices": [{"message": {"content": []}}]}}),
            json!({"code": "InternalError", "message": "no", "request_id": "r"}),
        ] {
            assert_eq!(read(&answer), None, "{answer}");
        }
    }
}
