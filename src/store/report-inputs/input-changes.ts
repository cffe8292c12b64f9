// Lists what changed between two moments among the inputs of a client's figures: each record with a version opened or closed in
// between.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import { historicalHolding } from '../../model/ledger/historical-holding.ts';
import type { Scope } from '../../model/access/scope.ts';
import { price } from '../../model/instrument/series-point.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond } from '../resources/known-at-sql.ts';
import {
  withoutVersionFilter,
  tenantFilterValues,
  tenantFilterSql,
  type OwnedTable,
} from '../resources/resource-sql.ts';
import { memoized, type Value } from '../postgres/statement.ts';
import { versionRowResource } from '../resources/record-versions.ts';

export interface ChangesQuery {
  readonly client: Id;
  /** Compares what was known at `from` with what was known at `to`, or with what is known now when `to` is absent. */
  readonly from: number;
  readonly to: number | undefined;
  /** Ignores records dated after this day. */
  readonly until: CalendarDate;
  readonly instruments: readonly string[];
  readonly currencies: readonly string[];
  /** Only what concerns these accounts, depositories, portfolios, reporting entities and clients; null: all of the client's. */
  readonly covered: readonly string[] | null;
}

type InputChange = 'added' | 'changed' | 'removed';

export interface ChangedInput {
  readonly kind: string;
  readonly id: string;
  /** The other end of a link. */
  readonly other: string | null;
  readonly change: InputChange;
  /** In microseconds. */
  readonly at: number;
  readonly date: CalendarDate | null;
  readonly instrument: string | null;
  readonly account: string | null;
}

interface ChangeCount {
  readonly kind: string;
  readonly change: InputChange;
  readonly count: number;
}

/** The position of a change in the list. */
export type ChangePosition = Pick<ChangedInput, 'at' | 'kind' | 'id' | 'other'>;

const { only: _only, ...points } = price;
const structureTables = ['client', 'account', 'depository', 'portfolio', 'reporting_entity'];

/** $4 and $5 are the moments, $6 the client, $7 the last day, $8 the instruments, $9 the currencies, $10 what is covered. */
const isBetween = `((t.known_from > $4 AND t.known_from <= $5) OR (t.known_until > $4 AND t.known_until <= $5))`;

function isCovered(...columns: readonly string[]): string {
  return `($10::text[] IS NULL OR ${columns.map((column) => `t.${column} = ANY ($10::text[])`).join(' OR ')})`;
}

interface Branch {
  readonly resource: OwnedTable;
  readonly table: string;
  readonly columns: string;
  readonly condition: string;
}

const branches: readonly Branch[] = [
  {
    resource: transaction,
    table: 'transaction',
    columns: `'transaction', t.id, NULL, t.date, t.instrument_id, t.account_id`,
    condition: `t.date <= $7 AND ((t.client_id IS NULL AND t.instrument_id = ANY ($8::text[])) OR (t.client_id = $6
      AND ${isCovered('account_id', 'counter_account_id', 'depository_id', 'counter_depository_id')}))`,
  },
  {
    resource: historicalHolding,
    table: 'historical_holding',
    columns: `'historical-holding', t.id, NULL, t.date, t.instrument_id, t.account_id`,
    condition: `t.date <= $7 AND t.client_id = $6 AND ${isCovered('account_id', 'depository_id')}`,
  },
  {
    resource: points,
    table: 'series_point',
    columns: 't.kind, t.id, NULL, t.date, t.instrument_id, NULL',
    condition: 't.date <= $7 AND t.instrument_id = ANY ($8::text[])',
  },
  {
    resource: fxRate,
    table: 'fx_rate',
    columns: `'fx-rate', t.id, NULL, t.date, NULL, NULL`,
    condition: 't.date <= $7 AND (t.base = ANY ($9::text[]) OR t.quote = ANY ($9::text[]))',
  },
  {
    resource: versionRowResource,
    table: 'record_version',
    columns: `replace(t.table_name, '_', '-'), t.id, NULL, NULL, NULL, NULL`,
    condition: `((t.client_id = $6 AND ${isCovered('id')}
        AND t.table_name IN (${structureTables.map((table) => `'${table}'`).join(', ')}))
      OR (t.table_name = 'instrument' AND t.id = ANY ($8::text[])) OR t.table_name = 'instrument_class'
      OR (t.table_name = 'custodian' AND t.id IN (SELECT a.custodian_id FROM account a
        WHERE a.workspace_id = $1 AND a.environment = $2 AND a.client_id = $6)))`,
  },
  {
    resource: versionRowResource,
    table: 'link_version',
    columns: `replace(t.link, '_', '-'), t.one_id, t.other_id, NULL, NULL, NULL`,
    condition: `t.client_id = $6 AND ${isCovered('one_id')}`,
  },
];

