// What statements have said about the entries of accounts: by reference, and by content where references say nothing.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, withoutOutcome, type Statement, type Value } from '../postgres/statement.ts';

export interface EntryKey {
  readonly account: Id;
  readonly reference: string;
}

export interface StatedEntry extends EntryKey {
  /** Amount, currency, instrument and units, as a digest; of a reversal, those of the entry that it reverses. */
  readonly content: string | null;
  readonly date: CalendarDate | null;
  readonly format: string;
  /** Of everything that was said last. */
  readonly digest: string | null;
  /** When the statement that said it was made. */
  readonly statedAt: number | null;
  /** The custodian gave no reference: it was derived from the content. */
  readonly isDerived: boolean;
  readonly isCancelled: boolean;
  readonly isReversal: boolean;
  /** A reversal whose original has not come yet. */
  readonly isWaiting: boolean;
  readonly transaction: Id | null;
  readonly importId: Id;
}

/** An entry together with the reference of its transaction, while that is current. */
export interface KnownEntry extends StatedEntry {
  readonly currentReference: string | null;
}

const columns = {
  account_id: 'text',
  reference: 'text',
  content: 'text',
  date: 'date',
  format: 'text',
  digest: 'text',
  stated_at: 'timestamptz',
  is_derived: 'boolean',
  is_cancelled: 'boolean',
  is_reversal: 'boolean',
  is_waiting: 'boolean',
  transaction_id: 'text',
  import_id: 'text',
} as const;
const names = Object.keys(columns);

const selected = `t.account_id AS account, t.reference, t.content, t.date, t.format, t.digest, t.stated_at AS "statedAt",
  t.is_derived AS "isDerived", t.is_cancelled AS "isCancelled", t.is_reversal AS "isReversal", t.is_waiting AS "isWaiting",
  t.transaction_id AS transaction, t.import_id AS "importId", c.external_reference AS "currentReference"`;

/**
 * Each key is looked up by itself, as a range in the sort order of one index: on a table that has grown since its last ANALYZE the
 * planner cannot tell the indexes apart, and may read all entries of an account, or all transactions, for each key.
 */
function lookup(name: string, keys: string, condition: string): Statement<KnownEntry> {
  const statement = sql<KnownEntry>(
    `stated-entries/${name}`,
    `SELECT ${selected} FROM unnest(${keys}) CROSS JOIN LATERAL (SELECT e.* FROM stated_entry e
       WHERE e.workspace_id = $1 AND e.environment = $2 AND ${condition}) t
     LEFT JOIN LATERAL (SELECT o.external_reference FROM transaction o WHERE o.workspace_id = $1 AND o.environment = $2 AND o.known_until IS NULL
       AND o.id >= t.transaction_id AND o.id <= t.transaction_id ORDER BY o.id LIMIT 1) c ON true`,
  );
  return { ...statement, plan: 'index-order' };
}

const byReference = lookup(
  'by-reference',
  '$3::text[], $4::text[]) s (account_id, reference',
  `(e.account_id, e.reference) >= (s.account_id, s.reference) AND (e.account_id, e.reference) <= (s.account_id, s.reference)
     ORDER BY e.account_id, e.reference LIMIT 1`,
);
const byContent = lookup(
  'by-content',
  '$3::text[], $4::text[], $5::date[]) s (account_id, content, date',
  `e.content IS NOT NULL AND (e.account_id, e.content, e.date) >= (s.account_id, s.content, s.date)
     AND (e.account_id, e.content, e.date) <= (s.account_id, s.content, s.date) AND NOT e.is_reversal
     ORDER BY e.account_id, e.content, e.date LIMIT 1000`,
);
const waiting = lookup(
  'waiting',
  '$3::text[], $4::text[]) s (account_id, content',
  `(e.account_id, e.content) >= (s.account_id, s.content) AND (e.account_id, e.content) <= (s.account_id, s.content)
     AND e.is_waiting ORDER BY e.account_id, e.content LIMIT 1000`,
);
const accountsWithWaiting = sql<{ account: Id }>(
  'stated-entries/accounts-with-waiting',
  `SELECT s.account_id AS account FROM unnest($3::text[]) s (account_id) WHERE EXISTS (SELECT FROM stated_entry e WHERE e.workspace_id = $1
     AND e.environment = $2 AND e.account_id = s.account_id AND e.is_waiting)`,
);
/** The latest entry of this content up to a day that is not cancelled. */
const reversible = lookup(
  'reversible',
  '$3::text[], $4::text[], $5::date[]) s (account_id, content, date',
  `e.content IS NOT NULL AND (e.account_id, e.content, e.date) >= (s.account_id, s.content, '-infinity'::date)
     AND (e.account_id, e.content, e.date) <= (s.account_id, s.content, s.date) AND NOT e.is_reversal AND NOT e.is_cancelled
     ORDER BY e.account_id DESC, e.content DESC, e.date DESC LIMIT 1000`,
);
const insertText = `INSERT INTO stated_entry AS t (workspace_id, environment, client_id, ${names.join(', ')})
   SELECT $1, $2, $3, ${names.map((name) => (name.startsWith('is_') ? `coalesce(s.${name}, false)` : `s.${name}`)).join(', ')}
   FROM unnest(${Object.values(columns)
     .map((type, index) => `$${4 + index}::${type}[]`)
     .join(', ')}) s (${names.join(', ')})`;
