// Refuses sales and transfers entered by hand under SPECIFIC_ID whose named lots are not there: of another position, of a later day, or
// with fewer units left. Asks the engine, with the ledger as it is and the new rows in it.

import { defined } from '../../kit/assert.ts';
import { toDayNumber } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { fixedText, toFixed } from '../../kit/fixed.ts';
import { append } from '../../kit/memory/long-list.ts';
import { refusalForFaults, type Fault, type Refusal } from '../../kit/refusal.ts';
import type { Turn } from '../../kit/turns/fair-turns.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import { ExchangeRates } from '../../engine/currencies/exchange-rates.ts';
import { RateGapRecorder } from '../../engine/currencies/rate-gap-recorder.ts';
import type { Facts } from '../../engine/history/facts.ts';
import { History } from '../../engine/history/history.ts';
import type { Ledger } from '../../engine/ledger/ledger.ts';
import type { LedgerTransaction } from '../../engine/ledger/transaction.ts';
import type { PositionFinding } from '../../engine/lots/lot-book-changes.ts';
import { parseLotId, type SpecifiedLots } from '../../model/ledger/transaction-value.ts';
import { listAccountingMethods } from '../../store/ledger/booking-terms.ts';
import { LedgerColumns } from '../../store/ledger/ledger-columns.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import { openTurn, type Work } from '../core/work.ts';
import { toEngineUpload } from '../custody/engine-upload.ts';
import { engineSettings } from '../reports/inputs/build-history.ts';
import { endOfTime, readStructure } from '../reports/inputs/read-client.ts';
import { readConnectedLedgers } from './connected-ledgers.ts';
import { buildEngineLedger } from './engine-ledger.ts';
import { engineTransaction, lotKeyOf, type FindTransaction } from './engine-transaction.ts';
import type { ResolvedTransaction } from './transaction-resolution.ts';

/** A transaction that is about to be booked. */
export interface NewRow {
  readonly resolved: ResolvedTransaction;
  /** What it amends. */
  readonly present: LedgerRow | undefined;
}

/** Higher than the number of any booked row, so that new rows are the last of their moment. */
const firstNewRow = 2 ** 50;

const rowNumber = ({ present }: NewRow, index: number): number => present?.sequence ?? firstNewRow + index;

/** Lists the refusals by index. Nobody else may book for these clients meanwhile. */
export async function listLotRefusals(
  work: Work,
  rows: readonly NewRow[],
  findTransaction: FindTransaction,
): Promise<ReadonlyMap<number, Refusal>> {
  const refusals = new Map<number, Refusal>();
  const accounts = rows.flatMap((row) => (namesLotsByHand(row) ? [row.resolved.account!] : []));
  const methods = await listAccountingMethods(work.store, [...new Set(accounts)]);
  const isChecked = (row: NewRow): boolean =>
    namesLotsByHand(row) && methods.get(row.resolved.account!) === 'SPECIFIC_ID';
  for (const client of new Set(rows.filter(isChecked).map(({ resolved }) => resolved.client!))) {
    const found = await findMissingLots(work, client, { rows, isChecked, findTransaction });
    for (const [index, missing] of found) {
      refusals.set(index, missingLotsRefusal(rows[index]!.resolved, missing, findTransaction));
    }
  }
  return refusals;
}

/** A change that leaves alone what decides about its lots is not checked again: they may be gone since. */
function namesLotsByHand({ resolved, present }: NewRow): boolean {
  const { source, lots, quantity } = resolved;
  if (source !== 'manual' || lots === null || quantity === null || !quantity.startsWith('-')) return false;
  return present === undefined || decidingFields.some((field) => !isEqual(present[field], resolved[field]));
}

const decidingFields = [
  'kind',
  'lots',
  'quantity',
  'date',
  'executedAt',
  'account',
  'depository',
  'instrument',
  'source',
] as const;

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

interface LotCheck {
  readonly rows: readonly NewRow[];
  isChecked(row: NewRow): boolean;
  readonly findTransaction: FindTransaction;
}

type MissingLot = Extract<PositionFinding, { kind: 'named-lot-missing' }>;

function accountsOf(row: Pick<ResolvedTransaction, 'account' | 'counterAccount'> | undefined): string[] {
  return [row?.account, row?.counterAccount].filter((id) => id !== null && id !== undefined);
}

/** By the index of the row that names them. */
async function findMissingLots(
  work: Work,
  client: Id,
  { rows, isChecked, findTransaction }: LotCheck,
): Promise<ReadonlyMap<number, readonly MissingLot[]>> {
  const own = [...rows.entries()].filter(([, { resolved }]) => resolved.client === client || resolved.client === null);
  const changes: LedgerChanges = {
    replaced: own.flatMap(([, { present }]) => (present === undefined ? [] : [present])),
    added: own.map(([index, row]) => engineTransaction(row.resolved, rowNumber(row, index), findTransaction)),
    accounts: new Set(own.flatMap(([, { resolved, present }]) => [...accountsOf(resolved), ...accountsOf(present)])),
  };
  const indexes = new Map(own.flatMap(([index, row]) => (isChecked(row) ? [[rowNumber(row, index), index]] : [])));
  const { facts, turn } = await readUnitFacts(work, client, changes);
  const history = new History({ ...facts, mustFindLots: new Set(indexes.keys()) });
  const missing = await turn.run(listMissing(history, new Set(indexes.keys())));
  return Map.groupBy(missing, ({ row }) => indexes.get(row)!);
}

