-- A model that answered in the place of the one that was asked for, and the prices that its answer was charged at. The
-- same table and rules as migrations/sqlite/0006_fallbacks.sql.

CREATE TABLE fallbacks (
  hold_id BIGINT PRIMARY KEY REFERENCES holds (id),
  model TEXT NOT NULL CHECK (model <> ''),
  price_prompt BIGINT NOT NULL CHECK (price_prompt >= 0),
  price_cached BIGINT NOT NULL CHECK (price_cached >= 0),
  price_cache_write BIGINT NOT NULL CHECK (price_cache_write >= 0),
  price_cache_write_long BIGINT NOT NULL CHECK (price_cache_write_long >= 0),
  price_completion BIGINT NOT NULL CHECK (price_completion >= 0),
  price_version TEXT NOT NULL
);

-- Told before the receipt that it is for, so that no charge is explained later by other prices.
CREATE FUNCTION fallbacks_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state = 'held')
  THEN RAISE EXCEPTION 'a fallback is told before its receipt'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fallbacks_first BEFORE INSERT ON fallbacks FOR EACH ROW EXECUTE FUNCTION fallbacks_first();
CREATE TRIGGER fallbacks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON fallbacks FOR EACH STATEMENT EXECUTE FUNCTION append_only();
