-- Accounts, their agents, keys and sessions, and the log of what people did.

CREATE TABLE accounts (
  -- Random in 53 bits: not countable from outside, exact as a JSON number. Below 2^32 lie the ledger's own accounts.
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 4294967296 AND 9007199254740991),
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'frozen')),
  created_at INTEGER NOT NULL,
  password TEXT CHECK (password LIKE '$argon2id$%'),
  price_group TEXT NOT NULL DEFAULT 'default' CHECK (length(price_group) BETWEEN 1 AND 32)
) STRICT;
CREATE TRIGGER accounts_epoch AFTER UPDATE OF state ON accounts BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
CREATE TRIGGER accounts_fixed BEFORE UPDATE ON accounts WHEN NEW.id <> OLD.id BEGIN SELECT RAISE(ABORT, 'accounts keep their number'); END;
CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts BEGIN SELECT RAISE(ABORT, 'accounts stay'); END;
CREATE TRIGGER accounts_open AFTER INSERT ON accounts BEGIN
  SELECT RAISE(ABORT, 'the place of an account in the ledger is taken')
    FROM ledger_accounts WHERE id = NEW.id OR code = 'user:' || NEW.id;
  INSERT INTO ledger_accounts (id, kind, code, account_id) VALUES (NEW.id, 'user', 'user:' || NEW.id, NEW.id);
  INSERT INTO balances (account_id) VALUES (NEW.id);
END;
CREATE TRIGGER accounts_end_sessions AFTER UPDATE OF state, password ON accounts
  WHEN NEW.state <> 'active' OR NEW.password IS NOT OLD.password
  BEGIN DELETE FROM sessions WHERE account_id = NEW.id; END;
CREATE TRIGGER accounts_epoch_group AFTER UPDATE OF price_group ON accounts BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;

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
CREATE TRIGGER agents_revoke_key AFTER UPDATE OF state ON agents WHEN NEW.state = 'revoked'
  BEGIN UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE agent_id = NEW.id AND state = 'active'; END;
CREATE TRIGGER agents_caps AFTER UPDATE OF cap_day, cap_life ON agents BEGIN
  UPDATE agent_windows SET budget = coalesce(NEW.cap_day, 1000000000000000000), cap = max(coalesce(NEW.cap_day, 1000000000000000000), spent + held)
    WHERE agent_id = NEW.id AND period = 'day';
  UPDATE agent_windows SET budget = coalesce(NEW.cap_life, 1000000000000000000), cap = max(coalesce(NEW.cap_life, 1000000000000000000), spent + held)
    WHERE agent_id = NEW.id AND period = 'life';
END;

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

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  shown_prefix TEXT NOT NULL,
  label TEXT NOT NULL CHECK (length(label) <= 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
  rev INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  models TEXT,
  operations TEXT,
  addresses TEXT,
  budget_day INTEGER CHECK (budget_day BETWEEN 0 AND 1000000000000000000),
  budget_month INTEGER CHECK (budget_month BETWEEN 0 AND 1000000000000000000),
  budget_life INTEGER CHECK (budget_life BETWEEN 0 AND 1000000000000000000),
  requests_per_minute INTEGER CHECK (requests_per_minute BETWEEN 1 AND 1000000000),
  tokens_per_minute INTEGER CHECK (tokens_per_minute BETWEEN 1 AND 1000000000000),
  in_flight_max INTEGER CHECK (in_flight_max BETWEEN 1 AND 1000000),
  agent_id INTEGER REFERENCES agents (id) CHECK (agent_id IS NULL OR expires_at IS NULL),
  include_cost INTEGER NOT NULL DEFAULT 0 CHECK (include_cost IN (0, 1)),
  CONSTRAINT expires_later CHECK (expires_at > created_at)
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id);
CREATE TRIGGER api_keys_epoch_insert AFTER INSERT ON api_keys BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
CREATE TRIGGER api_keys_fixed BEFORE UPDATE ON api_keys
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.hash <> OLD.hash OR NEW.expires_at IS NOT OLD.expires_at
  BEGIN SELECT RAISE(ABORT, 'keys keep their owner, secret and expiry'); END;
