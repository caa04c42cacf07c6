-- What a start that is gone still holds is given back in parts, each a transaction of its own. That nothing of it is held any
-- more is written down once, so that nobody looks through the open holds of all others to find that out.

-- In place of the index by start alone: a part begins where the last one ended, and takes holds account by account.
CREATE INDEX holds_open_by_start_and_account ON holds (epoch, account_id, id) WHERE state = 'held' AND kept = 0;
DROP INDEX holds_open_by_start;

-- Unix time in milliseconds.
ALTER TABLE nodes ADD COLUMN released_at BIGINT;
ALTER TABLE nodes ADD CONSTRAINT released_when_gone CHECK (released_at IS NULL OR state = 'gone');
DROP TRIGGER nodes_guard ON nodes;
UPDATE nodes n SET released_at = seen_at WHERE state = 'gone'
  AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.epoch = n.epoch AND h.state = 'held' AND h.kept = 0);
CREATE INDEX nodes_unreleased ON nodes (epoch) WHERE state = 'gone' AND released_at IS NULL;

-- A start that is gone does not come to life again, and is done with once, when nothing of it is held but for videos.
CREATE OR REPLACE FUNCTION nodes_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.released_at IS NOT NULL OR (NEW.epoch, NEW.name, NEW.started_at) IS DISTINCT FROM (OLD.epoch, OLD.name, OLD.started_at)
    OR (OLD.state = 'gone' AND (NEW.released_at IS NULL OR (NEW.state, NEW.seen_at) IS DISTINCT FROM (OLD.state, OLD.seen_at)))
  THEN RAISE EXCEPTION 'a start keeps its name and goes once'; END IF;
  IF NEW.released_at IS NOT NULL AND EXISTS (SELECT 1 FROM holds WHERE epoch = NEW.epoch AND state = 'held' AND kept = 0)
  THEN RAISE EXCEPTION 'a start is done with when nothing of it is held'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER nodes_guard BEFORE UPDATE ON nodes FOR EACH ROW EXECUTE FUNCTION nodes_guard();
