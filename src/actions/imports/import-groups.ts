// What an import waits for and why rows were refused, each told once with the number of its rows: a file may say the same of ten thousand rows.

import { hash } from 'node:crypto';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type {
  ImportAccount,
  NamedRecord,
  RowProblem,
  WaitingGroup,
  WaitingTotals,
} from '../../model/custody/import-group.ts';
import type { Import } from '../../model/custody/import.ts';
import type { MappedKind } from '../../model/custody/identifier-mapping.ts';
import { foldWord } from '../../model/custody/folded-words.ts';
import type { NamedAccount, NamedInstrument } from '../../model/custody/statement.ts';
import { currencyCode } from '../../model/currency.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import type { WaitingRows } from '../../store/imports/import-groups.ts';
import { getRecord, type ResultPage } from '../core/resource.ts';
import { lacksAllClients, type Work } from '../core/work.ts';
import { refusalDetail } from './entry-input.ts';
import { importRules } from './import-record.ts';
import { importRowView } from './import-rows.ts';
import { unmappedColumns } from './unmapped-lines.ts';
import { instrumentToCreate } from './names/named-instrument.ts';
import type { NameScope, Resolution } from './names/resolution.ts';
import { resolveAccounts, resolveDepositories, resolveInstruments } from './names/resolve-names.ts';

/** How many records are listed that words may mean. */
const candidatesMax = 5;
const nameLengthMax = 200;

/** The words for an account, and the currency of the rows, where the words do not say it. */
interface WaitingAccount extends NamedAccount {
  readonly rowCurrency?: string;
}

/** What the words of a group name, so that it can be mapped or created. */
type Named =
  | { readonly kind: 'account' | 'depository'; readonly named: WaitingAccount }
  | { readonly kind: 'instrument'; readonly named: NamedInstrument };

/** Rows of an import that wait for one thing. */
export interface Waiting extends Omit<WaitingRows, 'account' | 'instrument' | 'targetInstrument' | 'currency'> {
  readonly key: string;
  readonly names: Named | undefined;
  /** Whether a mapping of the number is only for its part in this currency. */
  readonly isOfCurrency: boolean;
  /** Only of words that no record has. */
  readonly creation: Creation | undefined;
  readonly creationProblem: string | undefined;
}

export type Creation = NonNullable<WaitingGroup['creation']> & { readonly from: Named };

interface WaitingView {
  readonly groups: readonly Waiting[];
  readonly totals: WaitingTotals;
}

/** All groups of an import, those with most rows first. */
export async function readWaiting(work: Work, record: Import): Promise<WaitingView> {
  const { importGroups } = work.store;
  const [rows, alone, owners] = await Promise.all([
    importGroups.listWaiting(record.id, record.notKept),
    importGroups.listCashWithoutTrades(record.id),
    record.client === null ? [] : work.store.table(legalEntity).list({ where: { client: record.client }, limit: 2 }),
  ]);
  const context = { record, owner: owners.length === 1 ? (owners[0]?.id ?? null) : null, work };
  const groups = mergedGroups(await withOneName(work, record, rows)).map((group) => toWaiting(group, context));
  const created = groups.flatMap(({ creation }) => (creation === undefined ? [] : [creation]));
  const count = (kind: MappedKind): number => created.filter((one) => one.kind === kind).length;
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  // Cash alone is no half of anything, and neither are trades that wait.
  const half = alone.filter(({ cashRows }) => cashRows > 0);
  const totals = {
    groups: groups.length,
    rows: sum(groups.map((one) => one.rows)),
    newAccounts: count('account'),
    newDepositories: count('depository'),
    newInstruments: count('instrument'),
    lacksOwner: created.some(({ kind, entityId }) => kind !== 'instrument' && entityId === null),
    unnamedAccountRows: sum(groups.filter(({ code }) => code === 'account-unnamed').map((one) => one.rows)),
    tradeRows: sum(half.map(({ tradeRows }) => tradeRows)),
    cashRows: sum(half.map(({ cashRows }) => cashRows)),
  };
  return { groups, totals };
}

