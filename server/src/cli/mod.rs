//! Floor 6: the commands of the binary. Each is a few calls into the rooms; nothing is decided here but words.

mod account;
mod agent;
mod args;
mod audit;
mod backup;
mod check;
mod checkout;
mod credit;
mod key;
mod key_limits;
mod ledger;
mod migrate;
mod operator;
mod operators;
mod output;
mod payment;
mod prices;
mod reconcile;
mod relayer;
mod remote;
mod serve;

use std::process::ExitCode;

use clap::Parser;

use crate::settings::{CommandLine, Settings};
use tollgate_accounts::AccountState;
use tollgate_accounts::operators::{OperatorChange, OperatorState};
use tollgate_topup::ReversalParty;

use args::{
    AccountCommand, AgentCommand, CliArgs, CliCommand, CreditCommand, KeyCommand, LedgerCommand, OperatorCommand,
    PaymentCommand, PricesCommand, RelayerCommand, ReversalArgs,
};
use output::{CommandOutput, CommandResult};
use remote::{AdminClient, RemoteError, ServerTarget};

/// Runs the binary.
#[must_use]
pub fn main() -> ExitCode {
    let args = CliArgs::parse();
    let output = CommandOutput { json: args.json };
    match run(args, output) {
        Ok(code) => code,
        Err(error) => {
            output.error(error.as_ref());
            ExitCode::FAILURE
        }
    }
}

fn run(args: CliArgs, output: CommandOutput) -> CommandResult {
    let env = |name: &str| std::env::var(name).ok();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    // A variable that is set to nothing is none.
    if let Some(server) = args.server.as_deref().filter(|server| !server.is_empty()) {
        let (typed, command) = (typed_for_here(&args), args.command.unwrap_or(CliCommand::Serve));
        let connect = || match typed {
            Some(option) => Err(RemoteError::Both(option)),
            None => AdminClient::new(ServerTarget::read(server, args.operator_key_file.as_deref(), env)?),
        };
        return runtime.block_on(remote::run(connect, command, output));
    }
    if args.operator_key_file.is_some() {
        return Err(RemoteError::NoServer.into());
    }
    let line = CommandLine { config: args.config, listen: args.listen, data_dir: args.data };
    // Read by the commands that need them: a list of prices is made before the settings that wait for it.
    let listen = line.listen;
    let settings = move || Settings::load(&line, &env);
    runtime.block_on(async {
        match args.command.unwrap_or(CliCommand::Serve) {
            CliCommand::Serve => serve::serve(settings, output).await,
            CliCommand::SandboxCheckout { speed } => checkout::serve(listen, speed, output).await,
            CliCommand::Check => check::check(&settings()?, output).await,
            CliCommand::Audit { seals, told, chains, since, settlements } => {
                let asked = audit::AuditScope {
                    seals,
                    told: told.as_deref(),
                    chains,
                    since,
                    settlements: settlements.as_deref(),
                };
                audit::audit(&settings()?, asked, output).await
            }
            CliCommand::Backup { path } => backup::backup(&settings()?, path.as_deref(), output).await,
            CliCommand::Ledger { command: LedgerCommand::Archive { month, file, drop } } => {
                ledger::archive(&settings()?, month, file, drop, output).await
            }
            CliCommand::Migrate => migrate::migrate(&settings()?, output).await,
            CliCommand::Account { command } => of_accounts(command, &settings()?, output).await,
            CliCommand::Operator { command } => of_operators(command, &settings()?, output).await,
            CliCommand::Key { command } => match command {
                KeyCommand::Create { account, label, expires_days, limits } => {
                    let new = key::TypedKey { account: &account, label, expires_days, limits: *limits };
                    key::create(&settings()?, new, output).await
                }
                KeyCommand::List { account } => key::list(&settings()?, &account, output).await,
                KeyCommand::Revoke { key } => key::revoke(&settings()?, &key, output).await,
            },
            CliCommand::Agent { command } => match command {
                AgentCommand::List { account } => agent::list(&settings()?, &account, output).await,
                AgentCommand::Revoke { agent } => agent::revoke(&settings()?, &agent, output).await,
            },
            CliCommand::Payment { command } => decide(command, &settings()?, output).await,
            CliCommand::Relayer { command } => of_relayers(command, &settings()?, output).await,
            CliCommand::Prices { command: PricesCommand::Import { list, only, version, markup } } => {
                prices::import(&list, &only, (version, markup), output)
            }
            CliCommand::Credit { command: CreditCommand::Grant { account, usd, note, idempotency_key } } => {
                let grant = credit::TypedGrant { account: &account, amount: usd, note: &note, idempotency_key };
                credit::grant(&settings()?, grant, output).await
            }
            CliCommand::Credit { command: CreditCommand::Take { account, usd, reason, debt, idempotency_key } } => {
                let take = credit::TypedTake { account: &account, amount: usd, debt, reason: &reason, idempotency_key };
                credit::take(&settings()?, take, output).await
            }
        }
    })
}

