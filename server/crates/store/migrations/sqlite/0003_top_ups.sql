-- Money in: orders, the payments for them, what is known of them on chains and at payment providers, and what went back.

CREATE TABLE topup_order (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  trade_no TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  rail TEXT NOT NULL CHECK (rail IN ('crypto', 'x402', 'ewallet')),
  amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  status TEXT NOT NULL CHECK (status IN ('pending', 'settling', 'success', 'failed', 'expired')),
  rev INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  place INTEGER CHECK (place BETWEEN 1 AND 99)
    CONSTRAINT waiting_has_a_place CHECK (rail <> 'x402' OR status <> 'pending' OR place IS NOT NULL),
  settled_at INTEGER
    CONSTRAINT success_has_its_time CHECK (status <> 'success' OR settled_at IS NOT NULL),
  failure_code TEXT CHECK (failure_code <> '')
    CONSTRAINT failure_says_why CHECK (status <> 'failed' OR failure_code IS NOT NULL),
  failure_detail TEXT
    CONSTRAINT failure_is_told CHECK ((failure_code IS NULL) = (failure_detail IS NULL)),
  agent_id INTEGER REFERENCES agents (id)
    CONSTRAINT agents_sign CHECK (agent_id IS NULL OR rail <> 'ewallet'),
  counted_day INTEGER
    CONSTRAINT counts_while_paid CHECK (
    counted_day IS NULL OR (agent_id IS NOT NULL AND status IN ('settling', 'failed', 'success')))
) STRICT;
CREATE UNIQUE INDEX topup_order_places ON topup_order (account_id, place) WHERE rail = 'x402' AND status = 'pending';
CREATE INDEX topup_order_due ON topup_order (expires_at) WHERE status = 'pending';
CREATE INDEX topup_order_settling ON topup_order (id) WHERE status = 'settling';
CREATE INDEX topup_order_by_account ON topup_order (account_id, created_at);
CREATE TRIGGER topup_order_places_few BEFORE INSERT ON topup_order WHEN NEW.rail = 'x402' AND NEW.place > 3
  BEGIN SELECT RAISE(ABORT, 'three orders wait at most'); END;
CREATE TRIGGER topup_order_paid BEFORE UPDATE OF status ON topup_order WHEN NEW.status = 'success' AND OLD.status <> 'success'
    AND NOT EXISTS (SELECT 1 FROM payments WHERE order_id = NEW.id AND state = 'paid')
  BEGIN SELECT RAISE(ABORT, 'an order succeeds by a payment'); END;
CREATE TRIGGER topup_order_fixed BEFORE UPDATE ON topup_order
  WHEN NEW.id <> OLD.id OR NEW.amount <> OLD.amount OR NEW.account_id <> OLD.account_id OR NEW.trade_no <> OLD.trade_no
    OR NEW.rail <> OLD.rail OR NEW.created_at <> OLD.created_at OR NEW.expires_at <> OLD.expires_at
    OR (OLD.status = 'success' AND NEW.settled_at IS NOT OLD.settled_at)
  BEGIN SELECT RAISE(ABORT, 'order terms are fixed'); END;
CREATE TRIGGER topup_order_stay BEFORE DELETE ON topup_order BEGIN SELECT RAISE(ABORT, 'orders stay'); END;
CREATE INDEX topup_order_by_agent ON topup_order (agent_id) WHERE agent_id IS NOT NULL;
CREATE TRIGGER topup_order_of_agent BEFORE INSERT ON topup_order WHEN NEW.agent_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agents WHERE id = NEW.agent_id AND account_id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'an order is of a live agent of its account'); END;
CREATE TRIGGER topup_order_agent_fixed BEFORE UPDATE ON topup_order WHEN NEW.agent_id IS NOT OLD.agent_id
    OR (OLD.status = 'success' AND NEW.counted_day IS NOT OLD.counted_day)
    OR (OLD.counted_day IS NOT NULL AND NEW.counted_day IS NOT NULL AND NEW.counted_day <> OLD.counted_day)
  BEGIN SELECT RAISE(ABORT, 'orders keep their agent and their day'); END;
