-- The ledger: what each account has and holds, and everything that moved it. Amounts are in nano-USD, times in milliseconds since
-- 1970 in UTC, where nothing else is said.

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
  (5, 'clearing', 'clearing:crypto'), (6, 'clearing', 'clearing:x402'), (7, 'clearing', 'clearing:ewallet'),
  (8, 'suspense', 'debts');
CREATE TRIGGER ledger_accounts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TABLE balances (
  account_id BIGINT PRIMARY KEY REFERENCES ledger_accounts (id),
  posted BIGINT NOT NULL DEFAULT 0,
  held BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT held_not_negative CHECK (held >= 0),
  CONSTRAINT available_not_negative CHECK (posted >= held),
  CONSTRAINT posted_in_range CHECK (posted <= 1000000000000000000)
);
CREATE FUNCTION balances_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' AND (NEW.posted <> 0 OR NEW.held <> 0) THEN RAISE EXCEPTION 'balances start empty'; END IF;
  IF TG_OP = 'UPDATE' AND NEW.account_id <> OLD.account_id THEN RAISE EXCEPTION 'balances keep their owner'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER balances_guard BEFORE UPDATE OF account_id ON balances FOR EACH ROW EXECUTE FUNCTION balances_guard();
CREATE TRIGGER balances_start BEFORE INSERT ON balances FOR EACH ROW WHEN ((NEW.posted <> 0) OR (NEW.held <> 0)) EXECUTE FUNCTION balances_guard();
CREATE TRIGGER balances_stay BEFORE DELETE OR TRUNCATE ON balances FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE nodes (
  epoch BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('up', 'gone')),
  released_at BIGINT CONSTRAINT released_when_gone CHECK (released_at IS NULL OR state = 'gone')
);
CREATE UNIQUE INDEX nodes_once ON nodes (name) WHERE state = 'up';
CREATE INDEX nodes_unreleased ON nodes (epoch) WHERE (state = 'gone') AND (released_at IS NULL);
CREATE FUNCTION nodes_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.released_at IS NOT NULL OR (NEW.epoch, NEW.name, NEW.started_at) IS DISTINCT FROM (OLD.epoch, OLD.name, OLD.started_at)
    OR (OLD.state = 'gone' AND (NEW.released_at IS NULL OR (NEW.state, NEW.seen_at) IS DISTINCT FROM (OLD.state, OLD.seen_at)))
  THEN RAISE EXCEPTION 'a start keeps its name and goes once'; END IF;
  IF NEW.released_at IS NOT NULL AND EXISTS (SELECT 1 FROM holds WHERE epoch = NEW.epoch AND kept = 0)
  THEN RAISE EXCEPTION 'a start is done with when nothing of it is held'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER nodes_guard BEFORE UPDATE ON nodes FOR EACH ROW EXECUTE FUNCTION nodes_guard();
CREATE TRIGGER nodes_stay BEFORE DELETE OR TRUNCATE ON nodes FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

-- What a unit of each kind costs, in pico-USD: a row for each price list of a model that anything was held by. Its number is made of
-- what it says, so that whoever writes it knows the number without asking.
CREATE TABLE prices (
  id BIGINT PRIMARY KEY CHECK (id > 0),
  -- Of the price list.
  version TEXT NOT NULL,
  prompt BIGINT NOT NULL CHECK (prompt >= 0),
  cached BIGINT NOT NULL CHECK (cached >= 0),
  cache_write BIGINT NOT NULL CHECK (cache_write >= 0),
  cache_write_long BIGINT NOT NULL CHECK (cache_write_long >= 0),
  completion BIGINT NOT NULL CHECK (completion >= 0),
  audio_prompt BIGINT NOT NULL CHECK (audio_prompt >= 0),
  image_prompt BIGINT NOT NULL CHECK (image_prompt >= 0),
  audio_completion BIGINT NOT NULL CHECK (audio_completion >= 0),
  image_completion BIGINT NOT NULL CHECK (image_completion >= 0),
  -- A request that is charged for, once.
  request BIGINT NOT NULL CHECK (request >= 0),
  reasoning BIGINT NOT NULL CHECK (reasoning >= 0)
);
CREATE TRIGGER prices_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON prices FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- The beginnings of blocks of numbers for holds, which nobody else gives. A database that comes back without a commit behind
-- one may give it again.
CREATE SEQUENCE hold_blocks INCREMENT BY 1024;

