//! What a request offers, and how far the conversation has come.

use serde_json::Value;

use super::formats::Wire;

/// A tool that may be called.
#[derive(Debug, Clone)]
pub struct Offered {
    /// The namespace that it is in; format R has them.
    pub namespace: Option<String>,
    /// The name to call it by.
    pub name: String,
    /// Whether its input is free text; format R has such.
    pub custom: bool,
    /// The schema of its arguments.
    pub schema: Value,
}

impl Offered {
    /// The name without a namespace that stands in front of it.
    pub fn own_name(&self) -> &str {
        self.name.rsplit("__").next().unwrap_or(&self.name)
    }
}

/// The tools of a request, wherever they stand.
pub fn tools(wire: Wire, body: &Value) -> Vec<Offered> {
    let plain = |name: &Value, schema: &Value| Offered {
        namespace: None,
        name: name.as_str().unwrap_or_default().to_owned(),
        custom: false,
        schema: schema.clone(),
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    match wire {
        Wire::Chat => {
            let functions = list(&body["tools"]).into_iter().map(|tool| tool["function"].clone());
            functions.map(|function| plain(&function["name"], &function["parameters"])).collect()
        }
        Wire::Messages => list(&body["tools"]).iter().map(|tool| plain(&tool["name"], &tool["input_schema"])).collect(),
        Wire::Generate => {
            let declared = list(&body["tools"]).into_iter().flat_map(|tool| list(&tool["functionDeclarations"]));
            let schema = |function: &Value| match &function["parametersJsonSchema"] {
                Value::Null => function["parameters"].clone(),
                schema => schema.clone(),
            };
            declared.map(|function| plain(&function["name"], &schema(&function))).collect()
        }
        Wire::Responses => {
            let mut offered = nested(&list(&body["tools"]), None);
            for item in list(&body["input"]) {
                offered.extend(nested(&list(&item["tools"]), None));
            }
            offered
        }
    }
}

fn nested(tools: &[Value], namespace: Option<&str>) -> Vec<Offered> {
    let mut offered = Vec::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default().to_owned();
        match tool["type"].as_str() {
            Some("namespace") => {
                let inner = tool["tools"].as_array().cloned().unwrap_or_default();
                offered.extend(nested(&inner, Some(&name)));
            }
            Some(kind @ ("function" | "custom")) => offered.push(Offered {
                namespace: namespace.map(str::to_owned),
                name,
                custom: kind == "custom",
                schema: tool["parameters"].clone(),
            }),
            _ => {}
        }
    }
    offered
}

/// How many calls have their results.
pub fn results(wire: Wire, body: &Value) -> usize {
    let elements = |value: &Value| value.as_array().cloned().unwrap_or_default();
    match wire {
        Wire::Chat => elements(&body["messages"]).iter().filter(|message| message["role"] == "tool").count(),
        Wire::Messages => {
            let blocks = elements(&body["messages"]).into_iter().flat_map(|message| elements(&message["content"]));
            blocks.filter(|block| block["type"] == "tool_result").count()
        }
        Wire::Generate => {
            let parts = elements(&body["contents"]).into_iter().flat_map(|content| elements(&content["parts"]));
            parts.filter(|part| part.get("functionResponse").is_some()).count()
        }
        Wire::Responses => {
            let is_result = |item: &&Value| item["type"].as_str().is_some_and(|kind| kind.ends_with("call_output"));
            elements(&body["input"]).iter().filter(is_result).count()
        }
    }
}
