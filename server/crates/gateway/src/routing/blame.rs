//! Blame: a provider's error is the fault of the request, of us, or of the provider. It decides who else is asked, what the
//! client is told, and whether the breaker counts it: what a client can bring about at will must not close a model to
//! others.

use bytes::Bytes;
use http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::config::ProviderKind;
use crate::metering::MeteredEvent;
use tollgate_formats::error_message;

/// The party that a status is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorBlame {
    /// It is a success.
    Answer,
    /// The request is at fault, whoever is asked.
    Request,
    /// The request, or our own name for the model or our rights there: [`ProviderErrorBody`] tells.
    Unclear,
    /// The provider, our key or our account there.
    Provider,
}

impl ErrorBlame {
    /// The blame by a status alone.
    #[must_use]
    pub fn of(status: StatusCode) -> Self {
        match status {
            status if status.is_success() => Self::Answer,
            StatusCode::BAD_REQUEST
            | StatusCode::NOT_ACCEPTABLE
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::URI_TOO_LONG
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::EXPECTATION_FAILED
            | StatusCode::UNPROCESSABLE_ENTITY
            | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
            | StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS => Self::Request,
            StatusCode::UNAUTHORIZED
            | StatusCode::PAYMENT_REQUIRED
            | StatusCode::PROXY_AUTHENTICATION_REQUIRED
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::CONFLICT
            | StatusCode::TOO_EARLY
            | StatusCode::TOO_MANY_REQUESTS => Self::Provider,
            status if status.is_client_error() => Self::Unclear,
            _ => Self::Provider,
        }
    }
}

