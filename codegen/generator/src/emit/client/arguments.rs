//! The arguments of a call that is shown, and the parts of it that they are sent as.

use serde_json::{Map, Value};

use super::model::ClientPackage;
use crate::client_model::{ApiCall, ParameterPlace};

/// The address of a service in samples, as long as nobody names another.
pub(in crate::emit) const BASE: &str = "http://localhost:8080";

/// The arguments of a call.
#[derive(Debug, Clone, Default)]
pub(in crate::emit) struct CallArguments {
    /// The call's parameters in their order; `None` is not sent.
    pub(in crate::emit) parameters: Vec<Option<Value>>,
    /// A body in JSON.
    pub(in crate::emit) body: Option<Value>,
    /// A body as a form: parts, and whether they are files.
    pub(in crate::emit) form: Vec<(String, bool)>,
}

/// The parameters of a place that are given, by their names and as what they are sent.
pub(super) fn placed<'c, 'd>(
    call: &'c ApiCall<'d>,
    given: &'c CallArguments,
    place: ParameterPlace,
) -> impl Iterator<Item = (&'c crate::client_model::CallParameter<'d>, &'c Value)> {
    let all = call.parameters.iter().zip(&given.parameters);
    all.filter(move |(parameter, _)| parameter.place == place)
        .filter_map(|(parameter, value)| Some((parameter, value.as_ref()?)))
}

/// An object with one more member.
pub(super) fn with(body: &Value, name: &str, value: Value) -> Value {
    let mut members = body.as_object().cloned().unwrap_or_else(Map::new);
    members.insert(name.to_owned(), value);
    members.into()
}

/// The body without what asks for a stream, and whether it did.
pub(super) fn asks(body: Option<&Value>, switch: &str) -> (Option<Value>, bool) {
    let Some(Value::Object(members)) = body else { return (body.cloned(), false) };
    let mut members = members.clone();
    let asked = members.shift_remove(switch) == Some(Value::Bool(true));
    (Some(members.into()), asked)
}

/// True if a parameter that asks for a stream is given.
pub(super) fn asks_by(call: &ApiCall<'_>, given: &CallArguments, name: &str) -> bool {
    placed(call, given, ParameterPlace::Query).any(|(parameter, _)| parameter.name == name)
}

/// The cookie of calls that are opened by nothing else.
pub(super) fn cookie<'d>(package: &ClientPackage<'d>, call: &ApiCall<'d>) -> Option<&'d str> {
    if call.credential.is_some() {
        return None;
    }
    let schemes = call.operation.auth.iter().filter_map(|name| package.document.auth.get(name));
    schemes.filter_map(|scheme| scheme.cookie.as_deref()).next()
}
