// Bounds what is kept of the words of a file. A file may say very long things, and say them again in every row: neither fills the disk.

import type {
  DateReadings,
  NamedAccount,
  NamedInstrument,
  StatementEntry,
  StatementItem,
  StatementNotice,
  StatementProblem,
} from '../../model/custody/statement.ts';
import { cutText } from '../../statements/short-text.ts';
import { cleanText } from './entry-input.ts';
import { custodianReference } from './entry-identity.ts';

/** No text up to this length is looked at more closely. */
const shortMax = 100;
/** Words that say which record is meant: a longer one names none. */
export const nameLengthMax = 200;
/** The name of an instrument, which may be a sentence. */
export const instrumentNameLengthMax = 1_000;
/** Why a row was refused, and where. */
export const problemLengthMax = 500;
const typeWordLengthMax = 200;
const commentLengthMax = 2_000;

/**
 * The item with texts of bounded length. Free texts are cut, as the ledger cuts them; long references become their digest. An item whose
 * names are too long becomes a problem: cut, a name could mean another record.
 */
export function boundedItem(item: StatementItem): StatementItem {
  if (hasShortTexts(item)) return item;
  if (item.item === 'notice') return item;
  if (item.item === 'problem') return boundedProblem(item);
  const long = longName(item);
  if (long !== undefined) {
    const detail = `${long.what} has ${long.length} characters. At most ${long.lengthMax} are read.`;
    return boundedProblem({ ...item, item: 'problem', detail });
  }
  const { statement, statedAt, ...others } = item;
  // No moment is that long.
  const bounded = {
    ...others,
    place: boundedPlace(item.place),
    ...(statement === undefined ? {} : { statement: custodianReference(statement) ?? '' }),
    ...(statedAt === undefined || statedAt.length > shortMax ? {} : { statedAt }),
  };
  return bounded.item === 'entry' ? boundedEntry(bounded as StatementEntry) : (bounded as StatementItem);
}

function hasShortTexts(value: object): boolean {
  for (const part of Object.values(value)) {
    if (typeof part === 'string' ? part.length > shortMax : typeof part === 'object' && !hasShortTexts(part))
      return false;
  }
  return true;
}

function boundedEntry(entry: StatementEntry): StatementEntry {
  const { reference, cancels, executedAt, comment, category, typeWord, ...others } = entry;
  const cancelled = typeof cancels === 'object' ? { reference: custodianReference(cancels.reference) ?? '' } : cancels;
  return {
    ...others,
    ...present('reference', reference === undefined ? undefined : custodianReference(reference)),
    ...present('cancels', cancelled),
    ...present('executedAt', executedAt !== undefined && executedAt.length > shortMax ? undefined : executedAt),
    ...present('comment', cleanText(comment, commentLengthMax)),
    ...present('category', cleanText(category, shortMax)),
    ...present('typeWord', typeWord === undefined ? undefined : cutText(typeWord, typeWordLengthMax)),
  };
}

function present<Name extends string, T>(name: Name, value: T | null | undefined): { [N in Name]?: T } {
  return value == null ? {} : ({ [name]: value } as { [N in Name]: T });
}

function boundedPlace({ line, field }: StatementItem['place']): StatementItem['place'] {
  return field === undefined ? { line } : { line, field: cutText(field, shortMax) };
}

/** Only what a problem needs: the account is left out where its words are too long to name one. */
function boundedProblem(problem: StatementProblem): StatementProblem {
  const { item, place, account, detail, needs, isNotAvailable, readings, cells, linesAbove } = problem;
  const bounded = readings && boundedReadings(readings);
  return {
    item,
    place: boundedPlace(place),
    detail: cutText(detail, problemLengthMax),
    ...(account !== undefined && longestName([account]) === undefined ? { account } : {}),
    ...(needs === undefined ? {} : { needs }),
    ...(isNotAvailable === undefined ? {} : { isNotAvailable }),
    ...(bounded === undefined ? {} : { readings: bounded }),
    // Lines of a CSV file have a length of their own.
    ...(cells === undefined ? {} : { cells }),
    ...(linesAbove === undefined ? {} : { linesAbove }),
  };
}

/** Undefined if its names are too long: then it stays unread. */
function boundedReadings(readings: DateReadings): DateReadings | undefined {
  const [dayFirst, monthFirst] = [boundedItem(readings['day-month-year']), boundedItem(readings['month-day-year'])];
  if (dayFirst.item === 'problem' || monthFirst.item === 'problem') return undefined;
  return { 'day-month-year': dayFirst, 'month-day-year': monthFirst };
}

interface LongName {
  readonly what: string;
  readonly length: number;
  readonly lengthMax: number;
}

function longName(item: Exclude<StatementItem, StatementProblem | StatementNotice>): LongName | undefined {
  const accounts: (NamedAccount | undefined)[] = [item.account];
  const instruments: (NamedInstrument | undefined)[] = 'instrument' in item ? [item.instrument] : [];
  const words: (string | undefined)[] = [];
  switch (item.item) {
    case 'entry':
      accounts.push(item.depository, item.counterAccount);
      instruments.push(item.targetInstrument, item.byWord?.stated?.instrument);
      accounts.push(item.byWord?.stated?.counterAccount);
      words.push(item.currency, item.counterCurrency, item.ratio);
      break;
    case 'balance':
      words.push(item.currency);
      break;
    case 'position':
      words.push(item.currency, item.valueCurrency);
      break;
    case 'fx-rate':
      words.push(item.base, item.quote);
      break;
    case 'price':
    case 'instrument':
      break;
  }
  return longestName(accounts) ?? longInstrument(instruments) ?? longWord('A currency or ratio', words, shortMax);
}

function longestName(accounts: readonly (NamedAccount | undefined)[]): LongName | undefined {
  const words = accounts.flatMap((one) => [one?.number, one?.currency, one?.institution]);
  return longWord('The name of an account', words, nameLengthMax);
}

function longInstrument(instruments: readonly (NamedInstrument | undefined)[]): LongName | undefined {
  const codes = instruments.flatMap((one) => {
    const { name: _name, ...others } = one ?? {};
    return Object.values(others);
  });
  const names = instruments.map((one) => one?.name);
  return (
    longWord('A code of an instrument', codes, nameLengthMax) ??
    longWord('The name of an instrument', names, instrumentNameLengthMax)
  );
}

function longWord(what: string, words: readonly (string | undefined)[], lengthMax: number): LongName | undefined {
  const length = words.reduce((most, word) => Math.max(most, word?.length ?? 0), 0);
  return length > lengthMax ? { what, length, lengthMax } : undefined;
}