CREATE TRIGGER topup_order_count AFTER UPDATE OF counted_day ON topup_order
  WHEN OLD.counted_day IS NULL AND NEW.counted_day IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'agent_cap_holds: an order fits into the caps of its agent') FROM agents
    WHERE id = NEW.agent_id AND NEW.amount > cap_order;
  INSERT INTO agent_windows (agent_id, period, starts_at, budget, cap)
    SELECT a.id, p.period, p.starts_at, p.budget, p.budget FROM agents a
      JOIN (SELECT 'day' AS period, NEW.counted_day AS starts_at,
          (SELECT coalesce(cap_day, 1000000000000000000) FROM agents WHERE id = NEW.agent_id) AS budget
        UNION ALL SELECT 'life', 0, (SELECT coalesce(cap_life, 1000000000000000000) FROM agents WHERE id = NEW.agent_id)) p
      WHERE a.id = NEW.agent_id AND NOT EXISTS (
        SELECT 1 FROM agent_windows w WHERE w.agent_id = a.id AND w.period = p.period AND w.starts_at = p.starts_at);
  SELECT RAISE(ABORT, 'agent_cap_holds: an order fits into the caps of its agent') FROM agent_windows
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day))
      AND spent + held + NEW.amount > cap;
  UPDATE agent_windows SET held = held + NEW.amount
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day));
  SELECT RAISE(ABORT, 'an order is counted') WHERE changes() <> 2;
END;
CREATE TRIGGER topup_order_uncount AFTER UPDATE OF counted_day ON topup_order
  WHEN OLD.counted_day IS NOT NULL AND NEW.counted_day IS NULL BEGIN
  UPDATE agent_windows SET held = held - NEW.amount, cap = max(budget, spent + held - NEW.amount)
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = OLD.counted_day));
  SELECT RAISE(ABORT, 'an order is counted no more') WHERE changes() <> 2;
END;
CREATE TRIGGER topup_order_spend AFTER UPDATE OF status ON topup_order
  WHEN NEW.status = 'success' AND OLD.status <> 'success' AND NEW.counted_day IS NOT NULL BEGIN
  UPDATE agent_windows SET held = held - NEW.amount, spent = spent + NEW.amount
    WHERE agent_id = NEW.agent_id AND (period = 'life' OR (period = 'day' AND starts_at = NEW.counted_day));
  SELECT RAISE(ABORT, 'what was counted is spent') WHERE changes() <> 2;
END;
CREATE TRIGGER topup_order_spend_late AFTER UPDATE OF status ON topup_order
  WHEN NEW.status = 'success' AND OLD.status <> 'success' AND NEW.agent_id IS NOT NULL AND NEW.counted_day IS NULL BEGIN
  INSERT INTO agent_windows (agent_id, period, starts_at, budget, cap)
    SELECT a.id, p.period, p.starts_at, p.budget, p.budget FROM agents a
      JOIN (SELECT 'day' AS period, NEW.settled_at - NEW.settled_at % 86400000 AS starts_at,
          (SELECT coalesce(cap_day, 1000000000000000000) FROM agents WHERE id = NEW.agent_id) AS budget
        UNION ALL SELECT 'life', 0, (SELECT coalesce(cap_life, 1000000000000000000) FROM agents WHERE id = NEW.agent_id)) p
      WHERE a.id = NEW.agent_id AND NOT EXISTS (
        SELECT 1 FROM agent_windows w WHERE w.agent_id = a.id AND w.period = p.period AND w.starts_at = p.starts_at);
  UPDATE agent_windows SET spent = spent + NEW.amount, cap = max(budget, spent + held + NEW.amount)
    WHERE agent_id = NEW.agent_id
      AND (period = 'life' OR (period = 'day' AND starts_at = NEW.settled_at - NEW.settled_at % 86400000));
  SELECT RAISE(ABORT, 'what was paid is spent') WHERE changes() <> 2;
END;
CREATE TRIGGER topup_order_credit AFTER UPDATE OF status ON topup_order WHEN NEW.status = 'success' AND OLD.status <> 'success' BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, order_id, actor, created_at)
    VALUES ('topup', (SELECT id FROM ledger_accounts WHERE code = 'clearing:' || NEW.rail), NEW.account_id, NEW.amount,
      'order:' || NEW.id, NEW.id, 'settlement', NEW.settled_at);
  SELECT RAISE(ABORT, 'an order that succeeds is credited') WHERE changes() <> 1;
