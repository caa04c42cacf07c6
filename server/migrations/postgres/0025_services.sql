-- A provider charges for more than tokens: for uses of the tools that it runs, and by the class of service that a request is
-- answered in, which multiplies the prices of tokens. The same tables and rules as migrations/sqlite/0025_services.sql.

-- The prices of tokens in that class, in the place of the hold's, the fallback's and the tier's.
CREATE TABLE service_classes (
  hold_id BIGINT PRIMARY KEY REFERENCES holds (id),
  -- As the answer told it, or the request where the answer did not: `service_tier: flex`.
  class TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 200),
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

-- Uses of tools that the provider ran, each kind at its price for one.
CREATE TABLE tool_uses (
  hold_id BIGINT NOT NULL REFERENCES holds (id),
  tool TEXT NOT NULL CHECK (length(tool) BETWEEN 1 AND 64),
  uses BIGINT NOT NULL CHECK (uses BETWEEN 1 AND 1000000),
  -- Pico-USD for one use, before the ratio of the account.
  price BIGINT NOT NULL CHECK (price >= 0),
  PRIMARY KEY (hold_id, tool)
);

-- Told before the receipt that they are for, as a tier is.
CREATE FUNCTION service_classes_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state NOT IN ('settled', 'released'))
  THEN RAISE EXCEPTION 'a class of service is told before its receipt'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER service_classes_first BEFORE INSERT ON service_classes FOR EACH ROW EXECUTE FUNCTION service_classes_first();
CREATE TRIGGER service_classes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON service_classes
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE FUNCTION tool_uses_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state NOT IN ('settled', 'released'))
  THEN RAISE EXCEPTION 'a use of a tool is told before its receipt'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tool_uses_first BEFORE INSERT ON tool_uses FOR EACH ROW EXECUTE FUNCTION tool_uses_first();
CREATE TRIGGER tool_uses_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tool_uses
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
