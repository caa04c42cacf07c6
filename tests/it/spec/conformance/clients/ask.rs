//! An example in the words of a program that uses a client.

use serde_json::{Map, Value, json};
use tollgate_spec_generator::client_model::{
    ApiCall, ApiReply, ApiType, CallGroup, CallParameter, CaseBody, ExampleCase, FixtureValues, ParameterPlace,
    Request, filled,
};
use tollgate_spec_language::naming;

use super::Way;

/// A call and what it is given.
pub(super) struct Ask<'c, 'd> {
    pub(super) call: &'c ApiCall<'d>,
    /// The key, where it goes where the client puts one.
    key: Option<String>,
    once: Option<String>,
    path: Vec<Value>,
    body: Option<Value>,
    params: Vec<(&'c CallParameter<'d>, Value)>,
    /// What the client knows nothing of.
    headers: Map<String, Value>,
}

impl<'c, 'd> Ask<'c, 'd> {
    pub(super) fn new(
        groups: &'c [CallGroup<'d>],
        case: &ExampleCase<'_>,
        values: &FixtureValues,
        request: &Request,
    ) -> Self {
        let call = called(groups, case);
        let mut headers: Map<String, Value> =
            request.headers.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
        // What the client says itself. Another type of a body is tried as a header like any other.
        headers.retain(|name, value| name != "content-type" || *value != "application/json");
        headers.remove("content-length");
        let key = call.credential.and_then(|credential| {
            let key = headers.get(credential.header)?.as_str()?.strip_prefix(credential.prefix)?.to_owned();
            headers.remove(credential.header);
            Some(key)
        });
        // Where an operation has the header as a parameter of its own, it is one.
        let is_parameter = call.parameters.iter().any(|parameter| parameter.wire == "idempotency-key");
        let once = if is_parameter { None } else { headers.remove("idempotency-key") };
        let once = once.and_then(|once| Some(once.as_str()?.to_owned()));
        let path =
            call.placed(ParameterPlace::Path).map(|parameter| filled(&case.path[parameter.name], values)).collect();
        let mut params = Vec::new();
        for parameter in &call.parameters {
            let value = match parameter.place {
                ParameterPlace::Path => None,
                ParameterPlace::Query => case.query.get(parameter.name).map(|value| filled(value, values)),
                ParameterPlace::Header => headers.remove(parameter.wire),
            };
            params.extend(value.map(|value| (parameter, listed(parameter, value))));
        }
        let body = match &request.body {
            Some(CaseBody::Json(body)) => Some(body.clone()),
            // The text is tried as a value.
            Some(CaseBody::Text(text)) => Some((*text).into()),
            Some(CaseBody::Bytes(_)) | None => None,
        };
        Self { call, key, once, path, body, params, headers }
    }

    /// What a driver is told of it.
    pub(super) fn told(&self, way: Way, url: &str) -> Value {
        let given = match way {
            Way::Typescript => self.typescript(),
            Way::Python | Way::AsyncPython => self.python(),
            Way::Rust => self.rust(),
        };
        let mut told = json!({
            "url": url,
            "key": self.key,
            "once": self.once,
            "headers": self.headers,
            "way": format!("{way:?}"),
            "error": format!("{}Error", naming::upper_camel(&self.call.name())),
        });
        told.as_object_mut().expect("an object").extend(given);
        told
    }

    fn group(&self) -> &str {
        self.call.id.split('.').next().expect("a group")
    }

    /// The value of the parameter that asks for a stream, by its name.
    fn switch(&self) -> Option<(&str, Value)> {
        let when = self.call.stream()?.when.as_deref()?;
        if let Some(field) = when.strip_prefix("body.") {
            return Some((field, true.into()));
        }
        let (name, word) = when.strip_prefix("query.")?.split_once('=')?;
        Some((name, word.into()))
    }

    fn streams(&self) -> bool {
        let Some((name, word)) = self.switch() else { return false };
        let in_body = self.body.as_ref().and_then(|body| body.get(name)) == Some(&word);
        in_body || self.params.iter().any(|(parameter, value)| parameter.name == name && *value == word)
    }

    /// Parameters without the one that asks for a stream.
    fn others(&self) -> impl Iterator<Item = &(&'c CallParameter<'d>, Value)> {
        let switch = self.switch().map(|(name, _)| name.to_owned());
        self.params.iter().filter(move |(parameter, _)| switch.as_deref() != Some(parameter.name))
    }

    fn typescript(&self) -> Map<String, Value> {
        let mut arguments = self.path.clone();
        arguments.extend(self.body.clone());
        if self.call.parameters.iter().any(|parameter| parameter.place != ParameterPlace::Path) {
            let name = |name: &str| if name.contains('-') { naming::snake(name) } else { name.to_owned() };
            let params = self.params.iter().map(|(parameter, value)| (name(parameter.name), value.clone()));
            arguments.push(params.collect::<Map<_, _>>().into());
        }
        let verb = self.call.operation.name.ts.clone().unwrap_or_else(|| lower_camel(&self.call.verb));
        object(json!({"group": lower_camel(self.group()), "verb": verb, "arguments": arguments}))
    }

    fn python(&self) -> Map<String, Value> {
        let mut arguments = self.path.clone();
        let mut body = self.body.clone();
        let mut named: Map<String, Value> =
            self.others().map(|(parameter, value)| (argument(parameter.name), value.clone())).collect();
        if self.streams() {
            named.insert("stream".to_owned(), true.into());
            if let (Some((name, _)), Some(Value::Object(body))) = (self.switch(), &mut body) {
                body.shift_remove(name);
            }
        }
        arguments.extend(body);
        let verb = self.call.operation.name.py.clone().unwrap_or_else(|| naming::snake(&self.call.verb));
        object(json!({"group": self.group(), "verb": verb, "arguments": arguments, "named": named}))
    }

    fn rust(&self) -> Map<String, Value> {
        let params: Map<String, Value> =
            self.others().map(|(parameter, value)| (parameter.name.to_owned(), value.clone())).collect();
        let (call, body) = (self.call.name(), &self.body);
        object(json!({"call": call, "path": self.path, "body": body, "params": params, "streams": self.streams()}))
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The call that answers in the form that an example expects.
fn called<'c, 'd>(groups: &'c [CallGroup<'d>], case: &ExampleCase<'_>) -> &'c ApiCall<'d> {
    let mut all = groups.iter().flat_map(|group| &group.calls).filter(|call| call.id == case.id);
    let same = |call: &&ApiCall<'_>| match (call.reply, case.expect.reply) {
        (ApiReply::Named(one), ApiReply::Named(other)) => one == other,
        (one, other) => std::mem::discriminant(&one) == std::mem::discriminant(&other),
    };
    all.find(same).unwrap_or_else(|| panic!("no call of `{}` answers so", case.id))
}

/// A list that is written as one word, as a list.
fn listed(parameter: &CallParameter<'_>, value: Value) -> Value {
    match (&parameter.field.ty, &value) {
        (ApiType::List(_), Value::String(text)) => text.split(',').collect(),
        _ => value,
    }
}

/// A parameter's name in Python, where some are taken.
fn argument(name: &str) -> String {
    let snake = naming::snake(name);
    let taken =
        ["as", "body", "class", "def", "for", "form", "from", "global", "in", "is", "options", "stream", "with"];
    if taken.contains(&snake.as_str()) { format!("{snake}_") } else { snake }
}

fn lower_camel(name: &str) -> String {
    let camel = naming::upper_camel(name);
    camel[..1].to_lowercase() + &camel[1..]
}
