-- Budgets that the keys of an organisation, of a team and of a member spend together. A server that knows nothing of them would take
-- holds and make keys past them: no such server may be up.

-- Whose budgets they are: an account has one of its own, its organisation's, and one for each team and each member.
CREATE TABLE budget_pools (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('organisation', 'team', 'member')),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'closed')),
  rev BIGINT NOT NULL DEFAULT 0,
  -- NULL: without limit. Of a day, a week from Monday and a month in UTC, and of all time; nano-USD.
  budget_day BIGINT CHECK (budget_day BETWEEN 0 AND 1000000000000000000),
  budget_week BIGINT CHECK (budget_week BETWEEN 0 AND 1000000000000000000),
  budget_month BIGINT CHECK (budget_month BETWEEN 0 AND 1000000000000000000),
  budget_life BIGINT CHECK (budget_life BETWEEN 0 AND 1000000000000000000),
  -- Each of its budgets is so much higher until then.
  raised_by BIGINT NOT NULL DEFAULT 0 CHECK (raised_by BETWEEN 0 AND 1000000000000000000),
  raised_until BIGINT,
  created_at BIGINT NOT NULL,
  CONSTRAINT raise_ends CHECK ((raised_by > 0) = (raised_until IS NOT NULL))
);
CREATE INDEX budget_pools_by_account ON budget_pools (account_id);
CREATE UNIQUE INDEX budget_pools_organisation ON budget_pools (account_id) WHERE kind = 'organisation';
CREATE UNIQUE INDEX budget_pools_name_key ON budget_pools (account_id, kind, name) WHERE state = 'active';
CREATE FUNCTION budget_pools_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.account_id, NEW.kind, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.kind, OLD.created_at)
    OR OLD.state = 'closed'
  THEN RAISE EXCEPTION 'pools keep their account and kind, and stay closed'; END IF;
  IF NEW.state = 'closed' AND (OLD.kind = 'organisation' OR EXISTS (
    SELECT 1 FROM api_keys WHERE account_id = OLD.account_id AND state = 'active' AND OLD.id IN (team_id, member_id)))
  THEN RAISE EXCEPTION 'a pool is closed when no key spends from it'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER budget_pools_guard BEFORE UPDATE ON budget_pools FOR EACH ROW EXECUTE FUNCTION budget_pools_guard();
CREATE TRIGGER budget_pools_stay BEFORE DELETE OR TRUNCATE ON budget_pools FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

ALTER TABLE api_keys ADD COLUMN team_id BIGINT;
ALTER TABLE api_keys ADD COLUMN member_id BIGINT;
CREATE FUNCTION api_keys_pools() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  -- Locked, so that none is closed meanwhile.
  PERFORM 1 FROM budget_pools WHERE id IN (NEW.team_id, NEW.member_id) FOR SHARE;
  IF (SELECT count(*) FROM budget_pools WHERE account_id = NEW.account_id AND state = 'active'
      AND ((id = NEW.team_id AND kind = 'team') OR (id = NEW.member_id AND kind = 'member'))
    ) <> (NEW.team_id IS NOT NULL)::int + (NEW.member_id IS NOT NULL)::int
  THEN RAISE EXCEPTION 'a key is of an open team and an open member of its account'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_pools BEFORE INSERT OR UPDATE OF team_id, member_id ON api_keys
  FOR EACH ROW WHEN (coalesce(NEW.team_id, NEW.member_id) IS NOT NULL) EXECUTE FUNCTION api_keys_pools();

-- Each budget that there is, with the raise of its pool.
CREATE VIEW pooled_budgets AS
  SELECT p.id AS pool_id, p.account_id, p.kind, v.period, v.budget, p.raised_by, p.raised_until
    FROM budget_pools p, LATERAL (VALUES ('day', p.budget_day), ('week', p.budget_week), ('month', p.budget_month), ('life', p.budget_life))
      v (period, budget)
    WHERE v.budget IS NOT NULL;

