// Reads historical uploads within one scope, as known now or at a moment: by day, or all of some accounts and depositories. Also
// counts the version of a client's uploads; `versions` writes the uploads themselves.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { historicalHolding, type HistoricalHolding } from '../../model/ledger/historical-holding.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond, knownAtBranches } from '../resources/known-at-sql.ts';
import { fieldConditions } from '../resources/field-conditions.ts';
import { isOfOneClient, visiblePageSql } from '../resources/visible-pages.ts';
import { withoutVersionFilter, storedColumns, tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { memoizedText, sql, writtenPageSize, type Value } from '../postgres/statement.ts';

/** The position of an upload in a list. */
interface UploadPosition {
  readonly date: string;
  readonly id: string;
}

export interface UploadQuery {
  readonly where: AnyChange;
  /** Both days are included. */
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** Reads what was known at this moment; what is known now when absent. */
  readonly knownAt?: number | undefined;
  readonly after?: UploadPosition | undefined;
  readonly limit: number;
}

export interface UploadLocations {
  readonly accounts: readonly Id[];
  readonly depositories: readonly Id[];
  /** Reads what was known at this moment; what is known now when absent. */
  readonly knownAt?: number | undefined;
}

const columns = storedColumns(historicalHolding);
const order = 't.date, t.id';
const orderBy = `ORDER BY ${order}`;

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

  /** Lists by day, and within a day in the order of arrival. */
  async list({ where, from, to, knownAt, after, limit }: UploadQuery): Promise<HistoricalHolding[]> {
    const byFields = fieldConditions(historicalHolding, where, 4);
    const values: Value[] = [...tenantFilterValues(this.#scope), ...byFields.values];
    const addValue = (value: Value): string => `$${values.push(value)}`;
    const bounds = [
      ...(from === undefined ? [] : [`AND t.date >= ${addValue(from)}::date`]),
      ...(to === undefined ? [] : [`AND t.date <= ${addValue(to)}::date`]),
      ...(after === undefined ? [] : [`AND (t.date, t.id) > (${addValue(after.date)}::date, ${addValue(after.id)})`]),
    ];
    const known = knownAt === undefined ? undefined : knownAtBranches(addValue(endOfMillisecond(knownAt)));
    const limitParameter = addValue(limit);
    const page = (table: typeof allVersions, moment: string): string =>
      visiblePageSql({
        table,
        visibleClients: this.#scope.visibleClients.kind,
        columns: 't.*',
        conditions: `${moment} ${byFields.conditions} ${bounds.join(' ')}`,
        order,
        limit: limitParameter,
        size: writtenPageSize(limit),
        isOfOneClient: isOfOneClient(historicalHolding, where),
      });
    const pages =
      known === undefined ? [page(historicalHolding, '')] : known.map((moment) => page(allVersions, moment));
    const statement = memoizedText<HistoricalHolding>(
      'uploads',
      `SELECT ${columns} FROM (${pages.map((one) => `(${one})`).join(' UNION ALL ')}) t ${orderBy} LIMIT ${limitParameter}`,
    );
    return (await this.#run(statement, values)).rows;
  }

  /** Lists the cash and fees of these accounts and the units in these depositories, by day. */
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
    const moment = knownAt === undefined ? [] : [endOfMillisecond(knownAt)];
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), accounts, depositories, ...moment])).rows;
  }

  /** Sends the statement with the next batch, or with the commit. */
  incrementVersion(client: Id): void {
    const { workspaceId, environment } = this.#scope;
    this.#run.enqueue(incrementClientVersion, [workspaceId, environment, client]);
  }

  /** Returns the version of a client's uploads: uploads read at the same version are still current. */
  async version(client: Id): Promise<number> {
    const { workspaceId, environment } = this.#scope;
    return (await this.#run(clientVersion, [workspaceId, environment, client])).rows[0]?.version ?? 0;
  }
}
