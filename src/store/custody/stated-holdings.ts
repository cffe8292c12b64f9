// Stated holdings within one scope: lists the latest of each place, finds those that say the same already, adds new ones, and closes those of
// an import or a place.

import { append } from '../../kit/memory/long-list.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { statedSubject, type StatedHolding } from '../../model/custody/stated-holding.ts';
import type { Scope } from '../../model/access/scope.ts';
import { endOfMillisecond, wasKnownAt } from '../resources/known-at-sql.ts';
import { endingMomentSql, tenantFilterSql, tenantFilterValues, type OwnedTable } from '../resources/resource-sql.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoizedText, sql, withoutOutcome, type Value } from '../postgres/statement.ts';

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
  withoutOutcome(`INSERT INTO stated_holding (workspace_id, environment, id, known_from, client_id, import_id, kind, account_id, depository_id,
     instrument_id, named, subject, date, quantity, currency, price, price_date, value, value_currency, cost, stated_at)
   SELECT $1, $2, n.id, $5, n.client, $4, n.kind, n.account, n.depository, n.instrument, n.named, n.subject, n.date, n.quantity,
     n.currency, n.price, n."priceDate", n.value, n."valueCurrency", n.cost, n."statedAt" FROM ${rows}`),
);

const setEnd = `UPDATE stated_holding s SET known_until = ${endingMomentSql('$3', 's.known_from')}`;

const closeImport = sql<{ client: Id }>(
  'stated-holdings/close-import',
  `${setEnd} WHERE ${isCurrent} AND s.import_id = $4 RETURNING s.client_id AS client`,
);

/** The accounts whose cash an import has stated. */
const listCashAccounts = sql<{ account: Id }>(
  'stated-holdings/cash-accounts',
  `SELECT DISTINCT s.account_id AS account FROM stated_holding s
   WHERE ${isCurrent} AND s.import_id = $3 AND s.kind = 'cash' AND s.account_id IS NOT NULL`,
);

const closePlace = (column: string) =>
  sql(
    `stated-holdings/close-${column}`,
    `${setEnd} WHERE s.workspace_id = $1 AND s.current_environment = $2 AND s.${column} = $4`,
  );
const closeAccount = closePlace('account_id');
const closeDepository = closePlace('depository_id');

/** Whose rows the table holds. */
const owned: OwnedTable = { owner: { relation: 'client' }, relations: { client: { to: 'client' } } };

const columns = `t.client_id AS client, t.kind, t.account_id AS account, t.depository_id AS depository,
  (SELECT i.id FROM instrument i WHERE i.workspace_id = $1 AND i.environment = $2 AND i.id = t.instrument_id) AS instrument, t.named,
  t.date, t.quantity, t.currency, t.price, t.price_date AS "priceDate", t.value, t.value_currency AS "valueCurrency", t.cost,
  t.stated_at AS "statedAt", t.import_id AS "importId", t.subject,
  coalesce(t.stated_at, t.known_from) AS "countsFrom", t.id`;

/** Of two statements about the same, the later counts. */
const laterFirst = 'coalesce(t.stated_at, t.known_from) DESC, t.id DESC';

/** Lines that are read at a time. */
export const statedPageSize = 20_000;
/** How many earlier statements of one holding are looked at. */
const earlierMax = 60;

/** The moment is $5, null for now. */
function knownSql(knownAt: number | undefined): string {
  return knownAt === undefined ? 't.known_until IS NULL AND $5::timestamptz IS NULL' : wasKnownAt('$5');
}

