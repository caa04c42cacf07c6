//! `GET /admin/files/{file}`.

use super::reply;
use crate::Admin;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::ops::admin_console::{ShowConsoleFile, ShowConsoleFileError, ShowConsoleFileInput};
use tollgate_api::{Cx, ProxyReply, raise};

const STYLE: &str = include_str!("../../templates/console.css");
const SCRIPT: &str = include_str!("../../templates/console.js");

impl ShowConsoleFile for Admin {
    async fn show_console_file(
        &self,
        _cx: &Cx,
        input: ShowConsoleFileInput,
    ) -> Result<ProxyReply, ShowConsoleFileError> {
        match input.file.as_str() {
            "console.css" => Ok(reply::file("text/css; charset=utf-8", STYLE)),
            "console.js" => Ok(reply::file("text/javascript; charset=utf-8", SCRIPT)),
            other => {
                Err(raise(code::RouteNotFound { method: "GET".to_owned(), path: format!("/admin/files/{other}") }))
            }
        }
    }
}
