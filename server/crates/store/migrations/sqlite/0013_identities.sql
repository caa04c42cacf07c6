-- expands
-- Ways to sign in beside a password: wallets, and people as providers of OpenID Connect know them.

CREATE TABLE identities (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('evm', 'solana', 'oidc')),
  -- The provider of OpenID Connect; empty for a wallet.
  issuer TEXT NOT NULL,
  -- The address of a wallet, in the one way that it is written, or the number that the provider has given the person.
  subject TEXT NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  created_at INTEGER NOT NULL,
  -- Of the latest sign-in by it; before that, when it was made.
  used_at INTEGER NOT NULL CHECK (used_at >= created_at),
  CONSTRAINT issuer_of_provider CHECK ((kind = 'oidc' AND length(issuer) BETWEEN 1 AND 255) OR (kind <> 'oidc' AND issuer = '')),
  CONSTRAINT wallet_in_one_form CHECK ((kind <> 'evm' OR (length(subject) = 42 AND subject LIKE '0x%' AND subject = lower(subject)))
    AND (kind <> 'solana' OR (length(subject) BETWEEN 32 AND 44 AND subject NOT LIKE '0x%'))),
  CONSTRAINT identities_subject_key UNIQUE (kind, issuer, subject)
) STRICT;
CREATE INDEX identities_by_account ON identities (account_id, created_at);
CREATE TRIGGER identities_of_active BEFORE INSERT ON identities
  WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'only an active account takes another way to sign in'); END;
CREATE TRIGGER identities_fixed BEFORE UPDATE ON identities
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.kind <> OLD.kind OR NEW.issuer <> OLD.issuer
    OR NEW.subject <> OLD.subject OR NEW.created_at <> OLD.created_at OR NEW.used_at < OLD.used_at
  BEGIN SELECT RAISE(ABORT, 'identities keep their account and subject'); END;
CREATE TRIGGER identities_last AFTER DELETE ON identities
  WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND password IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM identities WHERE account_id = OLD.account_id)
  BEGIN SELECT RAISE(ABORT, 'the last way to sign in stays'); END;
CREATE TRIGGER identities_end_sessions AFTER DELETE ON identities
  BEGIN DELETE FROM sessions WHERE account_id = OLD.account_id; END;

DROP TRIGGER sessions_of_active;
CREATE TRIGGER sessions_of_active BEFORE INSERT ON sessions
  WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND state = 'active'
    AND (password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE account_id = NEW.account_id)))
  BEGIN SELECT RAISE(ABORT, 'only an active account with a password or an identity is signed in to'); END;

-- Texts that wallets were asked to sign and have not signed yet. Each is used once.
CREATE TABLE wallet_challenges (
  nonce TEXT PRIMARY KEY CHECK (length(nonce) = 32),
  kind TEXT NOT NULL CHECK (kind IN ('evm', 'solana')),
  address TEXT NOT NULL CHECK (length(address) BETWEEN 32 AND 44),
  -- The account that takes the wallet; NULL where somebody signs in.
  account_id INTEGER REFERENCES accounts (id),
  -- The address of the service and the number of the chain that the text names.
  uri TEXT NOT NULL CHECK (length(uri) BETWEEN 1 AND 255),
  chain TEXT NOT NULL CHECK (length(chain) BETWEEN 1 AND 32),
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > created_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX wallet_challenges_by_end ON wallet_challenges (ends_at);
CREATE TRIGGER wallet_challenges_fixed BEFORE UPDATE ON wallet_challenges
  BEGIN SELECT RAISE(ABORT, 'challenges stay as they were made'); END;

-- Whoever signs in to the account of an organisation by an identity owns it, too.
DROP TRIGGER members_keep_an_owner;
CREATE TRIGGER members_keep_an_owner BEFORE UPDATE OF role, state ON members
  WHEN OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.state <> 'active')
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND password IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM identities WHERE account_id = OLD.account_id)
    AND NOT EXISTS (SELECT 1 FROM members WHERE account_id = OLD.account_id AND id <> OLD.id AND role = 'owner' AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'an organisation keeps an owner'); END;
DROP TRIGGER budget_pools_of_members;
CREATE TRIGGER budget_pools_of_members BEFORE UPDATE OF state ON budget_pools WHEN OLD.kind = 'member' AND NEW.state = 'closed'
    AND EXISTS (SELECT 1 FROM members WHERE id = OLD.id AND role = 'owner'
      AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND password IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM identities WHERE account_id = OLD.account_id)
      AND NOT EXISTS (SELECT 1 FROM members m WHERE m.account_id = OLD.account_id AND m.id <> OLD.id AND m.role = 'owner' AND m.state = 'active'))
  BEGIN SELECT RAISE(ABORT, 'an organisation keeps an owner'); END;
