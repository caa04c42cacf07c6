-- A request may have a price of its own, reasoning another than the rest of the answer, a long prompt a tier of prices, and
-- a group of accounts its own ratio of them all. The same tables and rules as migrations/sqlite/0012_prices.sql.

-- Absent in a row of an earlier program, which charged nothing for a request and priced reasoning as any other output.
ALTER TABLE holds ADD COLUMN price_request BIGINT CHECK (price_request >= 0);
ALTER TABLE holds ADD COLUMN price_reasoning BIGINT CHECK (price_reasoning >= 0);
ALTER TABLE fallbacks ADD COLUMN price_request BIGINT CHECK (price_request >= 0);
ALTER TABLE fallbacks ADD COLUMN price_reasoning BIGINT CHECK (price_reasoning >= 0);
-- What the account pays of the prices, in millionths; absent: all. Never nothing, so that no ratio makes a price free.
ALTER TABLE holds ADD COLUMN ratio_ppm BIGINT CHECK (ratio_ppm > 0);
-- A trigger of their own: one that runs for these columns alone costs nothing where a hold is only resolved.
CREATE FUNCTION holds_prices_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'holds keep their terms';
END $$;
CREATE TRIGGER holds_prices_fixed BEFORE UPDATE OF price_request, price_reasoning, ratio_ppm ON holds
  FOR EACH ROW EXECUTE FUNCTION holds_prices_fixed();

-- The prices that a request came to by the length of its prompt, in the place of its hold's or its fallback's.
CREATE TABLE tiers (
  hold_id BIGINT PRIMARY KEY REFERENCES holds (id),
  -- Of tokens; the prompt was longer.
  above BIGINT NOT NULL CHECK (above >= 0),
  price_prompt BIGINT NOT NULL CHECK (price_prompt >= 0),
  price_cached BIGINT NOT NULL CHECK (price_cached >= 0),
  price_cache_write BIGINT NOT NULL CHECK (price_cache_write >= 0),
  price_cache_write_long BIGINT NOT NULL CHECK (price_cache_write_long >= 0),
  price_completion BIGINT NOT NULL CHECK (price_completion >= 0),
  price_audio_prompt BIGINT NOT NULL CHECK (price_audio_prompt >= 0),
  price_image_prompt BIGINT NOT NULL CHECK (price_image_prompt >= 0),
  price_audio_completion BIGINT NOT NULL CHECK (price_audio_completion >= 0),
  price_image_completion BIGINT NOT NULL CHECK (price_image_completion >= 0),
  price_request BIGINT NOT NULL CHECK (price_request >= 0),
  price_reasoning BIGINT NOT NULL CHECK (price_reasoning >= 0)
);

-- Told before the receipt that it is for, as a fallback is, and the receipt has to be of a prompt that comes to it.
CREATE FUNCTION tiers_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state = 'held')
  THEN RAISE EXCEPTION 'a tier is told before its receipt'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tiers_first BEFORE INSERT ON tiers FOR EACH ROW EXECUTE FUNCTION tiers_first();
CREATE TRIGGER tiers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tiers FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE FUNCTION receipts_in_tier() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM added r JOIN tiers t USING (hold_id) WHERE t.above >= coalesce(r.prompt, 0))
  THEN RAISE EXCEPTION 'a tier is for a longer prompt'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER receipts_in_tier AFTER INSERT ON receipts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION receipts_in_tier();

-- Which ratio it is charged at is what the settings say of its group.
ALTER TABLE accounts ADD COLUMN price_group TEXT NOT NULL DEFAULT 'default' CHECK (length(price_group) BETWEEN 1 AND 32);
CREATE TRIGGER accounts_epoch_group AFTER UPDATE OF price_group ON accounts FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();
