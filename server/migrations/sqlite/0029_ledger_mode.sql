-- What mode a ledger is of, written by whoever serves it first. Payments that are for trying out are credited
-- in mode "sandbox"; a ledger that has them never becomes one of mode "production".

CREATE TABLE ledger_mode (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'production')),
  -- Unix time in milliseconds.
  written_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER ledger_mode_no_update BEFORE UPDATE ON ledger_mode BEGIN SELECT RAISE(ABORT, 'ledger_mode is append-only'); END;
CREATE TRIGGER ledger_mode_no_delete BEFORE DELETE ON ledger_mode BEGIN SELECT RAISE(ABORT, 'ledger_mode is append-only'); END;
