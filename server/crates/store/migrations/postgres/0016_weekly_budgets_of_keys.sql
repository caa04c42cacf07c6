-- expands
-- Budgets of keys for a week. A server that knows nothing of them takes no hold by a key that has one: the rules of holds refuse it. Nor
-- does it end a hold that counts against one: whoever knows of them does.

-- Each batch reads the first of these before the others: none has one of them locked while it waits for another. All of them wait behind
-- this step, so it gives up early at each of them, and is tried again by the next start.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE nodes, receipts, holds, api_keys, spend_windows IN ACCESS EXCLUSIVE MODE;
SET LOCAL lock_timeout = '60s';
ALTER TABLE api_keys ADD COLUMN budget_week BIGINT CHECK (budget_week BETWEEN 0 AND 1000000000000000000);
ALTER TABLE receipts ADD COLUMN week_at BIGINT;
ALTER TABLE holds ADD COLUMN week_at BIGINT CONSTRAINT week_counts_when_counted CHECK (week_at IS NULL OR counted = 1);
ALTER TABLE spend_windows DROP CONSTRAINT spend_windows_period_check,
  ADD CONSTRAINT spend_windows_period_check CHECK (period IN ('day', 'week', 'month', 'life'));

CREATE OR REPLACE FUNCTION spend_windows_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (SELECT 1 FROM api_keys WHERE id = NEW.key_id
      AND NEW.budget = CASE NEW.period WHEN 'day' THEN budget_day WHEN 'week' THEN budget_week WHEN 'month' THEN budget_month
        ELSE budget_life END)
    THEN RAISE EXCEPTION 'a budget begins unspent, as its key has it'; END IF;
  ELSIF (NEW.key_id, NEW.period, NEW.starts_at) IS DISTINCT FROM (OLD.key_id, OLD.period, OLD.starts_at)
  THEN RAISE EXCEPTION 'budgets keep their key and time'; END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION holds_by_live_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added h JOIN api_keys k ON k.id = h.key_id
    WHERE k.state <> 'active' OR k.account_id <> h.account_id OR (h.counted = 0
      AND coalesce(k.budget_day, k.budget_week, k.budget_month, k.budget_life, k.requests_per_minute, k.tokens_per_minute, k.in_flight_max) IS NOT NULL))
  THEN RAISE EXCEPTION 'a hold is by a live key of its account and counts against the limits of that'; END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION holds_count() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM added WHERE counted = 1) THEN RETURN NULL; END IF;
  IF EXISTS (SELECT 1 FROM added h LEFT JOIN api_keys k ON k.id = h.key_id WHERE h.counted = 1 AND (k.id IS NULL
    OR (k.budget_day IS NOT NULL) <> (h.day_at IS NOT NULL) OR (k.budget_week IS NOT NULL) <> (h.week_at IS NOT NULL)
    OR (k.budget_month IS NOT NULL) <> (h.month_at IS NOT NULL) OR (k.budget_life IS NOT NULL) <> (h.life_at IS NOT NULL)))
  THEN RAISE EXCEPTION 'a hold counts against each budget of its key'; END IF;
  INSERT INTO spend_windows (key_id, period, starts_at, budget, cap)
    SELECT DISTINCT k.id, v.period, v.starts_at, v.budget, v.budget FROM added h JOIN api_keys k ON k.id = h.key_id,
      LATERAL (VALUES ('day', h.day_at, k.budget_day), ('week', h.week_at, k.budget_week), ('month', h.month_at, k.budget_month),
        ('life', h.life_at, k.budget_life)) v (period, starts_at, budget)
    WHERE v.starts_at IS NOT NULL ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
  -- What does not fit is refused by the rule that a cap holds what is spent and held.
  UPDATE spend_windows w SET held = w.held + x.amount
    FROM (SELECT h.key_id, v.period, v.starts_at, sum(h.amount)::bigint AS amount FROM added h,
      LATERAL (VALUES ('day', h.day_at), ('week', h.week_at), ('month', h.month_at), ('life', h.life_at)) v (period, starts_at)
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
CREATE OR REPLACE FUNCTION api_keys_budgets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE spend_windows w SET budget = v.budget, cap = greatest(v.budget, w.spent + w.held)
    FROM (VALUES ('day', NEW.budget_day), ('week', NEW.budget_week), ('month', NEW.budget_month), ('life', NEW.budget_life)) v (period, budget)
    WHERE w.key_id = NEW.id AND w.period = v.period AND v.budget IS NOT NULL;
  RETURN NULL;
END $$;
DROP TRIGGER api_keys_budgets ON api_keys;
CREATE TRIGGER api_keys_budgets AFTER UPDATE OF budget_day, budget_week, budget_month, budget_life ON api_keys
  FOR EACH ROW EXECUTE FUNCTION api_keys_budgets();
-- A hold is found by its number, however many there were when this was planned.
CREATE OR REPLACE FUNCTION receipts_resolve() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE ended bigint; unfinished bigint; BEGIN
  WITH gone AS (DELETE FROM holds h USING added r
      WHERE h.id = r.hold_id AND h.account_id = r.account_id AND h.key_id = r.key_id AND h.request_id = r.request_id
        AND h.amount = r.held AND h.model = r.model AND h.stream = r.stream AND h.price_id = r.price_id
        AND h.ratio_ppm = r.ratio_ppm AND h.created_at = r.created_at AND h.expires_at = r.expires_at
        AND h.day_at IS NOT DISTINCT FROM r.day_at AND h.week_at IS NOT DISTINCT FROM r.week_at
        AND h.month_at IS NOT DISTINCT FROM r.month_at AND h.life_at IS NOT DISTINCT FROM r.life_at
        AND h.pools IS NOT DISTINCT FROM r.pools AND (r.tags IS NULL OR h.tags = r.tags)
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
  IF EXISTS (SELECT 1 FROM added WHERE coalesce(day_at, week_at, month_at, life_at) IS NOT NULL) THEN
    UPDATE spend_windows w
      SET held = w.held - x.amount, spent = w.spent + x.cost, cap = greatest(w.budget, w.spent + x.cost + w.held - x.amount)
      FROM (SELECT r.key_id, v.period, v.starts_at, sum(r.held)::bigint AS amount, sum(r.cost)::bigint AS cost
        FROM added r, LATERAL (VALUES ('day', r.day_at), ('week', r.week_at), ('month', r.month_at), ('life', r.life_at)) v (period, starts_at)
        WHERE v.starts_at IS NOT NULL GROUP BY 1, 2, 3) x
      WHERE w.key_id = x.key_id AND w.period = x.period AND w.starts_at = x.starts_at;
  END IF;
  -- The windows of a hold are those of whichever set has them: they are named by `pools`, and stay.
  IF EXISTS (SELECT 1 FROM added WHERE pools IS NOT NULL) THEN
    UPDATE pool_windows w
      SET held = w.held - x.amount, spent = w.spent + x.cost, cap = greatest(w.budget, w.spent + x.cost + w.held - x.amount)
      FROM (SELECT v.window_id, sum(r.amount)::bigint AS amount, sum(r.cost)::bigint AS cost
        FROM (SELECT pools, sum(held)::bigint AS amount, sum(cost)::bigint AS cost FROM added WHERE pools IS NOT NULL GROUP BY pools) r
          LEFT JOIN LATERAL (SELECT id FROM pool_sets WHERE pools = r.pools COLLATE "C" LIMIT 1) s ON true,
          LATERAL (SELECT m.window_id FROM pool_set_windows m WHERE m.set_id = s.id
            UNION ALL SELECT f.id FROM json_array_elements(CASE WHEN s.id IS NULL THEN r.pools::json END) j JOIN pool_windows f
              ON f.pool_id = (j ->> 0)::bigint AND f.period = j ->> 1 AND f.starts_at = (j ->> 2)::bigint) v
        GROUP BY 1 ORDER BY 1) x
      WHERE w.id = x.window_id;
  END IF;
  RETURN NULL;
END $$;
