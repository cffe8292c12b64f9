// The figures that the service explains, named as in the reports, and the parameters of each.

import { keysOf } from '../../kit/keys.ts';

/** Each names a segment of an axis; together they select what is in all of these segments. */
export const segmentParameters = [
  'instrument',
  'account',
  'depository',
  'portfolio',
  'class',
  'detailed-class',
  'currency',
] as const;
export type SegmentParameter = (typeof segmentParameters)[number];

/** The parameters of figures, besides the reporting entity and `known_at`. */
export type FigureParameter =
  | SegmentParameter
  | 'asOf'
  | 'start'
  | 'end'
  | 'lot'
  | 'transaction'
  | 'term'
  | 'method'
  | 'fees'
  | 'reportCurrency'
  | 'benchmark'
  | 'index'
  | 'limit';

type FigureGroup = 'holding' | 'return' | 'private-market' | 'gain' | 'limit';

interface FigureDefinition {
  readonly group: FigureGroup;
  readonly parameters: readonly FigureParameter[];
  /** The figure exists only with this parameter. */
  readonly requiredParameter?: FigureParameter;
}

const holdingFigure = { group: 'holding', parameters: ['asOf', ...segmentParameters] } as const;
const holdingOrLotFigure = { group: 'holding', parameters: [...holdingFigure.parameters, 'lot'] } as const;
const returnParameters = [...segmentParameters, 'method', 'fees', 'reportCurrency'] as const;
const dailyFigure = { group: 'return', parameters: [...returnParameters, 'asOf'] } as const;
const windowFigure = { group: 'return', parameters: [...returnParameters, 'start', 'end'] } as const;
const dailyOrWindowFigure = { group: 'return', parameters: [...returnParameters, 'asOf', 'start', 'end'] } as const;
const comparedFigure = { group: 'return', parameters: [...windowFigure.parameters, 'benchmark'] } as const;
const fundFigure = { group: 'private-market', parameters: ['asOf', 'instrument'] } as const;
const publicMarketFigure = {
  group: 'private-market',
  parameters: [...fundFigure.parameters, 'index'],
  requiredParameter: 'index',
} as const;
const gainFigure = {
  group: 'gain',
  parameters: [...segmentParameters, 'start', 'end', 'transaction', 'lot', 'term'],
} as const;
const limitFigure = { group: 'limit', parameters: ['limit', 'asOf'], requiredParameter: 'limit' } as const;

const figureDefinitions = {
  marketValue: { group: 'holding', parameters: [...holdingOrLotFigure.parameters, 'reportCurrency'] },
  costBasis: holdingOrLotFigure,
  unrealisedPnl: holdingOrLotFigure,
  quantity: holdingOrLotFigure,
  unitCost: { ...holdingOrLotFigure, requiredParameter: 'lot' },
  share: holdingFigure,
  accruedInterest: holdingFigure,
  unrealisedPricePart: holdingOrLotFigure,
  unrealisedCurrencyPart: holdingOrLotFigure,
  valuation: holdingFigure,
  dailyTwr: { group: 'return', parameters: [...dailyFigure.parameters, 'benchmark'] },
  dailyReturn: dailyFigure,
  netCashFlow: dailyOrWindowFigure,
  income: dailyOrWindowFigure,
  fees: dailyOrWindowFigure,
  gain: windowFigure,
  gainPricePart: windowFigure,
  gainIncomePart: windowFigure,
  gainCurrencyPart: windowFigure,
  cumulativeTwr: comparedFigure,
  annualisedTwr: comparedFigure,
  volatility: comparedFigure,
  maxDrawdown: comparedFigure,
  excessReturn: { ...comparedFigure, requiredParameter: 'benchmark' },
  contribution: windowFigure,
  moneyWeightedReturn: windowFigure,
  annualisedMoneyWeightedReturn: windowFigure,
  nav: fundFigure,
  fundMarketValue: fundFigure,
  drawdowns: fundFigure,
  distributions: fundFigure,
  commitment: fundFigure,
  called: fundFigure,
  recallable: fundFigure,
  transferred: fundFigure,
  uncalled: fundFigure,
  tvpi: fundFigure,
  dpi: fundFigure,
  rvpi: fundFigure,
  pic: fundFigure,
  irr: fundFigure,
  ksPme: publicMarketFigure,
  lnPmeIrr: publicMarketFigure,
  lnPmeValue: publicMarketFigure,
  directAlpha: publicMarketFigure,
  realisedQuantity: gainFigure,
  realisedProceeds: gainFigure,
  realisedCost: gainFigure,
  realisedGain: gainFigure,
  pricePart: gainFigure,
  currencyPart: gainFigure,
  gainClassification: { ...gainFigure, requiredParameter: 'transaction' },
  limitValue: limitFigure,
  limitHeadroomToMin: limitFigure,
  limitHeadroomToMax: limitFigure,
  limitHeadroom: limitFigure,
  limitUnclassifiedValue: limitFigure,
} as const satisfies Readonly<Record<string, FigureDefinition>>;

export type FigureName = keyof typeof figureDefinitions;
export const explainableFigures = keysOf(figureDefinitions);

export type FigureInGroup<G extends FigureGroup> = {
  [W in FigureName]: (typeof figureDefinitions)[W]['group'] extends G ? W : never;
}[FigureName];

export function figureDefinition(figure: FigureName): FigureDefinition {
  return figureDefinitions[figure];
}

export function isFigureInGroup<G extends FigureGroup>(figure: FigureName, group: G): figure is FigureInGroup<G> {
  return figureDefinitions[figure].group === group;
}
