-- expands
-- A member that a lost group has ended can be kept out for good: `lapsed` goes, and nothing else changes of who has left. Who became a
-- member again since then has it no more.
DROP TRIGGER members_fixed;
CREATE TRIGGER members_fixed BEFORE UPDATE ON members
  WHEN NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.person_id <> OLD.person_id OR NEW.created_at <> OLD.created_at
    OR (OLD.state = 'left' AND (NEW.state <> 'left' OR NEW.role <> OLD.role OR NEW.left_at IS NOT OLD.left_at OR NEW.lapsed > OLD.lapsed))
  BEGIN SELECT RAISE(ABORT, 'members keep their organisation and person, and who has left stays away'); END;
UPDATE members SET lapsed = 0 WHERE id IN (
  SELECT m.id FROM members m JOIN members n ON n.account_id = m.account_id AND n.person_id = m.person_id AND n.issuer = m.issuer
    WHERE m.lapsed = 1 AND n.id <> m.id AND n.created_at >= m.left_at);
