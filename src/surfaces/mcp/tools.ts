// The tools that assistants are offered. Each is one or a few operations of v1: its input is made from their declarations, and a call
// is made as the caller, with the same checks, limits and answers.

import { snakeCaseStrings, type JsonSchema } from '../../kit/field.ts';
import { defined } from '../../kit/assert.ts';
import type { Operation } from '../http/operation/operation.ts';

/** The arguments of a call, by the names of v1's parameters. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The declared operations by method and path: `GET /v1/holdings`. */
export type OperationsByAddress = ReadonlyMap<string, Operation>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The operation that it calls; a tool without one is served by code of its own. */
  readonly address?: string;
  /** Parameters of the operation that an assistant has no use for. */
  readonly leftOut?: readonly string[];
  readonly isWrite?: true;
  /** The input of a tool without an operation, or what it takes beside the operation's parameters. */
  readonly input?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Where the figures of the answer are explained, as a path with its query. */
  readonly explanation?: (args: Arguments) => string | undefined;
}

const reportLeftOut = ['format', 'explain'];

function withQuery(path: string, args: Arguments, names: readonly string[], more: Record<string, string> = {}): string {
  const query = new URLSearchParams(more);
  for (const name of names) if (typeof args[name] === 'string') query.set(name, args[name]);
  return `${path}?${query.toString()}`;
}

function explainFigure(figure: string, names: readonly string[]): (args: Arguments) => string {
  return (args) =>
    withQuery('/v1/explain', args, ['reporting_entity_id', 'known_at', ...names], { figure, format: 'text' });
}

const namedRecords = ['client', 'reporting_entity', 'account', 'instrument'] as const;
export type NamedRecord = (typeof namedRecords)[number];

/** The lists that `find` searches. */
export const namedLists: Readonly<Record<NamedRecord, string>> = {
  client: '/v1/clients',
  reporting_entity: '/v1/reporting-entities',
  account: '/v1/accounts',
  instrument: '/v1/instruments',
};

export function isNamedRecord(value: unknown): value is NamedRecord {
  return typeof value === 'string' && Object.hasOwn(namedLists, value);
}

