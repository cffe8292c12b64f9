// Serves /mcp: the Model Context Protocol over HTTP, without sessions. Each request has an access token and one message; what a tool does
// is done by v1 for the same caller.

import type { Authentication } from '../../actions/access/authentication.ts';
import { isJsonObject, JsonFault, parseJson, readUtf8, type Json } from '../../kit/json.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { OpenOperation, ParsedOpenRequest } from '../http/operation/open-operation.ts';
import type { Operation } from '../http/operation/operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import type { Budget } from '../http/pipeline/budget.ts';
import type { LocalRequest } from '../http/pipeline/local-api.ts';
import { bearerToken } from '../http/pipeline/parse-request.ts';
import { errorMessage, readMessage, resultMessage, RpcError, type RpcMessage } from './json-rpc.ts';
import type { Confirmations } from './confirmation.ts';
import { callTool } from './tool-calls.ts';
import { describeTool, tools, type OperationsByAddress, type Tool } from './tools.ts';

export interface McpParts {
  readonly authentication: Authentication;
  readonly budget: Budget;
  readonly operations: readonly Operation[];
  readonly callApi: (request: LocalRequest) => Promise<RenderedResponse>;
  readonly baseUrl: string;
  readonly confirmations: Confirmations;
  readonly version: string;
  /** Whether assistants may write at all; the token needs the right as well. */
  readonly writes: 'on' | 'off';
}

interface Session extends Pick<ParsedOpenRequest, 'requestId' | 'callerLeft'> {
  readonly parts: McpParts;
  readonly operations: OperationsByAddress;
  readonly caller: Caller;
}

/** The newest first, which is offered to clients that ask for another one. */
const protocolVersions = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;

const instructions =
  'Holdfast keeps the whole wealth of clients and reports on it exactly. Find ids with `find`, then ask the reports. Amounts are decimal texts and must be repeated digit by digit. Every answer names the address where its figures are explained: give it with the figure. Mention findings of `data_quality` that concern what you report.';

const callMethod = 'tools/call';

/** The longest message of an assistant. */
const bodyBytesMax = 256 * 1024;
const messageLimits = { depthMax: 32, valuesMax: 5_000 };

export function mcpOperation(parts: McpParts): OpenOperation {
  const operations: OperationsByAddress = new Map(parts.operations.map((one) => [`${one.method} ${one.path}`, one]));
  return {
    id: 'mcp.message',
    host: 'base',
    method: 'POST',
    path: '/mcp',
    summary: 'Model Context Protocol: tools for assistants',
    description:
      'For assistants that speak the Model Context Protocol over HTTP (revisions 2024-11-05 to 2025-06-18). Send one JSON-RPC message with an access token; tools read what the token may read, and count against its budget. `book_transaction` is offered only where the operator has set `MCP_WRITES=on` and the token has the right `write`. See docs/assistants.md.',
    group: 'assistants',
    bodyBytesMax,
    bodies: { 'application/json': { schema: messageSchema, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } },
    responses: {
      200: { description: 'The answer to the message.', schema: answerSchema },
      202: { description: 'A notification was received.' },
    },
    handle: (request) => handle({ parts, operations }, request),
  };
}

const messageSchema = {
  type: 'object',
  required: ['jsonrpc'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'number'] },
    method: { type: 'string' },
    params: { type: 'object' },
  },
};

const answerSchema = {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'number', 'null'] },
    result: { type: 'object' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
  },
};

async function handle(
  { parts, operations }: Pick<Session, 'parts' | 'operations'>,
  request: ParsedOpenRequest,
): Promise<RenderedResponse> {
  const token = bearerToken(request.headers.authorization);
  const { authentication } = parts;
  const caller = authentication.findCached(token) ?? (await authentication.authenticate(token));
  request.noteCaller(caller);
  let message: RpcMessage | undefined;
  try {
    message = readMessage(readBody(request.body));
    const { requestId, callerLeft } = request;
    const session = { parts, operations, caller, requestId, callerLeft };
    const result = await answer(session, message);
    if (result === undefined) return { status: 202, headers: {}, text: null };
    return respond(resultMessage(message.id, result));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (message === undefined || message.method === callMethod) await parts.budget.take(caller);
    return respond(errorMessage(message?.id, error));
  }
}

function readBody(body: Buffer): Json {
  try {
    return parseJson(readUtf8(body), messageLimits);
  } catch (error) {
    if (error instanceof JsonFault) throw new RpcError('parse', error.message);
    throw error;
  }
}

function respond(text: string): RenderedResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, text };
}

/** Undefined for what is not answered: notifications, and answers to requests that this server never makes. */
async function answer(session: Session, { id, method, params }: RpcMessage): Promise<unknown> {
  // A tool takes its requests from the budget itself.
  if (id === undefined || method !== callMethod) await session.parts.budget.take(session.caller);
  if (id === undefined || method === undefined) return undefined;
  if (method === 'initialize') return initialize(session, params);
  if (method === 'ping') return {};
  const offered = offeredTools(session);
  if (method === 'tools/list') return { tools: offered.map((tool) => describeTool(tool, session.operations)) };
  if (method === callMethod) return runTool(session, offered, params);
  throw new RpcError('methodNotFound', `There is no method ${JSON.stringify(method)} here.`);
}

function initialize({ parts }: Session, params: RpcMessage['params']): unknown {
  const wanted = params['protocolVersion'];
  return {
    protocolVersion: protocolVersions.find((version) => version === wanted) ?? protocolVersions[0],
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: 'holdfast', title: 'Holdfast', version: parts.version },
    instructions,
  };
}

function offeredTools({ parts, caller }: Session): readonly Tool[] {
  return tools.filter(({ isWrite }) => !isWrite || (parts.writes === 'on' && caller.rights.has('write')));
}

async function runTool(session: Session, offered: readonly Tool[], params: RpcMessage['params']): Promise<unknown> {
  const { name, arguments: args = {} } = params;
  const tool = offered.find((one) => one.name === name);
  if (tool === undefined) throw new RpcError('invalidParams', `There is no tool ${JSON.stringify(name)} here.`);
  if (!isJsonObject(args)) throw new RpcError('invalidParams', '`arguments` must be an object.');
  const { parts, ...own } = session;
  return callTool(tool, args, {
    ...own,
    callApi: parts.callApi,
    baseUrl: parts.baseUrl,
    confirmations: parts.confirmations,
  });
}
