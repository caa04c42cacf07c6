-- How far a key goes: what it may be used for, what it may spend in a day, a month and its life, and how fast. The same tables
-- and rules as migrations/sqlite/0009_limits.sql.
--
-- Whoever changes a key takes the balance of its account first, as whoever takes or ends a hold does: so all of this is
-- decided one after the other.

ALTER TABLE api_keys ADD COLUMN models TEXT;
ALTER TABLE api_keys ADD COLUMN operations TEXT;
ALTER TABLE api_keys ADD COLUMN addresses TEXT;
ALTER TABLE api_keys ADD COLUMN budget_day BIGINT CHECK (budget_day BETWEEN 0 AND 1000000000000000000);
ALTER TABLE api_keys ADD COLUMN budget_month BIGINT CHECK (budget_month BETWEEN 0 AND 1000000000000000000);
ALTER TABLE api_keys ADD COLUMN budget_life BIGINT CHECK (budget_life BETWEEN 0 AND 1000000000000000000);
ALTER TABLE api_keys ADD COLUMN requests_per_minute BIGINT CHECK (requests_per_minute BETWEEN 1 AND 1000000000);
ALTER TABLE api_keys ADD COLUMN tokens_per_minute BIGINT CHECK (tokens_per_minute BETWEEN 1 AND 1000000000000);
ALTER TABLE api_keys ADD COLUMN in_flight_max BIGINT CHECK (in_flight_max BETWEEN 1 AND 1000000);

CREATE TABLE spend_windows (
  key_id BIGINT NOT NULL REFERENCES api_keys (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'month', 'life')),
  starts_at BIGINT NOT NULL CHECK (starts_at >= 0 AND (period <> 'life' OR starts_at = 0)),
  budget BIGINT NOT NULL CHECK (budget >= 0),
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

CREATE TABLE hold_limits (
  hold_id BIGINT PRIMARY KEY REFERENCES holds (id),
  key_id BIGINT NOT NULL REFERENCES api_keys (id),
  day_at BIGINT,
  month_at BIGINT,
  life_at BIGINT CHECK (life_at = 0),
  tokens BIGINT NOT NULL CHECK (tokens >= 0),
  in_flight BIGINT NOT NULL CHECK (in_flight IN (0, 1))
);
CREATE TRIGGER hold_limits_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hold_limits FOR EACH STATEMENT EXECUTE FUNCTION append_only();

ALTER TABLE holds ADD COLUMN limits_id BIGINT REFERENCES hold_limits (hold_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE holds ADD CONSTRAINT its_own_limits CHECK (limits_id = id);
CREATE FUNCTION holds_limits_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'holds keep their terms';
END $$;
CREATE TRIGGER holds_limits_fixed BEFORE UPDATE ON holds FOR EACH ROW WHEN (NEW.limits_id IS DISTINCT FROM OLD.limits_id)
  EXECUTE FUNCTION holds_limits_fixed();

CREATE FUNCTION holds_by_live_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added h JOIN api_keys k ON k.id = h.key_id
    WHERE k.state <> 'active' OR k.account_id <> h.account_id OR (h.limits_id IS NULL
      AND coalesce(k.budget_day, k.budget_month, k.budget_life, k.requests_per_minute, k.tokens_per_minute, k.in_flight_max) IS NOT NULL))
  THEN RAISE EXCEPTION 'a hold is by a live key of its account and counts against the limits of that'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_by_live_key AFTER INSERT ON holds REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holds_by_live_key();

