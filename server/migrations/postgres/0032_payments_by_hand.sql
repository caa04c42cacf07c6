-- What a person decides on payments that were set aside, and money that went back to whoever paid. The same columns and rules as
-- migrations/sqlite/0032_payments_by_hand.sql.

ALTER TABLE payments ADD COLUMN resolution TEXT CHECK (resolution IN ('credit', 'returned')),
  ADD COLUMN resolved_amount BIGINT CHECK (resolved_amount > 0),
  ADD COLUMN resolved_at BIGINT,
  ADD CONSTRAINT credit_has_amount CHECK ((resolution IS NOT NULL AND resolution = 'credit') = (resolved_amount IS NOT NULL)),
  ADD CONSTRAINT resolved_when_set_aside CHECK (resolution IS NULL OR (state = 'surplus' AND resolved_at IS NOT NULL));
CREATE INDEX payments_unresolved ON payments (claimed_at, id) WHERE state = 'surplus' AND resolution IS NULL;

CREATE OR REPLACE FUNCTION payments_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.source, NEW.reference, NEW.order_id, NEW.asset, NEW.amount, NEW.payer, NEW.claimed_at)
    IS DISTINCT FROM (OLD.id, OLD.source, OLD.reference, OLD.order_id, OLD.asset, OLD.amount, OLD.payer, OLD.claimed_at)
    OR (OLD.resolution IS NOT NULL AND (NEW.resolution, NEW.resolved_amount, NEW.resolved_at)
      IS DISTINCT FROM (OLD.resolution, OLD.resolved_amount, OLD.resolved_at))
  THEN RAISE EXCEPTION 'payments keep their terms'; END IF;
  IF NEW.resolved_amount > (SELECT amount FROM topup_order WHERE id = NEW.order_id)
  THEN RAISE EXCEPTION 'a payment is credited with what its order is for, or less'; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION payments_resolve() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at)
    SELECT 'adjust', l.id, o.account_id, NEW.resolved_amount, 'payment:' || NEW.id, 'settlement', NEW.resolved_at
    FROM topup_order o JOIN ledger_accounts l ON l.code = 'clearing:' || o.rail WHERE o.id = NEW.order_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_resolve AFTER UPDATE ON payments FOR EACH ROW
  WHEN (OLD.resolution IS NULL AND NEW.resolution = 'credit') EXECUTE FUNCTION payments_resolve();

CREATE FUNCTION reversals_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  -- One reversal of a payment after the other, whoever writes.
  PERFORM 1 FROM payments WHERE id = NEW.payment_id FOR NO KEY UPDATE;
  IF NOT EXISTS (
    SELECT 1 FROM payments p JOIN topup_order o ON o.id = p.order_id JOIN ledger_accounts l ON l.code = 'clearing:' || o.rail
    WHERE p.id = NEW.payment_id AND o.account_id = NEW.account_id AND l.id = NEW.counter)
  THEN RAISE EXCEPTION 'a reversal is of the account and the rail of its payment'; END IF;
  IF NEW.amount + coalesce((SELECT sum(amount) FROM reversals WHERE payment_id = NEW.payment_id), 0) > coalesce((
    SELECT CASE p.state WHEN 'paid' THEN o.amount ELSE p.resolved_amount END
    FROM payments p JOIN topup_order o ON o.id = p.order_id WHERE p.id = NEW.payment_id), 0)
  THEN RAISE EXCEPTION 'reversed_in_range: no more of a payment is reversed than it was credited with'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER reversals_of_payment BEFORE INSERT ON reversals FOR EACH ROW WHEN (NEW.payment_id IS NOT NULL)
  EXECUTE FUNCTION reversals_of_payment();