-- Credit that is set aside for requests under way, and nothing else: a hold goes when its receipt comes, which has its terms from
-- then on. So rows come and go all the time, and are cleaned up behind all the time. What a foreign key would ask for each row
-- of a batch is asked by a trigger, once.
CREATE TABLE holds (
  id BIGINT PRIMARY KEY CHECK (id > 0),
  account_id BIGINT NOT NULL,
  key_id BIGINT NOT NULL,
  -- Request ids start with the time, so that this index grows at its end.
  request_id TEXT NOT NULL UNIQUE,
  -- Zero for a model that is free: it is held and receipted like any other.
  amount BIGINT NOT NULL CHECK (amount >= 0),
  model TEXT NOT NULL,
  stream BIGINT NOT NULL CHECK (stream IN (0, 1)),
  price_id BIGINT NOT NULL,
  -- What the account pays of the prices.
  ratio_ppm BIGINT NOT NULL CHECK (ratio_ppm > 0),
  -- The start of a server that took it.
  epoch BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  -- 1: for something that outlives the server, and ends with it alone.
  kept BIGINT NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)),
  -- 1: it counts against the limits of its key, and against these budgets by their beginning; absent where the key had none.
  counted BIGINT NOT NULL DEFAULT 0 CHECK (counted IN (0, 1)),
  day_at BIGINT,
  month_at BIGINT,
  life_at BIGINT CHECK (life_at = 0),
  -- Tokens that were taken off the minute's allowance.
  tokens BIGINT NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  -- Whether it counts as a request under way.
  in_flight BIGINT NOT NULL DEFAULT 0 CHECK (in_flight IN (0, 1)),
  CONSTRAINT hold_expires_later CHECK (expires_at > created_at),
  CONSTRAINT counts_when_counted CHECK (
    counted = 1 OR (coalesce(day_at, month_at, life_at) IS NULL AND tokens = 0 AND in_flight = 0))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX holds_by_account ON holds (account_id, created_at, id);
CREATE INDEX holds_by_expiry ON holds (expires_at);
CREATE INDEX holds_by_start_and_account ON holds (epoch, account_id, id) WHERE kept = 0;
CREATE FUNCTION holds_by_live_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added h JOIN api_keys k ON k.id = h.key_id
    WHERE k.state <> 'active' OR k.account_id <> h.account_id OR (h.counted = 0
      AND coalesce(k.budget_day, k.budget_month, k.budget_life, k.requests_per_minute, k.tokens_per_minute, k.in_flight_max) IS NOT NULL))
  THEN RAISE EXCEPTION 'a hold is by a live key of its account and counts against the limits of that'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_by_live_key AFTER INSERT ON holds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holds_by_live_key();
CREATE FUNCTION holds_reserve() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE reserved bigint; BEGIN
  IF EXISTS (SELECT 1 FROM (SELECT DISTINCT price_id AS id FROM added) a LEFT JOIN prices p USING (id) WHERE p.id IS NULL)
  THEN RAISE EXCEPTION 'a hold has its prices'; END IF;
  -- The month that is under way is looked through, and its neighbours: ids of requests are made of their time.
  IF EXISTS (SELECT 1 FROM added h JOIN receipts r ON r.request_id = h.request_id AND r.resolved_at >= h.created_at - 86400000)
  THEN RAISE unique_violation USING CONSTRAINT = 'holds_request_id_key', MESSAGE = 'what has its receipt is not held again'; END IF;
  UPDATE balances b SET held = b.held + x.amount, version = b.version + 1
    FROM (SELECT account_id, sum(amount)::bigint AS amount FROM added GROUP BY account_id) x WHERE b.account_id = x.account_id;
  GET DIAGNOSTICS reserved = ROW_COUNT;
  IF reserved <> (SELECT count(DISTINCT account_id) FROM added) THEN RAISE EXCEPTION 'a hold is of an account with a balance'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_reserve AFTER INSERT ON holds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holds_reserve();
