-- Accounts, their agents, keys and sessions, and the log of what people did.

CREATE FUNCTION rows_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% stay', TG_TABLE_NAME; END $$;
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;

CREATE TABLE accounts (
  -- Random in 53 bits: not countable from outside, exact as a JSON number. Below 2^32 lie the ledger's own accounts.
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 4294967296 AND 9007199254740991),
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'frozen')),
  created_at BIGINT NOT NULL,
  password TEXT CHECK (password LIKE '$argon2id$%'),
  price_group TEXT NOT NULL DEFAULT 'default' CHECK (length(price_group) BETWEEN 1 AND 32)
);
CREATE FUNCTION accounts_end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state <> 'active' OR NEW.password IS DISTINCT FROM OLD.password THEN
    DELETE FROM sessions WHERE account_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_end_sessions AFTER UPDATE OF state, password ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_end_sessions();
CREATE FUNCTION key_epoch_moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE key_epoch SET epoch = epoch + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_epoch AFTER UPDATE OF state ON accounts FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();
CREATE TRIGGER accounts_epoch_group AFTER UPDATE OF price_group ON accounts FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();
CREATE FUNCTION accounts_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.id <> OLD.id THEN RAISE EXCEPTION 'accounts keep their number'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_fixed BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_fixed();
CREATE FUNCTION accounts_open() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO ledger_accounts (id, kind, code, account_id) VALUES (NEW.id, 'user', 'user:' || NEW.id, NEW.id);
  INSERT INTO balances (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_open AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_open();
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE agents (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  -- Its place among the live agents of the account: there are as many places as there may be agents.
  slot BIGINT NOT NULL CHECK (slot BETWEEN 1 AND 50),
  chain TEXT NOT NULL CHECK (chain IN ('evm', 'solana')),
  -- In the one way that it is written.
  addr TEXT NOT NULL,
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
  -- Of the proof that the wallet is its owner's. Agents stay, and so does what they have used.
  nonce TEXT NOT NULL UNIQUE CHECK (length(nonce) BETWEEN 8 AND 128),
  state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
  rev BIGINT NOT NULL DEFAULT 0,
  -- NULL: without limit. Of one top-up, of those of a day, and of all together; nano-USD.
  cap_order BIGINT CHECK (cap_order BETWEEN 0 AND 1000000000000000000),
  cap_day BIGINT CHECK (cap_day BETWEEN 0 AND 1000000000000000000),
  cap_life BIGINT CHECK (cap_life BETWEEN 0 AND 1000000000000000000),
  created_at BIGINT NOT NULL,
  CONSTRAINT one_way_to_write_it CHECK ((chain = 'evm' AND length(addr) = 42 AND addr LIKE '0x%' AND addr = lower(addr))
    OR (chain = 'solana' AND length(addr) BETWEEN 32 AND 44 AND addr NOT LIKE '0x%'))
);
CREATE UNIQUE INDEX agents_addr_key ON agents (addr) WHERE state = 'active';
CREATE INDEX agents_by_account ON agents (account_id, created_at);
CREATE UNIQUE INDEX agents_slot_key ON agents (account_id, slot) WHERE state = 'active';
CREATE FUNCTION agents_caps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE agent_windows w SET budget = v.cap, cap = greatest(v.cap, w.spent + w.held)
    FROM (VALUES ('day', coalesce(NEW.cap_day, 1000000000000000000)), ('life', coalesce(NEW.cap_life, 1000000000000000000))) v (period, cap)
    WHERE w.agent_id = NEW.id AND w.period = v.period;
  RETURN NULL;
END $$;
CREATE TRIGGER agents_caps AFTER UPDATE OF cap_day, cap_life ON agents FOR EACH ROW EXECUTE FUNCTION agents_caps();
CREATE FUNCTION agents_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.account_id, NEW.slot, NEW.chain, NEW.addr, NEW.nonce, NEW.created_at)
    IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.slot, OLD.chain, OLD.addr, OLD.nonce, OLD.created_at)
  THEN RAISE EXCEPTION 'agents keep their account and wallet'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER agents_fixed BEFORE UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION agents_fixed();
