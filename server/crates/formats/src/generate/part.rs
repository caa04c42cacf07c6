//! One part of a content: the same in requests and in answers.

use serde_json::value::RawValue;

use super::super::json::{JsonList, JsonObject, JsonValue};
use super::super::{BlockKind, ContentBlock, MalformedRequest, MediaContent, MediaSource, UnknownMember};
use super::base64;

/// Addresses on these hosts are files that the provider keeps, and no one else can read.
const PROVIDER_HOSTS: &str = ".googleapis.com";
/// Members of a part beside its payload; everything else that is unknown is a payload.
const BESIDE: [&str; 6] =
    ["videoMetadata", "video_metadata", "partMetadata", "part_metadata", "mediaResolution", "media_resolution"];

/// A part as it stands.
#[derive(Debug)]
pub struct GeneratePart<'a> {
    /// Its place.
    pub at: String,
    /// Its content.
    pub payload: PartPayload,
    /// The member that marks thinking, as it stands.
    pub thought: Option<JsonValue<'a>>,
    /// The signature that its maker wants back with it.
    pub signature: Option<JsonValue<'a>>,
    /// Members beside these; those of the payload have its name before theirs: `functionResponse.scheduling`.
    pub extra: Vec<UnknownMember>,
}

/// The content of a part.
#[derive(Debug)]
pub enum PartPayload {
    /// Nothing: a signature may stand alone.
    Nothing,
    /// Text.
    Text(String),
    /// A picture, a document, sound or film.
    Media(BlockKind),
    /// A call.
    Call { id: Option<String>, name: String, arguments: String },
    /// Its result.
    Result { id: Option<String>, name: String, content: Vec<ContentBlock>, failed: Option<bool> },
    /// A content that only this format knows.
    Other { name: String, raw: Box<RawValue> },
}

impl<'a> GeneratePart<'a> {
    /// Reads one.
    ///
    /// # Errors
    /// When a member is of the wrong type or missing, or when it holds two things.
    pub fn read(value: &JsonValue<'a>) -> Result<Self, MalformedRequest> {
        let mut part = value.object()?;
        let thought = part.value(&["thought"]);
        let signature = part.value(&["thoughtSignature", "thought_signature"]);
        if let Some(signature) = &signature {
            signature.text()?;
        }
        let mut extra = Vec::new();
        let mut payloads = payloads(&mut part, &mut extra)?;
        if payloads.len() > 1 {
            return Err(value.wrong("a part that holds one thing"));
        }
        let mut rest = part.rest();
        let payload = match payloads.pop() {
            Some(payload) => payload,
            None => other(value, &mut rest),
        };
        extra.append(&mut rest);
        Ok(Self { at: value.at.clone(), payload, thought, signature, extra })
    }

    /// True if it is thinking and no text of the answer.
    pub fn is_thought(&self) -> bool {
        self.thought.as_ref().is_some_and(|thought| thought.flag() == Ok(true))
    }
}

/// A list; one element may stand without its brackets, as the service has it.
///
/// # Errors
/// When it is neither.
pub fn listed<'a>(value: &JsonValue<'a>) -> Result<JsonList<'a>, MalformedRequest> {
    if value.starts_with('{') { Ok(vec![value.clone()]) } else { value.list() }
}

fn payloads(part: &mut JsonObject<'_>, extra: &mut Vec<UnknownMember>) -> Result<Vec<PartPayload>, MalformedRequest> {
    let mut found = Vec::new();
    if let Some(text) = part.text(&["text"])? {
        found.push(PartPayload::Text(text));
    }
    if let Some(mut blob) = part.object(&["inlineData", "inline_data"])? {
        found.push(PartPayload::Media(inline(&mut blob)?));
        nest("inlineData", blob, extra);
    }
    if let Some(mut file) = part.object(&["fileData", "file_data"])? {
        found.push(PartPayload::Media(stored(&mut file)?));
        nest("fileData", file, extra);
    }
    if let Some(mut call) = part.object(&["functionCall", "function_call"])? {
        found.push(self::call(&mut call)?);
        nest("functionCall", call, extra);
    }
    if let Some(mut response) = part.object(&["functionResponse", "function_response"])? {
        found.push(result(&mut response)?);
        nest("functionResponse", response, extra);
    }
    Ok(found)
}

