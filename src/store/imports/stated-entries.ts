// What statements have said about the entries of accounts: by reference, and by content where references say nothing.

import { assert } from '../../kit/assert.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, withoutOutcome, type Statement, type Value } from '../postgres/statement.ts';
import { plainArrayText } from '../postgres/text-format.ts';

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
  digest: 'text',
  stated_at: 'timestamptz',
  is_derived: 'boolean',
  is_cancelled: 'boolean',
  is_reversal: 'boolean',
  is_waiting: 'boolean',
  transaction_id: 'text',
  format: 'text',
  import_id: 'text',
} as const;
const names = Object.keys(columns) as (keyof typeof columns)[];

const selected = `t.account_id AS account, t.reference, t.content, t.date, t.format, t.digest, t.stated_at AS "statedAt",
  t.is_derived AS "isDerived", t.is_cancelled AS "isCancelled", t.is_reversal AS "isReversal", t.is_waiting AS "isWaiting",
  t.transaction_id AS transaction, t.import_id AS "importId", c.external_reference AS "currentReference"`;

/**
 * Each key is looked up by itself, as a range in the sort order of one index: on a table that has grown since its last ANALYZE the
 * planner cannot tell the indexes apart, and may read all entries of an account, or all transactions, for each key.
 */
function lookup(name: string, keys: string, condition: string, guard = 'true'): Statement<KnownEntry> {
  const statement = sql<KnownEntry>(
    `stated-entries/${name}`,
    `SELECT ${selected} FROM (SELECT * FROM unnest(${keys}) WHERE ${guard}) s CROSS JOIN LATERAL (SELECT e.* FROM stated_entry e
       WHERE e.workspace_id = $1 AND e.environment = $2 AND ${condition}) t
     LEFT JOIN LATERAL (SELECT o.external_reference FROM transaction o WHERE o.workspace_id = $1 AND o.environment = $2 AND o.known_until IS NULL
       AND o.id >= t.transaction_id AND o.id <= t.transaction_id ORDER BY o.id LIMIT 1) c ON true`,
  );
  return { ...statement, plan: 'index-order' };
}

/**
 * Custodians mostly count their references up, so that none of very many new ones is within the range of those that are there: asking once
 * whether any is saves looking for each.
 */
const isAnyReferenceInRange = `(SELECT true FROM stated_entry e WHERE e.workspace_id = $1 AND e.environment = $2
    AND (e.account_id, e.reference) >= ((SELECT min(k COLLATE "C") FROM unnest($3::text[]) k), (SELECT min(k COLLATE "C") FROM unnest($4::text[]) k))
    AND (e.account_id, e.reference) <= ((SELECT max(k COLLATE "C") FROM unnest($3::text[]) k), (SELECT max(k COLLATE "C") FROM unnest($4::text[]) k))
    ORDER BY e.account_id, e.reference LIMIT 1)`;
const byReference = lookup(
  'by-reference',
  '$3::text[], $4::text[]) s (account_id, reference',
  `(e.account_id, e.reference) >= (s.account_id, s.reference) AND (e.account_id, e.reference) <= (s.account_id, s.reference)
     ORDER BY e.account_id, e.reference LIMIT 1`,
  isAnyReferenceInRange,
);
const byContent = lookup(
  'by-content',
  '$3::text[], $4::text[], $5::date[]) s (account_id, content, date',
  `e.content IS NOT NULL AND (e.content, e.account_id, e.date) >= (s.content, s.account_id, s.date)
     AND (e.content, e.account_id, e.date) <= (s.content, s.account_id, s.date) AND NOT e.is_reversal
     ORDER BY e.content, e.account_id, e.date LIMIT 1000`,
);
const waiting = lookup(
  'waiting',
  '$3::text[], $4::text[]) s (account_id, content',
  `(e.account_id, e.content) >= (s.account_id, s.content) AND (e.account_id, e.content) <= (s.account_id, s.content)
     AND e.is_waiting ORDER BY e.account_id, e.content LIMIT 1000`,
);
const accountsWithWaiting: Statement<{ account: Id }> = {
  ...sql(
    'stated-entries/accounts-with-waiting',
    `SELECT s.account_id AS account FROM unnest($3::text[]) s (account_id) CROSS JOIN LATERAL (SELECT FROM stated_entry e
       WHERE e.workspace_id = $1 AND e.environment = $2 AND e.account_id = s.account_id AND e.is_waiting ORDER BY e.content LIMIT 1) t`,
  ),
  plan: 'index-order',
};
/** The latest entry of this content up to a day that is not cancelled. */
const reversible = lookup(
  'reversible',
  '$3::text[], $4::text[], $5::date[]) s (account_id, content, date',
  `e.content IS NOT NULL AND (e.content, e.account_id, e.date) >= (s.content, s.account_id, '-infinity'::date)
     AND (e.content, e.account_id, e.date) <= (s.content, s.account_id, s.date) AND NOT e.is_reversal AND NOT e.is_cancelled
     ORDER BY e.content DESC, e.account_id DESC, e.date DESC LIMIT 1000`,
);
const insertText = `INSERT INTO stated_entry AS t (workspace_id, environment, client_id, ${names.join(', ')})
   SELECT $1, $2, $3, ${names.map((name) => `s.${name}`).join(', ')}
   FROM unnest(${Object.values(columns)
     .map((type, index) => `$${4 + index}::${type}[]`)
     .join(', ')}) s (${names.join(', ')})`;
