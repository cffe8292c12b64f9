// Which figures the service explains, and what each is asked for with. Named as the reports name them. Knows not how any of them is
// computed, and no wire.

/** Each names a segment of an axis; together they name what lies in all of them. */
export const placeQuestions = [
  'instrument',
  'account',
  'depository',
  'portfolio',
  'class',
  'detailed-class',
  'currency',
] as const;
export type PlaceQuestion = (typeof placeQuestions)[number];

/** What a figure may be asked for with, besides the reporting entity and the moment. */
export type FigureQuestion =
  | PlaceQuestion
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

export type FigureGroup = 'holding' | 'return' | 'private-market' | 'gain' | 'limit';

export interface FigureTerms {
  readonly group: FigureGroup;
  readonly takes: readonly FigureQuestion[];
  /** Without which there is no such figure. */
  readonly needs?: FigureQuestion;
}

const ofHoldings = { group: 'holding', takes: ['asOf', ...placeQuestions] } as const;
const ofHoldingsOrLots = { group: 'holding', takes: [...ofHoldings.takes, 'lot'] } as const;
const counted = [...placeQuestions, 'method', 'fees', 'reportCurrency'] as const;
const ofDays = { group: 'return', takes: [...counted, 'asOf'] } as const;
const ofWindows = { group: 'return', takes: [...counted, 'start', 'end'] } as const;
const ofEither = { group: 'return', takes: [...counted, 'asOf', 'start', 'end'] } as const;
const compared = { group: 'return', takes: [...ofWindows.takes, 'benchmark'] } as const;
const ofFunds = { group: 'private-market', takes: ['asOf', 'instrument'] } as const;
const besideIndex = { group: 'private-market', takes: [...ofFunds.takes, 'index'], needs: 'index' } as const;
const ofGains = { group: 'gain', takes: [...placeQuestions, 'start', 'end', 'transaction', 'lot', 'term'] } as const;
const ofLimits = { group: 'limit', takes: ['limit', 'asOf'], needs: 'limit' } as const;

export const figureTerms = {
  marketValue: { group: 'holding', takes: [...ofHoldingsOrLots.takes, 'reportCurrency'] },
  costBasis: ofHoldingsOrLots,
  unrealisedPnl: ofHoldingsOrLots,
  quantity: ofHoldingsOrLots,
  unitCost: { ...ofHoldingsOrLots, needs: 'lot' },
  share: ofHoldings,
  accruedInterest: ofHoldings,
  valuation: ofHoldings,
  dailyTwr: { group: 'return', takes: [...ofDays.takes, 'benchmark'] },
  dailyReturn: ofDays,
  netCashFlow: ofEither,
  income: ofEither,
  fees: ofEither,
  gain: ofWindows,
  cumulativeTwr: compared,
  annualisedTwr: compared,
  volatility: compared,
  maxDrawdown: compared,
  excessReturn: { ...compared, needs: 'benchmark' },
  contribution: ofWindows,
  moneyWeightedReturn: ofWindows,
  nav: ofFunds,
  drawdowns: ofFunds,
  distributions: ofFunds,
  commitment: ofFunds,
  called: ofFunds,
  recallable: ofFunds,
  uncalled: ofFunds,
  tvpi: ofFunds,
  dpi: ofFunds,
  rvpi: ofFunds,
  irr: ofFunds,
  ksPme: besideIndex,
  lnPmeIrr: besideIndex,
  lnPmeValue: besideIndex,
  directAlpha: besideIndex,
  realisedProceeds: ofGains,
  realisedCost: ofGains,
  realisedGain: ofGains,
  pricePart: ofGains,
  currencyPart: ofGains,
  gainClassification: { ...ofGains, needs: 'transaction' },
  limitValue: ofLimits,
  limitHeadroom: ofLimits,
} as const satisfies Readonly<Record<string, FigureTerms>>;

export type FigureWord = keyof typeof figureTerms;
export const figureWords = Object.keys(figureTerms) as FigureWord[];

export type FigureOf<G extends FigureGroup> = {
  [W in FigureWord]: (typeof figureTerms)[W]['group'] extends G ? W : never;
}[FigureWord];

export function termsOfFigure(figure: FigureWord): FigureTerms {
  return figureTerms[figure];
}

export function isOfGroup<G extends FigureGroup>(figure: FigureWord, group: G): figure is FigureOf<G> {
  return figureTerms[figure].group === group;
}
