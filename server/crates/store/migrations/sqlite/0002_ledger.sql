-- The ledger: what each account has and holds, and everything that moved it. Amounts are in nano-USD, times in milliseconds since
-- 1970 in UTC, where nothing else is said.

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
  (5, 'clearing', 'clearing:crypto'), (6, 'clearing', 'clearing:x402'), (7, 'clearing', 'clearing:ewallet'),
  (8, 'suspense', 'debts');
CREATE TRIGGER ledger_accounts_no_update BEFORE UPDATE ON ledger_accounts BEGIN SELECT RAISE(ABORT, 'ledger_accounts is append-only'); END;
CREATE TRIGGER ledger_accounts_no_delete BEFORE DELETE ON ledger_accounts BEGIN SELECT RAISE(ABORT, 'ledger_accounts is append-only'); END;

CREATE TABLE balances (
  account_id INTEGER PRIMARY KEY REFERENCES ledger_accounts (id),
  posted INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT held_not_negative CHECK (held >= 0),
  CONSTRAINT available_not_negative CHECK (posted >= held),
  CONSTRAINT posted_in_range CHECK (posted <= 1000000000000000000)
) STRICT;
CREATE TRIGGER balances_born_empty BEFORE INSERT ON balances WHEN NEW.posted <> 0 OR NEW.held <> 0
  BEGIN SELECT RAISE(ABORT, 'balances start empty'); END;
CREATE TRIGGER balances_keep_owner BEFORE UPDATE ON balances WHEN NEW.account_id <> OLD.account_id
  BEGIN SELECT RAISE(ABORT, 'balances keep their owner'); END;
CREATE TRIGGER balances_stay BEFORE DELETE ON balances BEGIN SELECT RAISE(ABORT, 'balances stay'); END;

CREATE TABLE nodes (
  epoch INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('up', 'gone')),
  released_at INTEGER CONSTRAINT released_when_gone CHECK (released_at IS NULL OR state = 'gone')
) STRICT;
CREATE INDEX nodes_unreleased ON nodes (epoch) WHERE state = 'gone' AND released_at IS NULL;
CREATE TRIGGER nodes_released BEFORE UPDATE OF released_at ON nodes WHEN NEW.released_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'a start is done with once') WHERE OLD.released_at IS NOT NULL;
  SELECT RAISE(ABORT, 'a start is done with when nothing of it is held')
    WHERE EXISTS (SELECT 1 FROM holds WHERE kept = 0 AND epoch = NEW.epoch);
END;

-- What a unit of each kind costs, in pico-USD: a row for each price list of a model that anything was held by. Its number is made of
-- what it says, so that whoever writes it knows the number without asking.
CREATE TABLE prices (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  -- Of the price list.
  version TEXT NOT NULL,
  prompt INTEGER NOT NULL CHECK (prompt >= 0),
  cached INTEGER NOT NULL CHECK (cached >= 0),
  cache_write INTEGER NOT NULL CHECK (cache_write >= 0),
  cache_write_long INTEGER NOT NULL CHECK (cache_write_long >= 0),
  completion INTEGER NOT NULL CHECK (completion >= 0),
  audio_prompt INTEGER NOT NULL CHECK (audio_prompt >= 0),
  image_prompt INTEGER NOT NULL CHECK (image_prompt >= 0),
  audio_completion INTEGER NOT NULL CHECK (audio_completion >= 0),
  image_completion INTEGER NOT NULL CHECK (image_completion >= 0),
  -- A request that is charged for, once.
  request INTEGER NOT NULL CHECK (request >= 0),
  reasoning INTEGER NOT NULL CHECK (reasoning >= 0)
) STRICT;
CREATE TRIGGER prices_no_update BEFORE UPDATE ON prices BEGIN SELECT RAISE(ABORT, 'prices is append-only'); END;
CREATE TRIGGER prices_no_delete BEFORE DELETE ON prices BEGIN SELECT RAISE(ABORT, 'prices is append-only'); END;