interface LedgerChanges {
  readonly replaced: readonly LedgerRow[];
  readonly added: readonly LedgerTransaction[];
  /** The accounts that the rows move, now or before. */
  readonly accounts: ReadonlySet<string>;
}

/**
 * What decides how many units each lot has. Reads what the database transaction sees, past the cache, which holds committed rows only.
 * Costs do not matter, so neither do instruments and rates.
 */
async function readUnitFacts(
  { store, context, ...work }: Work,
  client: Id,
  changes: LedgerChanges,
): Promise<{ readonly facts: Facts; readonly turn: Turn }> {
  const structure = defined(await readStructure(store, client, endOfTime), 'the client of a booked row exists');
  const columns = new LedgerColumns(store, context.ledgerCache);
  const { accounts, blocks } = await readConnectedLedgers(columns, structure.accounts, changes.accounts);
  const depositories = accounts.flatMap((account) => structure.accounts.get(account)?.depositories ?? []) as Id[];
  const uploads = await store.uploads.listByLocation({ accounts, depositories: [...new Set(depositories)] });
  const rowCount = blocks.reduce((sum, { rows }) => sum + rows.length, 0);
  const turn = openTurn({ ...work, store, context }, rowCount);
  const facts = {
    ledger: await turn.run(withChanges(buildEngineLedger(blocks), changes)),
    uploads: uploads.map(toEngineUpload),
    accounts: structure.accounts,
    instruments: new Map(),
    rates: new RateGapRecorder(new ExchangeRates([])),
    settings: { ...engineSettings(structure.client), method: 'SPECIFIC_ID' as const },
  };
  return { facts, turn };
}

function* withChanges(pieces: Pieces<Ledger>, { replaced, added }: LedgerChanges): Pieces<Ledger> {
  let ledger = yield* pieces;
  for (const { sequence, date } of replaced) ledger = ledger.remove({ row: sequence, day: toDayNumber(date) });
  return ledger.add(added);
}

function* listMissing(history: History, numbers: ReadonlySet<number>): Pieces<readonly MissingLot[]> {
  const positions = new Set<number>();
  for (const row of history.rows.rowsWithDetails) {
    if (numbers.has(history.rows.numbers[row]!)) positions.add(history.rows.positions[row]!);
  }
  const found = [...(yield* history.replayPieces()).findings];
  for (const position of positions) {
    const booked = yield* history.bookedRowPieces(position, { from: -Infinity, to: Infinity });
    for (const { findings } of booked) append(found, findings);
  }
  return found.filter(
    (finding): finding is MissingLot => finding.kind === 'named-lot-missing' && numbers.has(finding.row),
  );
}

function missingLotsRefusal(
  resolved: ResolvedTransaction,
  missing: readonly MissingLot[],
  findTransaction: FindTransaction,
): Refusal {
  const lots = (resolved.lots ?? []) as SpecifiedLots;
  const lacking = new Map(missing.map(({ lot, quantity }) => [`${lot.row} ${lot.ordinal}`, quantity]));
  const named = new Map<string, bigint>();
  for (const { id, quantity } of lots) named.set(id, (named.get(id) ?? 0n) + toFixed(quantity));
  const faults = lots.flatMap(({ id }, item): Fault[] => {
    const { row, ordinal } = lotKeyOf(id, resolved.client, findTransaction);
    const found = lacking.get(`${row} ${ordinal}`);
    if (found === undefined) return [];
    const left = defined(named.get(id), 'a named lot has a quantity') - found;
    const detail = missingLotDetail(resolved, { id, left }, findTransaction);
    return [{ code: 'invalid-attribute', detail, field: 'lots', item }];
  });
  return refusalForFaults('invalid-document', faults);
}

function missingLotDetail(
  { date, instrument }: ResolvedTransaction,
  { id, left }: { readonly id: string; readonly left: bigint },
  findTransaction: FindTransaction,
): string {
  const { opener } = parseLotId(id);
  const opening = opener.kind === 'transaction' ? findTransaction(opener.id) : undefined;
  if (opening !== undefined && opening.instrument !== instrument && opening.targetInstrument !== instrument)
    return 'This lot is of another instrument.';
  const opened = opener.kind === 'upload' ? opener.date : opening?.date;
  if (opened !== undefined && opened > date) return `This lot was opened on ${opened}, after ${date}.`;
  return left === 0n
    ? `The position has no units of this lot left on ${date}.`
    : `The position has only ${fixedText(left)} units of this lot left on ${date}.`;
}
