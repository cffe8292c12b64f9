// Explains figures one at a time: the lots, prices, rates and flows, and the formula with the numbers filled in. Every number
// comes from the object that the computation itself returned.

export { explainBalance } from './balance.ts';
export { explainBenchmarkDay } from './benchmark.ts';
export { explainLots, explainOpenLotCost, explainUnitCost, type CostField, type LotRequest } from './lots/cost.ts';
export { explainLotUnits } from './lots/lot-units.ts';
export { explainAccretion, explainAccrual } from './accrual.ts';
export {
  explainAccruedDifference,
  explainAccruedUnits,
  explainExpectedInterest,
  explainImpliedFlow,
  explainPrincipalExcess,
  explainRowUnits,
  explainStatedInterest,
  explainUnexplainedAmount,
  explainStatedDifference,
  explainUnitsInPlaces,
  explainValueChange,
  explainValueParts,
} from './findings.ts';
export type {
  Explanation,
  Figure,
  FigureRounding,
  MissingFigure as NoFigure,
  FigureOperation as Operation,
  FigureSource as Source,
} from './figure.ts';
export type { FundsRequest } from './fund-flows.ts';
export {
  explainAccruedInterest,
  explainCost,
  explainMarketValue,
  explainPositionValue,
  explainUnrealised,
  explainUnrealisedCurrency,
  explainUnrealisedPrice,
  lazyMarketValue,
} from './holding.ts';
export { explainGainPart, gainPartPieces, type GainPart } from './gain-parts.ts';
export {
  explainHeadroom,
  explainHeadroomTo,
  explainLimitValue,
  explainUnclassifiedValue,
  type ExplainedLimit,
} from './limit.ts';
export { explainMoneyWeighted } from './money-weighted-return.ts';
export {
  explainedFund,
  explainedWhole,
  explainFundBalance,
  explainFundFigure,
  explainFundValue,
  type ExplainedFunds,
  type FundFigure,
} from './fund-performance.ts';
export { explainEquivalent, type ComparedFund, type EquivalentFigure } from './public-market-equivalent.ts';
export { explainRealisation, type RealisationFigure, type RealisationRequest } from './realisation.ts';
export {
  explainAnnualised,
  explainCumulative,
  explainDrawdown,
  explainVolatility,
  type DayDerivation,
} from './return-path.ts';
export {
  explainDailyReturn,
  explainDayAmount,
  segmentDayFacets,
  type DayAmount,
  type ExplainedReport,
  type ExplainedSegment,
} from './segment-day.ts';
export {
  explainContribution,
  explainAnnualisedMoneyWeightedReturn,
  explainMoneyWeightedReturn,
  explainTotal,
  type ContributionRequest,
  type SegmentTotal,
} from './segment.ts';
export { explainRowAmount } from './row-amount.ts';
export { explainUnits } from './units.ts';
export { explainAccrued, explainValuation, type ValueSources } from './valuation.ts';
