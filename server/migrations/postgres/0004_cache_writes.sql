-- What a request has a provider write to its cache has prices of its own: one for five minutes, one for an hour. The same
-- columns and rules as migrations/sqlite/0004_cache_writes.sql.

-- Absent in a hold of an earlier program, which priced what was written as any other input.
ALTER TABLE holds ADD COLUMN price_cache_write BIGINT CHECK (price_cache_write >= 0);
ALTER TABLE holds ADD COLUMN price_cache_write_long BIGINT CHECK (price_cache_write_long >= 0);

CREATE OR REPLACE FUNCTION holds_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.state <> 'held' OR NEW.id <> OLD.id THEN RAISE EXCEPTION 'holds resolve once and keep their number'; END IF;
  IF (NEW.account_id, NEW.key_id, NEW.request_id, NEW.amount, NEW.model, NEW.stream, NEW.epoch, NEW.created_at)
      IS DISTINCT FROM (OLD.account_id, OLD.key_id, OLD.request_id, OLD.amount, OLD.model, OLD.stream, OLD.epoch, OLD.created_at)
    OR (NEW.price_prompt, NEW.price_cached, NEW.price_cache_write, NEW.price_cache_write_long, NEW.price_completion, NEW.price_version)
      IS DISTINCT FROM
      (OLD.price_prompt, OLD.price_cached, OLD.price_cache_write, OLD.price_cache_write_long, OLD.price_completion, OLD.price_version)
  THEN RAISE EXCEPTION 'holds keep their terms'; END IF;
  IF NEW.state <> OLD.state AND NOT EXISTS (SELECT 1 FROM receipts WHERE hold_id = OLD.id AND state = NEW.state)
  THEN RAISE EXCEPTION 'holds are resolved by their receipt'; END IF;
  RETURN NEW;
END $$;

-- Parts of `prompt`, beside `cached`. None in a receipt of an earlier program.
ALTER TABLE receipts ADD COLUMN cache_write BIGINT NOT NULL DEFAULT 0 CHECK (cache_write >= 0);
ALTER TABLE receipts ADD COLUMN cache_write_long BIGINT NOT NULL DEFAULT 0 CHECK (cache_write_long >= 0);
ALTER TABLE receipts ADD CONSTRAINT writes_are_prompt CHECK (cache_write + cache_write_long <= coalesce(prompt - cached, 0));