-- What is spent and held of one budget in one period.
CREATE TABLE pool_windows (
  pool_id BIGINT NOT NULL REFERENCES budget_pools (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'life')),
  -- The beginning of the day, week or month in UTC; 0 for all time.
  starts_at BIGINT NOT NULL CHECK (period <> 'life' OR starts_at = 0),
  -- As the last hold found it, with the raise of that time.
  budget BIGINT NOT NULL CHECK (budget >= 0),
  -- The budget; where that was lowered below what is spent and held, what is spent and held.
  cap BIGINT NOT NULL,
  spent BIGINT NOT NULL DEFAULT 0,
  held BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT pool_spent_not_negative CHECK (spent >= 0),
  CONSTRAINT pool_held_not_negative CHECK (held >= 0),
  CONSTRAINT pool_cap_holds CHECK (spent + held <= cap),
  CONSTRAINT pool_cap_has_a_reason CHECK (cap = greatest(budget, spent + held)),
  PRIMARY KEY (pool_id, period, starts_at)
);
CREATE FUNCTION pool_windows_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (SELECT 1 FROM pooled_budgets b
      WHERE b.pool_id = NEW.pool_id AND b.period = NEW.period AND NEW.budget IN (b.budget, b.budget + b.raised_by))
    THEN RAISE EXCEPTION 'a budget begins unspent, as its pool has it'; END IF;
  ELSIF (NEW.pool_id, NEW.period, NEW.starts_at) IS DISTINCT FROM (OLD.pool_id, OLD.period, OLD.starts_at)
    OR (NEW.budget <> OLD.budget AND NOT EXISTS (SELECT 1 FROM pooled_budgets b
      WHERE b.pool_id = NEW.pool_id AND b.period = NEW.period AND NEW.budget IN (b.budget, b.budget + b.raised_by)))
  THEN RAISE EXCEPTION 'budgets keep their pool and time, and are as their pool has them'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER pool_windows_guard BEFORE INSERT OR UPDATE ON pool_windows FOR EACH ROW EXECUTE FUNCTION pool_windows_guard();
CREATE TRIGGER pool_windows_stay BEFORE DELETE OR TRUNCATE ON pool_windows FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

-- The budgets of pools that a hold counts against, as JSON: of each its pool, its period and the beginning of that. NULL
-- where there is none.
ALTER TABLE holds ADD COLUMN pools TEXT CHECK (json_array_length(pools::json) > 0);
ALTER TABLE receipts ADD COLUMN pools TEXT;
-- What it looks up it finds by its number, however many there were when this was planned.
CREATE FUNCTION holds_pooled() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM added WHERE pools IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM added h JOIN budget_pools p ON p.account_id = h.account_id) THEN RETURN NULL; END IF;
  IF EXISTS (SELECT id, pool_id, period, starts_at FROM (
      SELECT 1 AS told, h.id, (j ->> 0)::bigint AS pool_id, j ->> 1 AS period, (j ->> 2)::bigint AS starts_at
        FROM added h, json_array_elements(h.pools::json) j
      UNION ALL SELECT -1, h.id, l.pool_id, l.period, CASE l.period WHEN 'day' THEN h.created_at - h.created_at % 86400000
          WHEN 'week' THEN h.created_at - (h.created_at + 259200000) % 604800000
          WHEN 'month' THEN extract(epoch FROM date_trunc('month', to_timestamp(h.created_at / 1000) AT TIME ZONE 'UTC'))::bigint * 1000
          ELSE 0 END
        FROM added h JOIN api_keys k ON k.id = h.key_id, LATERAL (
          SELECT id FROM budget_pools o WHERE o.account_id = k.account_id AND o.kind = 'organisation'
          UNION ALL SELECT k.team_id UNION ALL SELECT k.member_id) q JOIN pooled_budgets l ON l.pool_id = q.id
    ) x GROUP BY 1, 2, 3, 4 HAVING sum(told) <> 0)
  THEN RAISE EXCEPTION 'a hold counts against the budgets of its pools, each of them and no other'; END IF;
  INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap)
    SELECT x.pool_id, x.period, x.starts_at, min(x.now), min(x.now) FROM (SELECT l.pool_id, l.period, (j ->> 2)::bigint AS starts_at,
        l.budget + CASE WHEN h.created_at < l.raised_until THEN l.raised_by ELSE 0 END AS now
      FROM added h, json_array_elements(h.pools::json) j, pooled_budgets l WHERE l.pool_id = (j ->> 0)::bigint AND l.period = j ->> 1) x
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
  -- What does not fit is refused by the rules of a cap.
  UPDATE pool_windows w SET budget = x.now, cap = greatest(x.now, CASE WHEN x.amount = 0 THEN w.spent + w.held END), held = w.held + x.amount
    FROM (SELECT l.pool_id, l.period, (j ->> 2)::bigint AS starts_at, sum(h.amount)::bigint AS amount,
        min(l.budget + CASE WHEN h.created_at < l.raised_until THEN l.raised_by ELSE 0 END) AS now
      FROM added h, json_array_elements(h.pools::json) j, pooled_budgets l WHERE l.pool_id = (j ->> 0)::bigint AND l.period = j ->> 1
      GROUP BY 1, 2, 3) x
    WHERE w.pool_id = x.pool_id AND w.period = x.period AND w.starts_at = x.starts_at;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_pooled AFTER INSERT ON holds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holds_pooled();
