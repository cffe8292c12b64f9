-- What a word of a file means for the type of a transaction. Nodes of the release before neither read nor write such mappings.

ALTER TABLE identifier_mapping ADD COLUMN transaction_type text COLLATE "C";
ALTER TABLE identifier_mapping ADD COLUMN action text COLLATE "C";

ALTER TABLE identifier_mapping DROP CONSTRAINT identifier_mapping_kind_check;
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_kind_check
  CHECK (kind IN ('account', 'depository', 'instrument', 'type'));
ALTER TABLE identifier_mapping DROP CONSTRAINT identifier_mapping_scheme_check;
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_scheme_check
  CHECK (scheme IN ('number', 'isin', 'cusip', 'sedol', 'ticker', 'custodian-code', 'name', 'word'));
ALTER TABLE identifier_mapping DROP CONSTRAINT identifier_mapping_check3;
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check3
  CHECK (client_id IS NOT NULL OR kind IN ('instrument', 'type'));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check4
  CHECK ((transaction_type IS NOT NULL) = (kind = 'type'));
ALTER TABLE identifier_mapping ADD CONSTRAINT identifier_mapping_check5
  CHECK (action IS NULL OR transaction_type = 'corporate-action');
