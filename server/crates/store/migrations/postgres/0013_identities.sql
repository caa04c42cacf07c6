-- expands
-- Ways to sign in beside a password: wallets, and people as providers of OpenID Connect know them.

CREATE TABLE identities (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('evm', 'solana', 'oidc')),
  -- The provider of OpenID Connect; empty for a wallet.
  issuer TEXT NOT NULL,
  -- The address of a wallet, in the one way that it is written, or the number that the provider has given the person.
  subject TEXT NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  created_at BIGINT NOT NULL,
  -- Of the latest sign-in by it; before that, when it was made.
  used_at BIGINT NOT NULL CHECK (used_at >= created_at),
  CONSTRAINT issuer_of_provider CHECK ((kind = 'oidc' AND length(issuer) BETWEEN 1 AND 255) OR (kind <> 'oidc' AND issuer = '')),
  CONSTRAINT wallet_in_one_form CHECK ((kind <> 'evm' OR (length(subject) = 42 AND subject LIKE '0x%' AND subject = lower(subject)))
    AND (kind <> 'solana' OR (length(subject) BETWEEN 32 AND 44 AND subject NOT LIKE '0x%'))),
  CONSTRAINT identities_subject_key UNIQUE (kind, issuer, subject)
);
CREATE INDEX identities_by_account ON identities (account_id, created_at);
CREATE FUNCTION identities_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'only an active account takes another way to sign in'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER identities_of_active BEFORE INSERT ON identities FOR EACH ROW EXECUTE FUNCTION identities_of_active();
CREATE FUNCTION identities_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.account_id, NEW.kind, NEW.issuer, NEW.subject, NEW.created_at)
      IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.kind, OLD.issuer, OLD.subject, OLD.created_at)
    OR NEW.used_at < OLD.used_at
  THEN RAISE EXCEPTION 'identities keep their account and subject'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER identities_fixed BEFORE UPDATE ON identities FOR EACH ROW EXECUTE FUNCTION identities_fixed();
CREATE FUNCTION identities_last() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE secret text; BEGIN
  -- Of two that are taken away at once, the later sees what the earlier has left.
  SELECT password INTO secret FROM accounts WHERE id = OLD.account_id FOR NO KEY UPDATE;
  IF secret IS NULL AND NOT EXISTS (SELECT 1 FROM identities WHERE account_id = OLD.account_id)
  THEN RAISE EXCEPTION 'the last way to sign in stays'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER identities_last AFTER DELETE ON identities FOR EACH ROW EXECUTE FUNCTION identities_last();
CREATE FUNCTION identities_end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM sessions WHERE account_id = OLD.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER identities_end_sessions AFTER DELETE ON identities FOR EACH ROW EXECUTE FUNCTION identities_end_sessions();
CREATE FUNCTION identities_truncated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'identities are taken away one by one';
END $$;
CREATE TRIGGER identities_truncated BEFORE TRUNCATE ON identities FOR EACH STATEMENT EXECUTE FUNCTION identities_truncated();

CREATE OR REPLACE FUNCTION sessions_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = NEW.account_id AND state = 'active'
    AND (password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE account_id = NEW.account_id)) FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'only an active account with a password or an identity is signed in to'; END IF;
  RETURN NEW;
END $$;

-- Texts that wallets were asked to sign and have not signed yet. Each is used once.
CREATE TABLE wallet_challenges (
  nonce TEXT PRIMARY KEY CHECK (length(nonce) = 32),
  kind TEXT NOT NULL CHECK (kind IN ('evm', 'solana')),
  address TEXT NOT NULL CHECK (length(address) BETWEEN 32 AND 44),
  -- The account that takes the wallet; NULL where somebody signs in.
  account_id BIGINT REFERENCES accounts (id),
  -- The address of the service and the number of the chain that the text names.
  uri TEXT NOT NULL CHECK (length(uri) BETWEEN 1 AND 255),
  chain TEXT NOT NULL CHECK (length(chain) BETWEEN 1 AND 32),
  created_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL CHECK (ends_at > created_at)
);
CREATE INDEX wallet_challenges_by_end ON wallet_challenges (ends_at);
CREATE FUNCTION wallet_challenges_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'challenges stay as they were made';
END $$;
CREATE TRIGGER wallet_challenges_fixed BEFORE UPDATE ON wallet_challenges
  FOR EACH ROW EXECUTE FUNCTION wallet_challenges_fixed();

-- Whoever signs in to the account of an organisation by an identity owns it, too.
CREATE OR REPLACE FUNCTION has_another_owner(organisation BIGINT, member BIGINT) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = organisation FOR NO KEY UPDATE;
  RETURN EXISTS (SELECT 1 FROM accounts WHERE id = organisation AND password IS NOT NULL)
    OR EXISTS (SELECT 1 FROM identities WHERE account_id = organisation)
    OR EXISTS (SELECT 1 FROM members WHERE account_id = organisation AND id <> member AND role = 'owner' AND state = 'active');
END $$;
