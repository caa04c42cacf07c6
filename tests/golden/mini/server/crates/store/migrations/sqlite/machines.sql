-- Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
--
-- The state machines of the spec as rules of the database: a row begins in the first state, moves only along the
-- declared moves, and counts every move where it has a revision. Run after the hand-written steps, which make the
-- tables; may be run again over an earlier version of itself.

-- thing (spec/mini.yaml: thing)
DROP TRIGGER IF EXISTS machine_thing_start;
CREATE TRIGGER machine_thing_start BEFORE INSERT ON things
WHEN NEW.state IS NOT 'fresh'
BEGIN
  SELECT RAISE(ABORT, 'thing: a row starts in fresh');
END;
DROP TRIGGER IF EXISTS machine_thing_move;
CREATE TRIGGER machine_thing_move BEFORE UPDATE OF state ON things
WHEN NEW.state IS NOT OLD.state AND NOT (
  (OLD.state IS 'fresh' AND NEW.state IS 'open')
  OR (OLD.state IS 'fresh' AND NEW.state IS 'closed')
  OR (OLD.state IS 'open' AND NEW.state IS 'closed')
)
BEGIN
  SELECT RAISE(ABORT, 'thing: no move leads there from the state the row is in');
END;
DROP TRIGGER IF EXISTS machine_thing_revision;
CREATE TRIGGER machine_thing_revision BEFORE UPDATE OF state ON things
WHEN NEW.state IS NOT OLD.state AND NEW.rev IS NOT OLD.rev + 1
BEGIN
  SELECT RAISE(ABORT, 'thing: a move counts rev up by one');
END;
