-- Sound and pictures that are counted in tokens have prices of their own, and are told apart on receipts. The same columns
-- and rules as migrations/sqlite/0007_media.sql.

-- Absent in a row of an earlier program, which priced them as any other input or output.
ALTER TABLE holds ADD COLUMN price_audio_prompt BIGINT CHECK (price_audio_prompt >= 0);
ALTER TABLE holds ADD COLUMN price_image_prompt BIGINT CHECK (price_image_prompt >= 0);
ALTER TABLE holds ADD COLUMN price_audio_completion BIGINT CHECK (price_audio_completion >= 0);
ALTER TABLE holds ADD COLUMN price_image_completion BIGINT CHECK (price_image_completion >= 0);
ALTER TABLE fallbacks ADD COLUMN price_audio_prompt BIGINT CHECK (price_audio_prompt >= 0);
ALTER TABLE fallbacks ADD COLUMN price_image_prompt BIGINT CHECK (price_image_prompt >= 0);
ALTER TABLE fallbacks ADD COLUMN price_audio_completion BIGINT CHECK (price_audio_completion >= 0);
ALTER TABLE fallbacks ADD COLUMN price_image_completion BIGINT CHECK (price_image_completion >= 0);

CREATE OR REPLACE FUNCTION holds_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.state <> 'held' OR NEW.id <> OLD.id THEN RAISE EXCEPTION 'holds resolve once and keep their number'; END IF;
  IF (NEW.account_id, NEW.key_id, NEW.request_id, NEW.amount, NEW.model, NEW.stream, NEW.epoch, NEW.created_at, NEW.kept)
      IS DISTINCT FROM
      (OLD.account_id, OLD.key_id, OLD.request_id, OLD.amount, OLD.model, OLD.stream, OLD.epoch, OLD.created_at, OLD.kept)
    OR (NEW.price_prompt, NEW.price_cached, NEW.price_cache_write, NEW.price_cache_write_long, NEW.price_completion, NEW.price_version)
      IS DISTINCT FROM
      (OLD.price_prompt, OLD.price_cached, OLD.price_cache_write, OLD.price_cache_write_long, OLD.price_completion, OLD.price_version)
    OR (NEW.price_audio_prompt, NEW.price_image_prompt, NEW.price_audio_completion, NEW.price_image_completion)
      IS DISTINCT FROM
      (OLD.price_audio_prompt, OLD.price_image_prompt, OLD.price_audio_completion, OLD.price_image_completion)
  THEN RAISE EXCEPTION 'holds keep their terms'; END IF;
  IF NEW.state <> OLD.state AND NOT EXISTS (SELECT 1 FROM receipts WHERE hold_id = OLD.id AND state = NEW.state)
  THEN RAISE EXCEPTION 'holds are resolved by their receipt'; END IF;
  IF OLD.kept = 1 AND NEW.state <> OLD.state AND NOT EXISTS (
    SELECT 1 FROM video_task WHERE hold_id = OLD.id AND receipt_id = OLD.id
      AND status = CASE NEW.state WHEN 'settled' THEN 'completed' ELSE 'failed' END)
  THEN RAISE EXCEPTION 'a kept hold ends with what it is kept for'; END IF;
  RETURN NEW;
END $$;

-- Parts of `prompt`, beside what was read from a cache or written to one, and of `completion`. None in a receipt of an
-- earlier program.
ALTER TABLE receipts ADD COLUMN audio_prompt BIGINT NOT NULL DEFAULT 0 CHECK (audio_prompt >= 0);
ALTER TABLE receipts ADD COLUMN image_prompt BIGINT NOT NULL DEFAULT 0 CHECK (image_prompt >= 0);
ALTER TABLE receipts ADD COLUMN audio_completion BIGINT NOT NULL DEFAULT 0 CHECK (audio_completion >= 0);
ALTER TABLE receipts ADD COLUMN image_completion BIGINT NOT NULL DEFAULT 0 CHECK (image_completion >= 0);
ALTER TABLE receipts ADD CONSTRAINT media_are_prompt
  CHECK (audio_prompt + image_prompt <= coalesce(prompt - cached - cache_write - cache_write_long, 0));
ALTER TABLE receipts ADD CONSTRAINT media_are_completion CHECK (audio_completion + image_completion <= coalesce(completion, 0));
