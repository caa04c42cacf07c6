-- Whether answers to a key tell their cost beside the counts of tokens, as if each request asked for it.
ALTER TABLE api_keys ADD COLUMN include_cost INTEGER NOT NULL DEFAULT 0 CHECK (include_cost IN (0, 1));

-- What is cached of a key holds this too.
DROP TRIGGER api_keys_epoch_update;
CREATE TRIGGER api_keys_epoch_update AFTER UPDATE OF state, models, operations, addresses, include_cost ON api_keys
  BEGIN UPDATE key_epoch SET epoch = epoch + 1; END;
