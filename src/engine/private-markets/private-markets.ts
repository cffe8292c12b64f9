// Reports on the private-market funds of a client as of a day: each fund in its currency, and all in the reference currency.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import { convertedAmount, type Conversion, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import { spreadFundFindings } from '../findings/fund-findings.ts';
import { coveredPositions, type Coverage } from '../history/holdings.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import { listFundTransfers, type FundTransfer } from './commitment-transfer.ts';
import { listFundFlows, referenceFlow } from './fund-flow.ts';
import {
  fundPerformance,
  combinedFundPerformance,
  type PrivateMarketPerformance,
  type RatedFundInvestment,
} from './fund-performance.ts';
import { publicMarketEquivalent, type IndexMissing, type PublicMarketEquivalent } from './public-market-equivalent.ts';
import type { Series } from '../amounts/series.ts';
import type { Valuation } from '../valuation/valuation.ts';

interface PrivateMarketsRequest {
  readonly day: Day;
  readonly covers: Coverage;
  /** The index to compare with, taken in each fund's currency, and for the whole in the reference currency. */
  readonly index?: Series;
}

export interface FundReport {
  readonly instrument: string;
  readonly currency: IsoCurrency;
  readonly performance: PrivateMarketPerformance;
  readonly equivalent: PublicMarketEquivalent | IndexMissing | null;
  /** Parts of the unfunded commitment that left together with a stake. */
  readonly transfers: readonly FundTransfer[];
  /** One for each position that holds the fund. */
  readonly valuations: readonly Valuation[];
  /** Whether its calls and distributions are booked at several places, so that the figures do not fit each other. */
  readonly isSpread: boolean;
  /** Days on which an upload changed what was held, and no transaction says why. */
  readonly impliedFlows: readonly Day[];
  /** In the reference currency. */
  readonly marketValue: Fixed;
  readonly conversion: Conversion;
}

export interface PrivateMarkets {
  readonly whole: PrivateMarketPerformance;
  readonly equivalent: PublicMarketEquivalent | IndexMissing | null;
  readonly funds: readonly FundReport[];
}

export function privateMarkets(history: History, { day, covers, index }: PrivateMarketsRequest): PrivateMarkets {
  const funds = Map.groupBy(
    coveredPositions(history, covers).filter((position) => isFund(history.instrument(position))),
    (position) => history.key(position).instrument,
  );
  const investments = [...funds.values()].map((positions) => fundInvestment(history, positions, day));
  const whole = combinedFundPerformance(
    investments.map(({ rated }) => rated),
    day,
  );
  return {
    whole,
    equivalent: index === undefined ? null : computeEquivalent(whole, { day, index }),
    funds: investments.map((investment) => fundReport(investment, { day, index })),
  };
}

/** Undefined: an instrument that is not in the catalogue. */
export function isFund(instrument: ValuedInstrument | undefined): boolean {
  return instrument?.terms.type === 'private-fund';
}

interface HeldFund extends Pick<FundReport, 'isSpread' | 'impliedFlows' | 'transfers'> {
  readonly instrument: ValuedInstrument;
  readonly rated: RatedFundInvestment;
  readonly valuations: readonly Valuation[];
  readonly conversion: Conversion;
}

/** Joins all positions in the fund into one investment. */
function fundInvestment(history: History, positions: readonly number[], day: Day): HeldFund {
  const [first] = positions;
  const instrument = history.instrument(defined(first, 'a held fund has a position'));
  const { rates, settings } = history.facts;
  const { currency, terms } = instrument;
  const sourced = listFundFlows(history, { positions, day });
  const impliedFlows = sourced.flatMap(({ source }) =>
    source.kind === 'leg' && source.leg.measure === 'cash' ? [source.leg.day] : [],
  );
  const valuations = positions.map((position) => history.value(position, day).valuation);
  const residualValue = valuations.reduce(
    (sum, { value, currency: from }) => sum + convertedAmount(value, rates.get({ from, to: currency, day })),
    0n,
  );
  const commitment = terms.type === 'private-fund' ? terms.commitment : null;
  const conversion = rates.get({ from: currency, to: settings.referenceCurrency, day });
  const isSpread = spreadFundFindings(history, positions, day).length > 0;
  const flows = sourced.map(({ flow }) => flow);
  const referenceFlows = sourced.map((one) => referenceFlow(history, one));
  const transfers = listFundTransfers(history, { positions, commitment, flows, day });
  const rated = { commitment, flows, referenceFlows, residualValue, transfers, asOfRate: conversion };
  return { instrument, rated, transfers, valuations, isSpread, impliedFlows, conversion };
}

function fundReport(fund: HeldFund, request: IndexRequest): FundReport {
  const { instrument, rated, transfers, valuations, isSpread, impliedFlows, conversion } = fund;
  const performance = fundPerformance(rated, request.day);
  return {
    instrument: instrument.id,
    currency: instrument.currency,
    performance,
    equivalent:
      request.index === undefined ? null : computeEquivalent(performance, { ...request, index: request.index }),
    transfers,
    valuations,
    isSpread,
    impliedFlows,
    marketValue: convertedAmount(rated.residualValue, conversion),
    conversion,
  };
}

interface IndexRequest {
  readonly day: Day;
  readonly index: Series | undefined;
}

function computeEquivalent(
  { investorFlows, residualValue }: PrivateMarketPerformance,
  { day, index }: { readonly day: Day; readonly index: Series },
): PublicMarketEquivalent | IndexMissing {
  return publicMarketEquivalent({ flows: investorFlows, residualValue, asOf: day }, index);
}
