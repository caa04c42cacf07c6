-- Agents: wallets that act for an account by a key of their own, and how much they may top up.
--
-- Whoever registers one writes the agent and its key; the database sees to the rest: that an account has no more agents
-- than it may, that a wallet is one live agent of all accounts together, that a proof registers once, and that an agent and
-- its key are revoked together, whichever of them somebody revokes.

CREATE TABLE agents (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- Its place among the live agents of the account: there are as many places as there may be agents.
  slot INTEGER NOT NULL CHECK (slot BETWEEN 1 AND 50),
  chain TEXT NOT NULL CHECK (chain IN ('evm', 'solana')),
  -- In the one way that it is written.
  addr TEXT NOT NULL,
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
  -- Of the proof that the wallet is its owner's. Agents stay, and so does what they have used.
  nonce TEXT NOT NULL UNIQUE CHECK (length(nonce) BETWEEN 8 AND 128),
  state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
  rev INTEGER NOT NULL DEFAULT 0,
  -- NULL: without limit. Of one top-up, of those of a day, and of all together; nano-USD.
  cap_order INTEGER CHECK (cap_order BETWEEN 0 AND 1000000000000000000),
  cap_day INTEGER CHECK (cap_day BETWEEN 0 AND 1000000000000000000),
  cap_life INTEGER CHECK (cap_life BETWEEN 0 AND 1000000000000000000),
  created_at INTEGER NOT NULL,
  CONSTRAINT one_way_to_write_it CHECK ((chain = 'evm' AND length(addr) = 42 AND addr LIKE '0x%' AND addr = lower(addr))
    OR (chain = 'solana' AND length(addr) BETWEEN 32 AND 44 AND addr NOT LIKE '0x%'))
) STRICT;
CREATE UNIQUE INDEX agents_slot_key ON agents (account_id, slot) WHERE state = 'active';
CREATE UNIQUE INDEX agents_addr_key ON agents (addr) WHERE state = 'active';
CREATE INDEX agents_by_account ON agents (account_id, created_at);
CREATE TRIGGER agents_of_active BEFORE INSERT ON agents
  WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'only an active account registers agents'); END;
CREATE TRIGGER agents_fixed BEFORE UPDATE ON agents
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.slot <> OLD.slot OR NEW.chain <> OLD.chain
    OR NEW.addr <> OLD.addr OR NEW.nonce <> OLD.nonce OR NEW.created_at <> OLD.created_at
  BEGIN SELECT RAISE(ABORT, 'agents keep their account and wallet'); END;
CREATE TRIGGER agents_stay BEFORE DELETE ON agents BEGIN SELECT RAISE(ABORT, 'agents stay'); END;

-- The agent whose key it is. It lasts as long as the agent, so that it has no end of its own.
ALTER TABLE api_keys ADD COLUMN agent_id INTEGER REFERENCES agents (id) CHECK (agent_id IS NULL OR expires_at IS NULL);
CREATE UNIQUE INDEX api_keys_agent_id_key ON api_keys (agent_id) WHERE agent_id IS NOT NULL;
CREATE TRIGGER api_keys_of_agent BEFORE INSERT ON api_keys WHEN NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'the key of an agent is of a live one of its account'); END;
CREATE TRIGGER api_keys_agent_fixed BEFORE UPDATE OF agent_id ON api_keys WHEN NEW.agent_id IS NOT OLD.agent_id
  BEGIN SELECT RAISE(ABORT, 'keys keep their agent'); END;
CREATE TRIGGER agents_revoke_key AFTER UPDATE OF state ON agents WHEN NEW.state = 'revoked'
  BEGIN UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE agent_id = NEW.id AND state = 'active'; END;
CREATE TRIGGER api_keys_revoke_agent AFTER UPDATE OF state ON api_keys WHEN NEW.state = 'revoked' AND NEW.agent_id IS NOT NULL
  BEGIN UPDATE agents SET state = 'revoked', rev = rev + 1 WHERE id = NEW.agent_id AND state = 'active'; END;

-- What an agent has topped up of a cap. `held` is of payments that are under way.
CREATE TABLE agent_windows (
  agent_id INTEGER NOT NULL REFERENCES agents (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'life')),
  -- The beginning of the day in UTC; 0 for the life.
  starts_at INTEGER NOT NULL CHECK (starts_at >= 0 AND (period <> 'life' OR starts_at = 0)),
  -- As the agent has it; the most that there can be where it has none.
  budget INTEGER NOT NULL CHECK (budget >= 0),
  -- The budget; where that was lowered below what is spent and held, what is spent and held.
  cap INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT agent_spent_not_negative CHECK (spent >= 0),
  CONSTRAINT agent_held_not_negative CHECK (held >= 0),
  CONSTRAINT agent_cap_holds CHECK (spent + held <= cap),
  CONSTRAINT agent_cap_has_a_reason CHECK (cap = max(budget, spent + held)),
  PRIMARY KEY (agent_id, period, starts_at)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER agent_windows_born_empty BEFORE INSERT ON agent_windows WHEN NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id
      AND NEW.budget = coalesce(CASE NEW.period WHEN 'day' THEN cap_day ELSE cap_life END, 1000000000000000000))
  BEGIN SELECT RAISE(ABORT, 'a cap begins unspent, as its agent has it'); END;
CREATE TRIGGER agent_windows_fixed BEFORE UPDATE ON agent_windows
  WHEN NEW.agent_id <> OLD.agent_id OR NEW.period <> OLD.period OR NEW.starts_at <> OLD.starts_at
  BEGIN SELECT RAISE(ABORT, 'caps keep their agent and time'); END;
CREATE TRIGGER agent_windows_stay BEFORE DELETE ON agent_windows BEGIN SELECT RAISE(ABORT, 'caps stay'); END;

-- A cap that is changed is changed at once, also for what is spent already.
CREATE TRIGGER agents_caps AFTER UPDATE OF cap_day, cap_life ON agents BEGIN
  UPDATE agent_windows SET budget = coalesce(NEW.cap_day, 1000000000000000000), cap = max(coalesce(NEW.cap_day, 1000000000000000000), spent + held)
    WHERE agent_id = NEW.id AND period = 'day';
  UPDATE agent_windows SET budget = coalesce(NEW.cap_life, 1000000000000000000), cap = max(coalesce(NEW.cap_life, 1000000000000000000), spent + held)
    WHERE agent_id = NEW.id AND period = 'life';
END;
