-- Hosted checkouts: what a payment provider was asked to be paid, and what it reports by itself.
--   a row in `checkouts`                  is there before the provider is called. As long as it has a time to ask, whoever serves
--                                         asks the provider then; who moves that time on first is the one who asks,
--   a row in `notices`                    is a notice whose signature was verified, kept before it is acted on. It ends once: acted
--                                         on, or parked for a person. The same bytes are one notice, however often they come.

CREATE TABLE checkouts (
  order_id INTEGER PRIMARY KEY REFERENCES topup_order (id),
  -- By its name in the configuration.
  provider TEXT NOT NULL CHECK (provider <> ''),
  -- What the payment is called there, by us: it is asked for again by the same name.
  request_id TEXT NOT NULL CHECK (request_id <> ''),
  wallet TEXT NOT NULL CHECK (wallet <> ''),
  -- The page, once it is open.
  session TEXT CHECK (session <> ''),
  url TEXT CONSTRAINT page_is_whole CHECK ((session IS NULL) = (url IS NULL)),
  -- NULL: nothing can become of it any more that a notice would not tell.
  ask_at INTEGER,
  -- 1, before the provider is told to cancel it: from then on only its answers say what was paid, because a notice may tell of
  -- money that the cancellation gives back.
  gives_up INTEGER NOT NULL DEFAULT 0 CHECK (gives_up IN (0, 1)),
  CONSTRAINT request_once UNIQUE (provider, request_id)
) STRICT;
CREATE INDEX checkouts_due ON checkouts (ask_at) WHERE ask_at IS NOT NULL;

CREATE TABLE notices (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  provider TEXT NOT NULL CHECK (provider <> ''),
  sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
  body BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  acted_at INTEGER,
  -- Why a person has to look at it.
  parked TEXT CHECK (parked <> '')
    CONSTRAINT notice_ends_once CHECK (acted_at IS NULL OR parked IS NULL),
  CONSTRAINT notice_once UNIQUE (provider, sha256)
) STRICT;
CREATE INDEX notices_open ON notices (received_at) WHERE acted_at IS NULL AND parked IS NULL;

CREATE TRIGGER checkouts_fixed BEFORE UPDATE ON checkouts
  WHEN NEW.order_id <> OLD.order_id OR NEW.provider <> OLD.provider OR NEW.request_id <> OLD.request_id
    OR NEW.wallet <> OLD.wallet OR NEW.gives_up < OLD.gives_up OR (OLD.session IS NOT NULL AND (NEW.session IS NOT OLD.session OR NEW.url IS NOT OLD.url))
  BEGIN SELECT RAISE(ABORT, 'checkouts keep their terms'); END;
CREATE TRIGGER checkouts_stay BEFORE DELETE ON checkouts BEGIN SELECT RAISE(ABORT, 'checkouts stay'); END;
CREATE TRIGGER notices_fixed BEFORE UPDATE ON notices
  WHEN NEW.id <> OLD.id OR NEW.provider <> OLD.provider OR NEW.sha256 <> OLD.sha256 OR NEW.body <> OLD.body
    OR NEW.received_at <> OLD.received_at OR (OLD.acted_at IS NOT NULL AND NEW.acted_at IS NOT OLD.acted_at)
    OR (OLD.parked IS NOT NULL AND NEW.parked IS NOT OLD.parked)
  BEGIN SELECT RAISE(ABORT, 'notices are kept as they came'); END;
CREATE TRIGGER notices_stay BEFORE DELETE ON notices BEGIN SELECT RAISE(ABORT, 'notices stay'); END;
