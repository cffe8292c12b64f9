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

export function treeText(node: Node, indent = '', branch = ''): string {
  const { name, sentence, value, unit, formula, of = [], truncated } = node;
  const figure = value === null ? 'no value' : `${value}${unit === undefined ? '' : ` ${unit}`}`;
  const head = `${indent}${branch}${oneLine(sentence ?? name)}  ${paint('bold', oneLine(figure))}\n`;
  const inner = indent + (branch === '' ? '' : branch.startsWith('└') ? '   ' : '│  ');
  const isOpen = of.length > 0 || truncated === true;
  const how =
    formula === undefined
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
