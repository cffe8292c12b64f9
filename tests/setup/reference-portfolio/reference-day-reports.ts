// The engine's figures for the reference portfolio at the end of a day, in the format of the expected figures. Only adds them up.

import type { PositionRealisation } from '../../../src/engine/lots/lot-book-changes.ts';
import { convertedAmount } from '../../../src/engine/currencies/exchange-rates.ts';
import { holdings, lotSnapshotOf, type Holding } from '../../../src/engine/history/holdings.ts';
import { readLimitFilter } from '../../../src/model/limit/limit-filter.ts';
import {
  evaluateLimit,
  type LimitRule,
  type LimitStatus,
  type ValuedHolding,
} from '../../../src/engine/limits/limit-status.ts';
import { findSyntheticInstrument, positionKeyText } from '../../../src/engine/ledger/position-key.ts';
import type { PrivateMarketPerformance } from '../../../src/engine/private-markets/fund-performance.ts';
import { privateMarkets, type FundReport } from '../../../src/engine/private-markets/private-markets.ts';
import { realisedGains } from '../../../src/engine/history/realised-gains.ts';
import { fromDayNumber } from '../../../src/kit/calendar-date.ts';
import { fromFixed, type Fixed } from '../../../src/kit/fixed.ts';
import { referenceSeries } from './reference-facts.ts';
import { referenceAxes, type ReferenceAxis, type ReferenceLimit, type Tree } from './reference-portfolio.ts';
import { dateText, flowTree, ratioNumber, sumText, type ReferenceWorld } from './reference-world.ts';
import { day, fixed } from '../engine/valued-holding.ts';

export class ReferenceDayReports {
  readonly #world: ReferenceWorld;

  constructor(world: ReferenceWorld) {
    this.#world = world;
  }

  #holdings(date: string): readonly Holding[] {
    return holdings(this.#world.history, { day: day(date), covers: this.#world.covers });
  }

  /** Sorted by position, as in all reports by position, since the engine's order is not specified. */
  holdings(date: string): Tree {
    return Object.fromEntries(this.#holdings(date).map((one) => [positionKeyText(one), holdingTree(one)]));
  }

  valuations(date: string): Tree {
    return Object.fromEntries(this.#holdings(date).map((one) => [positionKeyText(one), valuationTree(one)]));
  }

  totals(date: string): Tree {
    const all = this.#holdings(date);
    return {
      marketValue: sumText(all.map(({ marketValue }) => marketValue)),
      accruedInterest: sumText(all.map(accruedOf)),
      cost: sumText(all.map(({ referenceCost }) => referenceCost)),
      unrealised: sumText(all.map(({ unrealised }) => unrealised)),
    };
  }

  marketValueBy(date: string): Tree {
    const all = this.#holdings(date);
    return Object.fromEntries(referenceAxes.map((axis) => [axis, this.#sumsBy(axis, all)]));
  }

  #sumsBy(axis: ReferenceAxis, all: readonly Holding[]): Tree {
    const sums = new Map<string, Fixed>();
    for (const one of all) {
      for (const segment of this.#world.segments(one)[axis]) {
        sums.set(segment, (sums.get(segment) ?? 0n) + one.marketValue);
      }
    }
    return Object.fromEntries([...sums].map(([segment, value]) => [segment, fromFixed(value)]));
  }

  /** Sorted by position, then in the order of the lots. */
  lots(date: string): Tree {
    const found = this.#holdings(date).map((one): [string, Tree[]] => [
      positionKeyText(one),
      lotSnapshotOf(this.#world.history, one, day(date)).lots.map((lot) => ({
        acquired: fromDayNumber(lot.acquired),
        openedBy: lot.row < 0 ? 'upload' : lot.row,
        units: fromFixed(lot.quantity),
        cost: fromFixed(lot.cost),
        referenceCost: fromFixed(lot.referenceCost),
        isEstimated: lot.isEstimated,
      })),
    ]);
    return Object.fromEntries(found.filter(([, lots]) => lots.length > 0));
  }

