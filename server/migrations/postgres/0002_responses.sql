-- What the service remembers of conversations: responses with their whole input, for a time, each its account's alone.
-- The same tables and rules as migrations/sqlite/0002_responses.sql.

CREATE TABLE stored_responses (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  model TEXT NOT NULL,
  -- JSON: every item that led to the response, those it went on from included, so that none depends on another row.
  -- Text, not jsonb: what a client is told again is told byte for byte.
  input TEXT NOT NULL,
  -- JSON: the response as the client was told it.
  response TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  CONSTRAINT expires_later CHECK (expires_at > created_at)
);
CREATE INDEX stored_responses_expiry ON stored_responses (expires_at);

-- Keys of the server's own, made once. What they seal is of no use without this database.
CREATE TABLE server_keys (
  name TEXT PRIMARY KEY,
  secret BYTEA NOT NULL CHECK (length(secret) = 32),
  created_at BIGINT NOT NULL
);
CREATE FUNCTION server_keys_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'server keys are made once and stay';
END $$;
CREATE TRIGGER server_keys_stay BEFORE UPDATE OR DELETE ON server_keys FOR EACH ROW EXECUTE FUNCTION server_keys_stay();
