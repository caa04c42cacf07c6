-- A provider charges for more than tokens: for uses of the tools that it runs, and by the class of service that a request is
-- answered in, which multiplies the prices of tokens.

-- The prices of tokens in that class, in the place of the hold's, the fallback's and the tier's.
CREATE TABLE service_classes (
  hold_id INTEGER PRIMARY KEY REFERENCES holds (id),
  -- As the answer told it, or the request where the answer did not: `service_tier: flex`.
  class TEXT NOT NULL CHECK (length(class) BETWEEN 1 AND 200),
  price_prompt INTEGER NOT NULL CHECK (price_prompt >= 0),
  price_cached INTEGER NOT NULL CHECK (price_cached >= 0),
  price_cache_write INTEGER NOT NULL CHECK (price_cache_write >= 0),
  price_cache_write_long INTEGER NOT NULL CHECK (price_cache_write_long >= 0),
  price_completion INTEGER NOT NULL CHECK (price_completion >= 0),
  price_audio_prompt INTEGER NOT NULL CHECK (price_audio_prompt >= 0),
  price_image_prompt INTEGER NOT NULL CHECK (price_image_prompt >= 0),
  price_audio_completion INTEGER NOT NULL CHECK (price_audio_completion >= 0),
  price_image_completion INTEGER NOT NULL CHECK (price_image_completion >= 0),
  price_request INTEGER NOT NULL CHECK (price_request >= 0),
  price_reasoning INTEGER NOT NULL CHECK (price_reasoning >= 0)
) STRICT;

-- Uses of tools that the provider ran, each kind at its price for one.
CREATE TABLE tool_uses (
  hold_id INTEGER NOT NULL REFERENCES holds (id),
  tool TEXT NOT NULL CHECK (length(tool) BETWEEN 1 AND 64),
  uses INTEGER NOT NULL CHECK (uses BETWEEN 1 AND 1000000),
  -- Pico-USD for one use, before the ratio of the account.
  price INTEGER NOT NULL CHECK (price >= 0),
  PRIMARY KEY (hold_id, tool)
) STRICT;

-- Told before the receipt that they are for, as a tier is.
CREATE TRIGGER service_classes_first BEFORE INSERT ON service_classes
  WHEN NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state = 'held')
  BEGIN SELECT RAISE(ABORT, 'a class of service is told before its receipt'); END;
CREATE TRIGGER service_classes_no_update BEFORE UPDATE ON service_classes BEGIN SELECT RAISE(ABORT, 'service_classes is append-only'); END;
CREATE TRIGGER service_classes_no_delete BEFORE DELETE ON service_classes BEGIN SELECT RAISE(ABORT, 'service_classes is append-only'); END;
CREATE TRIGGER tool_uses_first BEFORE INSERT ON tool_uses
  WHEN NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state = 'held')
  BEGIN SELECT RAISE(ABORT, 'a use of a tool is told before its receipt'); END;
CREATE TRIGGER tool_uses_no_update BEFORE UPDATE ON tool_uses BEGIN SELECT RAISE(ABORT, 'tool_uses is append-only'); END;
CREATE TRIGGER tool_uses_no_delete BEFORE DELETE ON tool_uses BEGIN SELECT RAISE(ABORT, 'tool_uses is append-only'); END;
