-- Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
--
-- The state machines of the spec as rules of the database: a row begins in the first state, moves only along the
-- declared moves, and counts every move where it has a revision. Run after the hand-written steps, which make the
-- tables; may be run again over an earlier version of itself. Functions see only what they refuse: a comparison costs a row less.

-- thing (spec/mini.yaml: thing)
CREATE OR REPLACE FUNCTION machine_thing_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'thing: a row starts in fresh, not in %', NEW.state USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE FUNCTION machine_thing_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (
    (OLD.state = 'fresh' AND NEW.state = 'open')
    OR (OLD.state = 'fresh' AND NEW.state = 'closed')
    OR (OLD.state = 'open' AND NEW.state = 'closed')
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'thing: no move leads from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.rev IS DISTINCT FROM OLD.rev + 1 THEN
    RAISE EXCEPTION 'thing: a move counts rev up by one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS machine_thing_start ON things;
CREATE TRIGGER machine_thing_start BEFORE INSERT ON things
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM 'fresh')
  EXECUTE FUNCTION machine_thing_start();
DROP TRIGGER IF EXISTS machine_thing_move ON things;
CREATE TRIGGER machine_thing_move BEFORE UPDATE ON things
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state AND ((
    (OLD.state = 'fresh' AND NEW.state = 'open')
    OR (OLD.state = 'fresh' AND NEW.state = 'closed')
    OR (OLD.state = 'open' AND NEW.state = 'closed')
  ) IS NOT TRUE OR NEW.rev IS DISTINCT FROM OLD.rev + 1))
  EXECUTE FUNCTION machine_thing_move();