CREATE FUNCTION agents_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'only an active account registers agents'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER agents_of_active BEFORE INSERT ON agents FOR EACH ROW EXECUTE FUNCTION agents_of_active();
CREATE FUNCTION agents_revoke_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state = 'revoked' THEN
    UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE agent_id = NEW.id AND state = 'active';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER agents_revoke_key AFTER UPDATE OF state ON agents FOR EACH ROW EXECUTE FUNCTION agents_revoke_key();
CREATE TRIGGER agents_stay BEFORE DELETE OR TRUNCATE ON agents FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE agent_windows (
  agent_id BIGINT NOT NULL REFERENCES agents (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'life')),
  -- The beginning of the day in UTC; 0 for the life.
  starts_at BIGINT NOT NULL CHECK (starts_at >= 0 AND (period <> 'life' OR starts_at = 0)),
  -- As the agent has it; the most that there can be where it has none.
  budget BIGINT NOT NULL CHECK (budget >= 0),
  -- The budget; where that was lowered below what is spent and held, what is spent and held.
  cap BIGINT NOT NULL,
  spent BIGINT NOT NULL DEFAULT 0,
  held BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT agent_spent_not_negative CHECK (spent >= 0),
  CONSTRAINT agent_held_not_negative CHECK (held >= 0),
  CONSTRAINT agent_cap_holds CHECK (spent + held <= cap),
  CONSTRAINT agent_cap_has_a_reason CHECK (cap = greatest(budget, spent + held)),
  PRIMARY KEY (agent_id, period, starts_at)
);
CREATE FUNCTION agent_windows_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (SELECT 1 FROM agents WHERE id = NEW.agent_id
      AND NEW.budget = coalesce(CASE NEW.period WHEN 'day' THEN cap_day ELSE cap_life END, 1000000000000000000))
    THEN RAISE EXCEPTION 'a cap begins unspent, as its agent has it'; END IF;
  ELSIF (NEW.agent_id, NEW.period, NEW.starts_at) IS DISTINCT FROM (OLD.agent_id, OLD.period, OLD.starts_at)
  THEN RAISE EXCEPTION 'caps keep their agent and time'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER agent_windows_guard BEFORE INSERT OR UPDATE ON agent_windows FOR EACH ROW EXECUTE FUNCTION agent_windows_guard();
