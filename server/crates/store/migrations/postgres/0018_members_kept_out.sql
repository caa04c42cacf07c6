-- expands
-- A member that a lost group has ended can be kept out: `lapsed` goes, and nothing else changes of who has left.
CREATE OR REPLACE FUNCTION members_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM 1 FROM budget_pools WHERE id = NEW.id AND account_id = NEW.account_id AND kind = 'member' AND state = 'active' FOR SHARE;
    IF NOT FOUND OR NEW.state <> 'active' THEN RAISE EXCEPTION 'a member has the open budgets of its organisation'; END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.account_id, NEW.person_id, NEW.created_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.person_id, OLD.created_at)
    OR (OLD.state = 'left' AND ((NEW.state, NEW.role, NEW.left_at) IS DISTINCT FROM (OLD.state, OLD.role, OLD.left_at)
      OR NEW.lapsed > OLD.lapsed))
  THEN RAISE EXCEPTION 'members keep their organisation and person, and who has left stays away'; END IF;
  IF OLD.state = 'left' THEN RETURN NEW; END IF;
  IF NEW.state = 'left' AND NOT EXISTS (SELECT 1 FROM budget_pools WHERE id = OLD.id AND state = 'closed')
  THEN RAISE EXCEPTION 'a member leaves when its budgets are closed'; END IF;
  IF OLD.role = 'owner' AND (NEW.role <> 'owner' OR NEW.state <> 'active') AND NOT has_another_owner(OLD.account_id, OLD.id)
  THEN RAISE EXCEPTION 'an organisation keeps an owner'; END IF;
  IF NEW.state = 'left' THEN DELETE FROM sessions WHERE member_id = NEW.id; END IF;
  RETURN NEW;
END $$;
