// Wrong values for every attribute of every instrument type, with the exact pointer and message, on both wires; and terms that
// contradict each other. None of it is stored.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import type { ReportedRefusal } from '../../setup/structure/client-document.ts';
import {
  toSnakeCase,
  snakeCaseName,
  minimalAttributes,
  fullAttributes,
  instrumentTypeNames,
  type Attributes,
} from '../../setup/instruments/instrument-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import { faultsOf, makeRecord, newDocument } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;

beforeAll(() => {
  ({ admin } = service);
});

const fraction = 'must be a decimal fraction from 0 to 1: 4.25 % is 0.0425';
const signedFraction = 'must be a decimal fraction from -1 to 1: 4.25 % is 0.0425';
const country = 'must be an ISO 3166-1 country code of two letters, such as CH';
const currency = 'must be an ISO 4217 currency code, such as EUR';
const isinForm = 'must be an ISIN of 12 characters, such as CH0012032048';
const isinDigit = 'must be an ISIN with a right check digit';
const market = 'must be a market identifier code of four letters or digits, such as XSWX';
const dayCounts =
  'must be one of 30/360-US, 30/360-BOND, 30E/360, 30E/360-ISDA, ACT/360, ACT/365, ACT/ACT-ICMA, ACT/ACT-ISDA';
const yearly = 'must be one of 1, 2, 4, 12';

/** A wrong value and its message; `inside` is the path from the attribute to the wrong part. */
type Row = readonly [value: unknown, says: string, inside?: readonly (string | number)[], code?: string];

const texts = (lengthMax: number): readonly Row[] => [
  [7, 'must be a string'],
  ['', 'must not be empty'],
  [' a', 'must not begin or end with white space'],
  ['x'.repeat(lengthMax + 1), `must have at most ${lengthMax} characters`],
];
const dates: readonly Row[] = [
  [20270101, 'must be a string'],
  ['1 May 2027', 'must be a date in the form YYYY-MM-DD'],
  ['2027-02-29', 'must be a day that exists'],
  ['1899-12-31', 'must be a date from 1900-01-01 to 2200-12-31'],
];
const decimals: readonly Row[] = [
  [true, 'must be a decimal, as a number or a string'],
  ['1,5', 'must be a decimal such as -1234.5'],
  ['0.1234567890123456789', 'must have at most 18 digits after the point'],
];
const positive: readonly Row[] = [...decimals, [0, 'must be greater than 0'], [-1, 'must be greater than 0']];
const fractions: readonly Row[] = [...decimals, [4.25, fraction], [-0.01, fraction]];
const signedFractions: readonly Row[] = [...decimals, [4.25, signedFraction], [-1.01, signedFraction]];
const countries: readonly Row[] = [
  ['CHE', country],
  ['ch', country],
  ['ZZ', country],
  ['UK', country],
];
const currencies: readonly Row[] = [
  ['EURO', currency],
  ['eur', currency],
  ['ABC', currency],
  [978, currency],
];
const isins: readonly Row[] = [
  ['CH001200526', isinForm],
  ['ch0012005267', isinForm],
  [12, isinForm],
  ['CH0012005266', isinDigit],
  ['GB0009997998', isinDigit],
  ['US0378331013', 'must be an ISIN whose CUSIP has a right check digit'],
];
const wholeNumbers = (min: number, max: number): readonly Row[] => [
  [min - 1, `must be a whole number from ${min} to ${max}`],
  [max + 1, `must be a whole number from ${min} to ${max}`],
  [1.5, `must be a whole number from ${min} to ${max}`],
];
const timesAYear: readonly Row[] = [
  [3, yearly],
  [0, yearly],
  [1.5, yearly],
  ['often', yearly],
];
const leg = { ccyCode: 'CHF', amount: 1, date: '2027-03-15' };
const legs: readonly Row[] = [
  ['CHF 1', 'must be an object'],
  [[leg], 'must be an object'],
  [{ ...leg, ccyCode: 'ABC' }, currency, ['ccyCode']],
  [{ ...leg, amount: 'much' }, 'must be a decimal such as -1234.5', ['amount']],
  [{ ...leg, date: '2027-02-30' }, 'must be a day that exists', ['date']],
  [{ ccyCode: 'CHF', amount: 1 }, 'is required', ['date'], 'missing-attribute'],
  [{ ...leg, rate: 1 }, 'is not a known member', ['rate'], 'unknown-attribute'],
];
const flow = { date: '2027-03-31', kind: 'call', amount: 1 };

