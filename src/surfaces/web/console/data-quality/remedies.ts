// Where each finding is mended: links to the page and form, filled in as far as the finding says it.

import { instrumentTypes } from '../../../../model/instrument/instrument.ts';
import type { FindingCode } from '../../../../model/report/finding.ts';
import type { Page } from '../../signed-in-page.ts';
import type { InboxFinding } from './inbox-findings.ts';

export interface Remedy {
  readonly title: string;
  readonly href: string;
}

/** Records that remedies lead to, as far as the findings of a page need them. */
export interface RemedyRecords {
  /** Types of instruments, by id. */
  readonly instrumentTypes: ReadonlyMap<string, string>;
  /** Open breaks, by client. */
  readonly breaks: ReadonlyMap<string, readonly any[]>;
  /** Portfolios, by client. */
  readonly portfolios: ReadonlyMap<string, readonly any[]>;
}

function address(path: string, parameters: Readonly<Record<string, string | null>> = {}): string {
  const known = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known).toString()}`;
}

type Remedies = (found: InboxFinding, records: RemedyRecords) => readonly Remedy[];

const instrumentPath = ({ finding }: InboxFinding): string => `/console/instruments/${finding.instrument_id}`;

const addValue: Remedies = (found, records) => {
  const type = records.instrumentTypes.get(found.finding.instrument_id);
  const declared = instrumentTypes.find((one) => one.type === type);
  // Units of no named instrument have no series.
  if (type !== undefined && declared === undefined) return seeBookings(found, records);
  const series: readonly string[] = declared?.traits.series ?? [];
  const isFund = type?.includes('fund') === true && series.includes('net-asset-value');
  const form = isFund ? 'net-asset-values-form' : 'prices-form';
  return [{ title: isFund ? 'Add a net asset value' : 'Add a price', href: `${instrumentPath(found)}#${form}` }];
};

const addRate: Remedies = (found) => [
  { title: 'Add an interest rate', href: `${instrumentPath(found)}#interest-rates-form` },
];

const addFactor: Remedies = (found) => [
  { title: 'Add an index factor', href: `${instrumentPath(found)}#index-factors-form` },
];

const correctBooking: Remedies = (found, records) => {
  const [booking]: readonly string[] = found.finding.transaction_ids;
  if (booking === undefined) return seeBookings(found, records);
  return [{ title: 'Correct the booking', href: `/console/bookings/${booking}/edit` }, ...seeBookings(found, records)];
};

const seeBookings: Remedies = ({ finding, entity }) => [
  {
    title: 'Its bookings',
    href: address('/console/bookings', {
      ...(finding.account_id === null ? {} : { client_id: entity.client_id }),
      account_id: finding.account_id,
      depository_id: finding.account_id === null ? finding.depository_id : null,
      instrument_id: finding.instrument_id,
    }),
  },
];

/** A new booking of this type, with what the finding knows of it. */
function bookMissing(title: string, type: string): Remedies {
  return (found, records) => {
    const { finding, entity } = found;
    const isCash = type === 'deposit' || type === 'withdrawal';
    const fields = {
      type,
      client_id: entity.client_id,
      account_id: finding.account_id,
      depository_id: isCash ? null : finding.depository_id,
      instrument_id: isCash ? null : finding.instrument_id,
      date: finding.date,
    };
    return [{ title, href: address('/console/bookings/new', fields) }, ...seeBookings(found, records)];
  };
}

/** Units or money that came or went without a booking. */
const bookFlow: Remedies = (found, records) => {
  const isOut = String(found.finding.quantity).startsWith('-');
  const isCash = records.instrumentTypes.get(found.finding.instrument_id)?.startsWith('cash') === true;
  const type = isCash ? (isOut ? 'withdrawal' : 'deposit') : isOut ? 'sell' : 'buy';
  return bookMissing('Book what is missing', type)(found, records);
};

const seeBreak: Remedies = ({ finding, entity }, { breaks }) => {
  const kind = finding.code.slice('break-'.length);
  const own = (breaks.get(entity.client_id) ?? []).find(
    (one) =>
      one.class === kind &&
      one.account_id === finding.account_id &&
      one.depository_id === finding.depository_id &&
      one.date === finding.date &&
      (one.aspect === 'cash' || one.instrument_id === finding.instrument_id) &&
      (one.difference === finding.quantity || one.difference === finding.amount),
  );
  const list = address('/console/custody/breaks', { client_id: entity.client_id, class: kind });
  return [{ title: 'Accept or chase the break', href: own === undefined ? list : `/console/custody/breaks/${own.id}` }];
};

const portfoliosShown = 3;

const addToPortfolio: Remedies = ({ finding, entity }, { portfolios }) => {
  const own = portfolios.get(entity.client_id) ?? [];
  const edits = own.map(({ id, name }) => ({ title: `Add it to ${name}`, href: `/console/portfolios/${id}/edit` }));
  const all = {
    title: 'Portfolios of the client',
    href: address('/console/portfolios', { client_id: entity.client_id }),
  };
  const isFew = own.length > 0 && own.length <= portfoliosShown;
  return [
    ...(isFew ? edits : [all]),
    ...(finding.account_id === null
      ? []
      : [{ title: 'Leave the account out of reports', href: `/console/accounts/${finding.account_id}/edit` }]),
  ];
};