CREATE FUNCTION agent_windows_open(agent bigint, day bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO agent_windows (agent_id, period, starts_at, budget, cap)
    SELECT agent, p.period, p.starts_at, p.budget, p.budget FROM agents a, LATERAL (VALUES
      ('day', day, coalesce(a.cap_day, 1000000000000000000)), ('life', 0, coalesce(a.cap_life, 1000000000000000000))
    ) p (period, starts_at, budget) WHERE a.id = agent
    ON CONFLICT (agent_id, period, starts_at) DO NOTHING;
$$;
CREATE TRIGGER agent_windows_stay BEFORE DELETE OR TRUNCATE ON agent_windows FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE api_keys (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  hash BYTEA NOT NULL UNIQUE CHECK (length(hash) = 32),
  shown_prefix TEXT NOT NULL,
  label TEXT NOT NULL CHECK (length(label) <= 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
  rev BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  models TEXT,
  operations TEXT,
  addresses TEXT,
  budget_day BIGINT CHECK (budget_day BETWEEN 0 AND 1000000000000000000),
  budget_month BIGINT CHECK (budget_month BETWEEN 0 AND 1000000000000000000),
  budget_life BIGINT CHECK (budget_life BETWEEN 0 AND 1000000000000000000),
  requests_per_minute BIGINT CHECK (requests_per_minute BETWEEN 1 AND 1000000000),
  tokens_per_minute BIGINT CHECK (tokens_per_minute BETWEEN 1 AND 1000000000000),
  in_flight_max BIGINT CHECK (in_flight_max BETWEEN 1 AND 1000000),
  agent_id BIGINT REFERENCES agents (id) CONSTRAINT agents_key_lasts CHECK (agent_id IS NULL OR expires_at IS NULL),
  include_cost BIGINT NOT NULL DEFAULT 0 CHECK (include_cost IN (0, 1)),
  CONSTRAINT expires_later CHECK (expires_at > created_at)
);
CREATE UNIQUE INDEX api_keys_agent_id_key ON api_keys (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX api_keys_by_account ON api_keys (account_id);
CREATE FUNCTION api_keys_budgets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE spend_windows w SET budget = v.budget, cap = greatest(v.budget, w.spent + w.held)
    FROM (VALUES ('day', NEW.budget_day), ('month', NEW.budget_month), ('life', NEW.budget_life)) v (period, budget)
    WHERE w.key_id = NEW.id AND w.period = v.period AND v.budget IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_budgets AFTER UPDATE OF budget_day, budget_month, budget_life ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_budgets();
CREATE TRIGGER api_keys_epoch AFTER INSERT OR UPDATE OF state, models, operations, addresses, include_cost ON api_keys FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();
CREATE FUNCTION api_keys_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.account_id, NEW.hash, NEW.expires_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.hash, OLD.expires_at)
  THEN RAISE EXCEPTION 'keys keep their owner, secret and expiry'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_guard BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_guard();
CREATE FUNCTION api_keys_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.agent_id IS DISTINCT FROM OLD.agent_id THEN RAISE EXCEPTION 'keys keep their agent'; END IF;
  ELSIF NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  THEN RAISE EXCEPTION 'the key of an agent is of a live one of its account'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_of_agent BEFORE INSERT OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_of_agent();
CREATE FUNCTION api_keys_revoke_agent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state = 'revoked' AND NEW.agent_id IS NOT NULL THEN
    UPDATE agents SET state = 'revoked', rev = rev + 1 WHERE id = NEW.agent_id AND state = 'active';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_revoke_agent AFTER UPDATE OF state ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_revoke_agent();
CREATE TRIGGER api_keys_stay BEFORE DELETE OR TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE key_epoch (
  one BIGINT PRIMARY KEY CHECK (one = 1),
  epoch BIGINT NOT NULL
);
INSERT INTO key_epoch (one, epoch) VALUES (1, 0);
CREATE FUNCTION key_epoch_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.epoch <= OLD.epoch THEN RAISE EXCEPTION 'the key epoch moves forward'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER key_epoch_forward BEFORE UPDATE ON key_epoch FOR EACH ROW EXECUTE FUNCTION key_epoch_forward();
CREATE TRIGGER key_epoch_stay BEFORE DELETE OR TRUNCATE ON key_epoch FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE sessions (
  -- SHA-256 of the token; the token itself is its owner's alone.
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  created_at BIGINT NOT NULL,
  -- To a minute.
  seen_at BIGINT NOT NULL CHECK (seen_at >= created_at),
  ends_at BIGINT NOT NULL CHECK (ends_at > created_at)
);
CREATE INDEX sessions_by_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_end ON sessions (ends_at);
CREATE FUNCTION sessions_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.hash, NEW.account_id, NEW.created_at, NEW.ends_at) IS DISTINCT FROM (OLD.hash, OLD.account_id, OLD.created_at, OLD.ends_at)
    OR NEW.seen_at < OLD.seen_at
  THEN RAISE EXCEPTION 'sessions keep their owner and their end'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sessions_fixed BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION sessions_fixed();
CREATE FUNCTION sessions_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' AND password IS NOT NULL FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'only an active account with a password is signed in to'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sessions_of_active BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION sessions_of_active();

CREATE TABLE login_tries (
  -- A hash: what is typed for a name may be a password.
  subject BYTEA PRIMARY KEY CHECK (length(subject) = 32),
  began_at BIGINT NOT NULL,
  tries BIGINT NOT NULL CHECK (tries > 0)
);
CREATE INDEX login_tries_by_time ON login_tries (began_at);

CREATE TABLE server_keys (
  name TEXT PRIMARY KEY,
  secret BYTEA NOT NULL CHECK (length(secret) = 32),
  created_at BIGINT NOT NULL
);
CREATE FUNCTION server_keys_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'server keys are made once and stay';
END $$;
CREATE TRIGGER server_keys_stay BEFORE DELETE OR UPDATE ON server_keys FOR EACH ROW EXECUTE FUNCTION server_keys_stay();

CREATE TABLE audit_log (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION append_only();
