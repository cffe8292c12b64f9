// What must hold between the rows of a tenant, beyond what keys and checks of the tables enforce.

export interface Law {
  /** What holds, in a sentence. */
  readonly name: string;
  /** Counts the rows that it is about, as `count`. `$1` is the workspace, `$2` the environment. */
  readonly countText: string;
  /** Finds rows that break it, each in words as `fault`. */
  readonly faultText: string;
}

const ofTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;

const countOf = (table: string, where = 'true'): string =>
  `SELECT count(*) AS count FROM ${table} t WHERE ${ofTenant('t')} AND ${where}`;

const version = `format('transaction %s, version opened at %s', t.id, t.opened_version)`;

const closedOnce: Law = {
  name: 'a version of a transaction is closed once, after it was opened',
  countText: countOf('transaction'),
  faultText: `SELECT ${version} AS fault FROM transaction t WHERE ${ofTenant('t')}
    AND ((t.known_until IS NULL) <> (t.closed_version IS NULL) OR t.known_until < t.known_from OR t.closed_version <= t.opened_version)`,
};

const versionsInSequence: Law = {
  name: 'versions of a transaction follow each other, and one at most is current',
  countText: countOf('transaction'),
  faultText: `SELECT ${version} || ' begins before the one before it ends' AS fault FROM (
      SELECT v.id, v.opened_version, row_number() OVER versions AS place, lag(v.closed_version) OVER versions AS closed_before
      FROM transaction v WHERE ${ofTenant('v')} WINDOW versions AS (PARTITION BY v.id ORDER BY v.opened_version, v.closed_version)
    ) t WHERE t.place > 1 AND (t.closed_before IS NULL OR t.closed_before > t.opened_version)`,
};

const counted: Law = {
  name: 'a client has counted at least as many bookings as the last one has as its number',
  countText: countOf('booking_count'),
  faultText: `SELECT format('client %s has counted %s bookings, but one has the number %s', c.id, coalesce(b.last_sequence, 0), t.last) AS fault
    FROM (SELECT client_id, max(sequence) AS last FROM transaction x WHERE ${ofTenant('x')} GROUP BY client_id) t
    JOIN client c ON ${ofTenant('c')} AND c.id = t.client_id
    LEFT JOIN booking_count b ON ${ofTenant('b')} AND b.client_id = c.id
    WHERE coalesce(b.last_sequence, 0) < t.last`,
};

const raised: Law = {
  name: "an account's ledger has come as far as the last version of its transactions",
  countText: countOf('account_ledger'),
  faultText: `SELECT format('account %s is at version %s, but a transaction is at %s', a.id, coalesce(l.version, 0), t.last) AS fault
    FROM (SELECT account_id, max(greatest(opened_version, closed_version)) AS last FROM transaction x
      WHERE ${ofTenant('x')} GROUP BY account_id) t
    JOIN account a ON ${ofTenant('a')} AND a.id = t.account_id
    LEFT JOIN account_ledger l ON ${ofTenant('l')} AND l.account_id = a.id
    WHERE coalesce(l.version, 0) < t.last`,
};

const copiedWhole: Law = {
  name: "a packed copy of an account's ledger has as many rows as were current at its version",
  countText: countOf('ledger_copy'),
  faultText: `SELECT format('account %s had %s rows at version %s, but its copy has %s', t.account_id, r.count, t.version, t.row_count) AS fault
    FROM ledger_copy t CROSS JOIN LATERAL (SELECT count(*) AS count FROM transaction x WHERE ${ofTenant('x')} AND x.account_id = t.account_id
      AND x.opened_version <= t.version AND (x.closed_version IS NULL OR x.closed_version > t.version)) r
    WHERE ${ofTenant('t')} AND r.count <> t.row_count`,
};

/** The transaction table has no foreign keys. */
function refersTo(column: string, table: string): Law {
  const hasClient = table === 'account' || table === 'depository';
  const sameClient = hasClient && !column.startsWith('counter_') ? ' AND r.client_id = t.client_id' : '';
  return {
    name: `the ${table} that a current transaction has as ${column} exists`,
    countText: countOf('transaction', `t.known_until IS NULL AND t.${column} IS NOT NULL`),
    faultText: `SELECT format('transaction %s: there is no ${table} %s${sameClient === '' ? '' : ' of its client'}', t.id, t.${column}) AS fault
      FROM transaction t WHERE ${ofTenant('t')} AND t.known_until IS NULL AND t.${column} IS NOT NULL
        AND NOT EXISTS (SELECT FROM ${table} r WHERE ${ofTenant('r')} AND r.id = t.${column}${sameClient})`,
  };
}

/** Points and rates have no foreign keys. Of points, also those of the past hang below the ledger of their instrument's series. */
function pointsReferTo(table: string, id: string, where: string): Law {
  return {
    name: `there is ${table === 'instrument' ? 'an instrument with each current' : 'a ledger of the series of each'} point`,
    countText: countOf('series_point', where),
    faultText: `SELECT format('points of the instrument %s: there is no such row in ${table}', t.instrument_id) AS fault
      FROM (SELECT DISTINCT t.instrument_id FROM series_point t WHERE ${ofTenant('t')} AND ${where}) t
      WHERE NOT EXISTS (SELECT FROM ${table} r WHERE ${ofTenant('r')} AND r.${id} = t.instrument_id)`,
  };
}

function onceCurrent(table: string, columns: readonly string[], what: string): Law {
  const key = columns.map((column) => `t.${column}`).join(', ');
  return {
    name: `one version at most of ${what} is current`,
    countText: countOf(table, 't.known_until IS NULL'),
    faultText: `SELECT format('${table} %s has %s current versions', concat_ws('/', ${key}), count(*)) AS fault FROM ${table} t
      WHERE ${ofTenant('t')} AND t.known_until IS NULL GROUP BY ${key} HAVING count(*) > 1`,
  };
}

export const laws: readonly Law[] = [
  closedOnce,
  versionsInSequence,
  counted,
  raised,
  copiedWhole,
  refersTo('client_id', 'client'),
  refersTo('account_id', 'account'),
  refersTo('counter_account_id', 'account'),
  refersTo('depository_id', 'depository'),
  refersTo('counter_depository_id', 'depository'),
  refersTo('instrument_id', 'instrument'),
  refersTo('target_instrument_id', 'instrument'),
  pointsReferTo('series_ledger', 'instrument_id', 'true'),
  pointsReferTo('instrument', 'id', 't.known_until IS NULL'),
  onceCurrent('series_point', ['instrument_id', 'kind', 'date', 'source'], 'a point of a series'),
  onceCurrent('fx_rate', ['base', 'quote', 'date', 'source'], 'an exchange rate'),
  onceCurrent('record_version', ['table_name', 'id'], 'a record'),
  onceCurrent('link_version', ['link', 'one_id', 'other_id'], 'a link'),
];
