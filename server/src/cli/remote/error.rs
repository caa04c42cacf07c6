//! The errors of commands at a server: what happened there, and what to do.

use std::path::PathBuf;

use http::StatusCode;

/// A command that a server did not do, or that was never sent.
#[derive(Debug, thiserror::Error)]
pub(in super::super) enum RemoteError {
    /// The command needs the ledger.
    #[error("`tollgate {0}` runs at the machine of the ledger; leave --server (TOLLGATE_SERVER) out there")]
    AtTheLedger(&'static str),
    /// A server has its own place for backups.
    #[error(
        "a server names the file of its backup itself, on its machine: leave FILE out, or --server (TOLLGATE_SERVER)"
    )]
    BackupFile,
    /// The command has nothing to do with a server.
    #[error("`tollgate {0}` asks no server; leave --server (TOLLGATE_SERVER) out")]
    AtThisMachine(&'static str),
    /// A ledger of this machine is named beside the server.
    #[error(
        "{0} names something of this machine, and --server (TOLLGATE_SERVER) a server, which has its own: leave one out"
    )]
    Both(&'static str),
    /// A key is named, and no server that it is for.
    #[error("--operator-key-file is for a server: name it by --server or TOLLGATE_SERVER")]
    NoServer,
    /// The text is no address.
    #[error("`{0}` is no address of a server: write https://admin.example, or http://127.0.0.1:8081 for this machine")]
    NotAnAddress(String),
    /// The address has a name or a password.
    #[error("the address of a server has no name and no password: the key is in TOLLGATE_OPERATOR_KEY or in a file")]
    Credentials,
    /// The key would be readable on its way.
    #[error(
        "the operator key would go to {0} in clear: write https://, or reach the server by a tunnel to this machine, as by \
         `ssh -L 8081:127.0.0.1:8081 HOST` and --server http://127.0.0.1:8081"
    )]
    InClear(String),
    /// No key is given.
    #[error("no operator key: set TOLLGATE_OPERATOR_KEY, or name a file that holds it by --operator-key-file")]
    NoKey,
    /// The file of the key cannot be read.
    #[error("the operator key could not be read from {path}")]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The key is none of an operator.
    #[error(
        "what {0} holds is no operator key: one begins with `op-` and is one line (`tollgate operator create NAME --key`)"
    )]
    NotAKey(String),
    /// The client could not be made.
    #[error("TLS has no certificates to check servers by")]
    NoTls(#[source] reqwest::Error),
    /// A value does not fit into a header.
    #[error("an idempotency key for a server is of ASCII letters, digits and signs: `{0}` is not")]
    BookingKey(String),
    /// Nobody took the request.
    #[error("{server} could not be reached: check the address, and that the server runs")]
    Unreachable {
        /// The address.
        server: String,
        /// The cause.
        source: reqwest::Error,
    },
    /// The request was sent, and no whole answer came.
    #[error("{server} gave no whole answer, so that it may be done or not: look before you run the command again")]
    NoAnswer {
        /// The address.
        server: String,
        /// The cause.
        source: reqwest::Error,
    },
    /// The answer is longer than any that is known.
    #[error("the answer of {0} is too long to be one of a Tollgate")]
    TooLong(String),
    /// Somebody else answers there.
    #[error(
        "what answers at {server} (status {status}) is no Tollgate: check the address, and the proxy in front of it"
    )]
    NotTollgate {
        /// The address.
        server: String,
        /// The status that it answered with.
        status: StatusCode,
    },
    /// The answer of a success cannot be read.
    #[error(
        "{server} did what was asked, and answers as another version than this command does: use the command of its version"
    )]
    OtherVersion {
        /// The address.
        server: String,
        /// The cause.
        source: serde_json::Error,
    },
    /// The operations of operators are not there, or not for this key.
    #[error(
        "{server} has no admin API for this key: the key (TOLLGATE_OPERATOR_KEY, --operator-key-file) is of another server, or \
         operators are served at another address, which `[admin]` of the server's configuration has (request {request_id})"
    )]
    NotServed {
        /// The address.
        server: String,
        /// The request, as the server's log has it.
        request_id: String,
    },
    /// The key is known and is not accepted.
    #[error(
        "the operator key is not accepted: {detail} ({code}, request {request_id}); an owner makes another by `tollgate operator \
         create NAME --key`, for TOLLGATE_OPERATOR_KEY or --operator-key-file"
    )]
    KeyRefused {
        /// The code.
        code: String,
        /// The server's sentence.
        detail: String,
        /// The request, as the server's log has it.
        request_id: String,
    },
    /// Somebody was faster.
    #[error(
        "somebody changed it meanwhile, and nothing was done: look at it, and run the command again (request {request_id})"
    )]
    ChangedMeanwhile {
        /// The request, as the server's log has it.
        request_id: String,
    },
    /// The server refused, and says why and what to do.
    #[error("{detail} ({code}, request {request_id})")]
    Refused {
        /// The code.
        code: String,
        /// The server's sentence.
        detail: String,
        /// The request, as the server's log has it.
        request_id: String,
    },
    /// The admin API knows it by number alone.
    #[error("a server knows {thing} by their numbers: take it from `tollgate {list} --account NAME`")]
    ByNumber {
        /// The things, in the plural.
        thing: &'static str,
        /// The command that lists them.
        list: &'static str,
    },
}