const wrong: Readonly<Record<string, readonly Row[]>> = {
  name: texts(200),
  externalIdentifier: texts(200),
  ccyCode: currencies,
  priceUnit: [
    ['per 1000', 'must be one of 1, per 100, hundredths'],
    [1, 'must be a string'],
  ],
  issuerCountry: countries,
  tags: [
    ['core', 'must be an array'],
    [['a', 'a'], 'must not repeat a text'],
    [Array.from({ length: 51 }, (_, index) => `t${index}`), 'must have at most 50 items'],
    [['a', ' b'], 'must not begin or end with white space', [1]],
    [['x'.repeat(65)], 'must have at most 64 characters', [0]],
    [[7], 'must be a string', [0]],
  ],
  ticker: texts(32),
  exchange: [
    ['SIX', market],
    ['xswx', market],
    ['XSWXX', market],
    [4, market],
  ],
  isin: isins,
  listingCurrency: currencies,
  coupon: fractions,
  maturity: dates,
  dayCountConvention: [
    ['30/365', dayCounts],
    ['30E+/360', dayCounts],
    [360, dayCounts],
  ],
  couponFrequency: timesAYear,
  datedDate: dates,
  firstCouponDate: dates,
  issuePrice: positive,
  exDividendDays: wholeNumbers(0, 90),
  referenceRate: texts(64),
  spread: signedFractions,
  baseFactor: positive,
  domicile: countries,
  principal: positive,
  interestRate: signedFractions,
  startDate: dates,
  category: texts(64),
  rate: fractions,
  basis: [...decimals, [-1, 'must not be negative']],
  frequency: timesAYear,
  metadata: [
    ['a', 'must be an object'],
    [[1], 'must be an object'],
    [{ text: 'x'.repeat(16_384) }, 'must have at most 16384 characters'],
    [{ 'a/b': [0, { n: 1e30 }] }, 'must have at most 20 digits before the point', ['a/b', 1, 'n']],
  ],
  nearLeg: legs,
  farLeg: legs,
  settlementDate: dates,
  forwardRate: positive,
  commitment: positive,
  managerName: texts(200),
  strategy: texts(200),
  vintageYear: wholeNumbers(1900, 2200),
  schedule: [
    [flow, 'must be an array'],
    [[flow, 'call'], 'must be an object', [1]],
    [[{ ...flow, kind: 'gift' }], 'must be one of call, distribution', [0, 'kind']],
    [[flow, { ...flow, amount: -1 }], 'must be greater than 0', [1, 'amount']],
    [[{ ...flow, date: 'soon' }], 'must be a date in the form YYYY-MM-DD', [0, 'date']],
    [[{ kind: 'call', amount: 1 }], 'is required', [0, 'date'], 'missing-attribute'],
    [[{ ...flow, note: 'x' }], 'is not a known member', [0, 'note'], 'unknown-attribute'],
    [Array.from({ length: 501 }, () => flow), 'must have at most 500 items'],
  ],
};

/** Members inside legs have other names on v1; those of metadata are free. */
function pointerStep(wire: 'json-api' | 'v1', name: string, step: string | number): string {
  const word = wire === 'v1' && typeof step === 'string' && name !== 'metadata' ? snakeCaseName(step) : String(step);
  return word.replaceAll('~', '~0').replaceAll('/', '~1');
}

