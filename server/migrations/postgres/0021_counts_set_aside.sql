-- What is set aside counts on. The same rule as migrations/sqlite/0021_counts_set_aside.sql.

ALTER TABLE topup_order DROP CONSTRAINT counts_while_paid,
  ADD CONSTRAINT counts_while_paid CHECK (
    counted_day IS NULL OR (agent_id IS NOT NULL AND status IN ('settling', 'failed', 'success')));