CREATE TRIGGER api_keys_stay BEFORE DELETE ON api_keys BEGIN SELECT RAISE(ABORT, 'keys stay'); END;
CREATE TRIGGER api_keys_budgets AFTER UPDATE OF budget_day, budget_month, budget_life ON api_keys BEGIN
  UPDATE spend_windows SET budget = NEW.budget_day, cap = max(NEW.budget_day, spent + held)
    WHERE key_id = NEW.id AND period = 'day' AND NEW.budget_day IS NOT NULL;
  UPDATE spend_windows SET budget = NEW.budget_month, cap = max(NEW.budget_month, spent + held)
    WHERE key_id = NEW.id AND period = 'month' AND NEW.budget_month IS NOT NULL;
  UPDATE spend_windows SET budget = NEW.budget_life, cap = max(NEW.budget_life, spent + held)
    WHERE key_id = NEW.id AND period = 'life' AND NEW.budget_life IS NOT NULL;
END;
CREATE UNIQUE INDEX api_keys_agent_id_key ON api_keys (agent_id) WHERE agent_id IS NOT NULL;
CREATE TRIGGER api_keys_of_agent BEFORE INSERT ON api_keys WHEN NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'the key of an agent is of a live one of its account'); END;
CREATE TRIGGER api_keys_agent_fixed BEFORE UPDATE OF agent_id ON api_keys WHEN NEW.agent_id IS NOT OLD.agent_id
  BEGIN SELECT RAISE(ABORT, 'keys keep their agent'); END;
CREATE TRIGGER api_keys_revoke_agent AFTER UPDATE OF state ON api_keys WHEN NEW.state = 'revoked' AND NEW.agent_id IS NOT NULL
  BEGIN UPDATE agents SET state = 'revoked', rev = rev + 1 WHERE id = NEW.agent_id AND state = 'active'; END;
CREATE TRIGGER api_keys_epoch_update AFTER UPDATE OF state, models, operations, addresses, include_cost ON api_keys
  BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;

CREATE TABLE key_epoch (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL
) STRICT;
INSERT INTO key_epoch (one, epoch) VALUES (1, 0);
CREATE TRIGGER key_epoch_forward BEFORE UPDATE ON key_epoch WHEN NEW.epoch <= OLD.epoch BEGIN SELECT RAISE(ABORT, 'the key epoch moves forward'); END;
CREATE TRIGGER key_epoch_stays BEFORE DELETE ON key_epoch BEGIN SELECT RAISE(ABORT, 'the key epoch stays'); END;

CREATE TABLE sessions (
  -- SHA-256 of the token; the token itself is its owner's alone.
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  -- To a minute.
  seen_at INTEGER NOT NULL CHECK (seen_at >= created_at),
  ends_at INTEGER NOT NULL CHECK (ends_at > created_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_end ON sessions (ends_at);
CREATE TRIGGER sessions_of_active BEFORE INSERT ON sessions
  WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' AND password IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'only an active account with a password is signed in to'); END;
CREATE TRIGGER sessions_fixed BEFORE UPDATE ON sessions
  WHEN NEW.hash <> OLD.hash OR NEW.account_id <> OLD.account_id OR NEW.created_at <> OLD.created_at
    OR NEW.ends_at <> OLD.ends_at OR NEW.seen_at < OLD.seen_at
  BEGIN SELECT RAISE(ABORT, 'sessions keep their owner and their end'); END;

CREATE TABLE login_tries (
  -- A hash: what is typed for a name may be a password.
  subject BLOB PRIMARY KEY CHECK (length(subject) = 32),
  began_at INTEGER NOT NULL,
  tries INTEGER NOT NULL CHECK (tries > 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX login_tries_by_time ON login_tries (began_at);

CREATE TABLE server_keys (
  name TEXT PRIMARY KEY,
  secret BLOB NOT NULL CHECK (length(secret) = 32),
  created_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER server_keys_fixed BEFORE UPDATE ON server_keys BEGIN SELECT RAISE(ABORT, 'server keys are made once'); END;
CREATE TRIGGER server_keys_stay BEFORE DELETE ON server_keys BEGIN SELECT RAISE(ABORT, 'server keys stay'); END;

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
