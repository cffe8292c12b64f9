-- What rounds record are sums and products of stored numbers, which may have more digits than a stored number. A column without bounds takes
-- them; nothing is rewritten.

ALTER TABLE limit_state ALTER COLUMN current_value TYPE numeric;
ALTER TABLE reconciliation_break
  ALTER COLUMN stated TYPE numeric,
  ALTER COLUMN ledger TYPE numeric,
  ALTER COLUMN difference TYPE numeric;
