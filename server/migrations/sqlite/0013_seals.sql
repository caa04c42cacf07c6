-- A chain of hashes over what moved money and who did what by hand, written a few seconds after. Whoever alters a row has to
-- make every later seal anew, and to unsay the hashes that were told elsewhere.

CREATE TABLE seals (
  number INTEGER PRIMARY KEY CHECK (number > 0),
  -- The last rows that it covers. It begins behind the seal before.
  transfers_upto INTEGER NOT NULL CHECK (transfers_upto >= 0),
  audit_upto INTEGER NOT NULL CHECK (audit_upto >= 0),
  row_count INTEGER NOT NULL CHECK (row_count > 0),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER seals_in_order BEFORE INSERT ON seals
  WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM seals) OR EXISTS (
    SELECT 1 FROM seals WHERE number = NEW.number - 1 AND (transfers_upto > NEW.transfers_upto OR audit_upto > NEW.audit_upto))
  BEGIN SELECT RAISE(ABORT, 'a seal follows the one before'); END;
CREATE TRIGGER seals_no_update BEFORE UPDATE ON seals BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
CREATE TRIGGER seals_no_delete BEFORE DELETE ON seals BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
