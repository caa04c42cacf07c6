-- What a person decides on payments that were set aside, and money that went back to whoever paid.
--   A resolution closes a payment for good, and where it says so credits the account of its order, out of the clearing account
--   of its rail. A refund or a chargeback is of the account and the rail of its payment, and all of one payment together are of
--   no more than it was credited with.

ALTER TABLE payments ADD COLUMN resolution TEXT CHECK (resolution IN ('credit', 'returned'));
-- What is credited.
ALTER TABLE payments ADD COLUMN resolved_amount INTEGER CHECK (resolved_amount > 0)
  CONSTRAINT credit_has_amount CHECK ((resolution IS NOT NULL AND resolution = 'credit') = (resolved_amount IS NOT NULL));
ALTER TABLE payments ADD COLUMN resolved_at INTEGER
  CONSTRAINT resolved_when_set_aside CHECK (resolution IS NULL OR (state = 'surplus' AND resolved_at IS NOT NULL));
CREATE INDEX payments_unresolved ON payments (claimed_at, id) WHERE state = 'surplus' AND resolution IS NULL;

DROP TRIGGER payments_fixed;
CREATE TRIGGER payments_fixed BEFORE UPDATE ON payments BEGIN
  SELECT RAISE(ABORT, 'payments keep their terms')
    WHERE NEW.id <> OLD.id OR NEW.source <> OLD.source OR NEW.reference <> OLD.reference OR NEW.order_id <> OLD.order_id
      OR NEW.asset <> OLD.asset OR NEW.amount <> OLD.amount OR NEW.payer IS NOT OLD.payer OR NEW.claimed_at <> OLD.claimed_at
      OR (OLD.resolution IS NOT NULL AND (NEW.resolution IS NOT OLD.resolution
        OR NEW.resolved_amount IS NOT OLD.resolved_amount OR NEW.resolved_at IS NOT OLD.resolved_at));
  SELECT RAISE(ABORT, 'a payment is credited with what its order is for, or less')
    FROM topup_order WHERE id = NEW.order_id AND NEW.resolved_amount > amount;
END;
CREATE TRIGGER payments_resolve AFTER UPDATE OF resolution ON payments
  WHEN OLD.resolution IS NULL AND NEW.resolution = 'credit' BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at)
    SELECT 'adjust', l.id, o.account_id, NEW.resolved_amount, 'payment:' || NEW.id, 'settlement', NEW.resolved_at
    FROM topup_order o JOIN ledger_accounts l ON l.code = 'clearing:' || o.rail WHERE o.id = NEW.order_id;
  SELECT RAISE(ABORT, 'a payment that is resolved so is credited') WHERE changes() <> 1;
END;

CREATE TRIGGER reversals_of_payment BEFORE INSERT ON reversals WHEN NEW.payment_id IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'a reversal is of the account and the rail of its payment') WHERE NOT EXISTS (
    SELECT 1 FROM payments p JOIN topup_order o ON o.id = p.order_id JOIN ledger_accounts l ON l.code = 'clearing:' || o.rail
    WHERE p.id = NEW.payment_id AND o.account_id = NEW.account_id AND l.id = NEW.counter);
  SELECT RAISE(ABORT, 'reversed_in_range: no more of a payment is reversed than it was credited with')
    WHERE NEW.amount > coalesce((
        SELECT CASE p.state WHEN 'paid' THEN o.amount ELSE p.resolved_amount END
        FROM payments p JOIN topup_order o ON o.id = p.order_id WHERE p.id = NEW.payment_id), 0)
      - coalesce((SELECT sum(amount) FROM reversals WHERE payment_id = NEW.payment_id), 0);
END;
