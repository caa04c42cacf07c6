-- Budgets that the keys of an organisation, of a team and of a member spend together. A server that knows nothing of them would take
-- holds and make keys past them: no such server may be up.

-- Whose budgets they are: an account has one of its own, its organisation's, and one for each team and each member.
CREATE TABLE budget_pools (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('organisation', 'team', 'member')),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('active', 'closed')),
  rev INTEGER NOT NULL DEFAULT 0,
  -- NULL: without limit. Of a day, a week from Monday and a month in UTC, and of all time; nano-USD.
  budget_day INTEGER CHECK (budget_day BETWEEN 0 AND 1000000000000000000),
  budget_week INTEGER CHECK (budget_week BETWEEN 0 AND 1000000000000000000),
  budget_month INTEGER CHECK (budget_month BETWEEN 0 AND 1000000000000000000),
  budget_life INTEGER CHECK (budget_life BETWEEN 0 AND 1000000000000000000),
  -- Each of its budgets is so much higher until then.
  raised_by INTEGER NOT NULL DEFAULT 0 CHECK (raised_by BETWEEN 0 AND 1000000000000000000),
  raised_until INTEGER,
  created_at INTEGER NOT NULL,
  CONSTRAINT raise_ends CHECK ((raised_by > 0) = (raised_until IS NOT NULL))
) STRICT;
CREATE INDEX budget_pools_by_account ON budget_pools (account_id);
CREATE UNIQUE INDEX budget_pools_organisation ON budget_pools (account_id) WHERE kind = 'organisation';
CREATE UNIQUE INDEX budget_pools_name_key ON budget_pools (account_id, kind, name) WHERE state = 'active';
CREATE TRIGGER budget_pools_fixed BEFORE UPDATE ON budget_pools
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.kind <> OLD.kind OR NEW.created_at <> OLD.created_at
    OR OLD.state = 'closed'
  BEGIN SELECT RAISE(ABORT, 'pools keep their account and kind, and stay closed'); END;
CREATE TRIGGER budget_pools_without_keys BEFORE UPDATE OF state ON budget_pools WHEN NEW.state = 'closed' AND (OLD.kind = 'organisation'
    OR EXISTS (SELECT 1 FROM api_keys WHERE account_id = OLD.account_id AND state = 'active' AND OLD.id IN (team_id, member_id)))
  BEGIN SELECT RAISE(ABORT, 'a pool is closed when no key spends from it'); END;
CREATE TRIGGER budget_pools_stay BEFORE DELETE ON budget_pools BEGIN SELECT RAISE(ABORT, 'pools stay'); END;

ALTER TABLE api_keys ADD COLUMN team_id INTEGER;
ALTER TABLE api_keys ADD COLUMN member_id INTEGER;
CREATE TRIGGER api_keys_pools BEFORE INSERT ON api_keys WHEN coalesce(NEW.team_id, NEW.member_id) IS NOT NULL AND (
    SELECT count(*) FROM budget_pools WHERE account_id = NEW.account_id AND state = 'active'
      AND ((id = NEW.team_id AND kind = 'team') OR (id = NEW.member_id AND kind = 'member'))
  ) <> (NEW.team_id IS NOT NULL) + (NEW.member_id IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'a key is of an open team and an open member of its account'); END;
CREATE TRIGGER api_keys_pools_change BEFORE UPDATE OF team_id, member_id ON api_keys
  WHEN coalesce(NEW.team_id, NEW.member_id) IS NOT NULL AND (
    SELECT count(*) FROM budget_pools WHERE account_id = NEW.account_id AND state = 'active'
      AND ((id = NEW.team_id AND kind = 'team') OR (id = NEW.member_id AND kind = 'member'))
  ) <> (NEW.team_id IS NOT NULL) + (NEW.member_id IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'a key is of an open team and an open member of its account'); END;

