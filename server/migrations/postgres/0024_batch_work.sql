-- The same rules at less work for a batch, once more. What a statement's rows are held to is read anew from the catalog for each
-- statement, expression by expression, and a function of a row costs more than a comparison. A file has neither cost, so SQLite
-- has no such step.

-- A hold is found by its number, and then looked at. Asked for open ones, the planner would read their index whole, with all that
-- have ended since it was last cleaned; so they are told by what they are not.
CREATE OR REPLACE FUNCTION receipts_resolve() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE resolved bigint; BEGIN
  UPDATE holds h SET state = r.state FROM added r WHERE h.id = r.hold_id AND h.state NOT IN ('settled', 'released');
  GET DIAGNOSTICS resolved = ROW_COUNT;
  IF resolved <> (SELECT count(*) FROM added) THEN RAISE EXCEPTION 'a receipt resolves an open hold'; END IF;
  INSERT INTO transfers (kind, debit, credit, amount, hold_id, actor, created_at)
    SELECT 'usage', h.account_id, 1, r.cost, h.id, 'gateway', r.resolved_at FROM added r JOIN holds h ON h.id = r.hold_id
    WHERE r.cost > 0 ORDER BY h.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION hold_limits_count() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added l LEFT JOIN holds h ON h.id = l.hold_id AND h.limits_id = l.hold_id AND h.key_id = l.key_id
    AND h.state NOT IN ('settled', 'released') WHERE h.id IS NULL)
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
CREATE OR REPLACE FUNCTION tiers_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state NOT IN ('settled', 'released'))
  THEN RAISE EXCEPTION 'a tier is told before its receipt'; END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION fallbacks_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state NOT IN ('settled', 'released'))
  THEN RAISE EXCEPTION 'a fallback is told before its receipt'; END IF;
  RETURN NEW;
END $$;

-- Only what it refuses is shown to it.
DROP TRIGGER balances_guard ON balances;
CREATE TRIGGER balances_start BEFORE INSERT ON balances FOR EACH ROW WHEN (NEW.posted <> 0 OR NEW.held <> 0) EXECUTE FUNCTION balances_guard();
CREATE TRIGGER balances_guard BEFORE UPDATE OF account_id ON balances FOR EACH ROW EXECUTE FUNCTION balances_guard();

-- A column that has no value is passed over, as each of these rules did by itself. What is there has been held to each of them,
-- and is not read through again while nobody can write.
ALTER TABLE holds
  DROP CONSTRAINT holds_amount_check, DROP CONSTRAINT holds_price_prompt_check, DROP CONSTRAINT holds_price_cached_check,
  DROP CONSTRAINT holds_price_completion_check, DROP CONSTRAINT holds_price_cache_write_check,
  DROP CONSTRAINT holds_price_cache_write_long_check, DROP CONSTRAINT holds_price_audio_prompt_check,
  DROP CONSTRAINT holds_price_image_prompt_check, DROP CONSTRAINT holds_price_audio_completion_check,
  DROP CONSTRAINT holds_price_image_completion_check, DROP CONSTRAINT holds_price_request_check,
  DROP CONSTRAINT holds_price_reasoning_check,
  ADD CONSTRAINT none_below_zero CHECK (LEAST(amount, price_prompt, price_cached, price_completion, price_cache_write,
    price_cache_write_long, price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, price_request,
    price_reasoning) >= 0) NOT VALID;
ALTER TABLE receipts
  DROP CONSTRAINT receipts_cost_check, DROP CONSTRAINT receipts_shortfall_check, DROP CONSTRAINT receipts_prompt_check,
  DROP CONSTRAINT receipts_completion_check, DROP CONSTRAINT receipts_cache_write_check,
  DROP CONSTRAINT receipts_cache_write_long_check, DROP CONSTRAINT receipts_audio_prompt_check,
  DROP CONSTRAINT receipts_image_prompt_check, DROP CONSTRAINT receipts_audio_completion_check,
  DROP CONSTRAINT receipts_image_completion_check, DROP CONSTRAINT receipts_first_byte_ms_check,
  DROP CONSTRAINT receipts_duration_ms_check,
  ADD CONSTRAINT none_below_zero CHECK (LEAST(cost, shortfall, prompt, completion, cache_write, cache_write_long, audio_prompt,
    image_prompt, audio_completion, image_completion, first_byte_ms, duration_ms) >= 0) NOT VALID;
