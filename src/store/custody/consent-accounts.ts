// What a custodian lists for a consent, the numbers that rows of its feed wait for, and the imports that have such rows.

import type { Id } from '../../kit/id.ts';
import type { ConnectorAccount } from '../../model/custody/connector.ts';
import type { WaitingName } from '../../model/custody/consent-account.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

/** How many different numbers are listed that rows wait for. */
export const waitingNamesMax = 1_000;
/** How many imports are looked through for rows that wait, the latest first. */
export const waitingImportsMax = 1_000;

const findListed = sql<{ accounts: string | null; at: number | null }>(
  'consent-accounts/find',
  `SELECT a.listed_accounts::text AS accounts, a.listed_at AS at FROM authority a
   WHERE a.workspace_id = $1 AND a.environment = $2 AND a.id = $3`,
);

const saveListed = sql(
  'consent-accounts/save',
  `UPDATE authority SET listed_accounts = $4::jsonb, listed_at = $5 WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
);

/** Imports that a feed brought and that have rows which wait for something. */
const waitingImports = `SELECT i.id FROM feed_run f
   JOIN import i ON i.workspace_id = $1 AND i.environment = $2 AND i.id = ANY (f.imports) AND i.needs_count > 0 AND i.state = 'booked'
   WHERE f.workspace_id = $1 AND f.environment = $2 AND f.authority_id = $3 AND f.imports <> '{}'`;

const waitsForPlace = `r.outcome = 'needs' AND r.needs = 'account' AND r.undo IS NULL`;

/** A row waits for its depository or for its account; its code says for which. What only positions name is a depository. */
const listWaiting = sql<WaitingName>(
  'consent-accounts/waiting',
  `SELECT n.kind, n.number, n.currency, count(*)::int AS rows
   FROM (SELECT CASE WHEN w."isDepository" OR w.item = 'position' THEN 'securities' ELSE 'cash' END AS kind,
       w.named->>'number' AS number,
       CASE WHEN w."isDepository" OR w.item = 'position' THEN NULL ELSE coalesce(w.named->>'currency', w.currency) END AS currency
     FROM (SELECT r.item, r.stated->>'currency' AS currency, r.code LIKE 'depository-%' AS "isDepository",
         CASE WHEN r.code LIKE 'depository-%' THEN r.stated->'depository' ELSE r.stated->'account' END AS named
       FROM import_row r
       WHERE r.workspace_id = $1 AND r.environment = $2 AND r.import_id = ANY ($3::text[]) AND ${waitsForPlace}) w) n
   WHERE n.number IS NOT NULL
   GROUP BY n.kind, n.number, n.currency ORDER BY rows DESC, n.number, n.kind, n.currency LIMIT ${waitingNamesMax}`,
);

const listLatestImports = sql<{ id: Id }>(
  'consent-accounts/latest-imports',
  `${waitingImports} ORDER BY i.id DESC LIMIT ${waitingImportsMax}`,
);

const listImports = sql<{ id: Id; rows: number }>(
  'consent-accounts/imports',
  `SELECT i.id, (SELECT count(*)::int FROM import_row r
     WHERE r.workspace_id = $1 AND r.environment = $2 AND r.import_id = i.id AND ${waitsForPlace}) AS rows
   FROM (${waitingImports} AND i.id > $4 ORDER BY i.id LIMIT $5) i ORDER BY i.id`,
);

const requestBooking = sql(
  'consent-accounts/request-booking',
  `UPDATE authority SET rows_to_book_after = '' WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
);

const moveBooking = sql(
  'consent-accounts/move-booking',
  `UPDATE authority SET rows_to_book_after = $5 WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND rows_to_book_after = $4`,
);

const listRequested = sql<{ id: Id; after: string }>(
  'consent-accounts/requested',
  `SELECT a.id, a.rows_to_book_after AS after FROM authority a
   WHERE a.workspace_id = $1 AND a.environment = $2 AND a.rows_to_book_after IS NOT NULL ORDER BY a.id LIMIT $3`,
);

