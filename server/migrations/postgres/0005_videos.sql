-- Videos take longer than a process may live. The hold of one outlives whoever took it, and ends with its task alone. The
-- same tables and rules as migrations/sqlite/0005_videos.sql.

-- Such a hold is neither given back at a start nor by its time.
ALTER TABLE holds ADD COLUMN kept SMALLINT NOT NULL DEFAULT 0 CHECK (kept IN (0, 1));

CREATE OR REPLACE FUNCTION holds_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.state <> 'held' OR NEW.id <> OLD.id THEN RAISE EXCEPTION 'holds resolve once and keep their number'; END IF;
  IF (NEW.account_id, NEW.key_id, NEW.request_id, NEW.amount, NEW.model, NEW.stream, NEW.epoch, NEW.created_at, NEW.kept)
      IS DISTINCT FROM
      (OLD.account_id, OLD.key_id, OLD.request_id, OLD.amount, OLD.model, OLD.stream, OLD.epoch, OLD.created_at, OLD.kept)
    OR (NEW.price_prompt, NEW.price_cached, NEW.price_cache_write, NEW.price_cache_write_long, NEW.price_completion, NEW.price_version)
      IS DISTINCT FROM
      (OLD.price_prompt, OLD.price_cached, OLD.price_cache_write, OLD.price_cache_write_long, OLD.price_completion, OLD.price_version)
  THEN RAISE EXCEPTION 'holds keep their terms'; END IF;
  IF NEW.state <> OLD.state AND NOT EXISTS (SELECT 1 FROM receipts WHERE hold_id = OLD.id AND state = NEW.state)
  THEN RAISE EXCEPTION 'holds are resolved by their receipt'; END IF;
  IF OLD.kept = 1 AND NEW.state <> OLD.state AND NOT EXISTS (
    SELECT 1 FROM video_task WHERE hold_id = OLD.id AND receipt_id = OLD.id
      AND status = CASE NEW.state WHEN 'settled' THEN 'completed' ELSE 'failed' END)
  THEN RAISE EXCEPTION 'a kept hold ends with what it is kept for'; END IF;
  RETURN NEW;
END $$;

-- No program has made a row of it yet.
DROP TABLE video_task;
CREATE TABLE video_task (
  -- Random, so that nobody counts the videos of others.
  task_id TEXT NOT NULL PRIMARY KEY CHECK (length(task_id) BETWEEN 16 AND 64),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  hold_id BIGINT NOT NULL UNIQUE REFERENCES holds (id),
  -- Set with the last move. The receipt of the hold has to be there by then, and it cannot be there without this: a rule
  -- that waits for the commit, because the one is written before the other.
  receipt_id BIGINT REFERENCES receipts (hold_id) DEFERRABLE INITIALLY DEFERRED,
  status TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
  rev BIGINT NOT NULL DEFAULT 0,
  -- What was ordered.
  model TEXT NOT NULL,
  seconds BIGINT NOT NULL CHECK (seconds > 0),
  -- Of each second, in pico-USD.
  price BIGINT NOT NULL CHECK (price >= 0),
  size TEXT,
  prompt TEXT NOT NULL,
  -- Who makes it: written before it is asked, and the name that it gave the task once it has answered.
  upstream TEXT,
  upstream_model TEXT,
  upstream_path TEXT,
  upstream_id TEXT CHECK (length(upstream_id) > 0),
  -- What it said last.
  progress BIGINT NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  url TEXT,
  measures TEXT,
  error_code TEXT,
  error_message TEXT,
  created_at BIGINT NOT NULL,
  deadline_at BIGINT NOT NULL,
  ended_at BIGINT,
  deleted_at BIGINT,
  CONSTRAINT its_own_receipt CHECK (receipt_id = hold_id),
  CONSTRAINT named_by_somebody CHECK (upstream_id IS NULL OR (upstream IS NOT NULL AND upstream_model IS NOT NULL AND upstream_path IS NOT NULL)),
  CONSTRAINT failure_says_why CHECK (status <> 'failed' OR (error_code IS NOT NULL AND error_message IS NOT NULL)),
  CONSTRAINT deleted_when_over CHECK (deleted_at IS NULL OR status IN ('completed', 'failed'))
);
CREATE INDEX video_task_by_account ON video_task (account_id, created_at, task_id);
CREATE INDEX video_task_open ON video_task (created_at, task_id) WHERE status IN ('queued', 'in_progress');

CREATE FUNCTION video_task_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'videos stay, deleted or not'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND state = 'held' AND kept = 1 AND account_id = NEW.account_id)
    THEN RAISE EXCEPTION 'a video is held for'; END IF;
    RETURN NEW;
  END IF;
  IF NEW.status IN ('completed', 'failed') AND OLD.status NOT IN ('completed', 'failed') AND NEW.receipt_id IS NULL
  THEN RAISE EXCEPTION 'a video ends with its receipt'; END IF;
  IF (NEW.task_id, NEW.account_id, NEW.hold_id, NEW.model, NEW.seconds, NEW.price, NEW.size, NEW.prompt, NEW.created_at, NEW.deadline_at)
      IS DISTINCT FROM
      (OLD.task_id, OLD.account_id, OLD.hold_id, OLD.model, OLD.seconds, OLD.price, OLD.size, OLD.prompt, OLD.created_at, OLD.deadline_at)
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
CREATE TRIGGER video_task_guard BEFORE INSERT OR UPDATE OR DELETE ON video_task FOR EACH ROW EXECUTE FUNCTION video_task_guard();
CREATE FUNCTION video_task_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'videos stay, deleted or not';
END $$;
CREATE TRIGGER video_task_stays BEFORE TRUNCATE ON video_task FOR EACH STATEMENT EXECUTE FUNCTION video_task_stays();
