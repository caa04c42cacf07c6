//! A provider's report on a video task.

/// The state of a video task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VideoTaskState {
    /// It is waiting.
    Queued,
    /// It is being made.
    InProgress,
    /// The video can be fetched.
    Completed,
    /// The video will not be made.
    Failed,
}

/// A report on a video task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoTaskReport {
    /// The provider's id of the task.
    pub id: String,
    /// Its state.
    pub stage: VideoTaskState,
    /// The progress in per cent, where the provider tells.
    pub progress: Option<u8>,
    /// The public URL of the video, for kinds of providers that have one.
    pub url: Option<String>,
    /// The measures of the finished video, as far as the provider tells.
    pub measures: VideoMeasures,
    /// The error, where the task failed.
    pub fault: Option<VideoTaskFailure>,
}

/// Measures of a finished video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VideoMeasures {
    /// Its length in whole seconds; a fraction of 0.2 or more rounds up.
    pub seconds: Option<u32>,
    /// The width in pixels.
    pub width: Option<u32>,
    /// The height in pixels.
    pub height: Option<u32>,
}

/// The error of a failed video task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoTaskFailure {
    /// The code for programs: a word or a number.
    pub code: String,
    /// The message for people.
    pub message: String,
}

/// Seconds as providers write them: `"5"`, `5`, `5.04`. A fraction of 0.2 or more rounds up; `None` for anything else.
pub(super) fn seconds(value: &serde_json::Value) -> Option<u32> {
    let text = match value {
        serde_json::Value::String(text) => text.trim().to_owned(),
        serde_json::Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return None;
    }
    let whole: u32 = whole.parse().ok()?;
    // Files end at a whole frame, a few hundredths of a second after the ordered length, which is no second more.
    let more = part.bytes().next().is_some_and(|tenths| tenths > b'1');
    whole.checked_add(u32::from(more)).filter(|seconds| *seconds > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn seconds_in_any_spelling() {
        for (value, expected) in [
            (json!("5"), Some(5)),
            (json!(5), Some(5)),
            (json!(5.04), Some(5)),
            (json!("5.1"), Some(5)),
            (json!("5.2"), Some(6)),
            (json!("4.97"), Some(5)),
            (json!("0"), None),
            (json!(-5), None),
            (json!("5e1"), None),
            (json!("five"), None),
            (json!(1e300), None),
            (json!(null), None),
            (json!(true), None),
        ] {
            assert_eq!(seconds(&value), expected, "{value}");
        }
    }
}