const listAccounts = sql<PlaceRecord>(
  'consent-accounts/accounts',
  `SELECT t.id, t.name, t.legal_entity_id AS "legalEntity", t.custodian_id AS custodian, t.external_identifier AS number FROM account t
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::text[])`,
);

const listDepositories = sql<PlaceRecord>(
  'consent-accounts/depositories',
  `SELECT t.id, t.name, t.legal_entity_id AS "legalEntity", NULL::text AS custodian, t.external_identifier AS number FROM depository t
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::text[])`,
);

/** Each depository with each of its accounts. */
const listSettling = sql<{ depository: Id; account: Id }>(
  'consent-accounts/settling',
  `SELECT l.depository_id AS depository, l.account_id AS account FROM account_depository l
   WHERE l.workspace_id = $1 AND l.environment = $2 AND l.depository_id = ANY ($3::text[]) ORDER BY depository, account`,
);

/** A record that a number may mean. */
export interface PlaceRecord {
  readonly id: Id;
  readonly name: string;
  readonly legalEntity: Id;
  readonly custodian: Id | null;
  readonly number: string | null;
}

export class ConsentAccounts {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** What the custodian listed last, and when; null if it never has. */
  async findListed(
    authority: Id,
  ): Promise<{ readonly accounts: readonly ConnectorAccount[]; readonly at: number } | null> {
    const [row] = (await this.#run(findListed, [...this.#tenant, authority])).rows;
    if (row === undefined || row.accounts === null || row.at === null) return null;
    return { accounts: JSON.parse(row.accounts), at: row.at };
  }

  async saveListed(authority: Id, accounts: readonly ConnectorAccount[], now: number): Promise<void> {
    await this.#run(saveListed, [...this.#tenant, authority, JSON.stringify(accounts), new Date(now)]);
  }

  /** The numbers that rows of the authority's feed wait for, those with the most rows first. */
  async listWaiting(authority: Id): Promise<readonly WaitingName[]> {
    const imports = (await this.#run(listLatestImports, [...this.#tenant, authority])).rows.map(({ id }) => id);
    if (imports.length === 0) return [];
    return (await this.#run(listWaiting, [...this.#tenant, imports])).rows;
  }

  /** Imports with rows that wait, after one of them, the oldest first, each with how many rows wait for an account or depository. */
  async listWaitingImports(
    authority: Id,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly id: Id; readonly rows: number }[]> {
    return (await this.#run(listImports, [...this.#tenant, authority, after, limit])).rows;
  }

  /** Asks for the rows that wait to be booked in the background, from the first import on. */
  async requestBooking(authority: Id): Promise<void> {
    await this.#run(requestBooking, [...this.#tenant, authority]);
  }

  /** Records how far they are booked; null when all are. Returns false if it was asked for again, or another node did it. */
  async moveBooking(
    authority: Id,
    { from, to }: { readonly from: string; readonly to: string | null },
  ): Promise<boolean> {
    return (await this.#run(moveBooking, [...this.#tenant, authority, from, to])).count === 1;
  }

  /** Authorities whose waiting rows are to be booked, and after which import. */
  async listRequested(limit: number): Promise<readonly { readonly id: Id; readonly after: string }[]> {
    return (await this.#run(listRequested, [...this.#tenant, limit])).rows;
  }

  async listRecords(type: 'account' | 'depository', ids: readonly Id[]): Promise<readonly PlaceRecord[]> {
    if (ids.length === 0) return [];
    return (await this.#run(type === 'account' ? listAccounts : listDepositories, [...this.#tenant, ids])).rows;
  }

  /** The accounts that settle through each depository. */
  async listSettling(depositories: readonly Id[]): Promise<ReadonlyMap<Id, readonly Id[]>> {
    if (depositories.length === 0) return new Map();
    const { rows } = await this.#run(listSettling, [...this.#tenant, depositories]);
    const grouped = Map.groupBy(rows, ({ depository }) => depository);
    return new Map([...grouped].map(([id, group]) => [id, group.map(({ account }) => account)]));
  }
}