-- Each budget that there is, with the raise of its pool.
CREATE VIEW pooled_budgets AS
  SELECT id AS pool_id, account_id, kind, 'day' AS period, budget_day AS budget, raised_by, raised_until FROM budget_pools WHERE budget_day IS NOT NULL
  UNION ALL SELECT id, account_id, kind, 'week', budget_week, raised_by, raised_until FROM budget_pools WHERE budget_week IS NOT NULL
  UNION ALL SELECT id, account_id, kind, 'month', budget_month, raised_by, raised_until FROM budget_pools WHERE budget_month IS NOT NULL
  UNION ALL SELECT id, account_id, kind, 'life', budget_life, raised_by, raised_until FROM budget_pools WHERE budget_life IS NOT NULL;

-- What is spent and held of one budget in one period.
CREATE TABLE pool_windows (
  pool_id INTEGER NOT NULL REFERENCES budget_pools (id),
  period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'life')),
  -- The beginning of the day, week or month in UTC; 0 for all time.
  starts_at INTEGER NOT NULL CHECK (period <> 'life' OR starts_at = 0),
  -- As the last hold found it, with the raise of that time.
  budget INTEGER NOT NULL CHECK (budget >= 0),
  -- The budget; where that was lowered below what is spent and held, what is spent and held.
  cap INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0,
  held INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT pool_spent_not_negative CHECK (spent >= 0),
  CONSTRAINT pool_held_not_negative CHECK (held >= 0),
  CONSTRAINT pool_cap_holds CHECK (spent + held <= cap),
  CONSTRAINT pool_cap_has_a_reason CHECK (cap = max(budget, spent + held)),
  PRIMARY KEY (pool_id, period, starts_at)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pool_windows_born_empty BEFORE INSERT ON pool_windows WHEN NEW.spent <> 0 OR NEW.held <> 0 OR NOT EXISTS (
    SELECT 1 FROM pooled_budgets WHERE pool_id = NEW.pool_id AND period = NEW.period AND NEW.budget IN (budget, budget + raised_by))
  BEGIN SELECT RAISE(ABORT, 'a budget begins unspent, as its pool has it'); END;
CREATE TRIGGER pool_windows_fixed BEFORE UPDATE ON pool_windows
  WHEN NEW.pool_id <> OLD.pool_id OR NEW.period <> OLD.period OR NEW.starts_at <> OLD.starts_at OR (NEW.budget <> OLD.budget
    AND NOT EXISTS (SELECT 1 FROM pooled_budgets
      WHERE pool_id = NEW.pool_id AND period = NEW.period AND NEW.budget IN (budget, budget + raised_by)))
  BEGIN SELECT RAISE(ABORT, 'budgets keep their pool and time, and are as their pool has them'); END;
CREATE TRIGGER pool_windows_stay BEFORE DELETE ON pool_windows BEGIN SELECT RAISE(ABORT, 'budgets stay'); END;

