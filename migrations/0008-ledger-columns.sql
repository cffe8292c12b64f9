-- How far the bookings for all holders have come, for each client and for none: what was opened or closed last.

CREATE INDEX transaction_for_all_opening ON transaction (workspace_id, environment, client_id, opened_version)
  WHERE account_id IS NULL;
CREATE INDEX transaction_for_all_closing ON transaction (workspace_id, environment, client_id, closed_version)
  WHERE account_id IS NULL AND closed_version IS NOT NULL;
