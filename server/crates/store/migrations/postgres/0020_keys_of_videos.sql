-- expands
-- A video knows the key that ordered it: that of its hold, which a server of the version before does not write. NULL: the month of its
-- receipt was archived before. A hold is taken within seconds of the order, and its receipt found by the index of its account.

-- The lock that it needs at once, so that nobody waits behind a long reader.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE video_task IN ACCESS EXCLUSIVE MODE;
SET LOCAL lock_timeout = '60s';
ALTER TABLE video_task ADD COLUMN key_id BIGINT;
UPDATE video_task SET key_id = h.key_id FROM holds h WHERE h.id = video_task.hold_id;
UPDATE video_task SET key_id = r.key_id FROM receipts r
  WHERE video_task.key_id IS NULL AND r.account_id = video_task.account_id AND r.hold_id = video_task.hold_id
    AND r.created_at BETWEEN video_task.created_at - 60000 AND video_task.created_at + 60000;
-- What waits for the commit looks at the rows now: the table is changed once more.
SET CONSTRAINTS video_task_has_receipt IMMEDIATE;
CREATE INDEX video_task_by_key ON video_task (key_id, created_at, task_id);
CREATE OR REPLACE FUNCTION video_task_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'videos stay, deleted or not'; END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT key_id INTO NEW.key_id FROM holds WHERE id = NEW.hold_id AND kept = 1 AND account_id = NEW.account_id;
    IF NOT FOUND THEN RAISE EXCEPTION 'a video is held for'; END IF;
    RETURN NEW;
  END IF;
  IF NEW.status IN ('completed', 'failed') AND OLD.status NOT IN ('completed', 'failed') AND NEW.receipt_id IS NULL
  THEN RAISE EXCEPTION 'a video ends with its receipt'; END IF;
  IF (NEW.task_id, NEW.account_id, NEW.hold_id, NEW.model, NEW.seconds, NEW.price, NEW.price_request, NEW.ratio_ppm,
      NEW.size, NEW.prompt, NEW.created_at, NEW.deadline_at, NEW.key_id)
      IS DISTINCT FROM
      (OLD.task_id, OLD.account_id, OLD.hold_id, OLD.model, OLD.seconds, OLD.price, OLD.price_request, OLD.ratio_ppm,
      OLD.size, OLD.prompt, OLD.created_at, OLD.deadline_at, OLD.key_id)
    OR (OLD.receipt_id IS NOT NULL AND NEW.receipt_id IS DISTINCT FROM OLD.receipt_id)
    OR (OLD.upstream_id IS NOT NULL AND NEW.upstream_id IS DISTINCT FROM OLD.upstream_id)
    OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at)
    OR (OLD.receipt_id IS NOT NULL
      AND (NEW.upstream, NEW.upstream_model, NEW.upstream_path, NEW.progress, NEW.url, NEW.measures, NEW.error_code, NEW.error_message, NEW.ended_at)
      IS DISTINCT FROM
      (OLD.upstream, OLD.upstream_model, OLD.upstream_path, OLD.progress, OLD.url, OLD.measures, OLD.error_code, OLD.error_message, OLD.ended_at))
  THEN RAISE EXCEPTION 'a video keeps its terms'; END IF;
  RETURN NEW;
END $$;
