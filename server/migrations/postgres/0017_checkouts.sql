-- Hosted checkouts. The same tables and rules as migrations/sqlite/0017_checkouts.sql.

CREATE TABLE checkouts (
  order_id BIGINT PRIMARY KEY REFERENCES topup_order (id),
  provider TEXT NOT NULL CHECK (provider <> ''),
  request_id TEXT NOT NULL CHECK (request_id <> ''),
  wallet TEXT NOT NULL CHECK (wallet <> ''),
  session TEXT CHECK (session <> ''),
  url TEXT,
  ask_at BIGINT,
  gives_up BIGINT NOT NULL DEFAULT 0 CHECK (gives_up IN (0, 1)),
  CONSTRAINT page_is_whole CHECK ((session IS NULL) = (url IS NULL)),
  CONSTRAINT request_once UNIQUE (provider, request_id)
);
CREATE INDEX checkouts_due ON checkouts (ask_at) WHERE ask_at IS NOT NULL;

CREATE TABLE notices (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  provider TEXT NOT NULL CHECK (provider <> ''),
  sha256 BYTEA NOT NULL CHECK (length(sha256) = 32),
  body BYTEA NOT NULL,
  received_at BIGINT NOT NULL,
  acted_at BIGINT,
  parked TEXT CHECK (parked <> ''),
  CONSTRAINT notice_ends_once CHECK (acted_at IS NULL OR parked IS NULL),
  CONSTRAINT notice_once UNIQUE (provider, sha256)
);
CREATE INDEX notices_open ON notices (received_at) WHERE acted_at IS NULL AND parked IS NULL;

CREATE FUNCTION checkouts_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.order_id, NEW.provider, NEW.request_id, NEW.wallet)
    IS DISTINCT FROM (OLD.order_id, OLD.provider, OLD.request_id, OLD.wallet)
    OR NEW.gives_up < OLD.gives_up
    OR (OLD.session IS NOT NULL AND (NEW.session, NEW.url) IS DISTINCT FROM (OLD.session, OLD.url))
  THEN RAISE EXCEPTION 'checkouts keep their terms'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER checkouts_fixed BEFORE UPDATE ON checkouts FOR EACH ROW EXECUTE FUNCTION checkouts_fixed();
CREATE TRIGGER checkouts_stay BEFORE DELETE OR TRUNCATE ON checkouts FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
CREATE FUNCTION notices_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.provider, NEW.sha256, NEW.body, NEW.received_at)
    IS DISTINCT FROM (OLD.id, OLD.provider, OLD.sha256, OLD.body, OLD.received_at)
    OR (OLD.acted_at IS NOT NULL AND NEW.acted_at IS DISTINCT FROM OLD.acted_at)
    OR (OLD.parked IS NOT NULL AND NEW.parked IS DISTINCT FROM OLD.parked)
  THEN RAISE EXCEPTION 'notices are kept as they came'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER notices_fixed BEFORE UPDATE ON notices FOR EACH ROW EXECUTE FUNCTION notices_fixed();
CREATE TRIGGER notices_stay BEFORE DELETE OR TRUNCATE ON notices FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
