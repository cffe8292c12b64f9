// Sends responses with the headers that every one of them carries.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import type { RateLimit } from './budget.ts';
import { responseHeaders } from './response-headers.ts';
import type { HttpServerParts } from './server-parts.ts';
import type { UnreadableReply } from './unreadable-request.ts';
import { writeResponse } from './write-response.ts';

type SenderParts = Pick<HttpServerParts, 'context' | 'budget' | 'crossOrigin' | 'wireFor'>;

export class ResponseSender {
  readonly #parts: SenderParts;
  /** Whether callers are asked to connect elsewhere, although they are still served. */
  isLeaving = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Writes past the framework, which would add a charset to media types that must not have one. */
  send(reply: FastifyReply, request: FastifyRequest, rendered: RenderedResponse): FastifyReply {
    reply.hijack();
    request.problemCode = rendered.problemCode ?? null;
    const closing = this.isLeaving ? { connection: 'close' } : {};
    const own = { ...closing, ...this.#parts.crossOrigin.headersFor(request.raw), ...rendered.headers };
    // A URL that cannot be decoded fails before the request is decorated.
    const rateLimit = request.rateLimit ?? this.#parts.budget.full;
    const headers = this.#headers(request.id, rateLimit, own);
    writeResponse(reply.raw, { ...rendered, headers, isCompressible: isCompressible(request) }, request.raw);
    return reply;
  }

  /** What a reply to bytes that are not HTTP is made of. */
  unreadableReply(): UnreadableReply {
    const { context, budget, wireFor } = this.#parts;
    const requestId = context.ids.next();
    return {
      requestId,
      baseUrl: context.addresses.baseUrl,
      wire: wireFor(''),
      withCommon: (own) => this.#headers(requestId, budget.full, own),
    };
  }

  #headers(requestId: string, rateLimit: RateLimit, own: RenderedResponse['headers']): Record<string, string> {
    return responseHeaders(this.#parts.context.addresses, { requestId, rateLimit }, own);
  }
}

function isCompressible({ routeOptions: { config } }: FastifyRequest): boolean {
  const { operation, openOperation } = config;
  return operation === undefined ? openOperation?.isCompressible === true : operation.answersSecret !== true;
}
