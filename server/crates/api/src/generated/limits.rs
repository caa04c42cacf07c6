// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Bounds on counts, times, sizes and amounts.
use std::time::Duration;
use crate::api;
/// Amount of one x402 order. Beyond it: X402_INVALID_AMOUNT.
pub const TOPUP_USD_X402: api::UsdBounds = api::UsdBounds {
    min: Some(api::Usd::from_nanos(1000000000)),
    max: Some(api::Usd::from_nanos(1000000000000)),
};

/// Amount of one crypto wallet order. Beyond it: INVALID_AMOUNT.
pub const TOPUP_USD_CRYPTO: api::UsdBounds = api::UsdBounds {
    min: Some(api::Usd::from_nanos(1000000000)),
    max: Some(api::Usd::from_nanos(1000000000000)),
};

/// Amount of one e-wallet order. Beyond it: INVALID_AMOUNT.
pub const TOPUP_USD_EWALLET: api::UsdBounds = api::UsdBounds {
    min: Some(api::Usd::from_nanos(1000000000)),
    max: None,
};

/// Time for which any order can be paid. Beyond it: ORDER_EXPIRED.
pub const ORDER_VALIDITY: Duration = Duration::from_secs(600);
/// Orders with less time left are not listed.
pub const LIST_REMAINING_VALIDITY: Duration = Duration::from_secs(30);
/// Orders of one user that wait for payment at the same time. Per user. Beyond it: X402_PENDING_CAP.
pub const X402_PENDING_ORDERS: u32 = 3;
/// Payments submitted in a minute from one address (in IPv6, one network of 64 bits), counted by each server for
/// itself. Per address. Beyond it: RATE_LIMITED.
pub const PAYMENT_TRIES: u32 = 60;
/// Payments on chains of one account that may come to nothing: each that is on its way counts one, and each that
/// the chain refused within the last hour, or that was used up otherwise, counts three, because the service has
/// paid its fee. What the chain did not take in time counts nothing. Per account. Beyond it: RATE_LIMITED.
pub const PAYMENTS_AT_STAKE: u32 = 30;
/// For how long a signed authorization must still be good when it is submitted. Beyond it: PAYLOAD_MISMATCH.
pub const PAYMENT_LEAD: Duration = Duration::from_secs(30);
/// Size of a signed payment. Beyond it: BODY_TOO_LARGE.
pub const PAYMENT_PAYLOAD: usize = 1048576;
/// Orders of one account that wait to be paid by a person's wallet at the same time. Per account. Beyond it:
/// RATE_LIMITED.
pub const CRYPTO_ORDERS: u32 = 20;
/// Orders of one account that wait to be paid on a checkout page at the same time. Per account. Beyond it:
/// RATE_LIMITED.
pub const CHECKOUT_ORDERS: u32 = 20;
/// Notices of one address (in IPv6, one network of 64 bits) that are refused in a minute as not the provider's
/// and told so, counted by each server for itself. Per address. Beyond it: RATE_LIMITED.
pub const NOTICE_REFUSALS: u32 = 60;
/// Questions of one address (in IPv6, one network of 64 bits) about an order without its token that are refused
/// in a minute and told so, counted by each server for itself. Per address. Beyond it: RATE_LIMITED.
pub const ORDER_TOKEN_REFUSALS: u32 = 60;
/// Size of a payment provider's notice. Beyond it: BODY_TOO_LARGE.
pub const NOTICE_BODY: usize = 262144;
/// Oldest notice or answer of a payment provider that is believed.
pub const NOTICE_AGE: Duration = Duration::from_secs(90000);
/// Time that a payment provider's clock may be ahead of ours.
pub const NOTICE_AHEAD: Duration = Duration::from_secs(300);
/// Time in which a payment provider must have answered. After it nobody knows what it did.
pub const CHECKOUT_CALL: Duration = Duration::from_secs(10);
/// Size of a payment provider's answer.
pub const CHECKOUT_ANSWER: usize = 65536;
/// Live agents of one account. Per account. Beyond it: AGENT_LIMIT.
pub const AGENTS_PER_ACCOUNT: u32 = 50;
/// Distance of `issued_at` from the service's time in either direction. Beyond it: ISSUED_AT_OUT_OF_RANGE.
pub const ISSUED_AT_AGE: Duration = Duration::from_secs(300);
/// Number of times that one nonce may be used. Per nonce. Beyond it: NONCE_USED.
pub const NONCE_USES: u32 = 1;
/// Open teams of one account. Per account. Beyond it: TEAM_LIMIT.
pub const TEAMS_PER_ACCOUNT: u32 = 1000;
/// Invitations of one organisation for one address within a day, up to which they are mailed. Per account.
pub const INVITATION_MAILS_PER_ADDRESS: u32 = 3;
/// Invitations of one organisation within a day, up to which they are mailed. Per account.
pub const INVITATION_MAILS_PER_DAY: u32 = 50;
/// Open invitations of one organisation. Per account. Beyond it: INVITATION_LIMIT.
pub const INVITATIONS_PER_ACCOUNT: u32 = 1000;
/// Time in which an invitation to an organisation has to be accepted. Beyond it: INVITATION_NOT_OPEN.
pub const INVITATION_TIME: Duration = Duration::from_secs(604800);
/// Organisations that one person is a member of. Per user. Beyond it: ORGANISATION_LIMIT.
pub const ORGANISATIONS_PER_PERSON: u32 = 100;
/// Live keys of one account. Per account. Beyond it: KEY_LIMIT.
pub const KEYS_PER_ACCOUNT: u32 = 1000;
/// Tries to sign in that fail in a minute, with one name from one address (in IPv6, one network of 64 bits); and
/// accounts that somebody wants to open from there. Each node counts by itself. Per address. Beyond it:
/// RATE_LIMITED.
pub const LOGIN_TRIES: u32 = 5;
/// Tries to sign in that fail in a minute from one address, with any names. Each node counts by itself. Per
/// address. Beyond it: RATE_LIMITED.
pub const LOGIN_ADDRESS_TRIES: u32 = 30;
/// Texts to sign that one address (in IPv6, one network of 64 bits) is given in a minute, and sign-ins by a
/// provider that it begins. Each node counts by itself. Per address. Beyond it: RATE_LIMITED.
pub const WALLET_CHALLENGE_TRIES: u32 = 30;
/// Time in which a text to sign has to be signed. Beyond it: CHALLENGE_INVALID.
pub const WALLET_CHALLENGE_AGE: Duration = Duration::from_secs(300);
/// Texts to sign that wait for their signature. Beyond it the oldest ones are forgotten.
pub const WALLET_CHALLENGES: u32 = 10000;
/// Time in which a sign-in by a provider has to be finished. Beyond it: OIDC_REFUSED.
pub const OIDC_SIGN_IN_AGE: Duration = Duration::from_secs(600);
/// Time in which a sign-in provider must have answered a call. Beyond it: OIDC_UNAVAILABLE.
pub const OIDC_CALL: Duration = Duration::from_secs(5);
/// Size of an answer of a sign-in provider. Beyond it: OIDC_UNAVAILABLE.
pub const OIDC_ANSWER: usize = 1048576;
/// Ways to sign in to one account beside its password. Per account. Beyond it: IDENTITY_LIMIT.
pub const IDENTITIES_PER_ACCOUNT: u32 = 20;
/// Sessions of one account. Beyond it the oldest ones end. Per account.
pub const SESSIONS_PER_ACCOUNT: u32 = 100;
/// Time after which a session that is not used ends. Beyond it: SESSION_INVALID.
pub const SESSION_IDLE: Duration = Duration::from_secs(43200);
/// Time after which a session ends however much it is used. Beyond it: SESSION_INVALID.
pub const SESSION_TOTAL: Duration = Duration::from_secs(604800);
/// Time after a sign-in in which a way to sign in may be added: another one, or the first password. Beyond it:
/// SIGN_IN_STALE.
pub const RECENT_SIGN_IN: Duration = Duration::from_secs(900);
/// Time after which a session of an operator that is not used ends. Beyond it: SESSION_INVALID.
pub const OPERATOR_SESSION_IDLE: Duration = Duration::from_secs(1800);
/// Time after which a session of an operator ends however much it is used. Beyond it: SESSION_INVALID.
pub const OPERATOR_SESSION_TOTAL: Duration = Duration::from_secs(43200);
/// Time in which an invitation has to be accepted. Beyond it: INVITATION_INVALID.
pub const OPERATOR_INVITATION: Duration = Duration::from_secs(259200);
/// Size of a text request to a model. Beyond it: BODY_TOO_LARGE.
pub const CHAT_BODY: usize = 4194304;
/// Size of a request that may carry images, sound or video. Beyond it: BODY_TOO_LARGE.
pub const MEDIA_BODY: usize = 33554432;
/// Size of a request with a price list. Beyond it: BODY_TOO_LARGE.
pub const PRICE_LIST_BODY: usize = 2097152;
/// Size of any other JSON body. Beyond it: BODY_TOO_LARGE.
pub const JSON_BODY: usize = 65536;
/// Time in which the headers of a request must arrive, the first request of a connection must be there, and an
/// HTTP/2 client must answer when asked whether it still is.
pub const HEADER_READ: Duration = Duration::from_secs(10);
/// Size of the path with its query and of all headers of a request, names and values. Beyond it:
/// HEADERS_TOO_LARGE.
pub const HEADER_BYTES: usize = 32768;
/// Headers of one request. Per request. Beyond it: HEADERS_TOO_LARGE.
pub const HEADER_COUNT: u32 = 100;
/// Longest pause while a body arrives. Beyond it: BODY_TIMEOUT.
pub const BODY_READ_IDLE: Duration = Duration::from_secs(30);
/// Time in which a body must arrive. Beyond it: BODY_TIMEOUT.
pub const BODY_READ_TOTAL: Duration = Duration::from_secs(120);
/// Parts of a form. Per request. Beyond it: BAD_FIELD.
pub const FORM_PARTS: u32 = 256;
/// Depth to which a JSON body may be nested. Per request. Beyond it: BAD_JSON.
pub const JSON_DEPTH: u32 = 128;
/// Different tools that a request to a model declares, those in namespaces and in its input included, where it
/// is converted for a provider of another format. Per request. Beyond it: BAD_FIELD.
pub const REQUEST_TOOLS: u32 = 4096;
/// Open connections of one node. Per node.
pub const CONNECTIONS: u32 = 10000;
/// Open connections of one address; in IPv6, of one network of 64 bits. Proxies that the operator names are
/// exempt, and so is the machine itself. Per address. Beyond it: RATE_LIMITED. The default of the setting
/// `listener.connections_per_address`.
pub const CONNECTIONS_PER_ADDRESS: u32 = 200;
/// Requests of one HTTP/2 connection at the same time. Per connection.
pub const HTTP2_STREAMS: u32 = 100;
/// Silence of an HTTP/2 client after which it is asked whether it is still there.
pub const HTTP2_SILENCE: Duration = Duration::from_secs(30);
/// Time without a request in flight after which an HTTP/2 connection is closed.
pub const HTTP2_IDLE: Duration = Duration::from_secs(300);
/// Requests that are being answered at the same time, streams to their end included. An operator may set any
/// number above none. Per node. Beyond it: OVERLOADED. The default of the setting `listener.requests_in_flight`.
pub const REQUESTS_IN_FLIGHT: u32 = 8000;
/// Requests of one account that are being answered at the same time. Per account. Beyond it: RATE_LIMITED. The
/// default of the setting `listener.requests_in_flight_per_account`.
pub const REQUESTS_IN_FLIGHT_PER_ACCOUNT: u32 = 2000;
/// Memory for the bodies of all requests that are being answered. Buffers of bodies of 64 KiB to 1 MiB are kept
/// for later ones: up to a sixteenth of this memory, in addition to it. Beyond it: OVERLOADED. The default of
/// the setting `listener.bodies_in_flight_mib`.
pub const BODIES_IN_FLIGHT: usize = 536870912;
/// Memory for the whole answers of providers that are read, or on their way to their clients, and for large
/// events of streams. Beyond it: OVERLOADED. The default of the setting `listener.answers_in_flight_mib`.
pub const ANSWERS_IN_FLIGHT: usize = 268435456;
/// Time for which an answer waits for room among the others. Beyond it: OVERLOADED.
pub const ANSWERS_IN_FLIGHT_WAIT: Duration = Duration::from_secs(5);
/// Longest time in which a client takes nothing of an answer that is there for it. Then the connection, in
/// HTTP/2 the stream, is cut. The default of the setting `listener.client_read_idle_seconds`.
pub const CLIENT_READ_IDLE: Duration = Duration::from_secs(60);
/// Time in which a request that waits for no provider must be answered. Beyond it: REQUEST_TIMEOUT.
pub const REQUEST_OWN: Duration = Duration::from_secs(30);
/// Longest wait that Retry-After asks for.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(60);
/// Time that streams have to end after the service was told to stop.
pub const SHUTDOWN_GRACE: Duration = Duration::from_secs(30);
/// Time to reach a provider. Beyond it: UPSTREAM_TIMEOUT. The default of the setting `patience.connect_seconds`.
pub const UPSTREAM_CONNECT: Duration = Duration::from_secs(10);
/// Time in which the first event of a stream must come, from asking a provider for it; then the next provider is
/// asked. An answer that is not a stream has all of `upstream_total`, because a model may think for long and
/// then say it at once. Beyond it: UPSTREAM_TIMEOUT. The default of the setting `patience.first_event_seconds`.
pub const UPSTREAM_FIRST_EVENT: Duration = Duration::from_secs(180);
/// Time for which the status of a stream is held back, from the first event of a provider to the first piece of
/// its answer: a text, thinking, a call, an item, an end. Then the client is sent the status and signs of life.
/// A provider that dies before that piece is followed by the next one, before the status and after it. The
/// default of the setting `patience.first_content_milliseconds`.
pub const UPSTREAM_FIRST_CONTENT: Duration = Duration::from_secs(10);
/// Longest silence of a provider in a stream that has begun. Beyond it: UPSTREAM_TIMEOUT. The default of the
/// setting `patience.idle_seconds`.
pub const UPSTREAM_IDLE: Duration = Duration::from_secs(60);
/// Time in which a provider must have answered in full, the time of those asked before it included. Beyond it:
/// UPSTREAM_TIMEOUT. The default of the setting `patience.total_seconds`.
pub const UPSTREAM_TOTAL: Duration = Duration::from_secs(600);
/// Time in which a provider must have counted tokens. A count is a number; one that takes longer is not worth
/// it. Beyond it: UPSTREAM_TIMEOUT.
pub const UPSTREAM_COUNT: Duration = Duration::from_secs(30);
/// Size of a provider's answer to a request to count. Beyond it: UPSTREAM_FAILED.
pub const UPSTREAM_COUNT_ANSWER: usize = 65536;
/// Size of a whole answer of a provider. Ten large pictures fit, and the longest list of long embeddings as
/// numbers in decimal. Beyond it: UPSTREAM_FAILED.
pub const UPSTREAM_ANSWER: usize = 134217728;
/// Size of a whole answer of a provider to a turn, and of what a stream of it keeps: one event, or what is held
/// back. Beyond it: UPSTREAM_FAILED.
pub const UPSTREAM_TURN_ANSWER: usize = 33554432;
/// Time in which one picture of a provider's answer must have been fetched.
pub const FETCH_TOTAL: Duration = Duration::from_secs(30);
/// Size of one picture that is fetched.
pub const FETCH_PICTURE: usize = 20971520;
/// Redirects that are followed from an address that is fetched. Per request.
pub const FETCH_HOPS: u32 = 3;
/// Time from a request for pictures that a provider answers later to the first question what came of it. The
/// default of the setting `pictures.poll_first_milliseconds`.
pub const PICTURE_POLL_FIRST: Duration = Duration::from_secs(1);
/// Longest time between two such questions; it grows from the first on.
pub const PICTURE_POLL_MOST: Duration = Duration::from_secs(10);
/// Time in which a provider must have answered such a question; then it is asked again.
pub const PICTURE_POLL: Duration = Duration::from_secs(30);
/// After so many failed questions in a row the next provider is asked for the pictures; where there is none, the
/// error is told. Per request. Beyond it: UPSTREAM_FAILED.
pub const PICTURE_POLL_FAILURES: u32 = 10;
/// Size of the header `x-tollgate-dropped`; what is longer is cut.
pub const DROPPED_HEADER: usize = 4096;
/// Size of an error of a provider, of what a stream of it sends before the answer begins, and of what any other
/// stream keeps uncounted. Beyond it: UPSTREAM_FAILED.
pub const UPSTREAM_LINE: usize = 4194304;
/// Time for which an answer is read on after its client has left, for all that is left of it together. Pictures
/// that a provider makes as a task are waited for as if it had not. The default of the setting
/// `patience.abandoned_seconds`.
pub const ABANDONED_STREAM: Duration = Duration::from_secs(30);
/// Time in which a model request must be answered in full, all providers tried included. Beyond it:
/// REQUEST_TIMEOUT.
pub const REQUEST_TOTAL: Duration = Duration::from_secs(660);
/// Time in which an ordered video must be finished. One that is not has failed and costs nothing. The default of
/// the setting `video.deadline_seconds`.
pub const VIDEO_DEADLINE: Duration = Duration::from_secs(3600);
/// Videos of one account that are not over. Per account. Beyond it: RATE_LIMITED.
pub const VIDEO_OPEN: u32 = 100;
/// Time from an order to the first question how the video does. The default of the setting
/// `video.poll_first_milliseconds`.
pub const VIDEO_POLL_FIRST: Duration = Duration::from_secs(1);
/// Longest time between two questions how a video does; it grows from the first on.
pub const VIDEO_POLL_MOST: Duration = Duration::from_secs(10);
/// Time for which a response is kept.
pub const RESPONSE_RETENTION: Duration = Duration::from_secs(2592000);
/// Items that one kept response adds to its conversation and that a later request may refer to by their ids: the
/// newest ones. As many may be referred to in one request. Per response.
pub const STORED_ITEMS: u32 = 1000;
/// Size of the kept responses of one account with their input; what several go on from counts once. Beyond it,
/// the oldest ones are dropped. Per account.
pub const STORED_RESPONSES: usize = 268435456;
/// Tags of one request. A header with more of them is refused. Per request.
pub const REQUEST_TAGS: u32 = 8;
/// Characters of a tag. A longer one is refused. Per tag.
pub const REQUEST_TAG: u32 = 64;
/// Receipts that are looked at for one page of the list where it is narrowed by key, model, tag or status. Per
/// page.
pub const RECEIPTS_SEARCHED: u32 = 10000;
/// Receipts of one page as CSV where no limit is asked for. Per page.
pub const RECEIPTS_AS_CSV: u32 = 1000;
/// Days of one question about usage. Per request. Beyond it: USAGE_TOO_WIDE.
pub const USAGE_DAYS: u32 = 366;
/// Days of one question about usage that tells tags apart or is of one tag. It is summed up from receipts. Per
/// request. Beyond it: USAGE_TOO_WIDE.
pub const USAGE_TAG_DAYS: u32 = 31;
/// Receipts of one question about usage that tells tags apart or is of one tag: all of the account in these days
/// count, whatever they carry. Per request. Beyond it: USAGE_TOO_WIDE.
pub const USAGE_TAG_RECEIPTS: u32 = 50000;
/// Rows of one answer about usage. Per request. Beyond it: USAGE_TOO_WIDE.
pub const USAGE_ROWS: u32 = 10000;
/// Time for which the answer to a request with an Idempotency-Key is given again.
pub const IDEMPOTENCY_KEPT: Duration = Duration::from_secs(86400);
/// Answers of one account that are kept to be given again. Beyond it, whoever comes again is told that it was
/// answered. Per account.
pub const IDEMPOTENCY_ANSWERS: u32 = 1000;
/// Size of an answer that is given again.
pub const IDEMPOTENCY_ANSWER: usize = 262144;
/// Bytes of text to one token, where the service counts itself, rounded up. For a charge, of the prompt as the
/// client sent it and of the output that was delivered; for an estimate, of the request's texts. Per token.
pub const COUNTED_BYTES_PER_TOKEN: u32 = 4;
/// Bytes of a request's body to one token at the least; the most that its prompt can be is reckoned from it. Per
/// token.
pub const PROMPT_BYTES_PER_TOKEN_MIN: u32 = 1;
/// Tokens that a provider may add around a prompt of any size. Per request.
pub const PROMPT_OVERHEAD: u32 = 16;
/// Tokens that a provider may add to explain to a model that it has tools. Per request.
pub const TOOLS_OVERHEAD: u32 = 1024;
/// Tokens of the shortest output worth paying for. Credit that does not buy it is too small for a request that
/// gives no bound of its own. Per answer. Beyond it: INSUFFICIENT_CREDIT.
pub const USEFUL_OUTPUT: u32 = 16;
/// A hold outlives the time of its request by this much.
pub const HOLD_EXPIRY_MARGIN: Duration = Duration::from_secs(60);
/// Holds that wait for the ledger at the same time; settlements have a queue of their own. Per node. Beyond it:
/// LEDGER_UNAVAILABLE.
pub const LEDGER_QUEUE: u32 = 4096;
/// Operations in one commit of the ledger. Per commit.
pub const LEDGER_BATCH: u32 = 512;
/// The bounds that a deployment may set. What is enforced and what is told come from one value of this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// Amount of one x402 order. Beyond it: X402_INVALID_AMOUNT.
    pub topup_usd_x402: api::UsdBounds,
    /// Amount of one crypto wallet order. Beyond it: INVALID_AMOUNT.
    pub topup_usd_crypto: api::UsdBounds,
    /// Amount of one e-wallet order. Beyond it: INVALID_AMOUNT.
    pub topup_usd_ewallet: api::UsdBounds,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            topup_usd_x402: TOPUP_USD_X402,
            topup_usd_crypto: TOPUP_USD_CRYPTO,
            topup_usd_ewallet: TOPUP_USD_EWALLET,
        }
    }
}
