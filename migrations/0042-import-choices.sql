-- What was said when a file was checked holds when it is booked. Nodes of the release before leave it false.

ALTER TABLE import ADD COLUMN create_instruments boolean NOT NULL DEFAULT false;
