// The working of any figure that reports show, on v1. Knows no formula.

import { anyText, boolean, FieldFault, id, integer, oneOf, text, type FieldKind } from '../../../kit/field.ts';
import { member, objectOf } from '../../../kit/structured-field.ts';
import { refusalForFaults, type Refusal } from '../../../kit/refusal.ts';
import { snakeCase } from '../../../kit/resource.ts';
import { currencyCode } from '../../../model/currency.ts';
import {
  explainableFigures,
  segmentParameters,
  figureDefinition,
  type FigureParameter,
  type FigureName,
} from '../../../model/report/explainable-figures.ts';
import { explanationShape } from '../../../model/report/explanation.ts';
import { asOfMember, ledgerVersionMember, reportingEntityIdMember } from '../../../model/report/holding.ts';
import { gainClassifications } from '../../../model/report/lot.ts';
import { feeTreatments, returnMethods } from '../../../model/report/performance.ts';
import { residualSegment } from '../../../actions/reports/segments/axis.ts';
import {
  explainFigure,
  type ExplainedFigure,
  type ExplainQuery,
} from '../../../actions/reports/explain/explain-figure.ts';
import { AmbiguousFigure } from '../../../actions/reports/explain/explanation-draft.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { dayRangeParameters, readDayRange } from '../../http/lists/day-range.ts';
import { defineOperation, type Parameter, type ParsedRequest } from '../../http/operation/operation.ts';
import { readReportInput, reportOperationBase, reportParameters, reportRefusals, v1Style } from './report-query.ts';

const none = 'none';

/** Also what an axis does not name. */
const idOrNone: FieldKind<string> = {
  read: (value) => (value === none ? residualSegment : id.read(value)),
  write: (value) => (value === residualSegment ? none : value),
  schema: () => ({ type: 'string', pattern: `^([0-9a-f]{24}|${none})$` }),
};

const heldPattern = '^([0-9a-f]{24}|(cash|fees):[A-Z]{3}|unidentified)$';

/** Whatever a holding may be of. */
const heldInstrumentKind: FieldKind<string> = {
  read(value) {
    if (typeof value === 'string' && new RegExp(heldPattern).test(value)) return value;
    throw new FieldFault('must be the id of an instrument, `cash:` or `fees:` and a currency, or `unidentified`');
  },
  write: (value) => value,
  schema: () => ({ type: 'string', pattern: heldPattern }),
};

const figuresByWireName = new Map<string, FigureName>(explainableFigures.map((figure) => [snakeCase(figure), figure]));
const depthMax = 50;
const windowNames = { from: 'start', to: 'end' } as const;

const parameterNames = {
  instrument: 'instrument_id',
  account: 'account_id',
  depository: 'depository_id',
  portfolio: 'portfolio_id',
  class: 'class_id',
  'detailed-class': 'detailed_class_id',
  currency: 'held_currency',
  asOf: 'as_of',
  start: 'start',
  end: 'end',
  lot: 'lot_id',
  transaction: 'transaction_id',
  term: 'term',
  method: 'method',
  fees: 'fees',
  reportCurrency: 'currency',
  benchmark: 'benchmark',
  index: 'index',
  limit: 'limit_id',
} as const satisfies Readonly<Record<FigureParameter, string>>;

const questions = Object.keys(parameterNames) as FigureParameter[];

const compared = 'its index factors, else prices, else net asset values.';

const parameters = {
  ...reportParameters,
  figure: {
    kind: oneOf([...figuresByWireName.keys()]),
    description:
      'Which figure, named as the reports name it. Of holdings: `market_value`, `cost_basis`, `unrealised_pnl`, `quantity`, `share`, and of one position `accrued_interest` and `valuation`. Of a lot (`lot_id`): `unit_cost` and the first four. Of performance on a day (`as_of`): `daily_twr`, `daily_return`, `net_cash_flow`, `income`, `fees`; over a window (`start`, `end`): these three, `gain`, `cumulative_twr`, `annualised_twr`, `volatility`, `max_drawdown`, `excess_return`, `contribution`, `money_weighted_return`. Of private markets: `nav` to `direct_alpha`. Of realised gains: `realised_proceeds` to `gain_classification`. Of a limit: `limit_value`, `limit_headroom`.',
    required: true,
    example: 'market_value',
  },
  instrument_id: {
    kind: heldInstrumentKind,
    description: 'Only what is of this instrument, `cash:CHF` and the like included; of private markets the fund.',
  },
  account_id: { kind: idOrNone, description: 'Only what lies in this account; `none` for what lies in none.' },
  depository_id: { kind: idOrNone, description: 'Only what lies in this depository; `none` for what lies in none.' },
  portfolio_id: { kind: id, description: 'Only what lies in this portfolio.' },
  class_id: { kind: idOrNone, description: 'Only what is of this top-level class; `none` for what has none.' },
  detailed_class_id: { kind: idOrNone, description: 'Only what is of this very class; `none` for what has none.' },
  held_currency: { kind: currencyCode, description: 'Only what is in this currency.' },
  ...asOfParameter,
  ...dayRangeParameters(windowNames),
  lot_id: { kind: text({ lengthMax: 64 }), description: 'A lot, as `GET /v1/lots` names it.' },
  transaction_id: { kind: id, description: 'Of realised gains: the transaction that realised them.' },
  term: { kind: oneOf(gainClassifications), description: 'Of realised gains: only those of this term.' },
  method: { kind: oneOf(returnMethods), description: 'As for `GET /v1/performance`; `daily` when it is not sent.' },
  fees: { kind: oneOf(feeTreatments), description: 'As for `GET /v1/performance`; `net` when it is not sent.' },
  currency: {
    kind: currencyCode,
    description: "Another currency than the reference currency, at each day's rate: of performance.",
  },
  benchmark: { kind: id, description: `An instrument whose own return is explained: ${compared}` },
  index: { kind: id, description: `Of private markets, the instrument to compare with: ${compared}` },
  limit_id: { kind: id, description: 'The limit.' },
  depth: {
    kind: integer({ min: 0, max: depthMax }),
    description: `How many levels below the figure to tell: 0 to ${depthMax}, all when it is not sent.`,
  },
} as const satisfies Record<string, Parameter>;