/** What differs between the new entries of one import. */
const newColumns = names.filter((name) => name !== 'format' && name !== 'import_id');
/**
 * Faster than `putEntries`, and only for references of which nothing is known. Arrays are unnested where they are selected: in FROM, each would
 * be stored first.
 */
const addEntries = sql(
  'stated-entries/add',
  withoutOutcome(`INSERT INTO stated_entry (workspace_id, environment, client_id, format, import_id, ${newColumns.join(', ')})
   SELECT $1, $2, $3, $4, $5, ${newColumns.map((name, index) => `unnest($${6 + index}::${columns[name]}[])`).join(', ')}`),
);
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
  prepareNew(client: Id, entries: readonly StatedEntry[]): () => void {
    const [first] = entries;
    if (first === undefined) return () => {};
    const { format, importId } = first;
    assert(
      entries.every((one) => one.importId === importId && one.format === format),
      'new entries are those of one import',
    );
    const values = [...this.#tenant, client, format, importId, ...entryValues(entries)];
    return () => this.#run.enqueue(addEntries, values);
  }

  /** Sent with the next statement. Of two that have one reference, the later must be left out before. */
  put(client: Id, entries: readonly StatedEntry[]): void {
    if (entries.length === 0) return;
    const others = [entries.map(({ format }) => format), entries.map(({ importId }) => importId)];
    this.#run.enqueue(putEntries, [...this.#tenant, client, ...entryValues(entries), ...others]);
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

/** Ids, digests, days and moments, which need no quotes. */
function plainValues(entries: readonly StatedEntry[], valueOf: (entry: StatedEntry) => string | null): string {
  return plainArrayText(entries.map((entry) => valueOf(entry) ?? 'NULL'));
}

function flagValues(entries: readonly StatedEntry[], valueOf: (entry: StatedEntry) => boolean): string {
  return plainArrayText(entries.map((entry) => (valueOf(entry) ? 't' : 'f')));
}

/** All entries of a statement say the same moment. */
function momentTexts(): (moment: number | null) => string | null {
  let [last, text]: [number, string] = [Number.NaN, ''];
  return (moment) => {
    if (moment === null) return null;
    if (moment !== last) [last, text] = [moment, new Date(moment).toISOString()];
    return text;
  };
}

/** The values of all columns but the last two. */
function entryValues(entries: readonly StatedEntry[]): Value[] {
  const momentText = momentTexts();
  return [
    plainValues(entries, ({ account }) => account),
    entries.map(({ reference }) => reference),
    plainValues(entries, ({ content }) => content),
    plainValues(entries, ({ date }) => date),
    plainValues(entries, ({ digest }) => digest || (digest === '' ? '""' : null)),
    plainValues(entries, ({ statedAt }) => momentText(statedAt)),
    flagValues(entries, ({ isDerived }) => isDerived),
    flagValues(entries, ({ isCancelled }) => isCancelled),
    flagValues(entries, ({ isReversal }) => isReversal),
    flagValues(entries, ({ isWaiting }) => isWaiting),
    plainValues(entries, ({ transaction }) => transaction),
  ];
}
