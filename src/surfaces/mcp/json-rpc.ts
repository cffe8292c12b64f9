// JSON-RPC 2.0 as the Model Context Protocol uses it: one message in a body, answered by one message.

import { isJsonObject, JsonNumber, writeJson, type Json } from '../../kit/json.ts';

export const rpcErrors = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const;

export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(kind: keyof typeof rpcErrors, message: string) {
    super(message);
    this.code = rpcErrors[kind];
  }
}

export interface RpcMessage {
  /** Absent in notifications and answers, which are not answered. */
  readonly id: string | JsonNumber | undefined;
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, Json>>;
}

export function readMessage(value: Json): RpcMessage {
  if (Array.isArray(value)) throw new RpcError('invalidRequest', 'Send one message at a time, not a batch.');
  if (!isJsonObject(value)) throw new RpcError('invalidRequest', 'A message is a JSON object.');
  const { jsonrpc, id, method, params = {} } = value;
  if (jsonrpc !== '2.0') throw new RpcError('invalidRequest', '`jsonrpc` must be "2.0".');
  if (id !== undefined && typeof id !== 'string' && !(id instanceof JsonNumber))
    throw new RpcError('invalidRequest', '`id` must be a string or a number.');
  if (method !== undefined && typeof method !== 'string')
    throw new RpcError('invalidRequest', '`method` must be a string.');
  if (!isJsonObject(params)) throw new RpcError('invalidRequest', '`params` must be an object.');
  return { id, method, params };
}

export function resultMessage(id: RpcMessage['id'], result: unknown): string {
  return writeJson({ jsonrpc: '2.0', id: id ?? null, result });
}

export function errorMessage(id: RpcMessage['id'], { code, message }: RpcError): string {
  return writeJson({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}
