-- What carrying a payment costs our account at most, so that what may come to nothing within an hour has a bound.

-- In nano-USD; NULL where somebody else carries it, or an older server has signed.
ALTER TABLE chain_payments ADD COLUMN fee BIGINT CONSTRAINT chain_payments_fee CHECK (fee IS NULL OR fee >= 0);
CREATE INDEX payments_on_their_way ON payments (source) WHERE state = 'claimed';
CREATE INDEX payments_in_vain ON payments (source, decided_at) WHERE state IN ('void', 'surplus');
