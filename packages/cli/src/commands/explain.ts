// Explains a figure as a tree: how it follows from bookings, prices and rates.

import type { Schemas } from '@holdfast/sdk';
import type { Command } from 'commander';
import { collect, findEntity, readPairs } from '../input.ts';
import { oneLine, paint, shorten, terminalWidth } from '../output/terminal-text.ts';
import { openSession } from '../session.ts';

type Node = Omit<Schemas.FigureExplanation, 'of'> & { readonly of?: readonly Node[] };

interface ExplainOptions {
  readonly entity?: string;
  readonly asOf?: string;
  readonly start?: string;
  readonly end?: string;
  readonly depth?: string;
  readonly query: string[];
}

/** The end of a sentence that says the figure: ": 1,234.50 CHF", ": 1 EUR = 0.94 CHF" or ": no value", with notes in brackets behind it. */
const statedFigure = /: (?:1 [A-Z]{3} = )?([-−]?[\d,]+(?:\.(\d+))?(?![\d,])|no value)( %)?[^:()]*?( \([^()]*\))?$/;

/** The sentence without the figure that stands beside it with all its digits. A figure of something else stays. */
function withoutFigure(sentence: string, value: string | null): string {
  const [whole, digits = '', decimals = '', percent, notes = ''] = statedFigure.exec(sentence) ?? [];
  if (whole === undefined) return sentence;
  const exact = Number(value) * (percent === undefined ? 1 : 100);
  const isSame =
    value === null
      ? digits === 'no value'
      : Math.abs(exact - Number(digits.replace('−', '-').replaceAll(',', ''))) <= 0.51 * 10 ** -decimals.length;
  return isSame ? sentence.slice(0, -whole.length) + notes : sentence;
}

export function treeText(node: Node, indent = '', branch = ''): string {
  const { name, sentence, value, unit, formula, of = [], truncated } = node;
  const figure = value === null ? 'no value' : `${value}${unit === undefined ? '' : ` ${unit}`}`;
  const head = `${indent}${branch}${oneLine(sentence === undefined ? name : withoutFigure(sentence, value))}  ${paint('bold', oneLine(figure))}\n`;
  const inner = indent + (branch === '' ? '' : branch.startsWith('└') ? '   ' : '│  ');
  const isOpen = of.length > 0 || truncated === true;
  const how =
    formula === undefined || formula === value
      ? ''
      : `${inner}${isOpen ? '│  ' : '   '}${paint('dim', shorten(`= ${oneLine(formula)}`, terminalWidth() - inner.length - 4))}\n`;
  const parts = of.map((part, index) => treeText(part, inner, index === of.length - 1 && !truncated ? '└─ ' : '├─ '));
  return head + how + parts.join('') + (truncated ? `${inner}└─ …\n` : '');
}

async function explain(figure: string, options: ExplainOptions, command: Command): Promise<void> {
  const { holdfast, print } = await openSession(command);
  const entity = await findEntity(holdfast, options.entity);
  const { asOf: as_of, start, end, depth } = options;
  const query = { reporting_entity_id: entity.id, figure, as_of, start, end, depth, ...readPairs(options.query) };
  const answer: Omit<Schemas.Explanations, 'explanation'> & { explanation: Node } = await holdfast.call(
    'reports.explain',
    query,
  );
  if (print.isJson) print.json(answer);
  else print.text(treeText(answer.explanation));
}

export function addExplain(program: Command): void {
  program
    .command('explain <figure>')
    .description('how a figure came about, as a tree: holdfast explain market_value -q instrument_id=01a1df…')
    .option('-e, --entity <id or name>', 'the reporting entity; not needed if there is only one')
    .option('--as-of <date>', 'on this day')
    .option('--start <date>', 'of a window: from this day on')
    .option('--end <date>', 'of a window: to this day')
    .option('--depth <levels>', 'how deep, at most')
    .option('-q, --query <name=value>', 'which part: instrument_id, account_id, lot_id…; may be repeated', collect, [])
    .action(explain);
}
