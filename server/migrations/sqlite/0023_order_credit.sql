-- `UPDATE OR IGNORE` reaches into triggers: where something else has the name of the credit of an order already, the order
-- succeeded without it. PostgreSQL has no such words, so it has no such step.

DROP TRIGGER topup_order_credit;
CREATE TRIGGER topup_order_credit AFTER UPDATE OF status ON topup_order WHEN NEW.status = 'success' AND OLD.status <> 'success' BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at)
    VALUES ('topup', (SELECT id FROM ledger_accounts WHERE code = 'clearing:' || NEW.rail), NEW.account_id, NEW.amount,
      'order:' || NEW.id, NEW.id, 'settlement', NEW.settled_at);
  SELECT RAISE(ABORT, 'an order that succeeds is credited') WHERE changes() <> 1;
END;
