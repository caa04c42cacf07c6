-- Whether answers to a key tell their cost beside the counts of tokens. The same as migrations/sqlite/0027_key_cost.sql.
ALTER TABLE api_keys ADD COLUMN include_cost BIGINT NOT NULL DEFAULT 0 CHECK (include_cost IN (0, 1));

-- What is cached of a key holds this too.
DROP TRIGGER api_keys_epoch ON api_keys;
CREATE TRIGGER api_keys_epoch AFTER INSERT OR UPDATE OF state, models, operations, addresses, include_cost ON api_keys
  FOR EACH ROW EXECUTE FUNCTION key_epoch_moves();
