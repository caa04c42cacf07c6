-- How far a key goes: what it may be used for, what it may spend in a day, a month and its life, and how fast.
--
-- As with balances, programs insert and the database counts:
--   a row in `hold_limits`   counts its hold against the budgets of its key (trigger hold_limits_count),
--   the receipt of the hold  gives that back and counts what it cost (trigger holds_give_back_limits).
-- A hold of a key that has limits cannot be without such a row, and a key that is revoked takes no hold.

-- NULL: without limit. Lists are JSON, amounts nano-USD. The first three say who is let in, which no row below depends on.
ALTER TABLE api_keys ADD COLUMN models TEXT;
ALTER TABLE api_keys ADD COLUMN operations TEXT;
ALTER TABLE api_keys ADD COLUMN addresses TEXT;
ALTER TABLE api_keys ADD COLUMN budget_day INTEGER CHECK (budget_day BETWEEN 0 AND 1000000000000000000);
ALTER TABLE api_keys ADD COLUMN budget_month INTEGER CHECK (budget_month BETWEEN 0 AND 1000000000000000000);
ALTER TABLE api_keys ADD COLUMN budget_life INTEGER CHECK (budget_life BETWEEN 0 AND 1000000000000000000);
ALTER TABLE api_keys ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute BETWEEN 1 AND 1000000000);
ALTER TABLE api_keys ADD COLUMN tokens_per_minute INTEGER CHECK (tokens_per_minute BETWEEN 1 AND 1000000000000);
ALTER TABLE api_keys ADD COLUMN in_flight_max INTEGER CHECK (in_flight_max BETWEEN 1 AND 1000000);

-- What a key has spent of a budget. Made by the first hold that counts against it.
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

-- How much of a minute's allowance a key has used: buckets that run dry at the rate of the limit. In parts of 60,000, so that
-- a limit of n a minute is n parts a millisecond.
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

-- What a hold counts against.
CREATE TABLE hold_limits (
  hold_id INTEGER PRIMARY KEY REFERENCES holds (id),
  key_id INTEGER NOT NULL REFERENCES api_keys (id),
  -- The budgets by their beginning; absent where the key had none.
  day_at INTEGER,
  month_at INTEGER,
  life_at INTEGER CHECK (life_at = 0),
  -- Tokens that were taken off the minute's allowance.
  tokens INTEGER NOT NULL CHECK (tokens >= 0),
  -- Whether it counts as a request under way.
  in_flight INTEGER NOT NULL CHECK (in_flight IN (0, 1))
) STRICT;
CREATE TRIGGER hold_limits_no_update BEFORE UPDATE ON hold_limits BEGIN SELECT RAISE(ABORT, 'hold_limits is append-only'); END;
CREATE TRIGGER hold_limits_no_delete BEFORE DELETE ON hold_limits BEGIN SELECT RAISE(ABORT, 'hold_limits is append-only'); END;

-- Its own number where the hold counts against limits. The row may come after the hold, in the same transaction.
ALTER TABLE holds ADD COLUMN limits_id INTEGER REFERENCES hold_limits (hold_id) DEFERRABLE INITIALLY DEFERRED CHECK (limits_id = id);
DROP TRIGGER holds_fixed;
CREATE TRIGGER holds_fixed BEFORE UPDATE OF account_id, key_id, request_id, amount, model, stream, price_prompt, price_cached,
  price_cache_write, price_cache_write_long, price_completion, price_audio_prompt, price_image_prompt, price_audio_completion,
  price_image_completion, price_version, epoch, created_at, kept, limits_id ON holds
  BEGIN SELECT RAISE(ABORT, 'holds keep their terms'); END;
CREATE TRIGGER holds_by_live_key BEFORE INSERT ON holds WHEN EXISTS (
    SELECT 1 FROM api_keys WHERE id = NEW.key_id AND (state <> 'active' OR account_id <> NEW.account_id OR (NEW.limits_id IS NULL
      AND coalesce(budget_day, budget_month, budget_life, requests_per_minute, tokens_per_minute, in_flight_max) IS NOT NULL)))
  BEGIN SELECT RAISE(ABORT, 'a hold is by a live key of its account and counts against the limits of that'); END;

