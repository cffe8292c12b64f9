// Writes what a persona has lived through in a range of days: instruments, prices, rates and bookings, as its feeds would bring them.

import { defined } from '../../kit/assert.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import { netAssetValue, price } from '../../model/instrument/series-point.ts';
import { createAndGetId, listClassIds, type ClassIds } from '../demo/demo-catalogue.ts';
import { decimalOf } from '../demo/demo-market.ts';
import { bookAll } from '../demo/demo-structure.ts';
import { instrumentRules } from '../instruments/instrument.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import type { Work } from '../core/work.ts';
import { listedKeys, ratedCurrencies, type ListedKey } from './market/sandbox-market.ts';
import type { PersonaBook, PlannedInstrument, PlannedRow } from './personas/persona-book.ts';
import type { PersonaStructure } from './personas/persona.ts';
import { liveUntil, personaPlans, type LifeTerms } from './personas/personas.ts';
import { ensureListed, putListedPrices, putMarketRates, putSandboxPoints } from './sandbox-catalogue.ts';
import { currenciesOf, type MadeRecords } from './sandbox-structure.ts';

/** How many of each are new. */
export interface WrittenCounts {
  readonly transactions: number;
  readonly prices: number;
  readonly rates: number;
}

export interface LivedDays {
  readonly terms: LifeTerms;
  /** The last day that is written already; undefined for the whole life. */
  readonly after?: Day;
  readonly until: Day;
  readonly made: MadeRecords;
}

/** So that the first days have prices and rates too where they are a weekend. */
const leadDays = 7;

/** The caller has locked the rates. Adds the instruments that are first needed in these days to `made`. */
export async function writeDays(work: Work, lived: LivedDays): Promise<WrittenCounts> {
  const { terms, after = terms.start - 1, until, made } = lived;
  const book = await liveUntil(terms, until);
  const plan = personaPlans[terms.persona].structure(terms.home);
  const isNew = ({ day }: { readonly day: Day }): boolean => day > after;
  const classes = await listClassIds(work);
  const from = lived.after === undefined ? terms.start - leadDays : after + 1;
  const currencies = currenciesOf(plan, terms.home);
  const rated = ratedCurrencies.filter((currency) => currencies.has(currency));
  const rates = await putMarketRates(work, rated, { from, until });
  const listed = await writeListed(work, { lived, from, classes, keys: usedListings(book, plan) });
  for (const one of book.instruments.filter(isNew)) await createPrivate(work, one, { made, plan, classes });
  const own = await writePoints(work, book, { made, isNew });
  const rows = book.rows.filter(isNew);
  await bookAll(
    work,
    rows.map((row) => toInput(row, made)),
  );
  return { transactions: rows.length, prices: listed + own, rates };
}

/** What it has traded by the last day, and what its limits are about. */
function usedListings({ rows }: PersonaBook, { limits }: PersonaStructure): readonly ListedKey[] {
  const used = new Set([...rows.map((row) => row.instrument), ...limits.map(({ instrument }) => instrument)]);
  return listedKeys.filter((key) => used.has(key));
}

interface ListedToWrite {
  readonly lived: LivedDays;
  readonly from: Day;
  readonly classes: ClassIds;
  readonly keys: readonly ListedKey[];
}

/** One that is traded for the first time has prices from the first day on, as if it had always been known. */
async function writeListed(work: Work, { lived, from, classes, keys }: ListedToWrite): Promise<number> {
  const { terms, until, made } = lived;
  let written = 0;
  for (const key of keys) {
    const known = made.find('instrument', key);
    const id = known ?? made.add('instrument', key, await ensureListed(work, key, classes));
    const first = known === undefined ? terms.start - leadDays : from;
    written += await putListedPrices(work, key, id, { from: first, until });
  }
  return written;
}

interface MadeFor {
  readonly made: MadeRecords;
  readonly plan: PersonaStructure;
  readonly classes: ClassIds;
}

async function createPrivate(work: Work, one: PlannedInstrument, { made, plan, classes }: MadeFor): Promise<void> {
  const { key, path, fields } = one;
  const whole = defined(plan.reportingEntities[0], 'a persona has a reporting entity').key;
  const classId = classes.get(path);
  const id = await createAndGetId(work, instrumentRules, {
    ...fields,
    reportingEntity: made.get('reporting-entity', whole),
    // A class that somebody has renamed or deleted is left out; the type then gives its default.
    ...(classId === undefined ? {} : { instrumentClass: classId }),
  });
  made.add('instrument', key, id);
}

async function writePoints(
  work: Work,
  { points }: PersonaBook,
  { made, isNew }: { readonly made: MadeRecords; isNew(one: { readonly day: Day }): boolean },
): Promise<number> {
  let written = 0;
  for (const [key, own] of Map.groupBy(points.filter(isNew), ({ instrument }) => instrument)) {
    const series = own[0]?.series === 'price' ? price : netAssetValue;
    const rows = own.map(({ day, value }) => ({ date: fromDayNumber(day), value: decimalOf(value, 2) }));
    written += await putSandboxPoints(work, series, made.get('instrument', key), rows);
  }
  return written;
}

function toInput(
  { day, reference, account, counterAccount, instrument, fields }: PlannedRow,
  made: MadeRecords,
): TransactionInput {
  const idOf = (type: 'account' | 'instrument', key: string | undefined): Id | null =>
    key === undefined ? null : made.get(type, key);
  return {
    ...fields,
    date: fromDayNumber(day),
    account: made.get('account', account),
    counterAccount: idOf('account', counterAccount),
    instrument: idOf('instrument', instrument),
    source: 'custodian',
    externalReference: reference,
  };
}
