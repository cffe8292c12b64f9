// Reads the transactions that move certain accounts or depositories, the newest first, and all versions of one. Each place is read
// from its own index up to the size of a page, so that a page costs the same however long the ledger is.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Scope } from '../../model/access/scope.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoizedText, type Value } from '../postgres/statement.ts';
import { endOfMillisecond, knownAtBranches } from '../resources/known-at-sql.ts';
import { tenantFilterSql, tenantFilterValues, withoutVersionFilter } from '../resources/resource-sql.ts';
import { ledgerRowColumns, type LedgerPosition, type LedgerRow } from './ledger-reader.ts';

/** The places whose transactions are read. */
export interface ActivityPlaces {
  readonly accounts: readonly string[];
  readonly depositories: readonly string[];
}

/** A word of a search, and the records whose names have it. */
export interface SearchedWord {
  /** In lower case. */
  readonly word: string;
  readonly instruments: readonly string[];
  readonly accounts: readonly string[];
}

export interface ActivityQuery {
  readonly places: ActivityPlaces;
  /** Left out: private to other reporting entities. */
  readonly hiddenInstruments: readonly string[];
  /** Both days are included. */
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  readonly instrument?: string | undefined;
  readonly type?: string | undefined;
  /** Whether cash came in or went out. */
  readonly cash?: 'in' | 'out' | undefined;
  /** All of them must be found. */
  readonly words: readonly SearchedWord[];
  readonly knownAt?: number | undefined;
}

export interface ActivityPageQuery extends ActivityQuery {
  readonly after?: LedgerPosition | undefined;
  readonly limit: number;
}

/** A transaction with the time at which this version of it was recorded, and replaced or deleted. */
export type ActivityRow = LedgerRow & { readonly recordedAt: number; readonly endedAt: number | null };

/** A version, and the row of an import that ended it: a reversal or a cancellation in a statement. */
export type VersionRow = ActivityRow & {
  readonly cancelledBy: { readonly importId: string; readonly fileName: string | null; readonly row: number } | null;
};

const rowColumns = `${ledgerRowColumns}, t.known_from AS "recordedAt", t.known_until AS "endedAt"`;
const allVersions = withoutVersionFilter(transaction);
const newestFirst = 'date DESC, sequence DESC, id DESC';
/** More versions than anybody makes of one transaction by hand. */
const versionsMax = 1_000;

/** One side of a transaction: the places it is matched with, and the cash that comes to them. */
interface Side {
  readonly column: string;
  readonly places: keyof ActivityPlaces;
  readonly cash: string;
}

const otherLeg = 'coalesce(t.counter_amount, -t.amount)';
const sides: readonly Side[] = [
  { column: 'account_id', places: 'accounts', cash: 't.amount' },
  { column: 'counter_account_id', places: 'accounts', cash: otherLeg },
  { column: 'depository_id', places: 'depositories', cash: 't.amount' },
  { column: 'counter_depository_id', places: 'depositories', cash: otherLeg },
];