CREATE FUNCTION holds_count() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM added WHERE counted = 1) THEN RETURN NULL; END IF;
  IF EXISTS (SELECT 1 FROM added h LEFT JOIN api_keys k ON k.id = h.key_id WHERE h.counted = 1 AND (k.id IS NULL
    OR (k.budget_day IS NOT NULL) <> (h.day_at IS NOT NULL) OR (k.budget_month IS NOT NULL) <> (h.month_at IS NOT NULL)
    OR (k.budget_life IS NOT NULL) <> (h.life_at IS NOT NULL)))
  THEN RAISE EXCEPTION 'a hold counts against each budget of its key'; END IF;
  INSERT INTO spend_windows (key_id, period, starts_at, budget, cap)
    SELECT DISTINCT k.id, v.period, v.starts_at, v.budget, v.budget FROM added h JOIN api_keys k ON k.id = h.key_id,
      LATERAL (VALUES ('day', h.day_at, k.budget_day), ('month', h.month_at, k.budget_month), ('life', h.life_at, k.budget_life))
        v (period, starts_at, budget)
    WHERE v.starts_at IS NOT NULL ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
  -- What does not fit is refused by the rule that a cap holds what is spent and held.
  UPDATE spend_windows w SET held = w.held + x.amount
    FROM (SELECT h.key_id, v.period, v.starts_at, sum(h.amount)::bigint AS amount FROM added h,
      LATERAL (VALUES ('day', h.day_at), ('month', h.month_at), ('life', h.life_at)) v (period, starts_at)
      WHERE v.starts_at IS NOT NULL GROUP BY 1, 2, 3) x
    WHERE w.key_id = x.key_id AND w.period = x.period AND w.starts_at = x.starts_at;
  INSERT INTO key_rates AS r (key_id, in_flight) SELECT key_id, sum(in_flight)::bigint FROM added WHERE counted = 1
    GROUP BY key_id ORDER BY key_id
    ON CONFLICT (key_id) DO UPDATE SET in_flight = r.in_flight + excluded.in_flight;
  IF EXISTS (SELECT 1 FROM added h JOIN key_rates r ON r.key_id = h.key_id JOIN api_keys k ON k.id = h.key_id
    WHERE h.in_flight = 1 AND r.in_flight > k.in_flight_max)
  THEN RAISE EXCEPTION 'too many requests of the key are under way'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_count AFTER INSERT ON holds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holds_count();
CREATE FUNCTION holds_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'holds keep their terms and keep their number';
END $$;
CREATE TRIGGER holds_fixed BEFORE UPDATE ON holds FOR EACH STATEMENT EXECUTE FUNCTION holds_fixed();
-- The trigger of receipts alone deletes them, one level below the statement that writes those.
CREATE FUNCTION holds_by_receipt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'TRUNCATE' OR pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'holds stay until they are resolved by their receipt';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_by_receipt BEFORE DELETE OR TRUNCATE ON holds FOR EACH STATEMENT EXECUTE FUNCTION holds_by_receipt();

