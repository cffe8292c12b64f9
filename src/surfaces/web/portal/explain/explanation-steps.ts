// The parts of a figure as a table: the days of a return, the holdings of a value, or whatever the formula names, each with a link.

import type { Formats } from '../../language/formats.ts';
import type { Language } from '../../language/reader.ts';
import { moneyColumns, type Cell, type Row, type Table } from '../../tables/table.ts';
import { figureName } from './figure-names.ts';
import { partHref, type LinkContext } from './explanation-links.ts';
import { valueText, type ExplainedFigure } from './explanation-tree.ts';
import type { ExplanationText } from './explanation-texts.ts';

export interface StepsContext extends LinkContext {
  readonly language: Language;
  readonly formats: Formats;
  readonly text: ExplanationText;
}

/** A part with its place among the parts. */
export interface Step {
  readonly part: ExplainedFigure;
  readonly index: number;
}

export function unitWords({ units, daysUnit, noValue }: ExplanationText) {
  return { units, days: daysUnit, none: noValue };
}

/** Days of a return are read from the last; everything else in the order of the formula. */
export function stepsOf({ of = [] }: ExplainedFigure): readonly Step[] {
  const steps = of.map((part, index) => ({ part, index }));
  return isDays(of) ? steps.toReversed() : steps;
}

/** The same for every page of the steps: all parts of the figure decide which. */
export function stepsTable(context: StepsContext, steps: readonly Step[]): Table {
  const { of: parts = [] } = context.focus.figure;
  if (isDays(parts) && parts.every(({ of }) => of?.length === 2)) return daysTable(context, steps);
  if (parts.length > 1 && parts.every(({ source }) => source?.kind === 'holding')) return holdingsTable(context, steps);
  return partsTable(context, steps);
}

function isDays(parts: readonly ExplainedFigure[]): boolean {
  return parts.length > 1 && parts.every(({ name, date }) => name === 'daily-return' && date !== undefined);
}

function link(context: StepsContext, { part, index }: Step): { readonly explain?: string } {
  const explain = partHref(context, part, index);
  return explain === undefined ? {} : { explain };
}

function figureCell(context: StepsContext, part: ExplainedFigure): Cell {
  const { formats, text } = context;
  const shown = valueText(part, { formats, words: unitWords(text) });
  return { value: part.value, text: shown };
}

/** A day's gain over what there was to earn on, with the values and the flow of the gain if they are listed. */
function daysTable(context: StepsContext, steps: readonly Step[]): Table {
  const { text } = context;
  const currency = steps[0]?.part.of?.[0]?.unit ?? '';
  const money = moneyColumns(currency);
  return {
    id: 'steps',
    caption: text.days,
    columns: [
      { key: 'day', title: text.day, kind: 'date' },
      money('before', text.before),
      money('paid-in', text.paidIn, true),
      money('after', text.after),
      money('earned', text.earned, true),
      { key: 'return', title: text.return, kind: 'percent' },
    ],
    rows: steps.map((step) => dayRow(context, step)),
  };
}

function dayRow(context: StepsContext, step: Step): Row {
  const { part, index } = step;
  const [gain] = part.of ?? [];
  const [after, before, flow] = gain?.of ?? [];
  const within = { ...context, focus: { ...context.focus, path: [...context.focus.path, index, 0] } };
  const cell = (figure: ExplainedFigure | undefined, at: number): Cell => {
    const explain = figure && partHref(within, figure, at);
    return { value: figure?.value ?? null, ...(explain === undefined ? {} : { explain }) };
  };
  const paidIn = flow?.value === '0' ? { value: '0', text: '–' } : cell(flow, 2);
  const earned = { value: gain?.value ?? null };
  return {
    cells: [
      { value: part.date ?? null },
      cell(before, 1),
      paidIn,
      cell(after, 0),
      earned,
      { value: part.value, ...link(context, step) },
    ],
  };
}

function holdingsTable(context: StepsContext, steps: readonly Step[]): Table {
  const { text } = context;
  return {
    id: 'steps',
    caption: text.holdings,
    columns: [
      { key: 'instrument', title: text.instrument, kind: 'text', wide: true },
      { key: 'value', title: text.value, kind: 'text', align: 'end' },
      { key: 'place', title: text.account, kind: 'text' },
      { key: 'portfolios', title: text.portfolios, kind: 'text' },
    ],
    rows: steps.map((step): Row => {
      const { source } = step.part;
      const places = [source?.account_name, source?.depository_name].filter((name) => name != null);
      return {
        cells: [
          { value: source?.instrument_name ?? text.instrumentKind },
          { ...figureCell(context, step.part), ...link(context, step) },
          { value: places.join(', ') || null },
          { value: source?.portfolio_names?.join(', ') || null },
        ],
      };
    }),
  };
}

function partsTable(context: StepsContext, steps: readonly Step[]): Table {
  const { text } = context;
  return {
    id: 'steps',
    caption: text.stepByStep,
    columns: [
      { key: 'what', title: text.what, kind: 'text', wide: true },
      { key: 'value', title: text.value, kind: 'text', align: 'end' },
      { key: 'day', title: text.day, kind: 'date' },
    ],
    rows: steps.map((step): Row => ({
      cells: [
        { value: describe(context, step.part) },
        { ...figureCell(context, step.part), ...link(context, step) },
        { value: step.part.date ?? step.part.source?.date ?? null },
      ],
    })),
  };
}

/** Bookings say what was done, in the API's words; other figures have their name and what they are about. */
export function describe({ language, text }: StepsContext, { name, sentence, source }: ExplainedFigure): string {
  if (language === 'en' && (source?.kind === 'transaction' || name === 'lot' || name === 'cost-taken')) return sentence;
  const label = figureName(name, language);
  const subject = source?.instrument_name;
  return subject === null || subject === undefined ? label : text.subjectOf(label, subject);
}
