-- A digest of what a round has found, without the day, so that the next one can tell whether anything has changed.

ALTER TABLE calculation_round ADD figures_digest text COLLATE "C";
