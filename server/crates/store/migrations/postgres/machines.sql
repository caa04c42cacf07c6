-- Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
--
-- The state machines of the spec as rules of the database: a row begins in the first state, moves only along the
-- declared moves, and counts every move where it has a revision. Run after the hand-written steps, which make the
-- tables; may be run again over an earlier version of itself. Functions see only what they refuse: a comparison costs a row less.

-- agent (spec/machines/agents.yaml: agent)
CREATE OR REPLACE FUNCTION machine_agent_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'agent: a row starts in active, not in %', NEW.state USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE FUNCTION machine_agent_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (
    (OLD.state = 'active' AND NEW.state = 'revoked')
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'agent: no move leads from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.rev IS DISTINCT FROM OLD.rev + 1 THEN
    RAISE EXCEPTION 'agent: a move counts rev up by one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS machine_agent_start ON agents;
CREATE TRIGGER machine_agent_start BEFORE INSERT ON agents
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM 'active')
  EXECUTE FUNCTION machine_agent_start();
DROP TRIGGER IF EXISTS machine_agent_move ON agents;
CREATE TRIGGER machine_agent_move BEFORE UPDATE ON agents
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state AND ((
    (OLD.state = 'active' AND NEW.state = 'revoked')
  ) IS NOT TRUE OR NEW.rev IS DISTINCT FROM OLD.rev + 1))
  EXECUTE FUNCTION machine_agent_move();

-- api_key (spec/machines/keys.yaml: api_key)
CREATE OR REPLACE FUNCTION machine_api_key_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'api_key: a row starts in active, not in %', NEW.state USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE FUNCTION machine_api_key_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (
    (OLD.state = 'active' AND NEW.state = 'revoked')
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'api_key: no move leads from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.rev IS DISTINCT FROM OLD.rev + 1 THEN
    RAISE EXCEPTION 'api_key: a move counts rev up by one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS machine_api_key_start ON api_keys;
CREATE TRIGGER machine_api_key_start BEFORE INSERT ON api_keys
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM 'active')
  EXECUTE FUNCTION machine_api_key_start();
DROP TRIGGER IF EXISTS machine_api_key_move ON api_keys;
CREATE TRIGGER machine_api_key_move BEFORE UPDATE ON api_keys
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state AND ((
    (OLD.state = 'active' AND NEW.state = 'revoked')
  ) IS NOT TRUE OR NEW.rev IS DISTINCT FROM OLD.rev + 1))
  EXECUTE FUNCTION machine_api_key_move();

-- payment (spec/machines/payments.yaml: payment)
CREATE OR REPLACE FUNCTION machine_payment_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment: a row starts in claimed, not in %', NEW.state USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE FUNCTION machine_payment_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (
    (OLD.state = 'claimed' AND NEW.state = 'paid')
    OR (OLD.state = 'void' AND NEW.state = 'paid')
    OR (OLD.state = 'claimed' AND NEW.state = 'void')
    OR (OLD.state = 'claimed' AND NEW.state = 'surplus')
    OR (OLD.state = 'void' AND NEW.state = 'surplus')
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'payment: no move leads from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.rev IS DISTINCT FROM OLD.rev + 1 THEN
    RAISE EXCEPTION 'payment: a move counts rev up by one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS machine_payment_start ON payments;
CREATE TRIGGER machine_payment_start BEFORE INSERT ON payments
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM 'claimed')
  EXECUTE FUNCTION machine_payment_start();
DROP TRIGGER IF EXISTS machine_payment_move ON payments;
CREATE TRIGGER machine_payment_move BEFORE UPDATE ON payments
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state AND ((
    (OLD.state = 'claimed' AND NEW.state = 'paid')
    OR (OLD.state = 'void' AND NEW.state = 'paid')
    OR (OLD.state = 'claimed' AND NEW.state = 'void')
    OR (OLD.state = 'claimed' AND NEW.state = 'surplus')
    OR (OLD.state = 'void' AND NEW.state = 'surplus')
  ) IS NOT TRUE OR NEW.rev IS DISTINCT FROM OLD.rev + 1))
  EXECUTE FUNCTION machine_payment_move();

