// Defines what is reported about requests: one record for each response, and failures that callers are not shown.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Id } from '../../../kit/id.ts';
import type { Environment } from '../../../model/access/scope.ts';

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
  /** As it was asked for, without the query. Of a path that needs no token, the route: others could hold secrets. */
  readonly path: string;
  /** The code of the problem that was answered. */
  readonly code: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** Whether its sender was not known, at a path that is for known callers only. */
  readonly isStranger: boolean;
  readonly workspaceId: Id | undefined;
  readonly environment: Environment | undefined;
  /** The application or key that the request was made with. */
  readonly credentialId: Id | undefined;
  /** The person who made it, in a session or through a token for them. */
  readonly personId: string | undefined;
  /** Where requests are traced. */
  readonly traceId: string | undefined;
}

export function answeredRequest(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  const { operation, openOperation } = request.routeOptions.config;
  const { scope, person } = request.caller ?? {};
  return {
    requestId: request.id,
    operationId: operation?.id ?? openOperation?.id ?? 'none',
    method: request.method,
    route: operation?.path ?? openOperation?.path ?? 'none',
    path: operation === undefined ? (openOperation?.path ?? 'none') : pathOf(request.url),
    code: request.problemCode ?? undefined,
    status: reply.statusCode,
    durationMs: performance.now() - request.startedAt,
    isStranger: scope === undefined && (operation !== undefined || openOperation?.isForSignedIn === true),
    workspaceId: scope?.workspaceId,
    environment: scope?.environment,
    credentialId: scope?.credentialId ?? undefined,
    personId: person?.personId,
    traceId: request.span?.traceId,
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
