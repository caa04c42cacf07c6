//! `tollgate credit … --server`

use std::convert::Infallible;
use std::process::ExitCode;

use http::Method;
use serde::Deserialize;

use tollgate_api::generated::types::{GrantRequest, TakingRequest};
use tollgate_base::Usd;

use super::account::RemoteAccount;
use super::client::{AdminClient, AdminRequest};
use crate::cli::args::CreditCommand;
use crate::cli::credit::{self, GrantReport, TakingReport, TypedGrant, TypedTake, booking_key};
use crate::cli::output::{CommandError, CommandOutput, CommandResult};

/// A grant, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemoteGrant {
    transfer: i64,
    granted_usd: Usd,
    debt_paid_usd: Usd,
    repeated: bool,
    available_usd: Usd,
}

/// A taking, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemoteTaking {
    reversal: i64,
    taken_usd: Usd,
    debt_usd: Usd,
    left_usd: Usd,
    repeated: bool,
    available_usd: Usd,
}

pub(super) async fn run(server: &AdminClient, command: CreditCommand, output: CommandOutput) -> CommandResult {
    match command {
        CreditCommand::Grant { account, usd, note, idempotency_key } => {
            let key = booking_key(idempotency_key.as_ref());
            let grant = TypedGrant { account: &account, amount: usd, note: &note, idempotency_key };
            let granted = grant_at(server, grant, &key).await;
            let (account, granted) = granted.map_err(|source| credit::grant_failed(&key, source))?;
            let report = GrantReport {
                account: account.id,
                name: &account.name,
                transfer: granted.transfer,
                amount: granted.granted_usd,
                debt_paid: granted.debt_paid_usd,
                repeated: granted.repeated,
                key: &key,
            };
            credit::report_grant(&report, Ok::<_, Infallible>(granted.available_usd), output);
        }
        CreditCommand::Take { account, usd, reason, debt, idempotency_key } => {
            let key = booking_key(idempotency_key.as_ref());
            let take = TypedTake { account: &account, amount: usd, debt, reason: &reason, idempotency_key };
            let taken = take_at(server, take, &key).await;
            let (account, taken) = taken.map_err(|source| credit::take_failed(&key, source))?;
            // The taking is made: what the account owes now is told where it can be read.
            let owed = super::account::get(server, account.id).await.ok().map(|account| account.owed);
            let report = TakingReport {
                account: account.id,
                name: &account.name,
                reversal: taken.reversal,
                amount: usd,
                taken: taken.taken_usd,
                debt: taken.debt_usd,
                left: taken.left_usd,
                repeated: taken.repeated,
                key: &key,
            };
            credit::report_taking(&report, Ok::<_, Infallible>(taken.available_usd), owed, output);
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn grant_at(
    server: &AdminClient,
    grant: TypedGrant<'_>,
    key: &str,
) -> Result<(RemoteAccount, RemoteGrant), CommandError> {
    let account = super::account::find(server, grant.account).await?;
    let id = account.id.to_string();
    let body = GrantRequest { usd: grant.amount, reason: Some(grant.note.to_owned()) };
    let path = ["accounts", id.as_str(), "grants"];
    let granted = server.send(AdminRequest::new(Method::POST, &path, &body).once(key)).await?;
    Ok((account, granted))
}

async fn take_at(
    server: &AdminClient,
    take: TypedTake<'_>,
    key: &str,
) -> Result<(RemoteAccount, RemoteTaking), CommandError> {
    let account = super::account::find(server, take.account).await?;
    let id = account.id.to_string();
    let body = TakingRequest { usd: take.amount, debt: Some(take.debt), reason: take.reason.to_owned() };
    let path = ["accounts", id.as_str(), "takings"];
    let taken = server.send(AdminRequest::new(Method::POST, &path, &body).once(key)).await?;
    Ok((account, taken))
}
