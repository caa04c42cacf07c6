-- Stored responses are in a file of their own, which took these rows before this step.

DROP TABLE stored_items;
DROP TABLE stored_responses;
DROP TABLE stored_bytes;
