-- What a request has a provider write to its cache has prices of its own: one for five minutes, one for an hour.

-- Absent in a hold of an earlier program, which priced what was written as any other input.
ALTER TABLE holds ADD COLUMN price_cache_write INTEGER CHECK (price_cache_write >= 0);
ALTER TABLE holds ADD COLUMN price_cache_write_long INTEGER CHECK (price_cache_write_long >= 0);

DROP TRIGGER holds_fixed;
CREATE TRIGGER holds_fixed BEFORE UPDATE OF account_id, key_id, request_id, amount, model, stream, price_prompt, price_cached,
  price_cache_write, price_cache_write_long, price_completion, price_version, epoch, created_at ON holds
  BEGIN SELECT RAISE(ABORT, 'holds keep their terms'); END;

-- Parts of `prompt`, beside `cached`. None in a receipt of an earlier program.
ALTER TABLE receipts ADD COLUMN cache_write INTEGER NOT NULL DEFAULT 0 CHECK (cache_write >= 0);
ALTER TABLE receipts ADD COLUMN cache_write_long INTEGER NOT NULL DEFAULT 0
  CHECK (cache_write_long >= 0 AND cache_write + cache_write_long <= coalesce(prompt - cached, 0));
