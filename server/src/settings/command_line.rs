//! The options of the command line.

use std::net::SocketAddr;
use std::path::PathBuf;

/// The options of the command line, which override the file and the environment.
#[derive(Debug, Clone, Default)]
pub struct CommandLine {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--listen`.
    pub listen: Option<SocketAddr>,
    /// `--data`.
    pub data_dir: Option<PathBuf>,
}