-- Credit that is set aside for requests under way, and nothing else: a hold goes when its receipt comes, which has its terms from
-- then on.
CREATE TABLE holds (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  account_id INTEGER NOT NULL REFERENCES balances (account_id),
  key_id INTEGER NOT NULL,
  -- Request ids start with the time, so that this index grows at its end.
  request_id TEXT NOT NULL UNIQUE,
  -- Zero for a model that is free: it is held and receipted like any other.
  amount INTEGER NOT NULL CHECK (amount >= 0),
  model TEXT NOT NULL,
  stream INTEGER NOT NULL CHECK (stream IN (0, 1)),
  price_id INTEGER NOT NULL REFERENCES prices (id),
  -- What the account pays of the prices.
  ratio_ppm INTEGER NOT NULL CHECK (ratio_ppm > 0),
  -- The start of a server that took it.
  epoch INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- 1: for something that outlives the server, and ends with it alone.
  kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)),
  -- 1: it counts against the limits of its key, and against these budgets by their beginning; absent where the key had none.
  counted INTEGER NOT NULL DEFAULT 0 CHECK (counted IN (0, 1)),
  day_at INTEGER,
  month_at INTEGER,
  life_at INTEGER CHECK (life_at = 0),
  -- Tokens that were taken off the minute's allowance.
  tokens INTEGER NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  -- Whether it counts as a request under way.
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight IN (0, 1)),
  CONSTRAINT hold_expires_later CHECK (expires_at > created_at),
  CONSTRAINT counts_when_counted CHECK (
    counted = 1 OR (coalesce(day_at, month_at, life_at) IS NULL AND tokens = 0 AND in_flight = 0))
) STRICT;
CREATE INDEX holds_by_account ON holds (account_id, created_at);
CREATE INDEX holds_by_expiry ON holds (expires_at);
CREATE TRIGGER holds_once BEFORE INSERT ON holds
  WHEN EXISTS (SELECT 1 FROM receipts WHERE hold_id = NEW.id OR request_id = NEW.request_id)
  BEGIN SELECT RAISE(ABORT, 'holds.request_id: what has its receipt is not held again'); END;
CREATE TRIGGER holds_by_live_key BEFORE INSERT ON holds WHEN EXISTS (
    SELECT 1 FROM api_keys WHERE id = NEW.key_id AND (state <> 'active' OR account_id <> NEW.account_id OR (NEW.counted = 0
      AND coalesce(budget_day, budget_month, budget_life, requests_per_minute, tokens_per_minute, in_flight_max) IS NOT NULL)))
  BEGIN SELECT RAISE(ABORT, 'a hold is by a live key of its account and counts against the limits of that'); END;
CREATE TRIGGER holds_reserve AFTER INSERT ON holds BEGIN
  SELECT RAISE(ABORT, 'available_not_negative: a hold reserves what is there')
    FROM balances WHERE account_id = NEW.account_id AND posted - held < NEW.amount;
  UPDATE balances SET held = held + NEW.amount, version = version + 1 WHERE account_id = NEW.account_id;
  SELECT RAISE(ABORT, 'a hold is reserved') WHERE changes() <> 1;
END;
CREATE TRIGGER holds_count AFTER INSERT ON holds WHEN NEW.counted = 1 BEGIN
  SELECT RAISE(ABORT, 'limits are those of a key') WHERE NOT EXISTS (SELECT 1 FROM api_keys WHERE id = NEW.key_id);
  SELECT RAISE(ABORT, 'a hold counts against each budget of its key') FROM api_keys
    WHERE id = NEW.key_id AND ((budget_day IS NOT NULL) <> (NEW.day_at IS NOT NULL)
      OR (budget_month IS NOT NULL) <> (NEW.month_at IS NOT NULL) OR (budget_life IS NOT NULL) <> (NEW.life_at IS NOT NULL));
  INSERT INTO spend_windows (key_id, period, starts_at, budget, cap)
    SELECT k.id, p.period, p.starts_at, p.budget, p.budget FROM api_keys k
      JOIN (SELECT 'day' AS period, NEW.day_at AS starts_at, (SELECT budget_day FROM api_keys WHERE id = NEW.key_id) AS budget
        UNION ALL SELECT 'month', NEW.month_at, (SELECT budget_month FROM api_keys WHERE id = NEW.key_id)
        UNION ALL SELECT 'life', NEW.life_at, (SELECT budget_life FROM api_keys WHERE id = NEW.key_id)) p
      WHERE k.id = NEW.key_id AND p.starts_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM spend_windows w WHERE w.key_id = k.id AND w.period = p.period AND w.starts_at = p.starts_at);
  -- Each by its whole key: a key may have had a thousand days.
  SELECT RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') FROM spend_windows
    WHERE key_id = NEW.key_id AND period = 'day' AND starts_at = NEW.day_at AND spent + held + NEW.amount > cap;
  UPDATE spend_windows SET held = held + NEW.amount WHERE key_id = NEW.key_id AND period = 'day' AND starts_at = NEW.day_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.day_at IS NOT NULL);
  SELECT RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') FROM spend_windows
    WHERE key_id = NEW.key_id AND period = 'month' AND starts_at = NEW.month_at AND spent + held + NEW.amount > cap;
  UPDATE spend_windows SET held = held + NEW.amount WHERE key_id = NEW.key_id AND period = 'month' AND starts_at = NEW.month_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.month_at IS NOT NULL);
  SELECT RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') FROM spend_windows
    WHERE key_id = NEW.key_id AND period = 'life' AND starts_at = NEW.life_at AND spent + held + NEW.amount > cap;
  UPDATE spend_windows SET held = held + NEW.amount WHERE key_id = NEW.key_id AND period = 'life' AND starts_at = NEW.life_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.life_at IS NOT NULL);
  SELECT RAISE(ABORT, 'too many requests of the key are under way') FROM api_keys k JOIN key_rates r ON r.key_id = k.id
    WHERE k.id = NEW.key_id AND NEW.in_flight = 1 AND r.in_flight >= k.in_flight_max;
  INSERT INTO key_rates (key_id, in_flight) VALUES (NEW.key_id, NEW.in_flight)
    ON CONFLICT (key_id) DO UPDATE SET in_flight = in_flight + excluded.in_flight;
