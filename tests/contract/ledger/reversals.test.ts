// Reversals over HTTP: income that is taken back, refunded fees, returned calls and repaid distributions on every wire, their signs in
// the reports, and on v1 the transaction that a row reverses.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(() => {
  ({ admin } = service);
});

const wires = ['JSON:API', 'Plain', 'v1'] as const;
const date = '2026-03-12';

type Fields = Readonly<Record<string, unknown>>;
type Figures = Readonly<Record<string, number>>;

/** One type under its names on the wires; the figures are those of the original, then those of its reversal. */
interface Reversal {
  readonly what: string;
  readonly type: string;
  readonly plainType: string;
  readonly instrument?: 'stock' | 'bond' | 'fund';
  readonly figures: readonly [original: Figures, reversal: Figures];
}

const reversals: readonly Reversal[] = [
  {
    what: 'a dividend with withholding that is taken back',
    type: 'dividend',
    plainType: 'Dividend',
    instrument: 'stock',
    figures: [
      { amount: 65, taxes: 35 },
      { amount: -13, taxes: -7 },
    ],
  },
  {
    what: 'a coupon that is taken back',
    type: 'coupon',
    plainType: 'BondCoupon',
    instrument: 'bond',
    figures: [{ amount: 50 }, { amount: -20 }],
  },
  {
    what: 'a refunded fee',
    type: 'fee',
    plainType: 'Fee',
    figures: [{ amount: -25 }, { amount: 10 }],
  },
  {
    what: 'a returned call',
    type: 'drawing',
    plainType: 'CapitalCall',
    instrument: 'fund',
    figures: [{ amount: -500 }, { amount: 200 }],
  },
  {
    what: 'a repaid distribution',
    type: 'private-equity-cashflow',
    plainType: 'Distribution',
    instrument: 'fund',
    figures: [{ amount: 90 }, { amount: -30 }],
  },
];

interface Sent {
  readonly household: LedgerHousehold;
  readonly figures: Figures;
  readonly reference: string;
}

const incomeTypes = ['Dividend', 'BondCoupon'];

/** The amount of income is `net` on Plain, and its tax `withholding`. */
function plainFigures({ plainType }: Reversal, { amount, taxes }: Figures): Fields {
  if (!incomeTypes.includes(plainType)) return { amount };
  return { net: amount, ...(taxes === undefined ? {} : { withholding: taxes }) };
}

function texts(figures: Figures): Fields {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)]));
}

function sentOn(wire: (typeof wires)[number], reversal: Reversal, { household, figures, reference }: Sent): Fields {
  const { type, plainType, instrument } = reversal;
  const id = instrument && household[instrument];
  if (wire === 'JSON:API') {
    const related = { account: household.account, ...(id ? { instrument: id } : {}) };
    return { type, date, ...figures, externalReference: reference, ...related };
  }
  const common = {
    account_id: household.account,
    external_reference: reference,
    ...(id ? { instrument_id: id } : {}),
  };
  return wire === 'Plain'
    ? { ...common, type: plainType, trade_date: date, ...plainFigures(reversal, figures) }
    : { ...common, type, date, ...texts(figures) };
}

describe.each(wires)('reversals that are booked on %s', (wire) => {
  let household: LedgerHousehold;
  const booked = new Map<Reversal, string>();

  beforeAll(async () => {
    household = await makeLedgerHousehold(admin, `Amsel ${wire}`);
    const { client, reportingEntity, account } = household;
    await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
    const deposit = { type: 'deposit', date: '2026-03-11', amount: '1000', account_id: account };
    bookedId(await book(admin, 'v1', deposit));
    for (const reversal of reversals) {
      const [original, reversed] = reversal.figures;
      const at = { household, reference: `${reversal.what}, original` };
      bookedId(await book(admin, wire, sentOn(wire, reversal, { ...at, figures: original })));
      const taken = { household, figures: reversed, reference: reversal.what };
      booked.set(reversal, bookedId(await book(admin, wire, sentOn(wire, reversal, taken))));
    }
  });

  test.each(reversals)('$what is the same row on all wires', async (reversal) => {
    const id = booked.get(reversal)!;
    const [, figures] = reversal.figures;
    const onV1 = (await admin.get(`/v1/transactions/${id}`)).body;
    expect(onV1).toMatchObject({ id, type: reversal.type, ...texts(figures) });
    const listed = (await admin.get(`/api/v2/transactions?accountId=${household.account}`)).body.data;
    const { attributes } = listed.find((one: { id: string }) => one.id === id);
    expect(attributes).toMatchObject({ type: reversal.type, ...figures });
    // Plain has no list: the same row, sent again, is answered as it is booked.
    const again = { household, figures, reference: reversal.what };
    const onPlain = await book(admin, 'Plain', sentOn('Plain', reversal, again));
    expect([onPlain.status, onPlain.body]).toEqual([
      200,
      expect.objectContaining({ id, type: reversal.plainType, ...plainFigures(reversal, figures) }),
    ]);
  });

  test('reports count them with the opposite sign', async () => {
    const query = `reporting_entity_id=${household.reportingEntity}`;
    const { body: holdings } = await admin.get(`/v1/holdings?${query}&as_of=${date}`);
    const fund = holdings.data.find((one: { segment_id: string }) => one.segment_id === household.fund);
    // Cash: 1000 + 65 − 13 + 50 − 20 − 25 + 10 − 500 + 200 + 90 − 30. The fund is carried at 500 − 200 − 90 + 30.
    expect([fund.market_value, holdings.totals.market_value]).toEqual(['240', String(827 + 240)]);
    const { body: performance } = await admin.get(
      `/v1/performance?${query}&start=${date}&end=${date}&method=daily&detail=summary`,
    );
    expect(performance.data[0]).toMatchObject({ income: '82', fees: '15' });
    const { body: funds } = await admin.get(`/v1/performance/private-markets?${query}&as_of=${date}`);
    expect(
      funds.data.find((one: { instrument_id: string | null }) => one.instrument_id === household.fund),
    ).toMatchObject({
      cashflow: { drawdowns: '300', distributions: '60' },
      commitment: { called: '300', uncalled: String(5_000_000 - 300) },
    });
  });
});

