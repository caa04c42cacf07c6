-- The ledger, its accounts and their keys. Times are unix milliseconds, amounts nano-USD, prices pico-USD per unit.
--
-- The database keeps the books by itself. Programs insert; they never compute a balance:
--   a row in `holds`      reserves money (trigger holds_reserve),
--   a row in `receipts`   resolves its hold, once, and posts the charge (trigger receipts_resolve),
--   a row in `transfers`  moves money from one account to another (trigger transfers_post).
-- So a hold cannot be resolved without its receipt, a charge cannot exist without its settled hold, and a balance
-- cannot fall below what is held, whoever writes. In which state a row starts and how it may move is written by the
-- generator, in machines.sql. The same tables and rules as migrations/sqlite/0001_ledger.sql; triggers that change
-- balances run once a statement, so that a batch nets to one update for each account.

CREATE TABLE accounts (
  -- Random in 53 bits: not countable from outside, exact as a JSON number. Below 2^32 lie the ledger's own accounts.
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 4294967296 AND 9007199254740991),
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'frozen')),
  created_at BIGINT NOT NULL
);

CREATE TABLE ledger_accounts (
  id BIGINT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('user', 'clearing', 'revenue', 'promo', 'writeoff', 'suspense')),
  code TEXT NOT NULL UNIQUE,
  account_id BIGINT REFERENCES accounts (id),
  CONSTRAINT user_has_account CHECK ((kind = 'user') = (account_id IS NOT NULL)),
  CONSTRAINT one_number CHECK (account_id IS NULL OR account_id = id)
);

INSERT INTO ledger_accounts (id, kind, code) VALUES
  (1, 'revenue', 'revenue'), (2, 'promo', 'promo'), (3, 'writeoff', 'writeoff'), (4, 'suspense', 'suspense'),
  (5, 'clearing', 'clearing:crypto'), (6, 'clearing', 'clearing:x402'), (7, 'clearing', 'clearing:ewallet');

-- Only users have a balance row. The ledger's own accounts are sums, so that no row is hot and nothing waits for it.
CREATE TABLE balances (
  account_id BIGINT PRIMARY KEY REFERENCES ledger_accounts (id),
  posted BIGINT NOT NULL DEFAULT 0,
  held BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT held_not_negative CHECK (held >= 0),
  CONSTRAINT available_not_negative CHECK (posted >= held),
  CONSTRAINT posted_in_range CHECK (posted <= 1000000000000000000)
);

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
  CONSTRAINT expires_later CHECK (expires_at > created_at)
);
CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- One number that moves whenever a key or the state of an account does: whoever caches keys watches it.
CREATE TABLE key_epoch (one BIGINT PRIMARY KEY CHECK (one = 1), epoch BIGINT NOT NULL);
INSERT INTO key_epoch (one, epoch) VALUES (1, 0);

-- One row for each start of a server. A hold belongs to the start that took it.
CREATE TABLE nodes (
  epoch BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('up', 'gone'))
);

CREATE TABLE holds (
  id BIGINT PRIMARY KEY CHECK (id > 0),
  account_id BIGINT NOT NULL REFERENCES balances (account_id),
  key_id BIGINT NOT NULL,
  -- Request ids start with the time, so that this index grows at its end.
  request_id TEXT NOT NULL UNIQUE,
  -- Zero for a model that is free: it is held and receipted like any other.
  amount BIGINT NOT NULL CHECK (amount >= 0),
  state TEXT NOT NULL CHECK (state IN ('held', 'settled', 'released')),
  model TEXT NOT NULL,
  stream BIGINT NOT NULL CHECK (stream IN (0, 1)),
  price_prompt BIGINT NOT NULL CHECK (price_prompt >= 0),
  price_cached BIGINT NOT NULL CHECK (price_cached >= 0),
  price_completion BIGINT NOT NULL CHECK (price_completion >= 0),
  price_version TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  CONSTRAINT hold_expires_later CHECK (expires_at > created_at)
);
CREATE INDEX holds_open ON holds (expires_at) WHERE state = 'held';

