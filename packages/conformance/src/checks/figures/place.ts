// A client of its own for figures: an account, a depository and a reporting entity, and instruments that only it sees.

import type { World } from '../../check.ts';
import { Failed } from '../../outcome.ts';

export interface Place {
  readonly account: string;
  readonly depository: string;
  readonly reportingEntity: string;
}

/** Makes a place below a legal entity and a client. */
export async function makePlace({ api }: World, owner: Owner, name: string, currency = 'CHF'): Promise<Place> {
  const account = await api.create('accounts', { entity_id: owner.legalEntity, name, currency });
  const depository = await api.create('depositories', {
    legal_entity_id: owner.legalEntity,
    name,
    account_ids: [account],
  });
  const reportingEntity = await api.create('reporting-entities', { client_id: owner.client, name });
  await api.create('portfolios', {
    reporting_entity_id: reportingEntity,
    name,
    account_ids: [account],
    depository_ids: [depository],
  });
  return { account, depository, reportingEntity };
}

export interface Owner {
  readonly client: string;
  readonly legalEntity: string;
}

/** Makes a client whose lots are counted by a method. */
export async function makeOwner({ api }: World, method: string, currency = 'CHF'): Promise<Owner> {
  const name = `Conformance, figures by ${method}`;
  const client = await api.create('clients', { name, reference_currency: currency, accounting_method: method });
  return { client, legalEntity: await api.create('legal-entities', { client_id: client, name }) };
}

/** Makes an instrument of a place. */
export function makeInstrument({ api }: World, { reportingEntity }: Place, fields: object): Promise<string> {
  return api.create('instruments', { currency: 'CHF', reporting_entity_id: reportingEntity, ...fields });
}

/** Books all rows in one request, or none. */
export async function bookAll({ api }: World, data: readonly object[]): Promise<void> {
  const { status, text } = await api.post('/v1/transactions/bulk', { data });
  if (status !== 200) throw new Failed(`The bookings were refused: ${status} ${text.slice(0, 500)}`);
}

export function expectWithin(what: string, actual: unknown, published: number, tolerance: number): void {
  const value = Number(actual ?? Number.NaN);
  if (!(Math.abs(value - published) <= tolerance))
    throw new Failed(`${what}: published is ${published}, got ${JSON.stringify(actual)}`);
}