/** Faster than `putEntries`, and only for references of which nothing is known. */
const addEntries = sql('stated-entries/add', withoutOutcome(insertText));
const putEntries = sql(
  'stated-entries/put',
  `${insertText} ON CONFLICT (workspace_id, environment, account_id, reference)
   DO UPDATE SET ${names
     .slice(2)
     .map((name) => `${name} = excluded.${name}`)
     .join(', ')}`,
);

/** What an import has said last, except about rows that undoing it has kept. */
const forgetImport = sql(
  'stated-entries/forget',
  `DELETE FROM stated_entry t USING import_row r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.import_id = $3
     AND r.reference IS NOT NULL AND r.undo IS DISTINCT FROM 'kept' AND t.workspace_id = $1 AND t.environment = $2
     AND t.account_id = r.account_id AND t.reference = r.reference AND t.import_id = $3`,
);

const deleteOfAccount = sql(
  'stated-entries/delete-of-account',
  'DELETE FROM stated_entry WHERE workspace_id = $1 AND environment = $2 AND account_id = $3',
);

export class StatedEntries {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  async #find(statement: Statement<KnownEntry>, count: number, keys: readonly Value[]): Promise<KnownEntry[]> {
    return count === 0 ? [] : (await this.#run(statement, [...this.#tenant, ...keys])).rows;
  }

  listByReference(keys: readonly EntryKey[]): Promise<KnownEntry[]> {
    const [accounts, references] = [keys.map(({ account }) => account), keys.map(({ reference }) => reference)];
    return this.#find(byReference, keys.length, [accounts, references]);
  }

  /** Lists the entries of this content on its day; reversals do not count. */
  listByContent(keys: readonly ContentKey[]): Promise<KnownEntry[]> {
    return this.#find(byContent, keys.length, contentValues(keys));
  }

  async listAccountsWithWaiting(accounts: readonly Id[]): Promise<ReadonlySet<Id>> {
    if (accounts.length === 0) return new Set();
    const { rows } = await this.#run(accountsWithWaiting, [...this.#tenant, accounts]);
    return new Set(rows.map(({ account }) => account));
  }

  /** Lists reversals that wait for an entry of this content, whatever their day. */
  listWaiting(keys: readonly ContentKey[]): Promise<KnownEntry[]> {
    return this.#find(waiting, keys.length, contentValues(keys).slice(0, 2));
  }

  /** Lists what a reversal of this content and day may reverse, the latest first. */
  listReversible(keys: readonly ContentKey[]): Promise<KnownEntry[]> {
    return this.#find(reversible, keys.length, contentValues(keys));
  }

  /** Adds references of which nothing is known; whoever says so holds the lock of the client's ledger. Sent with the next statement. */
  add(client: Id, entries: readonly StatedEntry[]): void {
    this.#enqueue(addEntries, client, entries);
  }

  /** Sent with the next statement. Of two that have one reference, the later must be left out before. */
  put(client: Id, entries: readonly StatedEntry[]): void {
    this.#enqueue(putEntries, client, entries);
  }

  #enqueue(statement: Statement<unknown>, client: Id, entries: readonly StatedEntry[]): void {
    if (entries.length === 0) return;
    /** `unnest` takes null for an array of nulls, and a flag that is not there is false. */
    const flags = (valueOf: (entry: StatedEntry) => boolean): Value =>
      entries.some(valueOf) ? entries.map((entry) => (valueOf(entry) ? 't' : 'f')) : null;
    this.#run.enqueue(statement, [
      ...this.#tenant,
      client,
      entries.map(({ account }) => account),
      entries.map(({ reference }) => reference),
      entries.map(({ content }) => content),
      entries.map(({ date }) => date),
      entries.map(({ format }) => format),
      entries.map(({ digest }) => digest),
      entries.map(({ statedAt }) => (statedAt === null ? null : new Date(statedAt).toISOString())),
      flags(({ isDerived }) => isDerived),
      flags(({ isCancelled }) => isCancelled),
      flags(({ isReversal }) => isReversal),
      flags(({ isWaiting }) => isWaiting),
      entries.map(({ transaction }) => transaction),
      entries.map(({ importId }) => importId),
    ]);
  }

  /** Deletes what was said about an account, before it is deleted. Sent with the next statement. */
  deleteOfAccount(account: Id): void {
    this.#run.enqueue(deleteOfAccount, [...this.#tenant, account]);
  }

  /** Forgets what an import has said, when it is undone. */
  async forget(importId: Id): Promise<void> {
    await this.#run({ ...forgetImport, plan: 'set-wise' }, [...this.#tenant, importId]);
  }
}

export interface ContentKey {
  readonly account: Id;
  readonly content: string;
  readonly date: CalendarDate;
}

function contentValues(keys: readonly ContentKey[]): Value[] {
  return [keys.map(({ account }) => account), keys.map(({ content }) => content), keys.map(({ date }) => date)];
}
