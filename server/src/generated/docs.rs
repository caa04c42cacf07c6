// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! The documentation of the service, as it is shown.
/// A file of it.
#[derive(Debug, Clone, Copy)]
pub struct DocsFile {
    /// What it is called in addresses; `index` is the first page.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its entity tag, which changes with its bytes.
    pub tag: &'static str,
    /// What it says.
    pub bytes: &'static [u8],
}

/// All files.
pub static FILES: &[DocsFile] = &[
    DocsFile {
        name: "access",
        kind: "text/html; charset=utf-8",
        tag: "\"0e6b25cd2078bfa0c88cfd94034e7a9f\"",
        bytes: include_bytes!("../../../spec/dist/docs/access.html"),
    },
    DocsFile {
        name: "agents",
        kind: "text/html; charset=utf-8",
        tag: "\"3913366ef85046ef75a38313605e2e1c\"",
        bytes: include_bytes!("../../../spec/dist/docs/agents.html"),
    },
    DocsFile {
        name: "balance",
        kind: "text/html; charset=utf-8",
        tag: "\"050ba1719c2b265f49ebecfe4cdde40a\"",
        bytes: include_bytes!("../../../spec/dist/docs/balance.html"),
    },
    DocsFile {
        name: "billing",
        kind: "text/html; charset=utf-8",
        tag: "\"5077aad7421ed71dc68d166f3a9c5fbc\"",
        bytes: include_bytes!("../../../spec/dist/docs/billing.html"),
    },
    DocsFile {
        name: "chat",
        kind: "text/html; charset=utf-8",
        tag: "\"ab7562f484ecb265dad58e6d50ec8869\"",
        bytes: include_bytes!("../../../spec/dist/docs/chat.html"),
    },
    DocsFile {
        name: "completions",
        kind: "text/html; charset=utf-8",
        tag: "\"b9db28b9d92a49d8649c3de6702b26ae\"",
        bytes: include_bytes!("../../../spec/dist/docs/completions.html"),
    },
    DocsFile {
        name: "content",
        kind: "text/html; charset=utf-8",
        tag: "\"3cafba416dd70adeeb940adb7b29c622\"",
        bytes: include_bytes!("../../../spec/dist/docs/content.html"),
    },
    DocsFile {
        name: "crypto",
        kind: "text/html; charset=utf-8",
        tag: "\"67f34b3c72bfb1e1db590a38ce10369a\"",
        bytes: include_bytes!("../../../spec/dist/docs/crypto.html"),
    },
    DocsFile {
        name: "docs.css",
        kind: "text/css; charset=utf-8",
        tag: "\"52d168aebfcbc5676558a4191e461080\"",
        bytes: include_bytes!("../../../spec/dist/docs/docs.css"),
    },
    DocsFile {
        name: "docs.js",
        kind: "text/javascript; charset=utf-8",
        tag: "\"7d7da84be8bd6f741da32d140739a41e\"",
        bytes: include_bytes!("../../../spec/dist/docs/docs.js"),
    },
    DocsFile {
        name: "embeddings",
        kind: "text/html; charset=utf-8",
        tag: "\"32e66f6331d7afdb35653c032e4cf8d6\"",
        bytes: include_bytes!("../../../spec/dist/docs/embeddings.html"),
    },
    DocsFile {
        name: "errors",
        kind: "text/html; charset=utf-8",
        tag: "\"26c9f37710645c5a54b67bff54114c45\"",
        bytes: include_bytes!("../../../spec/dist/docs/errors.html"),
    },
    DocsFile {
        name: "ewallet",
        kind: "text/html; charset=utf-8",
        tag: "\"f4931187c8d964dc9aa965c4776cbfcf\"",
        bytes: include_bytes!("../../../spec/dist/docs/ewallet.html"),
    },
    DocsFile {
        name: "images",
        kind: "text/html; charset=utf-8",
        tag: "\"61f65f439d365884b095c63b1971a04f\"",
        bytes: include_bytes!("../../../spec/dist/docs/images.html"),
    },
    DocsFile {
        name: "index",
        kind: "text/html; charset=utf-8",
        tag: "\"c03ad7c4941cdbef66dce5951be09b53\"",
        bytes: include_bytes!("../../../spec/dist/docs/index.html"),
    },
    DocsFile {
        name: "keys",
        kind: "text/html; charset=utf-8",
        tag: "\"d65c9a194b86c237e6802efd0f25c5cd\"",
        bytes: include_bytes!("../../../spec/dist/docs/keys.html"),
    },
    DocsFile {
        name: "limits",
        kind: "text/html; charset=utf-8",
        tag: "\"a72967c2daf94ddb782528309513021f\"",
        bytes: include_bytes!("../../../spec/dist/docs/limits.html"),
    },
    DocsFile {
        name: "messages",
        kind: "text/html; charset=utf-8",
        tag: "\"f5b78ca633e6fa786d63e932e207bbaa\"",
        bytes: include_bytes!("../../../spec/dist/docs/messages.html"),
    },
    DocsFile {
        name: "models",
        kind: "text/html; charset=utf-8",
        tag: "\"3a009ad32b70b6ee83182186fc6a4beb\"",
        bytes: include_bytes!("../../../spec/dist/docs/models.html"),
    },
    DocsFile {
        name: "moderations",
        kind: "text/html; charset=utf-8",
        tag: "\"26c1a1e1585121a3be692db7600d21f5\"",
        bytes: include_bytes!("../../../spec/dist/docs/moderations.html"),
    },
    DocsFile {
        name: "receipts",
        kind: "text/html; charset=utf-8",
        tag: "\"b274b218efe62f7caff29904571b8560\"",
        bytes: include_bytes!("../../../spec/dist/docs/receipts.html"),
    },
    DocsFile {
        name: "responses",
        kind: "text/html; charset=utf-8",
        tag: "\"f2243d9e1f15491c6dc66ced298930a1\"",
        bytes: include_bytes!("../../../spec/dist/docs/responses.html"),
    },
    DocsFile {
        name: "search.json",
        kind: "application/json",
        tag: "\"72b9df5f07647c23562d8cfc49e3273a\"",
        bytes: include_bytes!("../../../spec/dist/docs/search.json"),
    },
    DocsFile {
        name: "service",
        kind: "text/html; charset=utf-8",
        tag: "\"d60c167bf5e97be099d00b2895b9ae04\"",
        bytes: include_bytes!("../../../spec/dist/docs/service.html"),
    },
    DocsFile {
        name: "sessions",
        kind: "text/html; charset=utf-8",
        tag: "\"d0ad166e8928acbcf470b38406d7f899\"",
        bytes: include_bytes!("../../../spec/dist/docs/sessions.html"),
    },
    DocsFile {
        name: "standing",
        kind: "text/html; charset=utf-8",
        tag: "\"92394b2948a0cd59441f203f1f68b571\"",
        bytes: include_bytes!("../../../spec/dist/docs/standing.html"),
    },
    DocsFile {
        name: "states",
        kind: "text/html; charset=utf-8",
        tag: "\"66031f15c8508a003006e1897518c083\"",
        bytes: include_bytes!("../../../spec/dist/docs/states.html"),
    },
    DocsFile {
        name: "topup",
        kind: "text/html; charset=utf-8",
        tag: "\"2877d8ec8464171be89d4bad99e051c3\"",
        bytes: include_bytes!("../../../spec/dist/docs/topup.html"),
    },
    DocsFile {
        name: "types",
        kind: "text/html; charset=utf-8",
        tag: "\"1876c4172bef27c0d34640ecb58062af\"",
        bytes: include_bytes!("../../../spec/dist/docs/types.html"),
    },
    DocsFile {
        name: "usage",
        kind: "text/html; charset=utf-8",
        tag: "\"ee408d04d57906d63d7e936b8f670de0\"",
        bytes: include_bytes!("../../../spec/dist/docs/usage.html"),
    },
    DocsFile {
        name: "video_a",
        kind: "text/html; charset=utf-8",
        tag: "\"8f762c7427d21f87997266f80a453be1\"",
        bytes: include_bytes!("../../../spec/dist/docs/video_a.html"),
    },
    DocsFile {
        name: "videos",
        kind: "text/html; charset=utf-8",
        tag: "\"3665dc0741d68990eb3da3b63142eaf2\"",
        bytes: include_bytes!("../../../spec/dist/docs/videos.html"),
    },
    DocsFile {
        name: "x402",
        kind: "text/html; charset=utf-8",
        tag: "\"f391d67f13ef1a202bfc312949827bb8\"",
        bytes: include_bytes!("../../../spec/dist/docs/x402.html"),
    },
];
