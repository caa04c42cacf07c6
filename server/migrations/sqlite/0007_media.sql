-- Sound and pictures that are counted in tokens have prices of their own, and are told apart on receipts.

-- Absent in a row of an earlier program, which priced them as any other input or output.
ALTER TABLE holds ADD COLUMN price_audio_prompt INTEGER CHECK (price_audio_prompt >= 0);
ALTER TABLE holds ADD COLUMN price_image_prompt INTEGER CHECK (price_image_prompt >= 0);
ALTER TABLE holds ADD COLUMN price_audio_completion INTEGER CHECK (price_audio_completion >= 0);
ALTER TABLE holds ADD COLUMN price_image_completion INTEGER CHECK (price_image_completion >= 0);
ALTER TABLE fallbacks ADD COLUMN price_audio_prompt INTEGER CHECK (price_audio_prompt >= 0);
ALTER TABLE fallbacks ADD COLUMN price_image_prompt INTEGER CHECK (price_image_prompt >= 0);
ALTER TABLE fallbacks ADD COLUMN price_audio_completion INTEGER CHECK (price_audio_completion >= 0);
ALTER TABLE fallbacks ADD COLUMN price_image_completion INTEGER CHECK (price_image_completion >= 0);

DROP TRIGGER holds_fixed;
CREATE TRIGGER holds_fixed BEFORE UPDATE OF account_id, key_id, request_id, amount, model, stream, price_prompt, price_cached,
  price_cache_write, price_cache_write_long, price_completion, price_audio_prompt, price_image_prompt, price_audio_completion,
  price_image_completion, price_version, epoch, created_at, kept ON holds
  BEGIN SELECT RAISE(ABORT, 'holds keep their terms'); END;

-- Parts of `prompt`, beside what was read from a cache or written to one, and of `completion`. None in a receipt of an
-- earlier program.
ALTER TABLE receipts ADD COLUMN audio_prompt INTEGER NOT NULL DEFAULT 0 CHECK (audio_prompt >= 0);
ALTER TABLE receipts ADD COLUMN image_prompt INTEGER NOT NULL DEFAULT 0
  CHECK (image_prompt >= 0 AND audio_prompt + image_prompt <= coalesce(prompt - cached - cache_write - cache_write_long, 0));
ALTER TABLE receipts ADD COLUMN audio_completion INTEGER NOT NULL DEFAULT 0 CHECK (audio_completion >= 0);
ALTER TABLE receipts ADD COLUMN image_completion INTEGER NOT NULL DEFAULT 0
  CHECK (image_completion >= 0 AND audio_completion + image_completion <= coalesce(completion, 0));
