-- What mode a ledger is of, written by whoever serves it first. The same rules as
-- migrations/sqlite/0029_ledger_mode.sql.

CREATE TABLE ledger_mode (
  one BIGINT PRIMARY KEY CHECK (one = 1),
  mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'production')),
  -- Unix time in milliseconds.
  written_at BIGINT NOT NULL
);
CREATE TRIGGER ledger_mode_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_mode FOR EACH STATEMENT EXECUTE FUNCTION append_only();
