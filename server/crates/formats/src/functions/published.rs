//! Tools of format A that its clients run and declare by their kind alone: its models know their arguments. As functions, other
//! models know them too.

use serde_json::value::RawValue;

use super::super::Format;

/// The published definition of a tool that clients declare by its kind alone.
#[derive(Debug)]
pub struct PublishedTool {
    kinds: &'static [&'static str],
    /// The description for the model.
    pub description: &'static str,
    schema: &'static str,
}

impl PublishedTool {
    /// Its arguments.
    pub fn schema(&self) -> Box<RawValue> {
        RawValue::from_string(self.schema.to_owned()).expect("it is JSON")
    }
}

/// Later versions may have other arguments, and earlier ones of the editor do: they take edits back, or name what is inserted
/// otherwise. A screen cannot be told in words.
const TOOLS: [PublishedTool; 3] = [
    PublishedTool {
        kinds: &["bash_20241022", "bash_20250124"],
        description: "Runs a command in a bash shell, which stays as it is from call to call, and gives back what it printed.",
        schema: r#"{"type":"object","properties":{
"command":{"type":"string","description":"The command. It may be absent only where the shell is restarted."},
"restart":{"type":"boolean","description":"Whether to restart the shell in place of running a command."}}}"#,
    },
    PublishedTool {
        kinds: &["text_editor_20250728"],
        description: "Shows, creates and edits text files.",
        schema: r#"{"type":"object","properties":{
"command":{"type":"string","enum":["view","create","str_replace","insert"],"description":"What to do."},
"path":{"type":"string","description":"The path of the file, or of the folder to view."},
"view_range":{"type":"array","items":{"type":"integer"},"description":"For `view`: the first and the last line, counted from 1; -1 is the end of the file."},
"file_text":{"type":"string","description":"For `create`: what the file holds."},
"old_str":{"type":"string","description":"For `str_replace`: the text to replace, exactly as it stands, which is there once."},
"new_str":{"type":"string","description":"For `str_replace`: the text in its place."},
"insert_line":{"type":"integer","description":"For `insert`: the line after which to insert; 0 is the beginning of the file."},
"insert_text":{"type":"string","description":"For `insert`: the text."}},
"required":["command","path"]}"#,
    },
    PublishedTool {
        kinds: &["memory_20250818"],
        description: "Keeps notes in files under /memories, which stay from conversation to conversation. View the folder before \
                      other work, and write down there what later work needs.",
        schema: r#"{"type":"object","properties":{
"command":{"type":"string","enum":["view","create","str_replace","insert","delete","rename"],"description":"What to do."},
"path":{"type":"string","description":"The path of the file or folder; absent for `rename`."},
"view_range":{"type":"array","items":{"type":"integer"},"description":"For `view`: the first and the last line, counted from 1."},
"file_text":{"type":"string","description":"For `create`: what the file holds."},
"old_str":{"type":"string","description":"For `str_replace`: the text to replace, exactly as it stands."},
"new_str":{"type":"string","description":"For `str_replace`: the text in its place."},
"insert_line":{"type":"integer","description":"For `insert`: the line after which to insert; 0 is the beginning of the file."},
"insert_text":{"type":"string","description":"For `insert`: the text."},
"old_path":{"type":"string","description":"For `rename`: the path."},
"new_path":{"type":"string","description":"For `rename`: the path that it gets."}},
"required":["command"]}"#,
    },
];

/// The tool of that kind; `None` where its arguments are not known.
#[must_use]
pub fn published(from: Format, kind: &str) -> Option<&'static PublishedTool> {
    TOOLS.iter().find(|tool| from == Format::Messages && tool.kinds.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_describe_every_argument() {
        for tool in &TOOLS {
            let schema: serde_json::Value = serde_json::from_str(tool.schema().get()).expect("JSON");
            let arguments = schema["properties"].as_object().expect("an object");
            assert!(arguments.values().all(|argument| argument["description"].is_string()), "{:?}", tool.kinds);
            let required = schema["required"].as_array().into_iter().flatten();
            assert!(required.into_iter().all(|name| arguments.contains_key(name.as_str().expect("a name"))));
            assert!(tool.kinds.iter().all(|kind| published(Format::Messages, kind).is_some()));
            assert!(tool.kinds.iter().all(|kind| published(Format::Responses, kind).is_none()));
        }
    }
}
