-- expands: operators and their sessions, notes on accounts, and more of what the log of changes tells

CREATE TABLE operators (
  id BIGINT PRIMARY KEY CHECK (id > 0),
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  kind TEXT NOT NULL CHECK (kind IN ('person', 'key')),
  role TEXT NOT NULL CHECK (role IN ('owner', 'operator', 'finance', 'support', 'reader')),
  state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
  created_at BIGINT NOT NULL,
  -- Of a key: SHA-256 of its secret, its beginning and end as shown, its time.
  hash BYTEA UNIQUE CHECK (length(hash) = 32),
  shown_prefix TEXT,
  expires_at BIGINT,
  -- Of a person: SHA-256 of the invitation that is open, and its end; an argon2id hash.
  invitation BYTEA CHECK (length(invitation) = 32),
  invitation_ends_at BIGINT,
  password TEXT,
  -- The secret of the second factor, sealed by a key that only the password gives, and the last step whose code was taken.
  totp BYTEA,
  totp_step BIGINT NOT NULL DEFAULT 0,
  -- Wrong codes beside the right password since the last right one, and the time of the last.
  totp_failed BIGINT NOT NULL DEFAULT 0,
  totp_failed_at BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT operator_key_is_whole CHECK ((kind = 'key') = (hash IS NOT NULL) AND (hash IS NULL) = (shown_prefix IS NULL)),
  CONSTRAINT operator_key_ends_later CHECK (expires_at IS NULL OR (expires_at > created_at AND kind = 'key')),
  CONSTRAINT invitation_is_whole CHECK ((invitation IS NULL) = (invitation_ends_at IS NULL)),
  CONSTRAINT two_factors CHECK ((password IS NULL) = (totp IS NULL)),
  CONSTRAINT people_sign_in CHECK (kind = 'person' OR (invitation IS NULL AND password IS NULL))
);
CREATE UNIQUE INDEX operators_invitation_key ON operators (invitation) WHERE invitation IS NOT NULL;
CREATE FUNCTION operators_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.name, NEW.kind, NEW.created_at, NEW.hash, NEW.expires_at)
      IS DISTINCT FROM (OLD.id, OLD.name, OLD.kind, OLD.created_at, OLD.hash, OLD.expires_at)
    OR NEW.totp IS NOT DISTINCT FROM OLD.totp AND NEW.totp_step < OLD.totp_step
  THEN RAISE EXCEPTION 'operators keep their name, kind and key'; END IF;
  IF OLD.kind = 'key' AND OLD.state = 'disabled' AND NEW.state <> 'disabled'
  THEN RAISE EXCEPTION 'a disabled key of an operator stays disabled'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER operators_fixed BEFORE UPDATE ON operators FOR EACH ROW EXECUTE FUNCTION operators_fixed();
CREATE TRIGGER operators_stay BEFORE DELETE OR TRUNCATE ON operators FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE operator_sessions (
  -- SHA-256 of the token; the token itself is its owner's alone.
  hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
  operator_id BIGINT NOT NULL REFERENCES operators (id),
  -- The address that it was begun from, and the name that the browser gave itself.
  address TEXT,
  browser TEXT,
  created_at BIGINT NOT NULL,
  -- To a minute.
  seen_at BIGINT NOT NULL CHECK (seen_at >= created_at),
  ends_at BIGINT NOT NULL CHECK (ends_at > created_at)
);
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, created_at);
CREATE FUNCTION operator_sessions_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  -- Shared, so that whoever disables the operator meanwhile waits, and then ends this session too.
  PERFORM 1 FROM operators WHERE id = NEW.operator_id AND state = 'active' AND password IS NOT NULL FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'only an active operator with a password signs in'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER operator_sessions_of_active BEFORE INSERT ON operator_sessions
  FOR EACH ROW EXECUTE FUNCTION operator_sessions_of_active();
CREATE FUNCTION operator_sessions_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.hash, NEW.operator_id, NEW.created_at, NEW.ends_at)
      IS DISTINCT FROM (OLD.hash, OLD.operator_id, OLD.created_at, OLD.ends_at)
    OR NEW.seen_at < OLD.seen_at
  THEN RAISE EXCEPTION 'sessions keep their owner and their end'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER operator_sessions_fixed BEFORE UPDATE ON operator_sessions
  FOR EACH ROW EXECUTE FUNCTION operator_sessions_fixed();
CREATE FUNCTION operators_end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM operator_sessions WHERE operator_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER operators_end_sessions AFTER UPDATE ON operators FOR EACH ROW
  WHEN (NEW.state <> 'active' OR NEW.password IS DISTINCT FROM OLD.password OR NEW.role <> OLD.role)
  EXECUTE FUNCTION operators_end_sessions();

CREATE INDEX audit_log_by_subject ON audit_log (subject, id);
CREATE INDEX topup_order_by_time ON topup_order (created_at, id);

-- Last, the one of each request at the very end: what is locked here is locked for a moment.
ALTER TABLE audit_log ADD COLUMN address TEXT;
ALTER TABLE audit_log ADD COLUMN reason TEXT;
ALTER TABLE audit_log ADD COLUMN value_before TEXT;
ALTER TABLE audit_log ADD COLUMN value_after TEXT;
ALTER TABLE accounts ADD COLUMN note TEXT NOT NULL DEFAULT '';