CREATE SEQUENCE receipts_id_seq;
-- What became of each hold, with its terms. A receipt is also the entry in the books of what it charges: from its account to revenue.
-- By months, so that one can be put away when it is over. That each is there once is known by its hold, which goes when it comes.
CREATE TABLE receipts (
  -- In the order in which they were written.
  id BIGINT NOT NULL DEFAULT nextval('receipts_id_seq'),
  hold_id BIGINT NOT NULL,
  account_id BIGINT NOT NULL,
  key_id BIGINT NOT NULL,
  request_id TEXT NOT NULL,
  -- The amount of the hold.
  held BIGINT NOT NULL,
  model TEXT NOT NULL,
  stream BIGINT NOT NULL,
  price_id BIGINT NOT NULL,
  ratio_ppm BIGINT NOT NULL,
  -- When the hold was taken, and when it would have expired.
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  -- The budgets that it counted against.
  day_at BIGINT,
  month_at BIGINT,
  life_at BIGINT,
  state TEXT NOT NULL CHECK (state IN ('settled', 'released')),
  cost BIGINT NOT NULL CHECK (cost BETWEEN 0 AND 1000000000000000000),
  shortfall BIGINT NOT NULL CHECK (shortfall >= 0),
  rule TEXT NOT NULL CHECK (rule <> ''),
  prompt BIGINT CHECK (prompt >= 0),
  cached BIGINT CHECK (cached BETWEEN 0 AND prompt),
  cache_write BIGINT NOT NULL DEFAULT 0 CHECK (cache_write >= 0),
  cache_write_long BIGINT NOT NULL DEFAULT 0 CHECK (cache_write_long >= 0),
  completion BIGINT CHECK (completion >= 0),
  reasoning BIGINT CHECK (reasoning BETWEEN 0 AND completion),
  audio_prompt BIGINT NOT NULL DEFAULT 0 CHECK (audio_prompt >= 0),
  image_prompt BIGINT NOT NULL DEFAULT 0 CHECK (image_prompt >= 0),
  audio_completion BIGINT NOT NULL DEFAULT 0 CHECK (audio_completion >= 0),
  image_completion BIGINT NOT NULL DEFAULT 0 CHECK (image_completion >= 0),
  estimated BIGINT CHECK (estimated IN (0, 1)),
  upstream TEXT,
  upstream_model TEXT,
  first_byte_ms BIGINT CHECK (first_byte_ms >= 0),
  duration_ms BIGINT CHECK (duration_ms >= 0),
  -- Another model that answered, a tier of the prompt's length, a class of service: the last one that is there has the prices.
  fallback TEXT CHECK (fallback <> ''),
  fallback_price_id BIGINT,
  -- Of tokens; the prompt was longer.
  tier_above BIGINT CHECK (tier_above >= 0),
  tier_price_id BIGINT,
  -- As the answer told it, or the request where the answer did not: `service_tier: flex`.
  class TEXT CHECK (length(class) BETWEEN 1 AND 200),
  class_price_id BIGINT,
  -- The uses of tools that are charged, as JSON: a list of name, uses and the price of one, in pico-USD before the ratio.
  tools TEXT CHECK (tools IS NULL OR json_typeof(tools::json) = 'array'),
  resolved_at BIGINT NOT NULL,
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
  CONSTRAINT class_is_priced CHECK ((class IS NULL) = (class_price_id IS NULL)),
  PRIMARY KEY (id, resolved_at)
) PARTITION BY RANGE (resolved_at);
CREATE INDEX receipts_by_request ON receipts (request_id);
CREATE INDEX receipts_by_account ON receipts (account_id, created_at, hold_id);
-- Receipts of months without a partition: of servers whose clocks are far from the right time.
CREATE TABLE receipts_other PARTITION OF receipts DEFAULT;
CREATE FUNCTION receipts_through_table() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'receipts is append-only, and a month of it is written through it';
END $$;
CREATE TRIGGER receipts_through_table BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON receipts_other
  FOR EACH STATEMENT EXECUTE FUNCTION receipts_through_table();
