//! Tools that only one format knows, made functions, which all formats know, and back.
//!
//! A namespace is flattened: its `spawn` becomes the function `agents__spawn`. A tool with free text as input becomes a
//! function with the one argument `input`, its grammar a part of its description. A search for tools that the client
//! runs becomes a function too, and the tools that it found are declared. What format A's clients declare by its kind alone
//! becomes a function with the arguments that are published. A function whose name the other format does not take has another
//! one there. What providers ran in earlier turns becomes text. [`lower_tools`] does this to a request and tells the [`FunctionNames`]; with them answers are [restored](ToolRestorer).

mod history;
mod lower;
mod names;
mod published;
mod restore;
#[cfg(test)]
mod tests;

pub use lower::lower_tools;
pub use names::{ClientTool, FunctionNames};
pub use restore::{ToolRestorer, restore};
