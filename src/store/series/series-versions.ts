// Counts versions of instruments' series and of the exchange rates. Each counter stays locked until its transaction ends: a
// reader that sees a version sees everything written before it.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, sql } from '../postgres/statement.ts';
import { endingMomentSql } from '../resources/resource-sql.ts';

/** An instrument and the client that it is private to. */
interface SeriesOwner {
  readonly id: Id;
  readonly client: Id | null;
}

const openSeries = sql(
  'series-numbers/open',
  `INSERT INTO series_ledger (workspace_id, environment, instrument_id, client_id, version) VALUES ($1, $2, $3, $4, 0)
   ON CONFLICT DO NOTHING`,
);

/** Of many, in the order of their ids. */
const openAllSeries = sql(
  'series-numbers/open-all',
  `INSERT INTO series_ledger (workspace_id, environment, instrument_id, client_id, version)
   SELECT $1, $2, s.id, s.client, 0 FROM unnest($3::text[], $4::text[]) AS s (id, client) ORDER BY s.id
   ON CONFLICT DO NOTHING`,
);

const incrementAllSeriesVersions = sql(
  'series-numbers/raise-all',
  `INSERT INTO series_ledger AS l (workspace_id, environment, instrument_id, client_id, version)
   SELECT $1, $2, s.id, s.client, 1 FROM unnest($3::text[], $4::text[]) AS s (id, client) ORDER BY s.id
   ON CONFLICT (workspace_id, environment, instrument_id) DO UPDATE SET version = l.version + 1`,
);

const incrementSeriesVersion = sql(
  'series-numbers/raise',
  `INSERT INTO series_ledger AS l (workspace_id, environment, instrument_id, client_id, version) VALUES ($1, $2, $3, $4, 1)
   ON CONFLICT (workspace_id, environment, instrument_id) DO UPDATE SET version = l.version + 1`,
);

const closeSeries = sql(
  'series-numbers/close',
  `UPDATE series_ledger l SET known_until = $4, version = l.version + 1
   WHERE l.workspace_id = $1 AND l.environment = $2 AND l.instrument_id = $3`,
);

const closePoints = sql(
  'series-numbers/close-points',
  `UPDATE series_point t SET known_until = ${endingMomentSql('$4', 't.known_from')}
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.instrument_id = $3 AND t.known_until IS NULL`,
);

const listSeries = sql<{ instrument_id: Id; version: number }>(
  'series-numbers/list',
  `SELECT instrument_id, version FROM series_ledger
   WHERE workspace_id = $1 AND environment = $2 AND instrument_id = ANY (${arrayOfAnyLength('$3')})`,
);

const incrementRatesVersion = sql(
  'series-numbers/raise-rates',
  `INSERT INTO rate_ledger AS l (workspace_id, environment, version) VALUES ($1, $2, 1)
   ON CONFLICT (workspace_id, environment) DO UPDATE SET version = l.version + 1`,
);

const getRatesVersion = sql<{ version: number }>(
  'series-numbers/rates',
  'SELECT version FROM rate_ledger WHERE workspace_id = $1 AND environment = $2',
);

export class SeriesVersions {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** Creates the counter of an instrument that may have no points yet. Like all writes here, it is sent with the next batch. */
  open({ id, client }: SeriesOwner): void {
    this.#run.enqueue(openSeries, [...this.#tenant, id, client]);
  }

  openAll(owners: readonly SeriesOwner[]): void {
    this.#run.enqueue(openAllSeries, [...this.#tenant, owners.map(({ id }) => id), owners.map(({ client }) => client)]);
  }

  incrementVersions(owners: readonly SeriesOwner[]): void {
    const columns = [owners.map(({ id }) => id), owners.map(({ client }) => client)] as const;
    this.#run.enqueue(incrementAllSeriesVersions, [...this.#tenant, ...columns]);
  }

  incrementVersion({ id, client }: SeriesOwner): void {
    this.#run.enqueue(incrementSeriesVersion, [...this.#tenant, id, client]);
  }

  /** Ends the series of a deleted instrument: its points are closed, and what was known before stays readable. */
  close({ id }: SeriesOwner, now: number): void {
    this.#run.enqueue(closePoints, [...this.#tenant, id, new Date(now)]);
    this.#run.enqueue(closeSeries, [...this.#tenant, id, new Date(now)]);
  }

  /**
   * Returns the version of each series: points read at the same version are still current. Leaves out instruments that never had
   * a point.
   */
  async list(instrumentIds: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    const { rows } = await this.#run(listSeries, [...this.#tenant, instrumentIds]);
    return new Map(rows.map((row) => [row.instrument_id, row.version]));
  }

  incrementRatesVersion(): void {
    this.#run.enqueue(incrementRatesVersion, this.#tenant);
  }

  async getRatesVersion(): Promise<number> {
    return (await this.#run(getRatesVersion, this.#tenant)).rows[0]?.version ?? 0;
  }
}
