// Makes the methods of the client from the table of operations: `holdfast.clients.list()`.

import { fileBody, jsonBody, rowsBody, type RequestBody } from './bodies.ts';
import { List, toCall, type Call, type Page, type Unless, type WriteOptions } from './calls.ts';
import type { Tokens } from './tokens.ts';
import type { OutgoingRequest, Transport } from './transport.ts';

export interface OperationParts {
  readonly transport: Transport;
  readonly tokens: Tokens;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** One letter for each: `j` JSON body, `r` rows, `f` file, `i` idempotent, `p` pages, `a` also as other formats. */
  readonly flags: string;
}

export type Method = (...values: any[]) => any;

type Input = Readonly<Record<string, unknown>>;

/** The members of the last argument that are about the call. All others are parameters of the query. */
const optionNames = ['signal', 'timeoutMs', 'retries', 'idempotencyKey', 'ifMatch', 'ifNoneMatch'] as const;

/** The operations that most records have, by the letter that stands for them. */
const usual: Readonly<Record<string, string>> = {
  l: 'list GET  p',
  c: 'create POST  ji',
  g: 'get GET /{id} ',
  u: 'update PATCH /{id} ji',
  d: 'delete DELETE /{id} i',
};

/**
 * Each block of the table is a group: its name, then a line for each method with its address below `/v1` and its flags. A line that
 * begins with `=` has an address and the letters of the usual methods there.
 */
export function readTable(table: string): readonly Operation[] {
  return table
    .trim()
    .split('\n\n')
    .flatMap((block) => {
      const [group = '', ...lines] = block.split('\n');
      return lines.flatMap((line) => {
        const [verb = '', method = '', path = '', flags = ''] = line.split(' ');
        if (verb !== '=') return [{ name: `${group}.${verb}`, method, path: `/v1${path}`, flags }];
        return [...path].map((letter) => {
          const [name, usualMethod = '', below = '', usualFlags = ''] = (usual[letter] ?? '').split(' ');
          return { name: `${group}.${name}`, method: usualMethod, path: `/v1${method}${below}`, flags: usualFlags };
        });
      });
    });
}

/** Gives the target its groups of methods, and returns all methods by their whole names. */
export function bindOperations(target: object, table: string, parts: OperationParts): ReadonlyMap<string, Method> {
  const all = new Map<string, Method>();
  const groups: Record<string, Record<string, Method>> = {};
  for (const operation of readTable(table)) {
    const [group = '', verb = ''] = operation.name.split('.');
    const methods = (groups[group] ??= {});
    methods[verb] = makeMethod(operation, parts);
    if (operation.flags.includes('a')) methods[`${verb}As`] = makeExport(operation, parts);
  }
  for (const [group, methods] of Object.entries(groups)) {
    for (const [verb, method] of Object.entries(methods)) all.set(`${group}.${verb}`, method);
    Object.defineProperty(target, group, { value: Object.freeze(methods), enumerable: true });
  }
  return all;
}

function makeMethod(operation: Operation, { transport, tokens }: OperationParts): Method {
  return (...values) => {
    const { path, body, query, options } = readArguments(operation, values);
    const send = (extra: Input): Call<Page<unknown>> =>
      toCall(
        transport.send({
          ...requestOf(operation, options, tokens),
          path: path + queryText({ ...query, ...without(extra, query) }),
          body,
        }),
      );
    return operation.flags.includes('p') ? new List(send) : send({});
  };
}

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  text: 'text/plain',
};

/** Answers a stream of the file's bytes. */
function makeExport(operation: Operation, { transport, tokens }: OperationParts): Method {
  return (format, ...values) => {
    const { path, query, options } = readArguments(operation, values);
    const accept = mediaTypes[String(format)];
    if (accept === undefined) throw new TypeError(`No format: ${String(format)}`);
    return toCall(
      transport.send({
        ...requestOf(operation, options, tokens),
        accept,
        path: path + queryText({ ...query, format }),
        read: async (response) => response.body,
      }),
    );
  };
}

function requestOf(
  { name, method, flags }: Operation,
  options: WriteOptions & Partial<Unless>,
  tokens: Tokens,
): OutgoingRequest {
  const isIdempotent = flags.includes('i');
  return { ...options, operation: name, method, path: '', accept: 'application/json', isIdempotent, tokens };
}

interface ReadArguments {
  readonly path: string;
  readonly body: RequestBody | undefined;
  readonly query: Input;
  readonly options: WriteOptions & Partial<Unless>;
}

/** The ids of the path come first, then the body, then an object with query and options. */
function readArguments({ name, path, flags }: Operation, values: readonly unknown[]): ReadArguments {
  const rest = [...values];
  const filled = path.replaceAll(/\{\w+\}/g, (parameter) => pathSegment(name, parameter, rest.shift()));
  const body = readBody(flags, rest);
  const query: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest[0] ?? {})) {
    (optionNames.some((option) => option === key) ? options : query)[key] = value;
  }
  return { path: filled, body, query, options };
}

function readBody(flags: string, rest: any[]): RequestBody | undefined {
  if (flags.includes('r')) return rowsBody(rest.shift());
  if (flags.includes('f')) return fileBody(rest.shift());
  return flags.includes('j') ? jsonBody(rest.shift()) : undefined;
}

/** An empty id would lead to the list, and dots to another path. */
function pathSegment(name: string, parameter: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new TypeError(`${name} needs ${parameter} as text.`);
}

function without(extra: Input, query: Input): Input {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => key === 'cursor' || query[key] === undefined));
}

function queryText(query: Input): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