END;
CREATE TRIGGER holds_fixed BEFORE UPDATE ON holds BEGIN SELECT RAISE(ABORT, 'holds keep their terms and keep their number'); END;
CREATE TRIGGER holds_by_receipt BEFORE DELETE ON holds
  WHEN NOT EXISTS (SELECT 1 FROM receipts WHERE hold_id = OLD.id AND request_id = OLD.request_id)
  BEGIN SELECT RAISE(ABORT, 'holds stay until they are resolved by their receipt'); END;

-- What became of each hold, with its terms. A receipt is also the entry in the books of what it charges: from its account to revenue.
CREATE TABLE receipts (
  -- In the order in which they were written.
  id INTEGER PRIMARY KEY,
  hold_id INTEGER NOT NULL UNIQUE,
  account_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  request_id TEXT NOT NULL UNIQUE,
  -- The amount of the hold.
  held INTEGER NOT NULL,
  model TEXT NOT NULL,
  stream INTEGER NOT NULL,
  price_id INTEGER NOT NULL,
  ratio_ppm INTEGER NOT NULL,
  -- When the hold was taken, and when it would have expired.
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- The budgets that it counted against.
  day_at INTEGER,
  month_at INTEGER,
  life_at INTEGER,
  state TEXT NOT NULL CHECK (state IN ('settled', 'released')),
  cost INTEGER NOT NULL CHECK (cost BETWEEN 0 AND 1000000000000000000),
  shortfall INTEGER NOT NULL CHECK (shortfall >= 0),
  rule TEXT NOT NULL CHECK (rule <> ''),
  prompt INTEGER CHECK (prompt >= 0),
  cached INTEGER CHECK (cached BETWEEN 0 AND prompt),
  cache_write INTEGER NOT NULL DEFAULT 0 CHECK (cache_write >= 0),
  cache_write_long INTEGER NOT NULL DEFAULT 0 CHECK (cache_write_long >= 0),
  completion INTEGER CHECK (completion >= 0),
  reasoning INTEGER CHECK (reasoning BETWEEN 0 AND completion),
  audio_prompt INTEGER NOT NULL DEFAULT 0 CHECK (audio_prompt >= 0),
  image_prompt INTEGER NOT NULL DEFAULT 0 CHECK (image_prompt >= 0),
  audio_completion INTEGER NOT NULL DEFAULT 0 CHECK (audio_completion >= 0),
  image_completion INTEGER NOT NULL DEFAULT 0 CHECK (image_completion >= 0),
  estimated INTEGER CHECK (estimated IN (0, 1)),
  upstream TEXT,
  upstream_model TEXT,
  first_byte_ms INTEGER CHECK (first_byte_ms >= 0),
  duration_ms INTEGER CHECK (duration_ms >= 0),
  -- Another model that answered, a tier of the prompt's length, a class of service: the last one that is there has the prices.
  fallback TEXT CHECK (fallback <> ''),
  fallback_price_id INTEGER REFERENCES prices (id),
  -- Of tokens; the prompt was longer.
  tier_above INTEGER CHECK (tier_above >= 0),
  tier_price_id INTEGER REFERENCES prices (id),
  -- As the answer told it, or the request where the answer did not: `service_tier: flex`.
  class TEXT CHECK (length(class) BETWEEN 1 AND 200),
  class_price_id INTEGER REFERENCES prices (id),
  -- The uses of tools that are charged, as JSON: a list of name, uses and the price of one, in pico-USD before the ratio.
  tools TEXT CHECK (tools IS NULL OR (json_valid(tools) AND json_type(tools) = 'array')),
  resolved_at INTEGER NOT NULL,
  CONSTRAINT released_is_free CHECK (state = 'settled' OR (cost = 0 AND shortfall = 0)),
  CONSTRAINT settled_has_usage CHECK ((state = 'settled') = (prompt IS NOT NULL)),
  CONSTRAINT usage_is_whole CHECK ((prompt IS NULL) = (cached IS NULL) AND (prompt IS NULL) = (completion IS NULL)
    AND (prompt IS NULL) = (reasoning IS NULL) AND (prompt IS NULL) = (estimated IS NULL)),
  CONSTRAINT writes_are_prompt CHECK (cache_write + cache_write_long <= coalesce(prompt - cached, 0)),
  CONSTRAINT media_are_prompt CHECK (
    audio_prompt + image_prompt <= coalesce(prompt - cached - cache_write - cache_write_long, 0)),
  CONSTRAINT media_are_completion CHECK (audio_completion + image_completion <= coalesce(completion, 0)),
  CONSTRAINT fallback_is_priced CHECK ((fallback IS NULL) = (fallback_price_id IS NULL)),
  CONSTRAINT tier_is_priced CHECK ((tier_above IS NULL) = (tier_price_id IS NULL)),
  CONSTRAINT tier_is_for_longer CHECK (tier_above < coalesce(prompt, 0)),
  CONSTRAINT class_is_priced CHECK ((class IS NULL) = (class_price_id IS NULL))
) STRICT;
CREATE INDEX receipts_by_account ON receipts (account_id, created_at, hold_id);
CREATE TRIGGER receipts_resolve AFTER INSERT ON receipts BEGIN
  SELECT RAISE(ABORT, 'a receipt resolves an open hold, by its terms') WHERE NOT EXISTS (
    SELECT 1 FROM holds WHERE id = NEW.hold_id AND account_id = NEW.account_id AND key_id = NEW.key_id
      AND request_id = NEW.request_id AND amount = NEW.held AND model = NEW.model AND stream = NEW.stream
      AND price_id = NEW.price_id AND ratio_ppm = NEW.ratio_ppm AND created_at = NEW.created_at AND expires_at = NEW.expires_at
      AND day_at IS NEW.day_at AND month_at IS NEW.month_at AND life_at IS NEW.life_at);
  SELECT RAISE(ABORT, 'a kept hold ends with what it is kept for') FROM holds
    WHERE id = NEW.hold_id AND kept = 1 AND NOT EXISTS (SELECT 1 FROM video_task WHERE hold_id = NEW.hold_id
      AND receipt_id = NEW.hold_id AND status = CASE NEW.state WHEN 'settled' THEN 'completed' ELSE 'failed' END);
  SELECT RAISE(ABORT, 'held_not_negative: a hold gives back what it reserved')
    FROM balances WHERE account_id = NEW.account_id AND held < NEW.held;
  SELECT RAISE(ABORT, 'available_not_negative: a charge takes what is there')
    FROM balances WHERE account_id = NEW.account_id AND posted - held + NEW.held < NEW.cost;
  UPDATE balances SET held = held - NEW.held, posted = posted - NEW.cost, version = version + 1 WHERE account_id = NEW.account_id;
  SELECT RAISE(ABORT, 'a hold is given back and charged') WHERE changes() <> 1;
  UPDATE key_rates SET in_flight = in_flight - 1
    WHERE key_id = NEW.key_id AND EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND in_flight = 1);
  SELECT RAISE(ABORT, 'a request is under way no more') WHERE changes() <> (SELECT in_flight FROM holds WHERE id = NEW.hold_id);
  DELETE FROM holds WHERE id = NEW.hold_id;
  SELECT RAISE(ABORT, 'a receipt resolves an open hold') WHERE changes() <> 1;
