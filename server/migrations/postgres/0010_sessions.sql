-- Signing in: passwords of accounts, sessions of people, and how often somebody tried. The same tables and rules as
-- migrations/sqlite/0010_sessions.sql.

-- NULL: nobody signs in to the account.
ALTER TABLE accounts ADD COLUMN password TEXT CHECK (password LIKE '$argon2id$%');

CREATE TABLE sessions (
  -- SHA-256 of the token; the token itself is its owner's alone.
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  created_at BIGINT NOT NULL,
  -- To a minute.
  seen_at BIGINT NOT NULL CHECK (seen_at >= created_at),
  ends_at BIGINT NOT NULL CHECK (ends_at > created_at)
);
CREATE INDEX sessions_by_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_end ON sessions (ends_at);
-- The account's row is locked, so that it is not frozen between the question and the commit.
CREATE FUNCTION sessions_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' AND password IS NOT NULL FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'only an active account with a password is signed in to'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sessions_of_active BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION sessions_of_active();
CREATE FUNCTION sessions_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.hash, NEW.account_id, NEW.created_at, NEW.ends_at) IS DISTINCT FROM (OLD.hash, OLD.account_id, OLD.created_at, OLD.ends_at)
    OR NEW.seen_at < OLD.seen_at
  THEN RAISE EXCEPTION 'sessions keep their owner and their end'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sessions_fixed BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION sessions_fixed();
CREATE FUNCTION accounts_end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state <> 'active' OR NEW.password IS DISTINCT FROM OLD.password THEN
    DELETE FROM sessions WHERE account_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_end_sessions AFTER UPDATE OF state, password ON accounts
  FOR EACH ROW EXECUTE FUNCTION accounts_end_sessions();

-- One row for each address and each name that somebody tried to sign in with of late.
CREATE TABLE login_tries (
  -- A hash: what is typed for a name may be a password.
  subject BYTEA PRIMARY KEY CHECK (length(subject) = 32),
  began_at BIGINT NOT NULL,
  tries BIGINT NOT NULL CHECK (tries > 0)
);
CREATE INDEX login_tries_by_time ON login_tries (began_at);
