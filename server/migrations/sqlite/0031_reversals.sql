-- Money that is taken back from accounts, and the debts of those that cannot pay it. The database keeps these books as well:
--   a row in `reversals`      takes `taken` from its account, and books `debt`, what was not there, as owed by the account
--                             (the ledger account `debts`). Both go to the account that the money is returned to,
--   a row in `debt_payments`  pays a debt from its account. Each credit of an account that has debts makes such rows in its own
--                             transaction, the oldest debt first (trigger transfers_post_credit).
-- So no balance falls below what is held, and what the account `debts` stands at is what all accounts together owe.

INSERT INTO ledger_accounts (id, kind, code) VALUES (8, 'suspense', 'debts');

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

-- Charges are posted as before. Any other transfer is a credit of somebody, and pays debts in the same trigger: of two, which
-- one is first is not said.
DROP TRIGGER transfers_post;
CREATE TRIGGER transfers_post AFTER INSERT ON transfers WHEN NEW.kind = 'usage' BEGIN
  SELECT RAISE(ABORT, 'available_not_negative: a charge takes what is there')
    FROM balances WHERE account_id = NEW.debit AND posted - held < NEW.amount;
  UPDATE balances SET posted = posted - NEW.amount, version = version + 1 WHERE account_id = NEW.debit;
END;
CREATE TRIGGER transfers_post_credit AFTER INSERT ON transfers WHEN NEW.kind <> 'usage' BEGIN
  SELECT RAISE(ABORT, 'available_not_negative: a transfer takes what is there')
    FROM balances WHERE account_id = NEW.debit AND posted - held < NEW.amount;
  SELECT RAISE(ABORT, 'posted_in_range: a transfer gives what an account may have')
    FROM balances WHERE account_id = NEW.credit AND posted > 1000000000000000000 - NEW.amount;
  UPDATE balances SET posted = posted - NEW.amount, version = version + 1 WHERE account_id = NEW.debit;
  UPDATE balances SET posted = posted + NEW.amount, version = version + 1 WHERE account_id = NEW.credit;
  INSERT INTO debt_payments (reversal_id, credit_id, amount, created_at)
    SELECT id, NEW.id, min(owed, NEW.amount - before), NEW.created_at FROM (
      SELECT id, debt - collected AS owed, sum(debt - collected) OVER (ORDER BY id) - (debt - collected) AS before
      FROM reversals WHERE account_id = NEW.credit AND collected < debt)
    WHERE before < NEW.amount ORDER BY id;
  SELECT RAISE(ABORT, 'a credit pays the debts of its account')
    WHERE EXISTS (SELECT 1 FROM reversals WHERE account_id = NEW.credit AND collected < debt)
      AND NEW.amount > coalesce((SELECT sum(amount) FROM debt_payments WHERE credit_id = NEW.id), 0);
END;