CREATE TABLE receipts (
  hold_id BIGINT PRIMARY KEY REFERENCES holds (id),
  state TEXT NOT NULL CHECK (state IN ('settled', 'released')),
  cost BIGINT NOT NULL CHECK (cost >= 0),
  shortfall BIGINT NOT NULL CHECK (shortfall >= 0),
  rule TEXT NOT NULL CHECK (rule <> ''),
  prompt BIGINT CHECK (prompt >= 0),
  cached BIGINT CHECK (cached BETWEEN 0 AND prompt),
  completion BIGINT CHECK (completion >= 0),
  reasoning BIGINT CHECK (reasoning BETWEEN 0 AND completion),
  estimated BIGINT CHECK (estimated IN (0, 1)),
  upstream TEXT,
  upstream_model TEXT,
  first_byte_ms BIGINT CHECK (first_byte_ms >= 0),
  duration_ms BIGINT CHECK (duration_ms >= 0),
  resolved_at BIGINT NOT NULL,
  CONSTRAINT released_is_free CHECK (state = 'settled' OR (cost = 0 AND shortfall = 0)),
  CONSTRAINT settled_has_usage CHECK ((state = 'settled') = (prompt IS NOT NULL)),
  CONSTRAINT usage_is_whole CHECK ((prompt IS NULL) = (cached IS NULL) AND (prompt IS NULL) = (completion IS NULL)
    AND (prompt IS NULL) = (reasoning IS NULL) AND (prompt IS NULL) = (estimated IS NULL))
);

CREATE TABLE transfers (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('topup', 'usage', 'promo', 'adjust', 'refund', 'suspense')),
  debit BIGINT NOT NULL REFERENCES ledger_accounts (id),
  credit BIGINT NOT NULL REFERENCES ledger_accounts (id),
  amount BIGINT NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  idem TEXT CHECK (length(idem) BETWEEN 1 AND 200),
  hold_id BIGINT,
  order_id BIGINT,
  actor TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  CONSTRAINT two_sides CHECK (debit <> credit),
  -- Each movement has one thing that it happens once for: its hold, or an idempotency key. A top-up has its order as well.
  CONSTRAINT usage_has_hold CHECK ((kind = 'usage') = (hold_id IS NOT NULL)),
  CONSTRAINT others_have_key CHECK ((kind = 'usage') = (idem IS NULL)),
  CONSTRAINT topup_has_order CHECK ((kind = 'topup') = (order_id IS NOT NULL)),
  CONSTRAINT usage_is_revenue CHECK (kind <> 'usage' OR credit = 1),
  CONSTRAINT promo_is_ours CHECK (kind <> 'promo' OR debit = 2)
);
CREATE UNIQUE INDEX transfers_one_per_hold ON transfers (hold_id) WHERE hold_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_one_per_order ON transfers (order_id) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_once ON transfers (idem) WHERE idem IS NOT NULL;
-- What moves an account's money by hand. Its usage is found by its requests: an index by account over every charge would
-- write one page more per request, at random, for a list that nobody reads yet.
CREATE INDEX transfers_by_debit ON transfers (debit, id) WHERE kind <> 'usage';
CREATE INDEX transfers_by_credit ON transfers (credit, id) WHERE kind <> 'usage';

