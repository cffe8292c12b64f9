-- outside a transaction: an index over very many points is built while prices are written
--
-- A point or a rate costs as little as it can, like a row of the ledger: no foreign key looks up the same record for each row. Whoever writes
-- points has locked their instruments and raises their rows in series_ledger, whose key refuses a missing instrument; whoever writes rates
-- raises rate_ledger, whose key refuses a missing environment. This comes first: where the locks are not to be had, everything is tried
-- again, and nothing has been built in vain.

SET lock_timeout = '1s';
ALTER TABLE series_point DROP CONSTRAINT IF EXISTS series_point_workspace_id_environment_instrument_id_fkey;
ALTER TABLE fx_rate DROP CONSTRAINT IF EXISTS fx_rate_workspace_id_environment_fkey;
SET lock_timeout = 0;

-- The natural key again, with what tells rows apart first: a new row is compared with some twenty others on the way to its place, column by
-- column, until one differs. Ids of instruments are unique across tenants, but for those that the service provides, which each tenant has: so
-- the tenant is second. All that is read of a point is in the index.
DROP INDEX CONCURRENTLY IF EXISTS series_point_current;
CREATE UNIQUE INDEX CONCURRENTLY series_point_current
  ON series_point (instrument_id, workspace_id, environment, kind, date, source) INCLUDE (value, client_id) WHERE known_until IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS series_point_known;
