-- A transfer that does not name its payment, by its transaction and its place in the block, is set aside once, whoever submits
-- what for it.
CREATE INDEX payments_set_aside ON payments (source, receipt) WHERE state = 'surplus';