  /** Realised gains since inception. */
  realisedGains(date: string): Tree {
    const realised = realisedGains(this.#world.history, { from: 0, to: day(date), covers: this.#world.covers });
    const ofTerm = (term: string): Tree => gainTree(realised.filter((one) => one.term === term));
    return {
      realisations: realised.map((one) => this.#realisation(one)),
      short_term: ofTerm('short_term'),
      long_term: ofTerm('long_term'),
      total: gainTree(realised),
    };
  }

  #realisation(one: PositionRealisation): Tree {
    return {
      row: one.row,
      day: fromDayNumber(one.day),
      instrument: this.#world.history.key(one.position).instrument,
      acquired: fromDayNumber(one.acquired),
      term: one.term,
      quantity: fromFixed(one.quantity),
      cost: fromFixed(one.cost),
      proceeds: fromFixed(one.proceeds),
      gain: fromFixed(one.gain),
      referenceCost: fromFixed(one.referenceCost),
      referenceProceeds: fromFixed(one.referenceProceeds),
      referenceGain: fromFixed(one.referenceGain),
      costAtSaleRate: fromFixed(one.costAtSaleRate),
      pricePart: fromFixed(one.pricePart),
      currencyPart: fromFixed(one.currencyPart),
    };
  }

  /** The only fund, and the total. */
  privateMarkets(date: string): Tree {
    const index = referenceSeries(this.#world.facts.index.levels);
    const { funds, whole } = privateMarkets(this.#world.history, { day: day(date), covers: this.#world.covers, index });
    const [fund] = funds as readonly [FundReport];
    return {
      fund: { currency: fund.currency, ...fundTree(fund.performance), ...equivalentTree(fund.equivalent) },
      reference: { currency: this.#world.facts.settings.referenceCurrency, ...fundTree(whole) },
    };
  }

  limits(date: string): Tree {
    const valued = this.#holdings(date).map((one) => this.#toValuedHolding(one));
    const answers = this.#world.facts.limits.map((limit) => [limit.id, limitTree(limit, valued)]);
    return Object.fromEntries(answers);
  }

  #toValuedHolding(one: Holding): ValuedHolding {
    const path = this.#world.classPath(one.instrument);
    return {
      instrumentId: one.instrument,
      instrumentType: this.#world.history.instrument(one.position).terms.type,
      instrumentClassId: path.at(-1)!,
      instrumentClassPath: path,
      issuerCountry: null,
      tags: [],
      currency: one.valuation.currency,
      custodian: null,
      portfolioIds: this.#world.portfolios(one),
      marketValue: one.marketValue,
    };
  }

  /** Cash of an account at the end of a day. */
  cash(account: string, date: string): string {
    const found = this.#holdings(date).filter(
      (one) => one.account === account && findSyntheticInstrument(one.instrument)?.kind === 'cash',
    );
    return sumText(found.map(({ quantity }) => quantity));
  }
}

function accruedOf({ valuation, conversion }: Holding): Fixed {
  return convertedAmount(valuation.accrued, conversion);
}

function holdingTree(one: Holding): Tree {
  const { valuation } = one;
  return {
    units: fromFixed(one.quantity),
    currency: valuation.currency,
    ownMarketValue: fromFixed(valuation.value),
    ownCost: fromFixed(one.cost),
    marketValue: fromFixed(one.marketValue),
    accruedInterest: fromFixed(accruedOf(one)),
    cost: fromFixed(one.referenceCost),
    unrealised: fromFixed(one.unrealised),
  };
}

function valuationTree({ valuation }: Holding): Tree {
  const { source, isStale, isEstimated } = valuation;
  return { source, date: dateText(valuation.day), stale: isStale, estimated: isEstimated };
}

function gainTree(realised: readonly PositionRealisation[]): Tree {
  return {
    gain: sumText(realised.map(({ referenceGain }) => referenceGain)),
    pricePart: sumText(realised.map(({ pricePart }) => pricePart)),
    currencyPart: sumText(realised.map(({ currencyPart }) => currencyPart)),
  };
}

function fundTree(one: PrivateMarketPerformance) {
  const { commitment, multiples } = one;
  return {
    commitment: fromFixed(commitment!.total),
    called: fromFixed(commitment!.called),
    recallable: fromFixed(commitment!.recallable),
    unfunded: fromFixed(commitment!.uncalled),
    paidIn: fromFixed(one.paidIn),
    distributed: fromFixed(one.distributed),
    residual: fromFixed(one.residualValue),
    dpi: ratioNumber(multiples.dpi),
    rvpi: ratioNumber(multiples.rvpi),
    tvpi: ratioNumber(multiples.tvpi),
    irr: one.irr.rate,
    irrFlows: one.irrFlows.map(flowTree),
  };
}

function equivalentTree(one: FundReport['equivalent']) {
  const found = one?.reason === null ? one : null;
  const carried = found?.terms.map((term) => term.carried) ?? [];
  const calls = carried.map((amount) => (amount < 0n ? -amount : 0n));
  const distributions = carried.map((amount) => (amount > 0n ? amount : 0n));
  return {
    carriedCalls: Number(sumText(calls)),
    carriedDistributions: Number(sumText(distributions)),
    ksPme: ratioNumber(found?.ksPme ?? null),
    directAlpha: found?.directAlpha.result.rate ?? null,
    directAlphaContinuous: found?.directAlpha.continuous ?? null,
  };
}

function limitTree({ kind, filter, bounds }: ReferenceLimit, valued: readonly ValuedHolding[]): Tree {
  const unit = kind === 'absolute' ? 'amount' : 'pct';
  const bound = (side: string): Fixed | null => {
    const text = bounds[`${side}_${unit}`];
    return text === undefined ? null : fixed(text);
  };
  const limit: LimitRule = { kind, min: bound('min'), max: bound('max'), filter: readLimitFilter(filter) };
  const status = evaluateLimit(limit, valued);
  const figure = (one: Fixed): Tree => (kind === 'absolute' ? fromFixed(one) : ratioNumber(one));
  return {
    matching: fromFixed(status.parts.matching),
    total: fromFixed(status.parts.total),
    value: figure(status.currentValue!),
    bound: `${nearestSide(status)}_${unit}`,
    headroom: figure(status.headroom!),
    state: status.state,
  };
}

function nearestSide({ headroom, headroomToMin }: LimitStatus): string {
  return headroom === headroomToMin ? 'min' : 'max';
}
