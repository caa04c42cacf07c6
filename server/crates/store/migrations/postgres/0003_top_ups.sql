-- Money in: orders, the payments for them, what is known of them on chains and at payment providers, and what went back.

CREATE TABLE topup_order (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  trade_no TEXT NOT NULL UNIQUE,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  rail TEXT NOT NULL CHECK (rail IN ('crypto', 'x402', 'ewallet')),
  amount BIGINT NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  status TEXT NOT NULL CHECK (status IN ('pending', 'settling', 'success', 'failed', 'expired')),
  rev BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  place BIGINT CHECK (place BETWEEN 1 AND 99)
    CONSTRAINT waiting_has_a_place CHECK (rail <> 'x402' OR status <> 'pending' OR place IS NOT NULL),
  settled_at BIGINT
    CONSTRAINT success_has_its_time CHECK (status <> 'success' OR settled_at IS NOT NULL),
  failure_code TEXT CHECK (failure_code <> '')
    CONSTRAINT failure_says_why CHECK (status <> 'failed' OR failure_code IS NOT NULL),
  failure_detail TEXT
    CONSTRAINT failure_is_told CHECK ((failure_code IS NULL) = (failure_detail IS NULL)),
  agent_id BIGINT REFERENCES agents (id)
    CONSTRAINT agents_sign CHECK (agent_id IS NULL OR rail <> 'ewallet'),
  counted_day BIGINT
    CONSTRAINT counts_while_paid CHECK (
    counted_day IS NULL OR (agent_id IS NOT NULL AND status IN ('settling', 'failed', 'success')))
);
CREATE INDEX topup_order_by_account ON topup_order (account_id, created_at);
CREATE INDEX topup_order_by_agent ON topup_order (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX topup_order_due ON topup_order (expires_at) WHERE status = 'pending';
CREATE UNIQUE INDEX topup_order_places ON topup_order (account_id, place) WHERE (rail = 'x402') AND (status = 'pending');
CREATE INDEX topup_order_settling ON topup_order (id) WHERE status = 'settling';
CREATE FUNCTION topup_order_agent_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.agent_id IS DISTINCT FROM OLD.agent_id OR (OLD.status = 'success' AND NEW.counted_day IS DISTINCT FROM OLD.counted_day)
    OR NEW.counted_day <> OLD.counted_day
  THEN RAISE EXCEPTION 'orders keep their agent and their day'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_agent_fixed BEFORE UPDATE ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_agent_fixed();
CREATE FUNCTION topup_order_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed BIGINT; BEGIN
  IF OLD.counted_day IS NULL THEN
    IF EXISTS (SELECT 1 FROM agents WHERE id = NEW.agent_id AND NEW.amount > cap_order)
    THEN RAISE EXCEPTION 'agent_cap_holds: an order fits into the caps of its agent'; END IF;
    PERFORM agent_windows_open(NEW.agent_id, NEW.counted_day);
    UPDATE agent_windows SET held = held + NEW.amount
      WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day));
  ELSE
    UPDATE agent_windows SET held = held - NEW.amount, cap = greatest(budget, spent + held - NEW.amount)
      WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = OLD.counted_day));
  END IF;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> 2 THEN RAISE EXCEPTION 'an order is counted in two windows'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER topup_order_count AFTER UPDATE OF counted_day ON topup_order FOR EACH ROW WHEN ((OLD.counted_day IS NULL) <> (NEW.counted_day IS NULL)) EXECUTE FUNCTION topup_order_count();
CREATE FUNCTION topup_order_credit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at)
    SELECT 'topup', l.id, NEW.account_id, NEW.amount, 'order:' || NEW.id, NEW.id, 'settlement', NEW.settled_at
    FROM ledger_accounts l WHERE l.code = 'clearing:' || NEW.rail;
  RETURN NULL;
END $$;
CREATE TRIGGER topup_order_credit AFTER UPDATE ON topup_order FOR EACH ROW WHEN ((NEW.status = 'success') AND (OLD.status <> 'success')) EXECUTE FUNCTION topup_order_credit();
CREATE FUNCTION topup_order_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.amount, NEW.account_id, NEW.trade_no, NEW.rail, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM (OLD.id, OLD.amount, OLD.account_id, OLD.trade_no, OLD.rail, OLD.created_at, OLD.expires_at)
    OR (OLD.status = 'success' AND NEW.settled_at IS DISTINCT FROM OLD.settled_at)
  THEN RAISE EXCEPTION 'order terms are fixed'; END IF;
  IF NEW.status = 'success' AND OLD.status <> 'success'
    AND NOT EXISTS (SELECT 1 FROM payments WHERE order_id = NEW.id AND state = 'paid')
  THEN RAISE EXCEPTION 'an order succeeds by a payment'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_fixed BEFORE UPDATE ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_fixed();
