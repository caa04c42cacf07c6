-- What an account reads of its requests: a way to its own, the newest first, and their sums by day; and what became of
-- requests that came with an Idempotency-Key.

-- The account and the moment alone, both fixed with the hold, so that the settlement does not touch it. The number of the
-- hold stands at the end of each entry by itself.
CREATE INDEX holds_by_account ON holds (account_id, created_at);

-- One row for each day (counted from 1970, in UTC, of the hold), key and model that an account had a request of. A question
-- over a year reads a few thousand of these, however many requests there were. Kept by the trigger below; an audit sums
-- the receipts up again and compares.
CREATE TABLE usage_days (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  released INTEGER NOT NULL,
  charged INTEGER NOT NULL,
  shortfall INTEGER NOT NULL,
  prompt INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cache_write_long INTEGER NOT NULL,
  completion INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  audio_prompt INTEGER NOT NULL,
  image_prompt INTEGER NOT NULL,
  audio_completion INTEGER NOT NULL,
  image_completion INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model)
) STRICT, WITHOUT ROWID;

INSERT INTO usage_days SELECT h.account_id, h.created_at / 86400000, h.key_id, h.model, count(*), sum(r.state = 'released'),
    sum(r.cost), sum(r.shortfall), sum(coalesce(r.prompt, 0)), sum(coalesce(r.cached, 0)), sum(r.cache_write),
    sum(r.cache_write_long), sum(coalesce(r.completion, 0)), sum(coalesce(r.reasoning, 0)), sum(r.audio_prompt),
    sum(r.image_prompt), sum(r.audio_completion), sum(r.image_completion)
  FROM receipts r JOIN holds h ON h.id = r.hold_id GROUP BY 1, 2, 3, 4;

CREATE TRIGGER receipts_usage AFTER INSERT ON receipts BEGIN
  INSERT INTO usage_days SELECT h.account_id, h.created_at / 86400000, h.key_id, h.model, 1, NEW.state = 'released',
      NEW.cost, NEW.shortfall, coalesce(NEW.prompt, 0), coalesce(NEW.cached, 0), NEW.cache_write, NEW.cache_write_long,
      coalesce(NEW.completion, 0), coalesce(NEW.reasoning, 0), NEW.audio_prompt, NEW.image_prompt, NEW.audio_completion,
      NEW.image_completion
    FROM holds h WHERE h.id = NEW.hold_id
  ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET requests = requests + excluded.requests,
    released = released + excluded.released, charged = charged + excluded.charged, shortfall = shortfall + excluded.shortfall,
    prompt = prompt + excluded.prompt, cached = cached + excluded.cached, cache_write = cache_write + excluded.cache_write,
    cache_write_long = cache_write_long + excluded.cache_write_long, completion = completion + excluded.completion,
    reasoning = reasoning + excluded.reasoning, audio_prompt = audio_prompt + excluded.audio_prompt,
    image_prompt = image_prompt + excluded.image_prompt, audio_completion = audio_completion + excluded.audio_completion,
    image_completion = image_completion + excluded.image_completion;
END;
CREATE TRIGGER usage_days_stay BEFORE DELETE ON usage_days BEGIN SELECT RAISE(ABORT, 'usage_days stay'); END;

-- One row for each Idempotency-Key of an account, for a day. `running` belongs to the start of a server that `epoch` names;
-- `done` without a status is a request whose answer cannot be repeated.
CREATE TABLE idempotency (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  idem_key TEXT NOT NULL CHECK (length(idem_key) BETWEEN 1 AND 255),
  -- Of the method, the path and the body.
  request_sha256 BLOB NOT NULL CHECK (length(request_sha256) = 32),
  request_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done')),
  status INTEGER CHECK (status BETWEEN 200 AND 499),
  -- JSON: pairs of a name and a value.
  headers TEXT,
  answer BLOB,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, idem_key),
  CONSTRAINT answer_when_done CHECK (state = 'done' OR status IS NULL),
  CONSTRAINT answer_is_whole CHECK ((status IS NULL) = (headers IS NULL) AND (status IS NULL) = (answer IS NULL))
) STRICT;
CREATE INDEX idempotency_age ON idempotency (created_at);
-- What an account has kept is counted when more is to be.
CREATE INDEX idempotency_answers ON idempotency (account_id) WHERE answer IS NOT NULL;
