// Defines what is reported about requests: one record for each response, and failures that callers are not shown.

import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Observer {
  /** Called once for each response. */
  answered(request: AnsweredRequest): void;
  defect(error: unknown, requestId: string): void;
  /** Called when the database could not be reached for a request. */
  outage(cause: unknown, requestId: string): void;
}

export interface AnsweredRequest {
  readonly requestId: string;
  readonly operationId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly workspaceId: string | undefined;
  readonly environment: string | undefined;
  /** The application or key that the request was made with. */
  readonly credentialId: string | undefined;
  /** The person who made it, in a session or through a token for them. */
  readonly personId: string | undefined;
}

export function answeredRequest(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  const { operation, openOperation } = request.routeOptions.config;
  const { scope, person } = request.caller ?? {};
  return {
    requestId: request.id,
    operationId: operation?.id ?? openOperation?.id ?? 'none',
    method: request.method,
    route: operation?.path ?? openOperation?.path ?? 'none',
    status: reply.statusCode,
    durationMs: performance.now() - request.startedAt,
    workspaceId: scope?.workspaceId,
    environment: scope?.environment,
    credentialId: scope?.credentialId ?? undefined,
    personId: person?.personId,
  };
}
