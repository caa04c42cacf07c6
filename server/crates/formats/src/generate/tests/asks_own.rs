//! A client's request, read and written for a provider of the same format.

use super::{decode_request, json, read, write};
use crate::{BlockKind, MediaSource, MessageRole, OutputShape, ReasoningEffort, ToolChoice, ToolKind};

/// Everything that the format has a word for.
const ALL: &str = r#"{
  "systemInstruction":{"parts":[{"text":"Be brief."},{"text":" And kind."}]},
  "contents":[
    {"role":"user","parts":[
      {"text":"Look: "},
      {"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="},"mediaResolution":{"level":"HIGH"}},
      {"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/o.mp4"},"videoMetadata":{"fps":1.50}}
    ]},
    {"role":"model","parts":[
      {"text":"hm","thought":true},
      {"functionCall":{"id":"c1","name":"look_up","args":{"z":12345678901234567890,"a":1.0}},"thoughtSignature":"AQI="},
      {"functionCall":{"id":"c2","name":"look_up","args":{}}}
    ]},
    {"role":"user","parts":[
      {"functionResponse":{"id":"c1","name":"look_up","response":{"result":"x"},"scheduling":"WHEN_IDLE",
        "parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]}},
      {"functionResponse":{"id":"c2","name":"look_up","response":{"error":"none"}}}
    ]},
    {"role":"model","parts":[
      {"executableCode":{"language":"PYTHON","code":"1"},"thoughtSignature":"AQM="},
      {"text":"done","thoughtSignature":"AQQ="},{"text":"","thoughtSignature":"AQU="}],"x":[1]},
    {"role":"user","parts":[{"inlineData":{"mimeType":"text/csv","data":"YSxi","displayName":"t.csv"}}]}
  ],
  "tools":[
    {"functionDeclarations":[{"name":"look_up","description":"d","parametersJsonSchema":{"type":"object","$id":"q"},"behavior":"BLOCKING"}]},
    {"googleSearch":{"timeRangeFilter":{}}},{"codeExecution":{}}],
  "toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["look_up"],"y":1},"retrievalConfig":{"languageCode":"en"}},
  "generationConfig":{"temperature":0.70,"topP":1,"topK":40.0,"candidateCount":2,"maxOutputTokens":100,"stopSequences":["a","b"],
    "seed":7,"presencePenalty":0.1,"frequencyPenalty":-0.1,"responseLogprobs":true,"logprobs":3,
    "responseMimeType":"application/json","responseJsonSchema":{"type":"string"},"responseModalities":["TEXT"],
    "thinkingConfig":{"includeThoughts":true,"thinkingBudget":-1},"mediaResolution":"MEDIA_RESOLUTION_LOW","speechConfig":{"a":{}}},
  "safetySettings":[{"category":"C","threshold":"OFF"}],"cachedContent":"cachedContents/1","labels":{"a":"b"},
  "serviceTier":"flex","store":false,"unknownToUs":{"k":1.0}
}"#;

#[test]
fn all_members_come_back() {
    let (written, dropped) = write(&read(ALL)).expect("carried");
    assert_eq!(written, json(ALL));
    assert_eq!(dropped, Vec::<String>::new());
}

#[test]
fn numbers_and_arguments_keep_their_spelling() {
    let body = super::encode_request::write(&read(ALL), &super::TARGET).expect("carried").body;
    let text = String::from_utf8(body.to_vec()).expect("text");
    for piece in [
        r#""args":{"z":12345678901234567890,"a":1.0}"#,
        r#""temperature":0.70"#,
        r#""topK":40.0"#,
        r#""unknownToUs":{"k":1.0}"#,
        r#"{"fps":1.50}"#,
    ] {
        assert!(text.contains(piece), "{piece}");
    }
}

