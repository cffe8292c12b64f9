-- outside a transaction: an index over very many rates is built while rates are written
--
-- The natural key of a rate with its environment last: a new rate is compared with some twenty others on the way to its place, column by column,
-- and those beside it have the environment in common. All rates of a workspace are read together with or without it. This index replaces
-- fx_rate_known, which nodes of the release before read by as well: they ask for the same columns.

DROP INDEX CONCURRENTLY IF EXISTS fx_rate_current;
CREATE UNIQUE INDEX CONCURRENTLY fx_rate_current
  ON fx_rate (workspace_id, base, quote, date, source, environment) WHERE known_until IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS fx_rate_known;
