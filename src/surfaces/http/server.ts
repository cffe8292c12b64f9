// The listener: every request passes here in the same order. Host, media type, token, right, budget, body, work, answer.

import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Authentication } from '../../actions/authentication.ts';
import { requireRight } from '../../actions/authentication.ts';
import type { House } from '../../actions/house.ts';
import { readingWork, writingWork, type Author } from '../../actions/work.ts';
import { parseJson, readUtf8, writeJson, type Json } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Caller } from '../../model/reach.ts';
import type { Budget } from './budget.ts';
import type { Hosts } from './hosts.ts';
import type { InFlight } from './in-flight.ts';
import { checkAccept, checkContentType } from './negotiation.ts';
import type { OpenOperation } from './open-operation.ts';
import type { Answer, Ask, Operation, Sent } from './operation.ts';
import { isDefect, problemOf, type Problem } from './problem.ts';
import { readQuery } from './query.ts';
import type { Rendered, Wire } from './wire.ts';

export interface Observer {
  /** One line for each answered request. */
  answered(request: AnsweredRequest): void;
  defect(error: unknown, requestId: string): void;
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
}

export interface ServerParts {
  readonly house: House;
  readonly authentication: Authentication;
  readonly budget: Budget;
  readonly inFlight: InFlight;
  readonly heavy: InFlight;
  readonly hosts: Hosts;
  readonly operations: readonly Operation[];
  readonly openOperations: readonly OpenOperation[];
  /** The wire that speaks for an address under which nothing is served. */
  wireFor(path: string): Wire;
  readonly observer: Observer;
}

export const bodyBytesMax = 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    rateLimit: string;
    startedAt: number;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    openOperation?: OpenOperation;
  }
}

const requestIdForm = /^[\w.:-]{1,128}$/;

