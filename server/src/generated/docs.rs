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
        tag: "\"32c378deb0b85cc37c4a988fc607ac68\"",
        bytes: include_bytes!("../../../spec/dist/docs/chat.html"),
    },
    DocsFile {
        name: "completions",
        kind: "text/html; charset=utf-8",
        tag: "\"ee70447faf8d015e1411aafe88546ab3\"",
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
        tag: "\"503b1600076424ad038f6515a372b4dd\"",
        bytes: include_bytes!("../../../spec/dist/docs/crypto.html"),
    },
    DocsFile {
        name: "docs.css",
        kind: "text/css; charset=utf-8",
        tag: "\"f896f0f8bfef1864331f18dc66fe5069\"",
        bytes: include_bytes!("../../../spec/dist/docs/docs.css"),
    },
    DocsFile {
        name: "docs.js",
        kind: "text/javascript; charset=utf-8",
        tag: "\"469f37c88199b5635fec6b07406785fa\"",
        bytes: include_bytes!("../../../spec/dist/docs/docs.js"),
    },
    DocsFile {
        name: "embeddings",
        kind: "text/html; charset=utf-8",
        tag: "\"725d75b8aa3fe3e80ae5f13fdcfa5799\"",
        bytes: include_bytes!("../../../spec/dist/docs/embeddings.html"),
    },
    DocsFile {
        name: "errors",
        kind: "text/html; charset=utf-8",
        tag: "\"26d05e2551d171012c903799a0db39eb\"",
        bytes: include_bytes!("../../../spec/dist/docs/errors.html"),
    },
    DocsFile {
        name: "ewallet",
        kind: "text/html; charset=utf-8",
        tag: "\"8382d33db93b460938ad24b295c38673\"",
        bytes: include_bytes!("../../../spec/dist/docs/ewallet.html"),
    },
    DocsFile {
        name: "images",
        kind: "text/html; charset=utf-8",
        tag: "\"dbf5d3ab9252831ffcfa0560d302253e\"",
        bytes: include_bytes!("../../../spec/dist/docs/images.html"),
    },
    DocsFile {
        name: "index",
        kind: "text/html; charset=utf-8",
        tag: "\"15859b6caa23fb0909a167981b046a21\"",
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
        tag: "\"1aeb79504e7dd985d56714e956e76a12\"",
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
        tag: "\"cc64146cc8ae51da44be66b817ce4729\"",
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
        tag: "\"4dc247b15d79d67b45bf1f664b663b53\"",
        bytes: include_bytes!("../../../spec/dist/docs/responses.html"),
    },
    DocsFile {
        name: "search.json",
        kind: "application/json",
        tag: "\"f00914febde7c49c1d089ab11c7d09a0\"",
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
        tag: "\"709601b58d2bf9c667b545750e2be538\"",
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
        tag: "\"ea1dc593f5e0ae35ac660a6b08e57cce\"",
        bytes: include_bytes!("../../../spec/dist/docs/videos.html"),
    },
    DocsFile {
        name: "x402",
        kind: "text/html; charset=utf-8",
        tag: "\"b09885351a98d4b7133401074b69c004\"",
        bytes: include_bytes!("../../../spec/dist/docs/x402.html"),
    },
];
