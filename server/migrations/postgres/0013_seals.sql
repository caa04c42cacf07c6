-- A chain of hashes over what moved money and who did what by hand. The same table and rules as migrations/sqlite/0013_seals.sql.

CREATE TABLE seals (
  number BIGINT PRIMARY KEY CHECK (number > 0),
  transfers_upto BIGINT NOT NULL CHECK (transfers_upto >= 0),
  audit_upto BIGINT NOT NULL CHECK (audit_upto >= 0),
  row_count BIGINT NOT NULL CHECK (row_count > 0),
  hash BYTEA NOT NULL CHECK (length(hash) = 32),
  created_at BIGINT NOT NULL
);
CREATE FUNCTION seals_in_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM seals) OR EXISTS (
    SELECT 1 FROM seals WHERE number = NEW.number - 1 AND (transfers_upto > NEW.transfers_upto OR audit_upto > NEW.audit_upto))
  THEN RAISE EXCEPTION 'a seal follows the one before'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER seals_in_order BEFORE INSERT ON seals FOR EACH ROW EXECUTE FUNCTION seals_in_order();
CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals FOR EACH STATEMENT EXECUTE FUNCTION append_only();
