-- expands
-- The tags that requests carry, in their order and with commas between; NULL where a request carries none. A receipt has those of its
-- hold. One that a server wrote which knows of no tags has none.

ALTER TABLE holds ADD COLUMN tags TEXT CONSTRAINT tags_are_few CHECK (tags IS NULL OR (length(tags) BETWEEN 1 AND 519
  AND tags NOT GLOB '*[^-A-Za-z0-9._:/@,]*' AND ',' || tags || ',' NOT GLOB '*,,*'
  AND length(tags) - length(replace(tags, ',', '')) <= 7));
ALTER TABLE receipts ADD COLUMN tags TEXT;
DROP TRIGGER receipts_resolve;
CREATE TRIGGER receipts_resolve AFTER INSERT ON receipts BEGIN
  SELECT RAISE(ABORT, 'a receipt resolves an open hold, by its terms') WHERE NOT EXISTS (
    SELECT 1 FROM holds WHERE id = NEW.hold_id AND account_id = NEW.account_id AND key_id = NEW.key_id
      AND request_id = NEW.request_id AND amount = NEW.held AND model = NEW.model AND stream = NEW.stream
      AND price_id = NEW.price_id AND ratio_ppm = NEW.ratio_ppm AND created_at = NEW.created_at AND expires_at = NEW.expires_at
      AND day_at IS NEW.day_at AND month_at IS NEW.month_at AND life_at IS NEW.life_at AND pools IS NEW.pools
      AND (NEW.tags IS NULL OR tags = NEW.tags));
  SELECT RAISE(ABORT, 'a kept hold ends with what it is kept for') FROM holds
    WHERE id = NEW.hold_id AND kept = 1 AND NOT EXISTS (SELECT 1 FROM video_task WHERE hold_id = NEW.hold_id
      AND receipt_id = NEW.hold_id AND status = CASE NEW.state WHEN 'settled' THEN 'completed' ELSE 'failed' END);
  SELECT RAISE(ABORT, 'held_not_negative: a hold gives back what it reserved')
    FROM balances WHERE account_id = NEW.account_id AND held < NEW.held;
  SELECT RAISE(ABORT, 'available_not_negative: a charge takes what is there')
    FROM balances WHERE account_id = NEW.account_id AND posted - held + NEW.held < NEW.cost;
  UPDATE balances SET held = held - NEW.held, posted = posted - NEW.cost, version = version + 1 WHERE account_id = NEW.account_id;
  SELECT RAISE(ABORT, 'a hold is given back and charged') WHERE changes() <> 1;
  UPDATE key_rates SET in_flight = in_flight - 1
    WHERE key_id = NEW.key_id AND EXISTS (SELECT 1 FROM holds WHERE id = NEW.hold_id AND in_flight = 1);
  SELECT RAISE(ABORT, 'a request is under way no more') WHERE changes() <> (SELECT in_flight FROM holds WHERE id = NEW.hold_id);
  DELETE FROM holds WHERE id = NEW.hold_id;
  SELECT RAISE(ABORT, 'a receipt resolves an open hold') WHERE changes() <> 1;
END;
