-- expands
-- A video knows the key that ordered it: that of its hold, which a server of the version before does not write. NULL: the month of its
-- receipt was archived before.
ALTER TABLE video_task ADD COLUMN key_id INTEGER;
UPDATE video_task SET key_id = coalesce((SELECT h.key_id FROM holds h WHERE h.id = video_task.hold_id),
  (SELECT r.key_id FROM receipts r WHERE r.hold_id = video_task.hold_id));
CREATE INDEX video_task_by_key ON video_task (key_id, created_at, task_id);
CREATE TRIGGER video_task_of_key AFTER INSERT ON video_task
  BEGIN UPDATE video_task SET key_id = (SELECT key_id FROM holds WHERE id = NEW.hold_id) WHERE task_id = NEW.task_id; END;
CREATE TRIGGER video_task_keeps_key BEFORE UPDATE OF key_id ON video_task WHEN OLD.key_id IS NOT NULL AND NEW.key_id IS NOT OLD.key_id
  BEGIN SELECT RAISE(ABORT, 'a video keeps its terms'); END;
