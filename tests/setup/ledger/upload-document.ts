// Historical uploads as the wires write them, and a place for them to be stated for.

import type { Caller, Reply } from '../http/caller.ts';
import { make, makeHousehold, newDocument, toOne, type Household } from '../structure/structure-document.ts';

export const holdingKinds = ['account', 'fee', 'instrument'] as const;
export type HoldingKind = (typeof holdingKinds)[number];

export const jsonApiPathOf = {
  account: '/api/v2/historical-account-holdings',
  fee: '/api/v2/historical-fee-holdings',
  instrument: '/api/v3/historical-instrument-holdings',
} as const;

/** A household with one place of each kind, and a stock of the catalogue. */
export interface Places extends Household {
  readonly account: string;
  readonly depository: string;
  readonly instrument: string;
}

export async function makePlaces(caller: Caller, name = 'Amsel'): Promise<Places> {
  const household = await makeHousehold(caller, name);
  const { legalEntity } = household;
  const account = await make(caller, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
  const depository = await make(caller, 'depositories', { legal_entity_id: legalEntity });
  return { ...household, account, depository, instrument: await makeStock(caller) };
}

export function makeStock(caller: Caller, fields: object = {}): Promise<string> {
  return make(caller, 'instruments', { type: 'other-instrument', name: 'Stone', ...fields });
}

/** What a holding of a kind is stated for. */
export function linksOf(kind: HoldingKind, { account, depository, instrument }: Places): Record<string, string> {
  return kind === 'instrument' ? { depository, instrument } : { account };
}

/** A document that states a holding. */
export function newHolding(kind: HoldingKind, places: Places, attributes: object): object {
  const linked = Object.entries(linksOf(kind, places)).map(([type, id]) => [type, toOne(type, id)]);
  return newDocument(`historical-${kind}-holding`, attributes, Object.fromEntries(linked));
}

/** A body that states a holding on v1. */
export function flatHolding(kind: HoldingKind, places: Places, fields: object): object {
  const linked = Object.entries(linksOf(kind, places)).map(([type, id]) => [`${type}_id`, id]);
  return { kind, ...Object.fromEntries(linked), ...fields };
}

/** What any kind can be stated with: without units it is worth nothing. */
export function contentsOf(kind: HoldingKind, value: string): Record<string, string> {
  return kind === 'instrument' ? { units: '10', market_value: value } : { market_value: value };
}

/** The query of a deletion by days. */
export function daysQuery(kind: HoldingKind, places: Places, [from, to]: readonly [string, string]): string {
  const [[type, id]] = Object.entries(linksOf(kind, places)) as [[string, string]];
  return `${jsonApiPathOf[kind]}?${type}Id=${id}&fromDate=${from}&toDate=${to}`;
}

/** States one on each of these days and gives their ids. */
export async function stateDays(
  caller: Caller,
  kind: HoldingKind,
  places: Places,
  days: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const date of days) {
    const fields = { date, ...contentsOf(kind, '100') };
    ids.push(await make(caller, 'historical-holdings', flatHolding(kind, places, fields)));
  }
  return ids;
}

export function datesOf({ body }: Reply): string[] {
  return body.data.map(({ date }: { date: string }) => date);
}