describe('the transaction that a row reverses', () => {
  let household: LedgerHousehold;

  beforeAll(async () => {
    household = await makeLedgerHousehold(admin, 'Dohle');
  });

  const send = (fields: Fields): Promise<Reply> =>
    book(admin, 'v1', { type: 'fee', date, account_id: household.account, ...fields });
  const fee = async (): Promise<string> => bookedId(await send({ amount: '-25' }));
  const read = async (id: string, query = ''): Promise<Fields> =>
    (await admin.get(`/v1/transactions/${id}${query}`)).body;

  test('is shown on v1, alone, in lists and as it was known, and is null otherwise', async () => {
    const original = await fee();
    const refund = bookedId(await send({ amount: '25', reverses_transaction_id: original }));
    expect((await read(original))['reverses_transaction_id']).toBeNull();
    expect((await read(refund))['reverses_transaction_id']).toBe(original);
    const { body } = await admin.get(`/v1/transactions?account_id=${household.account}`);
    const listed = body.data.find((one: { id: string }) => one.id === refund);
    expect(listed.reverses_transaction_id).toBe(original);

    const knownAt = new Date(service.clock.now()).toISOString();
    service.clock.advance(60_000);
    const { body: without } = await admin.patch(`/v1/transactions/${refund}`, { reverses_transaction_id: null });
    expect(without.reverses_transaction_id).toBeNull();
    expect((await read(refund, `?known_at=${knownAt}`))['reverses_transaction_id']).toBe(original);
  });

  test('can be named in bulk', async () => {
    const original = await fee();
    const row = { type: 'fee', date, account_id: household.account, amount: '5', reverses_transaction_id: original };
    const { status, body } = await admin.post('/v1/transactions/bulk', { data: [row, row] });
    expect([status, body.booked]).toEqual([200, 2]);
  });

  test('must be an earlier one of the account and kind, with the opposite sign', async () => {
    const original = await fee();
    const refused = async (fields: Fields): Promise<unknown> => {
      const { status, body } = await send({ amount: '25', reverses_transaction_id: original, ...fields });
      return [status, body.errors.map(({ pointer, detail }: Fields) => [pointer, detail])];
    };
    const fault = (detail: string) => [422, [['/reverses_transaction_id', detail]]];
    expect(await refused({ amount: '-25' })).toEqual(
      fault('A reversal has the opposite sign: the reversed transaction has -25, this one -25.'),
    );
    expect(await refused({ type: 'interest' })).toEqual(
      fault('The reversed transaction has the type fee, this one the type interest.'),
    );
    expect(await refused({ date: '2026-03-11' })).toEqual(
      fault('The reversed transaction is of 2026-03-12, after 2026-03-11.'),
    );
    for (const fields of [{ account_id: household.savings }, { reverses_transaction_id: unknownId }])
      expect(await refused(fields)).toEqual([404, [['/reverses_transaction_id', expect.any(String)]]]);
  });

  test('cannot be the row itself', async () => {
    const reference = { external_reference: 'itself' };
    const id = bookedId(await send({ amount: '-3', ...reference }));
    const changes = { amount: '3', reverses_transaction_id: id };
    for (const { status, body } of [
      await send({ ...changes, ...reference }),
      await admin.patch(`/v1/transactions/${id}`, changes),
    ])
      expect([status, body.errors[0].detail]).toEqual([422, 'A transaction cannot reverse itself.']);
    expect(await read(id)).toMatchObject({ amount: '-3', reverses_transaction_id: null });
  });

  test('stays named when it is deleted: the reversal can still be sent again and amended', async () => {
    const original = await fee();
    const sent = { amount: '25', reverses_transaction_id: original, external_reference: 'refund of a deleted fee' };
    const refund = bookedId(await send(sent));
    expect((await admin.delete(`/v1/transactions/${original}`)).status).toBe(204);
    expect((await read(refund))['reverses_transaction_id']).toBe(original);
    expect([(await send(sent)).status, (await send(sent)).body.id]).toEqual([200, refund]);
    const { status, body } = await admin.patch(`/v1/transactions/${refund}`, { comment: 'Kept.' });
    expect([status, body.comment, body.reverses_transaction_id]).toEqual([200, 'Kept.', original]);
  });
});
