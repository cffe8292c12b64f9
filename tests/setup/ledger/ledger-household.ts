// A client with accounts, depositories and one instrument of each kind that transactions distinguish, for tests of the ledger.

import type { Caller, Reply } from '../http/caller.ts';
import { makeRecord, makeHousehold, newDocument, toOne, type Household } from '../structure/structure-document.ts';

export interface LedgerHousehold extends Household {
  readonly account: string;
  /** Another account in the same currency, and one in euros. */
  readonly savings: string;
  readonly euros: string;
  readonly depository: string;
  readonly vault: string;
  readonly stock: string;
  /** The target of a spin-off or a merger. */
  readonly target: string;
  readonly dollarStock: string;
  readonly bond: string;
  readonly fund: string;
  readonly forward: string;
  readonly delivery: string;
}

const legs = {
  near_leg: { currency: 'CHF', amount: '-880', date: '2026-06-15' },
  far_leg: { currency: 'USD', amount: '1000', date: '2026-06-15' },
};

export function makeInstrument(caller: Caller, fields: object): Promise<string> {
  return makeRecord(caller, 'instruments', fields);
}

export function makeStock(caller: Caller, name: string, currency = 'CHF', more: object = {}): Promise<string> {
  return makeInstrument(caller, { type: 'stock-instrument', name, currency, ...more });
}

export async function makeLedgerHousehold(caller: Caller, name = 'Amsel'): Promise<LedgerHousehold> {
  const household = await makeHousehold(caller, name);
  const account = (currency: string): Promise<string> =>
    makeRecord(caller, 'accounts', { entity_id: household.legalEntity, currency, name: `${name} ${currency}` });
  const depository = (): Promise<string> =>
    makeRecord(caller, 'depositories', { legal_entity_id: household.legalEntity });
  const maturity = '2034-06-15';
  return {
    ...household,
    account: await account('CHF'),
    savings: await account('CHF'),
    euros: await account('EUR'),
    depository: await depository(),
    vault: await depository(),
    stock: await makeStock(caller, 'Novartis AG'),
    target: await makeStock(caller, 'Sandoz Group AG'),
    dollarStock: await makeStock(caller, 'Apple Inc.', 'USD'),
    bond: await makeInstrument(caller, {
      type: 'bond-instrument',
      name: 'Eidg. 2034',
      currency: 'CHF',
      coupon: '0.0125',
      maturity,
    }),
    fund: await makeInstrument(caller, {
      type: 'private-market-fund',
      name: 'Alpine IV',
      currency: 'CHF',
      commitment: '5000000',
    }),
    forward: await makeInstrument(caller, { type: 'fx-forward-cash-settlement-contract', name: 'CHF/USD', ...legs }),
    delivery: await makeInstrument(caller, { type: 'fx-forward-physical-delivery-contract', name: 'CHF/USD', ...legs }),
  };
}

export type LedgerWire = 'JSON:API' | 'Plain' | 'v1';

/** The JSON:API resource type of each relation. */
const relatedTypes: Readonly<Record<string, string>> = {
  account: 'account',
  depository: 'depository',
  instrument: 'instrument',
  counterAccount: 'account',
  targetInstrument: 'instrument',
};

/** Books a transaction on one of the wires from its fields there; JSON:API relations are given by their ids. */
export function book(caller: Caller, wire: LedgerWire, fields: Readonly<Record<string, unknown>>): Promise<Reply> {
  if (wire === 'Plain') return caller.post('/v2/transactions', fields);
  if (wire === 'v1') return caller.post('/v1/transactions', fields);
  return caller.post('/api/v2/transactions', transactionDocument(fields));
}

export function transactionDocument(fields: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(fields);
  const attributes = entries.filter(([name]) => !(name in relatedTypes));
  const related = entries.filter(([name]) => name in relatedTypes);
  const relationships = related.map(([name, id]) => [name, toOne(relatedTypes[name]!, id as string)]);
  return newDocument('transaction', Object.fromEntries(attributes), Object.fromEntries(relationships));
}

/** Returns the id of the booked transaction. Throws if the booking was refused. */
export function bookedId({ status, body, text }: Reply): string {
  if (status !== 201) throw new Error(`Nothing was booked: ${status} ${text}`);
  return body.data?.id ?? body.id;
}

/** The pointer to a field in a body of a wire. */
export function pointerFor(wire: LedgerWire, name: string): string {
  if (wire !== 'JSON:API') return `/${name}`;
  return name in relatedTypes ? `/data/relationships/${name}` : `/data/attributes/${name}`;
}
