-- expands
-- A member that a lost group has ended can be kept out: `lapsed` goes, and nothing else changes of who has left.
DROP TRIGGER members_fixed;
CREATE TRIGGER members_fixed BEFORE UPDATE ON members
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.person_id <> OLD.person_id OR NEW.created_at <> OLD.created_at
    OR (OLD.state = 'left' AND (NEW.state <> 'left' OR NEW.role <> OLD.role OR NEW.left_at IS NOT OLD.left_at OR NEW.lapsed > OLD.lapsed))
  BEGIN SELECT RAISE(ABORT, 'members keep their organisation and person, and who has left stays away'); END;
