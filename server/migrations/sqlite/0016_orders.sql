-- Top-ups: the orders, and what was paid for them. As with requests, the database keeps the books:
--   a row in `payments`                   names money by what the world outside calls it; a name is of one order for ever,
--   an order that moves to `success`      needs a payment of it that is `paid`, one at most, and posts its own credit, out of
--                                         the clearing account of its rail (trigger topup_order_credit).
-- So nothing is credited that nobody paid, no payment is credited twice, and no order either.

-- One of the few places for orders that wait to be paid by an agent. An order that goes back to waiting when its place is
-- taken has one further up, which new orders are not given.
ALTER TABLE topup_order ADD COLUMN place INTEGER CHECK (place BETWEEN 1 AND 99)
  CONSTRAINT waiting_has_a_place CHECK (rail <> 'x402' OR status <> 'pending' OR place IS NOT NULL);
-- When the credit was posted.
ALTER TABLE topup_order ADD COLUMN settled_at INTEGER
  CONSTRAINT success_has_its_time CHECK (status <> 'success' OR settled_at IS NOT NULL);
-- Why it failed; kept when money comes after all.
ALTER TABLE topup_order ADD COLUMN failure_code TEXT CHECK (failure_code <> '')
  CONSTRAINT failure_says_why CHECK (status <> 'failed' OR failure_code IS NOT NULL);
ALTER TABLE topup_order ADD COLUMN failure_detail TEXT
  CONSTRAINT failure_is_told CHECK ((failure_code IS NULL) = (failure_detail IS NULL));
CREATE UNIQUE INDEX topup_order_places ON topup_order (account_id, place) WHERE rail = 'x402' AND status = 'pending';
CREATE INDEX topup_order_due ON topup_order (expires_at) WHERE status = 'pending';
CREATE INDEX topup_order_settling ON topup_order (id) WHERE status = 'settling';
CREATE INDEX topup_order_by_account ON topup_order (account_id, created_at);

-- Money that was seen, or is on its way.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  -- A chain by its CAIP-2 id, or a payment provider by its name in the configuration.
  source TEXT NOT NULL CHECK (source <> ''),
  -- What it is called there: whatever can be paid once alone.
  reference TEXT NOT NULL CHECK (reference <> ''),
  order_id INTEGER NOT NULL REFERENCES topup_order (id),
  state TEXT NOT NULL CHECK (state IN ('claimed', 'paid', 'void', 'surplus')),
  rev INTEGER NOT NULL DEFAULT 0,
  -- In the smallest units of the asset, which may have more digits than a number here.
  asset TEXT NOT NULL,
  amount TEXT NOT NULL CHECK (amount <> ''),
  payer TEXT,
  -- By which people find it: a transaction on chain, or the provider's own number.
  receipt TEXT,
  claimed_at INTEGER NOT NULL,
  decided_at INTEGER CONSTRAINT decided_when_over CHECK (state = 'claimed' OR decided_at IS NOT NULL),
  CONSTRAINT payment_once UNIQUE (source, reference)
) STRICT;
CREATE UNIQUE INDEX payments_one_paid ON payments (order_id) WHERE state = 'paid';
CREATE INDEX payments_by_order ON payments (order_id);

CREATE TRIGGER topup_order_places_few BEFORE INSERT ON topup_order WHEN NEW.rail = 'x402' AND NEW.place > 3
  BEGIN SELECT RAISE(ABORT, 'three orders wait at most'); END;
CREATE TRIGGER topup_order_paid BEFORE UPDATE OF status ON topup_order WHEN NEW.status = 'success' AND OLD.status <> 'success'
    AND NOT EXISTS (SELECT 1 FROM payments WHERE order_id = NEW.id AND state = 'paid')
  BEGIN SELECT RAISE(ABORT, 'an order succeeds by a payment'); END;
CREATE TRIGGER topup_order_credit AFTER UPDATE OF status ON topup_order WHEN NEW.status = 'success' AND OLD.status <> 'success' BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at)
    VALUES ('topup', (SELECT id FROM ledger_accounts WHERE code = 'clearing:' || NEW.rail), NEW.account_id, NEW.amount,
      'order:' || NEW.id, NEW.id, 'settlement', NEW.settled_at);
END;
DROP TRIGGER topup_order_fixed;
CREATE TRIGGER topup_order_fixed BEFORE UPDATE ON topup_order
  WHEN NEW.id <> OLD.id OR NEW.amount <> OLD.amount OR NEW.account_id <> OLD.account_id OR NEW.trade_no <> OLD.trade_no
    OR NEW.rail <> OLD.rail OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at
    OR (OLD.status = 'success' AND NEW.settled_at IS NOT OLD.settled_at)
  BEGIN SELECT RAISE(ABORT, 'order terms are fixed'); END;
CREATE TRIGGER topup_order_stay BEFORE DELETE ON topup_order BEGIN SELECT RAISE(ABORT, 'orders stay'); END;
CREATE TRIGGER payments_fixed BEFORE UPDATE ON payments
  WHEN NEW.id <> OLD.id OR NEW.source <> OLD.source OR NEW.reference <> OLD.reference OR NEW.order_id <> OLD.order_id
    OR NEW.asset <> OLD.asset OR NEW.amount <> OLD.amount OR NEW.payer IS NOT OLD.payer OR NEW.claimed_at <> OLD.claimed_at
  BEGIN SELECT RAISE(ABORT, 'payments keep their terms'); END;
CREATE TRIGGER payments_stay BEFORE DELETE ON payments BEGIN SELECT RAISE(ABORT, 'payments stay'); END;