-- The budgets of pools that a hold counts against, as JSON: of each its pool, its period and the beginning of that. NULL
-- where there is none.
ALTER TABLE holds ADD COLUMN pools TEXT CHECK (pools IS NULL OR json_array_length(pools) > 0);
ALTER TABLE receipts ADD COLUMN pools TEXT;
CREATE TRIGGER holds_pooled AFTER INSERT ON holds
  WHEN NEW.pools IS NOT NULL OR EXISTS (SELECT 1 FROM budget_pools WHERE account_id = NEW.account_id) BEGIN
  -- The organisation, the team and the member of the key, each by its number: an organisation may have a thousand teams.
  SELECT RAISE(ABORT, 'a hold counts against the budgets of its pools, each of them and no other') FROM (
    SELECT 1 AS told, value ->> 0 AS pool_id, value ->> 1 AS period, value ->> 2 AS starts_at FROM json_each(NEW.pools)
    UNION ALL SELECT -1, p.id, t.period, CASE t.period WHEN 'day' THEN NEW.created_at - NEW.created_at % 86400000
        WHEN 'week' THEN NEW.created_at - (NEW.created_at + 259200000) % 604800000
        WHEN 'month' THEN unixepoch(NEW.created_at / 1000, 'unixepoch', 'start of month') * 1000 ELSE 0 END
      FROM (SELECT o.id FROM api_keys k JOIN budget_pools o ON o.account_id = k.account_id AND o.kind = 'organisation' WHERE k.id = NEW.key_id
          UNION ALL SELECT team_id FROM api_keys WHERE id = NEW.key_id UNION ALL SELECT member_id FROM api_keys WHERE id = NEW.key_id) q
        CROSS JOIN budget_pools p ON p.id = q.id
        CROSS JOIN (SELECT 'day' AS period UNION ALL SELECT 'week' UNION ALL SELECT 'month' UNION ALL SELECT 'life') t
      WHERE CASE t.period WHEN 'day' THEN p.budget_day WHEN 'week' THEN p.budget_week WHEN 'month' THEN p.budget_month ELSE p.budget_life END IS NOT NULL
  ) GROUP BY pool_id, period, starts_at HAVING sum(told) <> 0;
  INSERT INTO pool_windows (pool_id, period, starts_at, budget, cap) SELECT l.pool_id, l.period, j.value ->> 2, l.now, l.now
    FROM json_each(NEW.pools) j JOIN (SELECT *, budget + iif(NEW.created_at < raised_until, raised_by, 0) AS now FROM pooled_budgets) l
      ON l.pool_id = j.value ->> 0 AND l.period = j.value ->> 1
    WHERE NOT EXISTS (SELECT 1 FROM pool_windows w
      WHERE w.pool_id = l.pool_id AND w.period = l.period AND w.starts_at = j.value ->> 2);
  SELECT RAISE(ABORT, 'pool_cap_holds: a hold fits into the budgets of its pools')
    FROM json_each(NEW.pools) j JOIN pool_windows w
      ON w.pool_id = j.value ->> 0 AND w.period = j.value ->> 1 AND w.starts_at = j.value ->> 2
    JOIN pooled_budgets l ON l.pool_id = w.pool_id AND l.period = w.period
    WHERE NEW.amount > 0 AND w.spent + w.held + NEW.amount > l.budget + iif(NEW.created_at < l.raised_until, l.raised_by, 0);
  UPDATE pool_windows SET budget = x.now, cap = max(x.now, spent + held + NEW.amount), held = held + NEW.amount
    FROM (SELECT l.pool_id, l.period, j.value ->> 2 AS starts_at, l.budget + iif(NEW.created_at < l.raised_until, l.raised_by, 0) AS now
      FROM json_each(NEW.pools) j JOIN pooled_budgets l ON l.pool_id = j.value ->> 0 AND l.period = j.value ->> 1) x
    WHERE pool_windows.pool_id = x.pool_id AND pool_windows.period = x.period AND pool_windows.starts_at = x.starts_at;
  SELECT RAISE(ABORT, 'a hold is counted') WHERE changes() <> coalesce(json_array_length(NEW.pools), 0);
END;
CREATE TRIGGER receipts_pools BEFORE INSERT ON receipts WHEN NEW.pools IS NOT (SELECT pools FROM holds WHERE id = NEW.hold_id)
  BEGIN SELECT RAISE(ABORT, 'a receipt resolves an open hold, by its terms'); END;
CREATE TRIGGER receipts_pooled AFTER INSERT ON receipts WHEN NEW.pools IS NOT NULL BEGIN
  UPDATE pool_windows SET held = held - NEW.held, spent = spent + NEW.cost, cap = max(budget, spent + NEW.cost + held - NEW.held)
    FROM json_each(NEW.pools) j
    WHERE pool_windows.pool_id = j.value ->> 0 AND pool_windows.period = j.value ->> 1 AND pool_windows.starts_at = j.value ->> 2;
  SELECT RAISE(ABORT, 'a hold is counted no more') WHERE changes() <> json_array_length(NEW.pools);
END;

-- What the receipts of an archived month came to, of each pool's budget for all time.
CREATE TABLE carried_pools (
  starts_at INTEGER NOT NULL REFERENCES archived_months (starts_at),
  pool_id INTEGER NOT NULL REFERENCES budget_pools (id),
  cost INTEGER NOT NULL CHECK (cost >= 0),
  PRIMARY KEY (starts_at, pool_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER carried_pools_no_update BEFORE UPDATE ON carried_pools BEGIN SELECT RAISE(ABORT, 'carried_pools is append-only'); END;
CREATE TRIGGER carried_pools_no_delete BEFORE DELETE ON carried_pools BEGIN SELECT RAISE(ABORT, 'carried_pools is append-only'); END;
