-- Signing in: passwords of accounts, sessions of people, and how often somebody tried.

-- NULL: nobody signs in to the account.
ALTER TABLE accounts ADD COLUMN password TEXT CHECK (password LIKE '$argon2id$%');

CREATE TABLE sessions (
  -- SHA-256 of the token; the token itself is its owner's alone.
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  -- To a minute.
  seen_at INTEGER NOT NULL CHECK (seen_at >= created_at),
  ends_at INTEGER NOT NULL CHECK (ends_at > created_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id, created_at);
CREATE INDEX sessions_by_end ON sessions (ends_at);
CREATE TRIGGER sessions_of_active BEFORE INSERT ON sessions
  WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' AND password IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'only an active account with a password is signed in to'); END;
CREATE TRIGGER sessions_fixed BEFORE UPDATE ON sessions
  WHEN NEW.hash <> OLD.hash OR NEW.account_id <> OLD.account_id OR NEW.created_at <> OLD.created_at
    OR NEW.ends_at <> OLD.ends_at OR NEW.seen_at < OLD.seen_at
  BEGIN SELECT RAISE(ABORT, 'sessions keep their owner and their end'); END;
CREATE TRIGGER accounts_end_sessions AFTER UPDATE OF state, password ON accounts
  WHEN NEW.state <> 'active' OR NEW.password IS NOT OLD.password
  BEGIN DELETE FROM sessions WHERE account_id = NEW.id; END;

-- One row for each address and each name that somebody tried to sign in with of late.
CREATE TABLE login_tries (
  -- A hash: what is typed for a name may be a password.
  subject BLOB PRIMARY KEY CHECK (length(subject) = 32),
  began_at INTEGER NOT NULL,
  tries INTEGER NOT NULL CHECK (tries > 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX login_tries_by_time ON login_tries (began_at);
