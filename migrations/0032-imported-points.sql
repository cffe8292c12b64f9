-- Finds what imports have said about a price or rate, so that an older statement does not replace a later one.
CREATE INDEX import_row_by_point ON import_row (workspace_id, environment, target_id)
  WHERE target_type IN ('price', 'net-asset-value', 'interest-rate', 'index-factor', 'fx-rate');
