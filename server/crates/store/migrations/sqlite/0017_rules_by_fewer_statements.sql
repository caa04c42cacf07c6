-- expands
-- The rules of holds and receipts, by fewer statements for each row. They refuse what they refused: a rule that looked at a row before
-- it was changed looks as it changes it; what was asked of a hold before its receipt deleted it is asked as it is deleted; and rules
-- that no change of amounts can break are not asked of one. No rule of `holds` comes before the row is written, so that its values are
-- put together once: a row that `OR IGNORE` passes over is not asked, and one that is given its number here is asked by that.

DROP TRIGGER balances_keep_owner;
CREATE TRIGGER balances_keep_owner BEFORE UPDATE OF account_id, rowid, oid, _rowid_ ON balances WHEN NEW.account_id <> OLD.account_id
  BEGIN SELECT RAISE(ABORT, 'balances keep their owner'); END;
DROP TRIGGER key_rates_fixed;
CREATE TRIGGER key_rates_fixed BEFORE UPDATE OF key_id, rowid, oid, _rowid_ ON key_rates WHEN NEW.key_id <> OLD.key_id
  BEGIN SELECT RAISE(ABORT, 'rates keep their key'); END;
DROP TRIGGER spend_windows_fixed;
CREATE TRIGGER spend_windows_fixed BEFORE UPDATE OF key_id, period, starts_at ON spend_windows
  WHEN NEW.key_id <> OLD.key_id OR NEW.period <> OLD.period OR NEW.starts_at <> OLD.starts_at
  BEGIN SELECT RAISE(ABORT, 'budgets keep their key and time'); END;

-- The newest is asked first: whose it is and whether it was held before, and then what is left.
DROP TRIGGER holds_reserve;
CREATE TRIGGER holds_reserve AFTER INSERT ON holds BEGIN
  UPDATE balances SET held = CASE WHEN posted - held >= NEW.amount THEN held + NEW.amount
      ELSE RAISE(ABORT, 'available_not_negative: a hold reserves what is there') END, version = version + 1
    WHERE account_id = NEW.account_id;
  SELECT RAISE(ABORT, 'a hold is reserved') WHERE changes() <> 1;
END;
DROP TRIGGER holds_count;
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
  UPDATE spend_windows SET held = CASE WHEN spent + held + NEW.amount <= cap THEN held + NEW.amount
      ELSE RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') END
    WHERE key_id = NEW.key_id AND period = 'day' AND starts_at = NEW.day_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.day_at IS NOT NULL);
  UPDATE spend_windows SET held = CASE WHEN spent + held + NEW.amount <= cap THEN held + NEW.amount
      ELSE RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') END
    WHERE key_id = NEW.key_id AND period = 'week' AND starts_at = NEW.week_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.week_at IS NOT NULL);
  UPDATE spend_windows SET held = CASE WHEN spent + held + NEW.amount <= cap THEN held + NEW.amount
      ELSE RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') END
    WHERE key_id = NEW.key_id AND period = 'month' AND starts_at = NEW.month_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.month_at IS NOT NULL);
  UPDATE spend_windows SET held = CASE WHEN spent + held + NEW.amount <= cap THEN held + NEW.amount
      ELSE RAISE(ABORT, 'cap_holds: a hold fits into the budgets of its key') END
    WHERE key_id = NEW.key_id AND period = 'life' AND starts_at = NEW.life_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> (NEW.life_at IS NOT NULL);
  SELECT RAISE(ABORT, 'too many requests of the key are under way') FROM api_keys k JOIN key_rates r ON r.key_id = k.id
    WHERE k.id = NEW.key_id AND NEW.in_flight = 1 AND r.in_flight >= k.in_flight_max;
  INSERT INTO key_rates (key_id, in_flight) VALUES (NEW.key_id, NEW.in_flight)
    ON CONFLICT (key_id) DO UPDATE SET in_flight = in_flight + excluded.in_flight;
END;
DROP TRIGGER holds_once;
CREATE TRIGGER holds_once AFTER INSERT ON holds
  WHEN EXISTS (SELECT 1 FROM receipts WHERE hold_id = NEW.id) OR EXISTS (SELECT 1 FROM receipts WHERE request_id = NEW.request_id)
  BEGIN SELECT RAISE(ABORT, 'holds.request_id: what has its receipt is not held again'); END;
DROP TRIGGER holds_by_live_key;
CREATE TRIGGER holds_by_live_key AFTER INSERT ON holds WHEN EXISTS (
    SELECT 1 FROM api_keys WHERE id = NEW.key_id AND (state <> 'active' OR account_id <> NEW.account_id OR (NEW.counted = 0
      AND coalesce(budget_day, budget_week, budget_month, budget_life, requests_per_minute, tokens_per_minute, in_flight_max) IS NOT NULL)))
  BEGIN SELECT RAISE(ABORT, 'a hold is by a live key of its account and counts against the limits of that'); END;

DROP TRIGGER receipts_resolve;
CREATE TRIGGER receipts_resolve AFTER INSERT ON receipts BEGIN
  DELETE FROM holds WHERE id = NEW.hold_id AND account_id = NEW.account_id AND key_id = NEW.key_id
    AND request_id = NEW.request_id AND amount = NEW.held AND model = NEW.model AND stream = NEW.stream
    AND price_id = NEW.price_id AND ratio_ppm = NEW.ratio_ppm AND created_at = NEW.created_at AND expires_at = NEW.expires_at
    AND day_at IS NEW.day_at AND week_at IS NEW.week_at AND month_at IS NEW.month_at AND life_at IS NEW.life_at AND pools IS NEW.pools
    AND (NEW.tags IS NULL OR tags = NEW.tags);
  SELECT RAISE(ABORT, 'a receipt resolves an open hold, by its terms') WHERE changes() <> 1;
  UPDATE balances SET held = CASE WHEN held >= NEW.held THEN held - NEW.held
      ELSE RAISE(ABORT, 'held_not_negative: a hold gives back what it reserved') END,
    posted = CASE WHEN posted - held + NEW.held >= NEW.cost THEN posted - NEW.cost
      ELSE RAISE(ABORT, 'available_not_negative: a charge takes what is there') END, version = version + 1
    WHERE account_id = NEW.account_id;
  SELECT RAISE(ABORT, 'a hold is given back and charged') WHERE changes() <> 1;
END;
DROP TRIGGER holds_by_receipt;
CREATE TRIGGER holds_by_receipt BEFORE DELETE ON holds BEGIN
  SELECT RAISE(ABORT, 'holds stay until they are resolved by their receipt')
    WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE hold_id = OLD.id AND request_id = OLD.request_id);
  SELECT RAISE(ABORT, 'a kept hold ends with what it is kept for') WHERE OLD.kept = 1 AND NOT EXISTS (
    SELECT 1 FROM video_task v JOIN receipts r ON r.hold_id = v.hold_id WHERE v.hold_id = OLD.id AND v.receipt_id = OLD.id
      AND v.status = CASE r.state WHEN 'settled' THEN 'completed' ELSE 'failed' END);
END;
CREATE TRIGGER holds_in_flight AFTER DELETE ON holds WHEN OLD.in_flight = 1 BEGIN
  UPDATE key_rates SET in_flight = CASE WHEN in_flight > 0 THEN in_flight - 1
      ELSE RAISE(ABORT, 'in_flight_not_negative: a request is under way no more') END WHERE key_id = OLD.key_id;
  SELECT RAISE(ABORT, 'a request is under way no more') WHERE changes() <> 1;
END;
