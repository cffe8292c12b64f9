// The span of a request: its method, its route and its status, and nothing of what was asked for.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Span, Tracer } from '../../../kit/tracing/span.ts';

export function beginRequestSpan(tracer: Tracer, { method, headers, routeOptions }: FastifyRequest): Span {
  const { operation, openOperation } = routeOptions.config;
  const route = operation?.path ?? openOperation?.path ?? 'none';
  const id = operation?.id ?? openOperation?.id ?? 'none';
  return tracer.beginFor(headers['traceparent'], `${method} ${route}`, {
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'holdfast.operation': id },
  });
}

export function endRequestSpan(span: Span, { statusCode }: FastifyReply, problemCode: string | null): void {
  span.set({ 'http.response.status_code': statusCode });
  if (statusCode >= 500) span.fail(problemCode ?? String(statusCode));
  else if (problemCode !== null) span.set({ 'holdfast.problem': problemCode });
  span.end();
}
