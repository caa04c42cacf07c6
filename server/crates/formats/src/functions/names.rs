//! Names of functions as a provider has them, and the tools that they stand for.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use super::super::Format;

/// The longest name of a function that providers of every format take.
const LONGEST: usize = 64;
/// Between a namespace and a name in it.
pub const SEPARATOR: &str = "__";

/// A client's tool that goes by another name at the provider, or is no function for the client.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClientTool {
    /// A function in a namespace.
    Function {
        /// The namespace.
        namespace: String,
        /// Its name in there.
        name: String,
    },
    /// A tool with free text as input.
    Custom {
        /// The namespace, if it is in one.
        namespace: Option<String>,
        /// Its name.
        name: String,
    },
    /// A function whose own name the provider does not take.
    Renamed {
        /// Its name.
        name: String,
    },
    /// The search for tools that the client runs.
    Search,
}

impl ClientTool {
    fn parts(&self) -> (Option<&str>, &str) {
        match self {
            Self::Function { namespace, name } => (Some(namespace), name),
            Self::Custom { namespace, name } => (namespace.as_deref(), name),
            Self::Renamed { name } => (None, name),
            Self::Search => (None, "tool_search"),
        }
    }

    /// The name as providers would have it, letters and length aside.
    fn flat(&self) -> String {
        match self.parts() {
            (Some(namespace), name) => [namespace, SEPARATOR, name].concat(),
            (None, name) => name.to_owned(),
        }
    }
}

/// The tools of one request that providers have as functions, both ways.
#[derive(Debug, Clone, Default)]
pub struct FunctionNames {
    tools: BTreeMap<String, ClientTool>,
    names: BTreeMap<ClientTool, String>,
    /// By the own name, whatever the namespace: the name at the provider, `None` where several tools share the own one.
    only: BTreeMap<String, Option<String>>,
    /// Names of the client's own functions.
    taken: BTreeSet<String>,
    /// True if a name has to start with a letter or `_`.
    starts_with_letter: bool,
}

impl FunctionNames {
    /// Names for providers of a format, beside functions that keep theirs.
    #[must_use]
    pub fn beside(taken: BTreeSet<String>, to: Format) -> Self {
        Self { taken, starts_with_letter: to == Format::Generate, ..Self::default() }
    }

    /// The name that a tool has at the provider, the same in each turn of a conversation.
    pub fn name(&mut self, tool: ClientTool) -> String {
        if let Some(name) = self.names.get(&tool) {
            return name.clone();
        }
        let flat = tool.flat();
        let fitting = self.in_letters(&flat);
        let is_free = |name: &String| !self.tools.contains_key(name) && !self.taken.contains(name);
        let name = match fitting {
            fitting if fitting == flat && fitting.len() <= LONGEST && is_free(&fitting) => fitting,
            fitting => (0..).map(|number| marked(&fitting, &flat, number)).find(is_free).expect("one is free"),
        };
        let only = self.only.entry(tool.parts().1.to_owned());
        only.and_modify(|only| *only = None).or_insert_with(|| Some(name.clone()));
        self.tools.insert(name.clone(), tool.clone());
        self.names.insert(tool, name.clone());
        name
    }

    /// A text of the letters that all formats take. Format G has a letter or `_` before anything else.
    fn in_letters(&self, flat: &str) -> String {
        let letters = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
        let starts = !self.starts_with_letter || flat.starts_with(|first: char| first.is_ascii_alphabetic());
        (!starts).then_some('_').into_iter().chain(flat.chars().map(letters)).collect()
    }

    /// The tool that a provider calls by this name, where it is another one than the function of that name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ClientTool> {
        self.tools.get(name)
    }

    /// The name at the provider of the client's function of that name, or else of the only tool of that own name, whatever its
    /// namespace; `None` where a function keeps the name, several tools have it, or none has.
    #[must_use]
    pub fn only_called(&self, name: &str) -> Option<&str> {
        if let Some(renamed) = self.names.get(&ClientTool::Renamed { name: name.to_owned() }) {
            return Some(renamed);
        }
        if self.taken.contains(name) { None } else { self.only.get(name)?.as_deref() }
    }

    /// True if no tool had to be renamed or made a function.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

/// A name of the right length that hardly any other text gives; another for each number.
fn marked(fitting: &str, flat: &str, number: u32) -> String {
    let digest = Sha256::digest(format!("{flat} {number}").as_bytes());
    let mark: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let start: String = fitting.chars().take(LONGEST - mark.len() - 1).collect();
    format!("{start}_{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(namespace: &str, name: &str) -> ClientTool {
        ClientTool::Function { namespace: namespace.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn names_are_short_unique_and_lead_back() {
        let mut names = FunctionNames::beside(BTreeSet::from(["apply_patch".to_owned()]), Format::Chat);
        let custom = ClientTool::Custom { namespace: None, name: "apply_patch".to_owned() };
        let tools = [
            function("multi_agent", "spawn"),
            function("multi.agent", "spawn"),
            function("multi", "agent__spawn"),
            ClientTool::Custom { namespace: None, name: "multi_agent__spawn".to_owned() },
            function(&"n".repeat(60), "spawn"),
            custom.clone(),
            ClientTool::Search,
        ];
        let made: Vec<String> = tools.iter().map(|tool| names.name(tool.clone())).collect();
        assert_eq!(made[0], "multi_agent__spawn");
        assert_eq!(made[6], "tool_search");
        assert!(made[5].starts_with("apply_patch_"), "{}", made[5]);
        for (tool, name) in tools.iter().zip(&made) {
            assert!(
                name.len() <= LONGEST && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
                "{name}"
            );
            assert_eq!(names.tool(name), Some(tool));
            assert_eq!(names.name(tool.clone()), *name);
        }
        // Three tools have the one name, one has the other, and a function of the client's has the last.
        assert_eq!([names.only_called("spawn"), names.only_called("apply_patch")], [None, None]);
        assert_eq!(names.only_called("agent__spawn"), Some(made[2].as_str()));
        assert_eq!(names.tool("apply_patch"), None);
    }
}
