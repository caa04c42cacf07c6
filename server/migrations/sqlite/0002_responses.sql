-- What the service remembers of conversations: responses with their whole input, for a time, each its account's alone.

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
  PRIMARY KEY (account_id, id),
  CONSTRAINT expires_later CHECK (expires_at > created_at)
) STRICT;
CREATE INDEX stored_responses_expiry ON stored_responses (expires_at);

-- Keys of the server's own, made once. What they seal is of no use without this database.
CREATE TABLE server_keys (
  name TEXT PRIMARY KEY,
  secret BLOB NOT NULL CHECK (length(secret) = 32),
  created_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER server_keys_fixed BEFORE UPDATE ON server_keys BEGIN SELECT RAISE(ABORT, 'server keys are made once'); END;
CREATE TRIGGER server_keys_stay BEFORE DELETE ON server_keys BEGIN SELECT RAISE(ABORT, 'server keys stay'); END;
