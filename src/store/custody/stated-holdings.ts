// Stated holdings within one scope: finds those that say the same already, adds new ones, and closes those of an import or a place.

import type { Id } from '../../kit/id.ts';
import { statedSubject, type StatedHolding } from '../../model/custody/stated-holding.ts';
import type { Scope } from '../../model/access/scope.ts';
import { endingMomentSql } from '../resources/resource-sql.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

const isCurrent = 's.workspace_id = $1 AND s.environment = $2 AND s.known_until IS NULL';

const rows = `jsonb_to_recordset($3::jsonb) AS n (id text, client text, kind text, account text, depository text, instrument text,
  named jsonb, subject text, date date, quantity numeric, currency text, price numeric, "priceDate" date, value numeric,
  "valueCurrency" text, cost numeric, "statedAt" timestamptz)`;

/** The rows, by their ids, that another import has stated already, word for word. */
const findStated = sql<{ id: string }>(
  'stated-holdings/find',
  `SELECT n.id FROM ${rows} WHERE EXISTS (SELECT FROM stated_holding s WHERE ${isCurrent} AND s.client_id = n.client
     AND s.place = coalesce(n.account, '') || '/' || coalesce(n.depository, '') AND s.date = n.date AND s.subject = n.subject
     AND s.import_id <> $4 AND s.quantity = n.quantity
     AND (s.currency, s.price, s.price_date, s.value, s.value_currency, s.cost, s.stated_at) IS NOT DISTINCT FROM
       (n.currency, n.price, n."priceDate", n.value, n."valueCurrency", n.cost, n."statedAt"))`,
);

const insert = sql(
  'stated-holdings/insert',
  `INSERT INTO stated_holding (workspace_id, environment, id, known_from, client_id, import_id, kind, account_id, depository_id,
     instrument_id, named, subject, date, quantity, currency, price, price_date, value, value_currency, cost, stated_at)
   SELECT $1, $2, n.id, $5, n.client, $4, n.kind, n.account, n.depository, n.instrument, n.named, n.subject, n.date, n.quantity,
     n.currency, n.price, n."priceDate", n.value, n."valueCurrency", n.cost, n."statedAt" FROM ${rows}`,
);

const setEnd = `UPDATE stated_holding s SET known_until = ${endingMomentSql('$3', 's.known_from')}`;

const closeImport = sql<{ client: Id }>(
  'stated-holdings/close-import',
  `${setEnd} WHERE ${isCurrent} AND s.import_id = $4 RETURNING s.client_id AS client`,
);

const closePlace = (column: string) =>
  sql(
    `stated-holdings/close-${column}`,
    `${setEnd} WHERE s.workspace_id = $1 AND s.current_environment = $2 AND s.${column} = $4`,
  );
const closeAccount = closePlace('account_id');
const closeDepository = closePlace('depository_id');

export interface IdentifiedHolding {
  readonly id: Id;
  readonly holding: StatedHolding;
}

/** Decimals stay text, so that no digit is lost. */
function asJson(holdings: readonly IdentifiedHolding[]): string {
  return JSON.stringify(
    holdings.map(({ id, holding }) => ({
      ...holding,
      id,
      subject: statedSubject(holding),
      statedAt: holding.statedAt === null ? null : new Date(holding.statedAt),
    })),
  );
}

export class StatedHoldings {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** The ids of those that another import than this one has stated already. */
  async listStated(importId: Id, holdings: readonly IdentifiedHolding[]): Promise<ReadonlySet<string>> {
    const outcome = await this.#run(findStated, [...this.#tenant, asJson(holdings), importId]);
    return new Set(outcome.rows.map(({ id }) => id));
  }

  async insert(importId: Id, holdings: readonly IdentifiedHolding[], now: number): Promise<void> {
    await this.#run(insert, [...this.#tenant, asJson(holdings), importId, new Date(now)]);
  }

  /** Returns the client of each row that was closed. */
  async closeImport(importId: Id, now: number): Promise<readonly Id[]> {
    return (await this.#run(closeImport, [...this.#tenant, new Date(now), importId])).rows.map(({ client }) => client);
  }

  /** Closes what is stated of an account that is deleted. Enqueued. */
  closeAccount(account: Id, now: number): void {
    this.#run.enqueue(closeAccount, [...this.#tenant, new Date(now), account]);
  }

  /** Closes what is stated of a depository that is deleted. Enqueued. */
  closeDepository(depository: Id, now: number): void {
    this.#run.enqueue(closeDepository, [...this.#tenant, new Date(now), depository]);
  }
}
