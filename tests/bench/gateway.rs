//! A gateway as it is measured: on a core, with an account that has credit, and the provider behind it.

use std::path::Path;

use tollgate_tests::binary;

use crate::Failed;
use crate::format::{Format, model};
use crate::process::Server;
use crate::scenario::SERVER_CORE;

/// A build, and how it is run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gateway<'a> {
    pub(crate) build: &'a Path,
    /// The address of a database server; empty for a file.
    pub(crate) database: &'a str,
    /// Whether it takes holds: a build of the workspace's goes without where it is told.
    pub(crate) money: bool,
}

impl<'a> Gateway<'a> {
    /// As it is run for customers, with a ledger in a file.
    pub(crate) const fn of(build: &'a Path) -> Self {
        Self { build, database: "", money: true }
    }

    /// Starts it; the server, its address, and a key.
    pub(crate) fn start(self, folder: &Path, provider: &str) -> Result<(Option<Server>, String, String), Failed> {
        let config = folder.join("tollgate.toml");
        std::fs::write(&config, self.config(folder, provider))?;
        let config = config.to_str().ok_or("a path in UTF-8")?;
        let key = self.account(config, "bench")?;
        let build = self.build.to_str().ok_or("a path in UTF-8")?;
        let money: &[&str] = if self.money { &[] } else { &["TOLLGATE_MONEY_OFF=nothing is charged"] };
        let args = [money, &[build, "--config", config, "--json", "serve"]].concat();
        let server = Server::start(SERVER_CORE, Path::new("env"), &args)?;
        let greeting: serde_json::Value = serde_json::from_str(&server.greeting)?;
        let url = greeting["listening"].as_str().ok_or("no address")?;
        let address = url.trim_start_matches("http://").to_owned();
        Ok((Some(server), address, key))
    }

    /// An account with credit; its key. The same build makes the ledger and serves from it: an older one rightly refuses a newer
    /// schema.
    pub(crate) fn account(self, config: &str, name: &str) -> Result<String, Failed> {
        let run = |args: &[&str]| binary::run_json_of(self.build, &[&["--config", config], args].concat());
        let _ = run(&["account", "create", name]);
        let _ = run(&["credit", "grant", "--account", name, "--usd", "100000"]);
        let (_, key) = run(&["key", "create", "--account", name]);
        Ok(key["key"].as_str().ok_or("no key")?.to_owned())
    }

    fn config(self, folder: &Path, provider: &str) -> String {
        let reached = |upstream: &str, model: &str, format: &str| {
            format!(
                "[upstreams.{upstream}]\nbase_url = \"http://{provider}/v1\"\nhttp = \"http1\"\nformat = \"{format}\"\n\
                 [models.{model}]\ncontext_tokens = 128000\nmax_output_tokens = 1000\n\
                 price = {{ prompt = \"0.15\", completion = \"0.6\" }}\n\
                 candidates = [{{ upstream = \"{upstream}\", model = \"m\" }}]\n"
            )
        };
        let head = format!("data_dir = {folder:?}\nlisten = \"127.0.0.1:0\"\n[log]\nfilter = \"warn\"\n");
        let database =
            if self.database.is_empty() { String::new() } else { format!("[database]\nurl = {:?}\n", self.database) };
        let of_formats =
            Format::ALL.map(|format| reached(&format!("bench-{}", format.name()), &model(format), format.name()));
        [head, database, reached("bench", "m", "chat"), of_formats.concat()].concat()
    }
}