END;
CREATE TRIGGER receipts_spend AFTER INSERT ON receipts WHEN coalesce(NEW.day_at, NEW.month_at, NEW.life_at) IS NOT NULL BEGIN
  UPDATE spend_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE key_id = NEW.key_id AND period = 'day' AND starts_at = NEW.day_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> (NEW.day_at IS NOT NULL);
  UPDATE spend_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE key_id = NEW.key_id AND period = 'month' AND starts_at = NEW.month_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> (NEW.month_at IS NOT NULL);
  UPDATE spend_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE key_id = NEW.key_id AND period = 'life' AND starts_at = NEW.life_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> (NEW.life_at IS NOT NULL);
END;
CREATE TRIGGER receipts_usage AFTER INSERT ON receipts BEGIN
  INSERT INTO usage_days VALUES (NEW.account_id, NEW.created_at / 86400000, NEW.key_id, NEW.model, 1, NEW.state = 'released',
      NEW.cost, NEW.shortfall, coalesce(NEW.prompt, 0), coalesce(NEW.cached, 0), NEW.cache_write, NEW.cache_write_long,
      coalesce(NEW.completion, 0), coalesce(NEW.reasoning, 0), NEW.audio_prompt, NEW.image_prompt, NEW.audio_completion,
      NEW.image_completion)
  ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET requests = requests + excluded.requests,
    released = released + excluded.released, charged = charged + excluded.charged, shortfall = shortfall + excluded.shortfall,
    prompt = prompt + excluded.prompt, cached = cached + excluded.cached, cache_write = cache_write + excluded.cache_write,
    cache_write_long = cache_write_long + excluded.cache_write_long, completion = completion + excluded.completion,
    reasoning = reasoning + excluded.reasoning, audio_prompt = audio_prompt + excluded.audio_prompt,
    image_prompt = image_prompt + excluded.image_prompt, audio_completion = audio_completion + excluded.audio_completion,
    image_completion = image_completion + excluded.image_completion;
