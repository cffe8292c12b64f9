// Seeds the booking benchmark: clients with accounts and depositories, a catalogue of stocks, and rows to book, all over v1.

import type { Seeding } from '../measured-service.ts';

export interface BookingFixture {
  readonly token: string;
  readonly workspaceId: string;
  readonly environment: string;
  readonly households: readonly BookingHousehold[];
  readonly stocks: readonly string[];
}

export interface BookingHousehold {
  readonly client: string;
  readonly accounts: readonly string[];
  readonly depositories: readonly string[];
}

const sizes = { households: 8, accounts: 3, depositories: 2, stocks: 200 } as const;

export async function seedBookings({ token, workspaceId, environment, make }: Seeding): Promise<BookingFixture> {
  const makeMany = (count: number, makeOne: (index: number) => Promise<string>): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => makeOne(index)));
  const households: BookingHousehold[] = [];
  for (let number = 0; number < sizes.households; number++) {
    const client = await make('clients', { name: `Family ${number}` });
    const entity = await make('legal-entities', { name: `Holding ${number}`, client_id: client });
    const accounts = await makeMany(sizes.accounts, (index) =>
      make('accounts', { entity_id: entity, currency: 'CHF', name: `Current ${index}` }),
    );
    const depositories = await makeMany(sizes.depositories, () => make('depositories', { legal_entity_id: entity }));
    households.push({ client, accounts, depositories });
  }
  const stocks = await makeMany(sizes.stocks, (index) =>
    make('instruments', { type: 'stock-instrument', name: `Share ${index}`, currency: 'CHF' }),
  );
  return { token, workspaceId, environment, households, stocks };
}

function pick<T>(all: readonly T[], index: number): T {
  return all[index % all.length]!;
}

/** The rows of a feed: buys and sells with fees, and an occasional dividend or fee. */
export function rowNumbered({ households, stocks }: BookingFixture, index: number): Record<string, string> {
  const household = pick(households, index);
  const location = {
    account_id: pick(household.accounts, index >> 3),
    depository_id: pick(household.depositories, index >> 4),
  };
  const date = new Date(Date.UTC(2020, 0, 1) + (index % 2_000) * 86_400_000).toISOString().slice(0, 10);
  const instrument_id = pick(stocks, index * 7);
  const frame = {
    date,
    ...location,
    source: 'custodian',
    external_reference: `FEED-${String(index).padStart(9, '0')}`,
  };
  if (index % 10 === 8) return { type: 'dividend', ...frame, instrument_id, amount: '65', taxes: '35' };
  if (index % 10 === 9) return { type: 'fee', ...frame, amount: '-12.5', category: 'custody' };
  const type = index % 3 === 0 ? 'sell' : 'buy';
  const price = `${50 + (index % 100)}.25`;
  return { type, ...frame, instrument_id, quantity: String(1 + (index % 500)), price, fees: '9.95' };
}
