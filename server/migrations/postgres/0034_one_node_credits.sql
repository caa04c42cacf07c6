-- Payments that are credited by the word of one node of their chain alone: so much in an hour is believed of one, and no more.

CREATE TABLE one_node_credits (
  payment_id BIGINT PRIMARY KEY REFERENCES payments (id),
  -- The chain by its CAIP-2 id.
  network TEXT NOT NULL,
  -- In nano-USD.
  amount BIGINT NOT NULL CONSTRAINT one_node_credits_something CHECK (amount > 0),
  -- Unix time in milliseconds.
  credited_at BIGINT NOT NULL
);
CREATE INDEX one_node_credits_by_time ON one_node_credits (network, credited_at);