END;
CREATE TRIGGER receipts_no_update BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;
CREATE TRIGGER receipts_no_delete BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;

-- Months whose receipts were put into a file and taken away, which a file of SQLite has none of.
CREATE TABLE archived_months (
  -- The first millisecond of the month, in UTC, and that of the next.
  starts_at INTEGER PRIMARY KEY,
  ends_at INTEGER NOT NULL,
  receipts INTEGER NOT NULL CHECK (receipts >= 0),
  -- The greatest number of its receipts.
  receipts_upto INTEGER NOT NULL,
  -- Of what the file holds, before it is compressed.
  sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
  archived_at INTEGER NOT NULL,
  CONSTRAINT month_is_one CHECK (ends_at - starts_at BETWEEN 2419200000 AND 2678400000),
  CONSTRAINT month_is_over CHECK (archived_at >= ends_at)
) STRICT;
CREATE TRIGGER archived_months_no_update BEFORE UPDATE ON archived_months BEGIN SELECT RAISE(ABORT, 'archived_months is append-only'); END;
CREATE TRIGGER archived_months_no_delete BEFORE DELETE ON archived_months BEGIN SELECT RAISE(ABORT, 'archived_months is append-only'); END;

-- What the receipts of such a month came to, of each key: carried forward in the books.
CREATE TABLE carried (
  starts_at INTEGER NOT NULL REFERENCES archived_months (starts_at),
  account_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  receipts INTEGER NOT NULL CHECK (receipts > 0),
  settled INTEGER NOT NULL CHECK (settled BETWEEN 0 AND receipts),
  cost INTEGER NOT NULL CHECK (cost >= 0),
  shortfall INTEGER NOT NULL CHECK (shortfall >= 0),
  -- What of the cost counted against the key's budget for life.
  life_cost INTEGER NOT NULL CHECK (life_cost BETWEEN 0 AND cost),
  PRIMARY KEY (starts_at, account_id, key_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER carried_no_update BEFORE UPDATE ON carried BEGIN SELECT RAISE(ABORT, 'carried is append-only'); END;
CREATE TRIGGER carried_no_delete BEFORE DELETE ON carried BEGIN SELECT RAISE(ABORT, 'carried is append-only'); END;

-- What moves money but receipts.
CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('topup', 'promo', 'adjust', 'refund', 'suspense')),
  debit INTEGER NOT NULL REFERENCES ledger_accounts (id),
  credit INTEGER NOT NULL REFERENCES ledger_accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  -- What it happens once for.
  idem TEXT NOT NULL CHECK (length(idem) BETWEEN 1 AND 200),
  order_id INTEGER,
  actor TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  CONSTRAINT two_sides CHECK (debit <> credit),
  CONSTRAINT topup_has_order CHECK ((kind = 'topup') = (order_id IS NOT NULL)),
  CONSTRAINT promo_is_ours CHECK (kind <> 'promo' OR debit = 2)
) STRICT;
CREATE UNIQUE INDEX transfers_one_per_order ON transfers (order_id) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_once ON transfers (idem);
CREATE INDEX transfers_by_debit ON transfers (debit, id);
CREATE INDEX transfers_by_credit ON transfers (credit, id);
CREATE TRIGGER topup_matches_order BEFORE INSERT ON transfers WHEN NEW.kind = 'topup' AND NOT EXISTS (
    SELECT 1 FROM topup_order o
    WHERE o.id = NEW.order_id AND o.status = 'success' AND o.amount = NEW.amount AND o.account_id = NEW.credit)
  BEGIN SELECT RAISE(ABORT, 'a top-up must match its successful order'); END;
