-- Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
--
-- The state machines of the spec as rules of the database: a row begins in the first state, moves only along the
-- declared moves, and counts every move where it has a revision. Run after the hand-written steps, which make the
-- tables; may be run again over an earlier version of itself.

-- agent (spec/machines/agents.yaml: agent)
DROP TRIGGER IF EXISTS machine_agent_start;
CREATE TRIGGER machine_agent_start BEFORE INSERT ON agents
WHEN NEW.state IS NOT 'active'
BEGIN
  SELECT RAISE(ABORT, 'agent: a row starts in active');
END;
DROP TRIGGER IF EXISTS machine_agent_move;
CREATE TRIGGER machine_agent_move BEFORE UPDATE OF state ON agents
WHEN NEW.state IS NOT OLD.state AND NOT (
  (OLD.state IS 'active' AND NEW.state IS 'revoked')
)
BEGIN
  SELECT RAISE(ABORT, 'agent: no move leads there from the state the row is in');
END;
DROP TRIGGER IF EXISTS machine_agent_revision;
CREATE TRIGGER machine_agent_revision BEFORE UPDATE OF state ON agents
WHEN NEW.state IS NOT OLD.state AND NEW.rev IS NOT OLD.rev + 1
BEGIN
  SELECT RAISE(ABORT, 'agent: a move counts rev up by one');
END;

-- api_key (spec/machines/keys.yaml: api_key)
DROP TRIGGER IF EXISTS machine_api_key_start;
CREATE TRIGGER machine_api_key_start BEFORE INSERT ON api_keys
WHEN NEW.state IS NOT 'active'
BEGIN
  SELECT RAISE(ABORT, 'api_key: a row starts in active');
END;
DROP TRIGGER IF EXISTS machine_api_key_move;
CREATE TRIGGER machine_api_key_move BEFORE UPDATE OF state ON api_keys
WHEN NEW.state IS NOT OLD.state AND NOT (
  (OLD.state IS 'active' AND NEW.state IS 'revoked')
)
BEGIN
  SELECT RAISE(ABORT, 'api_key: no move leads there from the state the row is in');
END;
DROP TRIGGER IF EXISTS machine_api_key_revision;
CREATE TRIGGER machine_api_key_revision BEFORE UPDATE OF state ON api_keys
WHEN NEW.state IS NOT OLD.state AND NEW.rev IS NOT OLD.rev + 1
BEGIN
  SELECT RAISE(ABORT, 'api_key: a move counts rev up by one');
END;

-- payment (spec/machines/payments.yaml: payment)
DROP TRIGGER IF EXISTS machine_payment_start;
CREATE TRIGGER machine_payment_start BEFORE INSERT ON payments
WHEN NEW.state IS NOT 'claimed'
BEGIN
  SELECT RAISE(ABORT, 'payment: a row starts in claimed');
END;
DROP TRIGGER IF EXISTS machine_payment_move;
CREATE TRIGGER machine_payment_move BEFORE UPDATE OF state ON payments
WHEN NEW.state IS NOT OLD.state AND NOT (
  (OLD.state IS 'claimed' AND NEW.state IS 'paid')
  OR (OLD.state IS 'void' AND NEW.state IS 'paid')
  OR (OLD.state IS 'claimed' AND NEW.state IS 'void')
  OR (OLD.state IS 'claimed' AND NEW.state IS 'surplus')
  OR (OLD.state IS 'void' AND NEW.state IS 'surplus')
)
BEGIN
  SELECT RAISE(ABORT, 'payment: no move leads there from the state the row is in');
END;
DROP TRIGGER IF EXISTS machine_payment_revision;
CREATE TRIGGER machine_payment_revision BEFORE UPDATE OF state ON payments
WHEN NEW.state IS NOT OLD.state AND NEW.rev IS NOT OLD.rev + 1
BEGIN
  SELECT RAISE(ABORT, 'payment: a move counts rev up by one');
END;

-- topup_order (spec/machines/topup.yaml: topup_order)
DROP TRIGGER IF EXISTS machine_topup_order_start;
CREATE TRIGGER machine_topup_order_start BEFORE INSERT ON topup_order
WHEN NEW.status IS NOT 'pending'
BEGIN
  SELECT RAISE(ABORT, 'topup_order: a row starts in pending');
END;
DROP TRIGGER IF EXISTS machine_topup_order_move;
CREATE TRIGGER machine_topup_order_move BEFORE UPDATE OF status ON topup_order
WHEN NEW.status IS NOT OLD.status AND NOT (
  (OLD.status IS 'pending' AND NEW.status IS 'settling')
  OR (OLD.status IS 'settling' AND NEW.status IS 'success')
  OR (OLD.status IS 'settling' AND NEW.status IS 'failed')
  OR (OLD.status IS 'settling' AND NEW.status IS 'pending')
  OR (OLD.status IS 'pending' AND NEW.status IS 'expired')
  OR (OLD.status IS 'expired' AND NEW.status IS 'settling')
  OR (OLD.status IS 'failed' AND NEW.status IS 'settling')
)
BEGIN
  SELECT RAISE(ABORT, 'topup_order: no move leads there from the state the row is in');
END;
DROP TRIGGER IF EXISTS machine_topup_order_revision;
CREATE TRIGGER machine_topup_order_revision BEFORE UPDATE OF status ON topup_order
WHEN NEW.status IS NOT OLD.status AND NEW.rev IS NOT OLD.rev + 1
BEGIN
  SELECT RAISE(ABORT, 'topup_order: a move counts rev up by one');
END;

-- video_task (spec/machines/video.yaml: video_task)
DROP TRIGGER IF EXISTS machine_video_task_start;
CREATE TRIGGER machine_video_task_start BEFORE INSERT ON video_task
WHEN NEW.status IS NOT 'queued'
BEGIN
  SELECT RAISE(ABORT, 'video_task: a row starts in queued');
END;
DROP TRIGGER IF EXISTS machine_video_task_move;
CREATE TRIGGER machine_video_task_move BEFORE UPDATE OF status ON video_task
WHEN NEW.status IS NOT OLD.status AND NOT (
  (OLD.status IS 'queued' AND NEW.status IS 'in_progress')
  OR (OLD.status IS 'queued' AND NEW.status IS 'completed')
  OR (OLD.status IS 'in_progress' AND NEW.status IS 'completed')
  OR (OLD.status IS 'queued' AND NEW.status IS 'failed')
  OR (OLD.status IS 'in_progress' AND NEW.status IS 'failed')
)
BEGIN
  SELECT RAISE(ABORT, 'video_task: no move leads there from the state the row is in');
END;
DROP TRIGGER IF EXISTS machine_video_task_revision;
CREATE TRIGGER machine_video_task_revision BEFORE UPDATE OF status ON video_task
WHEN NEW.status IS NOT OLD.status AND NEW.rev IS NOT OLD.rev + 1
BEGIN
  SELECT RAISE(ABORT, 'video_task: a move counts rev up by one');
END;
