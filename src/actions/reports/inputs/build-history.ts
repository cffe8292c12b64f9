// Builds the engine's history from everything read for a client.

import { toFixed } from '../../../kit/fixed.ts';
import type { IsoCurrency } from '../../../engine/currencies/exchange-rates.ts';
import type { Facts, Settings } from '../../../engine/history/facts.ts';
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

export function buildHistory(inputs: LoadedInputs, ledger: Ledger): History {
  const { structure, uploads, rates } = inputs;
  const settings = engineSettings(structure.client);
  const facts: Facts = {
    ledger,
    uploads: uploads.map(toEngineUpload),
    accounts: structure.accounts,
    instruments: engineInstruments(inputs, ledger),
    rates: rates.rates.withStaleness(settings.staleness.listed),
    settings,
  };
  return new History(facts);
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
