// The explanation of any figure of the reports, on v1.

import { keysOf } from '../../../kit/keys.ts';
import { anyText, boolean, FieldFault, id, instant, integer, oneOf, text, type FieldKind } from '../../../kit/field.ts';
import { member, objectOf } from '../../../kit/structured-field.ts';
import { defined } from '../../../kit/assert.ts';
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
import { explanationLines } from '../../../actions/reports/explain/explanation-page.ts';
import type { ReportBasis } from '../../../actions/reports/report-basis.ts';
import { AmbiguousFigure } from '../../../actions/reports/explain/explanation-draft.ts';
import { preferredMediaType } from '../../http/negotiation/media-types.ts';
import { v1 } from '../wire.ts';
import { asOfParameter } from '../../http/reports/as-of.ts';
import { dayRangeParameters, readDayRange } from '../../http/lists/day-range.ts';
import type { Parameter, ParsedRequest } from '../../http/operation/operation.ts';
import { invalidParameter } from '../../http/operation/query-parameters.ts';
import {
  defineReport,
  readReportInput,
  reportOperationBase,
  reportParameters,
  reportRefusals,
  v1Style,
} from './report-query.ts';

const none = 'none';

/** An id, or `none` for holdings that belong to no segment of the axis. */
const idOrNone: FieldKind<string> = {
  read: (value) => (value === none ? residualSegment : id.read(value)),
  write: (value) => (value === residualSegment ? none : value),
  schema: () => ({ type: 'string', pattern: `^([0-9a-f]{24}|${none})$` }),
};

const figurePathLengthMax = 400;
const figurePathPattern = /^root(?:\.\d{1,5})*$/;

/** The places of figures in the tree, from the whole down. */
const figurePath: FieldKind<string> = {
  read(value) {
    if (typeof value !== 'string' || value.length > figurePathLengthMax || !figurePathPattern.test(value)) {
      throw new FieldFault('must be `root`, or `root` and numbers with points between them, such as root.2.0');
    }
    return value;
  },
  write: (value) => value,
  schema: () => ({ type: 'string', pattern: '^root(\\.\\d{1,5})*$', maxLength: figurePathLengthMax }),
};

const figuresByWireName = new Map<string, FigureName>(explainableFigures.map((figure) => [snakeCase(figure), figure]));
/** How many levels below a figure an explanation may include. */
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

const questions = keysOf(parameterNames);

const compared = 'its index factors, else prices, else net asset values.';

const parameters = {
  ...reportParameters,
  figure: {
    kind: oneOf([...figuresByWireName.keys()]),
    description:
      'Which figure, named as the reports name it. Of holdings: `market_value`, `cost_basis`, `unrealised_pnl`, `quantity`, `share`, `accrued_interest`, `unrealised_price_part`, `unrealised_currency_part`, and of one position `valuation`. Of a lot (`lot_id`): `unit_cost`, the first four, and the two parts of the unrealised gain. Of performance on a day (`as_of`): `daily_twr`, `daily_return`, `net_cash_flow`, `income`, `fees`; over a window (`start`, `end`): these three, `gain`, `gain_price_part`, `gain_income_part`, `gain_currency_part`, `cumulative_twr`, `annualised_twr`, `volatility`, `max_drawdown`, `excess_return`, `contribution`, `money_weighted_return`, `annualised_money_weighted_return`. Of private markets: `nav` to `direct_alpha` (`market_value` of a fund as `fund_market_value`). Of realised gains: `realised_quantity` of one instrument, `realised_proceeds` to `gain_classification`. Of a limit: `limit_value`, `limit_headroom_to_min`, `limit_headroom_to_max`, `limit_headroom`, `limit_unclassified_value`.',
    required: true,
    example: 'market_value',
  },
  instrument_id: {
    kind: id,
    description: 'Only this instrument, cash included; for private markets the fund.',
  },
  account_id: { kind: idOrNone, description: 'Only holdings in this account; `none` for holdings without an account.' },
  depository_id: {
    kind: idOrNone,
    description: 'Only holdings in this depository; `none` for holdings without a depository.',
  },
  portfolio_id: { kind: id, description: 'Only holdings in this portfolio.' },
  class_id: {
    kind: idOrNone,
    description: 'Only holdings of this top-level class; `none` for holdings without a class.',
  },
  detailed_class_id: {
    kind: idOrNone,
    description: 'Only holdings of exactly this class; `none` for holdings without a class.',
  },
  held_currency: {
    kind: currencyCode,
    description: 'Only holdings in this currency. Of a forward that is valued by its legs, the legs in it.',
  },
  ...asOfParameter,
  ...dayRangeParameters(windowNames),
  lot_id: { kind: text({ lengthMax: 64 }), description: 'A lot, as `GET /v1/lots` names it.' },
  transaction_id: { kind: id, description: 'For realised gains: the transaction that realised them.' },
  term: { kind: oneOf(gainClassifications), description: 'For realised gains: only those of this term.' },
  method: { kind: oneOf(returnMethods), description: 'As for `GET /v1/performance`; `daily` by default.' },
  fees: { kind: oneOf(feeTreatments), description: 'As for `GET /v1/performance`; `net` by default.' },
  currency: {
    kind: currencyCode,
    description: "For performance: a currency other than the reference currency, at each day's rate.",
  },
  benchmark: { kind: id, description: `An instrument whose own return is explained, from ${compared}` },
  index: { kind: id, description: `For private markets: the instrument to compare with, by ${compared}` },
  limit_id: { kind: id, description: 'The limit.' },
  format: {
    kind: oneOf(['json', 'text']),
    description:
      '`text` for an indented page to read or print: a sentence for each figure, with its formula below. The default is what `Accept` prefers, or else `json`.',
  },
  origin_at: {
    kind: figurePath,
    description:
      'Adds where and by whom the number of one figure was recorded: `root` is the figure itself, `root.2.0` the first part of its third part. For figures whose source is a transaction, a value of a series or an exchange rate.',
  },
  depth: {
    kind: integer({ min: 0, max: depthMax }),
    description: `How many levels below the figure to include: 0 to ${depthMax}; all by default.`,
  },
} as const satisfies Record<string, Parameter>;

