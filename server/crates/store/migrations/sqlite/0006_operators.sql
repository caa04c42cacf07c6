-- expands: operators and their sessions, notes on accounts, and more of what the log of changes tells

CREATE TABLE operators (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  kind TEXT NOT NULL CHECK (kind IN ('person', 'key')),
  role TEXT NOT NULL CHECK (role IN ('owner', 'operator', 'finance', 'support', 'reader')),
  state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
  created_at INTEGER NOT NULL,
  -- Of a key: SHA-256 of its secret, its beginning and end as shown, its time.
  hash BLOB UNIQUE CHECK (length(hash) = 32),
  shown_prefix TEXT,
  expires_at INTEGER,
  -- Of a person: SHA-256 of the invitation that is open, and its end; an argon2id hash.
  invitation BLOB CHECK (length(invitation) = 32),
  invitation_ends_at INTEGER,
  password TEXT,
  -- The secret of the second factor, sealed by a key that only the password gives, and the last step whose code was taken.
  totp BLOB,
  totp_step INTEGER NOT NULL DEFAULT 0,
  -- Wrong codes beside the right password since the last right one, and the time of the last.
  totp_failed INTEGER NOT NULL DEFAULT 0,
  totp_failed_at INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT operator_key_is_whole CHECK ((kind = 'key') = (hash IS NOT NULL) AND (hash IS NULL) = (shown_prefix IS NULL)),
  CONSTRAINT operator_key_ends_later CHECK (expires_at IS NULL OR (expires_at > created_at AND kind = 'key')),
  CONSTRAINT invitation_is_whole CHECK ((invitation IS NULL) = (invitation_ends_at IS NULL)),
  CONSTRAINT two_factors CHECK ((password IS NULL) = (totp IS NULL)),
  CONSTRAINT people_sign_in CHECK (kind = 'person' OR (invitation IS NULL AND password IS NULL))
) STRICT;
CREATE UNIQUE INDEX operators_invitation_key ON operators (invitation) WHERE invitation IS NOT NULL;
CREATE TRIGGER operators_fixed BEFORE UPDATE ON operators
  WHEN NEW.id <> OLD.id OR NEW.name <> OLD.name OR NEW.kind <> OLD.kind OR NEW.created_at <> OLD.created_at
    OR NEW.hash IS NOT OLD.hash OR NEW.expires_at IS NOT OLD.expires_at
    OR NEW.totp IS OLD.totp AND NEW.totp_step < OLD.totp_step
  BEGIN SELECT RAISE(ABORT, 'operators keep their name, kind and key'); END;
CREATE TRIGGER operators_keys_end BEFORE UPDATE OF state ON operators
  WHEN OLD.kind = 'key' AND OLD.state = 'disabled' AND NEW.state <> 'disabled'
  BEGIN SELECT RAISE(ABORT, 'a disabled key of an operator stays disabled'); END;
CREATE TRIGGER operators_stay BEFORE DELETE ON operators BEGIN SELECT RAISE(ABORT, 'operators stay'); END;

CREATE TABLE operator_sessions (
  -- SHA-256 of the token; the token itself is its owner's alone.
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  operator_id INTEGER NOT NULL REFERENCES operators (id),
  -- The address that it was begun from, and the name that the browser gave itself.
  address TEXT,
  browser TEXT,
  created_at INTEGER NOT NULL,
  -- To a minute.
  seen_at INTEGER NOT NULL CHECK (seen_at >= created_at),
  ends_at INTEGER NOT NULL CHECK (ends_at > created_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, created_at);
CREATE TRIGGER operator_sessions_of_active BEFORE INSERT ON operator_sessions
  WHEN NOT EXISTS (SELECT 1 FROM operators WHERE id = NEW.operator_id AND state = 'active' AND password IS NOT NULL)
  BEGIN SELECT RAISE(ABORT, 'only an active operator with a password signs in'); END;
CREATE TRIGGER operator_sessions_fixed BEFORE UPDATE ON operator_sessions
  WHEN NEW.hash <> OLD.hash OR NEW.operator_id <> OLD.operator_id OR NEW.created_at <> OLD.created_at
    OR NEW.ends_at <> OLD.ends_at OR NEW.seen_at < OLD.seen_at
  BEGIN SELECT RAISE(ABORT, 'sessions keep their owner and their end'); END;
CREATE TRIGGER operators_end_sessions AFTER UPDATE ON operators
  WHEN NEW.state <> 'active' OR NEW.password IS NOT OLD.password OR NEW.role <> OLD.role
  BEGIN DELETE FROM operator_sessions WHERE operator_id = NEW.id; END;

CREATE INDEX audit_log_by_subject ON audit_log (subject, id);
CREATE INDEX topup_order_by_time ON topup_order (created_at, id);

-- Last, the one of each request at the very end: what is locked here is locked for a moment.
ALTER TABLE audit_log ADD COLUMN address TEXT;
ALTER TABLE audit_log ADD COLUMN reason TEXT;
ALTER TABLE audit_log ADD COLUMN value_before TEXT;
ALTER TABLE audit_log ADD COLUMN value_after TEXT;
ALTER TABLE accounts ADD COLUMN note TEXT NOT NULL DEFAULT '';
