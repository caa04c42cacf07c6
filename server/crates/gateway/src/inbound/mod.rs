//! A client's request, independent of its format: the members that decide, and the bytes.
//!
//! Each format has a file that makes it of the generated head; [`members`] finds what a request asks for beyond tokens. The
//! bytes are edited by splicing and never rewritten, so that a provider of the client's own format gets them as they came.

mod audio;
mod chat;
mod completions;
mod generate;
mod generate_places;
mod media_body;
mod messages;
mod outgoing;
mod prompt_size;
mod responses;
mod responses_places;
mod words;

use std::ops::Range;

use bytes::Bytes;

use crate::config::OutputBoundField;
use crate::members::{self, AdmissionPolicy, MemberFinding, MemberPath, MemberRefusal, RequestAdmission, StoredItems};
use crate::metering::cost::CostReporting;
use crate::routing::model::CatalogModel;
use crate::routing::model_offer::AttemptTarget;
use crate::routing::token_bounds::RequestExtent;
use crate::stored_responses::PendingStorage;
use tollgate_formats::Format;
use tollgate_formats::wire::splice::JsonSplice;

use audio::AudioMentions;
pub use generate::{GenerateRequest, holds_no_media};
use generate_places::GenerateEditPlaces;
pub use media_body::{check_json, check_parts};
use outgoing::OutgoingBody;
use responses_places::ResponsesEditPlaces;
pub(super) use words::text_alone;

/// A client's request.
#[derive(Debug)]
pub struct InboundRequest {
    /// The client's format: of its body, of the answer, of every error.
    pub format: Format,
    /// The model as the client named it.
    pub model: String,
    /// True if the client wants a stream.
    pub stream: bool,
    /// True if it wants the stream as one JSON list instead of events; format G has both.
    pub as_list: bool,
    /// The body as it came, or with its references to stored responses resolved.
    pub bytes: Bytes,
    /// The figures that bound the cost.
    pub asked: RequestExtent,
    /// The size of what the model reads in bytes, for the gateway's own count.
    pub prompt_bytes: u64,
    /// The audio that it mentions.
    sound: AudioMentions,
    /// The storage of its response; format R alone has that.
    pub keep: Option<PendingStorage>,
    /// The items of its input that come from stored responses; format R alone has such.
    pub stored: StoredItems,
    /// The request before its previous response was inserted; format R alone has that.
    pub continues: Option<OriginalRequest>,
    /// The places where the client wants the cost of the answer.
    pub cost: CostReporting,
    edits: BodyEdits,
}

/// A request as it was before the previous conversation was inserted.
#[derive(Debug)]
pub struct OriginalRequest {
    /// The id of the previous response.
    pub previous: String,
    /// The body as it came.
    pub request: Bytes,
}

/// The ranges of the body to edit for a provider of the same format.
#[derive(Debug)]
enum BodyEdits {
    Chat(outgoing::ChatEditPlaces),
    Completions(outgoing::ChatEditPlaces),
    /// The range of the model's name; the bound is the client's own, which the format requires.
    Messages(Range<usize>),
    Generate(GenerateEditPlaces),
    Responses(ResponsesEditPlaces),
}

impl InboundRequest {
    /// The client's own request, before references were resolved: answers repeat its settings.
    #[must_use]
    pub fn as_it_came(&self) -> &Bytes {
        self.continues.as_ref().map_or(&self.bytes, |continues| &continues.request)
    }

    /// The name of audio in it that a model has no price for.
    #[must_use]
    pub fn sound_not_sold_by(&self, model: &CatalogModel) -> Option<String> {
        self.sound.not_sold(model.media_prices).map(str::to_owned)
    }

    /// Decides on the request's findings at a model.
    ///
    /// # Errors
    /// The reason for a refusal.
    pub fn admission(
        &self,
        findings: &[MemberFinding],
        policy: AdmissionPolicy<'_>,
    ) -> Result<RequestAdmission, MemberRefusal> {
        RequestAdmission::of(findings, &self.bytes, policy)
    }

