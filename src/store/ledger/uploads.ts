// Historical uploads as far as one reach goes: listed by day, all that is known of some places, now or at an earlier moment, and
// the number that a client's uploads have come to. Writing them is the versions' part. Knows no engine.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { historicalHolding, type HistoricalHolding } from '../../model/ledger/historical-holding.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import {
  withoutVersionFilter,
  fieldConditions,
  knownAtBranches,
  storedColumns,
  tenantFilterValues,
  tenantFilterSql,
} from '../resources/resource-sql.ts';
import { memoizedText, sql, type Value } from '../postgres/statement.ts';

/** Where in a list an upload stands. */
export interface UploadPosition {
  readonly date: string;
  readonly id: string;
}

export interface UploadQuery {
  readonly where: AnyChange;
  /** Inclusive, both. */
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** As they were known then; now, where there is none. */
  readonly knownAt?: number | undefined;
  readonly after?: UploadPosition | undefined;
  readonly limit: number;
}

export interface UploadLocations {
  readonly accounts: readonly Id[];
  readonly depositories: readonly Id[];
  /** As they were known then; now, where there is none. */
  readonly knownAt?: number | undefined;
}

const columns = storedColumns(historicalHolding);
const orderBy = 'ORDER BY t.date, t.id';

const allVersions = withoutVersionFilter(historicalHolding);

const incrementClientVersion = sql(
  'uploads/raise',
  `INSERT INTO upload_ledger AS l (workspace_id, environment, client_id, version) VALUES ($1, $2, $3, 1)
   ON CONFLICT (workspace_id, environment, client_id) DO UPDATE SET version = l.version + 1`,
);

const clientVersion = sql<{ version: number }>(
  'uploads/version',
  'SELECT version FROM upload_ledger WHERE workspace_id = $1 AND environment = $2 AND client_id = $3',
);

export class Uploads {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** By day, those of one day in the order they came in. */
  async list({ where, from, to, knownAt, after, limit }: UploadQuery): Promise<HistoricalHolding[]> {
    const byFields = fieldConditions(historicalHolding, where, 4);
    const values: Value[] = [...tenantFilterValues(this.#scope), ...byFields.values];
    const addValue = (value: Value): string => `$${values.push(value)}`;
    const bounds = [
      ...(from === undefined ? [] : [`AND t.date >= ${addValue(from)}::date`]),
      ...(to === undefined ? [] : [`AND t.date <= ${addValue(to)}::date`]),
      ...(after === undefined ? [] : [`AND (t.date, t.id) > (${addValue(after.date)}::date, ${addValue(after.id)})`]),
    ];
    const { visibleClients } = this.#scope;
    const filters =
      knownAt === undefined
        ? [tenantFilterSql(historicalHolding, visibleClients.kind)]
        : knownAtBranches(addValue(new Date(knownAt))).map(
            (known) => `${tenantFilterSql(allVersions, visibleClients.kind)} ${known}`,
          );
    const limitParameter = addValue(limit);
    const pages = filters.map(
      (filter) =>
        `(SELECT t.* FROM historical_holding t WHERE ${filter} ${byFields.conditions} ${bounds.join(' ')} ${orderBy} LIMIT ${limitParameter})`,
    );
    const statement = memoizedText<HistoricalHolding>(
      'uploads',
      `SELECT ${columns} FROM (${pages.join(' UNION ALL ')}) t ${orderBy} LIMIT ${limitParameter}`,
    );
    return (await this.#run(statement, values)).rows;
  }

  /** All that is known of the cash and fees of these accounts and of the units in these depositories, by day. */
  async listByLocation({ accounts, depositories, knownAt }: UploadLocations): Promise<HistoricalHolding[]> {
    const tenantFilter = tenantFilterSql(allVersions, this.#scope.visibleClients.kind);
    const filters = knownAt === undefined ? ['AND t.known_until IS NULL'] : knownAtBranches('$6');
    const selectBy = (column: string, ids: string): readonly string[] =>
      filters.map(
        (known) =>
          `SELECT t.* FROM historical_holding t WHERE ${tenantFilter} ${known} AND t.${column} = ANY (${ids}::text[])`,
      );
    const rows = [...selectBy('account_id', '$4'), ...selectBy('depository_id', '$5')];
    const statement = memoizedText<HistoricalHolding>(
      'uploads',
      `SELECT ${columns} FROM (${rows.join(' UNION ALL ')}) t ${orderBy}`,
    );
    const moment = knownAt === undefined ? [] : [new Date(knownAt)];
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), accounts, depositories, ...moment])).rows;
  }

  /** Goes with what is sent next, or with the commit. */
  incrementVersion(client: Id): void {
    const { workspaceId, environment } = this.#scope;
    this.#run.enqueue(incrementClientVersion, [workspaceId, environment, client]);
  }

  /** The number that a client's uploads have come to: what was read under the same one is as fresh as can be. */
  async version(client: Id): Promise<number> {
    const { workspaceId, environment } = this.#scope;
    return (await this.#run(clientVersion, [workspaceId, environment, client])).rows[0]?.version ?? 0;
  }
}
