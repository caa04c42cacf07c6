-- A request may have a price of its own, reasoning another than the rest of the answer, a long prompt a tier of prices, and
-- a group of accounts its own ratio of them all.

-- Absent in a row of an earlier program, which charged nothing for a request and priced reasoning as any other output.
ALTER TABLE holds ADD COLUMN price_request INTEGER CHECK (price_request >= 0);
ALTER TABLE holds ADD COLUMN price_reasoning INTEGER CHECK (price_reasoning >= 0);
ALTER TABLE fallbacks ADD COLUMN price_request INTEGER CHECK (price_request >= 0);
ALTER TABLE fallbacks ADD COLUMN price_reasoning INTEGER CHECK (price_reasoning >= 0);
-- What the account pays of the prices, in millionths; absent: all. Never nothing, so that no ratio makes a price free.
ALTER TABLE holds ADD COLUMN ratio_ppm INTEGER CHECK (ratio_ppm > 0);
CREATE TRIGGER holds_prices_fixed BEFORE UPDATE OF price_request, price_reasoning, ratio_ppm ON holds
  BEGIN SELECT RAISE(ABORT, 'holds keep their terms'); END;

-- The prices that a request came to by the length of its prompt, in the place of its hold's or its fallback's.
CREATE TABLE tiers (
  hold_id INTEGER PRIMARY KEY REFERENCES holds (id),
  -- Of tokens; the prompt was longer.
  above INTEGER NOT NULL CHECK (above >= 0),
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

-- Told before the receipt that it is for, as a fallback is, and the receipt has to be of a prompt that comes to it.
CREATE TRIGGER tiers_first BEFORE INSERT ON tiers
  WHEN NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state = 'held')
  BEGIN SELECT RAISE(ABORT, 'a tier is told before its receipt'); END;
CREATE TRIGGER tiers_no_update BEFORE UPDATE ON tiers BEGIN SELECT RAISE(ABORT, 'tiers is append-only'); END;
CREATE TRIGGER tiers_no_delete BEFORE DELETE ON tiers BEGIN SELECT RAISE(ABORT, 'tiers is append-only'); END;
CREATE TRIGGER receipts_in_tier BEFORE INSERT ON receipts
  WHEN EXISTS (SELECT 1 FROM tiers WHERE hold_id = NEW.hold_id AND above >= coalesce(NEW.prompt, 0))
  BEGIN SELECT RAISE(ABORT, 'a tier is for a longer prompt'); END;

-- Which ratio it is charged at is what the settings say of its group.
ALTER TABLE accounts ADD COLUMN price_group TEXT NOT NULL DEFAULT 'default' CHECK (length(price_group) BETWEEN 1 AND 32);
CREATE TRIGGER accounts_epoch_group AFTER UPDATE OF price_group ON accounts BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