/** The lines of the latest statement of each place, of units and of cash, on or before $6. Skips from place to place along the index. */
function latestText(isKnown: string, tenant: string): string {
  const ofClient = `FROM stated_holding t WHERE ${tenant} AND t.client_id = $4 AND ${isKnown}`;
  return `WITH RECURSIVE place_kind AS (
      (SELECT t.place, t.kind ${ofClient} ORDER BY t.place, t.kind LIMIT 1)
      UNION ALL SELECT n.place, n.kind FROM place_kind p CROSS JOIN LATERAL
        (SELECT t.place, t.kind ${ofClient} AND (t.place, t.kind) > (p.place, p.kind) ORDER BY t.place, t.kind LIMIT 1) n),
    latest AS MATERIALIZED (SELECT p.place, p.kind, d.date FROM place_kind p CROSS JOIN LATERAL
      (SELECT t.date ${ofClient} AND t.place = p.place AND t.kind = p.kind AND t.date <= $6 ORDER BY t.date DESC LIMIT 1) d)
    SELECT ${columns} FROM latest l JOIN stated_holding t ON t.place = l.place AND t.kind = l.kind AND t.date = l.date
      AND ${tenant} AND t.client_id = $4 AND ${isKnown}
    WHERE (t.place, t.kind, t.subject, t.id) > ($7, $8, $9, $10)
    ORDER BY t.place, t.kind, t.subject, t.id LIMIT ${statedPageSize}`;
}

/** What was stated of the same holdings before, the latest first. */
function earlierText(isKnown: string, tenant: string): string {
  return `SELECT e.* FROM unnest($6::text[], $7::text[], $8::date[]) k (place, subject, date) CROSS JOIN LATERAL
    (SELECT ${columns}, t.place FROM stated_holding t WHERE ${tenant} AND t.client_id = $4 AND ${isKnown}
       AND t.place = k.place AND t.subject = k.subject AND t.date < k.date ORDER BY t.date DESC, ${laterFirst} LIMIT ${earlierMax}) e`;
}

/** What an import stated. */
export interface StoredHolding extends StatedHolding {
  readonly id: Id;
  readonly importId: Id;
  /** When it was stated or, if nobody says, recorded: of two statements about the same, the later counts. */
  readonly countsFrom: number;
  readonly subject: string;
}

export interface StatedQuery {
  readonly client: Id;
  /** Reads what was known at this moment; what is known now when absent. */
  readonly knownAt?: number | undefined;
}

export interface StatedKey {
  readonly account: string | null;
  readonly depository: string | null;
  readonly subject: string;
  readonly date: CalendarDate;
}

/** As the database computes it. */
function placeOf({ account, depository }: Pick<StatedKey, 'account' | 'depository'>): string {
  return `${account ?? ''}/${depository ?? ''}`;
}

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
  readonly #scope: Scope;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#scope = scope;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  /** All lines of the latest statement of each place on or before a day, ordered by place and subject. */
  async listLatest(query: StatedQuery & { readonly until: CalendarDate }): Promise<StoredHolding[]> {
    const lines: StoredHolding[] = [];
    for (let after = ['', '', '', '']; ;) {
      const page = await this.#list(latestText, query, [query.until, ...after]);
      append(lines, page);
      const last = page.at(-1);
      if (last === undefined || page.length < statedPageSize) return lines;
      after = [placeOf(last), last.kind, last.subject, last.id];
    }
  }

  /** What was stated earlier of the same holdings, at most so many statements back. */
  listEarlier(query: StatedQuery, keys: readonly StatedKey[]): Promise<StoredHolding[]> {
    const places = keys.map(placeOf);
    const values = [places, keys.map(({ subject }) => subject), keys.map(({ date }) => date)];
    return this.#list(earlierText, query, values);
  }

  async #list(
    text: (isKnown: string, tenant: string) => string,
    { client, knownAt }: StatedQuery,
    values: readonly Value[],
  ): Promise<StoredHolding[]> {
    const tenant = tenantFilterSql(owned, this.#scope.visibleClients.kind);
    const statement = memoizedText<StoredHolding>('stated-holdings', text(knownSql(knownAt), tenant));
    const moment = knownAt === undefined ? null : endOfMillisecond(knownAt);
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), client, moment, ...values])).rows;
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

  /** The accounts whose cash an import has stated. */
  async listCashAccounts(importId: Id): Promise<ReadonlySet<Id>> {
    return new Set((await this.#run(listCashAccounts, [...this.#tenant, importId])).rows.map(({ account }) => account));
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
