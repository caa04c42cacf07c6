-- expands: alarms as they rang, and work on the ledger that operators ask for

-- An alarm of one code, subject and message is one row until an operator acknowledges it; when it rings again, another begins.
CREATE TABLE alarms (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  alarm TEXT NOT NULL CHECK (length(alarm) BETWEEN 1 AND 64),
  -- What it is about, as `network=eip155:8453`; empty where it is about the whole service.
  subject TEXT NOT NULL CHECK (length(subject) <= 256),
  message TEXT NOT NULL CHECK (length(message) <= 1000),
  -- JSON with the fields of the last time.
  fields TEXT NOT NULL,
  -- The name of the server that it rang at last.
  node TEXT NOT NULL,
  occurrences INTEGER NOT NULL CHECK (occurrences > 0),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL CHECK (last_at >= first_at),
  acknowledged_at INTEGER,
  acknowledged_by TEXT,
  CONSTRAINT acknowledgement_is_whole CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL))
) STRICT;
CREATE INDEX alarms_by_time ON alarms (last_at, id);
CREATE UNIQUE INDEX alarms_open ON alarms (alarm, subject, message) WHERE acknowledged_at IS NULL;
CREATE TRIGGER alarms_fixed BEFORE UPDATE ON alarms
  WHEN OLD.acknowledged_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.alarm <> OLD.alarm OR NEW.subject <> OLD.subject
    OR NEW.message <> OLD.message OR NEW.first_at > OLD.first_at OR NEW.last_at < OLD.last_at
    OR NEW.occurrences < OLD.occurrences
  BEGIN SELECT RAISE(ABORT, 'alarms only grow, until they are acknowledged'); END;
CREATE TRIGGER alarms_stay BEFORE DELETE ON alarms BEGIN SELECT RAISE(ABORT, 'alarms stay'); END;

CREATE TABLE ledger_jobs (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  kind TEXT NOT NULL CHECK (kind IN ('audit', 'reconciliation', 'backup', 'archive')),
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed')),
  -- The month of an archive.
  month TEXT,
  -- The start of a server that does it: a job of one that is gone is not done any more.
  epoch INTEGER NOT NULL REFERENCES nodes (epoch),
  started_at INTEGER NOT NULL,
  started_by TEXT NOT NULL,
  ended_at INTEGER,
  -- 1: nothing was found that is not right.
  clean INTEGER CHECK (clean IN (0, 1)),
  -- What was found, or the reason of a failure, in words; and the file that was made, with the SHA-256 of its content.
  report TEXT,
  file TEXT,
  sha256 TEXT CHECK (length(sha256) = 64),
  CONSTRAINT ledger_job_month CHECK ((month IS NOT NULL) = (kind = 'archive')),
  CONSTRAINT ledger_job_end CHECK ((ended_at IS NULL) = (state = 'running') AND (report IS NULL) = (state = 'running')),
  CONSTRAINT ledger_job_outcome CHECK (state = 'done' OR (clean IS NULL AND file IS NULL AND sha256 IS NULL))
) STRICT;
CREATE TRIGGER ledger_jobs_begin BEFORE INSERT ON ledger_jobs WHEN NEW.state <> 'running'
  BEGIN SELECT RAISE(ABORT, 'a job begins'); END;
CREATE TRIGGER ledger_jobs_end_once BEFORE UPDATE ON ledger_jobs
  WHEN OLD.state <> 'running' OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.month IS NOT OLD.month
    OR NEW.epoch <> OLD.epoch OR NEW.started_at <> OLD.started_at OR NEW.started_by <> OLD.started_by
  BEGIN SELECT RAISE(ABORT, 'a job ends once, and stays as it was asked for'); END;
CREATE TRIGGER ledger_jobs_stay BEFORE DELETE ON ledger_jobs BEGIN SELECT RAISE(ABORT, 'ledger_jobs stay'); END;
