//! The operator at the machine: the name that the ledger has for them, and its way in without a server.

use crate::base::Clock;
use crate::settings::Settings;
use crate::store::Store;

/// The actor that the ledger names for commands.
pub(super) const ACTOR: &str = "operator";

/// The ledger's file, for a command that needs no server.
pub(super) async fn open(settings: &Settings) -> Result<(Store, Clock), crate::store::StoreError> {
    let clock = Clock::system();
    let config = crate::app::store_config(settings);
    Ok((Store::open_in(&config, crate::app::ledger_mode(settings), &clock).await?, clock))
}
