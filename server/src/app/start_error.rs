//! The reasons for which the gateway does not start.

use std::io;
use std::net::SocketAddr;

use tollgate_accounts::AccountError;
use tollgate_base::AccountGroup;
use tollgate_catalog::CatalogStartError;
use tollgate_chains::evm::RpcError;
use tollgate_console::PageError;
use tollgate_credit::{GrantRefused, LedgerStoreError};
use tollgate_gateway::UpstreamError;
use tollgate_identities::OidcClientError;
use tollgate_net::UnusableMailServer;
use tollgate_sandbox::CheckoutError;
use tollgate_store::StoreError;
use tollgate_telemetry::TracesError;
use tollgate_topup::ewallet::ClientError;
use tollgate_topup::x402::ChainUnfit;

/// The gateway did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The ledger's file or database.
    #[error("opening the ledger failed")]
    Store(#[from] StoreError),
    /// A provider's client.
    #[error("setting up an upstream failed")]
    Upstream(#[from] UpstreamError),
    /// The exporter of traces.
    #[error("setting up traces failed")]
    Traces(#[from] TracesError),
    /// The listener's address.
    #[error("listening on {address} failed")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The sandbox provider's address.
    #[error("starting the sandbox provider failed")]
    Sandbox(#[source] io::Error),
    /// The sandbox of payment providers.
    #[error("starting the sandbox payment provider failed")]
    Checkout(#[from] CheckoutError),
    /// The client for the payment provider.
    #[error("setting up the payment provider failed")]
    PaymentProvider(#[from] ClientError),
    /// The client for sign-in providers.
    #[error("setting up the sign-in providers failed")]
    SignInProvider(#[source] OidcClientError),
    /// The mail server.
    #[error("setting up the mail server failed")]
    MailServer(#[from] UnusableMailServer),
    /// What operators have put on offer.
    #[error("what operators have put on offer cannot be used")]
    Catalog(#[from] CatalogStartError),
    /// The groups of the accounts.
    #[error("the groups of the accounts cannot be used")]
    Groups(#[from] GroupsError),
    /// The address of a node of a chain.
    #[error("the nodes of a chain cannot be used")]
    Nodes(#[from] RpcError),
    /// A chain is not as the configuration has it.
    #[error("a chain on which can be paid was refused")]
    Chain(#[from] ChainUnfit),
    /// The pages for people.
    #[error("writing the pages failed")]
    Pages(#[from] PageError),
    /// The demo account.
    #[error("setting up the demo account failed")]
    DemoAccount(#[from] AccountError),
    /// The demo account's credit.
    #[error("giving the demo account its credit failed")]
    DemoCredit(#[from] GrantRefused),
    /// The demo account's balance.
    #[error("reading the demo account's balance failed")]
    DemoBalance(#[from] LedgerStoreError),
}

/// A server cannot sell to all accounts of its ledger.
#[derive(Debug, thiserror::Error)]
pub enum GroupsError {
    /// It would have no price for those of this group.
    #[error("there are accounts in the group `{0}`, and no [groups.{0}] with their ratio: write it, or move them")]
    Unknown(AccountGroup),
    /// They cannot be read.
    #[error("reading the groups failed")]
    Unreadable(#[source] AccountError),
    /// Those that operators had cannot be read.
    #[error("reading the groups that operators had failed")]
    History(#[source] StoreError),
}