-- A hold is found by its number, however many there were when this was planned.
CREATE FUNCTION receipts_resolve() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE ended bigint; unfinished bigint; BEGIN
  WITH gone AS (DELETE FROM holds h USING added r
      WHERE h.id = r.hold_id AND h.account_id = r.account_id AND h.key_id = r.key_id AND h.request_id = r.request_id
        AND h.amount = r.held AND h.model = r.model AND h.stream = r.stream AND h.price_id = r.price_id
        AND h.ratio_ppm = r.ratio_ppm AND h.created_at = r.created_at AND h.expires_at = r.expires_at
        AND h.day_at IS NOT DISTINCT FROM r.day_at AND h.month_at IS NOT DISTINCT FROM r.month_at
        AND h.life_at IS NOT DISTINCT FROM r.life_at
      RETURNING h.id, h.key_id, h.kept, h.in_flight, r.state),
    fewer AS (UPDATE key_rates k SET in_flight = k.in_flight - x.in_flight
      FROM (SELECT key_id, sum(in_flight)::bigint AS in_flight FROM gone WHERE in_flight = 1 GROUP BY key_id) x
      WHERE k.key_id = x.key_id)
  SELECT count(*), count(*) FILTER (WHERE kept = 1 AND NOT EXISTS (SELECT 1 FROM video_task v WHERE v.hold_id = gone.id
      AND v.receipt_id = gone.id AND v.status = CASE gone.state WHEN 'settled' THEN 'completed' ELSE 'failed' END))
    INTO ended, unfinished FROM gone;
  IF ended <> (SELECT count(*) FROM added) THEN RAISE EXCEPTION 'a receipt resolves an open hold, by its terms'; END IF;
  IF unfinished > 0 THEN RAISE EXCEPTION 'a kept hold ends with what it is kept for'; END IF;
  IF EXISTS (SELECT 1 FROM added r, LATERAL (VALUES (r.fallback_price_id), (r.tier_price_id), (r.class_price_id)) v (id)
    WHERE v.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM prices p WHERE p.id = v.id))
  THEN RAISE EXCEPTION 'a receipt has its prices'; END IF;
  -- What was held comes back and what was charged is posted in one change of the account.
  UPDATE balances b SET posted = b.posted - x.cost, held = b.held - x.amount, version = b.version + 1
    FROM (SELECT account_id, sum(held)::bigint AS amount, sum(cost)::bigint AS cost FROM added GROUP BY account_id) x
    WHERE b.account_id = x.account_id;
  IF EXISTS (SELECT 1 FROM added WHERE coalesce(day_at, month_at, life_at) IS NOT NULL) THEN
    UPDATE spend_windows w
      SET held = w.held - x.amount, spent = w.spent + x.cost, cap = greatest(w.budget, w.spent + x.cost + w.held - x.amount)
      FROM (SELECT r.key_id, v.period, v.starts_at, sum(r.held)::bigint AS amount, sum(r.cost)::bigint AS cost
        FROM added r, LATERAL (VALUES ('day', r.day_at), ('month', r.month_at), ('life', r.life_at)) v (period, starts_at)
        WHERE v.starts_at IS NOT NULL GROUP BY 1, 2, 3) x
      WHERE w.key_id = x.key_id AND w.period = x.period AND w.starts_at = x.starts_at;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER receipts_resolve AFTER INSERT ON receipts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION receipts_resolve();
CREATE FUNCTION receipts_usage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO usage_days AS u SELECT account_id, created_at / 86400000, key_id, model, count(*),
      count(*) FILTER (WHERE state = 'released'), sum(cost), sum(shortfall), sum(coalesce(prompt, 0)),
      sum(coalesce(cached, 0)), sum(cache_write), sum(cache_write_long), sum(coalesce(completion, 0)),
      sum(coalesce(reasoning, 0)), sum(audio_prompt), sum(image_prompt), sum(audio_completion), sum(image_completion)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET
      requests = u.requests + excluded.requests,
      released = u.released + excluded.released,
      charged = u.charged + excluded.charged,
      shortfall = u.shortfall + excluded.shortfall,
      prompt = u.prompt + excluded.prompt,
      cached = u.cached + excluded.cached,
      cache_write = u.cache_write + excluded.cache_write,
      cache_write_long = u.cache_write_long + excluded.cache_write_long,
      completion = u.completion + excluded.completion,
      reasoning = u.reasoning + excluded.reasoning,
      audio_prompt = u.audio_prompt + excluded.audio_prompt,
      image_prompt = u.image_prompt + excluded.image_prompt,
      audio_completion = u.audio_completion + excluded.audio_completion,
      image_completion = u.image_completion + excluded.image_completion;
  RETURN NULL;
