-- The rules that follow from a row are kept whatever the statement asks for on a conflict, and what an account's stored
-- responses take is counted.
--
-- `INSERT OR IGNORE` and `INSERT OR FAIL` reach into triggers: where a CHECK of `balances` refuses a trigger's UPDATE, OR
-- IGNORE passes over it and goes on, and OR FAIL stops and keeps the row that the UPDATE belongs to. Only RAISE(ABORT)
-- is above that. So each trigger asks first whether its statements can be carried out, and then whether they were.

DROP TRIGGER accounts_open;
CREATE TRIGGER accounts_open AFTER INSERT ON accounts BEGIN
  SELECT RAISE(ABORT, 'the place of an account in the ledger is taken')
    FROM ledger_accounts WHERE id = NEW.id OR code = 'user:' || NEW.id;
  INSERT INTO ledger_accounts (id, kind, code, account_id) VALUES (NEW.id, 'user', 'user:' || NEW.id, NEW.id);
  INSERT INTO balances (account_id) VALUES (NEW.id);
END;

DROP TRIGGER holds_reserve;
CREATE TRIGGER holds_reserve AFTER INSERT ON holds BEGIN
  SELECT RAISE(ABORT, 'available_not_negative: a hold reserves what is there')
    FROM balances WHERE account_id = NEW.account_id AND posted - held < NEW.amount;
  UPDATE balances SET held = held + NEW.amount, version = version + 1 WHERE account_id = NEW.account_id;
  SELECT RAISE(ABORT, 'a hold is reserved') WHERE changes() <> 1;
END;

DROP TRIGGER holds_give_back;
CREATE TRIGGER holds_give_back AFTER UPDATE OF state ON holds WHEN OLD.state = 'held' AND NEW.state <> 'held' BEGIN
  SELECT RAISE(ABORT, 'held_not_negative: a hold gives back what it reserved')
    FROM balances WHERE account_id = NEW.account_id AND held < NEW.amount;
  UPDATE balances SET held = held - NEW.amount, version = version + 1 WHERE account_id = NEW.account_id;
  SELECT RAISE(ABORT, 'a hold is given back') WHERE changes() <> 1;
END;

DROP TRIGGER receipts_charge;
CREATE TRIGGER receipts_charge AFTER INSERT ON receipts WHEN NEW.cost > 0 BEGIN
  -- A transfer has this bound, and it is inserted below.
  SELECT RAISE(ABORT, 'available_not_negative: a charge is money that there can be') WHERE NEW.cost > 1000000000000000000;
  UPDATE holds SET state = NEW.state WHERE id = NEW.hold_id AND state = 'held';
  SELECT RAISE(ABORT, 'a receipt resolves an open hold') WHERE changes() <> 1;
  INSERT INTO transfers (kind, debit, credit, amount, hold_id, actor, created_at)
    VALUES ('usage', (SELECT account_id FROM holds WHERE id = NEW.hold_id), 1, NEW.cost, NEW.hold_id, 'gateway', NEW.resolved_at);
  SELECT RAISE(ABORT, 'a charge is transferred') WHERE changes() <> 1;
END;

-- The ledger's own accounts have no balance, so a side may have nothing to change.
DROP TRIGGER transfers_post;
CREATE TRIGGER transfers_post AFTER INSERT ON transfers BEGIN
  SELECT RAISE(ABORT, 'available_not_negative: a transfer takes what is there')
    FROM balances WHERE account_id = NEW.debit AND posted - held < NEW.amount;
  SELECT RAISE(ABORT, 'posted_in_range: a transfer gives what an account may have')
    FROM balances WHERE account_id = NEW.credit AND posted > 1000000000000000000 - NEW.amount;
  UPDATE balances SET posted = posted - NEW.amount, version = version + 1 WHERE account_id = NEW.debit;
  UPDATE balances SET posted = posted + NEW.amount, version = version + 1 WHERE account_id = NEW.credit;
END;

-- What a stored response takes: the bytes of its texts. Written with the row, so that no text is read to be counted.
ALTER TABLE stored_responses ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0);
UPDATE stored_responses SET bytes = length(CAST(id AS BLOB)) + length(CAST(model AS BLOB)) + length(CAST(input AS BLOB)) + length(CAST(response AS BLOB));
-- With the bytes, which else stand behind the texts.
CREATE INDEX stored_responses_by_age ON stored_responses (account_id, created_at, id, bytes);

-- The sum of them for each account, kept by the triggers below.
CREATE TABLE stored_bytes (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  bytes INTEGER NOT NULL,
  CONSTRAINT stored_not_negative CHECK (bytes >= 0)
) STRICT;
INSERT INTO stored_bytes (account_id, bytes) SELECT account_id, sum(bytes) FROM stored_responses GROUP BY account_id;
CREATE TRIGGER stored_responses_added AFTER INSERT ON stored_responses BEGIN
  INSERT INTO stored_bytes (account_id, bytes) VALUES (NEW.account_id, NEW.bytes)
    ON CONFLICT (account_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_responses_replaced AFTER UPDATE OF bytes ON stored_responses BEGIN
  UPDATE stored_bytes SET bytes = bytes - OLD.bytes + NEW.bytes WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER stored_responses_dropped AFTER DELETE ON stored_responses BEGIN
  UPDATE stored_bytes SET bytes = bytes - OLD.bytes WHERE account_id = OLD.account_id;
END;
CREATE TRIGGER stored_responses_keep_owner BEFORE UPDATE ON stored_responses WHEN NEW.account_id <> OLD.account_id
  BEGIN SELECT RAISE(ABORT, 'stored responses keep their owner'); END;
