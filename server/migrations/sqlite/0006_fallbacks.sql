-- A model that answered in the place of the one that was asked for, and the prices that its answer was charged at.

CREATE TABLE fallbacks (
  hold_id INTEGER PRIMARY KEY REFERENCES holds (id),
  model TEXT NOT NULL CHECK (model <> ''),
  price_prompt INTEGER NOT NULL CHECK (price_prompt >= 0),
  price_cached INTEGER NOT NULL CHECK (price_cached >= 0),
  price_cache_write INTEGER NOT NULL CHECK (price_cache_write >= 0),
  price_cache_write_long INTEGER NOT NULL CHECK (price_cache_write_long >= 0),
  price_completion INTEGER NOT NULL CHECK (price_completion >= 0),
  price_version TEXT NOT NULL
) STRICT;

-- Told before the receipt that it is for, so that no charge is explained later by other prices.
CREATE TRIGGER fallbacks_first BEFORE INSERT ON fallbacks
  WHEN NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state = 'held')
  BEGIN SELECT RAISE(ABORT, 'a fallback is told before its receipt'); END;
CREATE TRIGGER fallbacks_no_update BEFORE UPDATE ON fallbacks BEGIN SELECT RAISE(ABORT, 'fallbacks is append-only'); END;
CREATE TRIGGER fallbacks_no_delete BEFORE DELETE ON fallbacks BEGIN SELECT RAISE(ABORT, 'fallbacks is append-only'); END;
