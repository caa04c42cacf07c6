-- expands
-- Budgets of keys for a week. A server that knows nothing of them takes no hold by a key that has one: the rules of holds refuse it. Nor
-- does it end a hold that counts against one: whoever knows of them does.

ALTER TABLE api_keys ADD COLUMN budget_week INTEGER CHECK (budget_week BETWEEN 0 AND 1000000000000000000);
ALTER TABLE holds ADD COLUMN week_at INTEGER CONSTRAINT week_counts_when_counted CHECK (week_at IS NULL OR counted = 1);
ALTER TABLE receipts ADD COLUMN week_at INTEGER;
DROP TRIGGER holds_by_live_key;
DROP TRIGGER holds_count;
DROP TRIGGER receipts_spend;
DROP TRIGGER receipts_resolve;
DROP TRIGGER api_keys_budgets;
DROP TRIGGER spend_windows_born_empty;
DROP TRIGGER spend_windows_fixed;
DROP TRIGGER spend_windows_stay;

ALTER TABLE spend_windows RENAME TO spend_windows_before;
CREATE TABLE spend_windows (
  key_id INTEGER NOT NULL REFERENCES api_keys (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'life')),
  -- The beginning of the day, week or month in UTC; 0 for the life.
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
INSERT INTO spend_windows (key_id, period, starts_at, budget, cap, spent, held)
  SELECT key_id, period, starts_at, budget, cap, spent, held FROM spend_windows_before;
DROP TABLE spend_windows_before;
CREATE TRIGGER spend_windows_born_empty BEFORE INSERT ON spend_windows WHEN NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (
    SELECT 1 FROM api_keys WHERE id = NEW.key_id
      AND NEW.budget = CASE NEW.period WHEN 'day' THEN budget_day WHEN 'week' THEN budget_week WHEN 'month' THEN budget_month
        ELSE budget_life END)
  BEGIN SELECT RAISE(ABORT, 'a budget begins unspent, as its key has it'); END;
CREATE TRIGGER spend_windows_fixed BEFORE UPDATE ON spend_windows
  WHEN NEW.key_id <> OLD.key_id OR NEW.period <> OLD.period OR NEW.starts_at <> OLD.starts_at
  BEGIN SELECT RAISE(ABORT, 'budgets keep their key and time'); END;
CREATE TRIGGER spend_windows_stay BEFORE DELETE ON spend_windows BEGIN SELECT RAISE(ABORT, 'budgets stay'); END;

CREATE TRIGGER holds_by_live_key BEFORE INSERT ON holds WHEN EXISTS (
    SELECT 1 FROM api_keys WHERE id = NEW.key_id AND (state <> 'active' OR account_id <> NEW.account_id OR (NEW.counted = 0
      AND coalesce(budget_day, budget_week, budget_month, budget_life, requests_per_minute, tokens_per_minute, in_flight_max) IS NOT NULL)))
  BEGIN SELECT RAISE(ABORT, 'a hold is by a live key of its account and counts against the limits of that'); END;
CREATE TRIGGER holds_count AFTER INSERT ON holds WHEN NEW.counted = 1 BEGIN
  SELECT RAISE(ABORT, 'limits are those of a key') WHERE NOT EXISTS (SELECT 1 FROM api_keys WHERE id = NEW.key_id);
  SELECT RAISE(ABORT, 'a hold counts against each budget of its key') FROM api_keys
    WHERE id = NEW.key_id AND ((budget_day IS NOT NULL) <> (NEW.day_at IS NOT NULL)
      OR (budget_week IS NOT NULL) <> (NEW.week_at IS NOT NULL) OR (budget_month IS NOT NULL) <> (NEW.month_at IS NOT NULL)
      OR (budget_life IS NOT NULL) <> (NEW.life_at IS NOT NULL));
  INSERT INTO spend_windows (key_id, period, starts_at, budget, cap)
    SELECT k.id, p.period, p.starts_at, p.budget, p.budget FROM api_keys k
      JOIN (SELECT 'day' AS period, NEW.day_at AS starts_at, (SELECT budget_day FROM api_keys WHERE id = NEW.key_id) AS budget
        UNION ALL SELECT 'week', NEW.week_at, (SELECT budget_week FROM api_keys WHERE id = NEW.key_id)
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
    WHERE key_id = NEW.key_id AND period = 'week' AND starts_at = NEW.week_at AND spent + held + NEW.amount > cap;
  UPDATE spend_windows SET held = held + NEW.amount WHERE key_id = NEW.key_id AND period = 'week' AND starts_at = NEW.week_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.week_at IS NOT NULL);
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
CREATE TRIGGER receipts_spend AFTER INSERT ON receipts WHEN coalesce(NEW.day_at, NEW.week_at, NEW.month_at, NEW.life_at) IS NOT NULL BEGIN
  UPDATE spend_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE key_id = NEW.key_id AND period = 'day' AND starts_at = NEW.day_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> (NEW.day_at IS NOT NULL);
  UPDATE spend_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE key_id = NEW.key_id AND period = 'week' AND starts_at = NEW.week_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> (NEW.week_at IS NOT NULL);
  UPDATE spend_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE key_id = NEW.key_id AND period = 'month' AND starts_at = NEW.month_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> (NEW.month_at IS NOT NULL);
  UPDATE spend_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE key_id = NEW.key_id AND period = 'life' AND starts_at = NEW.life_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> (NEW.life_at IS NOT NULL);
END;
CREATE TRIGGER receipts_resolve AFTER INSERT ON receipts BEGIN
  SELECT RAISE(ABORT, 'a receipt resolves an open hold, by its terms') WHERE NOT EXISTS (
    SELECT 1 FROM holds WHERE id = NEW.hold_id AND account_id = NEW.account_id AND key_id = NEW.key_id
      AND request_id = NEW.request_id AND amount = NEW.held AND model = NEW.model AND stream = NEW.stream
      AND price_id = NEW.price_id AND ratio_ppm = NEW.ratio_ppm AND created_at = NEW.created_at AND expires_at = NEW.expires_at
      AND day_at IS NEW.day_at AND week_at IS NEW.week_at AND month_at IS NEW.month_at AND life_at IS NEW.life_at AND pools IS NEW.pools
      AND (NEW.tags IS NULL OR tags = NEW.tags));
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
CREATE TRIGGER api_keys_budgets AFTER UPDATE OF budget_day, budget_week, budget_month, budget_life ON api_keys BEGIN
  UPDATE spend_windows SET budget = NEW.budget_day, cap = max(NEW.budget_day, spent + held)
    WHERE key_id = NEW.id AND period = 'day' AND NEW.budget_day IS NOT NULL;
  UPDATE spend_windows SET budget = NEW.budget_week, cap = max(NEW.budget_week, spent + held)
    WHERE key_id = NEW.id AND period = 'week' AND NEW.budget_week IS NOT NULL;
  UPDATE spend_windows SET budget = NEW.budget_month, cap = max(NEW.budget_month, spent + held)
    WHERE key_id = NEW.id AND period = 'month' AND NEW.budget_month IS NOT NULL;
  UPDATE spend_windows SET budget = NEW.budget_life, cap = max(NEW.budget_life, spent + held)
    WHERE key_id = NEW.id AND period = 'life' AND NEW.budget_life IS NOT NULL;
END;
