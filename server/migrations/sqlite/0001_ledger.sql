-- The ledger, its accounts and their keys. Times are unix milliseconds, amounts nano-USD, prices pico-USD per unit.
--
-- The database keeps the books by itself. Programs insert; they never compute a balance:
--   a row in `holds`      reserves money (trigger holds_reserve),
--   a row in `receipts`   resolves its hold, once, and posts the charge (triggers receipts_charge, receipts_free),
--   a row in `transfers`  moves money from one account to another (trigger transfers_post).
-- So a hold cannot be resolved without its receipt, a charge cannot exist without its settled hold, and a balance
-- cannot fall below what is held, whoever writes. In which state a row starts and how it may move is written by the
-- generator, in machines.sql. Connections set foreign_keys and recursive_triggers.

CREATE TABLE accounts (
  -- Random in 53 bits: not countable from outside, exact as a JSON number. Below 2^32 lie the ledger's own accounts.
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 4294967296 AND 9007199254740991),
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'frozen')),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE ledger_accounts (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('user', 'clearing', 'revenue', 'promo', 'writeoff', 'suspense')),
  code TEXT NOT NULL UNIQUE,
  account_id INTEGER REFERENCES accounts (id),
  CONSTRAINT user_has_account CHECK ((kind = 'user') = (account_id IS NOT NULL)),
  CONSTRAINT one_number CHECK (account_id IS NULL OR account_id = id)
) STRICT;

INSERT INTO ledger_accounts (id, kind, code) VALUES
  (1, 'revenue', 'revenue'), (2, 'promo', 'promo'), (3, 'writeoff', 'writeoff'), (4, 'suspense', 'suspense'),
  (5, 'clearing', 'clearing:crypto'), (6, 'clearing', 'clearing:x402'), (7, 'clearing', 'clearing:ewallet');

-- Only users have a balance row. The ledger's own accounts are sums, so that no row is hot and nothing waits for it.
CREATE TABLE balances (
  account_id INTEGER PRIMARY KEY REFERENCES ledger_accounts (id),
  posted INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT held_not_negative CHECK (held >= 0),
  CONSTRAINT available_not_negative CHECK (posted >= held),
  CONSTRAINT posted_in_range CHECK (posted <= 1000000000000000000)
) STRICT;

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
  CONSTRAINT expires_later CHECK (expires_at > created_at)
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- One number that moves whenever a key or the state of an account does: whoever caches keys watches it.
CREATE TABLE key_epoch (one INTEGER PRIMARY KEY CHECK (one = 1), epoch INTEGER NOT NULL) STRICT;
INSERT INTO key_epoch (one, epoch) VALUES (1, 0);

-- One row for each start of a server. A hold belongs to the start that took it.
CREATE TABLE nodes (
  epoch INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('up', 'gone'))
) STRICT;

CREATE TABLE holds (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  account_id INTEGER NOT NULL REFERENCES balances (account_id),
  key_id INTEGER NOT NULL,
  -- Request ids start with the time, so that this index grows at its end.
  request_id TEXT NOT NULL UNIQUE,
  -- Zero for a model that is free: it is held and receipted like any other.
  amount INTEGER NOT NULL CHECK (amount >= 0),
  state TEXT NOT NULL CHECK (state IN ('held', 'settled', 'released')),
  model TEXT NOT NULL,
  stream INTEGER NOT NULL CHECK (stream IN (0, 1)),
  price_prompt INTEGER NOT NULL CHECK (price_prompt >= 0),
  price_cached INTEGER NOT NULL CHECK (price_cached >= 0),
  price_completion INTEGER NOT NULL CHECK (price_completion >= 0),
  price_version TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  CONSTRAINT hold_expires_later CHECK (expires_at > created_at)
) STRICT;
CREATE INDEX holds_open ON holds (expires_at) WHERE state = 'held';

CREATE TABLE receipts (
  hold_id INTEGER PRIMARY KEY REFERENCES holds (id),
  state TEXT NOT NULL CHECK (state IN ('settled', 'released')),
  cost INTEGER NOT NULL CHECK (cost >= 0),
  shortfall INTEGER NOT NULL CHECK (shortfall >= 0),
  rule TEXT NOT NULL CHECK (rule <> ''),
  prompt INTEGER CHECK (prompt >= 0),
  cached INTEGER CHECK (cached BETWEEN 0 AND prompt),
  completion INTEGER CHECK (completion >= 0),
  reasoning INTEGER CHECK (reasoning BETWEEN 0 AND completion),
  estimated INTEGER CHECK (estimated IN (0, 1)),
  upstream TEXT,
  upstream_model TEXT,
  first_byte_ms INTEGER CHECK (first_byte_ms >= 0),
  duration_ms INTEGER CHECK (duration_ms >= 0),
  resolved_at INTEGER NOT NULL,
  CONSTRAINT released_is_free CHECK (state = 'settled' OR (cost = 0 AND shortfall = 0)),
  CONSTRAINT settled_has_usage CHECK ((state = 'settled') = (prompt IS NOT NULL)),
  CONSTRAINT usage_is_whole CHECK ((prompt IS NULL) = (cached IS NULL) AND (prompt IS NULL) = (completion IS NULL)
    AND (prompt IS NULL) = (reasoning IS NULL) AND (prompt IS NULL) = (estimated IS NULL))
) STRICT;

CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('topup', 'usage', 'promo', 'adjust', 'refund', 'suspense')),
  debit INTEGER NOT NULL REFERENCES ledger_accounts (id),
  credit INTEGER NOT NULL REFERENCES ledger_accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  idem TEXT CHECK (length(idem) BETWEEN 1 AND 200),
  hold_id INTEGER,
  order_id INTEGER,
  actor TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  CONSTRAINT two_sides CHECK (debit <> credit),
  -- Each movement has one thing that it happens once for: its hold, or an idempotency key. A top-up has its order as well.
  CONSTRAINT usage_has_hold CHECK ((kind = 'usage') = (hold_id IS NOT NULL)),
  CONSTRAINT others_have_key CHECK ((kind = 'usage') = (idem IS NULL)),
  CONSTRAINT topup_has_order CHECK ((kind = 'topup') = (order_id IS NOT NULL)),
  CONSTRAINT usage_is_revenue CHECK (kind <> 'usage' OR credit = 1),
  CONSTRAINT promo_is_ours CHECK (kind <> 'promo' OR debit = 2)
) STRICT;
CREATE UNIQUE INDEX transfers_one_per_hold ON transfers (hold_id) WHERE hold_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_one_per_order ON transfers (order_id) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_once ON transfers (idem) WHERE idem IS NOT NULL;
-- What moves an account's money by hand. Its usage is found by its requests: an index by account over every charge would
-- write one page more per request, at random, for a list that nobody reads yet.
CREATE INDEX transfers_by_debit ON transfers (debit, id) WHERE kind <> 'usage';
CREATE INDEX transfers_by_credit ON transfers (credit, id) WHERE kind <> 'usage';