const newPortfolio: Remedies = ({ entity: { id, client_id: client } }) => [
  {
    title: 'Create its portfolio',
    href: address('/console/portfolios/new', { reporting_entity_id: id, client_id: client }),
  },
];

const addExchangeRate: Remedies = ({ finding: { currency, to_currency: quote, date } }) => [
  { title: 'Add the exchange rate', href: address('/console/fx-rates/new', { base: currency, quote, date }) },
];

const classify: Remedies = (found) => [
  { title: 'Set its class', href: `${instrumentPath(found)}/edit#field-instrument_class_id` },
];

const correctInstrument: Remedies = (found, records) => [
  { title: 'Correct the instrument', href: `${instrumentPath(found)}/edit` },
  ...correctBooking(found, records),
];

const correctValue: Remedies = (found, records) => [...addValue(found, records), ...correctBooking(found, records)];

const remediesByCode: Readonly<Record<FindingCode, Remedies>> = {
  'fx-rate-missing': addExchangeRate,
  'rate-missing': addRate,
  'index-factor-missing': addFactor,
  unidentified: correctBooking,
  'no-portfolio': newPortfolio,
  'break-unknown-instrument': seeBreak,
  'break-missing-trade': seeBreak,
  'break-quantity': seeBreak,
  'break-cash': seeBreak,
  'break-price': seeBreak,
  'outside-portfolios': addToPortfolio,
  unclassified: classify,
  short: bookMissing('Book what is missing', 'buy'),
  'short-opened': correctBooking,
  overdrawn: bookMissing('Book the missing deposit', 'deposit'),
  'unexplained-value-change': correctValue,
  'amount-far-from-price': correctBooking,
  'accrued-interest-differs': correctInstrument,
  'more-than-principal': correctInstrument,
  'unexplained-difference': correctBooking,
  'settlement-not-booked': seeBookings,
  'coupon-not-booked': bookMissing('Book the coupon', 'coupon'),
  'coupon-paid-early': correctInstrument,
  matured: bookMissing('Book the redemption', 'maturity'),
  'paid-out-beyond-value': addValue,
  'stale-value': addValue,
  'stale-rate': addExchangeRate,
  'estimated-value': addValue,
  'named-lot-missing': correctBooking,
  'lots-not-named': correctBooking,
  'too-much-named': correctBooking,
  'break-timing': seeBreak,
  'implied-flow': bookFlow,
  'settles-after-upload': correctBooking,
  'estimated-cost': correctBooking,
  'fund-in-several-places': seeBookings,
  'fund-units-unclear': seeBookings,
  'rate-assumed': addRate,
  'index-base-assumed': addFactor,
};

/** The API call without which a page of the console shows nothing. */
const neededCalls: readonly (readonly [page: string, method: 'GET' | 'POST', path: string])[] = [
  ['/console/instruments/', 'GET', '/v1/instruments'],
  ['/console/bookings/new', 'POST', '/v1/transactions'],
  ['/console/bookings', 'GET', '/v1/transactions'],
  ['/console/portfolios/new', 'POST', '/v1/portfolios'],
  ['/console/portfolios', 'GET', '/v1/portfolios'],
  ['/console/accounts/', 'GET', '/v1/accounts'],
  ['/console/fx-rates/new', 'POST', '/v1/fx-rates'],
  ['/console/custody/breaks', 'GET', '/v1/reconciliation-breaks'],
];

/** The most direct first; those that the person's role does not open are left out. */
export function remediesOf(page: Page, found: InboxFinding, records: RemedyRecords): readonly Remedy[] {
  const code: FindingCode = found.finding.code;
  return remediesByCode[code](found, records).filter(({ href }) => {
    const needed = neededCalls.find(([start]) => href.startsWith(start));
    return needed === undefined || page.api.may(needed[1], needed[2]);
  });
}

const breaksMax = 500;
const portfoliosMax = 100;

/** Reads what the remedies of these findings name. */
export async function readRemedyRecords(
  page: Page,
  findings: readonly InboxFinding[],
): Promise<Omit<RemedyRecords, 'instrumentTypes'>> {
  const clientsWith = (isMeant: (code: string) => boolean): readonly string[] => [
    ...new Set(findings.filter(({ finding }) => isMeant(finding.code)).map(({ entity }) => entity.client_id)),
  ];
  const listOf = async (
    apiPath: string,
    clients: readonly string[],
    query: Readonly<Record<string, string>>,
    most: number,
  ) => {
    if (!page.api.may('GET', apiPath)) return new Map<string, readonly any[]>();
    const lists = await Promise.all(
      clients.map(async (client) => (await page.api.list(apiPath, { ...query, client_id: client }, most)).data),
    );
    return new Map(clients.map((client, index) => [client, lists[index] ?? []]));
  };
  const [breaks, portfolios] = await Promise.all([
    listOf(
      '/v1/reconciliation-breaks',
      clientsWith((code) => code.startsWith('break-')),
      { state: 'open' },
      breaksMax,
    ),
    listOf(
      '/v1/portfolios',
      clientsWith((code) => code === 'outside-portfolios'),
      {},
      portfoliosMax,
    ),
  ]);
  return { breaks, portfolios };
}
