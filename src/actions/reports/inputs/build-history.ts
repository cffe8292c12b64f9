// Builds the engine's history from everything read for a client, and finds the last day with data.

import { toDayNumber } from '../../../kit/calendar-date.ts';
import type { Day } from '../../../kit/day.ts';
import { toFixed } from '../../../kit/fixed.ts';
import type { IsoCurrency } from '../../../engine/currencies/exchange-rates.ts';
import type { Facts, Settings, Upload } from '../../../engine/history/facts.ts';
import { History } from '../../../engine/history/history.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { HistoricalHolding } from '../../../model/ledger/historical-holding.ts';
import type { LiveBlock } from '../../../store/ledger/ledger-block.ts';
import { toEngineUpload } from '../../custody/engine-upload.ts';
import type { ClassNode } from './class-lookup.ts';
import type { ClientStructure } from './client-structure.ts';
import { toEngineInstrument } from './engine-instrument.ts';
import type { VersionedInstrument, VersionedRates } from './market-data-cache.ts';

/** Everything that was read. */
export interface LoadedInputs {
  readonly structure: ClientStructure;
  readonly classes: readonly ClassNode[];
  readonly pieces: readonly LiveBlock[];
  readonly uploads: readonly HistoricalHolding[];
  readonly instruments: ReadonlyMap<string, VersionedInstrument>;
  readonly rates: VersionedRates;
}

/** Categories of advisory fees, which a gross return adds back. */
const advisoryCategories: ReadonlySet<string> = new Set(['advisory', 'management', 'performance']);

export function buildHistory(inputs: LoadedInputs, ledger: Ledger): { history: History; latestDay: Day } {
  const { structure, uploads, instruments, rates } = inputs;
  const settings = engineSettings(structure.client);
  const facts: Facts = {
    ledger,
    uploads: uploads.map(toEngineUpload),
    accounts: structure.accounts,
    instruments: engineInstruments(inputs, ledger),
    rates: rates.rates.withStaleness(settings.staleness.listed),
    settings,
  };
  return {
    history: new History(facts),
    latestDay: findLatestDay(ledger, facts.uploads, [...instruments.values()], rates),
  };
}

export function engineSettings(client: ClientStructure['client']): Settings {
  const { staleDaysListed, staleDaysFunds, staleDaysPrivate } = client;
  return {
    referenceCurrency: client.referenceCurrency,
    method: client.accountingMethod,
    longAfter: { unit: 'months', count: client.longTermMonths },
    staleness: {
      listed: { daysMax: staleDaysListed },
      fund: { daysMax: staleDaysFunds },
      private: { daysMax: staleDaysPrivate },
    },
    volatilityDays: client.volatilityDays,
    valueChangeBound: toFixed(client.valueChangeBound),
    advisoryCategories,
  };
}

function engineInstruments({ classes, instruments, structure }: LoadedInputs, ledger: Ledger): Facts['instruments'] {
  const stalenessByClass = new Map<string, number>(classes.map(({ id, stalenessDays }) => [id, stalenessDays]));
  const tradedCurrency = tradedCurrencies(instruments, ledger);
  return new Map(
    [...instruments].map(([id, { instrument, series }]) => {
      const currency = tradedCurrency.get(id) ?? structure.client.referenceCurrency;
      const stalenessDays = stalenessByClass.get(instrument.instrumentClass ?? '') ?? null;
      return [id, toEngineInstrument(instrument, { series, currency, stalenessDays })];
    }),
  );
}

/** For instruments whose terms name no currency: the one they were first paid in. */
function tradedCurrencies(instruments: LoadedInputs['instruments'], ledger: Ledger): ReadonlyMap<string, IsoCurrency> {
  const withoutCurrency = new Set(
    [...instruments].flatMap(([id, { instrument }]) =>
      instrument.ccyCode === null && instrument.listingCurrency === null ? [id] : [],
    ),
  );
  const currencies = new Map<string, IsoCurrency>();
  for (const { instrument, currency } of ledger.transactions()) {
    if (withoutCurrency.size === 0) break;
    if (instrument !== null && withoutCurrency.delete(instrument)) currencies.set(instrument, currency);
  }
  return currencies;
}

function findLatestDay(
  ledger: Ledger,
  uploads: readonly Upload[],
  instruments: readonly VersionedInstrument[],
  { lastDay }: VersionedRates,
): Day {
  let last = Math.max(lastDay, ledger.chunks.at(-1)?.day.at(-1) ?? -Infinity);
  for (const { day } of uploads) last = Math.max(last, day);
  for (const { series } of instruments) {
    for (const { days } of Object.values(series)) last = Math.max(last, days.at(-1) ?? -Infinity);
  }
  return last === -Infinity ? toDayNumber('1970-01-01' as Parameters<typeof toDayNumber>[0]) : last;
}