END;

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
  resolution TEXT CHECK (resolution IN ('credit', 'returned')),
  resolved_amount INTEGER CHECK (resolved_amount > 0)
    CONSTRAINT credit_has_amount CHECK ((resolution IS NOT NULL AND resolution = 'credit') = (resolved_amount IS NOT NULL)),
  resolved_at INTEGER
    CONSTRAINT resolved_when_set_aside CHECK (resolution IS NULL OR (state = 'surplus' AND resolved_at IS NOT NULL)),
  CONSTRAINT payment_once UNIQUE (source, reference)
) STRICT;
CREATE UNIQUE INDEX payments_one_paid ON payments (order_id) WHERE state = 'paid';
CREATE INDEX payments_by_order ON payments (order_id);
CREATE TRIGGER payments_stay BEFORE DELETE ON payments BEGIN SELECT RAISE(ABORT, 'payments stay'); END;
CREATE INDEX payments_set_aside ON payments (source, receipt) WHERE state = 'surplus';
CREATE INDEX payments_unresolved ON payments (claimed_at, id) WHERE state = 'surplus' AND resolution IS NULL;
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
CREATE INDEX payments_on_their_way ON payments (source) WHERE state = 'claimed';
CREATE INDEX payments_in_vain ON payments (source, decided_at) WHERE state IN ('void', 'surplus');

CREATE TABLE checkouts (
  order_id INTEGER PRIMARY KEY REFERENCES topup_order (id),
  -- By its name in the configuration.
  provider TEXT NOT NULL CHECK (provider <> ''),
  -- What the payment is called there, by us: it is asked for again by the same name.
  request_id TEXT NOT NULL CHECK (request_id <> ''),
  wallet TEXT NOT NULL CHECK (wallet <> ''),
  -- The page, once it is open.
  session TEXT CHECK (session <> ''),
  url TEXT CONSTRAINT page_is_whole CHECK ((session IS NULL) = (url IS NULL)),
  -- NULL: nothing can become of it any more that a notice would not tell.
  ask_at INTEGER,
  -- 1, before the provider is told to cancel it: from then on only its answers say what was paid, because a notice may tell of
  -- money that the cancellation gives back.
  gives_up INTEGER NOT NULL DEFAULT 0 CHECK (gives_up IN (0, 1)),
  token_sha256 BLOB CONSTRAINT token_is_hashed CHECK (length(token_sha256) = 32),
  CONSTRAINT request_once UNIQUE (provider, request_id)
) STRICT;
CREATE INDEX checkouts_due ON checkouts (ask_at) WHERE ask_at IS NOT NULL;
CREATE TRIGGER checkouts_fixed BEFORE UPDATE ON checkouts
  WHEN NEW.order_id <> OLD.order_id OR NEW.provider <> OLD.provider OR NEW.request_id <> OLD.request_id
    OR NEW.wallet <> OLD.wallet OR NEW.gives_up < OLD.gives_up OR (OLD.session IS NOT NULL AND (NEW.session IS NOT OLD.session OR NEW.url IS NOT OLD.url))
  BEGIN SELECT RAISE(ABORT, 'checkouts keep their terms'); END;
CREATE TRIGGER checkouts_stay BEFORE DELETE ON checkouts BEGIN SELECT RAISE(ABORT, 'checkouts stay'); END;
CREATE TRIGGER checkouts_token_fixed BEFORE UPDATE OF token_sha256 ON checkouts WHEN NEW.token_sha256 IS NOT OLD.token_sha256
  BEGIN SELECT RAISE(ABORT, 'checkouts keep their tokens'); END;

CREATE TABLE notices (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  provider TEXT NOT NULL CHECK (provider <> ''),
  sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
  body BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  acted_at INTEGER,
  -- Why a person has to look at it.
  parked TEXT CHECK (parked <> '')
    CONSTRAINT notice_ends_once CHECK (acted_at IS NULL OR parked IS NULL),
  CONSTRAINT notice_once UNIQUE (provider, sha256)
) STRICT;
CREATE INDEX notices_open ON notices (received_at) WHERE acted_at IS NULL AND parked IS NULL;
CREATE TRIGGER notices_fixed BEFORE UPDATE ON notices
  WHEN NEW.id <> OLD.id OR NEW.provider <> OLD.provider OR NEW.sha256 <> OLD.sha256 OR NEW.body <> OLD.body
    OR NEW.received_at <> OLD.received_at OR (OLD.acted_at IS NOT NULL AND NEW.acted_at IS NOT OLD.acted_at)
    OR (OLD.parked IS NOT NULL AND NEW.parked IS NOT OLD.parked)
  BEGIN SELECT RAISE(ABORT, 'notices are kept as they came'); END;
CREATE TRIGGER notices_stay BEFORE DELETE ON notices BEGIN SELECT RAISE(ABORT, 'notices stay'); END;