/** A row may name two instruments, one of which is known: it waits for the other. */
async function withOneName(work: Work, record: Import, rows: readonly WaitingRows[]): Promise<readonly WaitingRows[]> {
  const named = rows.flatMap(({ instrument, targetInstrument }) =>
    instrument !== null && targetInstrument !== null ? [instrument] : [],
  );
  if (named.length === 0) return rows;
  const found = await resolveInstruments(work, scopeOf(record), named);
  const known = new Set(named.filter((_, index) => found[index]?.outcome === 'found'));
  return rows.map((row) => {
    const { instrument, targetInstrument } = row;
    if (targetInstrument === null) return row;
    const isOther = instrument === null || known.has(instrument);
    return { ...row, instrument: isOther ? targetInstrument : instrument, targetInstrument: null };
  });
}

type WaitingRowsOfName = WaitingRows & {
  readonly names: Named | undefined;
  readonly key: string;
  readonly isOfCurrency: boolean;
};

/** Rows say the same thing with more words or fewer; what they wait for is one record. */
function mergedGroups(rows: readonly WaitingRows[]): readonly WaitingRowsOfName[] {
  const byKey = new Map<string, WaitingRowsOfName>();
  for (const row of rows) {
    const names = namesOf(row);
    const key = keyOf(row, names);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { ...row, names, key, isOfCurrency: false });
    else byKey.set(key, merged(known, row));
  }
  const groups = [...byKey.values()];
  const numbers = Map.groupBy(groups, ({ names }) => (names?.kind === 'account' ? names.named.number : undefined));
  return groups.map((group) => ({ ...group, isOfCurrency: isOfCurrency(group, numbers) })).toSorted(inOrder);
}

/** A number has parts in several currencies if the file says so, if its rows are in several, or if several accounts have it. */
function isOfCurrency(
  { account, names, code }: WaitingRowsOfName,
  numbers: ReadonlyMap<string | undefined, readonly unknown[]>,
): boolean {
  if (names?.kind !== 'account') return false;
  if (account?.currency !== undefined || code === 'account-ambiguous') return true;
  return (numbers.get(names.named.number)?.length ?? 0) > 1;
}

function merged(one: WaitingRowsOfName, other: WaitingRows): WaitingRowsOfName {
  const first = [one.firstRow, other.firstRow].filter((row) => row !== null).toSorted((a, b) => a - b)[0] ?? null;
  return {
    ...one,
    rows: one.rows + other.rows,
    firstLine: Math.min(one.firstLine, other.firstLine),
    firstRow: first,
    arePositions: one.arePositions && other.arePositions,
  };
}

function namesOf({ needs, code, account, currency, instrument, arePositions }: WaitingRows): Named | undefined {
  if (needs === 'account' && account !== null) {
    const kind = code.startsWith('depository-') || arePositions ? 'depository' : 'account';
    const isSaid = account.currency !== undefined || kind === 'depository' || currency === null;
    return { kind, named: isSaid ? account : { ...account, rowCurrency: currency } };
  }
  if (needs === 'instrument' && instrument !== null) return { kind: 'instrument', named: instrument };
  return undefined;
}

function keyOf({ needs, code, detail, typeWord }: WaitingRows, names: Named | undefined): string {
  // One answer about the order of dates counts for all of them.
  const wordless = needs === 'date-order' ? [needs] : [needs, typeWord ?? detail];
  const words = names === undefined ? wordless : namedKey(names);
  return hash('sha256', JSON.stringify([code, ...words]), 'base64url').slice(0, 16);
}

/** Of the account, or of its rows. */
function currencyOf(names: Named): string | undefined {
  return names.kind === 'instrument' ? undefined : (names.named.currency ?? names.named.rowCurrency);
}

function namedKey({ kind, named }: Named): readonly string[] {
  if (kind !== 'instrument') return [kind, named.number, currencyOf({ kind, named }) ?? ''];
  const { scheme = '', value = '', mic = '' } = mappingOf({ kind, named }, false) ?? {};
  return [kind, scheme, foldWord(value), mic];
}

interface CreationContext {
  readonly record: Import;
  /** The only legal entity of the client. */
  readonly owner: Id | null;
  readonly work: Work;
}