CREATE TABLE topup_order (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  trade_no TEXT NOT NULL UNIQUE,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  rail TEXT NOT NULL CHECK (rail IN ('crypto', 'x402', 'ewallet')),
  amount BIGINT NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  status TEXT NOT NULL CHECK (status IN ('pending', 'settling', 'success', 'failed', 'expired')),
  rev BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE TABLE video_task (
  task_id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  status TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
  rev BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  deadline_at BIGINT NOT NULL
);

CREATE TABLE audit_log (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
);

-- An account comes with its place in the ledger and an empty balance.
CREATE FUNCTION accounts_open() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO ledger_accounts (id, kind, code, account_id) VALUES (NEW.id, 'user', 'user:' || NEW.id, NEW.id);
  INSERT INTO balances (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_open AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_open();

CREATE FUNCTION holds_reserve() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE balances b SET held = b.held + x.amount, version = b.version + 1
    FROM (SELECT account_id, sum(amount)::bigint AS amount FROM added GROUP BY account_id) x WHERE b.account_id = x.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_reserve AFTER INSERT ON holds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holds_reserve();

CREATE FUNCTION receipts_resolve() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE resolved bigint; BEGIN
  UPDATE holds h SET state = r.state FROM added r WHERE h.id = r.hold_id AND h.state = 'held';
  GET DIAGNOSTICS resolved = ROW_COUNT;
  IF resolved <> (SELECT count(*) FROM added) THEN RAISE EXCEPTION 'a receipt resolves an open hold'; END IF;
  INSERT INTO transfers (kind, debit, credit, amount, hold_id, actor, created_at)
    SELECT 'usage', h.account_id, 1, r.cost, h.id, 'gateway', r.resolved_at FROM added r JOIN holds h ON h.id = r.hold_id
    WHERE r.cost > 0 ORDER BY h.id;
  RETURN NULL;
END $$;
CREATE TRIGGER receipts_resolve AFTER INSERT ON receipts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION receipts_resolve();

CREATE FUNCTION holds_give_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE balances b SET held = b.held - x.amount, version = b.version + 1
    FROM (SELECT n.account_id, sum(n.amount)::bigint AS amount FROM after n JOIN before o USING (id)
      WHERE o.state = 'held' AND n.state <> 'held' GROUP BY n.account_id) x
    WHERE b.account_id = x.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_give_back AFTER UPDATE ON holds REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION holds_give_back();

CREATE FUNCTION transfers_post() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE balances b SET posted = b.posted + x.amount, version = b.version + 1
    FROM (SELECT account_id, sum(amount)::bigint AS amount FROM
      (SELECT debit AS account_id, -amount AS amount FROM added UNION ALL SELECT credit, amount FROM added) y GROUP BY account_id) x
    WHERE b.account_id = x.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_post AFTER INSERT ON transfers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION transfers_post();

CREATE FUNCTION holds_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.state <> 'held' OR NEW.id <> OLD.id THEN RAISE EXCEPTION 'holds resolve once and keep their number'; END IF;
  IF (NEW.account_id, NEW.key_id, NEW.request_id, NEW.amount, NEW.model, NEW.stream, NEW.epoch, NEW.created_at)
      IS DISTINCT FROM (OLD.account_id, OLD.key_id, OLD.request_id, OLD.amount, OLD.model, OLD.stream, OLD.epoch, OLD.created_at)
    OR (NEW.price_prompt, NEW.price_cached, NEW.price_completion, NEW.price_version)
      IS DISTINCT FROM (OLD.price_prompt, OLD.price_cached, OLD.price_completion, OLD.price_version)
  THEN RAISE EXCEPTION 'holds keep their terms'; END IF;
  IF NEW.state <> OLD.state AND NOT EXISTS (SELECT 1 FROM receipts WHERE hold_id = OLD.id AND state = NEW.state)
  THEN RAISE EXCEPTION 'holds are resolved by their receipt'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER holds_guard BEFORE UPDATE ON holds FOR EACH ROW EXECUTE FUNCTION holds_guard();

CREATE FUNCTION transfers_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.kind = 'usage' AND NOT EXISTS (
    SELECT 1 FROM receipts r JOIN holds h ON h.id = r.hold_id
    WHERE r.hold_id = NEW.hold_id AND r.state = 'settled' AND r.cost = NEW.amount AND h.state = 'settled' AND h.account_id = NEW.debit)
  THEN RAISE EXCEPTION 'usage must match its settled hold'; END IF;
  IF NEW.kind = 'topup' AND NOT EXISTS (
    SELECT 1 FROM topup_order o
    WHERE o.id = NEW.order_id AND o.status = 'success' AND o.amount = NEW.amount AND o.account_id = NEW.credit)
  THEN RAISE EXCEPTION 'a top-up must match its successful order'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transfers_guard BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION transfers_guard();

CREATE FUNCTION topup_order_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.amount, NEW.account_id, NEW.trade_no, NEW.rail) IS DISTINCT FROM (OLD.id, OLD.amount, OLD.account_id, OLD.trade_no, OLD.rail)
  THEN RAISE EXCEPTION 'order terms are fixed'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_fixed BEFORE UPDATE ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_fixed();

CREATE FUNCTION balances_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' AND (NEW.posted <> 0 OR NEW.held <> 0) THEN RAISE EXCEPTION 'balances start empty'; END IF;
  IF TG_OP = 'UPDATE' AND NEW.account_id <> OLD.account_id THEN RAISE EXCEPTION 'balances keep their owner'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER balances_guard BEFORE INSERT OR UPDATE ON balances FOR EACH ROW EXECUTE FUNCTION balances_guard();

CREATE FUNCTION key_epoch_moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE key_epoch SET epoch = epoch + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_epoch AFTER INSERT OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();
CREATE TRIGGER accounts_epoch AFTER UPDATE OF state ON accounts FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();

CREATE FUNCTION api_keys_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.account_id, NEW.hash, NEW.expires_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.hash, OLD.expires_at)
  THEN RAISE EXCEPTION 'keys keep their owner, secret and expiry'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_guard BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_guard();

CREATE FUNCTION key_epoch_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.epoch <= OLD.epoch THEN RAISE EXCEPTION 'the key epoch moves forward'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER key_epoch_forward BEFORE UPDATE ON key_epoch FOR EACH ROW EXECUTE FUNCTION key_epoch_forward();

CREATE FUNCTION accounts_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.id <> OLD.id THEN RAISE EXCEPTION 'accounts keep their number'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_fixed BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_fixed();

CREATE FUNCTION rows_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% stay', TG_TABLE_NAME; END $$;
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE TRIGGER api_keys_stay BEFORE DELETE OR TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE TRIGGER balances_stay BEFORE DELETE OR TRUNCATE ON balances FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE TRIGGER holds_stay BEFORE DELETE OR TRUNCATE ON holds FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE TRIGGER key_epoch_stay BEFORE DELETE OR TRUNCATE ON key_epoch FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE TRIGGER ledger_accounts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER receipts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON receipts FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION append_only();
