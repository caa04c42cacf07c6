// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! What `spec/` says, in Rust: shapes, operations, error codes, limits, machines, routes.
pub mod auth;
pub mod errors;
pub mod limits;
pub mod machines;
pub mod ops;
mod routes;
pub mod types;
pub use routes::{KEYED, router};
/// SHA-256 of the resolved spec that this was made from.
pub const SPEC_DIGEST: &str = "d7ecc67cbe5d620f183873905e246e6c9e8efbfbe03e3e5cca7eaffab470a654";

/// Hands each operation to the room that answers it: `delegate!(Service { credit: [GetBalance] })` makes a `Service`
/// with a field `credit` answer `GetBalance` through it.
macro_rules! delegate {
    ($service:ident { $($room:ident: [$($operation:ident),* $(,)?]),* $(,)? }) => {
        $($($crate::generated::delegate!(@ $operation $service $room);)*)*
    };
    (@impl $service:ident $room:ident $module:ident $name:ident $method:ident $input:ident $error:ident $reply:ty) => {
        impl $crate::generated::ops::$module::$name for $service {
            fn $method(
                &self,
                cx: &$crate::api::Cx,
                input: $crate::generated::ops::$module::$input,
            ) -> impl Future<Output = Result<$reply, $crate::generated::ops::$module::$error>> + Send {
                $crate::generated::ops::$module::$name::$method(&self.$room, cx, input)
            }
        }
    };
    (@ SumUsage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room usage SumUsage sum_usage SumUsageInput SumUsageError $crate::generated::types::UsageReply);
    };
    (@ RegisterAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents RegisterAgent register_agent RegisterAgentInput RegisterAgentError $crate::generated::types::AgentCreatedReply);
    };
    (@ ListAgents $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents ListAgents list_agents ListAgentsInput ListAgentsError $crate::generated::types::AgentListReply);
    };
    (@ ChangeAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents ChangeAgent change_agent ChangeAgentInput ChangeAgentError $crate::generated::types::AgentReply);
    };
    (@ RevokeAgent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room agents RevokeAgent revoke_agent RevokeAgentInput RevokeAgentError $crate::generated::types::AgentReply);
    };
    (@ GetBalance $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room balance GetBalance get_balance GetBalanceInput GetBalanceError $crate::generated::types::BalanceReply);
    };
    (@ GetSubscription $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room billing GetSubscription get_subscription GetSubscriptionInput GetSubscriptionError $crate::generated::types::Subscription);
    };
    (@ GetUsage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room billing GetUsage get_usage GetUsageInput GetUsageError $crate::generated::types::BillingUsage);
    };
    (@ CreateChatCompletion $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room chat CreateChatCompletion create_chat_completion CreateChatCompletionInput CreateChatCompletionError $crate::api::ProxyReply);
    };
    (@ CreateCompletion $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room completions CreateCompletion create_completion CreateCompletionInput CreateCompletionError $crate::api::ProxyReply);
    };
    (@ GenerateContent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content GenerateContent generate_content GenerateContentInput GenerateContentError $crate::api::ProxyReply);
    };
    (@ StreamContent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content StreamContent stream_content StreamContentInput StreamContentError $crate::api::ProxyReply);
    };
    (@ CountContentTokens $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content CountContentTokens count_content_tokens CountContentTokensInput CountContentTokensError $crate::api::ProxyReply);
    };
    (@ EmbedContent $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content EmbedContent embed_content EmbedContentInput EmbedContentError $crate::api::ProxyReply);
    };
    (@ BatchEmbedContents $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content BatchEmbedContents batch_embed_contents BatchEmbedContentsInput BatchEmbedContentsError $crate::api::ProxyReply);
    };
    (@ ListContentModels $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content ListContentModels list_content_models ListContentModelsInput ListContentModelsError $crate::generated::types::ModelListG);
    };
    (@ GetContentModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room content GetContentModel get_content_model GetContentModelInput GetContentModelError $crate::generated::types::ModelG);
    };
    (@ CreateEngineEmbedding $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room embeddings CreateEngineEmbedding create_engine_embedding CreateEngineEmbeddingInput CreateEngineEmbeddingError $crate::api::ProxyReply);
    };
    (@ CreateEmbedding $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room embeddings CreateEmbedding create_embedding CreateEmbeddingInput CreateEmbeddingError $crate::api::ProxyReply);
    };
    (@ GenerateImage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room images GenerateImage generate_image GenerateImageInput GenerateImageError $crate::api::ProxyReply);
    };
    (@ EditImage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room images EditImage edit_image EditImageInput EditImageError $crate::api::ProxyReply);
    };
    (@ CreateKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys CreateKey create_key CreateKeyInput CreateKeyError $crate::generated::types::KeyCreatedReply);
    };
    (@ ListKeys $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys ListKeys list_keys ListKeysInput ListKeysError $crate::generated::types::KeyListReply);
    };
    (@ ChangeKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys ChangeKey change_key ChangeKeyInput ChangeKeyError $crate::generated::types::KeyReply);
    };
    (@ RevokeKey $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room keys RevokeKey revoke_key RevokeKeyInput RevokeKeyError $crate::generated::types::KeyReply);
    };
    (@ CreateMessage $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room messages CreateMessage create_message CreateMessageInput CreateMessageError $crate::api::ProxyReply);
    };
    (@ CountMessageTokens $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room messages CountMessageTokens count_message_tokens CountMessageTokensInput CountMessageTokensError $crate::api::ProxyReply);
    };
    (@ ListModels $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room models ListModels list_models ListModelsInput ListModelsError $crate::generated::ops::models::ListModelsReply);
    };
    (@ GetModel $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room models GetModel get_model GetModelInput GetModelError $crate::generated::ops::models::GetModelReply);
    };
    (@ CreateModeration $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room moderations CreateModeration create_moderation CreateModerationInput CreateModerationError $crate::api::ProxyReply);
    };
    (@ GetReceipt $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room receipts GetReceipt get_receipt GetReceiptInput GetReceiptError $crate::generated::types::ReceiptReply);
    };
    (@ ListReceipts $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room receipts ListReceipts list_receipts ListReceiptsInput ListReceiptsError $crate::generated::types::ReceiptListReply);
    };
    (@ CreateResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CreateResponse create_response CreateResponseInput CreateResponseError $crate::api::ProxyReply);
    };
    (@ CompactResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CompactResponse compact_response CompactResponseInput CompactResponseError $crate::api::ProxyReply);
    };
    (@ GetResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses GetResponse get_response GetResponseInput GetResponseError $crate::api::ProxyReply);
    };
    (@ DeleteResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses DeleteResponse delete_response DeleteResponseInput DeleteResponseError $crate::generated::types::ResponseDeleted);
    };
    (@ CancelResponse $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CancelResponse cancel_response CancelResponseInput CancelResponseError $crate::api::ProxyReply);
    };
    (@ ListResponseInputItems $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses ListResponseInputItems list_response_input_items ListResponseInputItemsInput ListResponseInputItemsError $crate::api::ProxyReply);
    };
    (@ CountResponseTokens $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room responses CountResponseTokens count_response_tokens CountResponseTokensInput CountResponseTokensError $crate::api::ProxyReply);
    };
    (@ GetHealth $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetHealth get_health GetHealthInput GetHealthError $crate::generated::types::ServiceState);
    };
    (@ GetReadiness $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetReadiness get_readiness GetReadinessInput GetReadinessError $crate::generated::types::ServiceState);
    };
    (@ GetMetrics $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetMetrics get_metrics GetMetricsInput GetMetricsError $crate::api::ProxyReply);
    };
    (@ GetOpenapi $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room service GetOpenapi get_openapi GetOpenapiInput GetOpenapiError $crate::api::ProxyReply);
    };
    (@ SignUp $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions SignUp sign_up SignUpInput SignUpError $crate::api::BeginsSession<$crate::generated::types::LoginReply>);
    };
    (@ SignIn $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions SignIn sign_in SignInInput SignInError $crate::api::BeginsSession<$crate::generated::types::LoginReply>);
    };
    (@ SignOut $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room sessions SignOut sign_out SignOutInput SignOutError $crate::generated::types::LogoutReply);
    };
    (@ GetTopupInfo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room topup GetTopupInfo get_topup_info GetTopupInfoInput GetTopupInfoError $crate::generated::types::TopupInfoReply);
    };
    (@ GetTopupOrder $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room topup GetTopupOrder get_topup_order GetTopupOrderInput GetTopupOrderError $crate::generated::types::TopupOrderReply);
    };
    (@ CreateTextVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a CreateTextVideo create_text_video CreateTextVideoInput CreateTextVideoError $crate::api::ProxyReply);
    };
    (@ CreateImageVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a CreateImageVideo create_image_video CreateImageVideoInput CreateImageVideoError $crate::api::ProxyReply);
    };
    (@ GetTextVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a GetTextVideo get_text_video GetTextVideoInput GetTextVideoError $crate::generated::types::VideoTask);
    };
    (@ GetImageVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room video_a GetImageVideo get_image_video GetImageVideoInput GetImageVideoError $crate::generated::types::VideoTask);
    };
    (@ CreateVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos CreateVideo create_video CreateVideoInput CreateVideoError $crate::api::ProxyReply);
    };
    (@ GetVideoGeneration $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos GetVideoGeneration get_video_generation GetVideoGenerationInput GetVideoGenerationError $crate::generated::types::VideoTask);
    };
    (@ GetVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos GetVideo get_video GetVideoInput GetVideoError $crate::generated::types::VideoJob);
    };
    (@ ListVideos $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos ListVideos list_videos ListVideosInput ListVideosError $crate::generated::types::VideoJobList);
    };
    (@ DeleteVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos DeleteVideo delete_video DeleteVideoInput DeleteVideoError $crate::generated::types::VideoDeleted);
    };
    (@ DownloadVideo $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room videos DownloadVideo download_video DownloadVideoInput DownloadVideoError $crate::api::ProxyReply);
    };
    (@ CreateX402Order $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 CreateX402Order create_x402_order CreateX402OrderInput CreateX402OrderError $crate::generated::types::X402OrderReply);
    };
    (@ ListX402Orders $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 ListX402Orders list_x402_orders ListX402OrdersInput ListX402OrdersError $crate::generated::types::X402OrderListReply);
    };
    (@ ResumeX402Order $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 ResumeX402Order resume_x402_order ResumeX402OrderInput ResumeX402OrderError $crate::generated::types::X402OrderReply);
    };
    (@ GetX402Config $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 GetX402Config get_x402_config GetX402ConfigInput GetX402ConfigError $crate::generated::types::X402ConfigReply);
    };
    (@ PayX402Order $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room x402 PayX402Order pay_x402_order PayX402OrderInput PayX402OrderError $crate::generated::types::X402SettlementReply);
    };
}
pub(crate) use delegate;
