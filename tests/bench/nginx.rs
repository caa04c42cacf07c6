//! nginx as a reverse proxy, where it is installed: one process without workers, so that its CPU time and memory are those of
//! one process as the others' are.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::Failed;
use crate::process::Server;
use crate::scenario::SERVER_CORE;

/// Folders beside those of `PATH` that a distribution installs it to.
const FOLDERS: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// The program; `None` where it is not installed.
pub(crate) fn path() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&folders).chain(FOLDERS.map(PathBuf::from));
    folders.map(|folder| folder.join("nginx")).find(|program| program.is_file())
}

/// Starts it in a folder of its own; the server and its address.
pub(crate) fn start(folder: &Path, provider: &str) -> Result<(Server, String), Failed> {
    // It prints no port that it has chosen. This one was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
    let file = folder.join("nginx.conf");
    std::fs::write(&file, config(folder, &address, provider))?;
    let (file, prefix) = (file.to_str().ok_or("a path in UTF-8")?, folder.to_str().ok_or("a path in UTF-8")?);
    let program = path().ok_or("nginx is not installed")?;
    let errors = folder.join("error.log");
    let args = ["-p", prefix, "-c", file, "-e", errors.to_str().ok_or("a path in UTF-8")?];
    Ok((Server::start_silent(SERVER_CORE, &program, &args, &address)?, address))
}

fn config(folder: &Path, address: &str, provider: &str) -> String {
    let folder = folder.display();
    let bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("  {name}_temp_path {folder}/{name};\n"))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{ worker_connections 8192; }}\nhttp {{\n{bodies}  \
         access_log off;\n  client_max_body_size 16m;\n  client_body_buffer_size 256k;\n  keepalive_requests 1000000000;\n  \
         upstream provider {{ server {provider}; keepalive 2048; keepalive_requests 1000000000; }}\n  \
         server {{\n    listen {address} backlog=4096;\n    location / {{\n      proxy_pass http://provider;\n      \
         proxy_http_version 1.1;\n      proxy_set_header Connection \"\";\n      proxy_buffering off;\n    }}\n  }}\n}}\n"
    )
}
