-- Several servers share one ledger. Each start is a row of `nodes`, which its server keeps up to date; holds of a start that
-- is gone are given back. A file has one server, so SQLite has no such step.

-- The name is the server's own from one start to the next: it has one start that is up.
CREATE UNIQUE INDEX nodes_once ON nodes (name) WHERE state = 'up';

-- A start that is gone has had its holds given back, and does not come to life again.
CREATE FUNCTION nodes_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.state = 'gone' OR (NEW.epoch, NEW.name, NEW.started_at) IS DISTINCT FROM (OLD.epoch, OLD.name, OLD.started_at)
  THEN RAISE EXCEPTION 'a start keeps its name and goes once'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER nodes_guard BEFORE UPDATE ON nodes FOR EACH ROW EXECUTE FUNCTION nodes_guard();
CREATE TRIGGER nodes_stay BEFORE DELETE OR TRUNCATE ON nodes FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

-- Numbers for holds, given out in blocks, so that no two servers give the same.
CREATE SEQUENCE hold_blocks AS BIGINT INCREMENT BY 1024 MINVALUE 1 START WITH 1;

-- What a start that is gone still holds.
CREATE INDEX holds_open_by_start ON holds (epoch) WHERE state = 'held' AND kept = 0;
