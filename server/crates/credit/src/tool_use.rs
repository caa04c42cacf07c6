//! Uses of the tools that a provider runs.

use tollgate_base::PicoUsd;

/// Uses of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUseCharge {
    /// The tool.
    pub tool: String,
    /// The number of uses; at least one.
    pub uses: u64,
    /// The price of one use, before the account's ratio.
    pub price: PicoUsd,
}
