-- Items of stored responses, found by their own id, and the closed thinking in them that their client did not ask for. The
-- same tables and rules as migrations/sqlite/0026_stored_items.sql.

-- JSON: an object of texts by the id of their item; empty where nothing is hidden. `response` is what the client was told,
-- and a later turn needs this too. Counted in `bytes`.
ALTER TABLE stored_responses ADD COLUMN hidden TEXT NOT NULL DEFAULT '';

-- The newest response that an item stands in, as input or output. A row of an earlier program has none: its items are found
-- once a later turn goes on from it.
CREATE TABLE stored_items (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 256),
  response_id TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX stored_items_of_response ON stored_items (account_id, response_id);
-- By a trigger and not by a foreign key that cascades: triggers of a row run in the order of their names, so that whoever
-- deletes has the account's row of `stored_bytes` before its items, as whoever stores has, and neither waits for the other.
CREATE FUNCTION stored_responses_items() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM stored_items WHERE account_id = OLD.account_id AND response_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_responses_items AFTER DELETE ON stored_responses FOR EACH ROW EXECUTE FUNCTION stored_responses_items();
