// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! The documentation of the service, as it is shown.
/// A file of it.
#[derive(Debug, Clone, Copy)]
pub struct DocsFile {
    /// Its name in addresses; `index` is the first page.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its entity tag, which changes with its bytes.
    pub tag: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// All files.
pub static FILES: &[DocsFile] = &[
    DocsFile {
        name: "access",
        kind: "text/html; charset=utf-8",
        tag: "\"d5200718ca9708c504448258af47142d\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/access.html"),
    },
    DocsFile {
        name: "docs.css",
        kind: "text/css; charset=utf-8",
        tag: "\"24a560f9d354a81277e0927215c76ea4\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/docs.css"),
    },
    DocsFile {
        name: "docs.js",
        kind: "text/javascript; charset=utf-8",
        tag: "\"e1439402160e1bad1051927376bbd181\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/docs.js"),
    },
    DocsFile {
        name: "errors",
        kind: "text/html; charset=utf-8",
        tag: "\"f53c5f369a225df38dabdbaa41f09be3\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/errors.html"),
    },
    DocsFile {
        name: "index",
        kind: "text/html; charset=utf-8",
        tag: "\"8afe1ad6e51643e9c7788490f71022a1\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/index.html"),
    },
    DocsFile {
        name: "limits",
        kind: "text/html; charset=utf-8",
        tag: "\"9a6aff9279652bedb36cd68f67609f94\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/limits.html"),
    },
    DocsFile {
        name: "pictures",
        kind: "text/html; charset=utf-8",
        tag: "\"21211cca0d414af4123c9af6cc117645\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/pictures.html"),
    },
    DocsFile {
        name: "search.json",
        kind: "application/json",
        tag: "\"f12ce74de66bcaa9763ee6a057dd2bae\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/search.json"),
    },
    DocsFile {
        name: "states",
        kind: "text/html; charset=utf-8",
        tag: "\"8560a202a977a31c57b3b3d986434684\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/states.html"),
    },
    DocsFile {
        name: "things",
        kind: "text/html; charset=utf-8",
        tag: "\"d0873613e46d04451d1f8386baca44a4\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/things.html"),
    },
    DocsFile {
        name: "types",
        kind: "text/html; charset=utf-8",
        tag: "\"173322db8f90e94be24751f490632881\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/types.html"),
    },
];