CREATE TABLE topup_order (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  trade_no TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  rail TEXT NOT NULL CHECK (rail IN ('crypto', 'x402', 'ewallet')),
  amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  status TEXT NOT NULL CHECK (status IN ('pending', 'settling', 'success', 'failed', 'expired')),
  rev INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE video_task (
  task_id TEXT NOT NULL PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  status TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
  rev INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  deadline_at INTEGER NOT NULL
) STRICT;

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

-- An account comes with its place in the ledger and an empty balance.
CREATE TRIGGER accounts_open AFTER INSERT ON accounts BEGIN
  INSERT INTO ledger_accounts (id, kind, code, account_id) VALUES (NEW.id, 'user', 'user:' || NEW.id, NEW.id);
  INSERT INTO balances (account_id) VALUES (NEW.id);
END;

CREATE TRIGGER holds_reserve AFTER INSERT ON holds BEGIN
  UPDATE balances SET held = held + NEW.amount, version = version + 1 WHERE account_id = NEW.account_id;
END;
-- Two triggers, one for each case: a conditional INSERT .. SELECT would open a temporary table for each row.
CREATE TRIGGER receipts_charge AFTER INSERT ON receipts WHEN NEW.cost > 0 BEGIN
  UPDATE holds SET state = NEW.state WHERE id = NEW.hold_id AND state = 'held';
  SELECT RAISE(ABORT, 'a receipt resolves an open hold') WHERE changes() <> 1;
  INSERT INTO transfers (kind, debit, credit, amount, hold_id, actor, created_at)
    VALUES ('usage', (SELECT account_id FROM holds WHERE id = NEW.hold_id), 1, NEW.cost, NEW.hold_id, 'gateway', NEW.resolved_at);
END;
CREATE TRIGGER receipts_free AFTER INSERT ON receipts WHEN NEW.cost = 0 BEGIN
  UPDATE holds SET state = NEW.state WHERE id = NEW.hold_id AND state = 'held';
  SELECT RAISE(ABORT, 'a receipt resolves an open hold') WHERE changes() <> 1;
END;
CREATE TRIGGER holds_give_back AFTER UPDATE OF state ON holds WHEN OLD.state = 'held' AND NEW.state <> 'held' BEGIN
  UPDATE balances SET held = held - NEW.amount, version = version + 1 WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER transfers_post AFTER INSERT ON transfers BEGIN
  UPDATE balances SET posted = posted - NEW.amount, version = version + 1 WHERE account_id = NEW.debit;
  UPDATE balances SET posted = posted + NEW.amount, version = version + 1 WHERE account_id = NEW.credit;
END;

CREATE TRIGGER holds_by_receipt BEFORE UPDATE OF state ON holds
  WHEN NEW.state <> OLD.state AND NOT EXISTS (SELECT 1 FROM receipts WHERE hold_id = OLD.id AND state = NEW.state)
  BEGIN SELECT RAISE(ABORT, 'holds are resolved by their receipt'); END;
-- Not `UPDATE OF id`: the same column may be named rowid.
CREATE TRIGGER holds_once BEFORE UPDATE ON holds WHEN OLD.state <> 'held' OR NEW.id <> OLD.id
  BEGIN SELECT RAISE(ABORT, 'holds resolve once and keep their number'); END;
CREATE TRIGGER holds_fixed BEFORE UPDATE OF account_id, key_id, request_id, amount, model, stream, price_prompt, price_cached,
  price_completion, price_version, epoch, created_at ON holds
  BEGIN SELECT RAISE(ABORT, 'holds keep their terms'); END;
CREATE TRIGGER holds_stay BEFORE DELETE ON holds BEGIN SELECT RAISE(ABORT, 'holds stay'); END;

CREATE TRIGGER usage_matches_receipt BEFORE INSERT ON transfers WHEN NEW.kind = 'usage' AND NOT EXISTS (
    SELECT 1 FROM receipts r JOIN holds h ON h.id = r.hold_id
    WHERE r.hold_id = NEW.hold_id AND r.state = 'settled' AND r.cost = NEW.amount AND h.state = 'settled' AND h.account_id = NEW.debit)
  BEGIN SELECT RAISE(ABORT, 'usage must match its settled hold'); END;
CREATE TRIGGER topup_matches_order BEFORE INSERT ON transfers WHEN NEW.kind = 'topup' AND NOT EXISTS (
    SELECT 1 FROM topup_order o
    WHERE o.id = NEW.order_id AND o.status = 'success' AND o.amount = NEW.amount AND o.account_id = NEW.credit)
  BEGIN SELECT RAISE(ABORT, 'a top-up must match its successful order'); END;
CREATE TRIGGER topup_order_fixed BEFORE UPDATE ON topup_order
  WHEN NEW.id <> OLD.id OR NEW.amount <> OLD.amount OR NEW.account_id <> OLD.account_id OR NEW.trade_no <> OLD.trade_no OR NEW.rail <> OLD.rail
  BEGIN SELECT RAISE(ABORT, 'order terms are fixed'); END;

CREATE TRIGGER balances_born_empty BEFORE INSERT ON balances WHEN NEW.posted <> 0 OR NEW.held <> 0
  BEGIN SELECT RAISE(ABORT, 'balances start empty'); END;
CREATE TRIGGER balances_keep_owner BEFORE UPDATE ON balances WHEN NEW.account_id <> OLD.account_id
  BEGIN SELECT RAISE(ABORT, 'balances keep their owner'); END;
CREATE TRIGGER balances_stay BEFORE DELETE ON balances BEGIN SELECT RAISE(ABORT, 'balances stay'); END;

CREATE TRIGGER api_keys_epoch_insert AFTER INSERT ON api_keys BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
CREATE TRIGGER api_keys_epoch_update AFTER UPDATE ON api_keys BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
CREATE TRIGGER accounts_epoch AFTER UPDATE OF state ON accounts BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
CREATE TRIGGER api_keys_fixed BEFORE UPDATE ON api_keys
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.hash <> OLD.hash OR NEW.expires_at IS NOT OLD.expires_at
  BEGIN SELECT RAISE(ABORT, 'keys keep their owner, secret and expiry'); END;
CREATE TRIGGER api_keys_stay BEFORE DELETE ON api_keys BEGIN SELECT RAISE(ABORT, 'keys stay'); END;
CREATE TRIGGER key_epoch_forward BEFORE UPDATE ON key_epoch WHEN NEW.epoch <= OLD.epoch BEGIN SELECT RAISE(ABORT, 'the key epoch moves forward'); END;
CREATE TRIGGER key_epoch_stays BEFORE DELETE ON key_epoch BEGIN SELECT RAISE(ABORT, 'the key epoch stays'); END;

CREATE TRIGGER accounts_fixed BEFORE UPDATE ON accounts WHEN NEW.id <> OLD.id BEGIN SELECT RAISE(ABORT, 'accounts keep their number'); END;
CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts BEGIN SELECT RAISE(ABORT, 'accounts stay'); END;
CREATE TRIGGER ledger_accounts_no_update BEFORE UPDATE ON ledger_accounts BEGIN SELECT RAISE(ABORT, 'ledger_accounts is append-only'); END;
CREATE TRIGGER ledger_accounts_no_delete BEFORE DELETE ON ledger_accounts BEGIN SELECT RAISE(ABORT, 'ledger_accounts is append-only'); END;
CREATE TRIGGER receipts_no_update BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;
CREATE TRIGGER receipts_no_delete BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END;
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END;
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
