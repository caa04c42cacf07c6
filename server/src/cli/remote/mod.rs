//! Commands by the admin API of a running server: what `--server` makes of the command line.
//!
//! Each file sends what a command asks for and hands the answer to the function that prints it for the ledger at this machine
//! too: nothing is worded twice. Cannot: read a configuration, open a ledger, or send an operator's key in clear to another
//! machine.
//!
//! Answers are read by structs that take what they need and skip the rest, so that a server of a later version is understood;
//! requests are the types of the spec.
//!
//! Start reading at [`run`], which says of every command whether it is one for a server, then [`AdminClient`].

mod account;
mod agent;
mod client;
mod credit;
mod error;
mod job;
mod key;
mod operator;
mod payment;
mod target;
mod values;

use super::args::{CliCommand, LedgerCommand};
use super::audit::AuditScope;
use super::output::{CommandOutput, CommandResult};

pub(super) use client::AdminClient;
pub(super) use error::RemoteError;
pub(super) use target::ServerTarget;

/// Runs a command at a server. `connect` is asked by commands for a server alone, so that the others say what they are where no
/// key is at hand.
pub(super) async fn run(
    connect: impl FnOnce() -> Result<AdminClient, RemoteError>,
    command: CliCommand,
    output: CommandOutput,
) -> CommandResult {
    match command {
        CliCommand::Account { command } => account::run(&connect()?, command, output).await,
        CliCommand::Operator { command } => operator::run(&connect()?, command, output).await,
        CliCommand::Key { command } => key::run(&connect()?, command, output).await,
        CliCommand::Agent { command } => agent::run(&connect()?, command, output).await,
        CliCommand::Credit { command } => credit::run(&connect()?, command, output).await,
        CliCommand::Payment { command } => payment::run(&connect()?, command, output).await,
        CliCommand::Serve => Err(RemoteError::AtTheLedger("serve").into()),
        CliCommand::Check => Err(RemoteError::AtTheLedger("check").into()),
        CliCommand::Relayer { .. } => Err(RemoteError::AtTheLedger("relayer").into()),
        CliCommand::Audit { seals, told, chains, since, settlements } => {
            let (told, settlements) = (told.as_deref(), settlements.as_deref());
            match job::option_of_the_ledger(AuditScope { seals, told, chains, since, settlements }) {
                Some(option) => Err(RemoteError::AtTheLedger(option).into()),
                None => job::audit(&connect()?, chains, output).await,
            }
        }
        CliCommand::Ledger { command: LedgerCommand::Archive { month, file: None, drop: false } } => {
            job::archive(&connect()?, month, output).await
        }
        CliCommand::Ledger { command: LedgerCommand::Archive { .. } } => {
            Err(RemoteError::AtTheLedger("ledger archive --file and --drop").into())
        }
        CliCommand::Backup { path: None } => job::backup(&connect()?, output).await,
        CliCommand::Backup { path: Some(_) } => Err(RemoteError::BackupFile.into()),
        CliCommand::Migrate => Err(RemoteError::AtTheLedger("migrate").into()),
        CliCommand::Prices { .. } => Err(RemoteError::AtThisMachine("prices").into()),
        CliCommand::SandboxCheckout { .. } => Err(RemoteError::AtThisMachine("sandbox-checkout").into()),
    }
}
