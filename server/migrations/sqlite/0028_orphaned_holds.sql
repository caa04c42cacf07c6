-- What a start that is gone still holds is given back in parts, each a transaction of its own. That nothing of it is held any
-- more is written down once. The same rules as migrations/postgres/0028_orphaned_holds.sql; the open holds of a file are found
-- by their time, so it has no further index.

-- Unix time in milliseconds.
ALTER TABLE nodes ADD COLUMN released_at INTEGER CONSTRAINT released_when_gone CHECK (released_at IS NULL OR state = 'gone');
UPDATE nodes SET released_at = seen_at WHERE state = 'gone'
  AND epoch NOT IN (SELECT epoch FROM holds WHERE state = 'held' AND kept = 0);
CREATE INDEX nodes_unreleased ON nodes (epoch) WHERE state = 'gone' AND released_at IS NULL;

CREATE TRIGGER nodes_released BEFORE UPDATE OF released_at ON nodes WHEN NEW.released_at IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'a start is done with once') WHERE OLD.released_at IS NOT NULL;
  SELECT RAISE(ABORT, 'a start is done with when nothing of it is held')
    WHERE EXISTS (SELECT 1 FROM holds WHERE state = 'held' AND kept = 0 AND epoch = NEW.epoch);
END;
