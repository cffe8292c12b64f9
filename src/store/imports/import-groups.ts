// Groups the rows of an import by what they wait for or why they were refused, and reads the accounts that its rows are of.

import type { Id } from '../../kit/id.ts';
import { importGroupsMax } from '../../model/custody/import-group.ts';
import { importResource, type UnkeptRows } from '../../model/custody/import.ts';
import type { RowNeed } from '../../model/custody/import-row.ts';
import type { NamedAccount, NamedInstrument } from '../../model/custody/statement.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import type { Scope } from '../../model/access/scope.ts';
import { account } from '../../model/structure/account.ts';
import { depository } from '../../model/structure/depository.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, memoized, type Value } from '../postgres/statement.ts';
import { tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';

/** Rows of an import that wait for the same words. */
export interface WaitingRows {
  readonly needs: RowNeed;
  readonly code: string;
  readonly detail: string;
  /** The words for the account or depository. */
  readonly account: NamedAccount | null;
  /** The currency of the rows, where words for an account do not say it. */
  readonly currency: string | null;
  readonly instrument: NamedInstrument | null;
  readonly targetInstrument: NamedInstrument | null;
  readonly typeWord: string | null;
  /** Whether all of them are positions, which depositories have. */
  readonly arePositions: boolean;
  readonly rows: number;
  readonly firstLine: number;
  /** The first of them that is kept. */
  readonly firstRow: number | null;
}

interface RawWaitingRows extends Omit<WaitingRows, 'account' | 'instrument' | 'targetInstrument'> {
  readonly account: string | null;
  readonly instrument: string | null;
  readonly targetInstrument: string | null;
}

/** Rows that were refused for one reason. */
export interface RefusedRows {
  readonly code: string;
  readonly detail: string;
  readonly rows: number;
  readonly notKept: number;
  readonly firstLine: number;
}

/** What is known of a record that words may mean. */
export interface FoundRecord {
  readonly id: Id;
  readonly name: string;
  readonly detail: string;
}

/** How much of a reason tells it from others. */
const detailLengthMax = 300;

const ofImport = (kind: Scope['visibleClients']['kind']): string =>
  `${tenantFilterSql(importResource, kind)} AND t.import_id = $4`;

/**
 * The words are read only of the rows that wait for them: reading JSON is what takes the time. A row whose own account is known waits for
 * that of its other leg.
 */
const waitingSql = (kind: Scope['visibleClients']['kind']): string => `
  SELECT g.needs, g.code, min(g.detail) AS detail, g.account, g.currency, g.instrument, g.target AS "targetInstrument",
    g.word AS "typeWord", bool_and(g.item = 'position') AS "arePositions", sum(g.rows)::int AS rows, min(g.line) AS "firstLine", min(g.number) AS "firstRow"
  FROM (
    SELECT t.needs, t.code, left(t.detail, ${detailLengthMax}) AS detail, t.item, t.line, t.number, 1 AS rows,
      CASE WHEN t.needs = 'account' THEN CASE WHEN t.code LIKE 'depository-%' THEN t.stated->>'depository'
        WHEN t.account_id IS NULL THEN t.stated->>'account' ELSE coalesce(t.stated->>'counterAccount', t.stated->>'account') END END AS account,
      CASE WHEN t.needs = 'account' THEN CASE WHEN t.account_id IS NULL THEN coalesce(t.stated->>'currency', t.stated->'instrument'->>'currency')
        ELSE t.stated->>'counterCurrency' END END AS currency,
      CASE WHEN t.needs = 'instrument' THEN t.stated->>'instrument' END AS instrument,
      CASE WHEN t.needs = 'instrument' THEN t.stated->>'targetInstrument' END AS target,
      CASE WHEN t.needs IN ('type', 'classification') THEN t.stated->>'typeWord' END AS word
    FROM import_row t WHERE ${ofImport(kind)} AND t.outcome = 'needs' AND t.number > 0
    UNION ALL
    SELECT 'mapping', u.code, u.detail, 'problem', u.line, NULL, u.rows, NULL, NULL, NULL, NULL, NULL
    FROM unnest($5::text[], $6::text[], $7::int[], $8::int[]) u (code, detail, rows, line)
  ) g
  GROUP BY g.needs, g.code, g.account, g.currency, g.instrument, g.target, g.word,
    CASE WHEN g.needs IN ('account', 'instrument', 'type', 'decision') THEN NULL ELSE g.detail END
  ORDER BY rows DESC, min(g.line) LIMIT ${importGroupsMax}`;

const refusedSql = (kind: Scope['visibleClients']['kind']): string => `
  SELECT g.code, g.detail, sum(g.rows)::int AS rows, sum(g.lost)::int AS "notKept", min(g.line) AS "firstLine"
  FROM (
    SELECT t.code, left(t.detail, ${detailLengthMax}) AS detail, t.line, 1 AS rows, 0 AS lost
    FROM import_row t WHERE ${ofImport(kind)} AND t.outcome = 'refused' AND t.number > 0
    UNION ALL
    SELECT u.code, u.detail, u.line, u.rows, u.rows FROM unnest($5::text[], $6::text[], $7::int[], $8::int[]) u (code, detail, rows, line)
  ) g
  GROUP BY g.code, g.detail ORDER BY rows DESC, min(g.line), g.code, g.detail LIMIT ${importGroupsMax}`;

/** A trade moves units for cash. A row whose word nobody knows yet may be one if it says units of an instrument. */
const isTrade = `t.stated->>'instrument' IS NOT NULL
  AND (t.stated->>'kind' IN ('trade', 'redemption') OR t.needs = 'type' AND t.stated->>'quantity' IS NOT NULL)`;

const aloneSql = (kind: Scope['visibleClients']['kind']): string => `
  WITH waiting AS (
    SELECT t.account_id, count(*)::int AS trades FROM import_row t
    WHERE ${ofImport(kind)} AND t.outcome = 'needs' AND t.item = 'entry' AND t.account_id IS NOT NULL AND ${isTrade} GROUP BY 1)
  SELECT w.trades AS "tradeRows", (SELECT count(*)::int FROM import_row t
    WHERE ${ofImport(kind)} AND t.outcome IN ('booked', 'amended') AND t.item = 'entry' AND t.account_id = w.account_id
      AND t.stated->>'instrument' IS NULL) AS "cashRows"
  FROM waiting w`;

const accountsSql = (kind: Scope['visibleClients']['kind']): string => `
  SELECT a.id AS "accountId", a.name, a.ccy_code AS currency, s.rows,
    EXISTS (SELECT FROM portfolio_account p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.account_id = a.id) AS reported
  FROM (SELECT t.account_id, count(*)::int AS rows FROM import_row t
    WHERE ${ofImport(kind)} AND t.account_id IS NOT NULL AND t.outcome IN ('booked', 'amended', 'unchanged') GROUP BY 1) s
  JOIN account a ON a.workspace_id = $1 AND a.environment = $2 AND a.id = s.account_id
  WHERE a.id > $5 ORDER BY a.id LIMIT $6`;

const recordsSql = {
  account: (kind: Scope['visibleClients']['kind']): string => `
    SELECT t.id, t.name, concat_ws(' · ', t.external_identifier, t.ccy_code, (SELECT e.name FROM legal_entity e WHERE e.workspace_id = $1
      AND e.environment = $2 AND e.id = t.legal_entity_id)) AS detail
    FROM account t WHERE ${tenantFilterSql(account, kind)} AND t.id = ANY (${arrayOfAnyLength('$4')})`,
  depository: (kind: Scope['visibleClients']['kind']): string => `
    SELECT t.id, t.name, concat_ws(' · ', t.external_identifier, (SELECT e.name FROM legal_entity e WHERE e.workspace_id = $1
      AND e.environment = $2 AND e.id = t.legal_entity_id)) AS detail
    FROM depository t WHERE ${tenantFilterSql(depository, kind)} AND t.id = ANY (${arrayOfAnyLength('$4')})`,
  instrument: (kind: Scope['visibleClients']['kind']): string => `
    SELECT t.id, t.name, concat_ws(' · ', t.isin, t.ticker, t.external_identifier, t.ccy_code) AS detail
    FROM instrument t WHERE ${tenantFilterSql(instrument, kind)} AND t.id = ANY (${arrayOfAnyLength('$4')})`,
} as const;

const setClientSql = `UPDATE import_row t SET client_id = $5 WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3
  AND t.number >= $4 AND t.number < $4 + $6`;

const rangeSql = `SELECT min(number) AS first, max(number) AS last FROM import_row t WHERE t.workspace_id = $1 AND t.environment = $2
  AND t.import_id = $3`;

/** How many rows of an import one statement changes. */
const changedRowsMax = 10_000;

export class ImportGroups {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  async #list<Row>(name: string, text: (kind: Scope['visibleClients']['kind']) => string, values: readonly Value[]) {
    const { kind } = this.#scope.visibleClients;
    const statement = memoized<Row>(`import-groups/${name}/${kind}`, () => text(kind));
    return (await this.#run({ ...statement, plan: 'set-wise' }, [...tenantFilterValues(this.#scope), ...values])).rows;
  }

  /** Those that most rows wait for first, then in the order of the file. */
  async listWaiting(importId: Id, notKept: UnkeptRows): Promise<readonly WaitingRows[]> {
    const rows = await this.#list<RawWaitingRows>('waiting', waitingSql, [importId, ...unkept(notKept, 'needs')]);
    return rows.map(({ account: named, instrument: code, targetInstrument, ...row }) => ({
      ...row,
      account: parsed(named),
      instrument: parsed(code),
      targetInstrument: parsed(targetInstrument),
    }));
  }

  async listRefused(importId: Id, notKept: UnkeptRows): Promise<readonly RefusedRows[]> {
    return this.#list<RefusedRows>('refused', refusedSql, [importId, ...unkept(notKept, 'refused')]);
  }

  /** Trades that wait, and cash that would be booked, of each account that has both. */
  async listCashWithoutTrades(
    importId: Id,
  ): Promise<readonly { readonly tradeRows: number; readonly cashRows: number }[]> {
    return this.#list<{ tradeRows: number; cashRows: number }>('alone', aloneSql, [importId]);
  }

  async listAccounts(importId: Id, { after, limit }: { readonly after: string; readonly limit: number }) {
    return this.#list<{
      readonly accountId: Id;
      readonly name: string;
      readonly currency: string;
      readonly rows: number;
      readonly reported: boolean;
    }>('accounts', accountsSql, [importId, after, limit]);
  }

  async listRecords(kind: keyof typeof recordsSql, ids: readonly Id[]): Promise<ReadonlyMap<Id, FoundRecord>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#list<FoundRecord>(`records-${kind}`, recordsSql[kind], [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Gives all that is kept of an import to a client, some rows at a time. */
  async setClient(importId: Id, client: Id): Promise<void> {
    const { workspaceId, environment } = this.#scope;
    const key = [workspaceId, environment, importId];
    const range = memoized<{ first: number | null; last: number | null }>('import-groups/range', () => rangeSql);
    const { first = null, last = null } = (await this.#run(range, key)).rows[0] ?? {};
    if (first === null || last === null) return;
    const update = memoized('import-groups/set-client', () => setClientSql);
    // Rows, balances and creations have numbers that lie far apart.
    for (const [from, to] of [
      [first, Math.min(last, -1_073_741_825)],
      [Math.max(first, -1_073_741_824), Math.min(last, 0)],
      [Math.max(first, 1), last],
    ] as const)
      for (let at = from; at <= to; at += changedRowsMax)
        await this.#run({ ...update, plan: 'set-wise' }, [...key, at, client, changedRowsMax]);
  }
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : JSON.parse(json);
}

function unkept({ problems }: UnkeptRows, outcome: 'needs' | 'refused'): Value[] {
  const own = problems.filter((one) => one.outcome === outcome);
  return [
    own.map(({ code }) => code),
    own.map(({ detail }) => detail),
    own.map(({ rows }) => String(rows)),
    own.map(({ firstLine }) => String(firstLine)),
  ];
}