#[test]
fn each_spelling_comes_back_in_the_first_one() {
    for (given, expected) in [
        (
            r#"{"system_instruction":{"role":"user","parts":{"text":"s"}},"contents":{"parts":{"text":"t"}}}"#,
            r#"{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"t"}]}]}"#,
        ),
        (
            r#"{"model":"models/m","contents":[{"role":"USER","parts":[{"inline_data":{"mime_type":"image/png","data":"-_8"}}]}]}"#,
            r#"{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"+/8="}}]}]}"#,
        ),
        (
            r#"{"contents":[{"parts":[{"file_data":{"file_uri":"https://e.org/f","mime_type":"image/gif"}}]}],
                "generation_config":{"max_output_tokens":5,"top_k":3,"thinking_config":{"include_thoughts":false,"thinking_budget":0}}}"#,
            r#"{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"https://e.org/f","mimeType":"image/gif"}}]}],
                "generationConfig":{"maxOutputTokens":5,"topK":3,"thinkingConfig":{"includeThoughts":false,"thinkingBudget":0}}}"#,
        ),
        (
            r#"{"contents":[{"role":"user","parts":[{"text":"t"}]},
                {"role":"model","parts":[{"function_call":{"name":"f","args":{"snake_case":{"top_k":1}}}}]},
                {"role":"function","parts":[{"function_response":{"name":"f","response":{"mime_type":1}}}]}]}"#,
            r#"{"contents":[{"role":"user","parts":[{"text":"t"}]},
                {"role":"model","parts":[{"functionCall":{"name":"f","args":{"snake_case":{"top_k":1}}}}]},
                {"role":"user","parts":[{"functionResponse":{"name":"f","response":{"mime_type":1}}}]}]}"#,
        ),
        (
            r#"{"contents":[{"parts":[{"text":"t"}]}],"tools":{"function_declarations":{"name":"f","parameters":{"type":"OBJECT","properties":{"top_k":{"type":"STRING"}}}}},
                "tool_config":{"function_calling_config":{"mode":"validated","allowed_function_names":["f"]}}}"#,
            r#"{"contents":[{"role":"user","parts":[{"text":"t"}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object","properties":{"top_k":{"type":"string"}}}}]}],
                "toolConfig":{"functionCallingConfig":{"mode":"validated","allowedFunctionNames":["f"]}}}"#,
        ),
        (
            r#"{"contents":[{"parts":[{"text":"t"}]}],"generationConfig":{"response_mime_type":"text/x.enum","response_schema":{"type":"STRING","enum":["a"]},"thinking_config":{"thinking_level":"low"}}}"#,
            r#"{"contents":[{"role":"user","parts":[{"text":"t"}]}],"generationConfig":{"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]},"thinkingConfig":{"thinkingLevel":"LOW"}}}"#,
        ),
        (
            r#"{"contents":[{"parts":[{"text":"t"}]}],"generationConfig":{"responseModalities":["TEXT","IMAGE"],"imageConfig":{"aspectRatio":"16:9","imageSize":"2K"}}}"#,
            r#"{"contents":[{"role":"user","parts":[{"text":"t"}]}],"generationConfig":{"responseModalities":["TEXT","IMAGE"],"imageConfig":{"aspectRatio":"16:9","imageSize":"2K"}}}"#,
        ),
    ] {
        assert_eq!(write(&read(given)).expect("carried").0, json(expected), "{given}");
    }
}

#[test]
fn members_mean_what_they_say() {
    let ask = decode_request::read(ALL.as_bytes(), "models/x/y:z", true).expect("readable");
    assert_eq!((ask.model.as_str(), ask.stream), ("x/y:z", true));
    assert_eq!(ask.system.len(), 3);
    let roles: Vec<MessageRole> = ask.turns.iter().map(|turn| turn.role).collect();
    assert_eq!(
        roles,
        [MessageRole::User, MessageRole::Model, MessageRole::User, MessageRole::Model, MessageRole::User]
    );
    assert_eq!(ask.turns[1].blocks[1].at, "contents[1].parts[1]");
    assert!(
        matches!(&ask.turns[0].blocks[2].kind, BlockKind::Video(film) if film.source == MediaSource::FileId("gs://b/o.mp4".into()))
    );
    assert!(
        matches!(&ask.turns[4].blocks[0].kind, BlockKind::Document(table) if table.source == MediaSource::Text("a,b".into()))
    );
    assert!(matches!(&ask.turns[1].blocks[0].kind, BlockKind::Thinking { text, .. } if text == "hm"));
    assert!(
        matches!(&ask.turns[1].blocks[1].kind, BlockKind::Call { signature: Some(signature), .. } if signature.text == "AQI=")
    );
    assert!(matches!(&ask.turns[2].blocks[1].kind, BlockKind::CallResult { failed: Some(true), .. }));
    assert!(matches!(&ask.tools[1].kind, ToolKind::WebSearch));
    assert!(matches!(&ask.tools[2].kind, ToolKind::Hosted { name, .. } if name == "codeExecution"));
    assert!(matches!(&ask.tool_choice.expect("a choice").value, ToolChoice::Named(name) if name == "look_up"));
    assert!(matches!(&ask.shape.expect("a shape").value, OutputShape::JsonSchema { .. }));
    assert!(ask.reasoning.expect("thinking").value.adaptive);
    let places: Vec<&str> = ask.extra.iter().map(|extra| extra.at.as_str()).collect();
    assert!(places.contains(&"generationConfig.speechConfig"), "{places:?}");
}

