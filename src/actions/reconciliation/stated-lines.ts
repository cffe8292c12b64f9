// Makes the lines of statements from what imports and feeds have recorded: resolves names that were unknown then, lets the latest
// import count, and adds up the parts of a line.

import { defined } from '../../kit/assert.ts';
import { toDayNumber } from '../../kit/calendar-date.ts';
import { toFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { cashInstrument } from '../../engine/ledger/position-key.ts';
import type { StatedLine } from '../../engine/reconciliation/reconcile.ts';
import type { NamedInstrument } from '../../model/custody/statement.ts';
import type { StoredHolding } from '../../store/custody/stated-holdings.ts';
import { resolveInstruments } from '../imports/names/resolve-names.ts';
import type { ClientStructure } from '../reports/inputs/client-structure.ts';
import type { Work } from '../core/work.ts';

/** A line with the words of the custodian. */
export interface NamedLine extends StatedLine {
  readonly account: Id | null;
  readonly depository: Id | null;
  readonly named: NamedInstrument | null;
}

/** The custodian that keeps an account, or the accounts that settle through a depository if they have one. */
function custodianOf({ accounts }: ClientStructure, { account, depository }: StoredHolding): Id | null {
  if (account !== null) return accounts.get(account)?.custodian ?? null;
  const custodians = [...accounts.values()]
    .filter(({ depositories }) => depository !== null && depositories.includes(depository))
    .map(({ custodian }) => custodian);
  const [first = null] = custodians;
  return custodians.every((one) => one === first) ? first : null;
}

/** Finds instruments for words that meant none when they were recorded: the catalogue or the kept names may have changed since. */
async function resolveUnknown(
  work: Work,
  client: Id,
  structure: ClientStructure,
  holdings: readonly StoredHolding[],
): Promise<readonly StoredHolding[]> {
  const isUnknown = ({ kind, instrument, named }: StoredHolding): boolean =>
    kind === 'units' && instrument === null && named !== null;
  const unknown = Map.groupBy(holdings.filter(isUnknown), (one) => custodianOf(structure, one));
  const found = new Map<Id, Id>();
  for (const [custodian, group] of unknown) {
    const names = group.map(({ named }) => defined(named, 'only holdings with words are looked up'));
    const resolutions = await resolveInstruments(work, { client, custodian }, names);
    for (const [index, { id }] of group.entries()) {
      const resolution = resolutions[index];
      if (resolution?.outcome === 'found') found.set(id, resolution.id);
    }
  }
  return holdings.map((one) => ({ ...one, instrument: one.instrument ?? found.get(one.id) ?? null }));
}

/** What a holding is about: an instrument once it is known. */
function subjectOf({ kind, instrument, subject }: StoredHolding): string {
  return kind === 'units' ? (instrument ?? subject) : subject;
}

function toLine(parts: readonly StoredHolding[]): NamedLine {
  const latest = defined(parts[0], 'a line has a part');
  const { kind, account, depository, currency, named, price, priceDate, date } = latest;
  const day = toDayNumber(date);
  const counted = kind === 'cash' ? [latest] : parts.filter(({ importId }) => importId === latest.importId);
  return {
    kind,
    account,
    depository,
    subject: subjectOf(latest),
    instrument: kind === 'cash' ? cashInstrument(currency ?? '') : latest.instrument,
    named,
    currency,
    day,
    quantity: counted.reduce((sum, { quantity }) => sum + toFixed(quantity), 0n),
    price: price === null ? null : { value: toFixed(price), day: priceDate === null ? day : toDayNumber(priceDate) },
  };
}

/** One line for each holding, place and day. */
export async function toStatedLines(
  work: Work,
  { client, structure }: { readonly client: Id; readonly structure: ClientStructure },
  holdings: readonly StoredHolding[],
): Promise<readonly NamedLine[]> {
  const resolved = (await resolveUnknown(work, client, structure, holdings)).toSorted(
    (one, other) => other.countsFrom - one.countsFrom || (one.id < other.id ? 1 : -1),
  );
  const lines = Map.groupBy(resolved, (one) =>
    JSON.stringify([one.account, one.depository, one.kind, one.date, subjectOf(one)]),
  );
  return [...lines.values()].map(toLine);
}

/** Nothing of an instrument that is not listed beside this line. */
export function unlistedLine({ account, depository, day }: NamedLine, instrument: string): NamedLine {
  const nothing = { currency: null, named: null, quantity: 0n, price: null };
  return { kind: 'units', account, depository, day, subject: instrument, instrument, ...nothing };
}
