-- Stored responses, in a file beside the ledger's. The same tables are made on a server by 0005_responses_apart.

CREATE TABLE stored_responses (
  -- Never given twice, so that no response goes on from another's number.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  -- The response that it goes on from, which stays as long as this one.
  parent INTEGER REFERENCES stored_responses (seq),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- Of this row, and of it with all those that it goes on from.
  bytes INTEGER NOT NULL,
  conversation_bytes INTEGER NOT NULL,
  -- 1 where nobody finds it any more, and others go on from it.
  forgotten INTEGER NOT NULL DEFAULT 0,
  model TEXT NOT NULL,
  -- JSON: the ids in stored_items that are of this row.
  items TEXT NOT NULL,
  hidden TEXT NOT NULL,
  -- JSON: the items of the input that stand in no row before it.
  input TEXT NOT NULL,
  -- JSON: the response as the client was told it.
  response TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX stored_responses_id ON stored_responses (account_id, id) WHERE forgotten = 0;
CREATE INDEX stored_responses_age ON stored_responses (account_id, seq) WHERE forgotten = 0;
CREATE INDEX stored_responses_parent ON stored_responses (parent) WHERE parent IS NOT NULL;

CREATE TABLE stored_items (
  account_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_bytes (
  account_id INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;