CREATE TABLE chain_orders (
  order_id INTEGER PRIMARY KEY REFERENCES topup_order (id),
  -- What its owner asked for; NULL: whatever is configured.
  network TEXT CHECK (network <> ''),
  symbol TEXT CHECK (symbol <> '')
) STRICT;

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
  closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
  fee INTEGER CONSTRAINT chain_payments_fee CHECK (fee IS NULL OR fee >= 0)
) STRICT;
CREATE INDEX chain_payments_open ON chain_payments (network, payment_id) WHERE closed = 0;
CREATE TRIGGER chain_payments_fixed BEFORE UPDATE ON chain_payments
  WHEN NEW.payment_id <> OLD.payment_id OR NEW.network <> OLD.network OR NEW.since_block <> OLD.since_block
    OR NEW.terms <> OLD.terms OR NEW.call <> OLD.call OR NEW.closed < OLD.closed
  BEGIN SELECT RAISE(ABORT, 'payments on chain keep their terms'); END;
CREATE TRIGGER chain_payments_stay BEFORE DELETE ON chain_payments BEGIN SELECT RAISE(ABORT, 'chain_payments stay'); END;

CREATE TABLE chain_relayers (
  network TEXT NOT NULL CHECK (network <> ''),
  relayer TEXT NOT NULL CHECK (relayer <> ''),
  next_nonce INTEGER NOT NULL CHECK (next_nonce > 0),
  PRIMARY KEY (network, relayer)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER chain_relayers_forward BEFORE UPDATE ON chain_relayers
  WHEN NEW.network <> OLD.network OR NEW.relayer <> OLD.relayer OR NEW.next_nonce < OLD.next_nonce
  BEGIN SELECT RAISE(ABORT, 'numbers are given once'); END;

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
CREATE TRIGGER chain_sends_fixed BEFORE UPDATE ON chain_sends
  WHEN NEW.hash <> OLD.hash OR NEW.network <> OLD.network OR NEW.relayer <> OLD.relayer OR NEW.nonce <> OLD.nonce
    OR NEW.turn <> OLD.turn OR NEW.payment_id <> OLD.payment_id OR NEW.raw <> OLD.raw OR NEW.gas <> OLD.gas
    OR NEW.fee_most <> OLD.fee_most OR NEW.fee_tip <> OLD.fee_tip OR NEW.signed_at <> OLD.signed_at OR NEW.done < OLD.done
  BEGIN SELECT RAISE(ABORT, 'what was signed is kept as it was'); END;
CREATE TRIGGER chain_sends_stay BEFORE DELETE ON chain_sends BEGIN SELECT RAISE(ABORT, 'chain_sends stay'); END;

CREATE TABLE one_node_credits (
  payment_id INTEGER PRIMARY KEY REFERENCES payments (id),
  -- The chain by its CAIP-2 id.
  network TEXT NOT NULL,
  -- In nano-USD.
  amount INTEGER NOT NULL CONSTRAINT one_node_credits_something CHECK (amount > 0),
  -- Unix time in milliseconds.
  credited_at INTEGER NOT NULL
) STRICT;
CREATE INDEX one_node_credits_by_time ON one_node_credits (network, credited_at);

CREATE TABLE reversals (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('take', 'refund', 'chargeback')),
  account_id INTEGER NOT NULL REFERENCES balances (account_id),
  -- Which money went back, where it is not taken by hand.
  payment_id INTEGER REFERENCES payments (id),
  -- Where the money goes.
  counter INTEGER NOT NULL REFERENCES ledger_accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0 AND amount <= 1000000000000000000),
  taken INTEGER NOT NULL CHECK (taken >= 0),
  debt INTEGER NOT NULL CHECK (debt >= 0),
  -- What has been paid of the debt.
  collected INTEGER NOT NULL DEFAULT 0,
  idem TEXT NOT NULL UNIQUE CHECK (length(idem) BETWEEN 1 AND 200),
  actor TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CONSTRAINT taken_of_amount CHECK (taken + debt <= amount),
  -- Money that has left is taken or owed. What is taken by hand may be what is there.
    CONSTRAINT reversal_is_whole CHECK (kind = 'take' OR taken + debt = amount),
  CONSTRAINT collected_of_debt CHECK (collected BETWEEN 0 AND debt),
  CONSTRAINT take_is_of_promo CHECK (kind <> 'take' OR counter = 2),
  CONSTRAINT take_has_no_payment CHECK ((kind = 'take') = (payment_id IS NULL))
) STRICT;
CREATE INDEX reversals_open ON reversals (account_id, id) WHERE collected < debt;
CREATE INDEX reversals_by_payment ON reversals (payment_id) WHERE payment_id IS NOT NULL;
CREATE TRIGGER reversals_start BEFORE INSERT ON reversals BEGIN
  SELECT RAISE(ABORT, 'a debt starts unpaid') WHERE NEW.collected <> 0;
  SELECT RAISE(ABORT, 'debts_in_range: an account owes what it may have')
    WHERE NEW.debt > 1000000000000000000 - coalesce((
      SELECT sum(debt - collected) FROM reversals WHERE account_id = NEW.account_id AND collected < debt), 0);
