//! Reading the configuration again while the server runs.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::sources::SettingsReader;
use tollgate_accounts::AccountService;
use tollgate_admin::SettingsInForce;
use tollgate_api::generated::ops::admin_service::{ReloadSettings, ReloadSettingsError, ReloadSettingsInput};
use tollgate_api::generated::types::{Reload, ReloadReply};
use tollgate_api::{Cx, OperatorCaller};
use tollgate_base::{Actor, Clock, with_causes};
use tollgate_catalog::CatalogService;
use tollgate_store::{AuditEntry, Store, StoreError, record};

/// Reads the configuration again. Cheap to clone.
#[derive(Clone)]
pub struct SettingsReloader {
    /// True if the server was started with a sandbox.
    pub(super) sandbox: bool,
    pub(super) read: SettingsReader,
    /// One at a time: the file that was read last is the one that is in force.
    pub(super) reading: Arc<Mutex<()>>,
    /// The settings as operators are told them.
    pub(super) in_force: SettingsInForce,
    pub(super) accounts: AccountService,
    pub(super) catalog: CatalogService,
    pub(super) store: Store,
    pub(super) clock: Clock,
}

impl SettingsReloader {
    /// Sells what the settings say from now on, at their prices; requests under way end as they began. Answers what was done.
    ///
    /// # Errors
    /// When the settings cannot be read or used. Nothing is changed then.
    pub async fn reload(&self) -> Result<&'static str, Box<dyn std::error::Error + Send + Sync>> {
        let _reading = self.reading.lock().await;
        let read = self.read.clone();
        let settings = tokio::task::spawn_blocking(move || read()).await??;
        match (self.sandbox, settings.sandbox) {
            (true, true) => Ok("a sandbox has nothing to read again"),
            (false, false) => {
                let groups = self.accounts.groups().await?;
                self.catalog.reload(settings.offer, settings.gateway, &groups).await?;
                self.in_force.reload(settings.in_force);
                Ok("models, prices and providers were read again; other settings are those of the start")
            }
            // The credit of a sandbox must not buy from real providers, nor the other way round.
            _ => Err("sandbox.enabled needs a new start".into()),
        }
    }

    async fn log(&self, actor: Actor<'_>, told: &str) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        let entry = AuditEntry::new(self.clock.now_ms(), actor, "settings.reload", "settings").detail(told);
        record(&mut transaction, &entry).await?;
        transaction.commit().await.map_err(StoreError::commit("a line of the log of changes"))
    }
}

impl ReloadSettings for SettingsReloader {
    async fn reload_settings(&self, cx: &Cx, input: ReloadSettingsInput) -> Result<ReloadReply, ReloadSettingsError> {
        let by = OperatorCaller::actor_name(&input.caller.name);
        let reason = input.body.reason.unwrap_or_default();
        let told = self.reload().await.map_err(|error| {
            let reason = with_causes(&*error);
            ReloadSettingsError::SettingsUnusable { reason }
        })?;
        let actor = Actor { name: &by, address: cx.client, reason: &reason };
        if let Err(error) = self.log(actor, told).await {
            // It is done, and the server's log has it.
            tracing::error!(
                error = &error as &dyn std::error::Error,
                by,
                "a reload could not be written to the log of changes"
            );
        }
        tracing::info!("{told}");
        Ok(ReloadReply { success: true, message: String::new(), data: Reload { message: told.to_owned() } })
    }
}

impl fmt::Debug for SettingsReloader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SettingsReloader").field("sandbox", &self.sandbox).finish_non_exhaustive()
    }
}
