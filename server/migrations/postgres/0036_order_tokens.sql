-- The token of an order, as its hash. The same column and rule as migrations/sqlite/0036_order_tokens.sql.

ALTER TABLE checkouts ADD COLUMN token_sha256 BYTEA CONSTRAINT token_is_hashed CHECK (length(token_sha256) = 32);

CREATE FUNCTION checkouts_token_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.token_sha256 IS DISTINCT FROM OLD.token_sha256 THEN RAISE EXCEPTION 'checkouts keep their tokens'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER checkouts_token_fixed BEFORE UPDATE ON checkouts FOR EACH ROW EXECUTE FUNCTION checkouts_token_fixed();