END;
CREATE TRIGGER reversals_take AFTER INSERT ON reversals WHEN NEW.taken > 0 BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, actor, note, created_at)
    VALUES (CASE NEW.kind WHEN 'take' THEN 'adjust' ELSE 'refund' END, NEW.account_id, NEW.counter, NEW.taken,
      'reversal:' || NEW.id, NEW.actor, NEW.note, NEW.created_at);
  SELECT RAISE(ABORT, 'what is taken back is transferred') WHERE changes() <> 1;
END;
CREATE TRIGGER reversals_owe AFTER INSERT ON reversals WHEN NEW.debt > 0 BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, actor, note, created_at)
    VALUES (CASE NEW.kind WHEN 'take' THEN 'adjust' ELSE 'refund' END, 8, NEW.counter, NEW.debt,
      'debt:' || NEW.id, NEW.actor, NEW.note, NEW.created_at);
  SELECT RAISE(ABORT, 'what is owed is transferred') WHERE changes() <> 1;
END;
CREATE TRIGGER reversals_fixed BEFORE UPDATE ON reversals
  WHEN NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.account_id <> OLD.account_id OR NEW.counter <> OLD.counter
    OR NEW.amount <> OLD.amount OR NEW.taken <> OLD.taken OR NEW.debt <> OLD.debt OR NEW.idem <> OLD.idem
    OR NEW.actor <> OLD.actor OR NEW.note <> OLD.note OR NEW.created_at <> OLD.created_at OR NEW.payment_id IS NOT OLD.payment_id
    OR NEW.collected IS NOT (SELECT sum(amount) FROM debt_payments WHERE reversal_id = OLD.id)
  BEGIN SELECT RAISE(ABORT, 'reversals keep their terms, and a debt is paid by its payments'); END;
CREATE TRIGGER reversals_stay BEFORE DELETE ON reversals BEGIN SELECT RAISE(ABORT, 'reversals stay'); END;
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

CREATE TABLE debt_payments (
  id INTEGER PRIMARY KEY,
  reversal_id INTEGER NOT NULL REFERENCES reversals (id),
  -- The transfer whose credit paid it; NULL: what the account had available again.
  credit_id INTEGER,
  amount INTEGER NOT NULL CHECK (amount > 0),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX debt_payments_by_credit ON debt_payments (credit_id, reversal_id) WHERE credit_id IS NOT NULL;
CREATE INDEX debt_payments_of ON debt_payments (reversal_id);
CREATE TRIGGER debt_payments_first BEFORE INSERT ON debt_payments BEGIN
  SELECT RAISE(ABORT, 'the oldest debt of an account is paid first')
    FROM reversals r JOIN reversals o ON o.account_id = r.account_id AND o.id < r.id AND o.collected < o.debt
    WHERE r.id = NEW.reversal_id;
  SELECT RAISE(ABORT, 'a debt is paid by a credit of its account') WHERE NEW.credit_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM transfers t JOIN reversals r ON r.id = NEW.reversal_id WHERE t.id = NEW.credit_id AND t.credit = r.account_id);
END;
CREATE TRIGGER debt_payments_post AFTER INSERT ON debt_payments BEGIN
  INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at)
    VALUES ('adjust', (SELECT account_id FROM reversals WHERE id = NEW.reversal_id), 8, NEW.amount, 'debt-payment:' || NEW.id,
      'ledger', NEW.created_at);
  SELECT RAISE(ABORT, 'what a debt is paid with is transferred') WHERE changes() <> 1;
  UPDATE reversals SET collected = collected + NEW.amount WHERE id = NEW.reversal_id;
  SELECT RAISE(ABORT, 'a debt is paid') WHERE changes() <> 1;
END;
CREATE TRIGGER debt_payments_no_update BEFORE UPDATE ON debt_payments BEGIN SELECT RAISE(ABORT, 'debt_payments is append-only'); END;
CREATE TRIGGER debt_payments_no_delete BEFORE DELETE ON debt_payments BEGIN SELECT RAISE(ABORT, 'debt_payments is append-only'); END;
