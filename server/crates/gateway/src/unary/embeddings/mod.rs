//! Embeddings: format O's list, format G's one or several contents.
//!
//! A provider of the client's format gets the client's bytes. Conversions go through [`texts`] and [`vectors`], which have a
//! reader and a writer for each format: [`list`] is format O's, [`contents`] format G's. Format R has the embeddings of O.

mod contents;
mod list;
mod texts;
mod vectors;

use std::ops::Range;

use bytes::Bytes;

use crate::config::ProviderKind;
use crate::inbound::holds_no_media;
use crate::metering::{UsageReport, counted};
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::{Candidate, CatalogModel};
use crate::upstream::UpstreamAction;
use tollgate_api::ProxyBody;
use tollgate_api::generated::ops::embeddings::{CreateEmbeddingHead, CreateEngineEmbeddingHead};
use tollgate_formats::{Format, MalformedRequest};

use super::{InputLoad, UnaryContent, UnaryOutcome, UnaryProviderRequest, UnaryRequest, UnitBounds, not_carried};

pub use contents::ContentBatching;
use list::EmbeddingListDetails;
use texts::EmbeddingTexts;

/// A request for embeddings.
#[derive(Debug)]
pub struct EmbeddingRequest {
    model: String,
    bytes: Bytes,
    /// The size of the input, in bytes.
    input_bytes: usize,
    /// True if the input is texts or tokens, without images or files, whose references are shorter than their tokens.
    text_alone: bool,
    form: EmbeddingForm,
}

/// The client's format, with the details for edits within it.
#[derive(Debug)]
enum EmbeddingForm {
    List(EmbeddingListDetails),
    Contents(ContentBatching),
}

impl EmbeddingRequest {
    /// A request of format O with the model in the body.
    ///
    /// # Errors
    /// When there is nothing to embed.
    pub fn list(body: ProxyBody<CreateEmbeddingHead>) -> Result<Self, MalformedRequest> {
        let CreateEmbeddingHead { model, input, encoding_format } = body.head;
        let format = encoding_format.and_then(|format| format.value);
        let named = Some((model.value.clone(), model.span));
        Self::of_list(model.value, named, &input.span, format.as_deref(), body.bytes)
    }

    /// A request of format O with the model in the path.
    ///
    /// # Errors
    /// When there is nothing to embed.
    pub fn engine(model: String, body: ProxyBody<CreateEngineEmbeddingHead>) -> Result<Self, MalformedRequest> {
        let CreateEngineEmbeddingHead { model: named, input, encoding_format } = body.head;
        let format = encoding_format.and_then(|format| format.value);
        let named = named.map(|named| (named.value, named.span));
        Self::of_list(model, named, &input.span, format.as_deref(), body.bytes)
    }

    fn of_list(
        model: String,
        named: Option<(String, Range<usize>)>,
        input: &Range<usize>,
        encoding_format: Option<&str>,
        bytes: Bytes,
    ) -> Result<Self, MalformedRequest> {
        list::not_empty(&bytes[input.clone()])?;
        let text_alone = list::holds_no_object(&bytes[input.clone()]);
        let base64 = encoding_format == Some("base64");
        Ok(Self {
            model,
            input_bytes: input.len(),
            text_alone,
            bytes,
            form: EmbeddingForm::List(EmbeddingListDetails { named, base64 }),
        })
    }

    /// A request of format G; `input` is the range of what is embedded.
    #[must_use]
    pub fn contents(model: &str, contents: ContentBatching, input: &Range<usize>, bytes: Bytes) -> Self {
        let model = model.strip_prefix("models/").unwrap_or(model).to_owned();
        let text_alone = holds_no_media(&bytes);
        Self { model, input_bytes: input.len(), text_alone, bytes, form: EmbeddingForm::Contents(contents) }
    }

