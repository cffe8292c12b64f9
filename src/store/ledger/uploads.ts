// Historical uploads as far as one reach goes: listed by day, all that is known of some places, now or at an earlier moment, and
// the number that a client's uploads have come to. Writing them is the versions' part. Knows no engine.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { historicalHolding, type HistoricalHolding } from '../../model/ledger/historical-holding.ts';
import type { Reach } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { everyVersionOf, foundByFields, knownThen, storedColumns, wallOf, within } from '../resources/resource-sql.ts';
import { rememberedText, sql, type Value } from '../postgres/statement.ts';

/** Where in a list an upload stands. */
export interface UploadPlace {
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
  readonly after?: UploadPlace | undefined;
  readonly limit: number;
}

export interface UploadedPlaces {
  readonly accounts: readonly Id[];
  readonly depositories: readonly Id[];
  /** As they were known then; now, where there is none. */
  readonly knownAt?: number | undefined;
}

const columns = storedColumns(historicalHolding, null);
const inOrder = 'ORDER BY t.date, t.id';

const everyVersion = everyVersionOf(historicalHolding);

const raiseClient = sql(
  'uploads/raise',
  `INSERT INTO upload_ledger AS l (workspace_id, environment, client_id, version) VALUES ($1, $2, $3, 1)
   ON CONFLICT (workspace_id, environment, client_id) DO UPDATE SET version = l.version + 1`,
);

const versionOfClient = sql<{ version: number }>(
  'uploads/version',
  'SELECT version FROM upload_ledger WHERE workspace_id = $1 AND environment = $2 AND client_id = $3',
);

export class Uploads {
  readonly #reach: Reach;
  readonly #run: Run;

  constructor(reach: Reach, run: Run) {
    this.#reach = reach;
    this.#run = run;
  }

  /** By day, those of one day in the order they came in. */
  async list({ where, from, to, knownAt, after, limit }: UploadQuery): Promise<HistoricalHolding[]> {
    const byFields = foundByFields(historicalHolding, where, 4);
    const values: Value[] = [...wallOf(this.#reach), ...byFields.values];
    const put = (value: Value): string => `$${values.push(value)}`;
    const bounds = [
      ...(from === undefined ? [] : [`AND t.date >= ${put(from)}::date`]),
      ...(to === undefined ? [] : [`AND t.date <= ${put(to)}::date`]),
      ...(after === undefined ? [] : [`AND (t.date, t.id) > (${put(after.date)}::date, ${put(after.id)})`]),
    ];
    const { sight } = this.#reach;
    const ways =
      knownAt === undefined
        ? [within(historicalHolding, sight.kind)]
        : knownThen(put(new Date(knownAt))).map((known) => `${within(everyVersion, sight.kind)} ${known}`);
    const most = put(limit);
    const pages = ways.map(
      (way) =>
        `(SELECT t.* FROM historical_holding t WHERE ${way} ${byFields.conditions} ${bounds.join(' ')} ${inOrder} LIMIT ${most})`,
    );
    const statement = rememberedText<HistoricalHolding>(
      'uploads',
      `SELECT ${columns} FROM (${pages.join(' UNION ALL ')}) t ${inOrder} LIMIT ${most}`,
    );
    return (await this.#run(statement, values)).rows;
  }

  /** All that is known of the cash and fees of these accounts and of the units in these depositories, by day. */
  async listOf({ accounts, depositories, knownAt }: UploadedPlaces): Promise<HistoricalHolding[]> {
    const wall = within(everyVersion, this.#reach.sight.kind);
    const ways = knownAt === undefined ? ['AND t.known_until IS NULL'] : knownThen('$6');
    const of = (column: string, ids: string): readonly string[] =>
      ways.map(
        (known) => `SELECT t.* FROM historical_holding t WHERE ${wall} ${known} AND t.${column} = ANY (${ids}::text[])`,
      );
    const rows = [...of('account_id', '$4'), ...of('depository_id', '$5')];
    const statement = rememberedText<HistoricalHolding>(
      'uploads',
      `SELECT ${columns} FROM (${rows.join(' UNION ALL ')}) t ${inOrder}`,
    );
    const moment = knownAt === undefined ? [] : [new Date(knownAt)];
    return (await this.#run(statement, [...wallOf(this.#reach), accounts, depositories, ...moment])).rows;
  }

  /** Goes with what is sent next, or with the commit. */
  raise(client: Id): void {
    const { workspaceId, environment } = this.#reach;
    this.#run.later(raiseClient, [workspaceId, environment, client]);
  }

  /** The number that a client's uploads have come to: what was read under the same one is as fresh as can be. */
  async version(client: Id): Promise<number> {
    const { workspaceId, environment } = this.#reach;
    return (await this.#run(versionOfClient, [workspaceId, environment, client])).rows[0]?.version ?? 0;
  }
}
