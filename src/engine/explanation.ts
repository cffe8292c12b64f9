// What figures were made of, one figure at a time: the lots, prices, rates and flows, and the formula with the numbers put in. Every
// number comes from the object that the computation itself returned. Knows no wire.

export { explainBalance } from './explanation/balance.ts';
export { explainBenchmarkDay } from './explanation/benchmark.ts';
export { explainLots, explainUnitCost, type CostField, type CostUnit, type LotRequest } from './explanation/cost.ts';
export { explainAccretion, explainAccrual } from './explanation/accrual.ts';
export type { Explanation, Figure, FigureRounding, NoFigure, Operation, Source } from './explanation/figure.ts';
export type { FundsRequest } from './explanation/fund-flows.ts';
export { explainAccruedInterest, explainCost, explainMarketValue, explainUnrealised } from './explanation/holding.ts';
export { explainHeadroom, explainLimitValue, type ExplainedLimit } from './explanation/limit.ts';
export { explainMoneyWeighted } from './explanation/money-weighted-return.ts';
export {
  explainedFund,
  explainedWhole,
  explainFundFigure,
  type ExplainedFunds,
  type FundFigure,
} from './explanation/private-market.ts';
export { explainEquivalent, type ComparedFund, type EquivalentFigure } from './explanation/public-market-equivalent.ts';
export { explainRealisation, type RealisationFigure, type RealisationRequest } from './explanation/realisation.ts';
export { explainAnnualised, explainCumulative, explainDrawdown, explainVolatility } from './explanation/return-path.ts';
export {
  explainDailyReturn,
  explainDayAmount,
  type DayAmount,
  type ExplainedReport,
  type ExplainedSegment,
} from './explanation/segment-day.ts';
export {
  explainContribution,
  explainMoneyWeightedReturn,
  explainTotal,
  type ContributionRequest,
  type SegmentTotal,
} from './explanation/segment.ts';
export { explainAccrued, explainValuation, type ValueSources } from './explanation/valuation.ts';
