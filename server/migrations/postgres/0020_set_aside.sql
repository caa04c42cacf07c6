-- What came by a transaction that does not name its payment is set aside once, whoever submits what for it.
CREATE INDEX payments_set_aside ON payments (source, receipt) WHERE state = 'surplus';
