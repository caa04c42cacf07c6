-- What an account's stored responses take is counted. The same tables and rules as migrations/sqlite/0003_guards.sql, but
-- for its guards of the ledger: ON CONFLICT here is about the unique keys of the one table that is inserted into. It
-- reaches into no trigger and passes over no CHECK, so that whatever a trigger cannot carry out ends the statement.

-- What a stored response takes: the bytes of its texts. Written with the row, so that no text is read to be counted.
ALTER TABLE stored_responses ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0 CHECK (bytes >= 0);
UPDATE stored_responses SET bytes = octet_length(id) + octet_length(model) + octet_length(input) + octet_length(response);
-- With the bytes, which else stand behind the texts.
CREATE INDEX stored_responses_by_age ON stored_responses (account_id, created_at, id, bytes);

-- The sum of them for each account, kept by the trigger below.
CREATE TABLE stored_bytes (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  bytes BIGINT NOT NULL,
  CONSTRAINT stored_not_negative CHECK (bytes >= 0)
);
INSERT INTO stored_bytes (account_id, bytes) SELECT account_id, sum(bytes)::bigint FROM stored_responses GROUP BY account_id;
CREATE FUNCTION stored_responses_count() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO stored_bytes AS s (account_id, bytes) VALUES (NEW.account_id, NEW.bytes)
      ON CONFLICT (account_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
  ELSIF TG_OP = 'UPDATE' THEN
    IF NEW.account_id <> OLD.account_id THEN RAISE EXCEPTION 'stored responses keep their owner'; END IF;
    UPDATE stored_bytes SET bytes = bytes - OLD.bytes + NEW.bytes WHERE account_id = NEW.account_id;
  ELSE
    UPDATE stored_bytes SET bytes = bytes - OLD.bytes WHERE account_id = OLD.account_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_responses_count AFTER INSERT OR UPDATE OR DELETE ON stored_responses FOR EACH ROW EXECUTE FUNCTION stored_responses_count();
CREATE FUNCTION stored_responses_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'stored responses are deleted one by one, so that they are counted';
END $$;
CREATE TRIGGER stored_responses_stay BEFORE TRUNCATE ON stored_responses FOR EACH STATEMENT EXECUTE FUNCTION stored_responses_stay();