/** Leaves out records that were both added and removed in between. */
function changesSql(visibleClients: Scope['visibleClients']['kind']): string {
  const parts = branches.map(
    ({ resource, table, columns, condition }) =>
      `SELECT ${columns}, t.known_from, t.known_until FROM ${table} t
       WHERE ${tenantFilterSql(withoutVersionFilter(resource), visibleClients)} AND ${condition} AND ${isBetween}`,
  );
  const moment = (column: string): string => `CASE WHEN ${column} > $4 AND ${column} <= $5 THEN ${column} END`;
  return `SELECT kind COLLATE "C" AS kind, id, coalesce(other, '') AS other,
      CASE WHEN NOT bool_or(known_from <= $4) THEN 'added'
        WHEN bool_or(known_until IS NULL OR known_until > $5) THEN 'changed' ELSE 'removed' END AS change,
      (extract(epoch FROM max(greatest(${moment('known_from')}, ${moment('known_until')}))) * 1000000)::bigint AS at,
      max(date) AS date, max(instrument_id) AS instrument, max(account_id) AS account
    FROM (${parts.join(' UNION ALL ')}) v (kind, id, other, date, instrument_id, account_id, known_from, known_until)
    GROUP BY kind, id, other HAVING bool_or(known_from <= $4) OR bool_or(known_until IS NULL OR known_until > $5)`;
}

/** Later than every version: what is known then is what is known now. */
const endOfTime = Date.UTC(9999, 11, 31);

export class InputChanges {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Lists changes by moment. */
  async list(
    query: ChangesQuery,
    { after, limit }: { readonly after: ChangePosition | undefined; readonly limit: number },
  ): Promise<ChangedInput[]> {
    const { kind: visibleClients } = this.#scope.visibleClients;
    const position: readonly Value[] = after === undefined ? [] : [after.at, after.kind, after.id, after.other ?? ''];
    const afterCondition = after === undefined ? '' : 'WHERE (at, kind, id, other) > ($12::bigint, $13, $14, $15)';
    const statement = memoized<ChangedInput>(
      `input-changes/${visibleClients}/${after === undefined ? 'first' : 'next'}`,
      () => `SELECT kind, id, nullif(other, '') AS other, change, at, date, instrument, account
        FROM (${changesSql(visibleClients)}) c ${afterCondition} ORDER BY at, kind, id, other LIMIT $11`,
    );
    return (await this.#run(statement, [...this.#queryValues(query), limit, ...position])).rows;
  }

  /** Counts by kind and change. */
  async count(query: ChangesQuery): Promise<ChangeCount[]> {
    const { kind: visibleClients } = this.#scope.visibleClients;
    const statement = memoized<ChangeCount>(
      `input-changes/${visibleClients}/count`,
      () => `SELECT kind, change, count(*) AS count FROM (${changesSql(visibleClients)}) c GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    return (await this.#run(statement, this.#queryValues(query))).rows;
  }

  #queryValues({ client, from, to = endOfTime, until, instruments, currencies, covered }: ChangesQuery): Value[] {
    const moments = [from, to].map(endOfMillisecond);
    return [...tenantFilterValues(this.#scope), ...moments, client, until, instruments, currencies, covered];
  }
}
