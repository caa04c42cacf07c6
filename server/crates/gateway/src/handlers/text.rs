//! `POST /v1/chat/completions`, `/v1/completions` and `/v1/messages`

use crate::Gateway;
use tollgate_api::generated::errors::envelopes;
use tollgate_api::generated::ops::chat::{CreateChatCompletion, CreateChatCompletionError, CreateChatCompletionInput};
use tollgate_api::generated::ops::completions::{CreateCompletion, CreateCompletionError, CreateCompletionInput};
use tollgate_api::generated::ops::messages::{CreateMessage, CreateMessageError, CreateMessageInput};
use tollgate_api::{Cx, ProxyReply};

use super::turn;

/// Answers an operation whose body is a request of its format, with nothing of it in the path.
macro_rules! answer_by_turn {
    ($operation:ident, $method:ident, $input:ident, $error:ident, $envelope:expr) => {
        turn::turn_error!($error);

        impl $operation for Gateway {
            async fn $method(&self, cx: &Cx, input: $input) -> Result<ProxyReply, $error> {
                let model = input.body.head.model.value.clone();
                let stream_error = |fault, tab: &_| turn::render_stream_error(fault, tab, $input::STREAM, $envelope);
                let answered = self.turn(cx, input.caller, input.body.into(), stream_error).await;
                turn::answer(cx, $envelope, model, answered)
            }
        }
    };
}

answer_by_turn!(
    CreateChatCompletion,
    create_chat_completion,
    CreateChatCompletionInput,
    CreateChatCompletionError,
    &envelopes::O
);
answer_by_turn!(CreateCompletion, create_completion, CreateCompletionInput, CreateCompletionError, &envelopes::O);
answer_by_turn!(CreateMessage, create_message, CreateMessageInput, CreateMessageError, &envelopes::A);
