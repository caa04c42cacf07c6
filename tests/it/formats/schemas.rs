//! Answers by a schema, over a provider of format A that refuses what the real one refuses: whatever the schema, whole and
//! streamed, the client gets JSON that keeps to the schema that it asked for.

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats::config;
use tollgate_tests::gateway::{Options, client};
use tollgate_tests::strict_provider;

/// How a client asks, and where the text of its answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Client {
    O,
    R,
    G,
}

const CLIENTS: [Client; 3] = [Client::O, Client::R, Client::G];

impl Client {
    /// The words of the user, in a request that asks for a shape with a member of its own.
    fn ask(self, gateway: &TestGateway, stream: bool, more: &Value) -> RequestBuilder {
        const WORDS: &str = "json: oslo";
        let (path, mut body) = match self {
            Self::O => ("/v1/chat/completions".to_owned(), json!({"messages": [{"role": "user", "content": WORDS}]})),
            Self::R => ("/v1/responses".to_owned(), json!({"input": WORDS, "store": false})),
            Self::G => {
                let action = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
                let body = json!({"contents": [{"role": "user", "parts": [{"text": WORDS}]}]});
                (format!("/v1beta/models/via-messages:{action}"), body)
            }
        };
        if self != Self::G {
            (body["model"], body["stream"]) = (json!("via-messages"), json!(stream));
        }
        let members = body.as_object_mut().expect("a body");
        members.extend(more.as_object().expect("members").clone());
        client().post(gateway.url(&path)).bearer_auth(&gateway.key).json(&body)
    }

    /// The members that ask for JSON by this schema, and the place that is told where they cannot bind.
    fn schema(self, schema: &Value) -> (Value, &'static str) {
        match self {
            Self::O => {
                let format = json!({"type": "json_schema", "json_schema": {"name": "n", "schema": schema}});
                (json!({"response_format": format}), "response_format")
            }
            Self::R => {
                let format = json!({"type": "json_schema", "name": "n", "schema": schema});
                (json!({"text": {"format": format}}), "text.format")
            }
            Self::G => {
                let config = json!({"responseMimeType": "application/json", "responseJsonSchema": schema});
                (json!({"generationConfig": config}), "generationConfig.responseJsonSchema")
            }
        }
    }

    fn any_json(self) -> Value {
        match self {
            Self::O => json!({"response_format": {"type": "json_object"}}),
            Self::R => json!({"text": {"format": {"type": "json_object"}}}),
            Self::G => json!({"generationConfig": {"responseMimeType": "application/json"}}),
        }
    }

    fn text(self, whole: &Value) -> String {
        let text = match self {
            Self::O => &whole["choices"][0]["message"]["content"],
            Self::R => &whole["output"][0]["content"][0]["text"],
            Self::G => &whole["candidates"][0]["content"]["parts"][0]["text"],
        };
        text.as_str().unwrap_or_else(|| panic!("{self:?}: {whole}")).to_owned()
    }

    fn piece(self, event: &Value) -> &str {
        let piece = match self {
            Self::O => &event["choices"][0]["delta"]["content"],
            Self::R if event["type"] == "response.output_text.delta" => &event["delta"],
            Self::R => &Value::Null,
            Self::G => &event["candidates"][0]["content"]["parts"][0]["text"],
        };
        piece.as_str().unwrap_or_default()
    }

    /// What was answered, and the header that tells what was left out.
    async fn answered(self, gateway: &TestGateway, stream: bool, more: &Value) -> (String, Option<String>) {
        let reply = self.ask(gateway, stream, more).send().await.expect("an answer");
        let status = reply.status();
        let dropped = reply.headers().get("x-tollgate-dropped").map(|told| told.to_str().expect("text").to_owned());
        let body = reply.text().await.expect("a body");
        assert_eq!(status, 200, "{self:?} {more}: {body}");
        if !stream {
            return (self.text(&serde_json::from_str(&body).expect("JSON")), dropped);
        }
        let events = body.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok());
        (events.map(|event| self.piece(&event).to_owned()).collect(), dropped)
    }
}

async fn gateway() -> TestGateway {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(strict_provider::answer);
    gateway
}

