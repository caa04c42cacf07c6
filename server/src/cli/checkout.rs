//! `tollgate sandbox-checkout`: the local payment provider of the e-wallet rail, on its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;

use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use tollgate_base::Clock;
use tollgate_sandbox::{CheckoutSandbox, Options};
use tollgate_topup::ewallet::published;

use super::output::{CommandOutput, CommandResult};

/// The default port.
const PORT: u16 = 8090;

pub(super) async fn serve(listen: Option<SocketAddr>, speed: u32, output: CommandOutput) -> CommandResult {
    let listen = listen.unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)));
    let mut terminate = signal(SignalKind::terminate())?;
    let sandbox = CheckoutSandbox::bind(listen, Options { clock: Clock::system(), speed }).await?;
    let address = format!("http://{}", sandbox.address());
    let text = format!(
        "SANDBOX: a payment provider that moves no money listens on {address}\n\
         Its keys are published, and refused when mode = \"production\". For a gateway beside it:\n\n\
         [topup.ewallet]\nbase_url = \"{address}\"\nclient_id = \"{}\"\n\
         merchant_key_env = \"EWALLET_MERCHANT_KEY\"\nprovider_key_env = \"EWALLET_PROVIDER_KEY\"\n\n\
         EWALLET_MERCHANT_KEY={}\nEWALLET_PROVIDER_KEY={}\n",
        published::CLIENT_ID,
        published::MERCHANT_PRIVATE,
        published::PROVIDER_PUBLIC,
    );
    let told = json!({
        "listening": address, "client_id": published::CLIENT_ID, "merchant_key": published::MERCHANT_PRIVATE,
        "provider_key": published::PROVIDER_PUBLIC,
    });
    output.result(&text, &told);
    let stop = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    };
    sandbox.serve(stop).await?;
    Ok(ExitCode::SUCCESS)
}
