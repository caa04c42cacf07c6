-- Members of organisations, the roles in which they act for the account, and invitations. A server that knows nothing of them would let
-- the key of a member manage the account: no such server may be up.

CREATE TABLE members (
  -- The number of the pool of the budgets of its keys.
  id BIGINT PRIMARY KEY REFERENCES budget_pools (id),
  -- The organisation, and the account that the person signs in to.
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  person_id BIGINT NOT NULL REFERENCES accounts (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'billing', 'developer', 'viewer')),
  state TEXT NOT NULL CHECK (state IN ('active', 'left')),
  created_at BIGINT NOT NULL,
  left_at BIGINT CHECK (left_at >= created_at),
  CONSTRAINT member_has_left CHECK ((state = 'left') = (left_at IS NOT NULL)),
  CONSTRAINT member_is_another CHECK (account_id <> person_id)
);
CREATE UNIQUE INDEX members_person_id_key ON members (account_id, person_id) WHERE state = 'active';
CREATE INDEX members_by_person ON members (person_id) WHERE state = 'active';
-- True if an organisation has somebody who may everything, whatever becomes of one member. No two leave at the same time.
CREATE FUNCTION has_another_owner(organisation BIGINT, member BIGINT) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  PERFORM 1 FROM accounts WHERE id = organisation FOR NO KEY UPDATE;
  RETURN EXISTS (SELECT 1 FROM accounts WHERE id = organisation AND password IS NOT NULL)
    OR EXISTS (SELECT 1 FROM members WHERE account_id = organisation AND id <> member AND role = 'owner' AND state = 'active');
END $$;
CREATE FUNCTION members_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM 1 FROM budget_pools WHERE id = NEW.id AND account_id = NEW.account_id AND kind = 'member' AND state = 'active' FOR SHARE;
    IF NOT FOUND OR NEW.state <> 'active' THEN RAISE EXCEPTION 'a member has the open budgets of its organisation'; END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.account_id, NEW.person_id, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.person_id, OLD.created_at)
    OR OLD.state = 'left'
  THEN RAISE EXCEPTION 'members keep their organisation and person, and who has left stays away'; END IF;
  IF NEW.state = 'left' AND NOT EXISTS (SELECT 1 FROM budget_pools WHERE id = OLD.id AND state = 'closed')
  THEN RAISE EXCEPTION 'a member leaves when its budgets are closed'; END IF;
  IF OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.state <> 'active') AND NOT has_another_owner(OLD.account_id, OLD.id)
  THEN RAISE EXCEPTION 'an organisation keeps an owner'; END IF;
  IF NEW.state = 'left' THEN DELETE FROM sessions WHERE member_id = NEW.id; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER members_guard BEFORE INSERT OR UPDATE ON members FOR EACH ROW EXECUTE FUNCTION members_guard();
CREATE TRIGGER members_stay BEFORE DELETE OR TRUNCATE ON members FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
-- The budgets of a member are open as long as it is one, and are nobody else's.
CREATE FUNCTION budget_pools_of_members() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM members WHERE id = OLD.id AND role = 'owner') AND NOT has_another_owner(OLD.account_id, OLD.id)
  THEN RAISE EXCEPTION 'an organisation keeps an owner'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER budget_pools_of_members BEFORE UPDATE OF state ON budget_pools
  FOR EACH ROW WHEN (OLD.kind = 'member' AND NEW.state = 'closed') EXECUTE FUNCTION budget_pools_of_members();

-- A key that manages the account: made by its owners or operators, and never of a member. What it has lost it never gets back.
ALTER TABLE api_keys ADD COLUMN manages BIGINT NOT NULL DEFAULT 1 CHECK (manages IN (0, 1));
CREATE FUNCTION api_keys_manage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.member_id IS NOT NULL THEN NEW.manages := 0; END IF;
  IF TG_OP = 'UPDATE' AND NEW.manages > OLD.manages THEN RAISE EXCEPTION 'a key that does not manage never will'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_manage BEFORE INSERT OR UPDATE OF member_id, manages ON api_keys FOR EACH ROW EXECUTE FUNCTION api_keys_manage();

-- The member that a person acts as; NULL where it is the person's own account. It ends with the membership.
ALTER TABLE sessions ADD COLUMN member_id BIGINT;
-- The member that the person acted as last, which the next session begins with.
ALTER TABLE accounts ADD COLUMN entered_id BIGINT;
CREATE INDEX sessions_by_member ON sessions (member_id) WHERE member_id IS NOT NULL;
CREATE FUNCTION sessions_of_member() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  -- Locked, so that it does not leave meanwhile.
  PERFORM 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active' FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'a person acts for organisations of which it is a member'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sessions_of_member BEFORE INSERT OR UPDATE OF member_id ON sessions
  FOR EACH ROW WHEN (NEW.member_id IS NOT NULL) EXECUTE FUNCTION sessions_of_member();

CREATE TABLE invitations (
  id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9007199254740991),
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  -- SHA-256 of the token in the link; the token itself is its bearer's alone.
  hash BYTEA NOT NULL UNIQUE CHECK (length(hash) = 32),
  -- For whom it is, in the words of who invites; it is checked against nothing.
  invited TEXT NOT NULL CHECK (length(invited) BETWEEN 1 AND 64),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'billing', 'developer', 'viewer')),
  state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'withdrawn')),
  created_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL CHECK (ends_at > created_at),
  -- The member that invited; NULL where that was the account itself. Its open invitations end with its role.
  invited_by BIGINT REFERENCES members (id),
  -- The account that was opened by it, where nobody opens accounts otherwise: one at most.
  registered_id BIGINT REFERENCES accounts (id),
  -- The member that it was accepted by.
  member_id BIGINT REFERENCES members (id),
  CONSTRAINT invitation_is_accepted CHECK ((state = 'accepted') = (member_id IS NOT NULL))
);
CREATE INDEX invitations_by_account ON invitations (account_id, created_at);
CREATE FUNCTION invitations_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'open' THEN RAISE EXCEPTION 'an invitation begins open'; END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.account_id, NEW.hash, NEW.invited, NEW.role, NEW.created_at, NEW.ends_at, NEW.invited_by)
      IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.hash, OLD.invited, OLD.role, OLD.created_at, OLD.ends_at, OLD.invited_by)
    OR (OLD.registered_id IS NOT NULL AND NEW.registered_id IS DISTINCT FROM OLD.registered_id) OR OLD.state <> 'open'
  THEN RAISE EXCEPTION 'invitations keep their terms, and are answered once'; END IF;
  IF NEW.state = 'accepted' AND NOT EXISTS (SELECT 1 FROM members
    WHERE id = NEW.member_id AND account_id = OLD.account_id AND role = OLD.role AND state = 'active')
  THEN RAISE EXCEPTION 'an invitation makes a member of its organisation, in its role'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER invitations_guard BEFORE INSERT OR UPDATE ON invitations FOR EACH ROW EXECUTE FUNCTION invitations_guard();
CREATE TRIGGER invitations_stay BEFORE DELETE OR TRUNCATE ON invitations FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();