/// Schemas that can bind, and those that cannot.
fn schemas() -> Vec<(Value, bool)> {
    let text = json!({"type": "string"});
    let object = |members: Value| {
        let names: Vec<&String> = members.as_object().expect("members").keys().collect();
        json!({"type": "object", "properties": members, "required": names})
    };
    let point = object(json!({"x": {"type": "number", "minimum": 3}, "y": {"type": "number"}}));
    let mut many = object(json!({}));
    many["properties"] = (0..30).map(|at| (format!("m{at}"), text.clone())).collect::<serde_json::Map<_, _>>().into();
    let of = |member: Value| object(json!({"a": member}));
    let binding = vec![
        json!({"type": "object", "properties": {"a": text}}),
        of(json!({"type": "integer", "minimum": 7, "maximum": 30, "multipleOf": 5, "description": "how many"})),
        of(json!({"type": "number", "exclusiveMinimum": 2, "exclusiveMaximum": 9})),
        of(json!({"type": "string", "minLength": 6, "maxLength": 8})),
        of(json!({"type": "string", "pattern": "^o.{3}$"})),
        of(json!({"type": "string", "pattern": "^[a-z]+$"})),
        of(json!({"type": "array", "items": text, "minItems": 2, "maxItems": 3, "uniqueItems": true})),
        of(json!({"type": "array", "items": point, "minItems": 1})),
        of(of(of(json!({"type": "string", "format": "date"})))),
        of(json!({"type": "string", "format": "email", "examples": ["b@example.org"]})),
        of(json!({"type": "string", "contentEncoding": "none", "x-unknown": {"any": ["thing"]}})),
        of(json!({"type": ["string", "null"], "default": "d", "title": "t"})),
        of(json!({"anyOf": [point, {"type": "null"}]})),
        of(json!({"oneOf": [{"type": "string", "maxLength": 2}, {"type": "integer"}]})),
        of(json!({"enum": ["b", 2, null]})),
        of(json!({"const": "c"})),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["a"],
            "properties": {"a": {"$ref": "#/definitions/Point", "description": "where"}}, "definitions": {"Point": point}}),
        json!({"$ref": "#/$defs/Root", "$defs": {"Root": of(json!({"$ref": "#/$defs/Point"})), "Point": point}}),
        json!({"allOf": [{"$ref": "#/$defs/Point"}, of(text.clone())], "$defs": {"Point": point}}),
        json!({"type": "object", "properties": {"a": text}, "additionalProperties": true}),
    ];
    let free = vec![
        object(json!({"next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}})),
        json!({"$ref": "#/$defs/Node", "$defs": {"Node": object(json!({"name": text,
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}))}}),
        json!({"type": "object", "additionalProperties": {"type": "integer", "maximum": 4}}),
        of(json!({})),
        json!({"type": "object"}),
        many,
    ];
    let binds = binding.into_iter().map(|schema| (schema, true));
    binds.chain(free.into_iter().map(|schema| (schema, false))).collect()
}

fn check(schema: &Value, answer: &str, told: &str) {
    let answer: Value = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{told}: {error}: {answer}"));
    let validator = jsonschema::validator_for(schema).expect("a schema");
    let errors: Vec<String> = validator.iter_errors(&answer).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{told}: {answer}: {errors:?}");
}

#[tokio::test]
async fn any_schema_is_answered_by() {
    let gateway = gateway().await;
    for client in CLIENTS {
        for (schema, binds) in schemas() {
            let (members, place) = client.schema(&schema);
            for stream in [false, true] {
                let told = format!("{client:?} {stream} {schema}");
                let (answer, dropped) = client.answered(&gateway, stream, &members).await;
                check(&schema, &answer, &told);
                assert_eq!(dropped.is_some_and(|dropped| dropped.contains(place)), !binds, "{told}");
            }
        }
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn the_words_of_format_g_are_those_of_json_schema() {
    let gateway = gateway().await;
    let text = json!({"type": "STRING"});
    for (schema, means) in [
        (
            json!({"type": "OBJECT", "properties": {"b": text, "a": {"type": "INTEGER", "minimum": 4}},
                "propertyOrdering": ["a", "b"], "required": ["a"]}),
            json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "integer", "minimum": 4}},
                "required": ["a"]}),
        ),
        (
            json!({"type": "ARRAY", "items": text, "minItems": "2", "maxItems": "4"}),
            json!({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 4}),
        ),
        (
            json!({"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": true, "enum": ["x"]}}}),
            json!({"type": "object", "properties": {"a": {"enum": ["x", null]}}}),
        ),
        (
            json!({"type": "OBJECT", "properties": {"a": {"nullable": true, "anyOf": [text, {"type": "NUMBER"}]}}}),
            json!({"type": "object", "properties": {"a": {"type": ["string", "number", "null"]}}}),
        ),
    ] {
        let config = json!({"responseMimeType": "application/json", "responseSchema": schema});
        for stream in [false, true] {
            let members = json!({"generationConfig": config});
            let (answer, dropped) = Client::G.answered(&gateway, stream, &members).await;
            check(&means, &answer, &schema.to_string());
            assert_eq!(dropped, None, "{schema}");
        }
    }
}

#[tokio::test]
async fn json_without_a_schema_is_asked_for_in_words() {
    let gateway = gateway().await;
    for client in CLIENTS {
        for stream in [false, true] {
            let (answer, dropped) = client.answered(&gateway, stream, &client.any_json()).await;
            check(&json!({"type": "object"}), &answer, "any object");
            assert!(dropped.is_some(), "{client:?}");
        }
        let sent: Value = serde_json::from_slice(&gateway.upstream.take_received()[0].body).expect("JSON");
        assert!(sent["output_config"].is_null(), "{sent}");
    }
}

#[tokio::test]
async fn strict_tools_are_called_by_their_schemas() {
    let gateway = gateway().await;
    let reply = |parameters: &Value| {
        let function = json!({"name": "f", "strict": true, "parameters": parameters});
        let body = json!({"model": "via-messages", "messages": [{"role": "user", "content": "tool: oslo"}],
            "tools": [{"type": "function", "function": function}]});
        gateway.chat(body.to_string()).send()
    };
    for (schema, binds) in schemas().into_iter().filter(|(schema, _)| schema["type"] == "object") {
        let reply = reply(&schema).await.expect("an answer");
        let status = reply.status();
        let dropped = reply.headers().get("x-tollgate-dropped").map(|told| told.to_str().expect("text").to_owned());
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(status, 200, "{schema}: {body}");
        let call = &body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"];
        check(&schema, call.as_str().unwrap_or_else(|| panic!("{body}")), &schema.to_string());
        assert_eq!(dropped.as_deref() == Some("tools[0].strict"), !binds, "{schema}: {dropped:?}");
    }
}