export class Server {
  readonly app: FastifyInstance;
  readonly #parts: ServerParts;
  #isStopping = false;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.app = fastify({
      bodyLimit: bodyBytesMax,
      requestTimeout: 60_000,
      keepAliveTimeout: 75_000,
      return503OnClosing: false,
      routerOptions: { maxParamLength: 256 },
      genReqId: ({ headers }) => {
        const sent = headers['x-request-id'];
        return typeof sent === 'string' && requestIdForm.test(sent) ? sent : parts.house.ids.next();
      },
      frameworkErrors: (error, request, reply) => void this.#fail(error, request, reply),
    });
    this.#decorate();
    for (const operation of parts.operations) this.#route(operation);
    for (const operation of parts.openOperations) this.#routeOpen(operation);
    this.#routeOtherMethods([...parts.operations, ...parts.openOperations]);
  }

  /** New requests are turned away from here on; those under way are finished. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.app.close();
  }

  #decorate(): void {
    const { app } = this;
    app.decorateRequest('caller', null);
    app.decorateRequest('rateLimit', this.#parts.budget.untouched);
    app.decorateRequest('startedAt', 0);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.setErrorHandler((error, request, reply) => this.#fail(error, request, reply));
    app.setNotFoundHandler((request, reply) => this.#fail(pathNotFound(), request, reply));
    app.addHook('onRequest', (request, _reply, done) => {
      request.startedAt = performance.now();
      done(this.#isStopping ? new Refusal('stopping', 'This node is being stopped.', { retryAfterSeconds: 1 }) : undefined);
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#parts.observer.answered(answeredRequest(request, reply));
      done();
    });
  }

  #route(operation: Operation): void {
    this.app.route({
      method: operation.method,
      url: routeOf(operation.path),
      config: { operation },
      onRequest: (request, _reply, done) => this.#admit(operation, request, done),
      handler: async (request, reply) => this.#send(reply, request, await this.#perform(operation, request)),
    });
  }

  /** Everything that is asked before a body is read. Without a promise where token and budget are at hand. */
  #admit(operation: Operation, request: FastifyRequest, done: (error?: Error) => void): void {
    try {
      if (!this.#parts.hosts.of(request.headers.host).has(operation.wire.host)) throw pathNotFound();
      const token = bearerOf(request.headers.authorization);
      const caller = this.#parts.authentication.findRemembered(token);
      const admitted = caller ? this.#admitCaller(operation, request, caller) : this.#admitUnknown(operation, request, token);
      if (admitted === undefined) done();
      else admitted.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  }

  async #admitUnknown(operation: Operation, request: FastifyRequest, token: string): Promise<void> {
    await this.#admitCaller(operation, request, await this.#parts.authentication.authenticate(token));
  }

  #admitCaller(operation: Operation, request: FastifyRequest, caller: Caller): Promise<void> | undefined {
    request.caller = caller;
    const taken = this.#parts.budget.take(caller);
    if (typeof taken !== 'string') return this.#admitAfter(taken, operation, request, caller);
    request.rateLimit = taken;
    checkAllowed(operation, request, caller);
    return undefined;
  }

  async #admitAfter(taken: Promise<string>, operation: Operation, request: FastifyRequest, caller: Caller): Promise<void> {
    try {
      request.rateLimit = await taken;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'budget-exceeded') request.rateLimit = `"burst";r=0;t=${error.retryAfterSeconds}`;
      throw error;
    }
    checkAllowed(operation, request, caller);
  }

  async #perform(operation: Operation, request: FastifyRequest): Promise<Rendered> {
    const caller = request.caller!;
    const tenant = `${caller.reach.workspaceId}/${caller.reach.environment}`;
    const { inFlight, heavy } = this.#parts;
    const sent = readRequest(operation, request);
    const input = operation.read(sent);
    await inFlight.enter(tenant);
    try {
      if (!operation.heavy) return await this.#work(operation, request, sent, input);
      await heavy.enter(tenant);
      try {
        return await this.#work(operation, request, sent, input);
      } finally {
        heavy.leave(tenant);
      }
    } finally {
      inFlight.leave(tenant);
    }
  }

  #work(operation: Operation, request: FastifyRequest, sent: Sent, input: unknown): Promise<Rendered> {
    const { house } = this.#parts;
    const caller = request.caller!;
    const { wire } = operation;
    const author: Author = { reach: wire.reach(caller.reach), subject: caller.subject, requestId: request.id };
    const refuse = (error: unknown): Rendered => this.#renderProblem(error, request, wire);
    const perform = (ask: Ask): Promise<Rendered> =>
      wire.around({
        ask,
        operation,
        refuse,
        proceed: async () => render(await operation.handle(ask, input), wire),
      });
    if (operation.mode === 'read') return perform({ ...sent, caller, work: readingWork(house, author) });
    return writingWork(house, author, (work) => perform({ ...sent, caller, work }));
  }

  #routeOpen(operation: OpenOperation): void {
    this.app.route({
      method: operation.method,
      url: routeOf(operation.path),
      config: { openOperation: operation },
      handler: async (request, reply) => {
        const hosts = this.#parts.hosts.of(request.headers.host);
        if (operation.host !== 'any' && !hosts.has(operation.host)) throw pathNotFound();
        const { 'content-type': contentType, accept } = request.headers;
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        return this.#send(reply, request, await operation.handle({ contentType, accept, body, hosts }));
      },
    });
  }

  /** Every path answers every method: with its operation, or with which methods it has. */
  #routeOtherMethods(operations: readonly (Operation | OpenOperation)[]): void {
    const methodsOf = Map.groupBy(operations, ({ path }) => routeOf(path));
    for (const [url, served] of methodsOf) {
      const allowed = served.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !allowed.includes(method));
      this.app.route({
        method: others,
        url,
        handler: async (request, reply) => {
          const error = new Refusal('method-not-allowed', `This path takes ${allowed.join(', ')}.`);
          return this.#fail(error, request, reply, { allow: allowed.join(', ') });
        },
      });
    }
  }

  #fail(error: unknown, request: FastifyRequest, reply: FastifyReply, more: Record<string, string> = {}): FastifyReply {
    const operation = request.routeOptions.config.operation;
    if (isDefect(error)) this.#parts.observer.defect(error, request.id);
    const wire = operation?.wire ?? this.#parts.wireFor(request.url);
    const { headers, ...rendered } = this.#renderProblem(error, request, wire);
    const closing = this.#isStopping ? { connection: 'close' } : {};
    return this.#send(reply, request, { ...rendered, headers: { ...headers, ...more, ...closing } });
  }

  #renderProblem(error: unknown, request: FastifyRequest, wire: Wire): Rendered {
    const problem: Problem = problemOf(error, {
      requestId: request.id,
      baseUrl: this.#parts.house.addresses.baseUrl,
      resource: request.routeOptions.config.operation?.resource,
      pointer: wire.pointer,
    });
    return {
      status: problem.status,
      headers: { ...problem.headers, 'content-type': wire.problemMediaType },
      text: writeJson(wire.problemBody(problem)),
    };
  }

  /** Written by ourselves: the framework would add a charset to media types that must not have one. */
  #send(reply: FastifyReply, request: FastifyRequest, { status, headers, text }: Rendered): FastifyReply {
    reply.hijack();
    reply.raw.writeHead(status, {
      'x-request-id': request.id,
      ratelimit: request.rateLimit,
      'ratelimit-policy': this.#parts.budget.policy,
      'x-content-type-options': 'nosniff',
      ...headers,
      ...(text === null ? {} : { 'content-length': Buffer.byteLength(text) }),
    });
    reply.raw.end(text ?? undefined);
    return reply;
  }
}

