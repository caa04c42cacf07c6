//! A wallet becomes an agent.

use super::agent::{AgentState, NewAgent, RegisteredAgent};
use super::{Agent, AgentBudgets, AgentError, AgentService, sql};
use tollgate_accounts::{AccountService, BadLimit, NewKey};
use tollgate_api::generated::limits;
use tollgate_base::{Actor, AgentId, Caller, PoolId, draw_id};
use tollgate_chains::{OwnershipStatement, WalletAddress};
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

const LABEL_CHARS_MAX: usize = 64;
const NONCE_CHARS: std::ops::RangeInclusive<usize> = 8..=128;
/// The largest whole number that is exact in JSON.
const EXACT_MAX: u64 = (1 << 53) - 1;

impl AgentService {
    /// Makes a wallet an agent of the caller's account, with a key of its own. Nonce, agent, key and the line in the audit
    /// log are one commit; whatever is refused leaves nothing behind, the nonce unused.
    ///
    /// # Errors
    /// When agents are not registered here; the caller's own key is limited or ends; a member is unfit; the time is off; the
    /// signature is not the wallet's over this; the nonce was used; the wallet is an agent; the account has as many agents or
    /// keys as it may or is frozen; or the store fails.
    pub async fn register(&self, caller: &Caller, new: NewAgent) -> Result<RegisteredAgent, AgentError> {
        // 1. What needs no lock.
        let audience = self.audience.as_deref().ok_or(AgentError::Disabled)?;
        self.accounts.may_manage_agents(self.store.readers(), caller).await?;
        let wallet = fit(&new)?;
        self.in_time(new.issued_at)?;
        let ownership = OwnershipStatement {
            label: &new.label,
            audience,
            nonce: &new.nonce,
            issued_at: new.issued_at,
            solana_network: &self.config.solana_network,
        };
        ownership.verify(&wallet, &new.ownership_sig)?;
        // 2. What two could take at once.
        let mut transaction = self.store.begin().await?;
        self.accounts.lock(&mut transaction, caller.account).await?;
        let member = self.accounts.may_manage_agents_now(&mut transaction, caller).await?;
        let slot = free_slot(&mut transaction, caller, &wallet, &new.nonce).await?;
        let registered = self.write(&mut transaction, (caller, member), new, wallet, slot).await?;
        transaction.commit().await.map_err(StoreError::commit("an agent"))?;
        Ok(registered)
    }

    /// Sees that a proof is fresh by the service's clock, both ends included.
    fn in_time(&self, issued_at: i64) -> Result<(), AgentError> {
        let off = self.clock.now_ms().div_euclid(1000).abs_diff(issued_at);
        if off <= limits::ISSUED_AT_AGE.as_secs() {
            return Ok(());
        }
        Err(AgentError::IssuedAt { off_seconds: i64::try_from(off.min(EXACT_MAX)).expect("53 bits fit") })
    }

    async fn write(
        &self,
        transaction: &mut StoreTransaction,
        (caller, member): (&Caller, Option<PoolId>),
        new: NewAgent,
        wallet: WalletAddress,
        slot: i64,
    ) -> Result<RegisteredAgent, AgentError> {
        let (id, actor) = (AgentId(draw_id(1)), AccountService::actor(caller));
        let row = sql::NewAgentRow {
            id,
            account: caller.account,
            slot,
            wallet: &wallet,
            label: &new.label,
            nonce: &new.nonce,
            caps: self.config.caps,
            created_at_ms: self.clock.now_ms(),
        };
        sql::insert(transaction, &row).await?;
        let created_at_ms = row.created_at_ms;
        let key = NewKey { account: caller.account, label: new.label.clone(), expires_at_ms: None };
        let limits = self.config.budgets.limits();
        let created = self.accounts.create_agent_key(transaction, (id, member), key, limits, (&actor).into()).await?;
        let agent = Agent {
            id,
            account: caller.account,
            wallet,
            label: new.label,
            state: AgentState::Active,
            caps: self.config.caps,
            created_at_ms,
            key: created.key.id,
            budgets: AgentBudgets::of(&created.key),
        };
        self.note(transaction, (&actor).into(), "agent.register", &agent).await?;
        Ok(RegisteredAgent { agent, secret: created.secret })
    }

    /// Writes what was done to an agent into the audit log.
    pub(super) async fn note(
        &self,
        transaction: &mut StoreTransaction,
        actor: Actor<'_>,
        action: &'static str,
        agent: &Agent,
    ) -> Result<(), StoreError> {
        let (subject, detail) = (agent.id.to_string(), format!("account {} {}", agent.account, agent.wallet));
        let at_ms = self.clock.now_ms();
        record(transaction, &AuditEntry::new(at_ms, actor, action, &subject).detail(&detail)).await
    }
}

/// Reads the wallet, and sees that label and nonce are such that nothing can hide in them.
fn fit(new: &NewAgent) -> Result<WalletAddress, AgentError> {
    fit_label(&new.label)?;
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !NONCE_CHARS.contains(&new.nonce.len()) || !new.nonce.bytes().all(letters) {
        return Err(unfit("nonce", "8 to 128 letters, digits, `-` and `_`", "another text"));
    }
    new.agent_addr.parse().map_err(|_| {
        unfit("agent_addr", "an EVM address with 0x, or a Solana address in base58", &format!("'{}'", new.agent_addr))
    })
}

pub(super) fn fit_label(label: &str) -> Result<(), AgentError> {
    let fits = (1..=LABEL_CHARS_MAX).contains(&label.chars().count()) && !label.chars().any(breaks);
    if fits { Ok(()) } else { Err(unfit("label", "1 to 64 characters without line breaks", "another text")) }
}

/// True if a character begins a line for some reader: control characters, and the separators of lines and paragraphs.
fn breaks(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

pub(super) fn unfit(field: &str, expected: &'static str, found: &str) -> AgentError {
    AgentError::Unfit(BadLimit { field: field.to_owned(), expected, found: found.to_owned() })
}

/// A place for one agent more. The database refuses a second of each as well; asked first, so that whoever sends the same
/// request twice is told of the nonce, and not of the wallet that the first of the two has registered.
async fn free_slot(
    transaction: &mut StoreTransaction,
    caller: &Caller,
    wallet: &WalletAddress,
    nonce: &str,
) -> Result<i64, AgentError> {
    let taken = sql::taken(transaction, caller.account, wallet, nonce).await?;
    if taken.nonce {
        return Err(AgentError::NonceUsed);
    }
    if taken.wallet {
        return Err(AgentError::WalletTaken);
    }
    taken.free_slot.ok_or(AgentError::TooMany(limits::AGENTS_PER_ACCOUNT.into()))
}
