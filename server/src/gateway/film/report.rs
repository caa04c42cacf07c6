//! What a provider says of a video that it was asked for.

/// Where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It waits.
    Queued,
    /// It is being made.
    InProgress,
    /// It can be fetched.
    Completed,
    /// It will not be made.
    Failed,
}

/// One report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The provider's name for the task.
    pub id: String,
    /// Where it stands.
    pub stage: Stage,
    /// Per cent, where it tells.
    pub progress: Option<u8>,
    /// Where the video lies, for kinds whose addresses are anybody's to read.
    pub url: Option<String>,
    /// Of the finished video, as far as it tells.
    pub measures: Measures,
    /// Why there is none.
    pub fault: Option<Fault>,
}

/// Measures of a finished video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measures {
    /// Its length, a part of a second counted as a whole one.
    pub seconds: Option<u32>,
    /// In pixels.
    pub width: Option<u32>,
    /// In pixels.
    pub height: Option<u32>,
}

/// Why a video was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// For programs: a word or a number.
    pub code: String,
    /// For people.
    pub message: String,
}

/// Seconds as providers write them: `"5"`, `5`, `5.04`. A part of one counts as a whole one; what is none is `None`.
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
    // Files are cut at whole pictures, which is a few hundredths beyond what was ordered and not a second of it.
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