function invalid(parameter: string, detail: string): Refusal {
  return refusalForFaults('invalid-parameter', [{ code: 'invalid-parameter', detail, parameter }]);
}

/** What is sent and says nothing about the figure is refused: so nobody takes one figure for another. */
function checkParameters(figure: FigureName, query: ParsedRequest['query']): void {
  const { parameters: takes, requiredParameter: needs } = figureDefinition(figure);
  const sent = questions.filter((question) => query[parameterNames[question]] !== undefined);
  const input = `figure=${snakeCase(figure)}`;
  const unexpected = sent.find((question) => !takes.includes(question));
  if (unexpected !== undefined)
    throw invalid(parameterNames[unexpected], `${parameterNames[unexpected]} does not go with ${input}.`);
  if (needs !== undefined && !sent.includes(needs)) {
    throw invalid(parameterNames[needs], `${input} needs ${parameterNames[needs]}.`);
  }
  const both = sent.includes('asOf') && (sent.includes('start') || sent.includes('end'));
  if (both) throw invalid('as_of', 'as_of asks for a day, start and end for a window: only one of them can be meant.');
  if (sent.includes('lot') && sent.includes('reportCurrency')) {
    throw invalid('currency', 'currency does not go with lot_id: lots are in the reference currency.');
  }
}

type FigureInput = Omit<ExplainQuery, 'reportingEntity'>;

function readInput({ query }: ParsedRequest): FigureInput {
  const figure = figuresByWireName.get(query['figure'])!;
  checkParameters(figure, query);
  const places = segmentParameters.flatMap((place) => {
    const segment = query[parameterNames[place]];
    return segment === undefined ? [] : [[place, segment]];
  });
  const parameter = query['benchmark'] === undefined ? 'index' : 'benchmark';
  const other: string | undefined = query[parameter];
  return {
    figure,
    places: Object.fromEntries(places),
    asOf: query['as_of'],
    window: readDayRange({ query }, windowNames),
    lot: query['lot_id'],
    transaction: query['transaction_id'],
    term: query['term'],
    method: query['method'] ?? 'daily',
    fees: query['fees'] ?? 'net',
    currency: query['currency'],
    compared: other === undefined ? undefined : { parameter, id: other },
    limit: query['limit_id'],
    depth: query['depth'] ?? depthMax,
  };
}

async function explainOrRefuse(task: Promise<ExplainedFigure>): Promise<ExplainedFigure> {
  try {
    return await task;
  } catch (error) {
    if (!(error instanceof AmbiguousFigure)) throw error;
    throw invalid(parameterNames[error.parameter], error.message);
  }
}

const answer = objectOf({
  figure: member(anyText, 'The figure that is explained.'),
  reportingEntityId: reportingEntityIdMember,
  asOf: asOfMember,
  explanation: member(explanationShape, 'The figure with everything it was computed from.'),
  truncated: member(
    boolean,
    'Whether some figure was computed from more figures than are listed; that figure is marked as well.',
  ),
  ledgerVersion: ledgerVersionMember,
});

const explainPath = defineOperation<FigureInput>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.explanation.report',
  group: 'explanations',
  path: '/v1/explain',
  summary: 'The working of a figure',
  description:
    'Any figure of any report as a tree: what it was computed from, with which formula, rounded how, and where each number was found: which transaction, upload, point of a series, exchange rate or term. Whoever evaluates the formulas gets the values, to the last digit. What lies in all of the named places is meant, everything where none is named; a parameter that says nothing about the figure is refused.',
  query: parameters,
  responses: { 200: { description: 'The figure and its explanation.', schema: answer.schema(v1Style) } },
  refusals: [...reportRefusals, 'instrument-not-found', 'limit-not-found', 'report-too-large'],
  read: readInput,
  async handle(request, input) {
    const { basis, asOf, figure, isTruncated } = await explainOrRefuse(
      explainFigure(request.work, { ...input, ...readReportInput(request) }),
    );
    const values = {
      figure: request.query['figure'],
      reportingEntityId: basis.reportingEntity,
      asOf,
      explanation: figure,
      truncated: isTruncated,
      ledgerVersion: basis.ledgerVersion,
    };
    return { status: 200, body: answer.write(values, v1Style) };
  },
});

export const explainPaths = [explainPath];
