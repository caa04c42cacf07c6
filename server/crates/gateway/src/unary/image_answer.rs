//! Reading of the answers of providers of messages with parameters, and of finished tasks.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::metering::UsageReport;
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::CatalogModel;
use tollgate_credit::BilledUsage;

use super::image_list::{ImageList, ListedImage};
use super::images::WantedImages;
use super::{UnaryContent, UnaryOutcome};

#[derive(Deserialize)]
struct ImageAnswer {
    output: ImageOutput,
    usage: Option<ImageCount>,
}

/// The images of an answer. Members that do not apply are absent or null.
#[derive(Deserialize)]
struct ImageOutput {
    choices: Option<Vec<ImageChoice>>,
    /// The images of a task. Some providers list them as choices instead, and some as both.
    results: Option<Vec<Option<TaskImage>>>,
}

#[derive(Deserialize)]
struct ImageChoice {
    message: Option<ImageChoiceMessage>,
}

/// A message with images. Some providers put each image into a choice of its own, some all into one.
#[derive(Deserialize)]
struct ImageChoiceMessage {
    content: Option<Vec<ImageChoicePart>>,
}

#[derive(Deserialize)]
struct ImageChoicePart {
    image: Option<String>,
}

/// An image of a task; one that could not be made has an error in its place.
#[derive(Deserialize)]
struct TaskImage {
    url: Option<String>,
    actual_prompt: Option<String>,
}

#[derive(Deserialize, Default)]
struct ImageCount {
    image_count: Option<u64>,
}

impl ImageOutput {
    /// The images of the choices, or else of the results: an answer may list the same images as both.
    fn pictures(self) -> Vec<ListedImage> {
        let messages = self.choices.unwrap_or_default().into_iter().filter_map(|choice| choice.message);
        let parts = messages.flat_map(|message| message.content.unwrap_or_default());
        let chosen: Vec<_> = parts.filter_map(|part| picture(part.image, None)).collect();
        if !chosen.is_empty() {
            return chosen;
        }
        let made = self.results.unwrap_or_default().into_iter().flatten();
        made.filter_map(|made| picture(made.url, made.actual_prompt)).collect()
    }
}

fn picture(url: Option<String>, prompt: Option<String>) -> Option<ListedImage> {
    let url = url.filter(|url| !url.is_empty())?;
    Some(ListedImage { url, revised_prompt: prompt.unwrap_or_default(), ..ListedImage::default() })
}

/// True if the `output` of a task has an image.
pub(super) fn is_made(output: &RawValue) -> bool {
    serde_json::from_str::<ImageOutput>(output.get()).is_ok_and(|output| !output.pictures().is_empty())
}

/// The response: URLs, or images still to be fetched, where the client wants their `bytes`.
///
/// # Errors
/// When the answer has no image.
pub(super) fn outcome(
    model: &CatalogModel,
    answer: &Bytes,
    created: i64,
    wanted: WantedImages,
    bytes: bool,
) -> Result<UnaryOutcome, CandidateError> {
    let (pictures, count) = read(answer, created)?;
    // The provider reports images alone, so there are no figures where tokens are priced.
    let reported =
        model.image_price.map(|_| UsageReport::Figures(BilledUsage { completion: count, ..BilledUsage::default() }));
    let content = match bytes {
        true => UnaryContent::ToFetch { pictures, wanted: wanted.count },
        false => UnaryContent::Whole(pictures.written()),
    };
    Ok(UnaryOutcome { content, reported, counted: wanted.counted(model, count) })
}

/// The images, and the number that is charged.
fn read(answer: &Bytes, created: i64) -> Result<(ImageList, u64), CandidateError> {
    let ImageAnswer { output, usage } = serde_json::from_slice(answer).map_err(|_| CandidateError::NoAnswer)?;
    let data = output.pictures();
    let count = match (u64::try_from(data.len()).unwrap_or(u64::MAX), usage.unwrap_or_default().image_count) {
        (0, _) => return Err(CandidateError::NoAnswer),
        // A reported count of 0, or above the number of images delivered, is not believed.
        (delivered, Some(told)) if (1..=delivered).contains(&told) => told,
        (delivered, _) => delivered,
    };
    Ok((ImageList { created, data }, count))
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
    fn a_picture_that_is_told_twice_is_one() {
        let (a, b) = ("https://x.example/a", "https://x.example/b");
        let results = json!([{"url": a, "actual_prompt": "a cat"}]);
        for (choices, expected) in [
            (json!([choice(&[a])]), a),
            (json!([choice(&[b])]), b),
            (json!([choice(&[""])]), a),
            (json!([choice(&[])]), a),
            (json!([]), a),
            (json!(null), a),
        ] {
            let answer = json!({"output": {"choices": choices, "results": results}});
            assert_eq!(read(&answer), Some((vec![expected.to_owned()], 1)), "{answer}");
        }
    }

    #[test]
    fn what_does_not_apply_may_be_null() {
        let a = "https://x.example/a";
        let empty = json!({"message": {"content": null}});
        for output in [
            json!({"choices": null, "results": [{"url": a, "actual_prompt": null}]}),
            json!({"choices": [choice(&[a])], "results": null}),
            json!({"choices": [{"message": null}, empty, choice(&[a])]}),
            json!({"results": [null, {"url": null, "code": "InternalError"}, {"url": a}]}),
        ] {
            let answer = json!({"output": output, "usage": null});
            assert_eq!(read(&answer), Some((vec![a.to_owned()], 1)), "{answer}");
        }
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
