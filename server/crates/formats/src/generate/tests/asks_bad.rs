//! Malformed requests, and the places that are reported.

use super::super::decode_request;

fn place(body: &str) -> String {
    decode_request::read(body.as_bytes(), "m", false).expect_err(body).at
}

#[test]
fn each_fault_is_told_by_its_place() {
    for (body, at) in [
        ("", "body"),
        ("[]", "body"),
        ("{}", "contents"),
        (r#"{"contents":[]}"#, "contents"),
        (r#"{"contents":"hi"}"#, "contents"),
        (r#"{"contents":[1]}"#, "contents[0]"),
        (r#"{"contents":[{"role":"user"}]}"#, "contents[0].parts"),
        (r#"{"contents":[{"role":"user","parts":[]}]}"#, "contents[0].parts"),
        (r#"{"contents":[{"role":"system","parts":[{"text":"t"}]}]}"#, "contents[0].role"),
        (r#"{"contents":[{"role":1,"parts":[{"text":"t"}]}]}"#, "contents[0].role"),
        (r#"{"contents":[{"parts":[{}]}]}"#, "contents[0].parts[0]"),
        (r#"{"contents":[{"parts":[{"videoMetadata":{}}]}]}"#, "contents[0].parts[0]"),
        (r#"{"contents":[{"parts":[{"text":"t","inlineData":{"data":"AA=="}}]}]}"#, "contents[0].parts[0]"),
        (r#"{"contents":[{"parts":[{"text":1}]}]}"#, "contents[0].parts[0].text"),
        (r#"{"contents":[{"parts":[{"text":"t","thought":"yes"}]}]}"#, "contents[0].parts[0].thought"),
        (r#"{"contents":[{"parts":[{"text":"t","thought_signature":1}]}]}"#, "contents[0].parts[0].thought_signature"),
        (r#"{"contents":[{"parts":[{"inline_data":{"data":"a b"}}]}]}"#, "contents[0].parts[0].inline_data.data"),
        (
            r#"{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png"}}]}]}"#,
            "contents[0].parts[0].inlineData.data",
        ),
        (r#"{"contents":[{"parts":[{"fileData":{}}]}]}"#, "contents[0].parts[0].fileData.fileUri"),
        (r#"{"contents":[{"parts":[{"functionCall":{"name":"f"}}]}]}"#, "contents[0].parts[0]"),
        (
            r#"{"contents":[{"role":"model","parts":[{"functionResponse":{"name":"f","response":{}}}]}]}"#,
            "contents[0].parts[0]",
        ),
        (r#"{"contents":[{"parts":[{"functionCall":{}}]}]}"#, "contents[0].parts[0].functionCall.name"),
        (
            r#"{"contents":[{"parts":[{"functionCall":{"name":"f","args":"{}"}}]}]}"#,
            "contents[0].parts[0].functionCall.args",
        ),
        (
            r#"{"contents":[{"parts":[{"functionResponse":{"name":"f"}}]}]}"#,
            "contents[0].parts[0].functionResponse.response",
        ),
        (
            r#"{"contents":[{"parts":[{"functionResponse":{"name":"f","response":"x"}}]}]}"#,
            "contents[0].parts[0].functionResponse.response",
        ),
        (
            r#"{"contents":[{"parts":[{"functionResponse":{"name":"f","response":{},"parts":[{"text":"t"}]}}]}]}"#,
            "contents[0].parts[0].functionResponse.parts[0]",
        ),
    ] {
        assert_eq!(place(body), at, "{body}");
    }
}

#[test]
fn each_member_beside_the_contents_too() {
    for (members, at) in [
        (r#""systemInstruction":"s""#, "systemInstruction"),
        (r#""systemInstruction":{"parts":[{"functionCall":{"name":"f"}}]}"#, "systemInstruction.parts[0]"),
        (r#""cachedContent":1"#, "cachedContent"),
        (r#""tools":1"#, "tools"),
        (r#""tools":[1]"#, "tools[0]"),
        (r#""tools":[{"functionDeclarations":[{}]}]"#, "tools[0].functionDeclarations[0].name"),
        (
            r#""tools":[{"function_declarations":[{"name":"f","parameters":1}]}]"#,
            "tools[0].function_declarations[0].parameters",
        ),
        (
            r#""tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":[]}]}]"#,
            "tools[0].functionDeclarations[0].parametersJsonSchema",
        ),
        (r#""tools":[{"googleSearch":1}]"#, "tools[0].googleSearch"),
        (r#""toolConfig":1"#, "toolConfig"),
        (r#""toolConfig":{"functionCallingConfig":1}"#, "toolConfig.functionCallingConfig"),
        (r#""toolConfig":{"functionCallingConfig":{"mode":1}}"#, "toolConfig.functionCallingConfig.mode"),
        (
            r#""toolConfig":{"functionCallingConfig":{"allowedFunctionNames":[1]}}"#,
            "toolConfig.functionCallingConfig.allowedFunctionNames[0]",
        ),
        (r#""generationConfig":[]"#, "generationConfig"),
        (r#""generationConfig":{"temperature":"1"}"#, "generationConfig.temperature"),
        (r#""generation_config":{"top_p":"1"}"#, "generation_config.top_p"),
        (r#""generationConfig":{"topK":true}"#, "generationConfig.topK"),
        (r#""generationConfig":{"candidateCount":1.5}"#, "generationConfig.candidateCount"),
        (r#""generationConfig":{"maxOutputTokens":-1}"#, "generationConfig.maxOutputTokens"),
        (r#""generationConfig":{"stopSequences":["a",1]}"#, "generationConfig.stopSequences[1]"),
        (r#""generationConfig":{"seed":"1"}"#, "generationConfig.seed"),
        (r#""generationConfig":{"responseLogprobs":1}"#, "generationConfig.responseLogprobs"),
        (r#""generationConfig":{"logprobs":true}"#, "generationConfig.logprobs"),
        (r#""generationConfig":{"responseMimeType":1}"#, "generationConfig.responseMimeType"),
        (r#""generationConfig":{"responseSchema":1}"#, "generationConfig.responseSchema"),
        (r#""generationConfig":{"responseJsonSchema":1}"#, "generationConfig.responseJsonSchema"),
        (r#""generationConfig":{"responseModalities":"IMAGE"}"#, "generationConfig.responseModalities"),
        (r#""generationConfig":{"thinkingConfig":1}"#, "generationConfig.thinkingConfig"),
        (
            r#""generationConfig":{"thinkingConfig":{"thinkingBudget":-2}}"#,
            "generationConfig.thinkingConfig.thinkingBudget",
        ),
        (
            r#""generationConfig":{"thinkingConfig":{"thinkingLevel":1}}"#,
            "generationConfig.thinkingConfig.thinkingLevel",
        ),
        (r#""serviceTier":1"#, "serviceTier"),
        (r#""store":"no""#, "store"),
    ] {
        assert_eq!(place(&format!(r#"{{"contents":[{{"parts":[{{"text":"t"}}]}}],{members}}}"#)), at, "{members}");
    }
}
