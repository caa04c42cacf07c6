-- expands: what operators put on offer, and the sealed secrets of providers

-- One row, which counts the changes: a server that finds another number than it knows reads what is on offer anew.
CREATE TABLE catalog_state (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  revision BIGINT NOT NULL CHECK (revision >= 0)
);
INSERT INTO catalog_state (id, revision) VALUES (1, 0);
CREATE FUNCTION catalog_state_counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.id <> OLD.id OR NEW.revision <= OLD.revision THEN RAISE EXCEPTION 'the revision of the catalog only grows'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER catalog_state_counts BEFORE UPDATE ON catalog_state FOR EACH ROW EXECUTE FUNCTION catalog_state_counts();
CREATE TRIGGER catalog_state_stays BEFORE DELETE OR TRUNCATE ON catalog_state
  FOR EACH STATEMENT EXECUTE FUNCTION rows_stay();

CREATE TABLE catalog_versions (
  kind TEXT NOT NULL CHECK (kind IN ('provider', 'model', 'price', 'group', 'drain')),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  version BIGINT NOT NULL CHECK (version > 0),
  -- JSON with the keys of the configuration file; NULL from the version on that takes it off.
  body TEXT,
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  PRIMARY KEY (kind, name, version)
);
CREATE FUNCTION catalog_versions_follow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.version <> (SELECT coalesce(max(version), 0) + 1 FROM catalog_versions WHERE kind = NEW.kind AND name = NEW.name)
  THEN RAISE EXCEPTION 'a version follows the one before it'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER catalog_versions_follow BEFORE INSERT ON catalog_versions
  FOR EACH ROW EXECUTE FUNCTION catalog_versions_follow();
CREATE TRIGGER catalog_versions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON catalog_versions
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TABLE provider_secrets (
  provider TEXT PRIMARY KEY CHECK (length(provider) BETWEEN 1 AND 128),
  -- Names the key under which it is sealed, which is not in the database.
  key_id TEXT NOT NULL CHECK (length(key_id) = 16),
  sealed BYTEA NOT NULL,
  set_at BIGINT NOT NULL
);
