//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use tollgate_accounts::operators::OperatorRole;
use tollgate_base::{AccountGroup, Usd, YearMonth};
use tollgate_chains::EvmAddress;

use super::reconcile::ComparisonStart;

/// A model gateway that charges. Without a command it serves.
#[derive(Debug, Parser)]
#[command(name = "tollgate", version)]
pub(super) struct CliArgs {
    /// Configuration file (TOML). Without one: a sandbox on loopback.
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Folder of the ledger.
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Address to listen on, over the configuration.
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub(super) listen: Option<SocketAddr>,
    /// A running server that does the command, by its admin API, in the place of the ledger at this machine. The operator key is
    /// in the variable TOLLGATE_OPERATOR_KEY or in a file.
    #[arg(long, global = true, value_name = "URL", env = "TOLLGATE_SERVER")]
    pub(super) server: Option<String>,
    /// File that holds the operator key for `--server`, over the variable TOLLGATE_OPERATOR_KEY.
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) operator_key_file: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long, global = true)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) command: Option<CliCommand>,
}

#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    /// Serve until told to stop (the default).
    Serve,
    /// Serve a payment provider for trying out the e-wallet rail: a checkout page, signed notices, no money.
    SandboxCheckout {
        /// Divisor of the pauses between two sendings of a notice, which are minutes to hours.
        #[arg(long, value_name = "FACTOR", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        speed: u32,
    },
    /// Check the configuration and say what it means; exit 1 where it cannot be used.
    Check,
    /// Accounts.
    Account {
        #[command(subcommand)]
        command: AccountCommand,
    },
    /// Operators: the people and keys that run the service by its admin API.
    Operator {
        #[command(subcommand)]
        command: OperatorCommand,
    },
    /// API keys.
    Key {
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Agents: wallets that act for an account.
    Agent {
        #[command(subcommand)]
        command: AgentCommand,
    },
    /// Credit.
    Credit {
        #[command(subcommand)]
        command: CreditCommand,
    },
    /// Payments: what was set aside for a person, and what went back to whoever paid.
    Payment {
        #[command(subcommand)]
        command: PaymentCommand,
    },
    /// Our accounts on chains, which carry payments there.
    Relayer {
        #[command(subcommand)]
        command: RelayerCommand,
    },
    /// Prices.
    Prices {
        #[command(subcommand)]
        command: PricesCommand,
    },
    /// Recompute every balance from its entries and name any difference; exit 1 where there is one.
    Audit {
        /// Verify the chain of seals as well: that no movement, charge or act by hand was altered since it was sealed.
        #[arg(long)]
        seals: bool,
        /// A hash that was told earlier, by the log or by this command: exit 1 where the chain has none such.
        #[arg(long, value_name = "HASH", requires = "seals")]
        told: Option<String>,
        /// Compare the ledger with the chains and the payment provider as well: what reached `pay_to` and what the provider says of
        /// each order, against what was credited; exit 1 where something differs or could not be asked. Nothing is changed.
        #[arg(long)]
        chains: bool,
        /// Start of the comparison: a day as 2026-11-21, a time as 2026-11-21T03:00:00Z, or so long ago as 36h or 7d; without it,
        /// 48h. After a restore, when the backup was made.
        #[arg(long, value_name = "TIME", requires = "chains")]
        since: Option<ComparisonStart>,
        /// The provider's settlement or transaction details report (CSV), which names payments of orders that the ledger does not
        /// have.
        #[arg(long, value_name = "FILE", requires = "chains")]
        settlements: Option<PathBuf>,
    },
    /// Archives of the ledger.
    Ledger {
        /// The command.
        #[command(subcommand)]
        command: LedgerCommand,
    },
    /// Copy the ledger's file as it is at one moment, also while a server is writing to it, and audit the copy; exit 1 where it
    /// is not clean, or was written by an earlier version, whose ledgers are copied and not audited. A ledger in a database is
    /// copied by that database's tool: its command is the error that this one ends with.
    Backup {
        /// The copy, which must not be there yet. Left out with --server, which names it itself.
        #[arg(value_name = "FILE")]
        path: Option<PathBuf>,
    },
    /// Bring the ledger, in a file or on PostgreSQL, to this version's schema without serving.
    Migrate,
}