function expectedFault(
  wire: 'json-api' | 'v1',
  name: string,
  [, message, inside = [], code = 'invalid-attribute']: Row,
): ReportedRefusal {
  const called = wire === 'v1' ? snakeCaseName(name) : name;
  const subPointer = inside.map((step) => `/${pointerStep(wire, name, step)}`).join('');
  const words = inside.map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${wire === 'v1' && name !== 'metadata' ? snakeCaseName(step) : step}`,
  );
  const pointer = wire === 'v1' ? `/${called}${subPointer}` : `/data/attributes/${called}${subPointer}`;
  return { status: 422, code, detail: `${called}${words.join('')} ${message}.`, pointer };
}

/** On v1 the wrong value stays the same, and only the names inside it change. */
function wrongSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wrongSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [snakeCaseName(member), wrongSnakeCase(one)]));
}

test('every attribute of every type is tested with wrong values', () => {
  const declared = new Set(instrumentTypeNames.flatMap((type) => Object.keys(fullAttributes[type]!)));
  expect(Object.keys(wrong).toSorted()).toEqual([...declared].toSorted());
});

describe.each(instrumentTypeNames)('%s', (type) => {
  const names = Object.keys(fullAttributes[type]!);
  const rounds = Math.max(...names.map((name) => wrong[name]!.length));
  /** One wrong value for every attribute at once: each is reported with its own pointer. */
  const rowsOf = (round: number): [string, Row][] =>
    names.flatMap((name) => (wrong[name]![round] ? [[name, wrong[name]![round]]] : []));

  test('reports every wrong value with its pointer, on every wire and for every operation', async () => {
    const id = await makeRecord(admin, 'instruments', { type, ...toSnakeCase(minimalAttributes[type]!) });
    const lines = await countAuditEntries(service.database);
    for (let round = 0; round < rounds; round++) {
      const rows = rowsOf(round);
      const sent = Object.fromEntries(rows.map(([name, [value]]) => [name, value]));
      const document = newDocument(type, { ...minimalAttributes[type], ...sent });
      const flatSent = Object.fromEntries(
        rows.map(([name, [value]]) => [snakeCaseName(name), name === 'metadata' ? value : wrongSnakeCase(value)]),
      );
      const onV1 = rows.map(([name, row]) => expectedFault('v1', name, row));
      const sortReported = (faults: ReportedRefusal[]): ReportedRefusal[] =>
        faults.toSorted((one, other) => (one.pointer! < other.pointer! ? -1 : 1));
      expect(sortReported(faultsOf(await admin.post('/api/v3/instruments', document)))).toEqual(
        sortReported(rows.map(([name, row]) => expectedFault('json-api', name, row))),
      );
      expect(
        sortReported(
          faultsOf(
            await admin.post('/v1/instruments', { type, ...toSnakeCase(minimalAttributes[type]!), ...flatSent }),
          ),
        ),
      ).toEqual(sortReported(onV1));
      expect(sortReported(faultsOf(await admin.patch(`/v1/instruments/${id}`, flatSent)))).toEqual(sortReported(onV1));
    }
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  const neverNull = ['name', 'priceUnit', 'tags'];
  const retained = new Set([
    ...neverNull,
    ...Object.keys(minimalAttributes[type]!).filter(
      (name) => !['coupon', 'referenceRate', 'interestRate'].includes(name),
    ),
    ...['dayCountConvention', 'settlementDate'].filter((name) => names.includes(name)),
  ]);

  test('requires its required fields, and no others', async () => {
    const needed = Object.keys(minimalAttributes[type]!).filter((name) => retained.has(name));
    const missing = (pointer: string, name: string): ReportedRefusal => ({
      status: 422,
      code: 'missing-attribute',
      detail: `${name} is required.`,
      pointer,
    });
    expect(faultsOf(await admin.post('/api/v3/instruments', newDocument(type, {})))).toEqual(
      names.filter((name) => needed.includes(name)).map((name) => missing(`/data/attributes/${name}`, name)),
    );
    expect(faultsOf(await admin.post('/v1/instruments', { type }))).toEqual(
      names
        .filter((name) => needed.includes(name))
        .map((name) => missing(`/${snakeCaseName(name)}`, snakeCaseName(name))),
    );
    const id = await makeRecord(admin, 'instruments', { type, ...toSnakeCase(minimalAttributes[type]!) });
    const nulls = Object.fromEntries([...retained].map((name) => [name, null]));
    expect(faultsOf(await admin.post('/api/v3/instruments', newDocument(type, nulls)))).toEqual(
      [...retained].map((name) => ({
        status: 422,
        code: 'invalid-attribute',
        detail: `${name} must not be null.`,
        pointer: `/data/attributes/${name}`,
      })),
    );
    const refused = faultsOf(await admin.patch(`/v1/instruments/${id}`, toSnakeCase(nulls)));
    expect(refused.map(({ pointer, code }) => [pointer, code])).toEqual(
      expect.arrayContaining(neverNull.map((name) => [`/${snakeCaseName(name)}`, 'invalid-attribute'])),
    );
    const others = names.filter((name) => !retained.has(name) && !(name in minimalAttributes[type]!));
    const emptied = await admin.patch(
      `/v1/instruments/${id}`,
      Object.fromEntries(others.map((name) => [snakeCaseName(name), null])),
    );
    expect(emptied.status).toBe(200);
  });

  test('cannot lose a required field by a change', async () => {
    const id = await makeRecord(admin, 'instruments', { type, ...toSnakeCase(minimalAttributes[type]!) });
    for (const name of [...retained].filter((one) => !neverNull.includes(one))) {
      expect(faultsOf(await admin.patch(`/v1/instruments/${id}`, { [snakeCaseName(name)]: null }))).toEqual([
        {
          status: 422,
          code: 'invalid-attribute',
          detail: `This must not be null on a record of type ${type}.`,
          pointer: `/${snakeCaseName(name)}`,
        },
      ]);
    }
  });
});

describe('terms that do not fit each other', () => {
  const bond = minimalAttributes['bond-instrument']!;
  const loan = minimalAttributes['loan-instrument']!;
  const forward = minimalAttributes['fx-forward-cash-settlement-contract']!;
  const near = { ccyCode: 'CHF', amount: -1, date: '2027-03-15' };
  const both = 'There is a coupon or a reference rate, not both.';
  const lonely = 'A spread is added to a reference rate, and there is none.';
  const conflictingTerms: readonly (readonly [
    type: string,
    terms: Attributes,
    field: string,
    detail: string,
    code?: string,
  ])[] = [
    [
      'bond-instrument',
      { ...bond, coupon: null },
      'coupon',
      'A coupon or a reference rate is required.',
      'missing-attribute',
    ],
    ['bond-instrument', { ...bond, referenceRate: 'SARON' }, 'referenceRate', both],
    ['bond-instrument', { ...bond, spread: 0.01 }, 'spread', lonely],
    [
      'bond-instrument',
      { ...bond, priceUnit: '1' },
      'priceUnit',
      'Bonds are quoted per 100 of nominal: send `per 100` or nothing.',
    ],
    ['bond-instrument', { ...bond, datedDate: '2034-06-15' }, 'maturity', 'The maturity must be after the dated date.'],
    [
      'bond-instrument',
      { ...bond, datedDate: '2030-01-01', firstCouponDate: '2030-01-01' },
      'firstCouponDate',
      'The first coupon must be after the dated date.',
    ],
    [
      'bond-instrument',
      { ...bond, firstCouponDate: '2034-06-16' },
      'firstCouponDate',
      'The first coupon must not be after the maturity.',
    ],
    ['index-linked-bond-instrument', { ...bond, referenceRate: 'SARON' }, 'referenceRate', both],
    [
      'zero-coupon-bond-instrument',
      { name: 'X', maturity: '2030-01-01', datedDate: '2031-01-01' },
      'maturity',
      'The maturity must be after the dated date.',
    ],
    [
      'zero-coupon-bond-instrument',
      { name: 'X', maturity: '2030-01-01', priceUnit: 'hundredths' },
      'priceUnit',
      'Bonds are quoted per 100 of nominal: send `per 100` or nothing.',
    ],
    [
      'loan-instrument',
      { ...loan, interestRate: null },
      'interestRate',
      'An interest rate or a reference rate is required.',
      'missing-attribute',
    ],
    [
      'loan-instrument',
      { ...loan, referenceRate: 'SARON' },
      'referenceRate',
      'There is an interest rate or a reference rate, not both.',
    ],
    ['loan-instrument', { ...loan, spread: 0 }, 'spread', lonely],
    [
      'loan-instrument',
      { ...loan, dayCountConvention: '30E/360-ISDA' },
      'maturity',
      'A maturity is required: 30E/360-ISDA counts the days up to it.',
      'missing-attribute',
    ],
    ['loan-instrument', { ...loan, maturity: '2026-01-01' }, 'maturity', 'The maturity must be after the start date.'],
    [
      'fx-forward-cash-settlement-contract',
      { ...forward, farLeg: { ...near, amount: 1 } },
      'farLeg',
      'The two legs must be in different currencies.',
    ],
    ...[-2, 0].map(
      (amount) =>
        [
          'fx-forward-physical-delivery-contract',
          { name: 'X', nearLeg: near, farLeg: { ccyCode: 'USD', amount, date: '2027-03-15' } },
          'farLeg',
          'One leg is received and positive, the other is paid and negative.',
        ] as const,
    ),
    [
      'fx-forward-cash-settlement-contract',
      { ...forward, farLeg: { ccyCode: 'USD', amount: 1, date: '2027-03-14' } },
      'farLeg',
      'The far leg must not be before the near leg.',
    ],
    [
      'fx-forward-cash-settlement-contract',
      { ...forward, settlementDate: '2027-03-14' },
      'settlementDate',
      'The settlement must not be before the near leg.',
    ],
  ];

  /** The date of the far leg defaults to the settlement date. */
  const withDate = (terms: Attributes, field: string): Attributes =>
    'farLeg' in terms && field === 'farLeg' ? { ...terms, settlementDate: '2027-03-15' } : terms;

  const rows = conflictingTerms.map(([type, terms, field, detail, code = 'invalid-attribute']) => ({
    type,
    terms,
    field,
    detail,
    code,
  }));

  test.each(rows)('$type $terms: $detail', async ({ type, terms, field, detail, code }) => {
    const lines = await countAuditEntries(service.database);
    const sent = withDate(terms, field);
    const fault = (pointer: string): ReportedRefusal => ({ status: 422, code, detail, pointer });
    const onWires: [Reply, string][] = [
      [await admin.post('/api/v3/instruments', newDocument(type, sent)), `/data/attributes/${field}`],
      [await admin.post('/v1/instruments', { type, ...toSnakeCase(sent) }), `/${snakeCaseName(field)}`],
    ];
    for (const [reply, pointer] of onWires) expect(faultsOf(reply)).toEqual([fault(pointer)]);
    expect(await countAuditEntries(service.database)).toBe(lines);
    const id = await makeRecord(admin, 'instruments', { type, ...toSnakeCase(minimalAttributes[type]!) });
    const settled = type.startsWith('index') ? { reference_rate: 'SARON', coupon: '0.01' } : toSnakeCase(sent);
    expect(faultsOf(await admin.patch(`/v1/instruments/${id}`, settled))).toEqual([fault(`/${snakeCaseName(field)}`)]);
  });
});
