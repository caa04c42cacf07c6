-- Payments on chains: what an order may be paid with, what was signed for it, and what our own accounts send. As long as a row
-- is open, whoever serves sees it through:
--   a row in `chain_payments`             belongs to a payment, and is open until nothing can become of it any more,
--   a row in `chain_sends`                is a transaction that our account has signed, kept before it is sent; it is sent
--                                         again, the same bytes, until its number is used up. Several of one number differ in
--                                         what they pay for being carried out, and one of them at most is.

CREATE TABLE chain_orders (
  order_id INTEGER PRIMARY KEY REFERENCES topup_order (id),
  -- What its owner asked for; NULL: whatever is configured.
  network TEXT CHECK (network <> ''),
  symbol TEXT CHECK (symbol <> '')
) STRICT;
-- The newest block of each chain when the order was made: what happened before is no payment for it.
CREATE TABLE chain_order_blocks (
  order_id INTEGER NOT NULL REFERENCES topup_order (id),
  network TEXT NOT NULL CHECK (network <> ''),
  block INTEGER NOT NULL CHECK (block >= 0),
  PRIMARY KEY (order_id, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE chain_payments (
  payment_id INTEGER PRIMARY KEY REFERENCES payments (id),
  network TEXT NOT NULL CHECK (network <> ''),
  since_block INTEGER NOT NULL CHECK (since_block >= 0),
  -- What the payer signed, as JSON.
  terms TEXT NOT NULL,
  -- The call that carries it out.
  call BLOB NOT NULL,
  -- The block in which it was seen last.
  seen_block INTEGER,
  closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1))
) STRICT;
CREATE INDEX chain_payments_open ON chain_payments (network, payment_id) WHERE closed = 0;

-- The next number of each of our accounts.
CREATE TABLE chain_relayers (
  network TEXT NOT NULL CHECK (network <> ''),
  relayer TEXT NOT NULL CHECK (relayer <> ''),
  next_nonce INTEGER NOT NULL CHECK (next_nonce > 0),
  PRIMARY KEY (network, relayer)
) STRICT, WITHOUT ROWID;
CREATE TABLE chain_sends (
  hash TEXT PRIMARY KEY CHECK (hash <> ''),
  network TEXT NOT NULL,
  relayer TEXT NOT NULL,
  nonce INTEGER NOT NULL CHECK (nonce >= 0),
  -- Counted from 1 among those of its number.
  turn INTEGER NOT NULL CHECK (turn > 0),
  payment_id INTEGER NOT NULL REFERENCES chain_payments (payment_id),
  raw BLOB NOT NULL,
  gas INTEGER NOT NULL,
  -- In wei for a unit of work.
  fee_most INTEGER NOT NULL,
  fee_tip INTEGER NOT NULL,
  signed_at INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
  CONSTRAINT send_once UNIQUE (network, relayer, nonce, turn)
) STRICT;
CREATE INDEX chain_sends_by_payment ON chain_sends (payment_id);
CREATE INDEX chain_sends_open ON chain_sends (network, relayer, nonce) WHERE done = 0;

CREATE TRIGGER chain_payments_fixed BEFORE UPDATE ON chain_payments
  WHEN NEW.payment_id <> OLD.payment_id OR NEW.network <> OLD.network OR NEW.since_block <> OLD.since_block
    OR NEW.terms <> OLD.terms OR NEW.call <> OLD.call OR NEW.closed < OLD.closed
  BEGIN SELECT RAISE(ABORT, 'payments on chain keep their terms'); END;
CREATE TRIGGER chain_payments_stay BEFORE DELETE ON chain_payments BEGIN SELECT RAISE(ABORT, 'chain_payments stay'); END;
CREATE TRIGGER chain_sends_fixed BEFORE UPDATE ON chain_sends
  WHEN NEW.hash <> OLD.hash OR NEW.network <> OLD.network OR NEW.relayer <> OLD.relayer OR NEW.nonce <> OLD.nonce
    OR NEW.turn <> OLD.turn OR NEW.payment_id <> OLD.payment_id OR NEW.raw <> OLD.raw OR NEW.gas <> OLD.gas
    OR NEW.fee_most <> OLD.fee_most OR NEW.fee_tip <> OLD.fee_tip OR NEW.signed_at <> OLD.signed_at OR NEW.done < OLD.done
  BEGIN SELECT RAISE(ABORT, 'what was signed is kept as it was'); END;
CREATE TRIGGER chain_sends_stay BEFORE DELETE ON chain_sends BEGIN SELECT RAISE(ABORT, 'chain_sends stay'); END;
CREATE TRIGGER chain_relayers_forward BEFORE UPDATE ON chain_relayers
  WHEN NEW.network <> OLD.network OR NEW.relayer <> OLD.relayer OR NEW.next_nonce < OLD.next_nonce
  BEGIN SELECT RAISE(ABORT, 'numbers are given once'); END;
