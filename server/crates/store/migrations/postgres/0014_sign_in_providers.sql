-- Members that the groups of a provider of OpenID Connect have made. They act in sessions that began by that provider alone: a server that
-- knows nothing of it would sign nobody in whom such a member is.

ALTER TABLE members ADD COLUMN issuer TEXT CHECK (length(issuer) BETWEEN 1 AND 255);
-- 1 where a lost group has ended it, so that the same group may bring the person back.
ALTER TABLE members ADD COLUMN lapsed BIGINT NOT NULL DEFAULT 0
  CONSTRAINT member_lapses_by_groups CHECK (lapsed = 0 OR (lapsed = 1 AND state = 'left' AND issuer IS NOT NULL));
ALTER TABLE sessions ADD COLUMN issuer TEXT CHECK (length(issuer) BETWEEN 1 AND 255);

CREATE FUNCTION members_keep_issuer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'members keep their organisation and person, and who has left stays away';
END $$;
CREATE TRIGGER members_keep_issuer BEFORE UPDATE OF issuer ON members
  FOR EACH ROW WHEN (NEW.issuer IS DISTINCT FROM OLD.issuer) EXECUTE FUNCTION members_keep_issuer();
CREATE FUNCTION sessions_keep_issuer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'a session keeps the provider that it began by';
END $$;
CREATE TRIGGER sessions_keep_issuer BEFORE UPDATE OF issuer ON sessions
  FOR EACH ROW WHEN (NEW.issuer IS DISTINCT FROM OLD.issuer) EXECUTE FUNCTION sessions_keep_issuer();
CREATE OR REPLACE FUNCTION sessions_of_member() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  -- Locked, so that it does not leave meanwhile.
  PERFORM 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active'
    AND (issuer IS NULL OR issuer = NEW.issuer) FOR SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'a person acts for organisations of which it is a member'; END IF;
  RETURN NEW;
END $$;