CREATE TRIGGER hold_limits_count AFTER INSERT ON hold_limits BEGIN
  SELECT RAISE(ABORT, 'limits are of an open hold of the key') WHERE NOT EXISTS (
    SELECT 1 FROM holds WHERE id = NEW.hold_id AND limits_id = NEW.hold_id AND key_id = NEW.key_id AND state = 'held');
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
  SELECT RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') FROM spend_windows w, holds h
    WHERE h.id = NEW.hold_id AND w.key_id = NEW.key_id AND w.period = 'day' AND w.starts_at = NEW.day_at AND w.spent + w.held + h.amount > w.cap;
  UPDATE spend_windows SET held = held + (SELECT amount FROM holds WHERE id = NEW.hold_id)
    WHERE key_id = NEW.key_id AND period = 'day' AND starts_at = NEW.day_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.day_at IS NOT NULL);
  SELECT RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') FROM spend_windows w, holds h
    WHERE h.id = NEW.hold_id AND w.key_id = NEW.key_id AND w.period = 'month' AND w.starts_at = NEW.month_at AND w.spent + w.held + h.amount > w.cap;
  UPDATE spend_windows SET held = held + (SELECT amount FROM holds WHERE id = NEW.hold_id)
    WHERE key_id = NEW.key_id AND period = 'month' AND starts_at = NEW.month_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.month_at IS NOT NULL);
  SELECT RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') FROM spend_windows w, holds h
    WHERE h.id = NEW.hold_id AND w.key_id = NEW.key_id AND w.period = 'life' AND w.starts_at = NEW.life_at AND w.spent + w.held + h.amount > w.cap;
  UPDATE spend_windows SET held = held + (SELECT amount FROM holds WHERE id = NEW.hold_id)
    WHERE key_id = NEW.key_id AND period = 'life' AND starts_at = NEW.life_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.life_at IS NOT NULL);
  SELECT RAISE(ABORT, 'too many requests of the key are under way') FROM api_keys k JOIN key_rates r ON r.key_id = k.id
    WHERE k.id = NEW.key_id AND NEW.in_flight = 1 AND r.in_flight >= k.in_flight_max;
  INSERT INTO key_rates (key_id, in_flight) VALUES (NEW.key_id, NEW.in_flight)
    ON CONFLICT (key_id) DO UPDATE SET in_flight = in_flight + excluded.in_flight;
END;

CREATE TRIGGER holds_give_back_limits AFTER UPDATE OF state ON holds
  WHEN OLD.state = 'held' AND NEW.state <> 'held' AND NEW.limits_id IS NOT NULL BEGIN
  UPDATE spend_windows SET held = held - NEW.amount, spent = spent + r.cost, cap = max(budget, spent + r.cost + held - NEW.amount)
    FROM receipts r, hold_limits l WHERE r.hold_id = NEW.id AND l.hold_id = NEW.id
      AND spend_windows.key_id = l.key_id AND period = 'day' AND starts_at = l.day_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') FROM hold_limits WHERE hold_id = NEW.id AND changes() <> (day_at IS NOT NULL);
  UPDATE spend_windows SET held = held - NEW.amount, spent = spent + r.cost, cap = max(budget, spent + r.cost + held - NEW.amount)
    FROM receipts r, hold_limits l WHERE r.hold_id = NEW.id AND l.hold_id = NEW.id
      AND spend_windows.key_id = l.key_id AND period = 'month' AND starts_at = l.month_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') FROM hold_limits WHERE hold_id = NEW.id AND changes() <> (month_at IS NOT NULL);
  UPDATE spend_windows SET held = held - NEW.amount, spent = spent + r.cost, cap = max(budget, spent + r.cost + held - NEW.amount)
    FROM receipts r, hold_limits l WHERE r.hold_id = NEW.id AND l.hold_id = NEW.id
      AND spend_windows.key_id = l.key_id AND period = 'life' AND starts_at = l.life_at;
  SELECT RAISE(ABORT, 'a hold is counted no more') FROM hold_limits WHERE hold_id = NEW.id AND changes() <> (life_at IS NOT NULL);
  UPDATE key_rates SET in_flight = key_rates.in_flight - l.in_flight FROM hold_limits l
    WHERE l.hold_id = NEW.id AND key_rates.key_id = l.key_id;
END;

-- A budget that is changed is changed at once, also for what is spent already.
CREATE TRIGGER api_keys_budgets AFTER UPDATE OF budget_day, budget_month, budget_life ON api_keys BEGIN
  UPDATE spend_windows SET budget = NEW.budget_day, cap = max(NEW.budget_day, spent + held)
    WHERE key_id = NEW.id AND period = 'day' AND NEW.budget_day IS NOT NULL;
  UPDATE spend_windows SET budget = NEW.budget_month, cap = max(NEW.budget_month, spent + held)
    WHERE key_id = NEW.id AND period = 'month' AND NEW.budget_month IS NOT NULL;
  UPDATE spend_windows SET budget = NEW.budget_life, cap = max(NEW.budget_life, spent + held)
    WHERE key_id = NEW.id AND period = 'life' AND NEW.budget_life IS NOT NULL;
END;

-- What is cached of a key is who is let in: another name or budget is nothing to forget it for.
DROP TRIGGER api_keys_epoch_update;
CREATE TRIGGER api_keys_epoch_update AFTER UPDATE OF state, models, operations, addresses ON api_keys
  BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
