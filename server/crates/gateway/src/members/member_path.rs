//! Paths into the JSON of a request.

use std::fmt;

/// One step into a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberPathStep {
    /// A member of an object, by its name.
    Member(String),
    /// An element of a list.
    Element(usize),
}

/// A path from the whole body to a value. Displayed as `tools[4].type`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemberPath(pub Vec<MemberPathStep>);

impl MemberPath {
    /// The path of a member of the object at this path.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        let mut steps = self.0.clone();
        steps.push(MemberPathStep::Member(name.to_owned()));
        Self(steps)
    }

    /// True if it is `place`, or is below it.
    #[must_use]
    pub fn is_within(&self, place: &Self) -> bool {
        self.0.starts_with(&place.0)
    }

    /// True for an element of a list of tools, which can be removed.
    #[must_use]
    pub fn is_tool(&self) -> bool {
        matches!(self.0.last(), Some(MemberPathStep::Element(_))) && self.is_of_tool()
    }

    /// The path of the tool that it is, or is a member of.
    #[must_use]
    pub fn tool(&self) -> Option<Self> {
        let length = if self.is_tool() { self.0.len() } else { self.0.len().saturating_sub(1) };
        self.is_of_tool().then(|| Self(self.0[..length].to_vec()))
    }

    /// True for an element of a list of tools, or a member of one.
    #[must_use]
    pub fn is_of_tool(&self) -> bool {
        let tools = |step: &MemberPathStep| matches!(step, MemberPathStep::Member(name) if name == "tools");
        match &self.0[..] {
            [.., list, MemberPathStep::Element(_)]
            | [.., list, MemberPathStep::Element(_), MemberPathStep::Member(_)] => tools(list),
            _ => false,
        }
    }

    /// True for a place in the body's own list of tools.
    #[must_use]
    pub fn is_in_own_tools(&self) -> bool {
        self.is_of_tool() && self.0.len() <= 3 && matches!(self.0[0], MemberPathStep::Member(_))
    }
}

impl fmt::Display for MemberPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                MemberPathStep::Member(name) if at == 0 => f.write_str(name)?,
                MemberPathStep::Member(name) => write!(f, ".{name}")?,
                MemberPathStep::Element(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(steps: &[&str]) -> MemberPath {
        let step = |step: &&str| {
            step.parse().map_or_else(|_| MemberPathStep::Member((*step).to_owned()), MemberPathStep::Element)
        };
        MemberPath(steps.iter().map(step).collect())
    }

    #[test]
    fn tools_are_told_from_what_is_within_them() {
        for (steps, shown, tool, own) in [
            (&["tools", "4"][..], "tools[4]", true, true),
            (&["tools", "0", "googleSearch"], "tools[0].googleSearch", false, true),
            (&["input", "2", "tools", "0"], "input[2].tools[0]", true, false),
            (&["tools", "0", "environment", "type"], "tools[0].environment.type", false, false),
            (&["web_search_options"], "web_search_options", false, false),
            (
                &["messages", "1", "content", "0", "tool", "definition"],
                "messages[1].content[0].tool.definition",
                false,
                false,
            ),
        ] {
            let place = place(steps);
            assert_eq!((place.to_string().as_str(), place.is_tool(), place.is_in_own_tools()), (shown, tool, own));
        }
    }
}
