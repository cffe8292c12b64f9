// Performs the calls of tools: as requests of the caller to v1, inside the process.

import { append } from '../../kit/memory/long-list.ts';
import { Readable } from 'node:stream';
import { assert } from '../../kit/assert.ts';
import { isJsonObject, JsonText, parseJson, writeJson, type Json, type JsonObject } from '../../kit/json.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Method } from '../http/operation/operation.ts';
import { collectText, type RenderedResponse } from '../http/operation/rendered-response.ts';
import type { LocalRequest } from '../http/pipeline/local-api.ts';
import type { Confirmations } from './confirmation.ts';
import { RpcError } from './json-rpc.ts';
import {
  callUrl,
  describeTool,
  findOperation,
  isNamedRecord,
  namedLists,
  type Arguments,
  type OperationsByAddress,
  type Tool,
} from './tools.ts';

export interface ToolParts {
  readonly operations: OperationsByAddress;
  readonly callApi: (request: LocalRequest) => Promise<RenderedResponse>;
  readonly baseUrl: string;
  readonly confirmations: Confirmations;
  readonly caller: Caller;
  readonly requestId: string;
  readonly callerLeft: LocalRequest['callerLeft'];
}

/** What a tool answers, as the protocol has it: a text for the assistant, and whether it is a refusal. */
interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
}

interface ApiAnswer {
  readonly status: number;
  /** Undefined if it is more than an assistant can read. */
  readonly text: string | undefined;
}

/** More than an assistant can read. */
const answerBytesMax = 200_000;
/** How many matches a search by name answers with. */
const foundMax = 50;
const pagesReadMax = 10;

export function callTool(tool: Tool, args: JsonObject, parts: ToolParts): Promise<ToolResult> {
  const { inputSchema: known } = describeTool(tool, parts.operations);
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(known.properties, name));
  if (unknown.length > 0)
    throw new RpcError('invalidParams', `${tool.name} has no argument ${JSON.stringify(unknown[0])}.`);
  const missing = known.required.filter((name) => args[name] === undefined);
  if (missing.length > 0) throw new RpcError('invalidParams', `${tool.name} needs the argument ${missing.join(', ')}.`);
  if (tool.name === 'find') return findRecords(args, parts);
  if (tool.name === 'book_transaction') return bookTransaction(tool, args, parts);
  return read(tool, args, parts);
}

async function read(tool: Tool, args: Arguments, parts: ToolParts): Promise<ToolResult> {
  const operation = findOperation(parts.operations, tool.address ?? '');
  const url = callUrl(tool, operation, args);
  const answer = await send(parts, 'GET', url);
  if (answer.status >= 400) return refused(answer);
  const explanation = tool.explanation?.(args);
  return answered(answer.text, `GET ${url}`, explanation === undefined ? undefined : parts.baseUrl + explanation);
}

/** Reads the names of a list until enough are found; the answer says if the list is longer than what was read. */
async function findRecords(args: Arguments, parts: ToolParts): Promise<ToolResult> {
  const { kind, name = '' } = args;
  if (!isNamedRecord(kind) || typeof name !== 'string')
    throw new RpcError('invalidParams', `kind is one of ${Object.keys(namedLists).join(', ')}, and name is a text.`);
  const wanted = name.normalize('NFKC').toLowerCase();
  const found: JsonObject[] = [];
  let cursor = '';
  for (let page = 0; page < pagesReadMax && found.length < foundMax; page++) {
    const answer = await send(parts, 'GET', `${namedLists[kind]}?limit=100${cursor}`);
    if (answer.status >= 400) return refused(answer);
    const { data, next_cursor: next } = parseObject(answer.text);
    append(
      found,
      recordsOf(data).filter((record) => nameOf(record).normalize('NFKC').toLowerCase().includes(wanted)),
    );
    cursor = typeof next === 'string' ? `&cursor=${encodeURIComponent(next)}` : '';
    if (cursor === '') break;
  }
  const records = found.slice(0, foundMax).map(({ id, type, client_id, currency, ...rest }) => ({
    id,
    name: nameOf(rest),
    ...(type === undefined ? {} : { type }),
    ...(client_id === undefined ? {} : { client_id }),
    ...(currency === undefined ? {} : { currency }),
  }));
  const isWhole = cursor === '' && found.length <= foundMax;
  return answered(writeJson({ found: records, is_complete: isWhole }), `GET ${namedLists[kind]}`);
}

function parseObject(text = '{}'): JsonObject {
  const value = parseJson(text);
  assert(isJsonObject(value), 'v1 answers with an object');
  return value;
}

function recordsOf(data: Json | undefined): readonly JsonObject[] {
  return Array.isArray(data) ? data.filter(isJsonObject) : [];
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}

/** Checks a booking, and books it when the same one comes back with the confirmation of the check. */
async function bookTransaction(tool: Tool, args: JsonObject, parts: ToolParts): Promise<ToolResult> {
  const { transaction, confirmation } = args;
  if (!isJsonObject(transaction)) throw new RpcError('invalidParams', 'transaction must be an object.');
  const { confirmations, caller } = parts;
  const call = { caller, tool: tool.name, args: { transaction } };
  if (confirmation === undefined) return checkTransaction(transaction, confirmations.make(call), parts);
  confirmations.check(confirmation, call);
  const url = '/v1/transactions';
  const answer = await send(parts, 'POST', url, {
    body: transaction,
    headers: { 'idempotency-key': confirmations.idempotencyKey(call) },
  });
  if (answer.status >= 400) return refused(answer);
  const { id } = parseObject(answer.text);
  return answered(answer.text, `POST ${url}`, `${parts.baseUrl}/v1/transactions/${String(id)}`);
}

async function checkTransaction(transaction: JsonObject, confirmation: string, parts: ToolParts): Promise<ToolResult> {
  const url = '/v1/transactions/bulk?mode=dry-run';
  const body = Readable.from([Buffer.from(writeJson({ data: [transaction] }))], { objectMode: false });
  const answer = await send(parts, 'POST', url, { body, headers: { 'content-type': 'application/json' } });
  if (answer.status >= 400) return refused(answer);
  const { errors } = parseObject(answer.text);
  const isRefused = Array.isArray(errors) && errors.length > 0;
  const checked = JsonText.fromMembers({
    booked: false,
    check: new JsonText(answer.text ?? 'null'),
    ...(isRefused
      ? {}
      : { confirmation, next: 'Show this to the person. If they agree, call again with the confirmation.' }),
  });
  const { content } = answered(checked.text, `POST ${url}`);
  return isRefused ? { content, isError: true } : { content };
}

async function send(
  { callApi, caller, requestId, callerLeft }: ToolParts,
  method: Method,
  url: string,
  more: Pick<LocalRequest, 'body' | 'headers'> = {},
): Promise<ApiAnswer> {
  const rendered = await callApi({ requestId, caller, callerLeft, method, url, ...more });
  return { status: rendered.status, text: await collectText(rendered, answerBytesMax) };
}

/** The answer with its digits as v1 wrote them, the call that gives the same, and where its figures are explained. */
function answered(answer: string | undefined, call: string, explanation?: string): ToolResult {
  if (answer === undefined || answer.length > answerBytesMax) {
    const text = `The answer to ${call} is too long for an assistant. Narrow it: a shorter window, fewer axes, a smaller limit.`;
    return { content: [{ type: 'text', text }], isError: true };
  }
  const { text } = JsonText.fromMembers({ answer: new JsonText(answer), explanation, call });
  return { content: [{ type: 'text', text }] };
}

function refused({ text = '' }: ApiAnswer): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
