-- Every instrument has a class: where it states none, the default class of its type.

-- The types of instruments that state no class and are counted in this one. A type has one default class at most.
ALTER TABLE instrument_class ADD default_for text[] COLLATE "C" NOT NULL DEFAULT '{}';

ALTER TABLE instrument_class NO FORCE ROW LEVEL SECURITY;
ALTER TABLE thing_version NO FORCE ROW LEVEL SECURITY;

-- Existing workspaces get the default classes that a new one has: those with the same names, else the oldest root class of the same
-- asset class. A type that finds neither has no default class.
CREATE TEMPORARY TABLE default_class ON COMMIT DROP AS
SELECT workspace_id, environment, id, array_agg(type ORDER BY type) AS types FROM (
  SELECT DISTINCT ON (c.workspace_id, c.environment, d.type) c.workspace_id, c.environment, c.id, d.type
  FROM (VALUES
    ('cash-instrument', ARRAY['Cash'], 'cash'),
    ('fees-owed-instrument', ARRAY['Cash'], 'cash'),
    ('stock-instrument', ARRAY['Equities'], 'equity'),
    ('bond-instrument', ARRAY['Fixed income'], 'fixed-income'),
    ('zero-coupon-bond-instrument', ARRAY['Fixed income'], 'fixed-income'),
    ('index-linked-bond-instrument', ARRAY['Fixed income', 'Inflation-linked'], 'fixed-income'),
    ('loan-instrument', ARRAY['Fixed income', 'Loans'], 'fixed-income'),
    ('mutual-fund-instrument', ARRAY['Funds'], 'fund'),
    ('private-market-fund', ARRAY['Private markets'], 'private-market'),
    ('fx-forward-cash-settlement-contract', ARRAY['Derivatives', 'FX forwards'], 'derivative'),
    ('fx-forward-physical-delivery-contract', ARRAY['Derivatives', 'FX forwards'], 'derivative'),
    ('other-instrument', ARRAY['Other'], 'other'),
    ('fee-instrument', ARRAY['Other', 'Fees'], 'other')
  ) AS d (type, path, asset_class)
  JOIN instrument_class c ON c.path = d.path OR c.parent_id IS NULL AND c.asset_class = d.asset_class
  ORDER BY c.workspace_id, c.environment, d.type, c.path = d.path DESC, c.id
) AS found GROUP BY workspace_id, environment, id;

UPDATE instrument_class c SET default_for = d.types FROM default_class d
WHERE (c.workspace_id, c.environment, c.id) = (d.workspace_id, d.environment, d.id);

-- Reports as known from now on know of it, reports as known before do not.
WITH closed AS (
  UPDATE thing_version v SET known_until = greatest(now(), v.known_from + interval '1 microsecond') FROM default_class d
  WHERE v.table_name = 'instrument_class' AND v.known_until IS NULL
    AND (v.workspace_id, v.environment, v.id) = (d.workspace_id, d.environment, d.id)
  RETURNING v.workspace_id, v.environment, v.id, v.client_id, v.version, v.known_until,
    v.state || jsonb_build_object('default_for', d.types) AS state)
INSERT INTO thing_version (workspace_id, environment, table_name, id, client_id, version, known_from, state)
SELECT workspace_id, environment, 'instrument_class', id, client_id, version + 1, known_until, state FROM closed;

DROP TABLE default_class;

ALTER TABLE instrument_class FORCE ROW LEVEL SECURITY;
ALTER TABLE thing_version FORCE ROW LEVEL SECURITY;
