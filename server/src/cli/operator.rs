//! The operator at the machine: the name that the ledger has for them, and its way in without a server.

use crate::settings::Settings;
use tollgate_base::Clock;
use tollgate_store::Store;

/// The actor that the ledger names for commands.
pub(super) const ACTOR: &str = "operator";

/// The ledger's file, for a command that needs no server.
pub(super) async fn open(settings: &Settings) -> Result<(Store, Clock), tollgate_store::StoreError> {
    let clock = Clock::system();
    let config = crate::app::store_config(settings);
    Ok((Store::open_in(&config, crate::app::ledger_mode(settings), &clock).await?, clock))
}
