//! Floor 2: what the pages for operators and for customers have in common: their look, the script that sends their forms, their
//! charts, and the headers that they are sent with.
//!
//! Imports `base` and `api`. Cannot: read anything. The rooms with pages extend `templates/base.html`, which they name in their
//! `askama.toml`. Invariants: a page loads its styles and its scripts and nothing else, and its policy lets no text become markup or
//! script. Start reading at [`reply::page`]; what a form may say stands in `assets/console.js`.

pub mod chart;
pub mod link;
mod receipt_search;
mod refusal;
pub mod reply;
mod texts;
pub mod tokens;
pub mod words;

use bytes::Bytes;

use tollgate_base::Accent;

pub use receipt_search::ReceiptSearch;
pub use refusal::RefusalKind;

/// The style of the pages.
pub const STYLE: &str = include_str!("../assets/console.css");
/// The style of the pages, in the accent of the service.
#[must_use]
pub fn styled(accent: Option<Accent>) -> Bytes {
    match accent {
        Some(accent) => Bytes::from(format!("{STYLE}{}", accent.style())),
        None => Bytes::from_static(STYLE.as_bytes()),
    }
}

/// The script of the pages, which sends their forms to the operations of the API.
pub const SCRIPT: &str = include_str!("../assets/console.js");