/** Refuses parameters that do not apply to the figure, so that one figure is not taken for another. */
function checkParameters(figure: FigureName, query: ParsedRequest['query']): void {
  const { parameters: takes, requiredParameter: needs } = figureDefinition(figure);
  const sent = questions.filter((question) => query[parameterNames[question]] !== undefined);
  const input = `figure=${snakeCase(figure)}`;
  const unexpected = sent.find((question) => !takes.includes(question));
  if (unexpected !== undefined)
    throw invalidParameter(parameterNames[unexpected], `${parameterNames[unexpected]} does not apply to ${input}.`);
  if (needs !== undefined && !sent.includes(needs)) {
    throw invalidParameter(parameterNames[needs], `${input} requires ${parameterNames[needs]}.`);
  }
  const both = sent.includes('asOf') && (sent.includes('start') || sent.includes('end'));
  if (both) throw invalidParameter('as_of', 'Send either as_of for a day, or start and end for a window.');
  if (sent.includes('lot') && sent.includes('reportCurrency')) {
    throw invalidParameter('currency', 'currency does not apply to lot_id: lots are in the reference currency.');
  }
}

type FigureInput = Omit<ExplainQuery, 'reportingEntity'>;

function readInput({ query }: ParsedRequest): FigureInput {
  const figure = defined(figuresByWireName.get(query['figure']), 'the kind of the parameter accepts figures only');
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
    originAt: readFigurePath(query['origin_at']),
  };
}

function readFigurePath(path: string | undefined): readonly number[] | undefined {
  if (path === undefined) return undefined;
  return path.split('.').slice(1).map(Number);
}

async function explainOrRefuse(task: Promise<ExplainedFigure>): Promise<ExplainedFigure> {
  try {
    return await task;
  } catch (error) {
    if (!(error instanceof AmbiguousFigure)) throw error;
    throw invalidParameter(parameterNames[error.parameter], error.message);
  }
}

const textType = 'text/plain';
const textHeaders = { 'content-type': `${textType}; charset=utf-8` };

function isTextRequest({ query, headers }: Pick<ParsedRequest, 'query' | 'headers'>): boolean {
  if (query['format'] !== undefined) return query['format'] === 'text';
  return preferredMediaType<string>(headers.accept, [v1.mediaType, textType]) === textType;
}

function pageHeading(figure: string, { reportingEntity, ledgerVersion }: ReportBasis, asOf: number): string {
  const day = instant.write(asOf, v1Style);
  return `${figure} of reporting entity ${reportingEntity} as of ${day}\nledger version ${ledgerVersion}\n\n`;
}

const linesPerChunk = 500;

async function* textChunks(lines: readonly string[]): AsyncGenerator<string> {
  for (let start = 0; start < lines.length; start += linesPerChunk) {
    yield lines.slice(start, start + linesPerChunk).join('');
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

const explainPath = defineReport<FigureInput>({
  ...reportOperationBase,
  people: 'advisor',
  id: 'v1.explanation.report',
  group: 'explanations',
  path: '/v1/explain',
  summary: 'Explanation of a figure',
  description:
    'Answer the question where a number comes from: any figure of any report as a tree of what it was computed from, with which formula and rounding, and the source of each number: a transaction, an upload, a value of a time series, an exchange rate or a term. Evaluating the formulas gives the values to the last digit. Each figure has a sentence that says what it is, with the names of instruments, accounts and portfolios; `format=text` gives the whole as an indented page. The figure covers what is in all of the named segments, or everything if none is named. A parameter that does not apply to the figure is refused.',
  query: parameters,
  alternativeMediaTypes: [textType],
  responses: { 200: { description: 'The figure and its explanation.', schema: answer.schema(v1Style) } },
  refusals: [
    ...reportRefusals,
    'instrument-not-found',
    'account-not-found',
    'depository-not-found',
    'portfolio-not-found',
    'instrument-class-not-found',
    'limit-not-found',
    'report-too-large',
  ],
  read: readInput,
  async handle(request, input) {
    const { basis, asOf, figure, isTruncated } = await explainOrRefuse(
      explainFigure(request.work, { ...input, ...readReportInput(request) }),
    );
    if (isTextRequest(request)) {
      const heading = pageHeading(request.query['figure'], basis, asOf);
      return { status: 200, headers: textHeaders, chunks: textChunks([heading, ...explanationLines(figure)]) };
    }
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
