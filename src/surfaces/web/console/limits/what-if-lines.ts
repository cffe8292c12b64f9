// The lines of a what-if: trades and cash moves as they stand in the address, and as the API's check takes them.

import { keysOf } from '../../../../kit/keys.ts';
import type { ApiProblem } from '../../page-api.ts';

export const lineActs = { buy: 'Buy', sell: 'Sell', 'pay-in': 'Pay in', 'pay-out': 'Pay out' } as const;

export interface WhatIfLine {
  readonly does: keyof typeof lineActs;
  readonly instrument: string;
  readonly account: string;
  readonly amount: string;
  /** Whether the amount of a trade is a number of units or money. */
  readonly unit: 'units' | 'money';
}

export const linesMax = 20;

const newLine: WhatIfLine = { does: 'buy', instrument: '', account: '', amount: '', unit: 'units' };

/** Those in the address, after what a button of the form does: `add`, or `remove:1`. There is always one. */
export function readLines(query: URLSearchParams): readonly WhatIfLine[] {
  const lines: WhatIfLine[] = [];
  for (let index = 0; index < linesMax && query.has(`line.${index}.do`); index++) lines.push(readLine(query, index));
  const [verb, at] = (query.get('act') ?? '').split(':', 2);
  const kept = verb === 'remove' ? lines.filter((_line, index) => String(index) !== at) : lines;
  const isOneMore = kept.length === 0 || (verb === 'add' && kept.length < linesMax);
  return isOneMore ? [...kept, { ...newLine, account: kept.at(-1)?.account ?? '' }] : kept;
}

function readLine(query: URLSearchParams, index: number): WhatIfLine {
  const value = (name: string): string => (query.get(`line.${index}.${name}`) ?? '').trim();
  const typed = value('do');
  return {
    does: keysOf(lineActs).find((one) => one === typed) ?? 'buy',
    instrument: value('instrument'),
    account: value('account'),
    amount: value('amount'),
    unit: value('unit') === 'money' ? 'money' : 'units',
  };
}

export function isTrade({ does }: WhatIfLine): boolean {
  return does === 'buy' || does === 'sell';
}

/** A line that nobody has filled in proposes nothing. */
function isFilled({ amount, instrument }: WhatIfLine): boolean {
  return amount !== '' || instrument !== '';
}

export interface ProposedLines {
  readonly trades: readonly object[];
  readonly cash_moves: readonly object[];
  /** The line of each trade and of each cash move. */
  readonly lineOf: { readonly trades: readonly number[]; readonly cash_moves: readonly number[] };
}

export function proposedLines(lines: readonly WhatIfLine[]): ProposedLines {
  const numbered = lines.map((line, index) => ({ line, index })).filter(({ line }) => isFilled(line));
  const trades = numbered.filter(({ line }) => isTrade(line));
  const moves = numbered.filter(({ line }) => !isTrade(line));
  return {
    trades: trades.map(({ line }) => toTrade(line)),
    cash_moves: moves.map(({ line }) => toCashMove(line)),
    lineOf: { trades: trades.map(({ index }) => index), cash_moves: moves.map(({ index }) => index) },
  };
}

/** What was left empty is left out, so that the API says that it is missing. */
function withoutEmpty(members: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
}

function toTrade({ does, instrument, account, amount, unit }: WhatIfLine): object {
  const measure = unit === 'money' ? 'amount' : 'quantity';
  return withoutEmpty({ side: does, instrument_id: instrument, account_id: account, [measure]: amount });
}

function toCashMove({ does, account, amount }: WhatIfLine): object {
  const isOut = does === 'pay-out' && amount !== '' && !amount.startsWith('-');
  return withoutEmpty({ account_id: account, amount: isOut ? `-${amount}` : amount });
}

const fieldsOfMembers: Readonly<Record<string, string>> = {
  instrument_id: 'instrument',
  price: 'instrument',
  account_id: 'account',
  exchange_rate: 'account',
  quantity: 'amount',
  amount: 'amount',
};

interface PlacedErrors {
  readonly errors: ReadonlyMap<string, string>;
  readonly messages: readonly string[];
}

/** Errors by the names of the form's fields: `/trades/0/quantity` is a fault of `line.2.amount`, `/bounds/0/max_pct` of `max`. */
export function placeProposalErrors({ errors, detail }: ApiProblem, { lineOf }: ProposedLines): PlacedErrors {
  const placed = new Map<string, string>();
  const messages: string[] = [];
  for (const { pointer = '', detail: text } of errors) {
    const name = fieldAt(pointer, lineOf);
    if (name === undefined) messages.push(text);
    else placed.set(name, placed.has(name) ? `${placed.get(name)} ${text}` : text);
  }
  return { errors: placed, messages: errors.length === 0 ? [detail] : messages };
}

function fieldAt(pointer: string, lineOf: ProposedLines['lineOf']): string | undefined {
  const [, list, index, member = ''] = /^\/(trades|cash_moves|bounds)\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
  if (list === 'bounds') return member.startsWith('min') ? 'min' : 'max';
  if (list !== 'trades' && list !== 'cash_moves') return undefined;
  const line = lineOf[list][Number(index)];
  return line === undefined ? undefined : `line.${line}.${fieldsOfMembers[member] ?? 'amount'}`;
}