    fn texts(&self) -> Result<EmbeddingTexts, CandidateError> {
        match &self.form {
            EmbeddingForm::List(_) => list::read(&self.bytes),
            EmbeddingForm::Contents(contents) => contents.read(&self.bytes),
        }
    }
}

impl UnaryRequest for EmbeddingRequest {
    fn format(&self) -> Format {
        match self.form {
            EmbeddingForm::List(_) => Format::Chat,
            EmbeddingForm::Contents(_) => Format::Generate,
        }
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn most(&self, model: &CatalogModel) -> UnitBounds {
        // Members beside the input may be read by the model as well: a title, an instruction.
        InputLoad { bytes: self.bytes.len(), text_alone: self.text_alone }.most(model)
    }

    fn order(&self, candidate: &Candidate) -> Result<UnaryProviderRequest, CandidateError> {
        let model = &candidate.model;
        let own = |action, body| Ok(UnaryProviderRequest { action, body, boundary: None, dropped: Vec::new() });
        let ProviderKind::Speaks(format) = candidate.upstream.kind() else {
            return Err(not_carried("model", "its provider has no embeddings"));
        };
        match (&self.form, format) {
            (_, Format::Messages) => Err(not_carried("model", "its format has no embeddings")),
            (EmbeddingForm::List(list), Format::Chat | Format::Completions | Format::Responses) => {
                own(UpstreamAction::Embed, list.edited(&self.bytes, model))
            }
            (EmbeddingForm::Contents(contents), Format::Generate) => {
                own(contents.action(), contents.edited(&self.bytes, model)?)
            }
            (EmbeddingForm::List(_), Format::Generate) => {
                let texts = self.texts()?;
                let body = contents::write(&texts, model);
                Ok(UnaryProviderRequest { action: UpstreamAction::Embed, body, boundary: None, dropped: texts.dropped })
            }
            (EmbeddingForm::Contents(_), Format::Chat | Format::Completions | Format::Responses) => {
                let texts = self.texts()?;
                let body = list::write(&texts, model);
                Ok(UnaryProviderRequest { action: UpstreamAction::Embed, body, boundary: None, dropped: texts.dropped })
            }
        }
    }

    fn outcome(
        &self,
        candidate: &Candidate,
        model: &CatalogModel,
        answer: &Bytes,
    ) -> Result<UnaryOutcome, CandidateError> {
        // Every other kind that has embeddings answers with format O's list.
        let of_g = candidate.upstream.kind() == ProviderKind::Speaks(Format::Generate);
        let vectors = if of_g { ContentBatching::answered(answer) } else { list::answered(answer) };
        let vectors = vectors.ok_or(CandidateError::NoAnswer)?;
        let format = if of_g { Format::Generate } else { Format::Chat };
        // Several inputs may be as long as the context each, so what was held for is what is possible.
        let possible = self.most(model).prompt;
        let reported = vectors.usage.map(|usage| UsageReport::read(format, usage, possible));
        let body = match &self.form {
            EmbeddingForm::List(list) if format == Format::Chat => list.own(answer, &vectors)?,
            EmbeddingForm::Contents(_) if format == Format::Generate => answer.clone(),
            form => {
                vectors.expect(self.texts()?.texts.len())?;
                match form {
                    EmbeddingForm::List(list) => {
                        list.converted(&vectors, &self.model, self.tokens(reported.as_ref()))?
                    }
                    EmbeddingForm::Contents(contents) => contents.converted(&vectors)?,
                }
            }
        };
        Ok(UnaryOutcome { content: UnaryContent::Whole(body), reported, counted: counted(self.input_bytes) })
    }
}

impl EmbeddingRequest {
    /// The number of tokens that is charged.
    fn tokens(&self, reported: Option<&UsageReport>) -> u64 {
        match reported {
            Some(UsageReport::Figures(usage)) => usage.prompt,
            Some(UsageReport::Absurd) | None => counted(self.input_bytes).prompt,
        }
    }
}