CREATE FUNCTION topup_order_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  THEN RAISE EXCEPTION 'an order is of a live agent of its account'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_of_agent BEFORE INSERT ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_of_agent();
CREATE FUNCTION topup_order_places_few() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.rail = 'x402' AND NEW.place > 3 THEN RAISE EXCEPTION 'three orders wait at most'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER topup_order_places_few BEFORE INSERT ON topup_order FOR EACH ROW EXECUTE FUNCTION topup_order_places_few();
CREATE FUNCTION topup_order_spend() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed BIGINT; day BIGINT := coalesce(NEW.counted_day, NEW.settled_at - NEW.settled_at % 86400000); BEGIN
  IF NEW.counted_day IS NULL THEN PERFORM agent_windows_open(NEW.agent_id, day); END IF;
  UPDATE agent_windows SET spent = spent + NEW.amount,
      held = held - CASE WHEN NEW.counted_day IS NULL THEN 0 ELSE NEW.amount END,
      cap = CASE WHEN NEW.counted_day IS NULL THEN greatest(budget, spent + held + NEW.amount) ELSE cap END
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = day));
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed <> 2 THEN RAISE EXCEPTION 'what was paid is spent in two windows'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER topup_order_spend AFTER UPDATE OF status ON topup_order FOR EACH ROW WHEN ((NEW.status = 'success') AND (OLD.status <> 'success') AND (NEW.agent_id IS NOT NULL)) EXECUTE FUNCTION topup_order_spend();
CREATE TRIGGER topup_order_stay BEFORE DELETE OR TRUNCATE ON topup_order FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE payments (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  -- A chain by its CAIP-2 id, or a payment provider by its name in the configuration.
  source TEXT NOT NULL CHECK (source <> ''),
  -- What it is called there: whatever can be paid once alone.
  reference TEXT NOT NULL CHECK (reference <> ''),
  order_id BIGINT NOT NULL REFERENCES topup_order (id),
  state TEXT NOT NULL CHECK (state IN ('claimed', 'paid', 'void', 'surplus')),
  rev BIGINT NOT NULL DEFAULT 0,
  -- In the smallest units of the asset, which may have more digits than a number here.
  asset TEXT NOT NULL,
  amount TEXT NOT NULL CHECK (amount <> ''),
  payer TEXT,
  -- By which people find it: a transaction on chain, or the provider's own number.
  receipt TEXT,
  claimed_at BIGINT NOT NULL,
  decided_at BIGINT CONSTRAINT decided_when_over CHECK (state = 'claimed' OR decided_at IS NOT NULL),
  resolution TEXT CHECK (resolution IN ('credit', 'returned')),
  resolved_amount BIGINT CHECK (resolved_amount > 0)
    CONSTRAINT credit_has_amount CHECK ((resolution IS NOT NULL AND resolution = 'credit') = (resolved_amount IS NOT NULL)),
  resolved_at BIGINT
    CONSTRAINT resolved_when_set_aside CHECK (resolution IS NULL OR (state = 'surplus' AND resolved_at IS NOT NULL)),
  CONSTRAINT payment_once UNIQUE (source, reference)
);
CREATE INDEX payments_by_order ON payments (order_id);
CREATE INDEX payments_in_vain ON payments (source, decided_at) WHERE state IN ('void', 'surplus');
CREATE INDEX payments_on_their_way ON payments (source) WHERE state = 'claimed';
CREATE UNIQUE INDEX payments_one_paid ON payments (order_id) WHERE state = 'paid';
CREATE INDEX payments_set_aside ON payments (source, receipt) WHERE state = 'surplus';
CREATE INDEX payments_unresolved ON payments (claimed_at, id) WHERE (state = 'surplus') AND (resolution IS NULL);
CREATE FUNCTION payments_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.source, NEW.reference, NEW.order_id, NEW.asset, NEW.amount, NEW.payer, NEW.claimed_at)
    IS DISTINCT FROM (OLD.id, OLD.source, OLD.reference, OLD.order_id, OLD.asset, OLD.amount, OLD.payer, OLD.claimed_at)
    OR (OLD.resolution IS NOT NULL AND (NEW.resolution, NEW.resolved_amount, NEW.resolved_at)
      IS DISTINCT FROM (OLD.resolution, OLD.resolved_amount, OLD.resolved_at))
  THEN RAISE EXCEPTION 'payments keep their terms'; END IF;
  IF NEW.resolved_amount > (SELECT amount FROM topup_order WHERE id = NEW.order_id)
  THEN RAISE EXCEPTION 'a payment is credited with what its order is for, or less'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payments_fixed BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_fixed();