CREATE TRIGGER transfers_post AFTER INSERT ON transfers BEGIN
  SELECT RAISE(ABORT, 'available_not_negative: a transfer takes what is there')
    FROM balances WHERE account_id = NEW.debit AND posted - held < NEW.amount;
  SELECT RAISE(ABORT, 'posted_in_range: a transfer gives what an account may have')
    FROM balances WHERE account_id = NEW.credit AND posted > 1000000000000000000 - NEW.amount;
  UPDATE balances SET posted = posted - NEW.amount, version = version + 1 WHERE account_id = NEW.debit;
  UPDATE balances SET posted = posted + NEW.amount, version = version + 1 WHERE account_id = NEW.credit;
  INSERT INTO debt_payments (reversal_id, credit_id, amount, created_at)
    SELECT id, NEW.id, min(owed, NEW.amount - before), NEW.created_at FROM (
      SELECT id, debt - collected AS owed, sum(debt - collected) OVER (ORDER BY id) - (debt - collected) AS before
      FROM reversals WHERE account_id = NEW.credit AND collected < debt)
    WHERE before < NEW.amount ORDER BY id;
  SELECT RAISE(ABORT, 'a credit pays the debts of its account')
    WHERE EXISTS (SELECT 1 FROM reversals WHERE account_id = NEW.credit AND collected < debt)
      AND NEW.amount > coalesce((SELECT sum(amount) FROM debt_payments WHERE credit_id = NEW.id), 0);
END;
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END;
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers is append-only'); END;

-- By day first: what is written is today's, and lies together however many days and accounts there are.
CREATE TABLE usage_days (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  released INTEGER NOT NULL,
  charged INTEGER NOT NULL,
  shortfall INTEGER NOT NULL,
  prompt INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cache_write_long INTEGER NOT NULL,
  completion INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  audio_prompt INTEGER NOT NULL,
  image_prompt INTEGER NOT NULL,
  audio_completion INTEGER NOT NULL,
  image_completion INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, key_id, model)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER usage_days_stay BEFORE DELETE ON usage_days BEGIN SELECT RAISE(ABORT, 'usage_days stay'); END;

CREATE TABLE spend_windows (
  key_id INTEGER NOT NULL REFERENCES api_keys (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'month', 'life')),
  -- The beginning of the day or month in UTC; 0 for the life.
  starts_at INTEGER NOT NULL CHECK (starts_at >= 0 AND (period <> 'life' OR starts_at = 0)),
  -- As the key has it, or had it last.
  budget INTEGER NOT NULL CHECK (budget >= 0),
  -- The budget; where that was lowered below what is spent and held, what is spent and held.
  cap INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT spent_not_negative CHECK (spent >= 0),
  CONSTRAINT window_held_not_negative CHECK (held >= 0),
  CONSTRAINT cap_holds CHECK (spent + held <= cap),
  CONSTRAINT cap_has_a_reason CHECK (cap = max(budget, spent + held)),
  PRIMARY KEY (key_id, period, starts_at)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER spend_windows_born_empty BEFORE INSERT ON spend_windows WHEN NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (
    SELECT 1 FROM api_keys WHERE id = NEW.key_id
      AND NEW.budget = CASE NEW.period WHEN 'day' THEN budget_day WHEN 'month' THEN budget_month ELSE budget_life END)
  BEGIN SELECT RAISE(ABORT, 'a budget begins unspent, as its key has it'); END;
