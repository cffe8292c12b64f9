-- By which part of itself the value of a position may change on a day without a trade, an action or a price that says so.
-- States of a client from before it (thing_version) have none; they count as having the default.
ALTER TABLE client ADD COLUMN value_change_bound numeric NOT NULL DEFAULT 0.5 CHECK (value_change_bound > 0);