    /// The body for a candidate of the client's format, without places that the model does not admit. `closed_thinking`
    /// tells if encrypted thinking may be asked for.
    #[must_use]
    pub fn body(&self, AttemptTarget { offer, candidate }: AttemptTarget<'_>, closed_thinking: bool) -> Bytes {
        let output_bound = offer.output_bound;
        let mut splice = self.admitted(&offer.admission);
        match &self.edits {
            BodyEdits::Chat(places) => {
                let outgoing = OutgoingBody::new(&self.bytes, &self.model, places, output_bound);
                outgoing.for_thinking(offer.model.capabilities.thinks()).edit(
                    &candidate.model,
                    candidate.upstream.output_bound_field(),
                    &mut splice,
                );
            }
            // It has one name for its bound, and that is the older one.
            BodyEdits::Completions(places) => OutgoingBody::new(&self.bytes, &self.model, places, output_bound).edit(
                &candidate.model,
                OutputBoundField::MaxTokens,
                &mut splice,
            ),
            BodyEdits::Messages(model) => {
                if self.model != candidate.model {
                    splice.replace(model.clone(), outgoing::json_text(&candidate.model));
                }
            }
            BodyEdits::Generate(places) => places.edit(&self.bytes, output_bound, &mut splice),
            BodyEdits::Responses(places) => {
                let renamed = (self.model != candidate.model).then_some(candidate.model.as_str());
                places.edit(&self.bytes, renamed, output_bound, closed_thinking, &mut splice);
            }
        }
        splice.apply(&self.bytes)
    }

    /// The client's request, without places that the model does not admit.
    #[must_use]
    pub fn remaining(&self, admission: &RequestAdmission) -> Bytes {
        self.admitted(admission).apply(&self.bytes)
    }

    /// The edits for a model's admission. They remove places that it does not admit and members for the gateway alone,
    /// and add the bounds of tools.
    fn admitted(&self, admission: &RequestAdmission) -> JsonSplice {
        let ours = self.cost.member.then(|| MemberPath::default().member("usage"));
        let places: Vec<MemberPath> = admission.dropped.iter().cloned().chain(ours).collect();
        let mut splice = JsonSplice::default();
        if !places.is_empty() {
            let ranges = members::without(&self.bytes, &places);
            ranges.into_iter().for_each(|range| splice.replace(range, String::new()));
        }
        if !admission.services.bounds.is_empty() {
            let bounds = members::bounded(&self.bytes, &admission.services.bounds);
            bounds.into_iter().for_each(|(range, text)| splice.replace(range, text));
        }
        splice
    }

    /// True if a bound is below the client's own in a format where other settings depend on it. Such a setting is that of
    /// thinking, which [`body`](Self::body) does not adjust.
    #[must_use]
    pub fn is_cut_in_depth(&self, output_bound: Option<u64>) -> bool {
        let cut = output_bound.is_some_and(|bound| self.asked.output_tokens.is_some_and(|own| bound < own));
        match &self.edits {
            BodyEdits::Messages(_) | BodyEdits::Generate(_) | BodyEdits::Responses(_) => cut,
            BodyEdits::Chat(_) | BodyEdits::Completions(_) => false,
        }
    }

    /// Places of the request that even a provider of the client's own format does not get.
    #[must_use]
    pub fn dropped(&self) -> Vec<String> {
        match &self.edits {
            BodyEdits::Responses(places) => places.dropped(),
            BodyEdits::Chat(_) | BodyEdits::Completions(_) | BodyEdits::Messages(_) | BodyEdits::Generate(_) => {
                Vec::new()
            }
        }
    }

    /// True if the answer has encrypted thinking that the gateway asked for and not the client.
    #[must_use]
    pub fn hides_closed_thinking(&self) -> bool {
        match &self.edits {
            BodyEdits::Responses(places) => places.hides_closed_thinking,
            BodyEdits::Chat(_) | BodyEdits::Completions(_) | BodyEdits::Messages(_) | BodyEdits::Generate(_) => false,
        }
    }

    /// True if the gateway asks for a stream's usage and the client does not, nor for the cost beside it.
    #[must_use]
    pub fn hides_usage(&self) -> bool {
        if self.cost.in_usage {
            return false;
        }
        match &self.edits {
            BodyEdits::Chat(places) | BodyEdits::Completions(places) => {
                OutgoingBody::new(&self.bytes, &self.model, places, None).hides_usage()
            }
            BodyEdits::Messages(_) | BodyEdits::Generate(_) | BodyEdits::Responses(_) => false,
        }
    }
}

/// A size in bytes as `u64`.
fn size(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
