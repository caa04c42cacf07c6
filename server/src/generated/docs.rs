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
        tag: "\"3fdd073086fe0f384bfccc94257cdad0\"",
        bytes: include_bytes!("../../../spec/dist/docs/access.html"),
    },
    DocsFile {
        name: "agents",
        kind: "text/html; charset=utf-8",
        tag: "\"89b93b19294214604025716be5f1c171\"",
        bytes: include_bytes!("../../../spec/dist/docs/agents.html"),
    },
    DocsFile {
        name: "balance",
        kind: "text/html; charset=utf-8",
        tag: "\"b98b3e82c19bbca36173ef2997f6a46f\"",
        bytes: include_bytes!("../../../spec/dist/docs/balance.html"),
    },
    DocsFile {
        name: "billing",
        kind: "text/html; charset=utf-8",
        tag: "\"defc1fe710e305125c0d456fac8af1c3\"",
        bytes: include_bytes!("../../../spec/dist/docs/billing.html"),
    },
    DocsFile {
        name: "chat",
        kind: "text/html; charset=utf-8",
        tag: "\"15578629d90228ee23ff20e0f536a19a\"",
        bytes: include_bytes!("../../../spec/dist/docs/chat.html"),
    },
    DocsFile {
        name: "completions",
        kind: "text/html; charset=utf-8",
        tag: "\"1796a8933d27f2d7edc69b1f60a11d90\"",
        bytes: include_bytes!("../../../spec/dist/docs/completions.html"),
    },
    DocsFile {
        name: "content",
        kind: "text/html; charset=utf-8",
        tag: "\"0d57afbbe03f1dcfab94462a0ac86d11\"",
        bytes: include_bytes!("../../../spec/dist/docs/content.html"),
    },
    DocsFile {
        name: "crypto",
        kind: "text/html; charset=utf-8",
        tag: "\"fe43bda5632b4491105a0f40b7b6cc77\"",
        bytes: include_bytes!("../../../spec/dist/docs/crypto.html"),
    },
    DocsFile {
        name: "docs.css",
        kind: "text/css; charset=utf-8",
        tag: "\"50fc833c27738f68606affbe809432b3\"",
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
        tag: "\"3a5b54fd8d468a617f42401b7e759024\"",
        bytes: include_bytes!("../../../spec/dist/docs/embeddings.html"),
    },
    DocsFile {
        name: "errors",
        kind: "text/html; charset=utf-8",
        tag: "\"9f9b6c8df6955aeff4702479e409608d\"",
        bytes: include_bytes!("../../../spec/dist/docs/errors.html"),
    },
    DocsFile {
        name: "ewallet",
        kind: "text/html; charset=utf-8",
        tag: "\"47264f7031a6f378cdd07672342c7c76\"",
        bytes: include_bytes!("../../../spec/dist/docs/ewallet.html"),
    },
    DocsFile {
        name: "images",
        kind: "text/html; charset=utf-8",
        tag: "\"0083fb0c8bed990619087c08d802bf3d\"",
        bytes: include_bytes!("../../../spec/dist/docs/images.html"),
    },
    DocsFile {
        name: "index",
        kind: "text/html; charset=utf-8",
        tag: "\"5a48f75698ceed7fef9239a94c11ea00\"",
        bytes: include_bytes!("../../../spec/dist/docs/index.html"),
    },
    DocsFile {
        name: "keys",
        kind: "text/html; charset=utf-8",
        tag: "\"96930d543c7d3452a066a61627ac10fb\"",
        bytes: include_bytes!("../../../spec/dist/docs/keys.html"),
    },
    DocsFile {
        name: "limits",
        kind: "text/html; charset=utf-8",
        tag: "\"1aded17a9a2d7b69a8bac94e7935d8f3\"",
        bytes: include_bytes!("../../../spec/dist/docs/limits.html"),
    },
    DocsFile {
        name: "messages",
        kind: "text/html; charset=utf-8",
        tag: "\"5e0927d6fb050b4d3e471ba2534692dd\"",
        bytes: include_bytes!("../../../spec/dist/docs/messages.html"),
    },
    DocsFile {
        name: "models",
        kind: "text/html; charset=utf-8",
        tag: "\"5409f8d45baffb166f10fef6e3255ca6\"",
        bytes: include_bytes!("../../../spec/dist/docs/models.html"),
    },
    DocsFile {
        name: "moderations",
        kind: "text/html; charset=utf-8",
        tag: "\"2a94ad2623e54d9b6b4801a751e61e30\"",
        bytes: include_bytes!("../../../spec/dist/docs/moderations.html"),
    },
    DocsFile {
        name: "receipts",
        kind: "text/html; charset=utf-8",
        tag: "\"0ccf2ba81e0f5b6e12a69604edccbc66\"",
        bytes: include_bytes!("../../../spec/dist/docs/receipts.html"),
    },
    DocsFile {
        name: "responses",
        kind: "text/html; charset=utf-8",
        tag: "\"5812e3d910471f6ce8d3664eb9600e3a\"",
        bytes: include_bytes!("../../../spec/dist/docs/responses.html"),
    },
    DocsFile {
        name: "search.json",
        kind: "application/json",
        tag: "\"fd49c928fa6cd4e4fb8440287d4651d2\"",
        bytes: include_bytes!("../../../spec/dist/docs/search.json"),
    },
    DocsFile {
        name: "service",
        kind: "text/html; charset=utf-8",
        tag: "\"606b9493deaee7285c413209687b8a67\"",
        bytes: include_bytes!("../../../spec/dist/docs/service.html"),
    },
    DocsFile {
        name: "sessions",
        kind: "text/html; charset=utf-8",
        tag: "\"2ec8b0acbc445d6a63855d99f0018a7f\"",
        bytes: include_bytes!("../../../spec/dist/docs/sessions.html"),
    },
    DocsFile {
        name: "standing",
        kind: "text/html; charset=utf-8",
        tag: "\"4638fb36c4b058f243fd252bfb9dc17c\"",
        bytes: include_bytes!("../../../spec/dist/docs/standing.html"),
    },
    DocsFile {
        name: "states",
        kind: "text/html; charset=utf-8",
        tag: "\"b761b100ec2c92bdb20a800bfc8516f3\"",
        bytes: include_bytes!("../../../spec/dist/docs/states.html"),
    },
    DocsFile {
        name: "topup",
        kind: "text/html; charset=utf-8",
        tag: "\"e876eec26101e18f4804664618621a97\"",
        bytes: include_bytes!("../../../spec/dist/docs/topup.html"),
    },
    DocsFile {
        name: "types",
        kind: "text/html; charset=utf-8",
        tag: "\"42b9816d2c037901a564c888148a22f1\"",
        bytes: include_bytes!("../../../spec/dist/docs/types.html"),
    },
    DocsFile {
        name: "usage",
        kind: "text/html; charset=utf-8",
        tag: "\"76fe68ee1ed388c65055a84f321fd51c\"",
        bytes: include_bytes!("../../../spec/dist/docs/usage.html"),
    },
    DocsFile {
        name: "video_a",
        kind: "text/html; charset=utf-8",
        tag: "\"cacb3826be5f4263930ce2cab7ae97e5\"",
        bytes: include_bytes!("../../../spec/dist/docs/video_a.html"),
    },
    DocsFile {
        name: "videos",
        kind: "text/html; charset=utf-8",
        tag: "\"c8e779b4e666265501abe784a316dadc\"",
        bytes: include_bytes!("../../../spec/dist/docs/videos.html"),
    },
    DocsFile {
        name: "x402",
        kind: "text/html; charset=utf-8",
        tag: "\"7fb9cf8eb034dfd89d0e6063ab5d2912\"",
        bytes: include_bytes!("../../../spec/dist/docs/x402.html"),
    },
];
