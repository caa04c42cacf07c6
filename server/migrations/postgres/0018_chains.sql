-- Payments on chains. The same tables and rules as migrations/sqlite/0018_chains.sql.

CREATE TABLE chain_orders (
  order_id BIGINT PRIMARY KEY REFERENCES topup_order (id),
  network TEXT CHECK (network <> ''),
  symbol TEXT CHECK (symbol <> '')
);
CREATE TABLE chain_order_blocks (
  order_id BIGINT NOT NULL REFERENCES topup_order (id),
  network TEXT NOT NULL CHECK (network <> ''),
  block BIGINT NOT NULL CHECK (block >= 0),
  PRIMARY KEY (order_id, network)
);

CREATE TABLE chain_payments (
  payment_id BIGINT PRIMARY KEY REFERENCES payments (id),
  network TEXT NOT NULL CHECK (network <> ''),
  since_block BIGINT NOT NULL CHECK (since_block >= 0),
  terms TEXT NOT NULL,
  call BYTEA NOT NULL,
  seen_block BIGINT,
  closed BIGINT NOT NULL DEFAULT 0 CHECK (closed IN (0, 1))
);
CREATE INDEX chain_payments_open ON chain_payments (network, payment_id) WHERE closed = 0;

CREATE TABLE chain_relayers (
  network TEXT NOT NULL CHECK (network <> ''),
  relayer TEXT NOT NULL CHECK (relayer <> ''),
  next_nonce BIGINT NOT NULL CHECK (next_nonce > 0),
  PRIMARY KEY (network, relayer)
);
CREATE TABLE chain_sends (
  hash TEXT PRIMARY KEY CHECK (hash <> ''),
  network TEXT NOT NULL,
  relayer TEXT NOT NULL,
  nonce BIGINT NOT NULL CHECK (nonce >= 0),
  turn BIGINT NOT NULL CHECK (turn > 0),
  payment_id BIGINT NOT NULL REFERENCES chain_payments (payment_id),
  raw BYTEA NOT NULL,
  gas BIGINT NOT NULL,
  fee_most BIGINT NOT NULL,
  fee_tip BIGINT NOT NULL,
  signed_at BIGINT NOT NULL,
  done BIGINT NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
  CONSTRAINT send_once UNIQUE (network, relayer, nonce, turn)
);
CREATE INDEX chain_sends_by_payment ON chain_sends (payment_id);
CREATE INDEX chain_sends_open ON chain_sends (network, relayer, nonce) WHERE done = 0;

CREATE FUNCTION chain_payments_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.payment_id, NEW.network, NEW.since_block, NEW.terms, NEW.call)
    IS DISTINCT FROM (OLD.payment_id, OLD.network, OLD.since_block, OLD.terms, OLD.call) OR NEW.closed < OLD.closed
  THEN RAISE EXCEPTION 'payments on chain keep their terms'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER chain_payments_fixed BEFORE UPDATE ON chain_payments FOR EACH ROW EXECUTE FUNCTION chain_payments_fixed();
CREATE TRIGGER chain_payments_stay BEFORE DELETE OR TRUNCATE ON chain_payments
  FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE FUNCTION chain_sends_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.hash, NEW.network, NEW.relayer, NEW.nonce, NEW.turn, NEW.payment_id, NEW.raw, NEW.gas, NEW.fee_most, NEW.fee_tip,
      NEW.signed_at)
    IS DISTINCT FROM (OLD.hash, OLD.network, OLD.relayer, OLD.nonce, OLD.turn, OLD.payment_id, OLD.raw, OLD.gas, OLD.fee_most,
      OLD.fee_tip, OLD.signed_at) OR NEW.done < OLD.done
  THEN RAISE EXCEPTION 'what was signed is kept as it was'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER chain_sends_fixed BEFORE UPDATE ON chain_sends FOR EACH ROW EXECUTE FUNCTION chain_sends_fixed();
CREATE TRIGGER chain_sends_stay BEFORE DELETE OR TRUNCATE ON chain_sends FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE FUNCTION chain_relayers_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.network, NEW.relayer) IS DISTINCT FROM (OLD.network, OLD.relayer) OR NEW.next_nonce < OLD.next_nonce
  THEN RAISE EXCEPTION 'numbers are given once'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER chain_relayers_forward BEFORE UPDATE ON chain_relayers
  FOR EACH ROW EXECUTE FUNCTION chain_relayers_forward();
