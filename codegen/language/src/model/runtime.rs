//! The needs that the operations of a spec have of the runtime, and the codes and limits that the spec gives it.

use super::{DeclaredOperation, Example, FRAMEWORK_EVENTS, OperationStage, RuntimeCause, Spec, TypeExpr};

impl RuntimeCause {
    /// The first routed operation that brings it about.
    #[must_use]
    pub fn operation(self, spec: &Spec) -> Option<&str> {
        let mut routed = spec.operations.iter().filter(|(_, operation)| operation.stage == OperationStage::Routed);
        routed.find(|(_, operation)| self.is_of(spec, operation)).map(|(name, _)| name.as_str())
    }

    fn is_of(self, spec: &Spec, operation: &DeclaredOperation) -> bool {
        let schemes = || operation.auth.schemes().iter().filter_map(|scheme| spec.auth.get(&scheme.value));
        let by_key = || schemes().any(|scheme| scheme.header.is_some() || scheme.query.is_some());
        let by_cookie = || schemes().any(|scheme| scheme.cookie.is_some());
        let of_operators = || spec.is_of_operators(operation);
        let body = operation.body.as_ref().map(|body| &body.0);
        let has_idempotency_key = || operation.idempotency_key.as_ref().is_some_and(|switch| switch.value);
        match self {
            Self::AnyRequest => true,
            Self::Body => body.is_some(),
            Self::BodyWithoutLimit => body.is_some_and(|body| body.limit.is_none()),
            Self::Multipart => body.is_some_and(|body| body.multipart.is_some()),
            Self::RequiredHeader => operation.headers.values().any(|field| {
                let optional = TypeExpr::parse(&field.ty.value).map_or(true, |expr| expr.optional);
                !optional && field.default.is_none()
            }),
            Self::Proxy => operation.proxy.value,
            Self::Caller => !operation.auth.schemes().is_empty(),
            Self::AccountCaller => !operation.auth.schemes().is_empty() && !of_operators(),
            Self::Operator => of_operators(),
            Self::Member => !spec.member_roles.is_empty() && schemes().any(|scheme| scheme.is_of_members()),
            Self::Key => by_key(),
            Self::AccountKey => by_key() && !of_operators(),
            Self::Cookie => by_cookie(),
            Self::OwnPage => by_cookie() || operation.session.is_some(),
            Self::KeyAndCookie => by_key() && by_cookie() && !of_operators(),
            Self::IdempotencyKey => has_idempotency_key(),
            Self::Paid => operation.proxy.value && has_idempotency_key(),
        }
    }
}

impl Spec {
    /// True if an operation admits the caller of an example, where it names one that is known.
    #[must_use]
    pub fn may_call(&self, example: &Example, operation: &DeclaredOperation) -> bool {
        let scheme = example.caller.as_ref().and_then(|caller| self.fixtures.get(&caller.value)?.caller.as_ref());
        scheme.is_none_or(|scheme| operation.auth.schemes().iter().any(|admitted| admitted.value == scheme.value))
    }

    /// True if operations answer with this code of the runtime whether or not they list it.
    #[must_use]
    pub fn is_implied(&self, code: &str) -> bool {
        let implied = FRAMEWORK_EVENTS.iter().filter(|event| event.cause.is_implied());
        implied.filter_map(|event| self.event_code(event.name)).any(|named| named == code)
    }

    /// The code of an event of the runtime, where the spec names one.
    #[must_use]
    pub fn event_code(&self, event: &str) -> Option<&str> {
        self.framework.get(event).map(|code| code.value.value.as_str())
    }

    /// The codes of the events that such operations may meet, as far as the spec names them.
    pub fn event_codes(&self, cause: RuntimeCause) -> impl Iterator<Item = &str> {
        let events = FRAMEWORK_EVENTS.iter().filter(move |event| event.cause == cause);
        events.filter_map(|event| self.event_code(event.name))
    }

    /// The name of a header of the runtime, as `wire_names` has it, where the spec names one.
    #[must_use]
    pub fn runtime_header(&self, header: &str) -> Option<&str> {
        self.runtime_headers.get(header).map(|name| name.value.value.as_str())
    }

    /// The name of the limit of a bound of the runtime, where the spec names one.
    #[must_use]
    pub fn runtime_limit(&self, bound: &str) -> Option<&str> {
        self.runtime_limits.get(bound).map(|limit| limit.value.value.as_str())
    }
}
