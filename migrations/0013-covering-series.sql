-- Reports read whole series of very many points. Points come day by day for all instruments, so that those of one series lie far
-- apart: with all that is read of a point in the index, a series is read from one place. The client is there for the policy.
CREATE UNIQUE INDEX series_point_whole ON series_point (workspace_id, environment, instrument_id, kind, date, source)
  INCLUDE (value, client_id) WHERE known_until IS NULL;
DROP INDEX series_point_known;
ALTER INDEX series_point_whole RENAME TO series_point_known;