CREATE FUNCTION payments_resolve() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at)
    SELECT 'adjust', l.id, o.account_id, NEW.resolved_amount, 'payment:' || NEW.id, 'settlement', NEW.resolved_at
    FROM topup_order o JOIN ledger_accounts l ON l.code = 'clearing:' || o.rail WHERE o.id = NEW.order_id;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_resolve AFTER UPDATE ON payments FOR EACH ROW WHEN ((OLD.resolution IS NULL) AND (NEW.resolution = 'credit')) EXECUTE FUNCTION payments_resolve();
CREATE TRIGGER payments_stay BEFORE DELETE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE checkouts (
  order_id BIGINT PRIMARY KEY REFERENCES topup_order (id),
  -- By its name in the configuration.
  provider TEXT NOT NULL CHECK (provider <> ''),
  -- What the payment is called there, by us: it is asked for again by the same name.
  request_id TEXT NOT NULL CHECK (request_id <> ''),
  wallet TEXT NOT NULL CHECK (wallet <> ''),
  -- The page, once it is open.
  session TEXT CHECK (session <> ''),
  url TEXT CONSTRAINT page_is_whole CHECK ((session IS NULL) = (url IS NULL)),
  -- NULL: nothing can become of it any more that a notice would not tell.
  ask_at BIGINT,
  -- 1, before the provider is told to cancel it: from then on only its answers say what was paid, because a notice may tell of
  -- money that the cancellation gives back.
  gives_up BIGINT NOT NULL DEFAULT 0 CHECK (gives_up IN (0, 1)),
  token_sha256 BYTEA CONSTRAINT token_is_hashed CHECK (length(token_sha256) = 32),
  CONSTRAINT request_once UNIQUE (provider, request_id)
);
CREATE INDEX checkouts_due ON checkouts (ask_at) WHERE ask_at IS NOT NULL;
CREATE FUNCTION checkouts_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.order_id, NEW.provider, NEW.request_id, NEW.wallet)
    IS DISTINCT FROM (OLD.order_id, OLD.provider, OLD.request_id, OLD.wallet)
    OR NEW.gives_up < OLD.gives_up
    OR (OLD.session IS NOT NULL AND (NEW.session, NEW.url) IS DISTINCT FROM (OLD.session, OLD.url))
  THEN RAISE EXCEPTION 'checkouts keep their terms'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER checkouts_fixed BEFORE UPDATE ON checkouts FOR EACH ROW EXECUTE FUNCTION checkouts_fixed();
CREATE TRIGGER checkouts_stay BEFORE DELETE OR TRUNCATE ON checkouts FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE FUNCTION checkouts_token_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.token_sha256 IS DISTINCT FROM OLD.token_sha256 THEN RAISE EXCEPTION 'checkouts keep their tokens'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER checkouts_token_fixed BEFORE UPDATE ON checkouts FOR EACH ROW EXECUTE FUNCTION checkouts_token_fixed();

CREATE TABLE notices (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  provider TEXT NOT NULL CHECK (provider <> ''),
  sha256 BYTEA NOT NULL CHECK (length(sha256) = 32),
  body BYTEA NOT NULL,
  received_at BIGINT NOT NULL,
  acted_at BIGINT,
  -- Why a person has to look at it.
  parked TEXT CHECK (parked <> '')
    CONSTRAINT notice_ends_once CHECK (acted_at IS NULL OR parked IS NULL),
  CONSTRAINT notice_once UNIQUE (provider, sha256)
);
CREATE INDEX notices_open ON notices (received_at) WHERE (acted_at IS NULL) AND (parked IS NULL);
CREATE FUNCTION notices_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.provider, NEW.sha256, NEW.body, NEW.received_at)
    IS DISTINCT FROM (OLD.id, OLD.provider, OLD.sha256, OLD.body, OLD.received_at)
    OR (OLD.acted_at IS NOT NULL AND NEW.acted_at IS DISTINCT FROM OLD.acted_at)
    OR (OLD.parked IS NOT NULL AND NEW.parked IS DISTINCT FROM OLD.parked)
  THEN RAISE EXCEPTION 'notices are kept as they came'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER notices_fixed BEFORE UPDATE ON notices FOR EACH ROW EXECUTE FUNCTION notices_fixed();
