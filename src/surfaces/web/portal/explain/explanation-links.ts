// Where each figure of an explanation leads: to a figure of the reports if it is one, else to the part of the tree below.

import { withParameters } from '../../parts/address.ts';
import type { ExplainedFigure, FocusedFigure } from './explanation-tree.ts';

export const segmentNames = [
  'instrument_id',
  'account_id',
  'depository_id',
  'portfolio_id',
  'class_id',
  'detailed_class_id',
  'held_currency',
] as const;

/** What `GET /v1/explain` takes, as the page's address has it. */
export const explainParameters = [
  'figure',
  ...segmentNames,
  'as_of',
  'start',
  'end',
  'lot_id',
  'transaction_id',
  'term',
  'method',
  'fees',
  'currency',
  'benchmark',
  'index',
  'limit_id',
] as const;

export interface LinkContext {
  /** The page's own path and query. */
  readonly address: string;
  readonly query: URLSearchParams;
  readonly focus: FocusedFigure;
}

/** Undefined for a number that comes from nowhere else: a one, a count of days. */
export function partHref(context: LinkContext, part: ExplainedFigure, index: number): string | undefined {
  const { source } = part;
  if (source?.kind === 'figure' && source.figure !== undefined) return reportFigureHref(context, part);
  if ((part.of?.length ?? 0) > 0 || part.truncated === true || (source !== undefined && source.kind !== 'holding')) {
    return withParameters(context.address, { at: [...context.focus.path, index].join('.'), step: null });
  }
  return part.unit === 'units' && part.name !== 'traded-units' ? quantityHref(context, part) : undefined;
}

/** A figure above the one in focus. */
export function aboveHref({ address, focus }: LinkContext, depth: number): string {
  const path = focus.path.slice(0, depth);
  return withParameters(address, { at: path.length === 0 ? null : path.join('.'), step: null });
}

function ownPath(address: string): string {
  return address.split('?', 1)[0]!;
}

type Parameters = Readonly<Record<string, string | null | undefined>>;

function explainHref({ address, query }: LinkContext, parameters: Parameters): string {
  const knownAt = query.get('known_at');
  const given = Object.entries({ ...parameters, known_at: knownAt }).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, value]],
  );
  return withParameters(ownPath(address), Object.fromEntries(given));
}

/** The value or the return of a day, of the same segments. */
function reportFigureHref(context: LinkContext, { source }: ExplainedFigure): string {
  const { query } = context;
  const kept = (names: readonly string[]): Parameters =>
    Object.fromEntries(names.map((name) => [name, query.get(name)]));
  const figure = (source?.figure ?? '').replaceAll('-', '_');
  const own = figure === 'daily_twr' ? ['method', 'fees', 'currency', 'benchmark'] : ['currency'];
  return explainHref(context, { figure, as_of: source?.date, ...kept([...segmentNames, ...own]) });
}

/** The units of the holding that the figure belongs to, lot by lot. */
function quantityHref(context: LinkContext, part: ExplainedFigure): string | undefined {
  const { query, focus } = context;
  const all = [...focus.above, focus.figure];
  const holding = all.findLast(({ source }) => source?.kind === 'holding');
  const place = holding?.source;
  const day = part.date ?? holding?.date ?? query.get('as_of') ?? query.get('end');
  const instrument = place?.instrument_id ?? query.get('instrument_id');
  if (query.get('figure') === 'quantity' || instrument === null || instrument === undefined || day === null) {
    return undefined;
  }
  return explainHref(context, {
    figure: 'quantity',
    as_of: day,
    instrument_id: instrument,
    account_id: place === undefined ? query.get('account_id') : (place.account_id ?? 'none'),
    depository_id: place === undefined ? query.get('depository_id') : (place.depository_id ?? 'none'),
  });
}
