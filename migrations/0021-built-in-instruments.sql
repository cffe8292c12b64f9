-- Cash, fees owed and unidentified units are instruments with reserved ids. What named them by `cash:CHF`, `fees:CHF` and
-- `unidentified` before names those ids now: announced holdings, and the filters of limits in every state that is known of them.

ALTER TABLE announced_holding NO FORCE ROW LEVEL SECURITY;
ALTER TABLE limit_rule NO FORCE ROW LEVEL SECURITY;
ALTER TABLE thing_version NO FORCE ROW LEVEL SECURITY;

CREATE FUNCTION built_in_id(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN name ~ '^cash:[A-Z]{3}$' THEN 'ffffffffffffffff01' || encode(convert_to(right(name, 3), 'UTF8'), 'hex')
    WHEN name ~ '^fees:[A-Z]{3}$' THEN 'ffffffffffffffff02' || encode(convert_to(right(name, 3), 'UTF8'), 'hex')
    WHEN name = 'unidentified' THEN 'ffffffffffffffff03000000'
    ELSE name END
$$;

CREATE FUNCTION built_in_type(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN name IN ('cash', 'fees-owed', 'unidentified') THEN name || '-instrument' ELSE name END
$$;

CREATE FUNCTION with_built_in(filter jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF filter ? 'filters' THEN
    RETURN jsonb_set(filter, '{filters}', (SELECT jsonb_agg(with_built_in(one) ORDER BY place)
      FROM jsonb_array_elements(filter -> 'filters') WITH ORDINALITY AS f (one, place)));
  ELSIF filter ->> 'field' = 'instrument.id' THEN
    RETURN jsonb_set(filter, '{value}', (SELECT jsonb_agg(built_in_id(one) ORDER BY place)
      FROM jsonb_array_elements_text(filter -> 'value') WITH ORDINALITY AS v (one, place)));
  ELSIF filter ->> 'field' = 'instrument.type' THEN
    RETURN jsonb_set(filter, '{value}', (SELECT jsonb_agg(built_in_type(one) ORDER BY place)
      FROM jsonb_array_elements_text(filter -> 'value') WITH ORDINALITY AS v (one, place)));
  END IF;
  RETURN filter;
END
$$;

UPDATE announced_holding SET instrument = built_in_id(instrument),
  object = replace(object::text, to_json(instrument)::text, to_json(built_in_id(instrument))::text)::json
WHERE instrument <> built_in_id(instrument);

UPDATE limit_rule SET filter = with_built_in(filter) WHERE filter <> with_built_in(filter);

UPDATE thing_version SET state = jsonb_set(state, '{filter}', with_built_in(state -> 'filter'))
WHERE table_name = 'limit_rule' AND state -> 'filter' <> with_built_in(state -> 'filter');

DROP FUNCTION with_built_in(jsonb);
DROP FUNCTION built_in_type(text);
DROP FUNCTION built_in_id(text);

ALTER TABLE announced_holding FORCE ROW LEVEL SECURITY;
ALTER TABLE limit_rule FORCE ROW LEVEL SECURITY;
ALTER TABLE thing_version FORCE ROW LEVEL SECURITY;
