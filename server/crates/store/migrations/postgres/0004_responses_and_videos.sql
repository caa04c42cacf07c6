-- Stored responses, and the tasks of videos.

CREATE TABLE stored_responses (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  model TEXT NOT NULL,
  -- JSON: every item that led to the response, those it went on from included, so that none depends on another row.
  input TEXT NOT NULL,
  -- JSON: the response as the client was told it.
  response TEXT NOT NULL,
  bytes BIGINT NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  hidden TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (account_id, id),
  CONSTRAINT expires_later CHECK (expires_at > created_at)
);
CREATE INDEX stored_responses_by_age ON stored_responses (account_id, created_at, id, bytes);
CREATE INDEX stored_responses_expiry ON stored_responses (expires_at);
CREATE FUNCTION stored_responses_count() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO stored_bytes AS s (account_id, bytes) VALUES (NEW.account_id, NEW.bytes)
      ON CONFLICT (account_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
  ELSIF TG_OP = 'UPDATE' THEN
    IF NEW.account_id <> OLD.account_id THEN RAISE EXCEPTION 'stored responses keep their owner'; END IF;
    UPDATE stored_bytes SET bytes = bytes - OLD.bytes + NEW.bytes WHERE account_id = NEW.account_id;
  ELSE
    UPDATE stored_bytes SET bytes = bytes - OLD.bytes WHERE account_id = OLD.account_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_responses_count AFTER INSERT OR DELETE OR UPDATE ON stored_responses FOR EACH ROW EXECUTE FUNCTION stored_responses_count();
CREATE FUNCTION stored_responses_items() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM stored_items WHERE account_id = OLD.account_id AND response_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_responses_items AFTER DELETE ON stored_responses FOR EACH ROW EXECUTE FUNCTION stored_responses_items();
CREATE FUNCTION stored_responses_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'stored responses are deleted one by one, so that they are counted';
END $$;
CREATE TRIGGER stored_responses_stay BEFORE TRUNCATE ON stored_responses FOR EACH STATEMENT EXECUTE FUNCTION stored_responses_stay();

CREATE TABLE stored_bytes (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  bytes BIGINT NOT NULL,
  CONSTRAINT stored_not_negative CHECK (bytes >= 0)
);

CREATE TABLE stored_items (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
  response_id TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX stored_items_of_response ON stored_items (account_id, response_id);

CREATE TABLE video_task (
  -- Random, so that nobody counts the videos of others.
  task_id TEXT NOT NULL PRIMARY KEY CHECK (length(task_id) BETWEEN 16 AND 64),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  hold_id BIGINT NOT NULL UNIQUE,
  -- Set with the last move. The receipt of the hold has to be there by then, and it cannot be there without this: a rule
  -- that waits for the commit, because the one is written before the other.
  receipt_id BIGINT,
  status TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
  rev BIGINT NOT NULL DEFAULT 0,
  -- What was ordered.
  model TEXT NOT NULL,
  seconds BIGINT NOT NULL CHECK (seconds > 0),
  -- Of each second, and once beside it, in pico-USD; and what the account pays of the first.
  price BIGINT NOT NULL CHECK (price >= 0),
  price_request BIGINT NOT NULL CHECK (price_request >= 0),
  ratio_ppm BIGINT NOT NULL CHECK (ratio_ppm > 0),
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
    IF NOT EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND kept = 1 AND account_id = NEW.account_id)
    THEN RAISE EXCEPTION 'a video is held for'; END IF;
    RETURN NEW;
  END IF;
  IF NEW.status IN ('completed', 'failed') AND OLD.status NOT IN ('completed', 'failed') AND NEW.receipt_id IS NULL
  THEN RAISE EXCEPTION 'a video ends with its receipt'; END IF;
  IF (NEW.task_id, NEW.account_id, NEW.hold_id, NEW.model, NEW.seconds, NEW.price, NEW.price_request, NEW.ratio_ppm,
      NEW.size, NEW.prompt, NEW.created_at, NEW.deadline_at)
      IS DISTINCT FROM
      (OLD.task_id, OLD.account_id, OLD.hold_id, OLD.model, OLD.seconds, OLD.price, OLD.price_request, OLD.ratio_ppm,
      OLD.size, OLD.prompt, OLD.created_at, OLD.deadline_at)
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
CREATE TRIGGER video_task_guard BEFORE INSERT OR DELETE OR UPDATE ON video_task FOR EACH ROW EXECUTE FUNCTION video_task_guard();
CREATE FUNCTION video_task_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'videos stay, deleted or not';
END $$;
CREATE TRIGGER video_task_stays BEFORE TRUNCATE ON video_task FOR EACH STATEMENT EXECUTE FUNCTION video_task_stays();
-- A hold goes with its receipt alone.
CREATE FUNCTION video_task_has_receipt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM holds WHERE id = NEW.receipt_id) THEN RAISE EXCEPTION 'a video that is over has its receipt'; END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER video_task_has_receipt AFTER INSERT OR UPDATE ON video_task DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION video_task_has_receipt();
