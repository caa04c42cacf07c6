-- Whoever has the address to which a payer returns from the checkout sees how the order stands. The token in that address is kept
-- as its hash alone. Orders that were made before have none: nobody sees them so.

ALTER TABLE checkouts ADD COLUMN token_sha256 BLOB CONSTRAINT token_is_hashed CHECK (length(token_sha256) = 32);

CREATE TRIGGER checkouts_token_fixed BEFORE UPDATE OF token_sha256 ON checkouts WHEN NEW.token_sha256 IS NOT OLD.token_sha256
  BEGIN SELECT RAISE(ABORT, 'checkouts keep their tokens'); END;