#[test]
fn each_choice_and_shape_has_its_word() {
    let with = |members: &str| read(&format!(r#"{{"contents":[{{"parts":[{{"text":"t"}}]}}],{members}}}"#));
    let choice = |config: &str| {
        let ask = with(&format!(r#""toolConfig":{{"functionCallingConfig":{config}}}"#));
        format!("{:?}", ask.tool_choice.expect("a choice").value)
    };
    assert_eq!(choice(r#"{"mode":"AUTO"}"#), "Auto");
    assert_eq!(choice(r#"{"mode":"NONE"}"#), "Never");
    assert_eq!(choice(r#"{"mode":"ANY"}"#), "Some");
    assert_eq!(
        choice(r#"{"mode":"any","allowedFunctionNames":["f","g"]}"#),
        r#"Among { names: ["f", "g"], must: true }"#
    );
    assert_eq!(choice(r#"{"mode":"VALIDATED"}"#), "Auto");
    assert!(choice(r#"{"mode":"NEW"}"#).starts_with("Other"));
    let shape = |config: &str| with(&format!(r#""generationConfig":{config}"#)).shape;
    assert!(matches!(shape(r#"{"responseMimeType":"application/json"}"#).expect("one").value, OutputShape::JsonObject));
    assert!(matches!(shape(r#"{"responseMimeType":"text/plain"}"#).expect("one").value, OutputShape::Text));
    assert!(matches!(
        shape(r#"{"responseSchema":{"type":"STRING"}}"#).expect("one").value,
        OutputShape::JsonSchema { .. }
    ));
    assert!(matches!(shape(r#"{"responseModalities":["IMAGE"]}"#).expect("one").value, OutputShape::Other(_)));
    assert!(shape(r#"{"responseModalities":["TEXT"]}"#).is_none());
    let level = with(r#""generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH"}}"#).reasoning.expect("one");
    assert_eq!(level.value.effort, Some(ReasoningEffort::High));
}

#[test]
fn results_without_ids_are_tied_by_name_and_order() {
    let ask = read(
        r#"{"contents":[{"parts":[{"text":"t"}]},
          {"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g"}}]},
          {"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"id":"own__tg1_!","name":"g"}}]},
          {"role":"user","parts":[{"functionResponse":{"name":"g","response":{}}},{"functionResponse":{"name":"f","response":{}}},
            {"functionResponse":{"name":"f","response":{}}},{"functionResponse":{"id":"own","name":"g","response":{}}},
            {"functionResponse":{"name":"h","response":{}}}]}]}"#,
    );
    let ids = |turn: usize| -> Vec<String> {
        let id = |kind: &BlockKind| match kind {
            BlockKind::Call { id, .. } | BlockKind::CallResult { id, .. } => id.clone(),
            other => panic!("{other:?}"),
        };
        ask.turns[turn].blocks.iter().map(|block| id(&block.kind)).collect()
    };
    assert_eq!([ids(1), ids(2)].concat(), ["call_1_0", "call_1_1", "call_2_0", "own"]);
    assert_eq!(ids(3), ["call_1_1", "call_1_0", "call_2_0", "own", "call_3_4"]);
    let (written, _) = write(&ask).expect("carried");
    let given: Vec<_> = written["contents"][3]["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .map(|part| part["functionResponse"]["id"].as_str())
        .collect();
    assert_eq!(given, [None, None, None, Some("own"), None]);
}