END $$;
CREATE TRIGGER receipts_usage AFTER INSERT ON receipts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION receipts_usage();
CREATE TRIGGER receipts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON receipts FOR EACH STATEMENT EXECUTE FUNCTION append_only();
-- Makes the partition of the month that begins then, in milliseconds, unless it is there; with what the default one has of it.
CREATE FUNCTION receipts_month(starts_at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE month timestamp := to_timestamp(starts_at / 1000) AT TIME ZONE 'UTC'; place text := 'receipts_' || to_char(month, 'YYYY_MM');
  ends_at bigint := extract(epoch FROM month + interval '1 month')::bigint * 1000; BEGIN
  IF starts_at % 1000 <> 0 OR month <> date_trunc('month', month) THEN RAISE EXCEPTION 'a month begins at its first moment'; END IF;
  IF to_regclass(place) IS NOT NULL OR EXISTS (SELECT 1 FROM archived_months a WHERE a.starts_at = receipts_month.starts_at)
  THEN RETURN; END IF;
  LOCK TABLE ONLY receipts IN SHARE ROW EXCLUSIVE MODE;
  IF to_regclass(place) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE receipts INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', place);
  IF EXISTS (SELECT 1 FROM receipts_other r WHERE r.resolved_at >= receipts_month.starts_at AND r.resolved_at < ends_at) THEN
    ALTER TABLE receipts_other DISABLE TRIGGER receipts_through_table;
    EXECUTE format('WITH moved AS (DELETE FROM receipts_other WHERE resolved_at >= $1 AND resolved_at < $2 RETURNING *)
      INSERT INTO %I SELECT * FROM moved', place) USING receipts_month.starts_at, ends_at;
    ALTER TABLE receipts_other ENABLE TRIGGER receipts_through_table;
  END IF;
  EXECUTE format('CREATE TRIGGER receipts_through_table BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION receipts_through_table()', place);
  EXECUTE format('ALTER TABLE receipts ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', place, receipts_month.starts_at, ends_at);
END $$;

-- Months whose receipts were put into a file and taken away.
CREATE TABLE archived_months (
  -- The first millisecond of the month, in UTC, and that of the next.
  starts_at BIGINT PRIMARY KEY,
  ends_at BIGINT NOT NULL,
  receipts BIGINT NOT NULL CHECK (receipts >= 0),
  -- The greatest number of its receipts.
  receipts_upto BIGINT NOT NULL,
  -- Of what the file holds, before it is compressed.
  sha256 BYTEA NOT NULL CHECK (length(sha256) = 32),
  archived_at BIGINT NOT NULL,
  CONSTRAINT month_is_one CHECK (ends_at - starts_at BETWEEN 2419200000 AND 2678400000),
  CONSTRAINT month_is_over CHECK (archived_at >= ends_at)
);
CREATE TRIGGER archived_months_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON archived_months FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- What the receipts of such a month came to, of each key: carried forward in the books.
CREATE TABLE carried (
  starts_at BIGINT NOT NULL REFERENCES archived_months (starts_at),
  account_id BIGINT NOT NULL,
  key_id BIGINT NOT NULL,
  receipts BIGINT NOT NULL CHECK (receipts > 0),
  settled BIGINT NOT NULL CHECK (settled BETWEEN 0 AND receipts),
  cost BIGINT NOT NULL CHECK (cost >= 0),
  shortfall BIGINT NOT NULL CHECK (shortfall >= 0),
  -- What of the cost counted against the key's budget for life.
  life_cost BIGINT NOT NULL CHECK (life_cost BETWEEN 0 AND cost),
  PRIMARY KEY (starts_at, account_id, key_id)
);
CREATE TRIGGER carried_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON carried FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- What moves money but receipts.
CREATE TABLE transfers (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('topup', 'promo', 'adjust', 'refund', 'suspense')),
  debit BIGINT NOT NULL REFERENCES ledger_accounts (id),
  credit BIGINT NOT NULL REFERENCES ledger_accounts (id),
  amount BIGINT NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  -- What it happens once for.
  idem TEXT NOT NULL CHECK (length(idem) BETWEEN 1 AND 200),
  order_id BIGINT,
  actor TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  CONSTRAINT two_sides CHECK (debit <> credit),
  CONSTRAINT topup_has_order CHECK ((kind = 'topup') = (order_id IS NOT NULL)),
  CONSTRAINT promo_is_ours CHECK (kind <> 'promo' OR debit = 2)
);
CREATE UNIQUE INDEX transfers_one_per_order ON transfers (order_id) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_once ON transfers (idem);
CREATE INDEX transfers_by_debit ON transfers (debit, id);
CREATE INDEX transfers_by_credit ON transfers (credit, id);
CREATE FUNCTION transfers_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added t WHERE t.kind = 'topup' AND NOT EXISTS (
    SELECT 1 FROM topup_order o
    WHERE o.id = t.order_id AND o.status = 'success' AND o.amount = t.amount AND o.account_id = t.credit))
  THEN RAISE EXCEPTION 'a top-up must match its successful order'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_guard AFTER INSERT ON transfers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION transfers_guard();
