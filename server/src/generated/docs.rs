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
        tag: "\"08f4a65d1cb9432421089e9715eeb973\"",
        bytes: include_bytes!("../../../spec/dist/docs/access.html"),
    },
    DocsFile {
        name: "agents",
        kind: "text/html; charset=utf-8",
        tag: "\"935d0dd3894af582c80eeda19e2dd14f\"",
        bytes: include_bytes!("../../../spec/dist/docs/agents.html"),
    },
    DocsFile {
        name: "balance",
        kind: "text/html; charset=utf-8",
        tag: "\"6271f92172382d5cb6512b3ca2f70d28\"",
        bytes: include_bytes!("../../../spec/dist/docs/balance.html"),
    },
    DocsFile {
        name: "billing",
        kind: "text/html; charset=utf-8",
        tag: "\"5eb58086a6e8731d0c4161ac55240847\"",
        bytes: include_bytes!("../../../spec/dist/docs/billing.html"),
    },
    DocsFile {
        name: "chat",
        kind: "text/html; charset=utf-8",
        tag: "\"c29add1c861086d97f9a677cdef2d238\"",
        bytes: include_bytes!("../../../spec/dist/docs/chat.html"),
    },
    DocsFile {
        name: "completions",
        kind: "text/html; charset=utf-8",
        tag: "\"75b640e3642a0c15ed5200efdc13d3e0\"",
        bytes: include_bytes!("../../../spec/dist/docs/completions.html"),
    },
    DocsFile {
        name: "content",
        kind: "text/html; charset=utf-8",
        tag: "\"f7bfc833b99032c6ea2c56969cd5818c\"",
        bytes: include_bytes!("../../../spec/dist/docs/content.html"),
    },
    DocsFile {
        name: "crypto",
        kind: "text/html; charset=utf-8",
        tag: "\"f37e8e8b029cad6547af0725f1d61c9a\"",
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
        tag: "\"d2e4b8b2700629ddc12d9ebbf0dce562\"",
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
        tag: "\"bf6f99eb5a2bbfc8cb9b2687762a7a71\"",
        bytes: include_bytes!("../../../spec/dist/docs/ewallet.html"),
    },
    DocsFile {
        name: "images",
        kind: "text/html; charset=utf-8",
        tag: "\"0fcd2a62cdc03763e6c57bc18f6874cf\"",
        bytes: include_bytes!("../../../spec/dist/docs/images.html"),
    },
    DocsFile {
        name: "index",
        kind: "text/html; charset=utf-8",
        tag: "\"d903942835d58e9f7de0c733081277e2\"",
        bytes: include_bytes!("../../../spec/dist/docs/index.html"),
    },
    DocsFile {
        name: "keys",
        kind: "text/html; charset=utf-8",
        tag: "\"314ad5c9cfd085c9a6ca68c67bc278eb\"",
        bytes: include_bytes!("../../../spec/dist/docs/keys.html"),
    },
    DocsFile {
        name: "limits",
        kind: "text/html; charset=utf-8",
        tag: "\"49b9565520295bb6641ff519abb1c39a\"",
        bytes: include_bytes!("../../../spec/dist/docs/limits.html"),
    },
    DocsFile {
        name: "messages",
        kind: "text/html; charset=utf-8",
        tag: "\"8034fd36f845d075b571e4478a0cc371\"",
        bytes: include_bytes!("../../../spec/dist/docs/messages.html"),
    },
    DocsFile {
        name: "models",
        kind: "text/html; charset=utf-8",
        tag: "\"6ea9ccd37fa89140ccda0851204281da\"",
        bytes: include_bytes!("../../../spec/dist/docs/models.html"),
    },
    DocsFile {
        name: "moderations",
        kind: "text/html; charset=utf-8",
        tag: "\"3be1bdb9333e7da244000b7a12a547b6\"",
        bytes: include_bytes!("../../../spec/dist/docs/moderations.html"),
    },
    DocsFile {
        name: "receipts",
        kind: "text/html; charset=utf-8",
        tag: "\"473bd667f171cdd92563bf7d80c85f9d\"",
        bytes: include_bytes!("../../../spec/dist/docs/receipts.html"),
    },
    DocsFile {
        name: "responses",
        kind: "text/html; charset=utf-8",
        tag: "\"50573122f8b6bff241c9780c5805c5f2\"",
        bytes: include_bytes!("../../../spec/dist/docs/responses.html"),
    },
    DocsFile {
        name: "search.json",
        kind: "application/json",
        tag: "\"33a9b4835fd393b85dcf9f46b18aa567\"",
        bytes: include_bytes!("../../../spec/dist/docs/search.json"),
    },
    DocsFile {
        name: "service",
        kind: "text/html; charset=utf-8",
        tag: "\"5b76f7a3a011bdb8452bc446fcbc0704\"",
        bytes: include_bytes!("../../../spec/dist/docs/service.html"),
    },
    DocsFile {
        name: "sessions",
        kind: "text/html; charset=utf-8",
        tag: "\"52cbf0b720e040827970e3cdc5831fe6\"",
        bytes: include_bytes!("../../../spec/dist/docs/sessions.html"),
    },
    DocsFile {
        name: "standing",
        kind: "text/html; charset=utf-8",
        tag: "\"1517599b629b7ac52dad63b0f39cd9f7\"",
        bytes: include_bytes!("../../../spec/dist/docs/standing.html"),
    },
    DocsFile {
        name: "states",
        kind: "text/html; charset=utf-8",
        tag: "\"9762ce9087d63a406f9abef4d8e16d46\"",
        bytes: include_bytes!("../../../spec/dist/docs/states.html"),
    },
    DocsFile {
        name: "topup",
        kind: "text/html; charset=utf-8",
        tag: "\"69504ce10abab981d213d9160c9dbb86\"",
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
        tag: "\"42b7506502b85d51fa2cbd12f0aa210f\"",
        bytes: include_bytes!("../../../spec/dist/docs/usage.html"),
    },
    DocsFile {
        name: "video_a",
        kind: "text/html; charset=utf-8",
        tag: "\"43d395beb8c9f9e9e56504c159e1a8e1\"",
        bytes: include_bytes!("../../../spec/dist/docs/video_a.html"),
    },
    DocsFile {
        name: "videos",
        kind: "text/html; charset=utf-8",
        tag: "\"34a002580e4ed76e0658ea66f6239b72\"",
        bytes: include_bytes!("../../../spec/dist/docs/videos.html"),
    },
    DocsFile {
        name: "x402",
        kind: "text/html; charset=utf-8",
        tag: "\"f8cb5091cd4608654dd864194ffadf01\"",
        bytes: include_bytes!("../../../spec/dist/docs/x402.html"),
    },
];
