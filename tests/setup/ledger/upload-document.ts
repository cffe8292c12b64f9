// Historical uploads as each wire writes them, and a household to upload them for.

import type { Caller, Reply } from '../http/caller.ts';
import { makeRecord, makeHousehold, newDocument, toOne, type Household } from '../structure/structure-document.ts';

export const uploadKinds = ['account', 'fee', 'instrument'] as const;
export type UploadKind = (typeof uploadKinds)[number];

export const jsonApiHoldingPaths = {
  account: '/api/v2/historical-account-holdings',
  fee: '/api/v2/historical-fee-holdings',
  instrument: '/api/v3/historical-instrument-holdings',
} as const;

/** A household with an account, a depository and a stock of the catalogue. */
export interface UploadHousehold extends Household {
  readonly account: string;
  readonly depository: string;
  readonly instrument: string;
}

export async function makeUploadHousehold(caller: Caller, name = 'Amsel'): Promise<UploadHousehold> {
  const household = await makeHousehold(caller, name);
  const { legalEntity } = household;
  const account = await makeRecord(caller, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
  const depository = await makeRecord(caller, 'depositories', { legal_entity_id: legalEntity });
  return { ...household, account, depository, instrument: await makeUploadInstrument(caller) };
}

export function makeUploadInstrument(caller: Caller, fields: object = {}): Promise<string> {
  return makeRecord(caller, 'instruments', { type: 'other-instrument', name: 'Stone', ...fields });
}

/** The references of an uploaded holding of a kind. */
export function linksOf(
  kind: UploadKind,
  { account, depository, instrument }: UploadHousehold,
): Record<string, string> {
  return kind === 'instrument' ? { depository, instrument } : { account };
}

/** A document that uploads a holding. */
export function newHoldingDocument(kind: UploadKind, household: UploadHousehold, attributes: object): object {
  const relatedIds = Object.entries(linksOf(kind, household)).map(([type, id]) => [type, toOne(type, id)]);
  return newDocument(`historical-${kind}-holding`, attributes, Object.fromEntries(relatedIds));
}

/** A v1 body that uploads a holding. */
export function v1Holding(kind: UploadKind, household: UploadHousehold, fields: object): object {
  const relatedIds = Object.entries(linksOf(kind, household)).map(([type, id]) => [`${type}_id`, id]);
  return { kind, ...Object.fromEntries(relatedIds), ...fields };
}

/** Values that are valid for every kind; without units the value is zero. */
export function holdingValues(kind: UploadKind, value: string): Record<string, string> {
  return kind === 'instrument' ? { units: '10', market_value: value } : { market_value: value };
}

/** The query string of a deletion by date range. */
export function daysQuery(kind: UploadKind, household: UploadHousehold, [from, to]: readonly [string, string]): string {
  const [[type, id]] = Object.entries(linksOf(kind, household)) as [[string, string]];
  return `${jsonApiHoldingPaths[kind]}?${type}Id=${id}&fromDate=${from}&toDate=${to}`;
}

/** Uploads one holding on each of these days and returns their ids. */
export async function makeHoldings(
  caller: Caller,
  kind: UploadKind,
  household: UploadHousehold,
  days: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const date of days) {
    const fields = { date, ...holdingValues(kind, '100') };
    ids.push(await makeRecord(caller, 'historical-holdings', v1Holding(kind, household, fields)));
  }
  return ids;
}

export function datesOf({ body }: Reply): string[] {
  return body.data.map(({ date }: { date: string }) => date);
}
