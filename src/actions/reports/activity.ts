// Reports the activity of a reporting entity: the transactions that move its accounts and depositories, and the versions of one.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { searchWords } from '../../kit/search-words.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import type { TransactionType } from '../../model/ledger/transaction-kind.ts';
import { unsignedQuantity } from '../../model/ledger/transaction-variants.ts';
import type { ReportedActivity, ReportedVersion } from '../../model/report/activity.ts';
import { account as accountResource } from '../../model/structure/account.ts';
import type { ActivityPlaces, ActivityRow, SearchedWord } from '../../store/ledger/activity-reader.ts';
import type { LedgerPosition } from '../../store/ledger/ledger-reader.ts';
import { notFound, type ResultPage } from '../core/resource.ts';
import { markRead, type Work } from '../core/work.ts';
import { explainActivityRows } from './explain/explain-activity-rows.ts';
import { loadReportBasis, type ReportBasis, type ReportMoment } from './report-basis.ts';
import { residualSegment } from './segments/axis.ts';
import { readSegmentNames, type SegmentNames } from './segments/segment-names.ts';

export interface ActivityInput extends ReportMoment {
  readonly reportingEntity: string;
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  readonly account?: string | undefined;
  readonly instrument?: string | undefined;
  readonly type?: TransactionType | undefined;
  readonly cash?: 'in' | 'out' | undefined;
  readonly words: readonly string[];
}

/** A row and its position in the list. */
export interface ListedActivity {
  readonly row: ReportedActivity;
  readonly position: LedgerPosition;
  /** As it was booked, and what the list was read with. */
  readonly booked: ActivityRow;
  readonly basis: ReportBasis;
}

export async function listActivity(
  work: Work,
  { reportingEntity, knownAt, account, words, ...filters }: ActivityInput,
  { after, limit }: { readonly after: LedgerPosition | undefined; readonly limit: number },
): Promise<ResultPage<ListedActivity>> {
  const basis = await loadReportBasis(work, reportingEntity, { knownAt });
  const names = await readSegmentNames(work, basis, ['account', 'instrument']);
  const all = basis.places.listPlaces();
  const rows = await work.store.activity.list({
    ...filters,
    knownAt,
    places: account === undefined ? all : { accounts: [requireAccount(all, account)], depositories: [] },
    hiddenInstruments: listHiddenInstruments(basis),
    words: words.map((word) => searchedWord(word, { basis, names, places: all })),
    after,
    limit: limit + 1,
  });
  markRead(work);
  const records = rows.slice(0, limit).map((row) => ({
    // What is listed is current at its moment: when it was replaced later was not known then.
    row: { ...reportedActivity(row, { names, places: all }), endedAt: null },
    position: { date: row.date, sequence: row.sequence, id: row.id },
    booked: row,
    basis,
  }));
  return { records, hasMore: rows.length > limit };
}

/** The same rows with the explanations of their figures. */
export async function explainActivity(
  work: Work,
  listed: readonly ListedActivity[],
): Promise<readonly ReportedActivity[]> {
  const [first] = listed;
  return first === undefined ? [] : explainActivityRows(work, first.basis, listed);
}

/** The versions that concern the reporting entity, oldest first. */
export async function listTransactionVersions(
  work: Work,
  { reportingEntity, transactionId }: { readonly reportingEntity: string; readonly transactionId: string },
): Promise<readonly ReportedVersion[]> {
  const basis = await loadReportBasis(work, reportingEntity, {});
  const [names, versions] = await Promise.all([
    readSegmentNames(work, basis, ['account', 'instrument']),
    work.store.activity.listVersions(transactionId),
  ]);
  const places = basis.places.listPlaces();
  const hidden = new Set(listHiddenInstruments(basis));
  const own = versions.filter((row) => isAt(row, places) && !hidden.has(row.instrument ?? ''));
  if (own.length === 0) throw notFound(transaction);
  return own.map((row) => ({ ...reportedActivity(row, { names, places }), cancelledBy: row.cancelledBy }));
}

function isAt(row: ActivityRow, { accounts, depositories }: ActivityPlaces): boolean {
  return (
    [row.account, row.counterAccount].some((id) => id !== null && accounts.includes(id)) ||
    [row.depository, row.counterDepository].some((id) => id !== null && depositories.includes(id))
  );
}

function requireAccount({ accounts }: ActivityPlaces, account: string): string {
  if (!accounts.includes(account)) throw notFound(accountResource);
  return account;
}

/** Positions in instruments that are private to another reporting entity are not this one's. */
function listHiddenInstruments({ privateTo, reportingEntity }: ReportBasis): readonly string[] {
  return [...privateTo].flatMap(([instrument, owner]) => (owner === reportingEntity ? [] : [instrument]));
}

interface NamedPlaces {
  readonly names: SegmentNames;
  readonly places: ActivityPlaces;
}

function searchedWord(
  word: string,
  { basis, names, places }: NamedPlaces & { readonly basis: ReportBasis },
): SearchedWord {
  const prefixes = searchWords(word);
  const isNamed = (name: string | null): boolean => {
    const nameWords = searchWords(name ?? '');
    return prefixes.length > 0 && prefixes.every((prefix) => nameWords.some((one) => one.startsWith(prefix)));
  };
  const nameOf = (axis: 'account' | 'instrument', id: string) => names.nameSegment(axis, id).segmentName;
  return {
    word: word.toLowerCase(),
    instruments: [...basis.instruments.keys()].filter((id) => isNamed(nameOf('instrument', id))),
    accounts: places.accounts.filter((id) => isNamed(nameOf('account', id))),
  };
}

function reportedActivity(row: ActivityRow, { names, places }: NamedPlaces): ReportedActivity {
  const accountOf = (id: Id | null): { id: Id | null; name: string | null } => {
    const own = id !== null && places.accounts.includes(id) ? id : null;
    return { id: own, name: own === null ? null : names.nameSegment('account', own).segmentName };
  };
  const [account, counter] = [accountOf(row.account), accountOf(row.counterAccount)];
  const { segmentName: instrumentName } = names.nameSegment('instrument', row.instrument ?? residualSegment);
  return {
    transactionId: row.id,
    date: row.date,
    settlementDate: row.settlementDate,
    type: row.type,
    accountId: account.id,
    accountName: account.name,
    counterAccountId: counter.id,
    counterAccountName: counter.name,
    instrumentId: row.instrument,
    instrumentName,
    quantity: unsignedQuantity(row.quantity),
    price: row.price,
    ...cashOf(row, account.id === null && counter.id !== null),
    fees: row.fees,
    taxes: row.taxes,
    comment: row.comment,
    source: row.source,
    createdAt: row.createdAt,
    recordedAt: row.recordedAt,
    endedAt: row.endedAt,
  };
}

type CashLegs = Pick<ReportedActivity, 'amount' | 'currency' | 'counterAmount' | 'counterCurrency'>;

/** On the other side, cash is the other leg: what goes from one account to another always has both. */
function cashOf({ amount, currency, counterAmount, counterCcyCode }: ActivityRow, isOtherSide: boolean): CashLegs {
  if (!isOtherSide || counterAmount === null)
    return { amount, currency, counterAmount, counterCurrency: counterCcyCode };
  return { amount: counterAmount, currency: counterCcyCode, counterAmount: amount, counterCurrency: currency };
}
