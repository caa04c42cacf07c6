-- Orders of agents, and how they count against caps. The same rules as migrations/sqlite/0019_agent_orders.sql.

ALTER TABLE topup_order ADD COLUMN agent_id BIGINT REFERENCES agents (id),
  ADD COLUMN counted_day BIGINT,
  ADD CONSTRAINT agents_sign CHECK (agent_id IS NULL OR rail <> 'ewallet'),
  ADD CONSTRAINT counts_while_paid CHECK (counted_day IS NULL OR (agent_id IS NOT NULL AND status IN ('settling', 'success')));
CREATE INDEX topup_order_by_agent ON topup_order (agent_id) WHERE agent_id IS NOT NULL;

CREATE FUNCTION topup_order_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  THEN RAISE EXCEPTION 'an order is of a live agent of its account'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_of_agent BEFORE INSERT ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_of_agent();
CREATE FUNCTION topup_order_agent_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.agent_id IS DISTINCT FROM OLD.agent_id OR (OLD.status = 'success' AND NEW.counted_day IS DISTINCT FROM OLD.counted_day)
    OR NEW.counted_day <> OLD.counted_day
  THEN RAISE EXCEPTION 'orders keep their agent and their day'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_agent_fixed BEFORE UPDATE ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_agent_fixed();

CREATE FUNCTION agent_windows_open(agent BIGINT, day BIGINT) RETURNS void LANGUAGE sql AS $$
  INSERT INTO agent_windows (agent_id, period, starts_at, budget, cap)
    SELECT agent, p.period, p.starts_at, p.budget, p.budget FROM agents a, LATERAL (VALUES
      ('day', day, coalesce(a.cap_day, 1000000000000000000)), ('life', 0, coalesce(a.cap_life, 1000000000000000000))
    ) p (period, starts_at, budget) WHERE a.id = agent
    ON CONFLICT (agent_id, period, starts_at) DO NOTHING;
$$;
CREATE FUNCTION topup_order_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed BIGINT; BEGIN
  IF OLD.counted_day IS NULL THEN
    IF EXISTS (SELECT 1 FROM agents WHERE id = NEW.agent_id AND NEW.amount > cap_order)
    THEN RAISE EXCEPTION 'agent_cap_holds: an order fits into the caps of its agent'; END IF;
    PERFORM agent_windows_open(NEW.agent_id, NEW.counted_day);
    UPDATE agent_windows SET held = held + NEW.amount
      WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day));
  ELSE
    UPDATE agent_windows SET held = held - NEW.amount, cap = greatest(budget, spent + held - NEW.amount)
      WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = OLD.counted_day));
  END IF;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> 2 THEN RAISE EXCEPTION 'an order is counted in two windows'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER topup_order_count AFTER UPDATE OF counted_day ON topup_order FOR EACH ROW
  WHEN ((OLD.counted_day IS NULL) <> (NEW.counted_day IS NULL)) EXECUTE FUNCTION topup_order_count();
CREATE FUNCTION topup_order_spend() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed BIGINT; day BIGINT := coalesce(NEW.counted_day, NEW.settled_at - NEW.settled_at % 86400000); BEGIN
  IF NEW.counted_day IS NULL THEN PERFORM agent_windows_open(NEW.agent_id, day); END IF;
  UPDATE agent_windows SET spent = spent + NEW.amount,
      held = held - CASE WHEN NEW.counted_day IS NULL THEN 0 ELSE NEW.amount END,
      cap = CASE WHEN NEW.counted_day IS NULL THEN greatest(budget, spent + held + NEW.amount) ELSE cap END
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = day));
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> 2 THEN RAISE EXCEPTION 'what was paid is spent in two windows'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER topup_order_spend AFTER UPDATE OF status ON topup_order FOR EACH ROW
  WHEN (NEW.status = 'success' AND OLD.status <> 'success' AND NEW.agent_id IS NOT NULL) EXECUTE FUNCTION topup_order_spend();