function checkAllowed(operation: Operation, request: FastifyRequest, caller: Caller): void {
  if (operation.right !== 'any') requireRight(caller, operation.right);
  checkAccept(request.headers.accept, operation.wire.mediaType);
}

function render({ status, headers, body }: Answer, wire: Wire): Rendered {
  if (body === undefined) return { status, headers: headers ?? {}, text: null };
  return { status, headers: { 'content-type': wire.mediaType, ...headers }, text: writeJson(body) };
}

function readRequest(operation: Operation, request: FastifyRequest): Sent {
  const mark = request.url.indexOf('?');
  const search = mark < 0 ? '' : request.url.slice(mark + 1);
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return {
    params: request.params as Record<string, string>,
    query: readQuery(search, operation.query),
    body: operation.body === undefined ? undefined : readBody(bytes, request, operation.wire.mediaType),
    headers: request.headers,
    digest: () => createHash('sha256').update(`${request.method} ${request.url}\n`).update(bytes).digest(),
  };
}

function readBody(bytes: Buffer, request: FastifyRequest, mediaType: string): Json {
  if (bytes.length === 0) throw new Refusal('malformed-json', 'A body is needed here.');
  checkContentType(request.headers['content-type'], mediaType);
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Refusal('unsupported-media-type', 'The body must be sent without a content encoding.');
  }
  return parseJson(readUtf8(bytes));
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) throw new Refusal('token-missing', 'Send an access token: `Authorization: Bearer …`.');
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') {
    throw new Refusal('token-invalid', 'The `Authorization` header must be of the form `Bearer <token>`.');
  }
  return authorization.slice(7).trim();
}

function pathNotFound(): Refusal {
  return new Refusal('path-not-found', 'Nothing is served under this address.');
}

/** `/v1/clients/{id}` as the router writes it. */
function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function answeredRequest(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  const { operation, openOperation } = request.routeOptions.config;
  const reach = request.caller?.reach;
  return {
    requestId: request.id,
    operationId: operation?.id ?? openOperation?.id ?? 'none',
    method: request.method,
    route: operation?.path ?? openOperation?.path ?? 'none',
    status: reply.statusCode,
    durationMs: performance.now() - request.startedAt,
    workspaceId: reach?.workspaceId,
    environment: reach?.environment,
  };
}