CREATE FUNCTION hold_limits_count() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added l LEFT JOIN holds h ON h.id = l.hold_id AND h.limits_id = l.hold_id AND h.key_id = l.key_id
    AND h.state = 'held' WHERE h.id IS NULL)
  THEN RAISE EXCEPTION 'limits are of an open hold of the key'; END IF;
  IF EXISTS (SELECT 1 FROM added l JOIN api_keys k ON k.id = l.key_id WHERE (k.budget_day IS NOT NULL) <> (l.day_at IS NOT NULL)
    OR (k.budget_month IS NOT NULL) <> (l.month_at IS NOT NULL) OR (k.budget_life IS NOT NULL) <> (l.life_at IS NOT NULL))
  THEN RAISE EXCEPTION 'a hold counts against each budget of its key'; END IF;
  INSERT INTO spend_windows (key_id, period, starts_at, budget, cap)
    SELECT DISTINCT k.id, v.period, v.starts_at, v.budget, v.budget FROM added l JOIN api_keys k ON k.id = l.key_id,
      LATERAL (VALUES ('day', l.day_at, k.budget_day), ('month', l.month_at, k.budget_month), ('life', l.life_at, k.budget_life))
        v (period, starts_at, budget)
    WHERE v.starts_at IS NOT NULL ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
  -- What does not fit is refused by the rule that a cap holds what is spent and held.
  UPDATE spend_windows w SET held = w.held + x.amount
    FROM (SELECT l.key_id, v.period, v.starts_at, sum(h.amount)::bigint AS amount FROM added l JOIN holds h ON h.id = l.hold_id,
      LATERAL (VALUES ('day', l.day_at), ('month', l.month_at), ('life', l.life_at)) v (period, starts_at)
      WHERE v.starts_at IS NOT NULL GROUP BY 1, 2, 3) x
    WHERE w.key_id = x.key_id AND w.period = x.period AND w.starts_at = x.starts_at;
  INSERT INTO key_rates AS r (key_id, in_flight) SELECT key_id, sum(in_flight)::bigint FROM added GROUP BY key_id ORDER BY key_id
    ON CONFLICT (key_id) DO UPDATE SET in_flight = r.in_flight + excluded.in_flight;
  IF EXISTS (SELECT 1 FROM added l JOIN key_rates r ON r.key_id = l.key_id JOIN api_keys k ON k.id = l.key_id
    WHERE l.in_flight = 1 AND r.in_flight > k.in_flight_max)
  THEN RAISE EXCEPTION 'too many requests of the key are under way'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER hold_limits_count AFTER INSERT ON hold_limits REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_limits_count();

CREATE FUNCTION holds_give_back_limits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM after WHERE limits_id IS NOT NULL) THEN RETURN NULL; END IF;
  UPDATE spend_windows w
    SET held = w.held - x.amount, spent = w.spent + x.cost, cap = greatest(w.budget, w.spent + x.cost + w.held - x.amount)
    FROM (SELECT l.key_id, v.period, v.starts_at, sum(n.amount)::bigint AS amount, sum(r.cost)::bigint AS cost
      FROM after n JOIN before o USING (id) JOIN hold_limits l ON l.hold_id = n.id JOIN receipts r ON r.hold_id = n.id,
        LATERAL (VALUES ('day', l.day_at), ('month', l.month_at), ('life', l.life_at)) v (period, starts_at)
      WHERE o.state = 'held' AND n.state <> 'held' AND v.starts_at IS NOT NULL GROUP BY 1, 2, 3) x
    WHERE w.key_id = x.key_id AND w.period = x.period AND w.starts_at = x.starts_at;
  UPDATE key_rates r SET in_flight = r.in_flight - x.in_flight
    FROM (SELECT l.key_id, sum(l.in_flight)::bigint AS in_flight FROM after n JOIN before o USING (id) JOIN hold_limits l ON l.hold_id = n.id
      WHERE o.state = 'held' AND n.state <> 'held' GROUP BY l.key_id) x
    WHERE r.key_id = x.key_id;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_give_back_limits AFTER UPDATE ON holds REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION holds_give_back_limits();

CREATE FUNCTION api_keys_budgets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE spend_windows w SET budget = v.budget, cap = greatest(v.budget, w.spent + w.held)
    FROM (VALUES ('day', NEW.budget_day), ('month', NEW.budget_month), ('life', NEW.budget_life)) v (period, budget)
    WHERE w.key_id = NEW.id AND w.period = v.period AND v.budget IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_budgets AFTER UPDATE OF budget_day, budget_month, budget_life ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_budgets();

DROP TRIGGER api_keys_epoch ON api_keys;
CREATE TRIGGER api_keys_epoch AFTER INSERT OR UPDATE OF state, models, operations, addresses ON api_keys
  FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();
