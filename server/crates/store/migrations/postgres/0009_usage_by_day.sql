-- expands: sums of usage over all accounts by day

-- The key has the account first, and sums over all accounts read the rows of some days out of years. On a file the key has the day
-- first. No update of a sum changes its day, so that updates go on without a write to an index where their page has room.
CREATE INDEX usage_days_by_day ON usage_days (day);
