-- What earlier versions wrote into the ledger, each response with its whole conversation.
-- A copy that was made before the step failed is out of date: that version served on.

DELETE FROM main.stored_items;
DELETE FROM main.stored_responses;
DELETE FROM main.stored_bytes;
INSERT INTO main.stored_responses
    (account_id, id, created_at, expires_at, bytes, conversation_bytes, model, items, hidden, input, response)
  SELECT r.account_id, r.id, r.created_at, r.expires_at, r.bytes, r.bytes, r.model,
    (SELECT json_group_array(i.id) FROM ledger.stored_items i WHERE i.account_id = r.account_id AND i.response_id = r.id),
    r.hidden, r.input, r.response
  FROM ledger.stored_responses r ORDER BY r.created_at, r.id;
INSERT INTO main.stored_items (account_id, id, seq)
  SELECT i.account_id, i.id, r.seq FROM ledger.stored_items i
  JOIN main.stored_responses r ON r.account_id = i.account_id AND r.id = i.response_id AND r.forgotten = 0;
INSERT INTO main.stored_bytes (account_id, bytes)
  SELECT account_id, sum(bytes) FROM main.stored_responses GROUP BY account_id;
