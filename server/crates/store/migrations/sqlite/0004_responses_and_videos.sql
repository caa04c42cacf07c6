-- Stored responses, and the tasks of videos.

CREATE TABLE stored_responses (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  model TEXT NOT NULL,
  -- JSON: every item that led to the response, those it went on from included, so that none depends on another row.
  input TEXT NOT NULL,
  -- JSON: the response as the client was told it.
  response TEXT NOT NULL,
  bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  hidden TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (account_id, id),
  CONSTRAINT expires_later CHECK (expires_at > created_at)
) STRICT;
CREATE INDEX stored_responses_expiry ON stored_responses (expires_at);
CREATE INDEX stored_responses_by_age ON stored_responses (account_id, created_at, id, bytes);
CREATE TRIGGER stored_responses_added AFTER INSERT ON stored_responses BEGIN
  INSERT INTO stored_bytes (account_id, bytes) VALUES (NEW.account_id, NEW.bytes)
    ON CONFLICT (account_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_responses_replaced AFTER UPDATE OF bytes ON stored_responses BEGIN
  UPDATE stored_bytes SET bytes = bytes - OLD.bytes + NEW.bytes WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER stored_responses_dropped AFTER DELETE ON stored_responses BEGIN
  UPDATE stored_bytes SET bytes = bytes - OLD.bytes WHERE account_id = OLD.account_id;
END;
CREATE TRIGGER stored_responses_keep_owner BEFORE UPDATE ON stored_responses WHEN NEW.account_id <> OLD.account_id
  BEGIN SELECT RAISE(ABORT, 'stored responses keep their owner'); END;
CREATE TRIGGER stored_responses_items AFTER DELETE ON stored_responses BEGIN
  DELETE FROM stored_items WHERE account_id = OLD.account_id AND response_id = OLD.id;
END;

CREATE TABLE stored_bytes (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  bytes INTEGER NOT NULL,
  CONSTRAINT stored_not_negative CHECK (bytes >= 0)
) STRICT;

CREATE TABLE stored_items (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
  response_id TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT;
CREATE INDEX stored_items_of_response ON stored_items (account_id, response_id);

CREATE TABLE video_task (
  -- Random, so that nobody counts the videos of others.
  task_id TEXT NOT NULL PRIMARY KEY CHECK (length(task_id) BETWEEN 16 AND 64),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  hold_id INTEGER NOT NULL UNIQUE,
  -- Set with the last move. The receipt of the hold has to be there by then, and it cannot be there without this: a rule
  -- that waits for the commit, because the one is written before the other.
  receipt_id INTEGER REFERENCES receipts (hold_id) DEFERRABLE INITIALLY DEFERRED,
  status TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
  rev INTEGER NOT NULL DEFAULT 0,
  -- What was ordered.
  model TEXT NOT NULL,
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  -- Of each second, and once beside it, in pico-USD; and what the account pays of the first.
  price INTEGER NOT NULL CHECK (price >= 0),
  price_request INTEGER NOT NULL CHECK (price_request >= 0),
  ratio_ppm INTEGER NOT NULL CHECK (ratio_ppm > 0),
  size TEXT,
  prompt TEXT NOT NULL,
  -- Who makes it: written before it is asked, and the name that it gave the task once it has answered.
  upstream TEXT,
  upstream_model TEXT,
  upstream_path TEXT,
  upstream_id TEXT CHECK (length(upstream_id) > 0),
  -- What it said last.
  progress INTEGER NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  url TEXT,
  measures TEXT,
  error_code TEXT,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  deadline_at INTEGER NOT NULL,
  ended_at INTEGER,
  deleted_at INTEGER,
  CONSTRAINT its_own_receipt CHECK (receipt_id = hold_id),
  CONSTRAINT named_by_somebody CHECK (upstream_id IS NULL OR (upstream IS NOT NULL AND upstream_model IS NOT NULL AND upstream_path IS NOT NULL)),
  CONSTRAINT failure_says_why CHECK (status <> 'failed' OR (error_code IS NOT NULL AND error_message IS NOT NULL)),
  CONSTRAINT deleted_when_over CHECK (deleted_at IS NULL OR status IN ('completed', 'failed'))
) STRICT;
CREATE INDEX video_task_by_account ON video_task (account_id, created_at, task_id);
CREATE INDEX video_task_open ON video_task (created_at, task_id) WHERE status IN ('queued', 'in_progress');
CREATE TRIGGER video_task_is_held BEFORE INSERT ON video_task WHEN NOT EXISTS (
    SELECT 1 FROM holds WHERE id = NEW.hold_id AND kept = 1 AND account_id = NEW.account_id)
  BEGIN SELECT RAISE(ABORT, 'a video is held for'); END;
CREATE TRIGGER video_task_ends_with_receipt BEFORE UPDATE OF status ON video_task
  WHEN NEW.status IN ('completed', 'failed') AND OLD.status NOT IN ('completed', 'failed') AND NEW.receipt_id IS NULL
  BEGIN SELECT RAISE(ABORT, 'a video ends with its receipt'); END;
CREATE TRIGGER video_task_fixed BEFORE UPDATE ON video_task
  WHEN NEW.task_id <> OLD.task_id OR NEW.account_id <> OLD.account_id OR NEW.hold_id <> OLD.hold_id OR NEW.model <> OLD.model
    OR NEW.seconds <> OLD.seconds OR NEW.price <> OLD.price
    OR NEW.price_request <> OLD.price_request OR NEW.ratio_ppm <> OLD.ratio_ppm OR NEW.size IS NOT OLD.size OR NEW.prompt <> OLD.prompt OR NEW.created_at <> OLD.created_at
    OR NEW.deadline_at <> OLD.deadline_at OR (OLD.receipt_id IS NOT NULL AND NEW.receipt_id IS NOT OLD.receipt_id)
    OR (OLD.upstream_id IS NOT NULL AND NEW.upstream_id IS NOT OLD.upstream_id)
    OR (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NOT OLD.deleted_at)
    OR (OLD.receipt_id IS NOT NULL AND (NEW.upstream IS NOT OLD.upstream OR NEW.upstream_model IS NOT OLD.upstream_model
      OR NEW.upstream_path IS NOT OLD.upstream_path OR NEW.progress <> OLD.progress OR NEW.url IS NOT OLD.url
      OR NEW.measures IS NOT OLD.measures OR NEW.error_code IS NOT OLD.error_code
      OR NEW.error_message IS NOT OLD.error_message OR NEW.ended_at IS NOT OLD.ended_at))
  BEGIN SELECT RAISE(ABORT, 'a video keeps its terms'); END;
CREATE TRIGGER video_task_stays BEFORE DELETE ON video_task BEGIN SELECT RAISE(ABORT, 'videos stay, deleted or not'); END;
