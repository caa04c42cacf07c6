//! A gateway as it is measured: on a core, with an account that has credit, and the provider behind it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tollgate_tests::binary;

use crate::connection::{Kind, Target};
use crate::format::{Format, model};
use crate::process::Server;
use crate::scenario::SERVER_CORE;
use crate::{Failed, body};

/// A build and its store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gateway<'a> {
    pub(crate) build: &'a Path,
    /// The address of a database server; empty for a file.
    pub(crate) database: &'a str,
}

impl<'a> Gateway<'a> {
    /// As it is run for customers, with a ledger in a file.
    pub(crate) const fn of(build: &'a Path) -> Self {
        Self { build, database: "" }
    }

    /// Opens an account and starts it; the server, its address, and a key.
    pub(crate) fn start(self, folder: &Path, provider: &str) -> Result<(Server, String, String), Failed> {
        let config = self.write_config(folder, provider)?;
        let key = self.account(&config, "bench")?;
        let (server, address) = self.serve(folder)?;
        Ok((server, address, key))
    }

    /// Starts it on the configuration of a folder; the server and its address.
    pub(crate) fn serve(self, folder: &Path) -> Result<(Server, String), Failed> {
        let config = config_file(folder);
        let config = config.to_str().ok_or("a path in UTF-8")?;
        let server = Server::start(SERVER_CORE, self.build, &["--config", config, "--json", "serve"])?;
        let greeting: serde_json::Value = serde_json::from_str(&server.greeting)?;
        let url = greeting["listening"].as_str().ok_or("no address")?;
        let address = url.trim_start_matches("http://").to_owned();
        Ok((server, address))
    }

    /// Writes its configuration into a folder; the path of it.
    pub(crate) fn write_config(self, folder: &Path, provider: &str) -> Result<String, Failed> {
        let config = config_file(folder);
        std::fs::write(&config, self.config(folder, provider))?;
        Ok(config.to_str().ok_or("a path in UTF-8")?.to_owned())
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
        let head = format!(
            "data_dir = {folder:?}\nlisten = \"127.0.0.1:0\"\n[listener]\ntrusted_proxies = [\"127.0.0.1\"]\n[log]\nfilter = \"warn\"\n"
        );
        let database =
            if self.database.is_empty() { String::new() } else { format!("[database]\nurl = {:?}\n", self.database) };
        let of_formats =
            Format::ALL.map(|format| reached(&format!("bench-{}", format.name()), &model(format), format.name()));
        [head, database, reached("bench", "m", "chat"), of_formats.concat()].concat()
    }
}

fn config_file(folder: &Path) -> PathBuf {
    folder.join("tollgate.toml")
}

/// Gateways that share a ledger, and a key of each of two accounts.
pub(crate) struct Gateways {
    running: Vec<(Server, String)>,
    pub(crate) key: String,
    pub(crate) other: String,
    _folders: Vec<TempDir>,
}

impl Gateways {
    /// On a file one, on a database server two that share it.
    pub(crate) fn open(database: &str, provider: &str) -> Result<Self, Failed> {
        let gateway = Gateway { build: binary::path(), database };
        let count = if database.is_empty() { 1 } else { 2 };
        let folders = (0..count).map(|_| tempfile::tempdir()).collect::<Result<Vec<_>, _>>()?;
        let (mut gateways, mut key) = (Vec::new(), String::new());
        for folder in &folders {
            let (server, address, made) = gateway.start(folder.path(), provider)?;
            gateways.push((server, address));
            key = made;
        }
        let config = config_file(folders[0].path());
        let other = gateway.account(config.to_str().ok_or("a path in UTF-8")?, "other")?;
        Ok(Self { running: gateways, key, other, _folders: folders })
    }

    pub(crate) fn count(&self) -> usize {
        self.running.len()
    }

    pub(crate) fn target(&self, place: usize, key: &str, keyed: bool) -> Target {
        let path = "/v1/chat/completions".to_owned();
        let address = self.running[place].1.clone();
        let kind = if keyed { Kind::Keyed } else { Kind::Plain };
        Target { address, keys: [key.to_owned()].into(), path, version: false, kind, body: body::small() }
    }

    pub(crate) fn cpu_micros(&self) -> Result<u64, Failed> {
        self.running.iter().map(|(server, _)| server.cpu_micros()).sum()
    }
}
