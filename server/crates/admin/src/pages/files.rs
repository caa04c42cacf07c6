//! `GET /admin/files/{file}`.

use bytes::Bytes;

use super::reply;
use crate::Admin;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::ops::admin_console::{ShowConsoleFile, ShowConsoleFileError, ShowConsoleFileInput};
use tollgate_api::{Cx, ProxyReply, raise};
use tollgate_pages::{SCRIPT, styled};

impl ShowConsoleFile for Admin {
    async fn show_console_file(
        &self,
        _cx: &Cx,
        input: ShowConsoleFileInput,
    ) -> Result<ProxyReply, ShowConsoleFileError> {
        let file = match input.file.as_str() {
            "console.css" => Some(reply::file("text/css; charset=utf-8", styled(self.branding.accent))),
            "console.js" => Some(reply::file("text/javascript; charset=utf-8", Bytes::from_static(SCRIPT.as_bytes()))),
            "logo" => self.branding.logo.as_ref().map(reply::logo),
            _ => None,
        };
        let path = format!("/admin/files/{}", input.file);
        file.ok_or_else(|| raise(code::RouteNotFound { method: "GET".to_owned(), path }))
    }
}

#[cfg(test)]
mod tests {
    use tollgate_pages::STYLE;

    /// An accent is made readable on these grounds.
    #[test]
    fn the_style_has_the_grounds_and_variables_of_an_accent() {
        for variables in [
            "--ground: #f3f4f6; --card: #fff;",
            "--ground: #101216; --card: #1a1d23;",
            "--act: #1456d9; --fill: var(--act); --on-fill: #fff;",
        ] {
            assert!(STYLE.contains(variables), "{variables}");
        }
    }
}
