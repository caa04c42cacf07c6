-- What a hold counts against is looked up, not derived anew for each. A server that makes windows by the rules before would make them
-- past these: no such server may be up.

DROP TRIGGER holds_pooled;
DROP TRIGGER receipts_pools;
DROP TRIGGER receipts_pooled;
DROP TRIGGER receipts_resolve;
DROP TRIGGER pool_windows_born_empty;
DROP TRIGGER pool_windows_fixed;
DROP TRIGGER pool_windows_stay;

-- What is spent and held of one budget in one period, with a number of its own.
ALTER TABLE pool_windows RENAME TO pool_windows_before;
CREATE TABLE pool_windows (
  id INTEGER PRIMARY KEY,
  pool_id INTEGER NOT NULL REFERENCES budget_pools (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'life')),
  -- The beginning of the day, week or month in UTC; 0 for all time.
  starts_at INTEGER NOT NULL CHECK (period <> 'life' OR starts_at = 0),
  -- As its latest set found it, with the raise of that time.
  budget INTEGER NOT NULL CHECK (budget >= 0),
  -- The budget; where that was lowered below what is spent and held, what is spent and held.
  cap INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT pool_spent_not_negative CHECK (spent >= 0),
  CONSTRAINT pool_held_not_negative CHECK (held >= 0),
  CONSTRAINT pool_cap_holds CHECK (spent + held <= cap),
  CONSTRAINT pool_cap_has_a_reason CHECK (cap = max(budget, spent + held)),
  UNIQUE (pool_id, period, starts_at)
) STRICT;
INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap, spent, held)
  SELECT pool_id, period, starts_at, budget, cap, spent, held FROM pool_windows_before;
DROP TABLE pool_windows_before;
CREATE TRIGGER pool_windows_born_empty BEFORE INSERT ON pool_windows WHEN NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (
    SELECT 1 FROM pooled_budgets WHERE pool_id = NEW.pool_id AND period = NEW.period AND NEW.budget IN (budget, budget + raised_by))
  BEGIN SELECT RAISE(ABORT, 'a budget begins unspent, as its pool has it'); END;
-- By all names of the number. Where only what is spent and held changes, nothing is asked.
CREATE TRIGGER pool_windows_fixed BEFORE UPDATE OF id, rowid, oid, _rowid_, pool_id, period, starts_at, budget ON pool_windows
  WHEN NEW.id <> OLD.id OR NEW.pool_id <> OLD.pool_id OR NEW.period <> OLD.period OR NEW.starts_at <> OLD.starts_at
    OR (NEW.budget <> OLD.budget AND NOT EXISTS (SELECT 1 FROM pooled_budgets
      WHERE pool_id = NEW.pool_id AND period = NEW.period AND NEW.budget IN (budget, budget + raised_by)))
  BEGIN SELECT RAISE(ABORT, 'budgets keep their pool and time, and are as their pool has them'); END;
CREATE TRIGGER pool_windows_stay BEFORE DELETE ON pool_windows BEGIN SELECT RAISE(ABORT, 'budgets stay'); END;