export const tools: readonly Tool[] = [
  {
    name: 'find',
    title: 'Find a record by its name',
    description:
      'Finds clients, reporting entities, accounts or instruments whose name contains a text, with their ids. Start here: the other tools take ids. Reports are asked for reporting entities.',
    input: {
      kind: { type: 'string', enum: [...namedRecords], description: 'What to look for.' },
      name: { type: 'string', maxLength: 200, description: 'A part of the name, in any case; empty for all.' },
    },
    required: ['kind'],
  },
  {
    name: 'holdings',
    title: 'What is held, and its value',
    description:
      'Lists the holdings of a reporting entity on a day with quantity, price, market value, cost and unrealised gain. Amounts are exact decimal texts: copy them, do not round them.',
    address: 'GET /v1/holdings',
    leftOut: reportLeftOut,
    explanation: explainFigure('market_value', ['as_of']),
  },
  {
    name: 'performance',
    title: 'How it performed',
    description:
      'Time-weighted and money-weighted return of a reporting entity over a window, with gain split into price, income and currency, by any axis. A return is a fraction: 0.05 is five per cent.',
    address: 'GET /v1/performance',
    leftOut: reportLeftOut,
    explanation: explainFigure('cumulative_twr', ['start', 'end', 'currency', 'fees']),
  },
  {
    name: 'explain',
    title: 'How a figure came about',
    description:
      'Explains one figure of a report down to the bookings, prices and rates it is made of. Use it whenever somebody asks why a figure is what it is.',
    address: 'GET /v1/explain',
    leftOut: ['origin_at'],
    explanation: (args) =>
      withQuery(
        '/v1/explain',
        args,
        Object.keys(args).filter((name) => name !== 'format'),
        { format: 'text' },
      ),
  },
  {
    name: 'limits',
    title: 'The limits of the investment policy',
    description: 'Lists the limits of a client or reporting entity. Ask `limit_status` whether one is kept.',
    address: 'GET /v1/limits',
  },
  {
    name: 'limit_status',
    title: 'Whether a limit is kept',
    description: 'The state of one limit now: the figure, its bounds, the headroom, and what is counted.',
    address: 'GET /v1/limits/{id}/status',
    leftOut: ['explain'],
    explanation: (args) =>
      withQuery(`/v1/limits/${String(args['id'])}/status`, args, ['known_at'], { explain: 'true' }),
  },
  {
    name: 'data_quality',
    title: 'What is missing or doubtful',
    description:
      'Lists the findings about the data behind the figures of a reporting entity: missing or stale prices, unexplained amounts, breaks, each with its remedy. Mention what concerns a figure that you report.',
    address: 'GET /v1/data-quality',
    leftOut: reportLeftOut,
    explanation: (args) =>
      withQuery('/v1/data-quality', args, ['reporting_entity_id', 'as_of', 'known_at'], { explain: 'true' }),
  },
  {
    name: 'transactions',
    title: 'What happened',
    description: 'Lists bookings in the order of the ledger, by account, instrument, type or day.',
    address: 'GET /v1/transactions',
    leftOut: ['format'],
    explanation: (args) =>
      withQuery('/v1/transactions', args, ['account_id', 'instrument_id', 'from', 'to', 'known_at']),
  },
  {
    name: 'book_transaction',
    title: 'Book a transaction',
    description:
      'Books one transaction, in two steps. The first call checks it and books nothing: show the result to the person and ask whether to go on. The second call repeats the same `transaction` with the `confirmation` of the first, and books it.',
    isWrite: true,
    input: {
      transaction: {
        type: 'object',
        description:
          'The booking as POST /v1/transactions takes it, such as {"type": "deposit", "account_id": …, "date": "2026-01-05", "amount": "100"}.',
      },
      confirmation: { type: 'string', maxLength: 64, description: 'From the answer to the check.' },
    },
    required: ['transaction'],
  },
];

function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => defined(name, 'the pattern has one group'));
}

/** The parameters of the tool's operation that can be given. */
export function takenParameters({ leftOut = [] }: Tool, { query }: Operation): readonly string[] {
  return Object.keys(query).filter((name) => !leftOut.includes(name));
}

function operationInput(tool: Tool, operation: Operation): Record<string, JsonSchema> {
  const inPath = pathParameters(operation.path).map((name) => [
    name,
    { type: 'string', description: 'An id, from `find` or another tool.' },
  ]);
  const inQuery = takenParameters(tool, operation).map((name) => {
    const { kind, description } = defined(operation.query[name], 'the name is that of a parameter');
    return [name, { ...kind.schema(snakeCaseStrings), description }];
  });
  return Object.fromEntries([...inPath, ...inQuery]);
}

interface ToolDescription extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly inputSchema: JsonSchema & {
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
  };
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A tool as `tools/list` shows it. */
export function describeTool(tool: Tool, operations: OperationsByAddress): ToolDescription {
  const { name, title, description, address, input = {}, required = [], isWrite = false } = tool;
  const operation = address === undefined ? undefined : findOperation(operations, address);
  const inPath = operation === undefined ? [] : pathParameters(operation.path);
  const inQuery = Object.entries(operation?.query ?? {}).flatMap(([one, { required: needed }]) =>
    needed ? [one] : [],
  );
  const properties = { ...(operation === undefined ? {} : operationInput(tool, operation)), ...input };
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties,
      required: [...inPath, ...inQuery, ...required],
      additionalProperties: false,
    },
    annotations: { title, readOnlyHint: !isWrite, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

export function findOperation(operations: OperationsByAddress, address: string): Operation {
  return defined(operations.get(address), `${address} is declared`);
}

/** The address of an operation with the arguments of a call: those in its path, and those in its query. */
export function callUrl(tool: Tool, operation: Operation, args: Arguments): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(args[name])));
  const query = new URLSearchParams();
  for (const name of takenParameters(tool, operation)) {
    const value = args[name];
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, textOf(one));
  }
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