CREATE FUNCTION transfers_post() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE credited record; owes record; left_over bigint; BEGIN
  UPDATE balances b SET posted = b.posted + x.amount, version = b.version + 1
    FROM (SELECT account_id, sum(amount)::bigint AS amount FROM
      (SELECT debit AS account_id, -amount AS amount FROM added
        UNION ALL SELECT credit, amount FROM added) y GROUP BY account_id) x
    WHERE b.account_id = x.account_id;
  FOR credited IN SELECT a.id, a.credit, a.amount, a.created_at FROM added a WHERE EXISTS (SELECT 1 FROM reversals r WHERE r.account_id = a.credit AND r.collected < r.debt) ORDER BY a.id LOOP
    left_over := credited.amount;
    FOR owes IN SELECT id, debt - collected AS amount FROM reversals
        WHERE account_id = credited.credit AND collected < debt ORDER BY id FOR UPDATE LOOP
      EXIT WHEN left_over = 0;
      INSERT INTO debt_payments (reversal_id, credit_id, amount, created_at)
        VALUES (owes.id, credited.id, least(owes.amount, left_over), credited.created_at);
      left_over := left_over - least(owes.amount, left_over);
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_post AFTER INSERT ON transfers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION transfers_post();
CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TABLE usage_days (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  day BIGINT NOT NULL,
  key_id BIGINT NOT NULL,
  model TEXT NOT NULL,
  requests BIGINT NOT NULL,
  released BIGINT NOT NULL,
  charged BIGINT NOT NULL,
  shortfall BIGINT NOT NULL,
  prompt BIGINT NOT NULL,
  cached BIGINT NOT NULL,
  cache_write BIGINT NOT NULL,
  cache_write_long BIGINT NOT NULL,
  completion BIGINT NOT NULL,
  reasoning BIGINT NOT NULL,
  audio_prompt BIGINT NOT NULL,
  image_prompt BIGINT NOT NULL,
  audio_completion BIGINT NOT NULL,
  image_completion BIGINT NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model)
);
CREATE TRIGGER usage_days_stay BEFORE DELETE OR TRUNCATE ON usage_days FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE spend_windows (
  key_id BIGINT NOT NULL REFERENCES api_keys (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'month', 'life')),
  -- The beginning of the day or month in UTC; 0 for the life.
  starts_at BIGINT NOT NULL CHECK (starts_at >= 0 AND (period <> 'life' OR starts_at = 0)),
  -- As the key has it, or had it last.
  budget BIGINT NOT NULL CHECK (budget >= 0),
  -- The budget; where that was lowered below what is spent and held, what is spent and held.
  cap BIGINT NOT NULL,
  spent BIGINT NOT NULL DEFAULT 0,
  held BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT spent_not_negative CHECK (spent >= 0),
  CONSTRAINT window_held_not_negative CHECK (held >= 0),
  CONSTRAINT cap_holds CHECK (spent + held <= cap),
  CONSTRAINT cap_has_a_reason CHECK (cap = greatest(budget, spent + held)),
  PRIMARY KEY (key_id, period, starts_at)
);
CREATE FUNCTION spend_windows_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (SELECT 1 FROM api_keys WHERE id = NEW.key_id
      AND NEW.budget = CASE NEW.period WHEN 'day' THEN budget_day WHEN 'month' THEN budget_month ELSE budget_life END)
    THEN RAISE EXCEPTION 'a budget begins unspent, as its key has it'; END IF;
  ELSIF (NEW.key_id, NEW.period, NEW.starts_at) IS DISTINCT FROM (OLD.key_id, OLD.period, OLD.starts_at)
  THEN RAISE EXCEPTION 'budgets keep their key and time'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER spend_windows_guard BEFORE INSERT OR UPDATE ON spend_windows FOR EACH ROW EXECUTE FUNCTION spend_windows_guard();
