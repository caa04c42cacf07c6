//! The time that each page of the customer's console takes, and each list as CSV, where all receipts of the ledger are of one account.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::json;
use tollgate_spec_generator::client_model::{ApiDocument, read};
use tollgate_tests::{binary, client};

use super::{Plan, dear, fill, path, table};
use crate::Failed;
use crate::gateway::Gateway;
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;

const PASSWORD: &str = "correct horse battery";

/// Filters that find little or nothing, and spans as wide as they may be.
const DEAR: [&str; 15] = [
    "/console/receipts?model=no-such",
    "/console/receipts?status=released",
    "/console/receipts?key_id={key_id}",
    "/console/receipts?key_id={key_id}&model=no-such",
    "/console/receipts?team_id={team_id}",
    "/console/receipts?team_id={team_id}&status=released",
    "/console/receipts?from=2020-01-01&to=2020-01-02",
    "/console/receipts?request=req_no_such",
    "/console/usage?from={from}",
    "/console/usage?from={from}&team_id={team_id}",
    "/console/usage?by=tag",
    "/api/user/self/usage?format=csv&group_by=day&from={from}",
    "/api/user/self/usage?format=csv&group_by=model,key,team,member&from={from}",
    "/api/user/self/receipts?format=csv&team_id={team_id}",
    "/api/user/self/receipts?format=csv&model=no-such",
];

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    let began = Instant::now();
    let filled = fill::of_one(plan.receipts, PASSWORD).await?;
    eprintln!("{} receipts of one account in {} s", plan.receipts, began.elapsed().as_secs());
    stay_on(OTHER_CORE)?;
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let gateway = Gateway::of(binary::path());
    gateway.write_config(filled.folder.path(), &provider.greeting)?;
    let (_server, address) = gateway.serve(filled.folder.path())?;
    let session = sign_in(&address).await?;
    let document = read(&std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/dist/resolved.json"))?)?;
    println!("{} receipts of one account, each page {} times:\n", plan.receipts, plan.times);
    let paths = paths(&document, &filled.values)?.into_iter().chain(dear(&DEAR, &filled.values));
    table(&address, paths, &session, plan.times).await
}

/// The cookie of whoever signs in to the account.
async fn sign_in(address: &str) -> Result<String, Failed> {
    let body = json!({"email": "account 0", "password": PASSWORD}).to_string();
    let request = client().post(format!("http://{address}/api/user/login")).header("x-tollgate-csrf", "1");
    let reply = request.header("content-type", "application/json").body(body).send().await?.error_for_status()?;
    let cookie = reply.headers().get("set-cookie").ok_or("no cookie")?.to_str()?;
    Ok(cookie.split(';').next().unwrap_or_default().to_owned())
}

/// The pages of who is signed in, and the lists of the account as CSV.
fn paths(document: &ApiDocument, values: &BTreeMap<&'static str, String>) -> Result<Vec<String>, Failed> {
    let mut paths = Vec::new();
    for (id, operation) in &document.operations {
        // What is everybody's takes no session.
        let is_page = id.starts_with("console.") && operation.errors.iter().any(|code| code == "SESSION_INVALID");
        let is_list = !id.starts_with("admin_") && operation.csv.is_some();
        if is_page || is_list {
            let path = path(id, operation, values)?;
            paths.push(if is_page { path } else { format!("{path}?format=csv") });
        }
    }
    Ok(paths)
}
