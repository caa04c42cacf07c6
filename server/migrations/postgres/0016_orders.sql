-- Top-ups: the orders, and what was paid for them. The same tables and rules as migrations/sqlite/0016_orders.sql.

ALTER TABLE topup_order ADD COLUMN place BIGINT CHECK (place BETWEEN 1 AND 99),
  ADD COLUMN settled_at BIGINT,
  ADD COLUMN failure_code TEXT CHECK (failure_code <> ''),
  ADD COLUMN failure_detail TEXT,
  ADD CONSTRAINT waiting_has_a_place CHECK (rail <> 'x402' OR status <> 'pending' OR place IS NOT NULL),
  ADD CONSTRAINT success_has_its_time CHECK (status <> 'success' OR settled_at IS NOT NULL),
  ADD CONSTRAINT failure_says_why CHECK (status <> 'failed' OR failure_code IS NOT NULL),
  ADD CONSTRAINT failure_is_told CHECK ((failure_code IS NULL) = (failure_detail IS NULL));
CREATE UNIQUE INDEX topup_order_places ON topup_order (account_id, place) WHERE rail = 'x402' AND status = 'pending';
CREATE INDEX topup_order_due ON topup_order (expires_at) WHERE status = 'pending';
CREATE INDEX topup_order_settling ON topup_order (id) WHERE status = 'settling';
CREATE INDEX topup_order_by_account ON topup_order (account_id, created_at);

CREATE TABLE payments (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  source TEXT NOT NULL CHECK (source <> ''),
  reference TEXT NOT NULL CHECK (reference <> ''),
  order_id BIGINT NOT NULL REFERENCES topup_order (id),
  state TEXT NOT NULL CHECK (state IN ('claimed', 'paid', 'void', 'surplus')),
  rev BIGINT NOT NULL DEFAULT 0,
  asset TEXT NOT NULL,
  amount TEXT NOT NULL CHECK (amount <> ''),
  payer TEXT,
  receipt TEXT,
  claimed_at BIGINT NOT NULL,
  decided_at BIGINT CONSTRAINT decided_when_over CHECK (state = 'claimed' OR decided_at IS NOT NULL),
  CONSTRAINT payment_once UNIQUE (source, reference)
);
CREATE UNIQUE INDEX payments_one_paid ON payments (order_id) WHERE state = 'paid';
CREATE INDEX payments_by_order ON payments (order_id);

CREATE OR REPLACE FUNCTION topup_order_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.amount, NEW.account_id, NEW.trade_no, NEW.rail, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM (OLD.id, OLD.amount, OLD.account_id, OLD.trade_no, OLD.rail, OLD.created_at, OLD.expires_at)
    OR (OLD.status = 'success' AND NEW.settled_at IS DISTINCT FROM OLD.settled_at)
  THEN RAISE EXCEPTION 'order terms are fixed'; END IF;
  IF NEW.status = 'success' AND OLD.status <> 'success'
    AND NOT EXISTS (SELECT 1 FROM payments WHERE order_id = NEW.id AND state = 'paid')
  THEN RAISE EXCEPTION 'an order succeeds by a payment'; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION topup_order_places_few() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.rail = 'x402' AND NEW.place > 3 THEN RAISE EXCEPTION 'three orders wait at most'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_places_few BEFORE INSERT ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_places_few();
CREATE FUNCTION topup_order_credit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at)
    SELECT 'topup', l.id, NEW.account_id, NEW.amount, 'order:' || NEW.id, NEW.id, 'settlement', NEW.settled_at
    FROM ledger_accounts l WHERE l.code = 'clearing:' || NEW.rail;
  RETURN NULL;
END $$;
CREATE TRIGGER topup_order_credit AFTER UPDATE ON topup_order FOR EACH ROW
  WHEN (NEW.status = 'success' AND OLD.status <> 'success') EXECUTE FUNCTION topup_order_credit();
CREATE TRIGGER topup_order_stay BEFORE DELETE OR TRUNCATE ON topup_order FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE FUNCTION payments_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.source, NEW.reference, NEW.order_id, NEW.asset, NEW.amount, NEW.payer, NEW.claimed_at)
    IS DISTINCT FROM (OLD.id, OLD.source, OLD.reference, OLD.order_id, OLD.asset, OLD.amount, OLD.payer, OLD.claimed_at)
  THEN RAISE EXCEPTION 'payments keep their terms'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_fixed BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_fixed();
CREATE TRIGGER payments_stay BEFORE DELETE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
