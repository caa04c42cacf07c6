-- Members of organisations, the roles in which they act for the account, and invitations. A server that knows nothing of them would let
-- the key of a member manage the account: no such server may be up.

CREATE TABLE members (
  -- The number of the pool of the budgets of its keys.
  id INTEGER PRIMARY KEY REFERENCES budget_pools (id),
  -- The organisation, and the account that the person signs in to.
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  person_id INTEGER NOT NULL REFERENCES accounts (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'billing', 'developer', 'viewer')),
  state TEXT NOT NULL CHECK (state IN ('active', 'left')),
  created_at INTEGER NOT NULL,
  left_at INTEGER CHECK (left_at >= created_at),
  CONSTRAINT member_has_left CHECK ((state = 'left') = (left_at IS NOT NULL)),
  CONSTRAINT member_is_another CHECK (account_id <> person_id)
) STRICT;
CREATE UNIQUE INDEX members_person_id_key ON members (account_id, person_id) WHERE state = 'active';
CREATE INDEX members_by_person ON members (person_id) WHERE state = 'active';
CREATE TRIGGER members_of_open_pool BEFORE INSERT ON members WHEN NEW.state <> 'active' OR NOT EXISTS (
    SELECT 1 FROM budget_pools WHERE id = NEW.id AND account_id = NEW.account_id AND kind = 'member' AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'a member has the open budgets of its organisation'); END;
CREATE TRIGGER members_fixed BEFORE UPDATE ON members
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.person_id <> OLD.person_id OR NEW.created_at <> OLD.created_at
    OR OLD.state = 'left'
  BEGIN SELECT RAISE(ABORT, 'members keep their organisation and person, and who has left stays away'); END;
CREATE TRIGGER members_leave_no_keys BEFORE UPDATE OF state ON members WHEN NEW.state = 'left'
    AND NOT EXISTS (SELECT 1 FROM budget_pools WHERE id = OLD.id AND state = 'closed')
  BEGIN SELECT RAISE(ABORT, 'a member leaves when its budgets are closed'); END;
CREATE TRIGGER members_keep_an_owner BEFORE UPDATE OF role, state ON members
  WHEN OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.state <> 'active')
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND password IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM members WHERE account_id = OLD.account_id AND id <> OLD.id AND role = 'owner' AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'an organisation keeps an owner'); END;
CREATE TRIGGER members_stay BEFORE DELETE ON members BEGIN SELECT RAISE(ABORT, 'members stay'); END;
-- The budgets of a member are open as long as it is one, and are nobody else's.
CREATE TRIGGER budget_pools_of_members BEFORE UPDATE OF state ON budget_pools WHEN OLD.kind = 'member' AND NEW.state = 'closed'
    AND EXISTS (SELECT 1 FROM members WHERE id = OLD.id AND role = 'owner'
      AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND password IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM members m WHERE m.account_id = OLD.account_id AND m.id <> OLD.id AND m.role = 'owner' AND m.state = 'active'))
  BEGIN SELECT RAISE(ABORT, 'an organisation keeps an owner'); END;

-- A key that manages the account: made by its owners or operators, and never of a member. What it has lost it never gets back.
ALTER TABLE api_keys ADD COLUMN manages INTEGER NOT NULL DEFAULT 1 CHECK (manages IN (0, 1));
CREATE TRIGGER api_keys_of_member AFTER INSERT ON api_keys WHEN NEW.member_id IS NOT NULL AND NEW.manages = 1
  BEGIN UPDATE api_keys SET manages = 0 WHERE id = NEW.id; END;
CREATE TRIGGER api_keys_of_member_change AFTER UPDATE OF member_id ON api_keys WHEN NEW.member_id IS NOT NULL AND NEW.manages = 1
  BEGIN UPDATE api_keys SET manages = 0 WHERE id = NEW.id; END;
CREATE TRIGGER api_keys_manage_no_more BEFORE UPDATE OF manages ON api_keys WHEN NEW.manages > OLD.manages
  BEGIN SELECT RAISE(ABORT, 'a key that does not manage never will'); END;

-- The member that a person acts as; NULL where it is the person's own account. It ends with the membership.
ALTER TABLE sessions ADD COLUMN member_id INTEGER;
-- The member that the person acted as last, which the next session begins with.
ALTER TABLE accounts ADD COLUMN entered_id INTEGER;
CREATE INDEX sessions_by_member ON sessions (member_id) WHERE member_id IS NOT NULL;
CREATE TRIGGER sessions_of_member BEFORE INSERT ON sessions WHEN NEW.member_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'a person acts for organisations of which it is a member'); END;
CREATE TRIGGER sessions_of_member_change BEFORE UPDATE OF member_id ON sessions WHEN NEW.member_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'a person acts for organisations of which it is a member'); END;
CREATE TRIGGER members_end_sessions AFTER UPDATE OF state ON members WHEN NEW.state = 'left'
  BEGIN DELETE FROM sessions WHERE member_id = NEW.id; END;

CREATE TABLE invitations (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- SHA-256 of the token in the link; the token itself is its bearer's alone.
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  -- For whom it is, in the words of who invites; it is checked against nothing.
  invited TEXT NOT NULL CHECK (length(invited) BETWEEN 1 AND 64),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'billing', 'developer', 'viewer')),
  state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'withdrawn')),
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > created_at),
  -- The member that invited; NULL where that was the account itself. Its open invitations end with its role.
  invited_by INTEGER REFERENCES members (id),
  -- The account that was opened by it, where nobody opens accounts otherwise: one at most.
  registered_id INTEGER REFERENCES accounts (id),
  -- The member that it was accepted by.
  member_id INTEGER REFERENCES members (id),
  CONSTRAINT invitation_is_accepted CHECK ((state = 'accepted') = (member_id IS NOT NULL))
) STRICT;
CREATE INDEX invitations_by_account ON invitations (account_id, created_at);
CREATE TRIGGER invitations_begin_open BEFORE INSERT ON invitations WHEN NEW.state <> 'open'
  BEGIN SELECT RAISE(ABORT, 'an invitation begins open'); END;
CREATE TRIGGER invitations_fixed BEFORE UPDATE ON invitations
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.hash <> OLD.hash OR NEW.invited <> OLD.invited OR NEW.role <> OLD.role
    OR NEW.created_at <> OLD.created_at OR NEW.ends_at <> OLD.ends_at OR NEW.invited_by IS NOT OLD.invited_by
    OR (OLD.registered_id IS NOT NULL AND NEW.registered_id IS NOT OLD.registered_id) OR OLD.state <> 'open'
  BEGIN SELECT RAISE(ABORT, 'invitations keep their terms, and are answered once'); END;
CREATE TRIGGER invitations_by_member BEFORE UPDATE OF state ON invitations WHEN NEW.state = 'accepted' AND NOT EXISTS (
    SELECT 1 FROM members WHERE id = NEW.member_id AND account_id = OLD.account_id AND role = OLD.role AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'an invitation makes a member of its organisation, in its role'); END;
CREATE TRIGGER invitations_stay BEFORE DELETE ON invitations BEGIN SELECT RAISE(ABORT, 'invitations stay'); END;
