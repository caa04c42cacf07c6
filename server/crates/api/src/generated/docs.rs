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
        tag: "\"0d3437a400e806215ad9dad1fcddf586\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/access.html"),
    },
    DocsFile {
        name: "agents",
        kind: "text/html; charset=utf-8",
        tag: "\"ef0a10ce761fb5fdd60f38c6465d70f8\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/agents.html"),
    },
    DocsFile {
        name: "balance",
        kind: "text/html; charset=utf-8",
        tag: "\"2870c0e21e6e47ec16a6b052a7404ec0\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/balance.html"),
    },
    DocsFile {
        name: "billing",
        kind: "text/html; charset=utf-8",
        tag: "\"ceb37abdcaa008fdbff7a6df3d0acdc7\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/billing.html"),
    },
    DocsFile {
        name: "chat",
        kind: "text/html; charset=utf-8",
        tag: "\"701c38fd200e6911e36eb77135731115\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/chat.html"),
    },
    DocsFile {
        name: "completions",
        kind: "text/html; charset=utf-8",
        tag: "\"3fcd510a923d3641b1e864140bbb2908\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/completions.html"),
    },
    DocsFile {
        name: "content",
        kind: "text/html; charset=utf-8",
        tag: "\"95e263e9de33c2441b113b35d6db47d7\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/content.html"),
    },
    DocsFile {
        name: "crypto",
        kind: "text/html; charset=utf-8",
        tag: "\"002e0284250c9e9a546013fb664082ec\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/crypto.html"),
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
        name: "embeddings",
        kind: "text/html; charset=utf-8",
        tag: "\"d8c7b3a508a79b17b5d3036b9cfd90b5\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/embeddings.html"),
    },
    DocsFile {
        name: "errors",
        kind: "text/html; charset=utf-8",
        tag: "\"3e0bb466961e2b91c35e5a52a149170c\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/errors.html"),
    },
    DocsFile {
        name: "ewallet",
        kind: "text/html; charset=utf-8",
        tag: "\"4f8a0b4535ecea8b963222eb66165c49\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/ewallet.html"),
    },
    DocsFile {
        name: "guide-agents",
        kind: "text/html; charset=utf-8",
        tag: "\"f086414eb2fc83dd2c2d7c8f37a342fe\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/guide-agents.html"),
    },
    DocsFile {
        name: "guide-clients",
        kind: "text/html; charset=utf-8",
        tag: "\"9c717b5ffc0cc8642ad23ee52d9ea6f1\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/guide-clients.html"),
    },
    DocsFile {
        name: "guide-operators",
        kind: "text/html; charset=utf-8",
        tag: "\"1c352d40cd32ee3ef6ee201bf8872d77\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/guide-operators.html"),
    },
    DocsFile {
        name: "guide-top-ups",
        kind: "text/html; charset=utf-8",
        tag: "\"6067bfea9a90615716ac64859cc2c0fe\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/guide-top-ups.html"),
    },
    DocsFile {
        name: "images",
        kind: "text/html; charset=utf-8",
        tag: "\"53ce6daac04ba261e3302c8af0bbf01e\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/images.html"),
    },
    DocsFile {
        name: "index",
        kind: "text/html; charset=utf-8",
        tag: "\"0f57285db83a192492d9bd6e8f26cbc4\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/index.html"),
    },
    DocsFile {
        name: "keys",
        kind: "text/html; charset=utf-8",
        tag: "\"25ac1cb235ff78e850de7af4978782db\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/keys.html"),
    },
    DocsFile {
        name: "limits",
        kind: "text/html; charset=utf-8",
        tag: "\"c359a50ed5b185a7f2daf33427f276d5\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/limits.html"),
    },
    DocsFile {
        name: "messages",
        kind: "text/html; charset=utf-8",
        tag: "\"d766f8bb8652767541974711b919e7aa\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/messages.html"),
    },
    DocsFile {
        name: "models",
        kind: "text/html; charset=utf-8",
        tag: "\"a3432bdfe9ae3d2319da1b4d3565eb06\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/models.html"),
    },
    DocsFile {
        name: "moderations",
        kind: "text/html; charset=utf-8",
        tag: "\"f8f89ef886bc1ac1cdefe722f5b735b4\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/moderations.html"),
    },
    DocsFile {
        name: "receipts",
        kind: "text/html; charset=utf-8",
        tag: "\"0a6a89bdc0abbf72e231775b98bf1a69\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/receipts.html"),
    },
    DocsFile {
        name: "responses",
        kind: "text/html; charset=utf-8",
        tag: "\"409844ca35e9175d3ceee798d51169cd\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/responses.html"),
    },
    DocsFile {
        name: "search.json",
        kind: "application/json",
        tag: "\"878dc91d7b1c7503105d8bee19d9fbe0\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/search.json"),
    },
    DocsFile {
        name: "service",
        kind: "text/html; charset=utf-8",
        tag: "\"f739fa0bc9cf0717e4bd0459c1db74f2\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/service.html"),
    },
    DocsFile {
        name: "sessions",
        kind: "text/html; charset=utf-8",
        tag: "\"826378e442b2e92177b8ce428ecfd071\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/sessions.html"),
    },
    DocsFile {
        name: "standing",
        kind: "text/html; charset=utf-8",
        tag: "\"6837036d2aa51b95dc662324bba8d4da\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/standing.html"),
    },
    DocsFile {
        name: "states",
        kind: "text/html; charset=utf-8",
        tag: "\"652c7e0ba2fede863740bd9d82874bd6\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/states.html"),
    },
    DocsFile {
        name: "topup",
        kind: "text/html; charset=utf-8",
        tag: "\"da3af4ba450fee6f21e2f29706980a43\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/topup.html"),
    },
    DocsFile {
        name: "types",
        kind: "text/html; charset=utf-8",
        tag: "\"24f81d9518b3d13878030a3167d3e9db\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/types.html"),
    },
    DocsFile {
        name: "usage",
        kind: "text/html; charset=utf-8",
        tag: "\"15f85c235d52b6214cc5015afc180366\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/usage.html"),
    },
    DocsFile {
        name: "video_a",
        kind: "text/html; charset=utf-8",
        tag: "\"68d162ca51cc7a157412f7c10ad4e93e\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/video_a.html"),
    },
    DocsFile {
        name: "videos",
        kind: "text/html; charset=utf-8",
        tag: "\"10436dd0d9a84a154a9d8e477146b9be\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/videos.html"),
    },
    DocsFile {
        name: "x402",
        kind: "text/html; charset=utf-8",
        tag: "\"b82f66a016f1bdf7ee108c6943b0ae98\"",
        bytes: include_bytes!("../../../../../spec/dist/docs/x402.html"),
    },
];
