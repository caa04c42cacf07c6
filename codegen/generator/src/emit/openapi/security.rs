//! Ways to say who is calling.

use serde_json::{Map, Value, json};

use crate::client_model::{ApiDocument, ApiOperation, ApiScheme};

/// The schemes; one that takes its key in two places is two here.
pub(super) fn schemes(document: &ApiDocument) -> Map<String, Value> {
    let all = document.auth.iter().flat_map(|(name, scheme)| of(document, name, scheme));
    all.collect()
}

fn of(document: &ApiDocument, name: &str, scheme: &ApiScheme) -> Vec<(String, Value)> {
    let header = scheme.header.as_deref().map(|header| match (header, scheme.prefix.as_deref().map(str::trim)) {
        ("authorization", Some("Bearer")) => (name.to_owned(), json!({"type": "http", "scheme": "bearer"})),
        _ => {
            let names =
                document.wire_names.get(header).map_or_else(|| vec![header.to_owned()], |of| of.accepts.clone());
            (name.to_owned(), json!({"type": "apiKey", "in": "header", "name": names[0], "x-wire-names": names}))
        }
    });
    let query = scheme.query.as_deref().map(|query| {
        let name = if header.is_some() { format!("{name}_query") } else { name.to_owned() };
        (name, json!({"type": "apiKey", "in": "query", "name": query}))
    });
    let cookie = scheme
        .cookie
        .as_deref()
        .map(|cookie| (name.to_owned(), json!({"type": "apiKey", "in": "cookie", "name": cookie})));
    let mut all: Vec<(String, Value)> = [header, query, cookie].into_iter().flatten().collect();
    for (_, shown) in &mut all {
        if let Some(doc) = &scheme.doc {
            shown["description"] = doc.trim_end().into();
        }
        if let Some(starts) = &scheme.key_starts {
            shown["x-key-starts"] = starts.as_str().into();
        }
    }
    all
}

/// Any one of what admits a caller.
pub(super) fn of_operation(document: &ApiDocument, operation: &ApiOperation) -> Value {
    let named = operation.auth.iter().filter_map(|name| document.auth.get_key_value(name));
    let all = named.flat_map(|(name, scheme)| of(document, name, scheme));
    all.map(|(name, _)| json!({name: []})).collect()
}
