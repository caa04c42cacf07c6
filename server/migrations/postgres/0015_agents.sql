-- Agents: wallets that act for an account by a key of their own, and how much they may top up. The same tables and rules as
-- migrations/sqlite/0015_agents.sql.
--
-- Whoever registers, changes or revokes an agent takes the balance of its account first, as for a key.

CREATE TABLE agents (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  slot BIGINT NOT NULL CHECK (slot BETWEEN 1 AND 50),
  chain TEXT NOT NULL CHECK (chain IN ('evm', 'solana')),
  addr TEXT NOT NULL,
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
  nonce TEXT NOT NULL UNIQUE CHECK (length(nonce) BETWEEN 8 AND 128),
  state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
  rev BIGINT NOT NULL DEFAULT 0,
  cap_order BIGINT CHECK (cap_order BETWEEN 0 AND 1000000000000000000),
  cap_day BIGINT CHECK (cap_day BETWEEN 0 AND 1000000000000000000),
  cap_life BIGINT CHECK (cap_life BETWEEN 0 AND 1000000000000000000),
  created_at BIGINT NOT NULL,
  CONSTRAINT one_way_to_write_it CHECK ((chain = 'evm' AND length(addr) = 42 AND addr LIKE '0x%' AND addr = lower(addr))
    OR (chain = 'solana' AND length(addr) BETWEEN 32 AND 44 AND addr NOT LIKE '0x%'))
);
CREATE UNIQUE INDEX agents_slot_key ON agents (account_id, slot) WHERE state = 'active';
CREATE UNIQUE INDEX agents_addr_key ON agents (addr) WHERE state = 'active';
CREATE INDEX agents_by_account ON agents (account_id, created_at);
-- The account's row is locked, so that it is not frozen between the question and the commit.
CREATE FUNCTION agents_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'only an active account registers agents'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER agents_of_active BEFORE INSERT ON agents FOR EACH ROW EXECUTE FUNCTION agents_of_active();
CREATE FUNCTION agents_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.account_id, NEW.slot, NEW.chain, NEW.addr, NEW.nonce, NEW.created_at)
    IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.slot, OLD.chain, OLD.addr, OLD.nonce, OLD.created_at)
  THEN RAISE EXCEPTION 'agents keep their account and wallet'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER agents_fixed BEFORE UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION agents_fixed();
CREATE TRIGGER agents_stay BEFORE DELETE OR TRUNCATE ON agents FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

ALTER TABLE api_keys ADD COLUMN agent_id BIGINT REFERENCES agents (id);
ALTER TABLE api_keys ADD CONSTRAINT agents_key_lasts CHECK (agent_id IS NULL OR expires_at IS NULL);
CREATE UNIQUE INDEX api_keys_agent_id_key ON api_keys (agent_id) WHERE agent_id IS NOT NULL;
CREATE FUNCTION api_keys_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.agent_id IS DISTINCT FROM OLD.agent_id THEN RAISE EXCEPTION 'keys keep their agent'; END IF;
  ELSIF NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  THEN RAISE EXCEPTION 'the key of an agent is of a live one of its account'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_of_agent BEFORE INSERT OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_of_agent();
CREATE FUNCTION agents_revoke_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state = 'revoked' THEN
    UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE agent_id = NEW.id AND state = 'active';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER agents_revoke_key AFTER UPDATE OF state ON agents FOR EACH ROW EXECUTE FUNCTION agents_revoke_key();
CREATE FUNCTION api_keys_revoke_agent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state = 'revoked' AND NEW.agent_id IS NOT NULL THEN
    UPDATE agents SET state = 'revoked', rev = rev + 1 WHERE id = NEW.agent_id AND state = 'active';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_revoke_agent AFTER UPDATE OF state ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_revoke_agent();

CREATE TABLE agent_windows (
  agent_id BIGINT NOT NULL REFERENCES agents (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'life')),
  starts_at BIGINT NOT NULL CHECK (starts_at >= 0 AND (period <> 'life' OR starts_at = 0)),
  budget BIGINT NOT NULL CHECK (budget >= 0),
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
CREATE TRIGGER agent_windows_stay BEFORE DELETE OR TRUNCATE ON agent_windows FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE FUNCTION agents_caps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE agent_windows w SET budget = v.cap, cap = greatest(v.cap, w.spent + w.held)
    FROM (VALUES ('day', coalesce(NEW.cap_day, 1000000000000000000)), ('life', coalesce(NEW.cap_life, 1000000000000000000))) v (period, cap)
    WHERE w.agent_id = NEW.id AND w.period = v.period;
  RETURN NULL;
END $$;
CREATE TRIGGER agents_caps AFTER UPDATE OF cap_day, cap_life ON agents FOR EACH ROW EXECUTE FUNCTION agents_caps();