CREATE TRIGGER notices_stay BEFORE DELETE OR TRUNCATE ON notices FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE chain_orders (
  order_id BIGINT PRIMARY KEY REFERENCES topup_order (id),
  -- What its owner asked for; NULL: whatever is configured.
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
  -- What the payer signed, as JSON.
  terms TEXT NOT NULL,
  -- The call that carries it out.
  call BYTEA NOT NULL,
  -- The block in which it was seen last.
  seen_block BIGINT,
  closed BIGINT NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
  fee BIGINT CONSTRAINT chain_payments_fee CHECK (fee IS NULL OR fee >= 0)
);
CREATE INDEX chain_payments_open ON chain_payments (network, payment_id) WHERE closed = 0;
CREATE FUNCTION chain_payments_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.payment_id, NEW.network, NEW.since_block, NEW.terms, NEW.call)
    IS DISTINCT FROM (OLD.payment_id, OLD.network, OLD.since_block, OLD.terms, OLD.call) OR NEW.closed < OLD.closed
  THEN RAISE EXCEPTION 'payments on chain keep their terms'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER chain_payments_fixed BEFORE UPDATE ON chain_payments FOR EACH ROW EXECUTE FUNCTION chain_payments_fixed();
CREATE TRIGGER chain_payments_stay BEFORE DELETE OR TRUNCATE ON chain_payments FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE chain_relayers (
  network TEXT NOT NULL CHECK (network <> ''),
  relayer TEXT NOT NULL CHECK (relayer <> ''),
  next_nonce BIGINT NOT NULL CHECK (next_nonce > 0),
  PRIMARY KEY (network, relayer)
);
CREATE FUNCTION chain_relayers_forward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.network, NEW.relayer) IS DISTINCT FROM (OLD.network, OLD.relayer) OR NEW.next_nonce < OLD.next_nonce
  THEN RAISE EXCEPTION 'numbers are given once'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER chain_relayers_forward BEFORE UPDATE ON chain_relayers FOR EACH ROW EXECUTE FUNCTION chain_relayers_forward();

CREATE TABLE chain_sends (
  hash TEXT PRIMARY KEY CHECK (hash <> ''),
  network TEXT NOT NULL,
  relayer TEXT NOT NULL,
  nonce BIGINT NOT NULL CHECK (nonce >= 0),
  -- Counted from 1 among those of its number.
  turn BIGINT NOT NULL CHECK (turn > 0),
  payment_id BIGINT NOT NULL REFERENCES chain_payments (payment_id),
  raw BYTEA NOT NULL,
  gas BIGINT NOT NULL,
  -- In wei for a unit of work.
  fee_most BIGINT NOT NULL,
  fee_tip BIGINT NOT NULL,
  signed_at BIGINT NOT NULL,
  done BIGINT NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
  CONSTRAINT send_once UNIQUE (network, relayer, nonce, turn)
);
CREATE INDEX chain_sends_by_payment ON chain_sends (payment_id);
CREATE INDEX chain_sends_open ON chain_sends (network, relayer, nonce) WHERE done = 0;
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

CREATE TABLE one_node_credits (
  payment_id BIGINT PRIMARY KEY REFERENCES payments (id),
  -- The chain by its CAIP-2 id.
  network TEXT NOT NULL,
  -- In nano-USD.
  amount BIGINT NOT NULL CONSTRAINT one_node_credits_something CHECK (amount > 0),
  -- Unix time in milliseconds.
  credited_at BIGINT NOT NULL
);
CREATE INDEX one_node_credits_by_time ON one_node_credits (network, credited_at);