-- What a hold counts against that is taken with a key of this team and member, at a time from `begins_at` and before `ends_at`. A set that
-- is there is right: whatever makes it wrong takes it away, and the next hold makes it anew. Its maker says the first five of these, and
-- a trigger the rest.
CREATE TABLE pool_sets (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- 0: of none.
  team_id INTEGER NOT NULL,
  member_id INTEGER NOT NULL,
  -- As holds have it; empty where there is none.
  pools TEXT NOT NULL,
  -- The time of the hold that it was made for.
  made_at INTEGER NOT NULL,
  -- NULL while it is being made.
  begins_at INTEGER,
  ends_at INTEGER
) STRICT;
-- With all that is asked for a hold.
CREATE INDEX pool_sets_of_key ON pool_sets (account_id, team_id, member_id, ends_at, begins_at, pools);
CREATE INDEX pool_sets_by_pools ON pool_sets (pools);
CREATE TABLE pool_set_windows (
  set_id INTEGER NOT NULL,
  -- The first is 1.
  place INTEGER NOT NULL,
  window_id INTEGER NOT NULL REFERENCES pool_windows (id),
  -- What the set stands on.
  budget INTEGER NOT NULL,
  PRIMARY KEY (set_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX pool_set_windows_by_window ON pool_set_windows (window_id);

-- The pools of each set, and their budgets: with the window that the time of the set is in, what counts then, and the times between which
-- both are so. Each pool by its number: an organisation may have a thousand teams.
CREATE VIEW pool_set_pools AS
  SELECT s.id AS set_id, s.made_at, p.id AS pool_id, p.budget_day, p.budget_week, p.budget_month, p.budget_life, p.raised_by, p.raised_until
    FROM pool_sets s CROSS JOIN budget_pools p ON p.account_id = s.account_id AND p.kind = 'organisation'
  UNION ALL SELECT s.id, s.made_at, p.id, p.budget_day, p.budget_week, p.budget_month, p.budget_life, p.raised_by, p.raised_until
    FROM pool_sets s CROSS JOIN budget_pools p ON p.id = s.team_id AND p.account_id = s.account_id AND p.kind = 'team'
  UNION ALL SELECT s.id, s.made_at, p.id, p.budget_day, p.budget_week, p.budget_month, p.budget_life, p.raised_by, p.raised_until
    FROM pool_sets s CROSS JOIN budget_pools p ON p.id = s.member_id AND p.account_id = s.account_id AND p.kind = 'member';
CREATE VIEW pool_set_budgets AS
  SELECT set_id, pool_id, period, starts_at, budget + iif(made_at < raised_until, raised_by, 0) AS budget,
    max(begins_at, iif(raised_until <= made_at, raised_until, begins_at)) AS begins_at,
    min(ends_at, iif(raised_until > made_at, raised_until, ends_at)) AS ends_at
  FROM (SELECT set_id, made_at, pool_id, raised_by, raised_until, 'day' AS period, budget_day AS budget, made_at - made_at % 86400000 AS starts_at,
      made_at - made_at % 86400000 AS begins_at, made_at - made_at % 86400000 + 86400000 AS ends_at FROM pool_set_pools
    UNION ALL SELECT set_id, made_at, pool_id, raised_by, raised_until, 'week', budget_week, made_at - (made_at + 259200000) % 604800000,
      made_at - (made_at + 259200000) % 604800000, made_at - (made_at + 259200000) % 604800000 + 604800000 FROM pool_set_pools
    UNION ALL SELECT set_id, made_at, pool_id, raised_by, raised_until, 'month', budget_month,
      unixepoch(made_at / 1000, 'unixepoch', 'start of month') * 1000, unixepoch(made_at / 1000, 'unixepoch', 'start of month') * 1000,
      unixepoch(made_at / 1000, 'unixepoch', 'start of month', '+1 month') * 1000 FROM pool_set_pools
    UNION ALL SELECT set_id, made_at, pool_id, raised_by, raised_until, 'life', budget_life, 0, -9000000000000000000, 9000000000000000000
      FROM pool_set_pools)
  WHERE budget IS NOT NULL;

CREATE TRIGGER pool_sets_made AFTER INSERT ON pool_sets BEGIN
  SELECT RAISE(ABORT, 'a set of budgets is made whole') WHERE coalesce(NEW.begins_at, NEW.ends_at) IS NOT NULL;
  SELECT RAISE(ABORT, 'a hold counts against the budgets of its pools, each of them and no other') FROM (
    SELECT 1 AS told, value ->> 0 AS pool_id, value ->> 1 AS period, value ->> 2 AS starts_at FROM json_each(nullif(NEW.pools, ''))
    UNION ALL SELECT -1, pool_id, period, starts_at FROM pool_set_budgets WHERE set_id = NEW.id
  ) GROUP BY pool_id, period, starts_at HAVING sum(told) <> 0;
  INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap) SELECT b.pool_id, b.period, b.starts_at, b.budget, b.budget
    FROM pool_set_budgets b WHERE b.set_id = NEW.id AND NOT EXISTS (SELECT 1 FROM pool_windows w
      WHERE w.pool_id = b.pool_id AND w.period = b.period AND w.starts_at = b.starts_at);
  UPDATE pool_windows SET budget = b.budget, cap = max(b.budget, spent + held) FROM pool_set_budgets b
    WHERE b.set_id = NEW.id AND pool_windows.pool_id = b.pool_id AND pool_windows.period = b.period
      AND pool_windows.starts_at = b.starts_at AND pool_windows.budget <> b.budget;
  -- Of a set that had this number, where whoever took that away has seen to it that nobody was told.
  DELETE FROM pool_set_windows WHERE set_id = NEW.id;
  INSERT INTO pool_set_windows (set_id, place, window_id, budget)
    SELECT NEW.id, row_number() OVER (ORDER BY w.id), w.id, b.budget FROM pool_set_budgets b CROSS JOIN pool_windows w
      ON w.pool_id = b.pool_id AND w.period = b.period AND w.starts_at = b.starts_at AND w.budget = b.budget WHERE b.set_id = NEW.id;
  SELECT RAISE(ABORT, 'a set has all of its budgets')
    WHERE (SELECT count(*) FROM pool_set_windows WHERE set_id = NEW.id) <> (SELECT count(*) FROM pool_set_budgets WHERE set_id = NEW.id);
  -- Of one time alone where that is before all times.
  UPDATE pool_sets SET begins_at = x.begins_at, ends_at = x.ends_at FROM (
      SELECT min(coalesce(max(begins_at), -9000000000000000000), NEW.made_at) AS begins_at,
        iif(max(begins_at) > NEW.made_at, NEW.made_at + 1, coalesce(min(ends_at), 9000000000000000000)) AS ends_at
      FROM pool_set_budgets WHERE set_id = NEW.id) x
    WHERE id = NEW.id;
  SELECT RAISE(ABORT, 'a set of budgets is made whole') WHERE changes() <> 1;
  -- Those that are over by a day. Whatever was held then and ends now finds its windows one by one.
  DELETE FROM pool_sets WHERE account_id = NEW.account_id AND team_id = NEW.team_id AND member_id = NEW.member_id
    AND ends_at < NEW.made_at - 86400000;
END;
CREATE TRIGGER pool_sets_fixed BEFORE UPDATE ON pool_sets
  WHEN OLD.begins_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.team_id <> OLD.team_id
    OR NEW.member_id <> OLD.member_id OR NEW.pools <> OLD.pools OR NEW.made_at <> OLD.made_at
  BEGIN SELECT RAISE(ABORT, 'sets of budgets are as they were made'); END;
CREATE TRIGGER pool_sets_gone AFTER DELETE ON pool_sets BEGIN DELETE FROM pool_set_windows WHERE set_id = OLD.id; END;
CREATE TRIGGER pool_set_windows_with_set BEFORE INSERT ON pool_set_windows
  WHEN NOT EXISTS (SELECT 1 FROM pool_sets WHERE id = NEW.set_id AND begins_at IS NULL)
  BEGIN SELECT RAISE(ABORT, 'the budgets of a set are written as it is made'); END;
CREATE TRIGGER pool_set_windows_fixed BEFORE UPDATE ON pool_set_windows BEGIN SELECT RAISE(ABORT, 'sets of budgets are as they were made'); END;
CREATE TRIGGER pool_set_windows_go_with_set BEFORE DELETE ON pool_set_windows
  WHEN EXISTS (SELECT 1 FROM pool_sets WHERE id = OLD.set_id AND begins_at IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'the budgets of a set go with it'); END;
-- What makes sets wrong.
CREATE TRIGGER budget_pools_new AFTER INSERT ON budget_pools BEGIN DELETE FROM pool_sets WHERE account_id = NEW.account_id; END;
CREATE TRIGGER budget_pools_changed AFTER UPDATE OF budget_day, budget_week, budget_month, budget_life, raised_by, raised_until ON budget_pools
  BEGIN DELETE FROM pool_sets WHERE account_id = NEW.account_id; END;
CREATE TRIGGER pool_windows_changed AFTER UPDATE OF budget ON pool_windows WHEN NEW.budget <> OLD.budget BEGIN
  DELETE FROM pool_sets WHERE id IN (SELECT set_id FROM pool_set_windows WHERE window_id = NEW.id AND budget <> NEW.budget);
END;

-- The set of a hold; without one the first time that it is asked for, when it is made. What is written here is counted.
CREATE VIEW pool_holds AS SELECT NULL AS set_id, NULL AS hold_id, NULL AS amount, NULL AS asked WHERE false;
-- Each window by its number: whatever is found by several at once costs as much as ten that are not.
CREATE TRIGGER pool_holds_count INSTEAD OF INSERT ON pool_holds WHEN NEW.set_id IS NOT NULL BEGIN
  UPDATE pool_windows SET held = CASE WHEN spent + held + NEW.amount <= cap THEN held + NEW.amount
      ELSE RAISE(ABORT, 'pool_cap_holds: a hold fits into the budgets of its pools') END
    WHERE id = (SELECT window_id FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 1);
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> 1 AND EXISTS (SELECT 1 FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 1);
  UPDATE pool_windows SET held = CASE WHEN spent + held + NEW.amount <= cap THEN held + NEW.amount
      ELSE RAISE(ABORT, 'pool_cap_holds: a hold fits into the budgets of its pools') END
    WHERE id = (SELECT window_id FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 2);
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> 1 AND EXISTS (SELECT 1 FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 2);
END;
CREATE TRIGGER pool_holds_count_further INSTEAD OF INSERT ON pool_holds
  WHEN EXISTS (SELECT 1 FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 3) BEGIN
  UPDATE pool_windows SET held = CASE WHEN spent + held + NEW.amount <= cap THEN held + NEW.amount
      ELSE RAISE(ABORT, 'pool_cap_holds: a hold fits into the budgets of its pools') END
    WHERE id IN (SELECT window_id FROM pool_set_windows WHERE set_id = NEW.set_id AND place > 2);
  SELECT RAISE(ABORT, 'a hold is counted')
    WHERE changes() <> (SELECT count(*) FROM pool_set_windows WHERE set_id = NEW.set_id AND place > 2);
END;
CREATE TRIGGER pool_holds_ask INSTEAD OF INSERT ON pool_holds WHEN NEW.set_id IS NULL BEGIN
  SELECT RAISE(ABORT, 'a hold is counted') WHERE NEW.asked;
  INSERT INTO pool_sets (account_id, team_id, member_id, pools, made_at)
    SELECT k.account_id, coalesce(k.team_id, 0), coalesce(k.member_id, 0), coalesce(h.pools, ''), h.created_at
    FROM holds h CROSS JOIN api_keys k ON k.id = h.key_id WHERE h.id = NEW.hold_id;
  SELECT RAISE(ABORT, 'a hold counts against the budgets of its pools, each of them and no other') FROM holds h
    WHERE h.id = NEW.hold_id AND h.pools IS NOT NULL AND NOT EXISTS (SELECT 1 FROM api_keys WHERE id = h.key_id);
  INSERT INTO pool_holds SELECT s.id, NEW.hold_id, NEW.amount, 1 FROM holds h CROSS JOIN api_keys k ON k.id = h.key_id
    LEFT JOIN pool_sets s ON s.account_id = k.account_id AND s.team_id = coalesce(k.team_id, 0) AND s.member_id = coalesce(k.member_id, 0)
      AND s.ends_at > h.created_at AND s.begins_at <= h.created_at AND s.pools = coalesce(h.pools, '')
    WHERE h.id = NEW.hold_id ORDER BY s.id DESC LIMIT 1;
END;
CREATE TRIGGER holds_pooled AFTER INSERT ON holds
  WHEN NEW.pools IS NOT NULL OR EXISTS (SELECT 1 FROM budget_pools WHERE account_id = NEW.account_id) BEGIN
  INSERT INTO pool_holds VALUES ((SELECT s.id FROM api_keys k CROSS JOIN pool_sets s
      ON s.account_id = k.account_id AND s.team_id = coalesce(k.team_id, 0) AND s.member_id = coalesce(k.member_id, 0)
        AND s.ends_at > NEW.created_at AND s.begins_at <= NEW.created_at AND s.pools = coalesce(NEW.pools, '')
    WHERE k.id = NEW.key_id), NEW.id, NEW.amount, 0);
END;

-- The same at the end of a hold. Its windows are those of whichever set has them: they are named by `pools`, and stay.
CREATE VIEW pool_receipts AS SELECT NULL AS set_id, NULL AS pools, NULL AS held, NULL AS cost WHERE false;
CREATE TRIGGER pool_receipts_count INSTEAD OF INSERT ON pool_receipts WHEN NEW.set_id IS NOT NULL BEGIN
  UPDATE pool_windows SET held = CASE WHEN held >= NEW.held THEN held - NEW.held ELSE RAISE(ABORT, 'pool_held_not_negative: a hold is counted once') END,
      spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE id = (SELECT window_id FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 1);
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> 1;
  UPDATE pool_windows SET held = CASE WHEN held >= NEW.held THEN held - NEW.held ELSE RAISE(ABORT, 'pool_held_not_negative: a hold is counted once') END,
      spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE id = (SELECT window_id FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 2);
  SELECT RAISE(ABORT, 'a hold is counted no more')
    WHERE changes() <> 1 AND EXISTS (SELECT 1 FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 2);
END;
CREATE TRIGGER pool_receipts_count_further INSTEAD OF INSERT ON pool_receipts
  WHEN EXISTS (SELECT 1 FROM pool_set_windows WHERE set_id = NEW.set_id AND place = 3) BEGIN
  UPDATE pool_windows SET held = CASE WHEN held >= NEW.held THEN held - NEW.held ELSE RAISE(ABORT, 'pool_held_not_negative: a hold is counted once') END,
      spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    WHERE id IN (SELECT window_id FROM pool_set_windows WHERE set_id = NEW.set_id AND place > 2);
  SELECT RAISE(ABORT, 'a hold is counted no more')
    WHERE changes() <> (SELECT count(*) FROM pool_set_windows WHERE set_id = NEW.set_id AND place > 2);
END;
CREATE TRIGGER pool_receipts_count_named INSTEAD OF INSERT ON pool_receipts WHEN NEW.set_id IS NULL BEGIN
  UPDATE pool_windows SET held = CASE WHEN held >= NEW.held THEN held - NEW.held ELSE RAISE(ABORT, 'pool_held_not_negative: a hold is counted once') END,
      spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    FROM json_each(NEW.pools) j
    WHERE pool_windows.pool_id = j.value ->> 0 AND pool_windows.period = j.value ->> 1 AND pool_windows.starts_at = j.value ->> 2;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> json_array_length(NEW.pools);
END;
CREATE TRIGGER receipts_pooled AFTER INSERT ON receipts WHEN NEW.pools IS NOT NULL BEGIN
  INSERT INTO pool_receipts VALUES ((SELECT id FROM pool_sets WHERE pools = NEW.pools LIMIT 1), NEW.pools, NEW.held, NEW.cost);
END;
CREATE TRIGGER receipts_resolve AFTER INSERT ON receipts BEGIN
  SELECT RAISE(ABORT, 'a receipt resolves an open hold, by its terms') WHERE NOT EXISTS (
    SELECT 1 FROM holds WHERE id = NEW.hold_id AND account_id = NEW.account_id AND key_id = NEW.key_id
      AND request_id = NEW.request_id AND amount = NEW.held AND model = NEW.model AND stream = NEW.stream
      AND price_id = NEW.price_id AND ratio_ppm = NEW.ratio_ppm AND created_at = NEW.created_at AND expires_at = NEW.expires_at
      AND day_at IS NEW.day_at AND month_at IS NEW.month_at AND life_at IS NEW.life_at AND pools IS NEW.pools);
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