fn nest(scope: &str, object: JsonObject<'_>, extra: &mut Vec<UnknownMember>) {
    extra.extend(
        object.rest().into_iter().map(|member| UnknownMember { name: format!("{scope}.{}", member.name), ..member }),
    );
}

/// A payload that is not known here is kept whole, with all that stands beside it.
fn other(value: &JsonValue<'_>, rest: &mut Vec<UnknownMember>) -> PartPayload {
    let unknown = |extra: &&UnknownMember| !BESIDE.contains(&extra.name.as_str()) && extra.value.get() != "null";
    let Some(name) = rest.iter().find(unknown).map(|extra| extra.name.clone()) else { return PartPayload::Nothing };
    rest.clear();
    PartPayload::Other { name, raw: value.raw.to_owned() }
}

fn inline(blob: &mut JsonObject<'_>) -> Result<BlockKind, MalformedRequest> {
    let data = blob.required(&["data"])?;
    let bytes = base64::standard(data.text()?).ok_or_else(|| data.wrong("base64"))?;
    let mime = blob.text(&["mimeType", "mime_type"])?.or_else(|| base64::sniff(&bytes).map(str::to_owned));
    let source = match written(mime.as_deref(), &bytes) {
        Some(text) => MediaSource::Text(text),
        None => MediaSource::Base64(bytes),
    };
    Ok(media(mime, source, blob.text(&["displayName", "display_name"])?))
}

/// The text of a text document, where its bytes are the same again when written.
fn written(mime: Option<&str>, bytes: &str) -> Option<String> {
    mime.filter(|mime| mime.starts_with("text/"))?;
    String::from_utf8(base64::decode(bytes)?).ok()
}

fn stored(file: &mut JsonObject<'_>) -> Result<BlockKind, MalformedRequest> {
    let uri = file.required(&["fileUri", "file_uri"])?.text()?;
    let mime = file.text(&["mimeType", "mime_type"])?;
    let name = file.text(&["displayName", "display_name"])?;
    let host = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"));
    let public = host.is_some_and(|rest| !rest.split('/').next().unwrap_or_default().ends_with(PROVIDER_HOSTS));
    Ok(media(mime, if public { MediaSource::Url(uri) } else { MediaSource::FileId(uri) }, name))
}

fn media(mime: Option<String>, source: MediaSource, name: Option<String>) -> BlockKind {
    let family = mime.as_deref().and_then(|mime| mime.split('/').next()).unwrap_or_default().to_ascii_lowercase();
    let media = MediaContent { mime, source, name, detail: None };
    match family.as_str() {
        "image" => BlockKind::Image(media),
        "audio" => BlockKind::Audio(media),
        "video" => BlockKind::Video(media),
        _ => BlockKind::Document(media),
    }
}

fn call(call: &mut JsonObject<'_>) -> Result<PartPayload, MalformedRequest> {
    let id = call.text(&["id"])?;
    let name = call.required(&["name"])?.text()?;
    let arguments = match call.value(&["args"]) {
        Some(args) if args.starts_with('{') => args.raw.get().to_owned(),
        Some(args) => return Err(args.wrong("an object")),
        None => String::new(),
    };
    Ok(PartPayload::Call { id, name, arguments })
}

/// The response is one text, its JSON as it stands. The format keeps the word `error` for failures.
fn result(result: &mut JsonObject<'_>) -> Result<PartPayload, MalformedRequest> {
    let id = result.text(&["id"])?;
    let name = result.required(&["name"])?.text()?;
    let response = result.required(&["response"])?;
    let mut members = response.object()?;
    let failed = members.value(&["error"]).is_some() && members.rest().is_empty();
    let text = BlockKind::Text(response.raw.get().to_owned());
    let mut content = vec![ContentBlock { at: response.at, kind: text, extra: Vec::new() }];
    for part in result.list(&["parts"])? {
        let read = GeneratePart::read(&part)?;
        let PartPayload::Media(kind) = read.payload else { return Err(part.wrong("a part with data or a file")) };
        content.push(ContentBlock { at: read.at, kind, extra: read.extra });
    }
    Ok(PartPayload::Result { id, name, content, failed: failed.then_some(true) })
}