function toWaiting(row: WaitingRowsOfName, context: CreationContext): Waiting {
  const { account: _account, instrument: _instrument, targetInstrument: _target, currency: _currency, ...others } = row;
  const found = creationOf(row, context);
  return {
    ...others,
    creation: typeof found === 'object' ? found : undefined,
    creationProblem: typeof found === 'string' ? found : undefined,
  };
}

/** What can be created, why nothing can, or undefined where nothing is missing. */
function creationOf({ code, names }: WaitingRowsOfName, context: CreationContext): Creation | string | undefined {
  if (names === undefined || !code.endsWith('-unknown')) return undefined;
  const { record, owner, work } = context;
  if (names.kind === 'instrument') {
    if (lacksAllClients(work)) return 'All clients share new instruments. Somebody who sees all clients can create it.';
    const input = instrumentToCreate(names.named);
    if (input instanceof Refusal) return refusalDetail(input);
    return {
      kind: 'instrument',
      name: input.name ?? '',
      currency: input.ccyCode ?? null,
      entityId: null,
      from: names,
    };
  }
  if (record.client === null) return 'Say first which client the file is of.';
  const { number } = names.named;
  const currency = currencyOf(names);
  const name = [names.kind === 'account' ? 'Account' : 'Depository', number, currency].filter(Boolean).join(' ');
  const shared = { name: name.slice(0, nameLengthMax), entityId: owner, from: names };
  if (names.kind === 'depository') return { kind: 'depository', currency: null, ...shared };
  const known = validCurrency(currency);
  if (known === undefined) return 'The file does not say the currency of the account. Create it, or choose one.';
  return { kind: 'account', currency: known, ...shared };
}

function validCurrency(word: string | undefined): string | undefined {
  try {
    return word === undefined ? undefined : currencyCode.read(word.toUpperCase());
  } catch {
    return undefined;
  }
}

/** Where a group stands in the list: what was answered meanwhile is left out, and nothing else. */
export function waitingPosition({ rows, firstLine, key }: WaitingGroup): string {
  return `${rows} ${firstLine} ${key}`;
}

function isAfter({ rows, firstLine, key }: Waiting, position: string): boolean {
  const [lastRows = '', lastLine = '', lastKey = ''] = position.split(' ');
  return inOrder({ rows, firstLine, key }, { rows: Number(lastRows), firstLine: Number(lastLine), key: lastKey }) > 0;
}

function inOrder(
  one: Pick<Waiting, 'rows' | 'firstLine' | 'key'>,
  other: Pick<Waiting, 'rows' | 'firstLine' | 'key'>,
): number {
  return (
    other.rows - one.rows ||
    one.firstLine - other.firstLine ||
    (one.key < other.key ? -1 : one.key === other.key ? 0 : 1)
  );
}

function scopeOf({ client, custodian }: Import): NameScope {
  return { client, custodian };
}

