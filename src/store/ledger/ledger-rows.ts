// Builds the statements that read ledger rows into columns: which columns, and which rows.

import { defined } from '../../kit/assert.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { idFromRow, type Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import type { CorporateActionType } from '../../model/ledger/transaction-kind.ts';
import {
  columnSql,
  type ColumnCall,
  type ColumnKinds,
  type ColumnStatement,
  type ColumnBlock,
} from '../postgres/binary/binary-rows.ts';
import { nameAt } from '../postgres/binary/column-builder.ts';
import { endOfMillisecond, wasKnownAt } from '../resources/known-at-sql.ts';
import { tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { arrayOfAnyLength, type Value } from '../postgres/statement.ts';

export const ledgerColumnKinds = {
  account: 'name',
  sequence: 'integer',
  id: 'id',
  kind: 'name',
  day: 'day',
  settlement: 'day',
  executed: 'instant',
  depository: 'name',
  instrument: 'name',
  currency: 'name',
  quantity: 'decimal',
  amount: 'decimal',
  price: 'decimal',
  value: 'decimal',
  details: 'text',
} as const satisfies ColumnKinds;

/** Fields that only few rows have. Decimals are texts without trailing zeros. */
export interface LedgerDetails {
  readonly accrued?: Decimal;
  readonly counterAccount?: Id;
  readonly counterDepository?: Id;
  readonly counterAmount?: Decimal;
  readonly counterCurrency?: string;
  /**
   * The lots that a sale names: the booking number of the client's transaction that opened each lot, 0 if it is unknown, and for an upload
   * the number that the engine gives it (checkpointRow).
   */
  readonly lots?: readonly { readonly sequence: number; readonly ordinal: number; readonly quantity: Decimal }[];
  readonly acquired?: readonly {
    readonly date: CalendarDate;
    readonly quantity: Decimal;
    readonly cost: Decimal;
  }[];
  readonly action?: CorporateActionType;
  readonly ratio?: string;
  readonly target?: Id;
  readonly costShare?: Decimal;
  readonly cashInLieu?: Decimal;
  readonly category?: string;
  readonly effectOnUnfunded?: Decimal;
  readonly recallable?: Decimal;
  /** For income: the tax withheld. */
  readonly withholding?: Decimal;
  /** For a coupon or interest: the last day that it is paid for. */
  readonly periodEnd?: CalendarDate;
  /** Never 0. */
  readonly unexplained?: Decimal;
}

/** Quotes a column whose values need no JSON escaping. */
const quotedText = (column: string): string => `'"' || t.${column} || '"'`;
const decimalText = (column: string): string => `'"' || trim_scale(t.${column}) || '"'`;

const namedLots = `CASE WHEN t.lots IS NOT NULL THEN (SELECT json_agg(json_build_object(
    'sequence', CASE WHEN l.lot ->> 'id' LIKE 'upload:%'
      THEN -1000000 - (split_part(substr(l.lot ->> 'id', 8), '.', 1)::date - DATE '1970-01-01')
      ELSE coalesce((SELECT min(o.sequence) FROM transaction o WHERE o.workspace_id = $1
        AND o.environment = $2 AND o.id = split_part(l.lot ->> 'id', '.', 1)
        AND (o.client_id = t.client_id OR o.client_id IS NULL)), 0) END,
    'ordinal', coalesce(nullif(split_part(l.lot ->> 'id', '.', 2), ''), '0')::int,
    'quantity', l.lot ->> 'quantity') ORDER BY l.place)::text
  FROM jsonb_array_elements(t.lots) WITH ORDINALITY l (lot, place)) END`;

/** The SQL that writes each field as JSON. */
const detailTexts: { readonly [name in keyof LedgerDetails]-?: string } = {
  accrued: decimalText('accrued_interest'),
  counterAccount: quotedText('counter_account_id'),
  counterDepository: quotedText('counter_depository_id'),
  counterAmount: decimalText('counter_amount'),
  counterCurrency: quotedText('counter_ccy_code'),
  lots: namedLots,
  acquired: 't.acquired::text',
  action: quotedText('action'),
  ratio: quotedText('ratio'),
  target: quotedText('target_instrument_id'),
  costShare: decimalText('cost_share'),
  cashInLieu: decimalText('cash_in_lieu_quantity'),
  category: 'to_json(t.category)::text',
  effectOnUnfunded: decimalText('effect_on_unfunded'),
  recallable: decimalText('recallable_amount'),
  withholding: `CASE WHEN t.kind IN ('dividend', 'coupon', 'interest') THEN ${decimalText('taxes')} END`,
  periodEnd: `CASE WHEN t.kind IN ('coupon', 'interest') THEN ${quotedText('period_end')} END`,
  unexplained: `CASE WHEN t.unexplained <> 0 THEN ${decimalText('unexplained')} END`,
};

const hasDetails = `num_nonnulls(t.accrued_interest, t.counter_account_id, t.counter_depository_id, t.counter_amount,
    t.lots, t.acquired, t.action, t.category, t.effect_on_unfunded, t.recallable_amount) > 0
  OR t.unexplained <> 0 OR (t.taxes IS NOT NULL AND t.kind IN ('dividend', 'coupon', 'interest'))
  OR (t.period_end IS NOT NULL AND t.kind IN ('coupon', 'interest'))`;

/**
 * `concat_ws` skips nulls together with their names. Building JSON of all fields and stripping nulls takes several times as long.
 */
const detailParts = Object.entries(detailTexts).map(([name, text]) => `'"${name}":' || ${text}`);
const details = `CASE WHEN ${hasDetails} THEN '{' || concat_ws(',', ${detailParts.join(', ')}) || '}' END`;

const selectedColumns = `t.account_id AS account, t.sequence, t.id, t.kind, t.date AS day, t.settlement_date AS settlement, t.executed_at AS executed,
  t.depository_id AS depository, t.instrument_id AS instrument, t.currency,
  t.quantity, t.amount, t.price, t.value, ${details} AS details`;

/** For rows that also move another account: that account comes first. */
const counterColumnKinds = { counter: 'name', ...ledgerColumnKinds } as const satisfies ColumnKinds;

/** The columns read from a closed version. */
const closedColumnKinds = {
  sequence: 'integer',
  day: 'day',
  account: 'name',
  opened: 'integer',
} as const satisfies ColumnKinds;

const selectedClosedColumns = 't.sequence, t.date AS day, t.account_id AS account, t.opened_version AS opened';

export type LedgerRowsBlock = ColumnBlock<typeof ledgerColumnKinds>;
export type CounterRowsBlock = ColumnBlock<typeof counterColumnKinds>;
export type ClosedRowsBlock = ColumnBlock<typeof closedColumnKinds>;

/** Rows of an account, rows of other accounts that also move it, or bookings for all holders (of one client or of none). */
export type LedgerSide =
  | { readonly side: 'own' | 'counter'; readonly account: Id }
  | { readonly side: 'all-holders'; readonly client: Id | null };

/** Has no version filter: each statement adds its own condition on versions. */
export const { versions: _versions, ...allTransactionVersions } = transaction;

function sideCondition(side: LedgerSide): { text: string; values: readonly Value[] } {
  if (side.side !== 'all-holders') {
    const column = side.side === 'own' ? 'account_id' : 'counter_account_id';
    return { text: `t.${column} = $4`, values: [side.account] };
  }
  const text = side.client === null ? '$4::text IS NULL AND t.client_id IS NULL' : 't.client_id = $4';
  return { text: `t.account_id IS NULL AND ${text}`, values: [side.client] };
}

const statements = new Map<string, ColumnStatement<any>>();

/** Caches statements by text. There are few: one for each side, kind of scope and question. */
function statementFor<C extends ColumnKinds>(columns: C, text: string): ColumnStatement<C> {
  let statement = statements.get(text);
  if (statement === undefined) statements.set(text, (statement = columnSql('ledger-rows', columns, text)));
  return statement;
}

type RowsCall = ColumnCall<typeof ledgerColumnKinds>;

/** Reads the current rows, or only those opened after a version. */
export function currentRows(scope: Scope, side: LedgerSide, after?: number): RowsCall {
  const { text, values } = sideCondition(side);
  const since = after === undefined ? '' : 'AND t.opened_version > $5';
  const statement = statementFor(
    ledgerColumnKinds,
    `SELECT ${selectedColumns} FROM transaction t
     WHERE ${tenantFilterSql(transaction, scope.visibleClients.kind)} AND ${text} ${since}`,
  );
  return { statement, values: [...tenantFilterValues(scope), ...values, ...(after === undefined ? [] : [after])] };
}

/**
 * Reads the current rows of many accounts, or the rows of other accounts that move them, in blocks of one requested account each.
 */
export function currentRowsByAccount(scope: Scope, side: 'own' | 'counter', accounts: readonly Id[]): RowsCall {
  const rows = (column: string): string => `FROM transaction t
     WHERE ${tenantFilterSql(transaction, scope.visibleClients.kind)} AND t.${column} = ANY (${arrayOfAnyLength('$4')})`;
  const statement =
    side === 'own'
      ? statementFor(ledgerColumnKinds, `SELECT ${selectedColumns} ${rows('account_id')}`)
      : statementFor(
          counterColumnKinds,
          `SELECT t.counter_account_id AS counter, ${selectedColumns} ${rows('counter_account_id')}`,
        );
  return { statement: { ...statement, isGrouped: true }, values: [...tenantFilterValues(scope), accounts] };
}

/** The account that all rows of a block belong to. The block must come from `currentRowsByAccount`. */
export function accountOfBlock(block: LedgerRowsBlock | CounterRowsBlock): Id {
  const account = nameAt('counter' in block ? block.counter : block.account, 0);
  return idFromRow(defined(account, 'a block has rows of one account'));
}

/** Reads the rows as they were known at a moment. */
export function rowsKnownAt(scope: Scope, side: LedgerSide, knownAt: number): RowsCall {
  const { text, values } = sideCondition(side);
  const statement = statementFor(
    ledgerColumnKinds,
    `SELECT ${selectedColumns} FROM transaction t WHERE ${tenantFilterSql(allTransactionVersions, scope.visibleClients.kind)} AND ${text}
     AND ${wasKnownAt('$5')}`,
  );
  return { statement, values: [...tenantFilterValues(scope), ...values, endOfMillisecond(knownAt)] };
}

/** Reads the rows that were current at a version and have been closed since. */
export function rowsClosedAfter(scope: Scope, side: LedgerSide, version: number): ColumnCall<typeof closedColumnKinds> {
  const { text, values } = sideCondition(side);
  const statement = statementFor(
    closedColumnKinds,
    `SELECT ${selectedClosedColumns} FROM transaction t WHERE ${tenantFilterSql(allTransactionVersions, scope.visibleClients.kind)} AND ${text}
     AND t.closed_version > $5 AND t.opened_version <= $5`,
  );
  return { statement, values: [...tenantFilterValues(scope), ...values, version] };
}