/// The first option that was typed and that names something of this machine.
fn typed_for_here(args: &CliArgs) -> Option<&'static str> {
    let CliArgs { config, data, listen, .. } = args;
    let options = [("--config", config.is_some()), ("--data", data.is_some()), ("--listen", listen.is_some())];
    options.into_iter().find_map(|(option, typed)| typed.then_some(option))
}

async fn of_accounts(command: AccountCommand, settings: &Settings, output: CommandOutput) -> CommandResult {
    match command {
        AccountCommand::Create { name, group } => account::create(settings, &name, group, output).await,
        AccountCommand::Group { account, group } => account::set_group(settings, &account, group, output).await,
        AccountCommand::Password { account } => account::password(settings, &account, output).await,
        AccountCommand::Freeze { account } => {
            account::set_state(settings, &account, AccountState::Frozen, output).await
        }
        AccountCommand::Thaw { account } => account::set_state(settings, &account, AccountState::Active, output).await,
        AccountCommand::List => account::list(settings, output).await,
    }
}

async fn decide(command: PaymentCommand, settings: &Settings, output: CommandOutput) -> CommandResult {
    match command {
        PaymentCommand::List => payment::list(settings, output).await,
        PaymentCommand::Resolve { payment, credit, returned: _, usd, reason } => {
            let resolve = payment::TypedResolution { payment, credit, amount: usd, reason: &reason };
            payment::resolve(settings, resolve, output).await
        }
        PaymentCommand::Refund(args) => {
            payment::reverse(settings, reverse(&args, ReversalParty::Operator), output).await
        }
        PaymentCommand::Chargeback(args) => {
            payment::reverse(settings, reverse(&args, ReversalParty::Provider), output).await
        }
    }
}

async fn of_operators(command: OperatorCommand, settings: &Settings, output: CommandOutput) -> CommandResult {
    let state = |state| OperatorChange { state: Some(state), role: None };
    match command {
        OperatorCommand::Create { name, role, key, expires_days } => {
            let new = operators::TypedOperator { name: &name, role, key, expires_days };
            operators::create(settings, new, output).await
        }
        OperatorCommand::Invite { name } => operators::invite(settings, &name, output).await,
        OperatorCommand::Role { name, role } => {
            operators::change(settings, &name, OperatorChange { role: Some(role), state: None }, output).await
        }
        OperatorCommand::Disable { name } => {
            operators::change(settings, &name, state(OperatorState::Disabled), output).await
        }
        OperatorCommand::Enable { name } => {
            operators::change(settings, &name, state(OperatorState::Active), output).await
        }
        OperatorCommand::List => operators::list(settings, output).await,
    }
}

async fn of_relayers(command: RelayerCommand, settings: &Settings, output: CommandOutput) -> CommandResult {
    match command {
        RelayerCommand::List => relayer::list(settings, output).await,
        RelayerCommand::Reset { network, address, reason } => {
            relayer::reset(settings, &network, address, &reason, output).await
        }
    }
}

fn reverse(args: &ReversalArgs, by: ReversalParty) -> payment::TypedReversal<'_> {
    let ReversalArgs { of, usd, reason, idempotency_key } = args;
    payment::TypedReversal { of, by, amount: *usd, reason, idempotency_key: idempotency_key.clone() }
}
