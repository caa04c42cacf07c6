-- expands
-- A key remembers the member who made it, and a member the person of the provider. Whoever has lost a group and gets it again is the same
-- member, by the same or another account, and goes on with what is spent of its budgets.

-- The lock that it all needs at once, so that nobody waits behind a long reader, and nobody who has one of them for another.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE members, budget_pools, api_keys, identities IN ACCESS EXCLUSIVE MODE;
SET LOCAL lock_timeout = '60s';

-- NULL: made by the account itself, or by an operator. It goes with its maker as far as nobody else has it.
ALTER TABLE api_keys ADD COLUMN made_by BIGINT REFERENCES members (id);
CREATE FUNCTION api_keys_made_by() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'a key keeps its maker, or has none any more';
END $$;
CREATE TRIGGER api_keys_made_by BEFORE UPDATE OF made_by ON api_keys
  FOR EACH ROW WHEN (NEW.made_by IS NOT NULL AND NEW.made_by IS DISTINCT FROM OLD.made_by) EXECUTE FUNCTION api_keys_made_by();
-- What is limited manages nothing, and never will.
CREATE FUNCTION api_keys_limited() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.manages := 0;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_limited BEFORE INSERT OR UPDATE ON api_keys FOR EACH ROW
  WHEN (NEW.manages = 1 AND (coalesce(NEW.models, NEW.operations, NEW.addresses) IS NOT NULL
    OR coalesce(NEW.budget_day, NEW.budget_week, NEW.budget_month, NEW.budget_life) IS NOT NULL
    OR coalesce(NEW.requests_per_minute, NEW.tokens_per_minute, NEW.in_flight_max, NEW.team_id) IS NOT NULL))
  EXECUTE FUNCTION api_keys_limited();
UPDATE api_keys SET manages = manages WHERE manages = 1 AND state = 'active' AND (coalesce(models, operations, addresses) IS NOT NULL
  OR coalesce(budget_day, budget_week, budget_month, budget_life) IS NOT NULL
  OR coalesce(requests_per_minute, tokens_per_minute, in_flight_max, team_id) IS NOT NULL);

ALTER TABLE members ADD COLUMN subject TEXT CHECK (length(subject) BETWEEN 1 AND 255)
  CONSTRAINT member_subject_has_issuer CHECK (subject IS NULL OR issuer IS NOT NULL);
CREATE OR REPLACE FUNCTION members_guard() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE returns boolean; BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM 1 FROM budget_pools WHERE id = NEW.id AND account_id = NEW.account_id AND kind = 'member' AND state = 'active' FOR SHARE;
    IF NOT FOUND OR NEW.state <> 'active' THEN RAISE EXCEPTION 'a member has the open budgets of its organisation'; END IF;
    RETURN NEW;
  END IF;
  returns := OLD.state = 'left' AND OLD.lapsed = 1 AND NEW.state = 'active';
  IF (NEW.id, NEW.account_id, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.created_at)
    OR (NEW.person_id <> OLD.person_id AND NOT (returns AND NEW.subject IS NOT NULL AND NEW.subject IS NOT DISTINCT FROM OLD.subject))
    OR (OLD.state = 'left' AND NOT returns AND ((NEW.state, NEW.role, NEW.left_at) IS DISTINCT FROM (OLD.state, OLD.role, OLD.left_at)
      OR NEW.lapsed > OLD.lapsed))
  THEN RAISE EXCEPTION 'members keep their organisation and person, and who has left stays away'; END IF;
  IF returns THEN
    PERFORM 1 FROM budget_pools WHERE id = OLD.id AND state = 'active' FOR SHARE;
    IF NOT FOUND THEN RAISE EXCEPTION 'a member has the open budgets of its organisation'; END IF;
  END IF;
  IF OLD.state = 'left' THEN RETURN NEW; END IF;
  IF NEW.state = 'left' AND NOT EXISTS (SELECT 1 FROM budget_pools WHERE id = OLD.id AND state = 'closed')
  THEN RAISE EXCEPTION 'a member leaves when its budgets are closed'; END IF;
  IF OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.state <> 'active') AND NOT has_another_owner(OLD.account_id, OLD.id)
  THEN RAISE EXCEPTION 'an organisation keeps an owner'; END IF;
  IF NEW.state = 'left' THEN DELETE FROM sessions WHERE member_id = NEW.id; END IF;
  -- What an owner has made manages the account as an owner does; and what is nobody else's goes with who has made it.
  IF NEW.state = 'left' OR (OLD.role = 'owner' AND NEW.role <> 'owner') THEN
    UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE account_id = OLD.account_id AND made_by = OLD.id AND state = 'active'
      AND (manages = 1 OR (NEW.state = 'left' AND coalesce(team_id, member_id) IS NULL));
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION budget_pools_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF (NEW.id, NEW.account_id, NEW.kind, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.kind, OLD.created_at)
    OR (OLD.state = 'closed' AND (NEW.state = 'closed' OR NOT EXISTS (SELECT 1 FROM members WHERE id = OLD.id AND lapsed = 1)))
  THEN RAISE EXCEPTION 'pools keep their account and kind, and stay closed'; END IF;
  IF NEW.state = 'closed' AND (OLD.kind = 'organisation' OR EXISTS (
    SELECT 1 FROM api_keys WHERE account_id = OLD.account_id AND state = 'active' AND OLD.id IN (team_id, member_id)))
  THEN RAISE EXCEPTION 'a pool is closed when no key spends from it'; END IF;
  RETURN NEW;
END $$;
UPDATE members SET subject = (SELECT min(i.subject) FROM identities i
  WHERE i.account_id = members.person_id AND i.kind = 'oidc' AND i.issuer = members.issuer) WHERE issuer IS NOT NULL;

-- Written so that a server reads it back as it was told: a ledger that was dumped and restored has the same rules.
ALTER TABLE identities DROP CONSTRAINT wallet_in_one_form;
ALTER TABLE identities ADD CONSTRAINT wallet_in_one_form CHECK (
  (kind <> 'evm' OR (length(subject) = 42 AND subject LIKE '0x%' AND subject = lower(subject)))
  AND (kind <> 'solana' OR (length(subject) >= 32 AND length(subject) <= 44 AND subject NOT LIKE '0x%')));
