-- expands: what operators put on offer, and the sealed secrets of providers

-- One row, which counts the changes: a server that finds another number than it knows reads what is on offer anew.
CREATE TABLE catalog_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL CHECK (revision >= 0)
) STRICT;
INSERT INTO catalog_state (id, revision) VALUES (1, 0);
CREATE TRIGGER catalog_state_counts BEFORE UPDATE ON catalog_state
  WHEN NEW.id <> OLD.id OR NEW.revision <= OLD.revision
  BEGIN SELECT RAISE(ABORT, 'the revision of the catalog only grows'); END;
CREATE TRIGGER catalog_state_stays BEFORE DELETE ON catalog_state BEGIN SELECT RAISE(ABORT, 'catalog_state stay'); END;

CREATE TABLE catalog_versions (
  kind TEXT NOT NULL CHECK (kind IN ('provider', 'model', 'price', 'group', 'drain')),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  version INTEGER NOT NULL CHECK (version > 0),
  -- JSON with the keys of the configuration file; NULL from the version on that takes it off.
  body TEXT,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  PRIMARY KEY (kind, name, version)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER catalog_versions_follow BEFORE INSERT ON catalog_versions
  WHEN NEW.version <> (SELECT coalesce(max(version), 0) + 1 FROM catalog_versions WHERE kind = NEW.kind AND name = NEW.name)
  BEGIN SELECT RAISE(ABORT, 'a version follows the one before it'); END;
CREATE TRIGGER catalog_versions_no_update BEFORE UPDATE ON catalog_versions BEGIN SELECT RAISE(ABORT, 'catalog_versions is append-only'); END;
CREATE TRIGGER catalog_versions_no_delete BEFORE DELETE ON catalog_versions BEGIN SELECT RAISE(ABORT, 'catalog_versions is append-only'); END;

CREATE TABLE provider_secrets (
  provider TEXT PRIMARY KEY CHECK (length(provider) BETWEEN 1 AND 128),
  -- Names the key under which it is sealed, which is not in the database.
  key_id TEXT NOT NULL CHECK (length(key_id) = 16),
  sealed BLOB NOT NULL,
  set_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
