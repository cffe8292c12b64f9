// Converts the generated ledger into the engine's input: transactions, instruments with their prices, rates, settings.

import { ExchangeRates } from '../../../src/engine/currencies/exchange-rates.ts';
import type { Facts } from '../../../src/engine/history/facts.ts';
import type { ValuedInstrument } from '../../../src/engine/instruments/instrument.ts';
import { Ledger } from '../../../src/engine/ledger/ledger.ts';
import { oneYearHoldingPeriod } from '../../../src/engine/lots/realisation.ts';
import { Series, type Point } from '../../../src/engine/amounts/series.ts';
import type { LedgerTransaction } from '../../../src/engine/ledger/transaction.ts';
import { defaultStaleness } from '../../../src/engine/valuation/valuation.ts';
import { oneFixed, type Fixed } from '../../../src/kit/fixed.ts';
import { counts, currencies, currencyOfInstrument, places, type GeneratedLedger } from '../ledger/generated-ledger.ts';
import { accountName, instrumentName } from '../ledger/journal.ts';

export function depositoryName(depository: number): string {
  return `D${depository}`;
}

export function engineFactsOf(ledger: GeneratedLedger): Facts {
  const accounts = Array.from({ length: counts.accounts }, (_, account) => {
    const used = ledger.positions.filter((position) => position.account === account);
    const depositories = [...new Set(used.map(({ depository }) => depositoryName(depository)))];
    return [accountName(account), { currency: currencies[0], depositories }] as const;
  });
  return {
    ledger: Ledger.from(transactionsOf(ledger)),
    uploads: [],
    accounts: new Map(accounts),
    instruments: instrumentsOf(ledger),
    rates: ratesOf(ledger),
    settings: {
      referenceCurrency: currencies[0],
      method: 'FIFO',
      longAfter: oneYearHoldingPeriod,
      staleness: defaultStaleness,
      valueChangeBound: oneFixed / 2n,
      advisoryCategories: new Set(),
    },
  };
}

function* transactionsOf(ledger: GeneratedLedger): Generator<LedgerTransaction> {
  for (const [row, number] of ledger.rowPositions.entries()) {
    const position = ledger.positions[number];
    const quantity = fixedOf(ledger.quantities[row]!, places.quantity);
    const amount = fixedOf(ledger.amounts[row]!, places.amount);
    yield {
      row,
      kind: position === undefined ? 'flow' : 'trade',
      day: ledger.days[row]!,
      time: null,
      settlement: null,
      account: accountName(ledger.accounts[row]!),
      depository: position === undefined ? null : depositoryName(position.depository),
      instrument: position === undefined ? null : instrumentName(position.instrument),
      quantity,
      amount: quantity > 0n ? -amount : amount,
      currency: currencies[ledger.currencies[row]!]!,
      price: null,
      value: position === undefined ? 0n : amount,
      details: null,
    };
  }
}

function instrumentsOf(ledger: GeneratedLedger): ReadonlyMap<string, ValuedInstrument> {
  const none = new Series([]);
  return new Map(
    ledger.prices.map((prices, number) => {
      const id = instrumentName(number);
      const series = {
        prices: new Series(pointsOf(ledger, prices, places.price)),
        netAssetValues: none,
        indexFactors: none,
      };
      return [
        id,
        {
          id,
          currency: currencies[currencyOfInstrument(number)]!,
          priceUnit: '1',
          terms: { type: 'listed' },
          ...series,
        },
      ];
    }),
  );
}

function ratesOf(ledger: GeneratedLedger): ExchangeRates {
  const [base] = currencies;
  const pairs = ledger.rates.map((rates, currency) => {
    return { base, quote: currencies[currency]!, points: pointsOf(ledger, rates, places.rate) };
  });
  return new ExchangeRates(pairs.slice(1));
}

function pointsOf({ pointDays }: GeneratedLedger, values: Float64Array, scale: number): Point[] {
  return Array.from(values, (value, point) => ({ day: pointDays[point]!, value: fixedOf(value, scale) }));
}

function fixedOf(value: number, scale: number): Fixed {
  return BigInt(value) * 10n ** BigInt(18 - scale);
}
