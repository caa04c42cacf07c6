//! `POST /v1/messages/count_tokens` and `POST /v1beta/models/{model}:countTokens`

use crate::Gateway;
use crate::count::TokenCountRequest;
use crate::error::GatewayError;
use crate::members::StoredItems;
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::content::{CountContentTokens, CountContentTokensError, CountContentTokensInput};
use tollgate_api::generated::ops::messages::{CountMessageTokens, CountMessageTokensError, CountMessageTokensInput};
use tollgate_api::{Cx, ProxyReply};
use tollgate_formats::{Format, MalformedRequest};

use super::turn;

turn::turn_error!(CountMessageTokensError);
turn::turn_error!(CountContentTokensError);

impl CountMessageTokens for Gateway {
    async fn count_message_tokens(
        &self,
        cx: &Cx,
        input: CountMessageTokensInput,
    ) -> Result<ProxyReply, CountMessageTokensError> {
        let model = input.body.head.model.value;
        let counting = TokenCountRequest {
            format: Format::Messages,
            model: model.clone(),
            bytes: input.body.bytes,
            stored: StoredItems::default(),
        };
        turn::answer(cx, &envelopes::A, model, self.count(cx, &input.caller, &counting).await)
    }
}

impl CountContentTokens for Gateway {
    async fn count_content_tokens(
        &self,
        cx: &Cx,
        input: CountContentTokensInput,
    ) -> Result<ProxyReply, CountContentTokensError> {
        let head = &input.body.head;
        if head.contents.is_none() && head.generate_content_request.is_none() {
            return turn::answer(cx, &envelopes::G, input.model, Err(GatewayError::Unreadable(nothing_to_count())));
        }
        let name = input.model.strip_prefix("models/").unwrap_or(&input.model).to_owned();
        let counting = TokenCountRequest {
            format: Format::Generate,
            model: name,
            bytes: input.body.bytes,
            stored: StoredItems::default(),
        };
        turn::answer(cx, &envelopes::G, input.model, self.count(cx, &input.caller, &counting).await)
    }
}

fn nothing_to_count() -> MalformedRequest {
    MalformedRequest { at: "contents".to_owned(), expected: "present".to_owned(), found: "absent".to_owned() }
}