CREATE TRIGGER spend_windows_stay BEFORE DELETE OR TRUNCATE ON spend_windows FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE key_rates (
  key_id BIGINT PRIMARY KEY REFERENCES api_keys (id),
  -- When the two numbers were right.
  at BIGINT NOT NULL DEFAULT 0,
  requests BIGINT NOT NULL DEFAULT 0 CHECK (requests >= 0),
  tokens BIGINT NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  in_flight BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT in_flight_not_negative CHECK (in_flight >= 0)
);
CREATE FUNCTION key_rates_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.key_id <> OLD.key_id THEN RAISE EXCEPTION 'rates keep their key'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER key_rates_guard BEFORE UPDATE ON key_rates FOR EACH ROW EXECUTE FUNCTION key_rates_guard();
CREATE TRIGGER key_rates_stay BEFORE DELETE OR TRUNCATE ON key_rates FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

-- Its accounts are those of holds and of orders, so that none is looked up again for each row.
CREATE TABLE idempotency (
  account_id BIGINT NOT NULL,
  idem_key TEXT NOT NULL CHECK (length(idem_key) BETWEEN 1 AND 255),
  -- Of the method, the path and the body.
  request_sha256 BYTEA NOT NULL CHECK (length(request_sha256) = 32),
  request_id TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done')),
  status BIGINT CHECK (status BETWEEN 200 AND 499),
  -- JSON: pairs of a name and a value.
  headers TEXT,
  answer BYTEA,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, idem_key),
  CONSTRAINT answer_when_done CHECK (state = 'done' OR status IS NULL),
  CONSTRAINT answer_is_whole CHECK ((status IS NULL) = (headers IS NULL) AND (status IS NULL) = (answer IS NULL))
-- Each row is changed once, in its page where there is room, and without new entries in indexes where no answer is kept.
) WITH (fillfactor = 50);
CREATE INDEX idempotency_age ON idempotency (created_at);
CREATE INDEX idempotency_answers ON idempotency (account_id) WHERE answer IS NOT NULL;

CREATE TABLE seals (
  number BIGINT PRIMARY KEY CHECK (number > 0),
  -- The last rows that it covers. It begins behind the seal before.
  transfers_upto BIGINT NOT NULL CHECK (transfers_upto >= 0),
  receipts_upto BIGINT NOT NULL CHECK (receipts_upto >= 0),
  audit_upto BIGINT NOT NULL CHECK (audit_upto >= 0),
  row_count BIGINT NOT NULL CHECK (row_count > 0),
  -- Of the receipts that it covers, which may be taken away one day.
  receipts_hash BYTEA NOT NULL CHECK (length(receipts_hash) = 32),
  hash BYTEA NOT NULL CHECK (length(hash) = 32),
  created_at BIGINT NOT NULL
);
CREATE FUNCTION seals_in_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM seals) OR EXISTS (
    SELECT 1 FROM seals WHERE number = NEW.number - 1 AND (transfers_upto > NEW.transfers_upto
      OR receipts_upto > NEW.receipts_upto OR audit_upto > NEW.audit_upto))
  THEN RAISE EXCEPTION 'a seal follows the one before'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER seals_in_order BEFORE INSERT ON seals FOR EACH ROW EXECUTE FUNCTION seals_in_order();
CREATE TRIGGER seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON seals FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TABLE ledger_mode (
  one BIGINT PRIMARY KEY CHECK (one = 1),
  mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'production')),
  -- Unix time in milliseconds.
  written_at BIGINT NOT NULL
);
CREATE TRIGGER ledger_mode_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_mode FOR EACH STATEMENT EXECUTE FUNCTION append_only();