/// The status that the client is told of a refusal: a provider's own where it can only be about the request.
///
/// With any other a client would look for the fault in its key with us, or its address for us.
#[must_use]
pub fn client_status(refusal: StatusCode) -> StatusCode {
    match refusal {
        StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => refusal,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// The error that a provider answered with.
#[derive(Debug)]
pub struct ProviderErrorBody {
    /// The body, as the provider sent it; empty for a task.
    pub bytes: Bytes,
    /// Its message, where it gave one.
    pub message: Option<String>,
    /// True if it is an error object of the provider's format.
    pub is_error: bool,
    /// The code of a provider that writes it beside its message, and not into an error object.
    code: Option<String>,
}

impl ProviderErrorBody {
    /// Reads the body as providers of this kind write errors.
    #[must_use]
    pub fn read(kind: ProviderKind, bytes: Bytes) -> Self {
        let CodedError { code, message } = serde_json::from_slice(&bytes).unwrap_or_default();
        match kind {
            ProviderKind::Speaks(format) => {
                let is_error = MeteredEvent::read(format, &bytes).is_ok_and(|seen| seen.error);
                Self { message: error_message(&bytes), is_error, code, bytes }
            }
            ProviderKind::Pictures | ProviderKind::PicturesLater | ProviderKind::VideoA => {
                Self { message, is_error: code.is_some(), code, bytes }
            }
        }
    }

    /// Reads the error of a task. Its results may be large, and are not kept.
    #[must_use]
    pub fn of_task(task: &RawValue) -> Self {
        let CodedError { code, message } = serde_json::from_str(task.get()).unwrap_or_default();
        Self { message, is_error: code.is_some(), code, bytes: Bytes::new() }
    }

    /// The code for the log, where it is a word: whatever else a provider writes there, it does not belong in one.
    #[must_use]
    pub fn code_word(&self) -> Option<&str> {
        const LENGTH_MAX: usize = 64;
        let is_word = |code: &&str| {
            code.len() <= LENGTH_MAX && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        };
        self.code.as_deref().filter(is_word)
    }

    /// True if the message blames the request by quoting an id of it.
    ///
    /// That is the id of a file or item that is not there, or is not ours. A message that names the model as only we do is
    /// about our configuration, and not for the client to read.
    #[must_use]
    pub fn quotes_request(&self, request: &[u8], model: &str) -> bool {
        let Some(message) = self.message.as_deref().filter(|message| self.is_error && !message.contains(model)) else {
            return false;
        };
        let words = message.split(|character: char| !(character.is_ascii_alphanumeric() || "-_".contains(character)));
        words.filter(|word| is_id(word)).any(|word| memchr::memmem::find(request, word.as_bytes()).is_some())
    }

    /// True if the error is about our key, our account or our name for the model.
    ///
    /// Some providers say so with the status of a bad request.
    #[must_use]
    pub fn blames_us(&self) -> bool {
        const OURS: [&str; 6] = [
            "API_KEY_INVALID",
            "billing_hard_limit_reached",
            "billing_not_active",
            "insufficient_quota",
            "account_deactivated",
            "model_not_found",
        ];
        // Codes of a provider of pictures; some go on behind a dot.
        const PICTURES: [&str; 5] =
            ["InvalidApiKey", "Arrearage", "AccessDenied", "ModelNotFound", "Model.AccessDenied"];
        // Format A has no code for it.
        const NO_CREDIT: &str = "credit balance is too low";
        let named = |word: &str| OURS.contains(&word);
        let Ok(ErrorEnvelope { error }) = serde_json::from_slice::<ErrorEnvelope>(&self.bytes) else {
            return self.code.as_deref().is_some_and(|code| PICTURES.iter().any(|ours| code.starts_with(ours)));
        };
        let broke = self.message.as_deref().is_some_and(|message| message.contains(NO_CREDIT));
        broke || error.code.as_str().is_some_and(named) || error.details.iter().any(|detail| named(&detail.reason))
    }
}

impl ProviderErrorBody {
    /// True if the provider says that we ask too often, which some say with any status.
    #[must_use]
    pub fn is_throttling(&self) -> bool {
        self.code.as_deref().is_some_and(|code| code.starts_with("Throttling"))
    }

    /// True if the error of a task says that there is no such model, as others say with the status 404.
    #[must_use]
    pub fn lacks_model(&self) -> bool {
        self.code.as_deref() == Some("ModelNotFound")
    }

    /// The blame by the code alone, where there is no status.
    #[must_use]
    pub fn blame(&self) -> ErrorBlame {
        const REQUEST: [&str; 8] = [
            "InvalidParameter",
            "InvalidURL",
            "InvalidFile",
            "InvalidImage",
            "DataInspection",
            "IPInfringement",
            "UnsupportedOperation",
            "BadRequest",
        ];
        const PROVIDER: [&str; 6] =
            ["InternalError", "SystemError", "ModelServ", "ModelUnavailable", "RequestTimeOut", "ResponseTimeout"];
        // The first word may be where it happened, and a later one why.
        let segments = self.code.as_deref().unwrap_or_default().split('.');
        let named = |words: &[&str]| segments.clone().any(|segment| words.iter().any(|word| segment.starts_with(word)));
        match (named(&REQUEST), named(&PROVIDER)) {
            (true, _) => ErrorBlame::Request,
            (false, true) => ErrorBlame::Provider,
            (false, false) => ErrorBlame::Unclear,
        }
    }
}

/// An error of a provider of pictures or videos.
#[derive(Deserialize, Default)]
struct CodedError {
    code: Option<String>,
    message: Option<String>,
}

/// True if a word looks like an id: long, and with a digit.
///
/// No word of a language that a message and a request share by chance is like that.
fn is_id(word: &str) -> bool {
    word.len() >= 8 && word.bytes().any(|byte| byte.is_ascii_digit())
}

#[derive(Deserialize)]
struct ErrorEnvelope {
    error: ErrorObject,
}

#[derive(Deserialize)]
struct ErrorObject {
    /// A word in format O, a number in format G.
    #[serde(default)]
    code: serde_json::Value,
    #[serde(default)]
    details: Vec<ErrorDetail>,
}

#[derive(Deserialize)]
struct ErrorDetail {
    #[serde(default)]
    reason: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use tollgate_formats::Format;

    fn words(format: Format, value: &serde_json::Value) -> ProviderErrorBody {
        ProviderErrorBody::read(ProviderKind::Speaks(format), value.to_string().into())
    }

    #[test]
    fn a_file_that_is_not_there_is_the_request_s_fault() {
        let request = br#"{"input":[{"file_id":"file-abc12345"},{"type":"item_reference","id":"rs_0123456789"}]}"#;
        let chat = |message: &str| words(Format::Chat, &json!({"error": {"message": message}}));
        for (message, quoted) in [
            ("No such File object: file-abc12345", true),
            ("Item with id 'rs_0123456789' not found.", true),
            ("The model `inner-model-2` does not exist", false),
            ("inner-model-2 cannot read file-abc12345", false),
            ("Invalid URL (POST /v1/chat/completions)", false),
            ("Project proj_777777777 has no access", false),
            ("a file_id of an item_reference is wrong", false),
        ] {
            assert_eq!(chat(message).quotes_request(request, "inner-model-2"), quoted, "{message}");
        }
        let page = ProviderErrorBody::read(
            ProviderKind::Speaks(Format::Chat),
            Bytes::from_static(b"<html>file-abc12345</html>"),
        );
        assert!(!page.quotes_request(request, "m"), "no provider's word");
        let a =
            json!({"type": "error", "error": {"type": "not_found_error", "message": "File not found: file-abc12345"}});
        assert!(words(Format::Messages, &a).quotes_request(request, "m"));
        let g = json!({"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "No access to File file-abc12345."}});
        assert!(words(Format::Generate, &g).quotes_request(request, "m"));
    }

    #[test]
    fn what_is_ours_to_mend_is_seen_under_its_wrong_status() {
        let info = |reason: &str| {
            let details = json!([{"@type": "type.googleapis.com/google.rpc.Help"}, {"reason": reason}]);
            json!({"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT", "details": details}})
        };
        assert!(words(Format::Generate, &info("API_KEY_INVALID")).blames_us());
        assert!(!words(Format::Generate, &info("OTHER")).blames_us());
        assert!(!words(Format::Generate, &json!({"error": {"details": "no"}})).blames_us());
        for (error, ours) in [
            (json!({"code": "billing_hard_limit_reached", "message": "Billing hard limit has been reached"}), true),
            (json!({"code": "model_not_found", "message": "The model `x` does not exist"}), true),
            (json!({"code": "context_length_exceeded", "message": "too long"}), false),
            (json!({"code": null, "message": "no"}), false),
            (
                json!({"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."}),
                true,
            ),
        ] {
            assert_eq!(words(Format::Chat, &json!({"error": error})).blames_us(), ours, "{error}");
        }
    }

    #[test]
    fn a_painter_s_words_are_sorted_by_their_code() {
        for (code, ours, too_often) in [
            ("InvalidApiKey", true, false),
            ("Arrearage", true, false),
            ("AccessDenied.Unpurchased", true, false),
            ("Model.AccessDenied", true, false),
            ("ModelNotFound", true, false),
            ("Throttling", false, true),
            ("Throttling.RateQuota", false, true),
            ("InvalidParameter", false, false),
            ("DataInspectionFailed", false, false),
        ] {
            let said = json!({"code": code, "message": "why not", "request_id": "r"});
            let words = ProviderErrorBody::read(ProviderKind::Pictures, said.to_string().into());
            assert_eq!((words.blames_us(), words.is_throttling()), (ours, too_often), "{code}");
            assert_eq!((words.message.as_deref(), words.is_error), (Some("why not"), true), "{code}");
        }
        let page = ProviderErrorBody::read(ProviderKind::Pictures, Bytes::from_static(b"<html>Throttling</html>"));
        assert!(!page.is_error && !page.is_throttling() && !page.blames_us());
    }

    #[test]
    fn a_task_that_failed_is_about_somebody_by_its_code() {
        for (code, verdict) in [
            ("InvalidParameter", ErrorBlame::Request),
            ("InvalidParameter.DataInspection", ErrorBlame::Request),
            ("DataInspectionFailed", ErrorBlame::Request),
            ("IPInfringementSuspect", ErrorBlame::Request),
            ("InternalError", ErrorBlame::Provider),
            ("InternalError.Timeout", ErrorBlame::Provider),
            ("InternalError.Algo", ErrorBlame::Provider),
            ("InternalError.Algo.InvalidParameter", ErrorBlame::Request),
            ("InternalError.Algo.DataInspectionFailed", ErrorBlame::Request),
            ("Algo.InternalError", ErrorBlame::Provider),
            ("ModelServingError", ErrorBlame::Provider),
            ("SomethingNew", ErrorBlame::Unclear),
            ("", ErrorBlame::Unclear),
        ] {
            let said = json!({"task_id": "t", "code": code, "message": "why not"}).to_string();
            assert_eq!(ProviderErrorBody::read(ProviderKind::PicturesLater, said.into()).blame(), verdict, "{code}");
        }
        assert_eq!(
            ProviderErrorBody::read(ProviderKind::PicturesLater, Bytes::from_static(b"{}")).blame(),
            ErrorBlame::Unclear
        );
    }

    #[test]
    fn of_a_task_only_its_words_are_kept() {
        let task =
            json!({"task_id": "t", "code": "InvalidParameter", "message": "why not", "results": ["a".repeat(99)]});
        let task = RawValue::from_string(task.to_string()).expect("JSON");
        let words = ProviderErrorBody::of_task(&task);
        assert_eq!((words.blame(), words.message.as_deref()), (ErrorBlame::Request, Some("why not")));
        assert!(words.bytes.is_empty());
    }

    #[test]
    fn a_log_has_a_code_only_if_it_is_a_word() {
        let long = "a".repeat(65);
        for (code, logged) in [
            (json!("InternalError.Algo-2_x"), Some("InternalError.Algo-2_x")),
            (json!("no key, as in\nbearer x"), None),
            (json!(long), None),
            (json!(7), None),
            (json!(null), None),
        ] {
            let said = json!({"code": code}).to_string();
            assert_eq!(ProviderErrorBody::read(ProviderKind::PicturesLater, said.into()).code_word(), logged, "{code}");
        }
    }

    #[test]
    fn every_status_is_about_somebody() {
        for (statuses, verdict) in [
            (&[200, 204][..], ErrorBlame::Answer),
            (&[400, 406, 413, 414, 415, 417, 422, 431, 451], ErrorBlame::Request),
            (&[403, 404, 405, 410, 421, 424, 499], ErrorBlame::Unclear),
            (&[301, 302, 401, 402, 407, 408, 409, 425, 429, 500, 502, 503, 504, 529], ErrorBlame::Provider),
        ] {
            for status in statuses {
                assert_eq!(ErrorBlame::of(StatusCode::from_u16(*status).expect("a status")), verdict, "{status}");
            }
        }
    }
}