export async function listWaitingGroups(
  work: Work,
  importId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ResultPage<WaitingGroup> & { readonly totals: WaitingTotals }> {
  const record = await getRecord(work, importRules, importId);
  const { groups, totals } = await readWaiting(work, record);
  const left = after === undefined ? groups : groups.filter((group) => isAfter(group, after));
  const page = left.slice(0, limit);
  const [meanings, firsts] = await Promise.all([readMeanings(work, record, page), readFirstRows(work, record, page)]);
  const isUnmapped =
    record.format === 'csv' && record.profile === null && page.some(({ needs }) => needs === 'mapping');
  const columns = isUnmapped ? await unmappedColumns(work, record.id) : [];
  const records = page.map((group) => {
    const { meant, candidates } = meanings.get(group.key) ?? { meant: undefined, candidates: [] };
    const first = firsts.get(group.firstRow ?? 0);
    const hasColumns = columns.length > 0 && group.needs === 'mapping';
    return { ...toView(group), meant, candidates, first, columns: hasColumns ? columns : undefined };
  });
  return { records, hasMore: left.length > limit, totals };
}

function toView(group: Waiting): Omit<WaitingGroup, 'meant' | 'candidates' | 'first' | 'columns'> {
  const { key, needs, code, detail, rows, firstLine, names, typeWord, creation, creationProblem, isOfCurrency } = group;
  return {
    key,
    needs,
    code,
    detail,
    rows,
    firstLine,
    account:
      names === undefined || names.kind === 'instrument' ? undefined : { ...names.named, currency: currencyOf(names) },
    instrument: names?.kind === 'instrument' ? names.named : undefined,
    typeWord: typeWord ?? undefined,
    mapping: names === undefined ? undefined : mappingOf(names, isOfCurrency),
    creation,
    creationProblem,
  };
}

/** How a file names instruments, the strongest first. */
const instrumentWords = [
  ['isin', 'isin'],
  ['cusip', 'cusip'],
  ['sedol', 'sedol'],
  ['custodianCode', 'custodian-code'],
  ['ticker', 'ticker'],
  ['name', 'name'],
] as const;

function mappingOf(names: Named, hasCurrency: boolean): WaitingGroup['mapping'] {
  const { kind, named } = names;
  if (kind !== 'instrument') {
    const currency = hasCurrency ? currencyOf(names) : undefined;
    return { kind, scheme: 'number', value: named.number, currency, mic: undefined };
  }
  const found = instrumentWords.find(([word]) => named[word] !== undefined);
  if (found === undefined) return undefined;
  const [word, scheme] = found;
  // A mapping's value is no longer: an instrument is named by as much of a sentence.
  const value = (named[word] ?? '').slice(0, nameLengthMax);
  return { kind, scheme, value, currency: undefined, mic: scheme === 'ticker' ? named.mic : undefined };
}

interface Meaning {
  readonly meant: NamedRecord | undefined;
  readonly candidates: readonly NamedRecord[];
}

/** The records that words may mean by now: somebody may have said so since the import was checked. */
async function readMeanings(
  work: Work,
  record: Import,
  groups: readonly Waiting[],
): Promise<ReadonlyMap<string, Meaning>> {
  const scope = scopeOf(record);
  const meanings = new Map<string, Meaning>();
  const resolvers = {
    account: (names: readonly any[]) => resolveAccounts(work, scope, names),
    depository: (names: readonly any[]) => resolveDepositories(work, scope, names),
    instrument: (names: readonly any[]) => resolveInstruments(work, scope, names),
  } as const;
  for (const kind of ['account', 'depository', 'instrument'] as const) {
    const own = groups.filter(({ names }) => names?.kind === kind);
    if (own.length === 0) continue;
    const resolved = await resolvers[kind](own.map(({ names }) => names?.named));
    const ids = resolved.map(idsOf);
    const records = await work.store.importGroups.listRecords(kind, [...new Set(ids.flat())]);
    own.forEach(({ key }, index) => {
      const found = (ids[index] ?? []).flatMap((id) => records.get(id) ?? []);
      const isMeant = resolved[index]?.outcome === 'found';
      meanings.set(key, { meant: isMeant ? found[0] : undefined, candidates: isMeant ? [] : found });
    });
  }
  return meanings;
}

function idsOf(resolution: Resolution): readonly Id[] {
  switch (resolution.outcome) {
    case 'found':
      return [resolution.id];
    case 'ambiguous':
      return resolution.candidates.slice(0, candidatesMax);
    case 'missing':
      return [];
  }
}

async function readFirstRows(
  { store }: Work,
  { id }: Import,
  groups: readonly Waiting[],
): Promise<ReadonlyMap<number, NonNullable<WaitingGroup['first']>>> {
  const numbers = groups.flatMap(({ firstRow }) => (firstRow === null ? [] : [firstRow]));
  const rows = await store.importRows.listNumbered(id, numbers);
  return new Map(rows.map((row) => [row.number, importRowView(row)]));
}

/** Why rows were refused, what most of them have first. */
export async function listRowProblems(
  work: Work,
  importId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<ResultPage<RowProblem>> {
  const { id, notKept } = await getRecord(work, importRules, importId);
  const problems = await work.store.importGroups.listRefused(id, notKept);
  return { records: problems.slice(from, from + limit), hasMore: problems.length > from + limit };
}

/** The accounts that the rows of an import are of. */
export async function listImportAccounts(
  work: Work,
  importId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ResultPage<ImportAccount>> {
  const { id } = await getRecord(work, importRules, importId);
  const found = await work.store.importGroups.listAccounts(id, { after, limit: limit + 1 });
  return { records: found.slice(0, limit), hasMore: found.length > limit };
}
