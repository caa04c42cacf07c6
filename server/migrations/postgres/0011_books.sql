-- What an account reads of its requests: a way to its own, the newest first, and their sums by day; and what became of
-- requests that came with an Idempotency-Key. The same tables and rules as migrations/sqlite/0011_books.sql.

CREATE INDEX holds_by_account ON holds (account_id, created_at, id);

-- One row for each day (counted from 1970, in UTC, of the hold), key and model that an account had a request of. A question
-- over a year reads a few thousand of these, however many requests there were. Kept by the trigger below; an audit sums
-- the receipts up again and compares.
CREATE TABLE usage_days (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  day BIGINT NOT NULL,
  key_id BIGINT NOT NULL,
  model TEXT NOT NULL,
  requests BIGINT NOT NULL,
  released BIGINT NOT NULL,
  charged BIGINT NOT NULL,
  shortfall BIGINT NOT NULL,
  prompt BIGINT NOT NULL,
  cached BIGINT NOT NULL,
  cache_write BIGINT NOT NULL,
  cache_write_long BIGINT NOT NULL,
  completion BIGINT NOT NULL,
  reasoning BIGINT NOT NULL,
  audio_prompt BIGINT NOT NULL,
  image_prompt BIGINT NOT NULL,
  audio_completion BIGINT NOT NULL,
  image_completion BIGINT NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model)
);

INSERT INTO usage_days SELECT h.account_id, h.created_at / 86400000, h.key_id, h.model, count(*), count(*) FILTER (WHERE r.state = 'released'),
    sum(r.cost), sum(r.shortfall), sum(coalesce(r.prompt, 0)), sum(coalesce(r.cached, 0)), sum(r.cache_write),
    sum(r.cache_write_long), sum(coalesce(r.completion, 0)), sum(coalesce(r.reasoning, 0)), sum(r.audio_prompt),
    sum(r.image_prompt), sum(r.audio_completion), sum(r.image_completion)
  FROM receipts r JOIN holds h ON h.id = r.hold_id GROUP BY 1, 2, 3, 4;

-- Once a statement, in the order of the rows, like all that a batch changes.
CREATE FUNCTION receipts_usage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO usage_days AS u SELECT h.account_id, h.created_at / 86400000, h.key_id, h.model, count(*),
      count(*) FILTER (WHERE r.state = 'released'), sum(r.cost), sum(r.shortfall), sum(coalesce(r.prompt, 0)),
      sum(coalesce(r.cached, 0)), sum(r.cache_write), sum(r.cache_write_long), sum(coalesce(r.completion, 0)),
      sum(coalesce(r.reasoning, 0)), sum(r.audio_prompt), sum(r.image_prompt), sum(r.audio_completion), sum(r.image_completion)
    FROM added r JOIN holds h ON h.id = r.hold_id GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, day, key_id, model) DO UPDATE SET
      requests = u.requests + excluded.requests,
      released = u.released + excluded.released,
      charged = u.charged + excluded.charged,
      shortfall = u.shortfall + excluded.shortfall,
      prompt = u.prompt + excluded.prompt,
      cached = u.cached + excluded.cached,
      cache_write = u.cache_write + excluded.cache_write,
      cache_write_long = u.cache_write_long + excluded.cache_write_long,
      completion = u.completion + excluded.completion,
      reasoning = u.reasoning + excluded.reasoning,
      audio_prompt = u.audio_prompt + excluded.audio_prompt,
      image_prompt = u.image_prompt + excluded.image_prompt,
      audio_completion = u.audio_completion + excluded.audio_completion,
      image_completion = u.image_completion + excluded.image_completion;
  RETURN NULL;
END $$;
-- After `receipts_resolve`, by the names: the rows of the accounts are locked before these.
CREATE TRIGGER receipts_usage AFTER INSERT ON receipts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION receipts_usage();
CREATE TRIGGER usage_days_stay BEFORE DELETE OR TRUNCATE ON usage_days FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

-- One row for each Idempotency-Key of an account, for a day. `running` belongs to the start of a server that `epoch` names;
-- `done` without a status is a request whose answer cannot be repeated.
CREATE TABLE idempotency (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  idem_key TEXT NOT NULL CHECK (length(idem_key) BETWEEN 1 AND 255),
  -- Of the method, the path and the body.
  request_sha256 BYTEA NOT NULL CHECK (length(request_sha256) = 32),
  request_id TEXT NOT NULL,
  epoch BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done')),
  status BIGINT CHECK (status BETWEEN 200 AND 499),
  -- JSON: pairs of a name and a value.
  headers TEXT,
  answer BYTEA,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, idem_key),
  CONSTRAINT answer_when_done CHECK (state = 'done' OR status IS NULL),
  CONSTRAINT answer_is_whole CHECK ((status IS NULL) = (headers IS NULL) AND (status IS NULL) = (answer IS NULL))
);
CREATE INDEX idempotency_age ON idempotency (created_at);
-- What an account has kept is counted when more is to be.
CREATE INDEX idempotency_answers ON idempotency (account_id) WHERE answer IS NOT NULL;