CREATE TRIGGER spend_windows_fixed BEFORE UPDATE ON spend_windows
  WHEN NEW.key_id <> OLD.key_id OR NEW.period <> OLD.period OR NEW.starts_at <> OLD.starts_at
  BEGIN SELECT RAISE(ABORT, 'budgets keep their key and time'); END;
CREATE TRIGGER spend_windows_stay BEFORE DELETE ON spend_windows BEGIN SELECT RAISE(ABORT, 'budgets stay'); END;

CREATE TABLE key_rates (
  key_id INTEGER PRIMARY KEY REFERENCES api_keys (id),
  -- When the two numbers were right.
  at INTEGER NOT NULL DEFAULT 0,
  requests INTEGER NOT NULL DEFAULT 0 CHECK (requests >= 0),
  tokens INTEGER NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  in_flight INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT in_flight_not_negative CHECK (in_flight >= 0)
) STRICT;
CREATE TRIGGER key_rates_fixed BEFORE UPDATE ON key_rates WHEN NEW.key_id <> OLD.key_id
  BEGIN SELECT RAISE(ABORT, 'rates keep their key'); END;
CREATE TRIGGER key_rates_stay BEFORE DELETE ON key_rates BEGIN SELECT RAISE(ABORT, 'rates stay'); END;

-- Its accounts are those of holds and of orders, so that none is looked up again for each row.
CREATE TABLE idempotency (
  account_id INTEGER NOT NULL,
  idem_key TEXT NOT NULL CHECK (length(idem_key) BETWEEN 1 AND 255),
  -- Of the method, the path and the body.
  request_sha256 BLOB NOT NULL CHECK (length(request_sha256) = 32),
  request_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done')),
  status INTEGER CHECK (status BETWEEN 200 AND 499),
  -- JSON: pairs of a name and a value.
  headers TEXT,
  answer BLOB,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, idem_key),
  CONSTRAINT answer_when_done CHECK (state = 'done' OR status IS NULL),
  CONSTRAINT answer_is_whole CHECK ((status IS NULL) = (headers IS NULL) AND (status IS NULL) = (answer IS NULL))
) STRICT;
CREATE INDEX idempotency_age ON idempotency (created_at);
CREATE INDEX idempotency_answers ON idempotency (account_id) WHERE answer IS NOT NULL;

CREATE TABLE seals (
  number INTEGER PRIMARY KEY CHECK (number > 0),
  -- The last rows that it covers. It begins behind the seal before.
  transfers_upto INTEGER NOT NULL CHECK (transfers_upto >= 0),
  receipts_upto INTEGER NOT NULL CHECK (receipts_upto >= 0),
  audit_upto INTEGER NOT NULL CHECK (audit_upto >= 0),
  row_count INTEGER NOT NULL CHECK (row_count > 0),
  -- Of the receipts that it covers, which may be taken away one day.
  receipts_hash BLOB NOT NULL CHECK (length(receipts_hash) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER seals_in_order BEFORE INSERT ON seals
  WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM seals) OR EXISTS (
    SELECT 1 FROM seals WHERE number = NEW.number - 1 AND (transfers_upto > NEW.transfers_upto
      OR receipts_upto > NEW.receipts_upto OR audit_upto > NEW.audit_upto))
  BEGIN SELECT RAISE(ABORT, 'a seal follows the one before'); END;
CREATE TRIGGER seals_no_update BEFORE UPDATE ON seals BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
CREATE TRIGGER seals_no_delete BEFORE DELETE ON seals BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;

CREATE TABLE ledger_mode (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'production')),
  -- Unix time in milliseconds.
  written_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER ledger_mode_no_update BEFORE UPDATE ON ledger_mode BEGIN SELECT RAISE(ABORT, 'ledger_mode is append-only'); END;
CREATE TRIGGER ledger_mode_no_delete BEFORE DELETE ON ledger_mode BEGIN SELECT RAISE(ABORT, 'ledger_mode is append-only'); END;