CREATE FUNCTION receipts_pooled() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM added WHERE pools IS NOT NULL) THEN RETURN NULL; END IF;
  UPDATE pool_windows w
    SET held = w.held - x.amount, spent = w.spent + x.cost, cap = greatest(w.budget, w.spent + x.cost + w.held - x.amount)
    FROM (SELECT (j ->> 0)::bigint AS pool_id, j ->> 1 AS period, (j ->> 2)::bigint AS starts_at,
        sum(r.held)::bigint AS amount, sum(r.cost)::bigint AS cost
      FROM added r, json_array_elements(r.pools::json) j GROUP BY 1, 2, 3) x
    WHERE w.pool_id = x.pool_id AND w.period = x.period AND w.starts_at = x.starts_at;
  RETURN NULL;
END $$;
CREATE TRIGGER receipts_pooled AFTER INSERT ON receipts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION receipts_pooled();
-- A hold is found by its number, however many there were when this was planned.
CREATE OR REPLACE FUNCTION receipts_resolve() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE ended bigint; unfinished bigint; BEGIN
  WITH gone AS (DELETE FROM holds h USING added r
      WHERE h.id = r.hold_id AND h.account_id = r.account_id AND h.key_id = r.key_id AND h.request_id = r.request_id
        AND h.amount = r.held AND h.model = r.model AND h.stream = r.stream AND h.price_id = r.price_id
        AND h.ratio_ppm = r.ratio_ppm AND h.created_at = r.created_at AND h.expires_at = r.expires_at
        AND h.day_at IS NOT DISTINCT FROM r.day_at AND h.month_at IS NOT DISTINCT FROM r.month_at
        AND h.life_at IS NOT DISTINCT FROM r.life_at AND h.pools IS NOT DISTINCT FROM r.pools
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

-- What the receipts of an archived month came to, of each pool's budget for all time.
CREATE TABLE carried_pools (
  starts_at BIGINT NOT NULL REFERENCES archived_months (starts_at),
  pool_id BIGINT NOT NULL REFERENCES budget_pools (id),
  cost BIGINT NOT NULL CHECK (cost >= 0),
  PRIMARY KEY (starts_at, pool_id)
);
CREATE TRIGGER carried_pools_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON carried_pools FOR EACH STATEMENT EXECUTE FUNCTION append_only();
