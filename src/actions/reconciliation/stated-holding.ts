// Records what custodians state is held, as imports and feeds bring it, and withdraws it when an import is undone.

import { defined } from '../../kit/assert.ts';
import { FixedFault, fromFixed, toFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { statedSubject, type StatedHolding } from '../../model/custody/stated-holding.ts';
import type { StatementBalance, StatementPosition } from '../../model/custody/statement.ts';
import type { IdentifiedHolding } from '../../store/custody/stated-holdings.ts';
import { flagClient } from '../../store/queues/dirty-flags.ts';
import type { Work } from '../core/work.ts';
import { momentOf } from '../imports/entry-input.ts';

/** The records that the words of an item were resolved to. */
export interface ResolvedPlace {
  readonly client: Id;
  /** At least one of both; cash needs the account. */
  readonly account: Id | null;
  readonly depository: Id | null;
  /** Of a position: null where its words are those of no known instrument. */
  readonly instrument: Id | null;
}

/** `unchanged`: another import has stated exactly this already. */
export type StatedOutcome = 'recorded' | 'unchanged';

/** Turns a position or a closing balance into what is recorded of it. Opening balances state nothing beyond the day before. */
export function toStatedHolding(item: StatementPosition | StatementBalance, place: ResolvedPlace): StatedHolding {
  const { client, account, depository, instrument } = place;
  const common = { client, account, depository, date: item.date, statedAt: momentOf(item.statedAt) };
  if (item.item === 'balance') {
    const nothing = { price: null, priceDate: null, value: null, valueCurrency: null, cost: null };
    const cash = { instrument: null, named: null, quantity: item.amount, currency: item.currency };
    return { ...common, ...nothing, ...cash, kind: 'cash' };
  }
  return {
    ...common,
    kind: 'units',
    instrument,
    named: item.instrument,
    quantity: item.quantity,
    currency: item.currency ?? null,
    price: item.price ?? null,
    priceDate: item.priceDate ?? null,
    value: item.value ?? null,
    valueCurrency: item.valueCurrency ?? null,
    cost: item.cost ?? null,
  };
}

interface Grouped {
  /** Which group each of the holdings is part of. */
  readonly groupOf: readonly number[];
  readonly groups: readonly IdentifiedHolding[];
}

/** Lines of one statement about the same are parts of it: their units add up; of balances the last one counts. */
function groupHoldings(work: Work, holdings: readonly StatedHolding[]): Grouped {
  const indexes = new Map<string, number>();
  const groups: IdentifiedHolding[] = [];
  const groupOf = holdings.map((holding) => {
    const { account, depository, date } = holding;
    const key = JSON.stringify([account, depository, date, statedSubject(holding)]);
    const index = indexes.get(key);
    if (index === undefined) {
      indexes.set(key, groups.length);
      return groups.push({ id: work.ids.next(), holding }) - 1;
    }
    const { id, holding: before } = defined(groups[index], 'a known group is there');
    groups[index] = { id, holding: holding.kind === 'cash' ? holding : sumOf(before, holding) };
    return index;
  });
  return { groupOf, groups };
}

/** Refuses lines whose sum is too long to be stored. */
function sumOf(one: StatedHolding, other: StatedHolding): StatedHolding {
  try {
    return addHoldings(one, other);
  } catch (error) {
    if (!(error instanceof FixedFault)) throw error;
    const detail = `Two lines of ${one.date} about the same holding add up to more than 20 digits before the point.`;
    throw new Refusal('invalid-document', detail);
  }
}

function addHoldings(one: StatedHolding, other: StatedHolding): StatedHolding {
  const sum = (field: 'value' | 'cost') => {
    const [first, second] = [one[field], other[field]];
    return first === null || second === null ? null : fromFixed(toFixed(first) + toFixed(second));
  };
  const quantity = fromFixed(toFixed(one.quantity) + toFixed(other.quantity));
  return { ...other, price: other.price ?? one.price, quantity, value: sum('value'), cost: sum('cost') };
}

/** Says, in the same order, what `recordStatedHoldings` would do with each, and changes nothing. */
export async function checkStatedHoldings(
  work: Work,
  { importId }: { readonly importId: Id },
  holdings: readonly StatedHolding[],
): Promise<readonly StatedOutcome[]> {
  return (await compareHoldings(work, importId, holdings)).outcomes;
}

async function compareHoldings(work: Work, importId: Id, holdings: readonly StatedHolding[]) {
  const { groupOf, groups } = groupHoldings(work, holdings);
  const stated =
    groups.length === 0 ? new Set<string>() : await work.store.custody.statedHoldings.listStated(importId, groups);
  const outcomes = groupOf.map((index): StatedOutcome => {
    const { id } = defined(groups[index], 'each holding has its group');
    return stated.has(id) ? 'unchanged' : 'recorded';
  });
  return { outcomes, added: groups.filter(({ id }) => !stated.has(id)) };
}

/**
 * Records what a file or feed states and says for each, in the same order, whether it is new. Takes any number of calls for one import.
 * The caller has locked the places, and has the right to write to their clients.
 */
export async function recordStatedHoldings(
  work: Work,
  { importId }: { readonly importId: Id },
  holdings: readonly StatedHolding[],
): Promise<readonly StatedOutcome[]> {
  const { outcomes, added } = await compareHoldings(work, importId, holdings);
  if (added.length > 0) await work.store.custody.statedHoldings.insert(importId, added, work.now);
  flagStated(
    work,
    added.map(({ holding }) => holding.client),
  );
  return outcomes;
}

/** Withdraws everything that an import has stated, when it is undone. Returns how many statements that were. */
export async function withdrawStatedHoldings(work: Work, importId: Id): Promise<number> {
  const clients = await work.store.custody.statedHoldings.closeImport(importId, work.now);
  flagStated(work, clients);
  return clients.length;
}

/** Flags clients in the order of their ids, so that two transactions cannot deadlock. */
function flagStated(work: Work, clients: readonly Id[]): void {
  for (const client of [...new Set(clients)].toSorted()) {
    flagClient(work.store, client, { cause: 'statement', now: work.now });
  }
}
