-- expands
-- The tags that requests carry, in their order and with commas between; NULL where a request carries none. A receipt has those of its
-- hold. One that a server wrote which knows of no tags has none.

-- Each batch reads this table before those below: none has one of them locked while it waits for another. All of them wait behind this
-- step, so it gives up early where somebody reads receipts for long, and is tried again by the next start.
SET LOCAL lock_timeout = '1500ms';
LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE;
ALTER TABLE receipts ADD COLUMN tags TEXT;
ALTER TABLE holds ADD COLUMN tags TEXT CONSTRAINT tags_are_few
  CHECK (length(tags) <= 519 AND tags ~ '^[-A-Za-z0-9._:/@]+(,[-A-Za-z0-9._:/@]+){0,7}$');
SET LOCAL lock_timeout = '60s';
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
        AND (r.tags IS NULL OR h.tags = r.tags)
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
  -- The windows of a hold are those of whichever set has them: they are named by `pools`, and stay.
  IF EXISTS (SELECT 1 FROM added WHERE pools IS NOT NULL) THEN
    UPDATE pool_windows w
      SET held = w.held - x.amount, spent = w.spent + x.cost, cap = greatest(w.budget, w.spent + x.cost + w.held - x.amount)
      FROM (SELECT v.window_id, sum(r.amount)::bigint AS amount, sum(r.cost)::bigint AS cost
        FROM (SELECT pools, sum(held)::bigint AS amount, sum(cost)::bigint AS cost FROM added WHERE pools IS NOT NULL GROUP BY pools) r
          LEFT JOIN LATERAL (SELECT id FROM pool_sets WHERE pools = r.pools COLLATE "C" LIMIT 1) s ON true,
          LATERAL (SELECT m.window_id FROM pool_set_windows m WHERE m.set_id = s.id
            UNION ALL SELECT f.id FROM json_array_elements(CASE WHEN s.id IS NULL THEN r.pools::json END) j JOIN pool_windows f
              ON f.pool_id = (j ->> 0)::bigint AND f.period = j ->> 1 AND f.starts_at = (j ->> 2)::bigint) v
        GROUP BY 1 ORDER BY 1) x
      WHERE w.id = x.window_id;
  END IF;
  RETURN NULL;
END $$;
