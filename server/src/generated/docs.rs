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
        tag: "\"e26a3bfb05fa6ba8aa982c7cc01fa572\"",
        bytes: include_bytes!("../../../spec/dist/docs/access.html"),
    },
    DocsFile {
        name: "agents",
        kind: "text/html; charset=utf-8",
        tag: "\"79bd4b88b9f7cf776b4292866c93fc64\"",
        bytes: include_bytes!("../../../spec/dist/docs/agents.html"),
    },
    DocsFile {
        name: "balance",
        kind: "text/html; charset=utf-8",
        tag: "\"9a9095c7064aca1eb35e6faf60b44d39\"",
        bytes: include_bytes!("../../../spec/dist/docs/balance.html"),
    },
    DocsFile {
        name: "billing",
        kind: "text/html; charset=utf-8",
        tag: "\"e52bc5e2fafd509be9378f86b4d35558\"",
        bytes: include_bytes!("../../../spec/dist/docs/billing.html"),
    },
    DocsFile {
        name: "chat",
        kind: "text/html; charset=utf-8",
        tag: "\"88c39aa6921ff2bdc72cd18961484dce\"",
        bytes: include_bytes!("../../../spec/dist/docs/chat.html"),
    },
    DocsFile {
        name: "completions",
        kind: "text/html; charset=utf-8",
        tag: "\"a17997ed88214631b3431e562ba377e3\"",
        bytes: include_bytes!("../../../spec/dist/docs/completions.html"),
    },
    DocsFile {
        name: "content",
        kind: "text/html; charset=utf-8",
        tag: "\"6659a172157cfd060391529bd232bd7c\"",
        bytes: include_bytes!("../../../spec/dist/docs/content.html"),
    },
    DocsFile {
        name: "crypto",
        kind: "text/html; charset=utf-8",
        tag: "\"1a0d86de44ce04aaf1dcbb3e4eb08218\"",
        bytes: include_bytes!("../../../spec/dist/docs/crypto.html"),
    },
    DocsFile {
        name: "docs.css",
        kind: "text/css; charset=utf-8",
        tag: "\"b5e7d41dc09d9a8171a866e3f6faec5c\"",
        bytes: include_bytes!("../../../spec/dist/docs/docs.css"),
    },
    DocsFile {
        name: "docs.js",
        kind: "text/javascript; charset=utf-8",
        tag: "\"e1439402160e1bad1051927376bbd181\"",
        bytes: include_bytes!("../../../spec/dist/docs/docs.js"),
    },
    DocsFile {
        name: "embeddings",
        kind: "text/html; charset=utf-8",
        tag: "\"20fcf28e73d31fb57d90161100ef743a\"",
        bytes: include_bytes!("../../../spec/dist/docs/embeddings.html"),
    },
    DocsFile {
        name: "errors",
        kind: "text/html; charset=utf-8",
        tag: "\"678cb1a9a006ad68c104205bdc26b185\"",
        bytes: include_bytes!("../../../spec/dist/docs/errors.html"),
    },
    DocsFile {
        name: "ewallet",
        kind: "text/html; charset=utf-8",
        tag: "\"116c1a3f740fab1f00e3700e96c9a159\"",
        bytes: include_bytes!("../../../spec/dist/docs/ewallet.html"),
    },
    DocsFile {
        name: "images",
        kind: "text/html; charset=utf-8",
        tag: "\"974ba6af65f3d5368a1dffc8f783566d\"",
        bytes: include_bytes!("../../../spec/dist/docs/images.html"),
    },
    DocsFile {
        name: "index",
        kind: "text/html; charset=utf-8",
        tag: "\"27d097c85d4e66862632cc1c0d23b9fb\"",
        bytes: include_bytes!("../../../spec/dist/docs/index.html"),
    },
    DocsFile {
        name: "keys",
        kind: "text/html; charset=utf-8",
        tag: "\"e6eedea462264924550decb191910095\"",
        bytes: include_bytes!("../../../spec/dist/docs/keys.html"),
    },
    DocsFile {
        name: "limits",
        kind: "text/html; charset=utf-8",
        tag: "\"10145769bc1c94a617802dd1d44d6812\"",
        bytes: include_bytes!("../../../spec/dist/docs/limits.html"),
    },
    DocsFile {
        name: "messages",
        kind: "text/html; charset=utf-8",
        tag: "\"b51382c676fb6a3fcd4746f5e51b58c6\"",
        bytes: include_bytes!("../../../spec/dist/docs/messages.html"),
    },
    DocsFile {
        name: "models",
        kind: "text/html; charset=utf-8",
        tag: "\"5a1689804a5445054fb65d2288f00125\"",
        bytes: include_bytes!("../../../spec/dist/docs/models.html"),
    },
    DocsFile {
        name: "moderations",
        kind: "text/html; charset=utf-8",
        tag: "\"65a05486b8d6bd4a728d28ea285b4cc0\"",
        bytes: include_bytes!("../../../spec/dist/docs/moderations.html"),
    },
    DocsFile {
        name: "receipts",
        kind: "text/html; charset=utf-8",
        tag: "\"0854e3170aa2925a9aedef54c725aeb8\"",
        bytes: include_bytes!("../../../spec/dist/docs/receipts.html"),
    },
    DocsFile {
        name: "responses",
        kind: "text/html; charset=utf-8",
        tag: "\"3d90f19605e0fa54698b124a34e1528b\"",
        bytes: include_bytes!("../../../spec/dist/docs/responses.html"),
    },
    DocsFile {
        name: "search.json",
        kind: "application/json",
        tag: "\"e99c99033a2e89d2ac5bc8037a0a7cab\"",
        bytes: include_bytes!("../../../spec/dist/docs/search.json"),
    },
    DocsFile {
        name: "service",
        kind: "text/html; charset=utf-8",
        tag: "\"dff1ab3a3c72b17451121b74b4aff4ac\"",
        bytes: include_bytes!("../../../spec/dist/docs/service.html"),
    },
    DocsFile {
        name: "sessions",
        kind: "text/html; charset=utf-8",
        tag: "\"9546199f31b28a10b15852f0fda0cabe\"",
        bytes: include_bytes!("../../../spec/dist/docs/sessions.html"),
    },
    DocsFile {
        name: "standing",
        kind: "text/html; charset=utf-8",
        tag: "\"87397f119348666c4420fb05833e86e4\"",
        bytes: include_bytes!("../../../spec/dist/docs/standing.html"),
    },
    DocsFile {
        name: "states",
        kind: "text/html; charset=utf-8",
        tag: "\"c6a49df7f9f688ae211b4dc3399be807\"",
        bytes: include_bytes!("../../../spec/dist/docs/states.html"),
    },
    DocsFile {
        name: "topup",
        kind: "text/html; charset=utf-8",
        tag: "\"59f7010318864c481caf711c90b69793\"",
        bytes: include_bytes!("../../../spec/dist/docs/topup.html"),
    },
    DocsFile {
        name: "types",
        kind: "text/html; charset=utf-8",
        tag: "\"ddaf08b4806ae2fde914ce810cb67b6d\"",
        bytes: include_bytes!("../../../spec/dist/docs/types.html"),
    },
    DocsFile {
        name: "usage",
        kind: "text/html; charset=utf-8",
        tag: "\"fbecd39dff3ca429c48a6abde78c2553\"",
        bytes: include_bytes!("../../../spec/dist/docs/usage.html"),
    },
    DocsFile {
        name: "video_a",
        kind: "text/html; charset=utf-8",
        tag: "\"65d32156c559dfe3682b648cb3df3ff2\"",
        bytes: include_bytes!("../../../spec/dist/docs/video_a.html"),
    },
    DocsFile {
        name: "videos",
        kind: "text/html; charset=utf-8",
        tag: "\"788c6f8709e4fbbcbd1de8214495000b\"",
        bytes: include_bytes!("../../../spec/dist/docs/videos.html"),
    },
    DocsFile {
        name: "x402",
        kind: "text/html; charset=utf-8",
        tag: "\"82b427a97da5eab8393bf84573c96074\"",
        bytes: include_bytes!("../../../spec/dist/docs/x402.html"),
    },
];
