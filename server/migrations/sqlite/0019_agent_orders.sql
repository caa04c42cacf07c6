-- Orders of agents. From its payment on an order counts against the caps of its agent, and the database does the sums:
--   an order whose `counted_day` is set     counts (trigger topup_order_count), where it fits,
--   one of which it is taken away           counts no more (trigger topup_order_uncount),
--   one that succeeds                       is spent for ever (triggers topup_order_spend and topup_order_spend_late), money that
--                                           came late even above a cap: it was paid.

ALTER TABLE topup_order ADD COLUMN agent_id INTEGER REFERENCES agents (id)
  CONSTRAINT agents_sign CHECK (agent_id IS NULL OR rail <> 'ewallet');
-- The beginning of the day in UTC whose cap it counts against.
ALTER TABLE topup_order ADD COLUMN counted_day INTEGER
  CONSTRAINT counts_while_paid CHECK (counted_day IS NULL OR (agent_id IS NOT NULL AND status IN ('settling', 'success')));
CREATE INDEX topup_order_by_agent ON topup_order (agent_id) WHERE agent_id IS NOT NULL;

CREATE TRIGGER topup_order_of_agent BEFORE INSERT ON topup_order WHEN NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'an order is of a live agent of its account'); END;
CREATE TRIGGER topup_order_agent_fixed BEFORE UPDATE ON topup_order WHEN NEW.agent_id IS NOT OLD.agent_id
    OR (OLD.status = 'success' AND NEW.counted_day IS NOT OLD.counted_day)
    OR (OLD.counted_day IS NOT NULL AND NEW.counted_day IS NOT NULL AND NEW.counted_day <> OLD.counted_day)
  BEGIN SELECT RAISE(ABORT, 'orders keep their agent and their day'); END;

CREATE TRIGGER topup_order_count AFTER UPDATE OF counted_day ON topup_order
  WHEN OLD.counted_day IS NULL AND NEW.counted_day IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'agent_cap_holds: an order fits into the caps of its agent') FROM agents
    WHERE id = NEW.agent_id AND NEW.amount > cap_order;
  INSERT INTO agent_windows (agent_id, period, starts_at, budget, cap)
    SELECT a.id, p.period, p.starts_at, p.budget, p.budget FROM agents a
      JOIN (SELECT 'day' AS period, NEW.counted_day AS starts_at,
          (SELECT coalesce(cap_day, 1000000000000000000) FROM agents WHERE id = NEW.agent_id) AS budget
        UNION ALL SELECT 'life', 0, (SELECT coalesce(cap_life, 1000000000000000000) FROM agents WHERE id = NEW.agent_id)) p
      WHERE a.id = NEW.agent_id AND NOT EXISTS (
        SELECT 1 FROM agent_windows w WHERE w.agent_id = a.id AND w.period = p.period AND w.starts_at = p.starts_at);
  SELECT RAISE(ABORT, 'agent_cap_holds: an order fits into the caps of its agent') FROM agent_windows
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day))
      AND spent + held + NEW.amount > cap;
  UPDATE agent_windows SET held = held + NEW.amount
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day));
  SELECT RAISE(ABORT, 'an order is counted') WHERE changes() <> 2;
END;
CREATE TRIGGER topup_order_uncount AFTER UPDATE OF counted_day ON topup_order
  WHEN OLD.counted_day IS NOT NULL AND NEW.counted_day IS NULL BEGIN
  UPDATE agent_windows SET held = held - NEW.amount, cap = max(budget, spent + held - NEW.amount)
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = OLD.counted_day));
  SELECT RAISE(ABORT, 'an order is counted no more') WHERE changes() <> 2;
END;
CREATE TRIGGER topup_order_spend AFTER UPDATE OF status ON topup_order
  WHEN NEW.status = 'success' AND OLD.status <> 'success' AND NEW.counted_day IS NOT NULL BEGIN
  UPDATE agent_windows SET held = held - NEW.amount, spent = spent + NEW.amount
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day));
  SELECT RAISE(ABORT, 'what was counted is spent') WHERE changes() <> 2;
END;
CREATE TRIGGER topup_order_spend_late AFTER UPDATE OF status ON topup_order
  WHEN NEW.status = 'success' AND OLD.status <> 'success' AND NEW.agent_id IS NOT NULL AND NEW.counted_day IS NULL BEGIN
  INSERT INTO agent_windows (agent_id, period, starts_at, budget, cap)
    SELECT a.id, p.period, p.starts_at, p.budget, p.budget FROM agents a
      JOIN (SELECT 'day' AS period, NEW.settled_at - NEW.settled_at % 86400000 AS starts_at,
          (SELECT coalesce(cap_day, 1000000000000000000) FROM agents WHERE id = NEW.agent_id) AS budget
        UNION ALL SELECT 'life', 0, (SELECT coalesce(cap_life, 1000000000000000000) FROM agents WHERE id = NEW.agent_id)) p
      WHERE a.id = NEW.agent_id AND NOT EXISTS (
        SELECT 1 FROM agent_windows w WHERE w.agent_id = a.id AND w.period = p.period AND w.starts_at = p.starts_at);
  UPDATE agent_windows SET spent = spent + NEW.amount, cap = max(budget, spent + held + NEW.amount)
    WHERE agent_id = NEW.agent_id
      AND (period = 'life' OR (period = 'day' AND starts_at = NEW.settled_at - NEW.settled_at % 86400000));
  SELECT RAISE(ABORT, 'what was paid is spent') WHERE changes() <> 2;
END;