export class ActivityReader {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  async list({ after, limit, ...query }: ActivityPageQuery): Promise<ActivityRow[]> {
    const values: Value[] = [...tenantFilterValues(this.#scope)];
    const add = (value: Value): string => `$${values.push(value)}`;
    const filters = this.#momentFilters(query.knownAt, add);
    const conditions = [...commonConditions(query, add), ...afterCondition(after, add)].join(' ');
    const most = add(limit);
    const used = sides.filter(({ places }) => query.places[places].length > 0);
    if (used.length === 0) return [];
    const branches = used.flatMap((side) => {
      const places = add(query.places[side.places]);
      const own = `AND t.${side.column} = p.id ${firstSideOnly(side, places)} ${cashCondition(query.cash, side)}`;
      return filters.map(
        (filter) => `SELECT r.* FROM unnest(${places}::text[]) p (id) CROSS JOIN LATERAL (
          SELECT t.date, t.sequence, t.id, t.opened_version FROM transaction t WHERE ${filter} ${own} ${conditions}
          ORDER BY t.date DESC, t.sequence DESC, t.id DESC LIMIT ${most}) r`,
      );
    });
    const keys = `SELECT * FROM (${branches.join(' UNION ')}) u ORDER BY ${newestFirst} LIMIT ${most}`;
    const text = `SELECT ${rowColumns} FROM (${keys}) k JOIN transaction t
      ON ${tenantFilterSql(allVersions, this.#scope.visibleClients.kind)} AND t.id = k.id AND t.opened_version = k.opened_version
      ORDER BY k.date DESC, k.sequence DESC, k.id DESC`;
    return (await this.#run(memoizedText<ActivityRow>('activity', text), values)).rows;
  }

  /** All versions of a transaction, oldest first. */
  async listVersions(id: string): Promise<VersionRow[]> {
    const tenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;
    // The import was being booked when the version ended. Of its rows, few have cancelled anything.
    const statement = memoizedText<VersionRow>(
      'activity',
      `SELECT ${rowColumns}, c.by AS "cancelledBy" FROM transaction t
       LEFT JOIN LATERAL (
         SELECT json_build_object('importId', i.id, 'fileName', i.file_name, 'row', r.number) AS by
         FROM import i JOIN import_row r ON ${tenant('r')} AND r.import_id = i.id AND r.outcome = 'amended' AND r.code = 'cancellation'
           AND r.target_type = 'transaction' AND r.target_id = t.id AND r.target_version = t.closed_version
         WHERE ${tenant('i')} AND i.client_id = t.client_id AND i.created_at <= t.known_until AND i.booked_at >= t.known_until
         ORDER BY i.id, r.number LIMIT 1) c ON true
       WHERE ${tenantFilterSql(allVersions, this.#scope.visibleClients.kind)}
       AND t.id = $4 ORDER BY t.known_from, t.opened_version LIMIT ${versionsMax}`,
    );
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), id])).rows;
  }

  #momentFilters(knownAt: number | undefined, add: (value: Value) => string): readonly string[] {
    const { kind } = this.#scope.visibleClients;
    const current = tenantFilterSql(transaction, kind);
    if (knownAt === undefined) return [current];
    const [still, since] = knownAtBranches(add(endOfMillisecond(knownAt)));
    return [`${current} ${still}`, `${tenantFilterSql(allVersions, kind)} ${since}`];
  }
}

/** What moves units between two of the accounts is that of the first side. */
function firstSideOnly({ column }: Side, accounts: string): string {
  return column === 'counter_account_id' ? `AND t.account_id <> ALL (${accounts}::text[])` : '';
}

function cashCondition(cash: ActivityQuery['cash'], side: Side): string {
  return cash === undefined ? '' : `AND ${side.cash} ${cash === 'in' ? '>' : '<'} 0`;
}

function commonConditions(query: ActivityQuery, add: (value: Value) => string): readonly string[] {
  const { from, to, instrument, type, hiddenInstruments, words } = query;
  return [
    ...(from === undefined ? [] : [`AND t.date >= ${add(from)}::date`]),
    ...(to === undefined ? [] : [`AND t.date <= ${add(to)}::date`]),
    ...(instrument === undefined ? [] : [`AND t.instrument_id = ${add(instrument)}`]),
    ...(type === undefined ? [] : [`AND t.type = ${add(type)}`]),
    ...(hiddenInstruments.length === 0
      ? []
      : [`AND (t.instrument_id IS NULL OR t.instrument_id <> ALL (${add(hiddenInstruments)}::text[]))`]),
    ...words.map(({ word, instruments, accounts }) => {
      const [text, named, held] = [add(word), add(instruments), add(accounts)];
      return `AND (t.instrument_id = ANY (${named}::text[]) OR t.account_id = ANY (${held}::text[])
        OR strpos(lower(t.comment), ${text}::text) > 0 OR strpos(lower(t.external_reference), ${text}::text) > 0)`;
    }),
  ];
}

function afterCondition(after: LedgerPosition | undefined, add: (value: Value) => string): readonly string[] {
  if (after === undefined) return [];
  const { date, sequence, id } = after;
  return [`AND (t.date, t.sequence, t.id) < (${add(date)}::date, ${add(sequence)}::bigint, ${add(id)}::text)`];
}