CREATE TABLE reversals (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('take', 'refund', 'chargeback')),
  account_id BIGINT NOT NULL REFERENCES balances (account_id),
  -- Which money went back, where it is not taken by hand.
  payment_id BIGINT REFERENCES payments (id),
  -- Where the money goes.
  counter BIGINT NOT NULL REFERENCES ledger_accounts (id),
  amount BIGINT NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  taken BIGINT NOT NULL CHECK (taken >= 0),
  debt BIGINT NOT NULL CHECK (debt >= 0),
  -- What has been paid of the debt.
  collected BIGINT NOT NULL DEFAULT 0,
  idem TEXT NOT NULL UNIQUE CHECK (length(idem) BETWEEN 1 AND 200),
  actor TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  CONSTRAINT taken_of_amount CHECK (taken + debt <= amount),
  -- Money that has left is taken or owed. What is taken by hand may be what is there.
    CONSTRAINT reversal_is_whole CHECK (kind = 'take' OR taken + debt = amount),
  CONSTRAINT collected_of_debt CHECK (collected BETWEEN 0 AND debt),
  CONSTRAINT take_is_of_promo CHECK (kind <> 'take' OR counter = 2),
  CONSTRAINT take_has_no_payment CHECK ((kind = 'take') = (payment_id IS NULL))
);
CREATE INDEX reversals_by_payment ON reversals (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX reversals_open ON reversals (account_id, id) WHERE collected < debt;
CREATE FUNCTION reversals_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.kind, NEW.account_id, NEW.counter, NEW.amount, NEW.taken, NEW.debt, NEW.idem, NEW.actor, NEW.note, NEW.created_at,
      NEW.payment_id)
    IS DISTINCT FROM
    (OLD.id, OLD.kind, OLD.account_id, OLD.counter, OLD.amount, OLD.taken, OLD.debt, OLD.idem, OLD.actor, OLD.note, OLD.created_at,
      OLD.payment_id)
    OR NEW.collected IS DISTINCT FROM (SELECT sum(amount) FROM debt_payments WHERE reversal_id = OLD.id)
  THEN RAISE EXCEPTION 'reversals keep their terms, and a debt is paid by its payments'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER reversals_fixed BEFORE UPDATE ON reversals FOR EACH ROW EXECUTE FUNCTION reversals_fixed();
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
CREATE TRIGGER reversals_of_payment BEFORE INSERT ON reversals FOR EACH ROW WHEN (NEW.payment_id IS NOT NULL) EXECUTE FUNCTION reversals_of_payment();
CREATE FUNCTION reversals_post() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE posted_as text; BEGIN
  posted_as := CASE NEW.kind WHEN 'take' THEN 'adjust' ELSE 'refund' END;
  IF NEW.taken > 0 THEN
    INSERT INTO transfers (kind, debit, credit, amount, idem, actor, note, created_at)
      VALUES (posted_as, NEW.account_id, NEW.counter, NEW.taken, 'reversal:' || NEW.id, NEW.actor, NEW.note, NEW.created_at);
  END IF;
  IF NEW.debt > 0 THEN
    INSERT INTO transfers (kind, debit, credit, amount, idem, actor, note, created_at)
      VALUES (posted_as, 8, NEW.counter, NEW.debt, 'debt:' || NEW.id, NEW.actor, NEW.note, NEW.created_at);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER reversals_post AFTER INSERT ON reversals FOR EACH ROW EXECUTE FUNCTION reversals_post();
CREATE FUNCTION reversals_start() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.collected <> 0 THEN RAISE EXCEPTION 'a debt starts unpaid'; END IF;
  -- The sum may have more digits than a number of the table.
  IF NEW.debt + coalesce((
      SELECT sum(debt - collected) FROM reversals WHERE account_id = NEW.account_id AND collected < debt), 0) > 1000000000000000000
  THEN RAISE EXCEPTION 'debts_in_range: an account owes what it may have'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER reversals_start BEFORE INSERT ON reversals FOR EACH ROW EXECUTE FUNCTION reversals_start();
CREATE TRIGGER reversals_stay BEFORE DELETE OR TRUNCATE ON reversals FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE debt_payments (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  reversal_id BIGINT NOT NULL REFERENCES reversals (id),
  -- The transfer whose credit paid it; NULL: what the account had available again.
  credit_id BIGINT,
  amount BIGINT NOT NULL CHECK (amount > 0),
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX debt_payments_by_credit ON debt_payments (credit_id, reversal_id) WHERE credit_id IS NOT NULL;
CREATE INDEX debt_payments_of ON debt_payments (reversal_id);
CREATE TRIGGER debt_payments_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON debt_payments FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE FUNCTION debt_payments_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM reversals r JOIN reversals o ON o.account_id = r.account_id AND o.id < r.id AND o.collected < o.debt
    WHERE r.id = NEW.reversal_id)
  THEN RAISE EXCEPTION 'the oldest debt of an account is paid first'; END IF;
  IF NEW.credit_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM transfers t JOIN reversals r ON r.id = NEW.reversal_id WHERE t.id = NEW.credit_id AND t.credit = r.account_id)
  THEN RAISE EXCEPTION 'a debt is paid by a credit of its account'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER debt_payments_first BEFORE INSERT ON debt_payments FOR EACH ROW EXECUTE FUNCTION debt_payments_first();
CREATE FUNCTION debt_payments_post() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at)
    SELECT 'adjust', account_id, 8, NEW.amount, 'debt-payment:' || NEW.id, 'ledger', NEW.created_at
    FROM reversals WHERE id = NEW.reversal_id;
  UPDATE reversals SET collected = collected + NEW.amount WHERE id = NEW.reversal_id;
  RETURN NULL;
END $$;
CREATE TRIGGER debt_payments_post AFTER INSERT ON debt_payments FOR EACH ROW EXECUTE FUNCTION debt_payments_post();
