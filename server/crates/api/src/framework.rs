//! The codes of the runtime's own refusals.

use super::CodeInfo;

/// The codes of the runtime's own refusals, by event. Comments name the values that are offered to the code.
#[derive(Debug)]
#[expect(missing_docs, reason = "each event says what it is by its name")]
pub struct Framework {
    pub bad_json: &'static CodeInfo,         // line column reason
    pub bad_field: &'static CodeInfo,        // field expected found
    pub missing_field: &'static CodeInfo,    // field
    pub missing_header: &'static CodeInfo,   // header
    pub bad_parameter: &'static CodeInfo,    // parameter expected found
    pub bad_content_type: &'static CodeInfo, // expected found
    pub wrong_method: &'static CodeInfo,     // method allowed
    pub unknown_path: &'static CodeInfo,     // method path
    pub body_too_large: &'static CodeInfo,   // limit_bytes
    pub body_timeout: &'static CodeInfo,     // bound seconds
    pub panic: &'static CodeInfo,
    pub timeout: &'static CodeInfo, // seconds
    pub overloaded: &'static CodeInfo,
    pub key_missing: &'static CodeInfo,
    pub key_invalid: &'static CodeInfo,
    pub key_disabled: &'static CodeInfo,
    pub key_expired: &'static CodeInfo,
    pub auth_unavailable: &'static CodeInfo,
    pub session_invalid: &'static CodeInfo,
    pub origin_refused: &'static CodeInfo,
    pub caller_conflict: &'static CodeInfo,
    pub operation_not_allowed: &'static CodeInfo, // operation
    pub address_not_allowed: &'static CodeInfo,
    pub role_missing: &'static CodeInfo,          // roles
    pub member_role_missing: &'static CodeInfo,   // roles
    pub too_many_requests: &'static CodeInfo,     // limit
    pub idempotency_in_flight: &'static CodeInfo, // first_request_id
    pub idempotency_done: &'static CodeInfo,      // first_request_id
    pub idempotency_mismatch: &'static CodeInfo,  // first_request_id
}
