-- Payments that are credited by the word of one node of their chain alone: so much in an hour is believed of one, and no more. The
-- same rules as migrations/postgres/0034_one_node_credits.sql.

CREATE TABLE one_node_credits (
  payment_id INTEGER PRIMARY KEY REFERENCES payments (id),
  -- The chain by its CAIP-2 id.
  network TEXT NOT NULL,
  -- In nano-USD.
  amount INTEGER NOT NULL CONSTRAINT one_node_credits_something CHECK (amount > 0),
  -- Unix time in milliseconds.
  credited_at INTEGER NOT NULL
) STRICT;
CREATE INDEX one_node_credits_by_time ON one_node_credits (network, credited_at);
