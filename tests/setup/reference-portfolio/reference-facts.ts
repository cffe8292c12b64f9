// Converts the facts of the reference portfolio into the engine's input.

import { oneFixed } from '../../../src/kit/fixed.ts';
import { ExchangeRates } from '../../../src/engine/currencies/exchange-rates.ts';
import type { AccountFacts, Facts, Settings, Upload } from '../../../src/engine/history/facts.ts';
import type { ValuedInstrument, InstrumentTerms } from '../../../src/engine/instruments/instrument.ts';
import { Ledger } from '../../../src/engine/ledger/ledger.ts';
import { Series, type Point } from '../../../src/engine/amounts/series.ts';
import type { LedgerTransaction, TransactionDetails } from '../../../src/engine/ledger/transaction.ts';
import type {
  CashText,
  DatedText,
  ReferenceFacts,
  ReferenceInstrument,
  ReferenceTransaction,
  UnitsText,
} from './reference-portfolio.ts';
import { day, fixed } from '../engine/valued-holding.ts';

export function toEngineFacts(reference: ReferenceFacts): Facts {
  return {
    ledger: Ledger.from(reference.transactions.map(transactionOf)),
    uploads: reference.uploads.map(uploadOf),
    accounts: accountsOf(reference),
    instruments: new Map(reference.instruments.map((one) => [one.id, instrumentOf(one)])),
    rates: new ExchangeRates(reference.rates.map((rate) => ({ ...rate, points: pointsOf(rate.points) }))),
    settings: settingsOf(reference),
  };
}

function pointsOf(dated: readonly DatedText[] = []): readonly Point[] {
  return dated.map(([date, value]) => ({ day: day(date), value: fixed(value) }));
}

export function referenceSeries(dated: readonly DatedText[] = []): Series {
  return new Series(pointsOf(dated));
}

function settingsOf({ settings }: ReferenceFacts): Settings {
  const { listed, fund, private: unlisted } = settings.staleAfterDays;
  return {
    referenceCurrency: settings.referenceCurrency,
    method: settings.costMethod,
    longAfter: settings.longTermAfter,
    staleness: { listed: { daysMax: listed }, fund: { daysMax: fund }, private: { daysMax: unlisted } },
    valueChangeBound: oneFixed / 2n,
    advisoryCategories: new Set(settings.advisoryCategories),
  };
}

function accountsOf({ structure }: ReferenceFacts): ReadonlyMap<string, AccountFacts> {
  const depositoriesOf = (account: string): string[] =>
    structure.depositories.flatMap(({ id, accounts }) => (accounts.includes(account) ? [id] : []));
  return new Map(structure.accounts.map(({ id, currency }) => [id, { currency, depositories: depositoriesOf(id) }]));
}

function instrumentOf(text: ReferenceInstrument): ValuedInstrument {
  return {
    id: text.id,
    currency: text.currency,
    priceUnit: text.priceUnit,
    terms: termsOf(text),
    prices: referenceSeries(text.prices),
    netAssetValues: referenceSeries(text.netAssetValues),
    indexFactors: referenceSeries(),
  };
}

function termsOf({ type, bond, commitment }: ReferenceInstrument): InstrumentTerms {
  if (type === 'private-fund') return { type, commitment: commitment === undefined ? null : fixed(commitment) };
  if (type !== 'bond') return { type };
  const { rate, frequency, convention, datedDate, maturity } = bond!;
  const schedule = { maturity: day(maturity), frequency, datedDate: day(datedDate) };
  return { type, schedule, convention, rate: fixed(rate) };
}

function uploadOf(text: CashText | UnitsText): Upload {
  if (text.kind === 'account') {
    return { kind: 'cash', day: day(text.day), account: text.account, balance: fixed(text.marketValue) };
  }
  return {
    kind: 'units',
    day: day(text.day),
    depository: text.depository,
    instrument: text.instrument,
    quantity: fixed(text.units),
    marketValue: fixed(text.marketValue),
    accrued: fixed(text.accruedInterest),
    exchange: { rate: fixed(text.currencyExchangeRate), currency: text.reportingCurrency },
  };
}

function transactionOf(text: ReferenceTransaction): LedgerTransaction {
  return {
    row: text.row,
    kind: text.kind,
    day: day(text.day),
    time: null,
    settlement: null,
    account: text.account ?? null,
    depository: text.depository ?? null,
    instrument: text.instrument ?? null,
    quantity: fixed(text.quantity ?? '0'),
    amount: fixed(text.amount ?? '0'),
    currency: text.currency ?? 'EUR',
    price: text.price === undefined ? null : fixed(text.price),
    value: fixed(text.value ?? '0'),
    details: detailsOf(text),
  };
}

function detailsOf(text: ReferenceTransaction): TransactionDetails | null {
  const { accrued, withholding, recallable, category, counterCash, action } = text;
  const details: TransactionDetails = {
    ...(accrued === undefined ? {} : { accrued: fixed(accrued) }),
    ...(withholding === undefined ? {} : { withholding: fixed(withholding) }),
    ...(recallable === undefined ? {} : { recallable: fixed(recallable) }),
    ...(category === undefined ? {} : { category }),
    ...(counterCash === undefined ? {} : { counterCash: { ...counterCash, amount: fixed(counterCash.amount) } }),
    ...(action === undefined ? {} : { action: { action: action.action, ratio: ratioOf(action.ratio) } }),
  };
  return Object.keys(details).length === 0 ? null : details;
}

function ratioOf({ numerator, denominator }: { numerator: string; denominator: string }) {
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}
