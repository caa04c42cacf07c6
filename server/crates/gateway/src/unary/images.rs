//! Images as providers of format O answer them, and as clients read them. Either each image has a price, or its tokens have
//! one.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::config::ProviderKind;
use crate::metering::{UsageReport, counted as counted_text};
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::{Candidate, CatalogModel};
use tollgate_credit::{BilledUsage, MediaKinds, MediaTokens, Tariff};
use tollgate_formats::Format;

use super::image_list::ImageList;
use super::{InputLoad, UnaryContent, UnaryOutcome, UnitBounds, not_carried};

/// The images that a request asks for, and its input.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedImages {
    /// The most images.
    pub(super) count: u64,
    /// The size of the input.
    pub(super) load: InputLoad,
}

/// The usage that a provider reports beside the images.
#[derive(Deserialize)]
struct ImageUsageMember<'a> {
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

/// A text that is checked and skipped: an image is large, and its presence is enough.
#[derive(Debug, Default)]
struct SkippedText;

impl<'de> Deserialize<'de> for SkippedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Self)
    }
}

impl Visitor<'_> for SkippedText {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }
}

/// The body format in which a provider takes image requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImageProtocol {
    /// Format O's body, with a prompt.
    Prompts,
    /// Messages with parameters.
    Messages,
    /// A prompt with parameters, which starts a task.
    Tasks,
}

/// The prices for images of a model; `None` where it has none.
pub(super) fn tariff(model: &CatalogModel) -> Option<Arc<Tariff>> {
    match model.image_price {
        Some(picture) => Some(Arc::new(model.tariff.base.per_unit(picture).into())),
        None => model.media_prices.image_completion.then(|| model.tariff.clone()),
    }
}

impl WantedImages {
    /// The most units: the number of images, or the model's longest output for each.
    pub(super) fn most(self, model: &CatalogModel) -> UnitBounds {
        match model.image_price {
            Some(_) => UnitBounds { prompt: 0, output: self.count, kinds: MediaKinds::default() },
            None => {
                let UnitBounds { prompt, kinds, .. } = self.load.most(model);
                let output = self.count.saturating_mul(model.max_output_tokens);
                UnitBounds { prompt, output, kinds: MediaKinds { image: true, ..kinds } }
            }
        }
    }

    /// The gateway's own count for `delivered` images, used where no provider counts.
    /// The tokens of an image do not follow from its size. Images beyond the number wanted are not counted.
    pub(super) fn counted(self, model: &CatalogModel, delivered: u64) -> BilledUsage {
        let completion = Self { count: self.count.min(delivered), ..self }.most(model).output;
        match model.image_price {
            Some(_) => BilledUsage { completion, estimated: true, ..BilledUsage::default() },
            None => as_image_usage(BilledUsage { completion, ..counted_text(self.load.bytes) }),
        }
    }

    /// The response: the answer as it came, or written `anew` with every member that the spec's source has.
    ///
    /// # Errors
    /// When the answer has no image.
    pub(super) fn outcome(
        self,
        model: &CatalogModel,
        answer: &Bytes,
        anew: bool,
    ) -> Result<UnaryOutcome, CandidateError> {
        let (body, delivered) = match anew {
            true => read::<String>(answer).map(|read| (read.written(), read.data.len()))?,
            false => read::<SkippedText>(answer).map(|read| (answer.clone(), read.data.len()))?,
        };
        let delivered = u64::try_from(delivered).unwrap_or(u64::MAX);
        if delivered == 0 {
            return Err(CandidateError::NoAnswer);
        }
        let reported = match model.image_price {
            // Unknown members may ask the provider for more images, and it charges for all of them.
            Some(_) => Some(UsageReport::Figures(BilledUsage { completion: delivered, ..BilledUsage::default() })),
            None => {
                let told: ImageUsageMember<'_> =
                    serde_json::from_slice(answer).map_err(|_| CandidateError::NoAnswer)?;
                told.usage.map(|usage| self.tokens(model, usage))
            }
        };
        Ok(UnaryOutcome { content: UnaryContent::Whole(body), reported, counted: self.counted(model, delivered) })
    }

    /// The provider's own token counts, whose members have the names of format R.
    fn tokens(self, model: &CatalogModel, usage: &RawValue) -> UsageReport {
        let UnitBounds { prompt, output, .. } = self.most(model);
        let possible = prompt.max(output).max(model.context_tokens);
        match UsageReport::read(Format::Responses, usage.get(), possible) {
            UsageReport::Figures(usage) => UsageReport::Figures(as_image_usage(usage)),
            UsageReport::Absurd => UsageReport::Absurd,
        }
    }
}

fn read<T: DeserializeOwned + Default>(answer: &[u8]) -> Result<ImageList<T>, CandidateError> {
    serde_json::from_slice(answer).map_err(|_| CandidateError::NoAnswer)
}

/// The usage with its output counted as images, unless the provider splits it itself.
fn as_image_usage(usage: BilledUsage) -> BilledUsage {
    match usage.media {
        MediaTokens { audio_completion: 0, image_completion: 0, .. } => {
            BilledUsage { media: MediaTokens { image_completion: usage.completion, ..usage.media }, ..usage }
        }
        _ => usage,
    }
}

/// The body format in which a candidate takes image requests.
///
/// # Errors
/// When it makes no images.
pub(super) fn image_protocol(candidate: &Candidate) -> Result<ImageProtocol, CandidateError> {
    match candidate.upstream.kind() {
        ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses) => Ok(ImageProtocol::Prompts),
        ProviderKind::Pictures => Ok(ImageProtocol::Messages),
        ProviderKind::PicturesLater => Ok(ImageProtocol::Tasks),
        ProviderKind::Speaks(Format::Messages | Format::Generate) | ProviderKind::VideoA => {
            Err(not_carried("model", "its provider draws no pictures"))
        }
    }
}
