-- Members that the groups of a provider of OpenID Connect have made. They act in sessions that began by that provider alone: a server that
-- knows nothing of it would sign nobody in whom such a member is.

ALTER TABLE members ADD COLUMN issuer TEXT CHECK (length(issuer) BETWEEN 1 AND 255);
-- 1 where a lost group has ended it, so that the same group may bring the person back.
ALTER TABLE members ADD COLUMN lapsed INTEGER NOT NULL DEFAULT 0
  CONSTRAINT member_lapses_by_groups CHECK (lapsed = 0 OR (lapsed = 1 AND state = 'left' AND issuer IS NOT NULL));
ALTER TABLE sessions ADD COLUMN issuer TEXT CHECK (length(issuer) BETWEEN 1 AND 255);

CREATE TRIGGER members_keep_issuer BEFORE UPDATE OF issuer ON members WHEN NEW.issuer IS NOT OLD.issuer
  BEGIN SELECT RAISE(ABORT, 'members keep their organisation and person, and who has left stays away'); END;
CREATE TRIGGER sessions_keep_issuer BEFORE UPDATE OF issuer ON sessions WHEN NEW.issuer IS NOT OLD.issuer
  BEGIN SELECT RAISE(ABORT, 'a session keeps the provider that it began by'); END;
DROP TRIGGER sessions_of_member;
CREATE TRIGGER sessions_of_member BEFORE INSERT ON sessions WHEN NEW.member_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active'
      AND (issuer IS NULL OR issuer = NEW.issuer))
  BEGIN SELECT RAISE(ABORT, 'a person acts for organisations of which it is a member'); END;
DROP TRIGGER sessions_of_member_change;
CREATE TRIGGER sessions_of_member_change BEFORE UPDATE OF member_id ON sessions WHEN NEW.member_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active'
      AND (issuer IS NULL OR issuer = NEW.issuer))
  BEGIN SELECT RAISE(ABORT, 'a person acts for organisations of which it is a member'); END;
