// Calls custodians over HTTP: checked addresses only, no redirects, one deadline from the first byte to the last, bounded bodies.

import { traced } from '../../kit/tracing/span.ts';
import { ConnectorFailure } from '../../model/custody/connector.ts';
import { abortable, CheckedAgent, type CheckedAgentOptions } from '../checked-agent.ts';
import { toDeliveryFailure } from '../delivery-failure.ts';
import { checkTarget } from '../webhook-target.ts';

export interface CustodianRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

export interface CustodianResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface CustodianHttpOptions extends CheckedAgentOptions {
  /** From the resolution of the name to the last byte of an answer. */
  readonly timeoutMs: number;
}

export class CustodianHttp {
  readonly allowPrivate: boolean;
  readonly #timeoutMs: number;
  readonly #agent: CheckedAgent;

  constructor({ timeoutMs, ...options }: CustodianHttpOptions) {
    this.allowPrivate = options.allowPrivate;
    this.#timeoutMs = timeoutMs;
    this.#agent = new CheckedAgent(options);
  }

  /** Throws a `ConnectorFailure` if there is no complete answer. A redirect is an answer that is not followed. */
  async send(request: CustodianRequest): Promise<CustodianResponse> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      return await abortable(signal, this.#send(request, signal));
    } catch (error) {
      // Stopping is no failure of the custodian.
      if (request.signal.aborted) throw request.signal.reason;
      if (error instanceof ConnectorFailure) throw error;
      if (deadline.aborted)
        throw new ConnectorFailure(
          'unavailable',
          `The custodian did not answer within ${this.#timeoutMs / 1000} seconds.`,
        );
      throw toConnectorFailure(error);
    }
  }

  #send(request: CustodianRequest, signal: AbortSignal): Promise<CustodianResponse> {
    const attributes = { 'http.request.method': request.method };
    return traced('custodian', { kind: 'client', attributes }, async (span) => {
      const headers = span === undefined ? request.headers : { ...request.headers, traceparent: span.traceparent };
      const response = await this.#request({ ...request, headers }, signal);
      span?.set({ 'http.response.status_code': response.status });
      return response;
    });
  }

  async #request(
    { url, method, headers, body, bytesMax }: CustodianRequest,
    signal: AbortSignal,
  ): Promise<CustodianResponse> {
    // Checked at every call: the rules may have become stricter, and addresses without a name are never resolved.
    const target = checkTarget(url, { allowPrivate: this.allowPrivate });
    const agent = await this.#agent.open();
    const response = await agent.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: { ...headers },
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const received = await readBounded(response.body as AsyncIterable<Buffer>, bytesMax);
    return { status: response.statusCode, headers: singleHeaders(response.headers), body: received };
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }
}

/** Leaving the loop closes the connection. */
async function readBounded(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > bytesMax)
      throw new ConnectorFailure('invalid-answer', `An answer of the custodian is longer than ${bytesMax} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function singleHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}

function toConnectorFailure(error: unknown): ConnectorFailure {
  const { detail } = toDeliveryFailure(error);
  return new ConnectorFailure('unavailable', detail.replaceAll('receiver', 'custodian'), error);
}
