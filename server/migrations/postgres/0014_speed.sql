-- The same rules at less work for a batch: what was asked row by row is asked once a statement, and an account's row is
-- written once where its holds end. On a file rows are cheap to ask for, so SQLite has no such step.

-- Terms of a hold are in no statement that changes one, so that resolving it compares nothing.
DROP TRIGGER holds_prices_fixed ON holds;
DROP TRIGGER holds_limits_fixed ON holds;
DROP FUNCTION holds_prices_fixed, holds_limits_fixed;
CREATE FUNCTION holds_terms_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'holds keep their terms and keep their number';
END $$;
CREATE TRIGGER holds_terms_fixed BEFORE UPDATE OF id, account_id, key_id, request_id, amount, model, stream, epoch, created_at, kept,
    limits_id, ratio_ppm, price_prompt, price_cached, price_cache_write, price_cache_write_long, price_completion, price_version,
    price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, price_request, price_reasoning ON holds
  FOR EACH STATEMENT EXECUTE FUNCTION holds_terms_fixed();

-- Before `holds_give_back`, by the names.
DROP TRIGGER holds_guard ON holds;
DROP FUNCTION holds_guard;
CREATE FUNCTION holds_end_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM before WHERE state <> 'held') THEN RAISE EXCEPTION 'holds resolve once'; END IF;
  IF EXISTS (SELECT 1 FROM after n WHERE n.state <> 'held' AND n.state IS DISTINCT FROM (
    SELECT r.state FROM receipts r WHERE r.hold_id = n.id))
  THEN RAISE EXCEPTION 'holds are resolved by their receipt'; END IF;
  IF EXISTS (SELECT 1 FROM after n WHERE n.kept = 1 AND n.state <> 'held' AND NOT EXISTS (
    SELECT 1 FROM video_task WHERE hold_id = n.id AND receipt_id = n.id
      AND status = CASE n.state WHEN 'settled' THEN 'completed' ELSE 'failed' END))
  THEN RAISE EXCEPTION 'a kept hold ends with what it is kept for'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER holds_end_once AFTER UPDATE ON holds REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION holds_end_once();

-- What was held comes back and what was charged is posted in one change of the account. Which holds were open before is told
-- by those that were not: no two lists of rows are joined to each other, so that a large batch stays in proportion.
CREATE OR REPLACE FUNCTION holds_give_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE balances b SET posted = b.posted - x.cost, held = b.held - x.amount, version = b.version + 1
    FROM (SELECT n.account_id, sum(n.amount)::bigint AS amount, sum(r.cost)::bigint AS cost
      FROM after n JOIN receipts r ON r.hold_id = n.id
      WHERE n.state <> 'held' AND n.id NOT IN (SELECT id FROM before WHERE state <> 'held') GROUP BY n.account_id) x
    WHERE b.account_id = x.account_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION holds_give_back_limits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM after WHERE limits_id IS NOT NULL) THEN RETURN NULL; END IF;
  UPDATE spend_windows w
    SET held = w.held - x.amount, spent = w.spent + x.cost, cap = greatest(w.budget, w.spent + x.cost + w.held - x.amount)
    FROM (SELECT l.key_id, v.period, v.starts_at, sum(n.amount)::bigint AS amount, sum(r.cost)::bigint AS cost
      FROM after n JOIN hold_limits l ON l.hold_id = n.id JOIN receipts r ON r.hold_id = n.id,
        LATERAL (VALUES ('day', l.day_at), ('month', l.month_at), ('life', l.life_at)) v (period, starts_at)
      WHERE n.state <> 'held' AND n.id NOT IN (SELECT id FROM before WHERE state <> 'held') AND v.starts_at IS NOT NULL
      GROUP BY 1, 2, 3) x
    WHERE w.key_id = x.key_id AND w.period = x.period AND w.starts_at = x.starts_at;
  UPDATE key_rates r SET in_flight = r.in_flight - x.in_flight
    FROM (SELECT l.key_id, sum(l.in_flight)::bigint AS in_flight FROM after n JOIN hold_limits l ON l.hold_id = n.id
      WHERE n.state <> 'held' AND n.id NOT IN (SELECT id FROM before WHERE state <> 'held') GROUP BY l.key_id) x
    WHERE r.key_id = x.key_id;
  RETURN NULL;
END $$;

-- The foreign keys that a batch had asked row by row, where a trigger sees the same once. Nothing of what they refer to is
-- ever deleted or numbered anew.
ALTER TABLE holds DROP CONSTRAINT holds_account_id_fkey;
CREATE OR REPLACE FUNCTION holds_reserve() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE reserved bigint; BEGIN
  UPDATE balances b SET held = b.held + x.amount, version = b.version + 1
    FROM (SELECT account_id, sum(amount)::bigint AS amount FROM added GROUP BY account_id) x WHERE b.account_id = x.account_id;
  GET DIAGNOSTICS reserved = ROW_COUNT;
  IF reserved <> (SELECT count(DISTINCT account_id) FROM added) THEN RAISE EXCEPTION 'a hold is of an account with a balance'; END IF;
  RETURN NULL;
END $$;

-- `receipts_resolve` finds the hold, or refuses.
ALTER TABLE receipts DROP CONSTRAINT receipts_hold_id_fkey;

-- A charge was posted with its hold's end. It matches that hold and there is one for each, so none can be without.
ALTER TABLE transfers DROP CONSTRAINT transfers_debit_fkey, DROP CONSTRAINT transfers_credit_fkey;
DROP TRIGGER transfers_guard ON transfers;
CREATE OR REPLACE FUNCTION transfers_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added t WHERE t.kind = 'usage' AND t.debit IS DISTINCT FROM (
    SELECT h.account_id FROM receipts r JOIN holds h ON h.id = r.hold_id
    WHERE r.hold_id = t.hold_id AND r.state = 'settled' AND r.cost = t.amount AND h.state = 'settled'))
  THEN RAISE EXCEPTION 'usage must match its settled hold'; END IF;
  IF NOT EXISTS (SELECT 1 FROM added WHERE kind <> 'usage') THEN RETURN NULL; END IF;
  IF EXISTS (SELECT 1 FROM added t WHERE t.kind = 'topup' AND NOT EXISTS (
    SELECT 1 FROM topup_order o
    WHERE o.id = t.order_id AND o.status = 'success' AND o.amount = t.amount AND o.account_id = t.credit))
  THEN RAISE EXCEPTION 'a top-up must match its successful order'; END IF;
  IF EXISTS (SELECT 1 FROM added t WHERE t.kind <> 'usage' AND (SELECT count(*) FROM ledger_accounts WHERE id IN (t.debit, t.credit)) <> 2)
  THEN RAISE EXCEPTION 'a transfer is between two accounts of the ledger'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_guard AFTER INSERT ON transfers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION transfers_guard();
CREATE OR REPLACE FUNCTION transfers_post() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM added WHERE kind <> 'usage') THEN RETURN NULL; END IF;
  UPDATE balances b SET posted = b.posted + x.amount, version = b.version + 1
    FROM (SELECT account_id, sum(amount)::bigint AS amount FROM
      (SELECT debit AS account_id, -amount AS amount FROM added WHERE kind <> 'usage'
        UNION ALL SELECT credit, amount FROM added WHERE kind <> 'usage') y GROUP BY account_id) x
    WHERE b.account_id = x.account_id;
  RETURN NULL;
END $$;