-- topup_order (spec/machines/topup.yaml: topup_order)
CREATE OR REPLACE FUNCTION machine_topup_order_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'topup_order: a row starts in pending, not in %', NEW.status USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE FUNCTION machine_topup_order_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (
    (OLD.status = 'pending' AND NEW.status = 'settling')
    OR (OLD.status = 'settling' AND NEW.status = 'success')
    OR (OLD.status = 'settling' AND NEW.status = 'failed')
    OR (OLD.status = 'settling' AND NEW.status = 'pending')
    OR (OLD.status = 'pending' AND NEW.status = 'expired')
    OR (OLD.status = 'expired' AND NEW.status = 'settling')
    OR (OLD.status = 'failed' AND NEW.status = 'settling')
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'topup_order: no move leads from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.rev IS DISTINCT FROM OLD.rev + 1 THEN
    RAISE EXCEPTION 'topup_order: a move counts rev up by one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS machine_topup_order_start ON topup_order;
CREATE TRIGGER machine_topup_order_start BEFORE INSERT ON topup_order
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM 'pending')
  EXECUTE FUNCTION machine_topup_order_start();
DROP TRIGGER IF EXISTS machine_topup_order_move ON topup_order;
CREATE TRIGGER machine_topup_order_move BEFORE UPDATE ON topup_order
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status AND ((
    (OLD.status = 'pending' AND NEW.status = 'settling')
    OR (OLD.status = 'settling' AND NEW.status = 'success')
    OR (OLD.status = 'settling' AND NEW.status = 'failed')
    OR (OLD.status = 'settling' AND NEW.status = 'pending')
    OR (OLD.status = 'pending' AND NEW.status = 'expired')
    OR (OLD.status = 'expired' AND NEW.status = 'settling')
    OR (OLD.status = 'failed' AND NEW.status = 'settling')
  ) IS NOT TRUE OR NEW.rev IS DISTINCT FROM OLD.rev + 1))
  EXECUTE FUNCTION machine_topup_order_move();

-- video_task (spec/machines/video.yaml: video_task)
CREATE OR REPLACE FUNCTION machine_video_task_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'video_task: a row starts in queued, not in %', NEW.status USING ERRCODE = 'check_violation';
END $$;
CREATE OR REPLACE FUNCTION machine_video_task_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (
    (OLD.status = 'queued' AND NEW.status = 'in_progress')
    OR (OLD.status = 'queued' AND NEW.status = 'completed')
    OR (OLD.status = 'in_progress' AND NEW.status = 'completed')
    OR (OLD.status = 'queued' AND NEW.status = 'failed')
    OR (OLD.status = 'in_progress' AND NEW.status = 'failed')
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'video_task: no move leads from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.rev IS DISTINCT FROM OLD.rev + 1 THEN
    RAISE EXCEPTION 'video_task: a move counts rev up by one' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS machine_video_task_start ON video_task;
CREATE TRIGGER machine_video_task_start BEFORE INSERT ON video_task
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM 'queued')
  EXECUTE FUNCTION machine_video_task_start();
DROP TRIGGER IF EXISTS machine_video_task_move ON video_task;
CREATE TRIGGER machine_video_task_move BEFORE UPDATE ON video_task
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status AND ((
    (OLD.status = 'queued' AND NEW.status = 'in_progress')
    OR (OLD.status = 'queued' AND NEW.status = 'completed')
    OR (OLD.status = 'in_progress' AND NEW.status = 'completed')
    OR (OLD.status = 'queued' AND NEW.status = 'failed')
    OR (OLD.status = 'in_progress' AND NEW.status = 'failed')
  ) IS NOT TRUE OR NEW.rev IS DISTINCT FROM OLD.rev + 1))
  EXECUTE FUNCTION machine_video_task_move();
