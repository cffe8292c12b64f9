-- What a person has decided about a row that may be an entry that is booked already, and the order of day and month that was said for an
-- import. Nodes of the release before leave both null.

ALTER TABLE import_row ADD COLUMN decision text COLLATE "C";
ALTER TABLE import_row ADD CONSTRAINT import_row_decision_check CHECK (decision IN ('same', 'another'));
ALTER TABLE import ADD COLUMN date_order text COLLATE "C";
