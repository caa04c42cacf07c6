-- expands
-- A key remembers the member who made it, and a member the person of the provider. Whoever has lost a group and gets it again is the same
-- member, by the same or another account, and goes on with what is spent of its budgets.

-- NULL: made by the account itself, or by an operator. It goes with its maker as far as nobody else has it.
ALTER TABLE api_keys ADD COLUMN made_by INTEGER REFERENCES members (id);
CREATE TRIGGER api_keys_made_by BEFORE UPDATE OF made_by ON api_keys WHEN NEW.made_by IS NOT NULL AND NEW.made_by IS NOT OLD.made_by
  BEGIN SELECT RAISE(ABORT, 'a key keeps its maker, or has none any more'); END;
-- What is limited manages nothing, and never will.
CREATE TRIGGER api_keys_limited AFTER INSERT ON api_keys WHEN NEW.manages = 1
    AND (coalesce(NEW.models, NEW.operations, NEW.addresses) IS NOT NULL
      OR coalesce(NEW.budget_day, NEW.budget_week, NEW.budget_month, NEW.budget_life) IS NOT NULL
      OR coalesce(NEW.requests_per_minute, NEW.tokens_per_minute, NEW.in_flight_max, NEW.team_id) IS NOT NULL)
  BEGIN UPDATE api_keys SET manages = 0 WHERE id = NEW.id; END;
CREATE TRIGGER api_keys_limited_change AFTER UPDATE ON api_keys WHEN NEW.manages = 1
    AND (coalesce(NEW.models, NEW.operations, NEW.addresses) IS NOT NULL
      OR coalesce(NEW.budget_day, NEW.budget_week, NEW.budget_month, NEW.budget_life) IS NOT NULL
      OR coalesce(NEW.requests_per_minute, NEW.tokens_per_minute, NEW.in_flight_max, NEW.team_id) IS NOT NULL)
  BEGIN UPDATE api_keys SET manages = 0 WHERE id = NEW.id; END;
UPDATE api_keys SET manages = manages WHERE manages = 1 AND state = 'active' AND (coalesce(models, operations, addresses) IS NOT NULL
  OR coalesce(budget_day, budget_week, budget_month, budget_life) IS NOT NULL
  OR coalesce(requests_per_minute, tokens_per_minute, in_flight_max, team_id) IS NOT NULL);
-- What an owner has made manages the account as an owner does; and what is nobody else's goes with who has made it.
CREATE TRIGGER members_end_keys AFTER UPDATE OF role, state ON members
  WHEN OLD.state = 'active' AND (NEW.state = 'left' OR (OLD.role = 'owner' AND NEW.role <> 'owner'))
  BEGIN UPDATE api_keys SET state = 'revoked', rev = rev + 1 WHERE account_id = OLD.account_id AND made_by = OLD.id AND state = 'active'
    AND (manages = 1 OR (NEW.state = 'left' AND coalesce(team_id, member_id) IS NULL)); END;

ALTER TABLE members ADD COLUMN subject TEXT CHECK (length(subject) BETWEEN 1 AND 255)
  CONSTRAINT member_subject_has_issuer CHECK (subject IS NULL OR issuer IS NOT NULL);
DROP TRIGGER members_fixed;
CREATE TRIGGER members_fixed BEFORE UPDATE ON members
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.created_at <> OLD.created_at
    OR (NEW.person_id <> OLD.person_id
      AND NOT (OLD.state = 'left' AND OLD.lapsed = 1 AND NEW.state = 'active' AND NEW.subject IS NOT NULL AND NEW.subject IS OLD.subject))
    OR (OLD.state = 'left' AND NOT (OLD.lapsed = 1 AND NEW.state = 'active')
      AND (NEW.state <> 'left' OR NEW.role <> OLD.role OR NEW.left_at IS NOT OLD.left_at OR NEW.lapsed > OLD.lapsed))
  BEGIN SELECT RAISE(ABORT, 'members keep their organisation and person, and who has left stays away'); END;
CREATE TRIGGER members_return_to_open_pool BEFORE UPDATE OF state ON members WHEN OLD.lapsed = 1 AND NEW.state = 'active'
    AND NOT EXISTS (SELECT 1 FROM budget_pools WHERE id = OLD.id AND state = 'active')
  BEGIN SELECT RAISE(ABORT, 'a member has the open budgets of its organisation'); END;
DROP TRIGGER budget_pools_fixed;
CREATE TRIGGER budget_pools_fixed BEFORE UPDATE ON budget_pools
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.kind <> OLD.kind OR NEW.created_at <> OLD.created_at
    OR (OLD.state = 'closed' AND (NEW.state = 'closed' OR NOT EXISTS (SELECT 1 FROM members WHERE id = OLD.id AND lapsed = 1)))
  BEGIN SELECT RAISE(ABORT, 'pools keep their account and kind, and stay closed'); END;
UPDATE members SET subject = (SELECT min(i.subject) FROM identities i
  WHERE i.account_id = members.person_id AND i.kind = 'oidc' AND i.issuer = members.issuer) WHERE issuer IS NOT NULL;