#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Open an account.
    Create {
        /// A name for it, unique in this ledger.
        name: String,
        /// Its group, by which its prices go: `default`, or one of the settings.
        #[arg(long, default_value_t = AccountGroup::DEFAULT)]
        group: AccountGroup,
    },
    /// Put an account into a group; a running server follows within a second.
    Group {
        /// Name or id of the account.
        account: String,
        /// `default`, or one of the settings.
        group: AccountGroup,
    },
    /// Refuse all keys of an account and end its sessions; its money stays where it is.
    Freeze {
        /// Its name or id.
        account: String,
    },
    /// Accept the keys of a frozen account again.
    Thaw {
        /// Its name or id.
        account: String,
    },
    /// All accounts with their balances.
    List,
    /// Set the password that somebody signs in to an account with, read from the standard input. Its sessions end.
    Password {
        /// Name or id of the account.
        account: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum OperatorCommand {
    /// Make a person, who is invited by a text that works once, or a key for a program.
    Create {
        /// Name of the operator, which never changes.
        name: String,
        /// Role: owner, operator, finance, support or reader.
        #[arg(long, default_value = "owner")]
        role: OperatorRole,
        /// Make a key and print it; it is never shown again.
        #[arg(long)]
        key: bool,
        /// Days until the key expires; without it, never.
        #[arg(long, value_name = "DAYS", requires = "key", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires_days: Option<u32>,
    },
    /// Invite a person anew, who has lost the password or the second factor; both are taken away, and the sessions end.
    Invite {
        /// Name or id of the operator.
        name: String,
    },
    /// Give an operator another role.
    Role {
        /// Name or id of the operator.
        name: String,
        /// Role: owner, operator, finance, support or reader.
        role: OperatorRole,
    },
    /// Let an operator in no more; a key stays so for ever.
    Disable {
        /// Name or id of the operator.
        name: String,
    },
    /// Let a person in again.
    Enable {
        /// Name or id of the operator.
        name: String,
    },
    /// All operators.
    List,
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Make a key and print it; it is never shown again.
    Create {
        /// Name or id of the account.
        #[arg(long)]
        account: String,
        /// Label of the key, for people.
        #[arg(long, default_value = "")]
        label: String,
        /// Days until it expires; without it, never.
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires_days: Option<u32>,
        #[command(flatten)]
        limits: Box<KeyLimitArgs>,
    },
    /// The account's keys.
    List {
        /// Name or id of the account.
        #[arg(long)]
        account: String,
    },
    /// Take a key out of use; a running server follows within a second.
    Revoke {
        /// The key's id, or its shown form as `key list` prints it.
        key: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum AgentCommand {
    /// The account's agents.
    List {
        /// Name or id of the account.
        #[arg(long)]
        account: String,
    },
    /// Take an agent and its key out of use; a running server follows within a second.
    Revoke {
        /// The agent's id, or its wallet.
        agent: String,
    },
}

/// The limits of a new key; what is not given is unlimited.
#[derive(Debug, clap::Args)]
pub(super) struct KeyLimitArgs {
    /// A model that it may use; may be given again.
    #[arg(long = "model", value_name = "MODEL")]
    pub(super) models: Vec<String>,
    /// An operation that it may be used for, as `chat.create`; may be given again.
    #[arg(long = "operation", value_name = "OPERATION")]
    pub(super) operations: Vec<String>,
    /// An address or range that it may be used from, as `10.0.0.0/8`; may be given again.
    #[arg(long = "address", value_name = "RANGE")]
    pub(super) addresses: Vec<String>,
    /// The most it may spend in a UTC day.
    #[arg(long, value_name = "USD")]
    pub(super) budget_day_usd: Option<Usd>,
    /// The most it may spend in a UTC week, from Monday.
    #[arg(long, value_name = "USD")]
    pub(super) budget_week_usd: Option<Usd>,
    /// The most it may spend in a UTC month.
    #[arg(long, value_name = "USD")]
    pub(super) budget_month_usd: Option<Usd>,
    /// The most it may ever spend.
    #[arg(long, value_name = "USD")]
    pub(super) budget_usd: Option<Usd>,
    /// Model requests that it may begin in a minute.
    #[arg(long, value_name = "COUNT")]
    pub(super) requests_per_minute: Option<i64>,
    /// Tokens that its model requests may use in a minute.
    #[arg(long, value_name = "COUNT")]
    pub(super) tokens_per_minute: Option<i64>,
    /// Model requests that it may have under way at the same time.
    #[arg(long, value_name = "COUNT")]
    pub(super) in_flight: Option<i64>,
    /// Have its answers tell their cost beside the counts of tokens.
    #[arg(long)]
    pub(super) include_cost: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum PricesCommand {
    /// Make a price list for `price_list` of a public one (JSON), and print it.
    ///
    /// Three shapes are known by what they hold: models with `input_cost_per_token`, a `data` list with `pricing`, and
    /// providers with `models` that have a `cost`. What cannot be priced by all that the list says is left out and named.
    Import {
        /// The public list.
        list: PathBuf,
        /// A model to take, by its name there; may be given again. Without it, all.
        #[arg(long, value_name = "MODEL")]
        only: Vec<String>,
        /// The version that receipts tell; without it, the name of the list and the day.
        #[arg(long, value_name = "TEXT")]
        version: Option<String>,
        /// Write prices that are so many per cent above those of the list, and those of the list as the provider's cost. With 0
        /// both are the same; without it, no cost is written.
        #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=10_000))]
        markup: Option<u32>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum CreditCommand {
    /// Give an account credit.
    Grant {
        /// Name or id of the account.
        #[arg(long)]
        account: String,
        /// Amount in USD, as a decimal: 25 or 0.5.
        #[arg(long)]
        usd: Usd,
        /// Reason, which is kept with the entry.
        #[arg(long, default_value = "")]
        note: String,
        /// Grants once for this key, however often it is sent; without it, each call grants.
        #[arg(long)]
        idempotency_key: Option<String>,
    },
    /// Take credit back from an account: what it has available, never what is held for requests.
    Take {
        /// Name or id of the account.
        #[arg(long)]
        account: String,
        /// Amount in USD, as a decimal: 25 or 0.5.
        #[arg(long)]
        usd: Usd,
        /// Reason, which is kept with the entry.
        #[arg(long)]
        reason: String,
        /// Have the account owe what it does not have available: its next credits pay it. Without it, the rest is told and left.
        #[arg(long)]
        debt: bool,
        /// Takes once for this key, however often it is sent; without it, each call takes.
        #[arg(long)]
        idempotency_key: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum PaymentCommand {
    /// Payments that came and were set aside, and that wait for a decision.
    List,
    /// Decide on a payment that was set aside: it is closed for good.
    Resolve {
        /// The number of the payment, as the alarm and `payment list` tell it.
        payment: i64,
        /// Credit the account of its order, out of the clearing account of its rail.
        #[arg(long, required_unless_present = "returned", conflicts_with = "returned")]
        credit: bool,
        /// Book that the payer has the money back: nothing is credited.
        #[arg(long)]
        returned: bool,
        /// Amount to credit in USD, where it is less than the order is for.
        #[arg(long, requires = "credit")]
        usd: Option<Usd>,
        /// Reason, which is kept with the entry.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Book money that you gave back to whoever paid: out of what the account has available, and the rest as a debt.
    Refund(ReversalArgs),
    /// Book money that the payer, the payment provider or a chain took back: out of what the account has available, and the rest
    /// as a debt.
    Chargeback(ReversalArgs),
}

#[derive(Debug, Subcommand)]
pub(super) enum LedgerCommand {
    /// Put the receipts of a month into a file, as CSV compressed with gzip, and take them out of the ledger, which is on PostgreSQL.
    /// Months go in their order, a day after their end. Servers may run; what was charged stays in the books, and an audit adds up.
    Archive {
        /// The month in UTC: `2026-10`.
        month: YearMonth,
        /// The file to make; `receipts-2026-10.csv.gz` in this folder where none is named.
        #[arg(long)]
        file: Option<PathBuf>,
        /// Drop the table that the month was in, too; without it, it stays beside the ledger until you drop it.
        #[arg(long)]
        drop: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum RelayerCommand {
    /// The next transaction number of each account, and how many of its transactions are on their way.
    List,
    /// Forget the next transaction number of an account, so that the nodes of its chain are asked for it with the next payment.
    /// Refused while transactions of it are on their way, while one that is not finished has the number that the chain takes next,
    /// and where no node tells that number. While clients pay, there are always some: close the rails first.
    Reset {
        /// The chain, by its CAIP-2 id, as `relayer list` has it.
        network: String,
        /// The account's address.
        address: EvmAddress,
        /// Reason, which is kept with the entry.
        #[arg(long, default_value = "")]
        reason: String,
    },
}

/// The part of a payment that went back.
#[derive(Debug, clap::Args)]
pub(super) struct ReversalArgs {
    /// The order by number or name, or the payment by number.
    #[arg(value_name = "ORDER|PAYMENT")]
    pub(super) of: String,
    /// Amount in USD; without it, all that has not gone back before.
    #[arg(long)]
    pub(super) usd: Option<Usd>,
    /// Reason, which is kept with the entry.
    #[arg(long)]
    pub(super) reason: String,
    /// Books once for this key, however often it is sent; without it, each call books.
    #[arg(long)]
    pub(super) idempotency_key: Option<String>,
}
