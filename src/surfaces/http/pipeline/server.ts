// The listener: every request passes here in the same order. Host, media type, token, right, budget, body, work, answer.

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { House } from '../../../actions/core/context.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Caller } from '../../../model/access/scope.ts';
import { closeGently } from './graceful-close.ts';
import { Admission, pathNotFound, type AdmissionParts } from './admission.ts';
import { Spool } from '../bulk/spool.ts';
import { inFlightUntilLast, type InFlight } from './in-flight.ts';
import { answeredRequest, type Observer } from './observer.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation, Sent } from '../operation/operation.ts';
import { describeProblem, renderProblem, type Task } from './perform-request.ts';
import { isDefect } from '../operation/problem.ts';
import { readOpenRequest, readRequest } from './parse-request.ts';
import { canBeAnId, routeOf } from '../negotiation/route-pattern.ts';
import { writeAnswer } from './write-response.ts';
import { ServedPaths } from '../negotiation/served-paths.ts';
import { answerUnreadable, type UnreadableFrame } from './unreadable-request.ts';
import type { Rendered, Wire } from '../operation/wire.ts';

export interface ServerParts extends AdmissionParts {
  readonly house: House;
  readonly inFlight: InFlight;
  readonly heavy: InFlight;
  /** Heavy work that is done in threads: it takes no time of the event loop's. */
  readonly threaded: InFlight;
  readonly operations: readonly Operation[];
  readonly openOperations: readonly OpenOperation[];
  /** The wire that speaks for an address under which nothing is served. */
  wireFor(path: string): Wire;
  /** Where what once stood under a path stands now. */
  movedTo(path: string): string | undefined;
  /** Within how long a body must be there that is no bulk; a minute where nothing is said. */
  readonly arrivalMs?: number;
  /** Does the work of a request, here or in another thread. */
  perform(task: Task): Promise<Rendered>;
  readonly observer: Observer;
}

const bodyBytesMax = 1024 * 1024;
const bulkBytesMax = 256 * bodyBytesMax;
/** Within which a request is there as a whole. */
const arrivalMs = 60_000;
const bulkArrivalMs = 10 * arrivalMs;

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

interface Read {
  readonly sent: Sent;
  readonly input: unknown;
}

const requestIdForm = /^[\w.:-]{1,128}$/;

export class Server {
  readonly app: FastifyInstance;
  readonly #parts: ServerParts;
  readonly #admission: Admission;
  readonly #served: ServedPaths;
  #isStopping = false;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#admission = new Admission(parts);
    this.#served = new ServedPaths([...parts.operations, ...parts.openOperations]);
    this.app = fastify({
      bodyLimit: bodyBytesMax,
      requestTimeout: bulkArrivalMs,
      keepAliveTimeout: 75_000,
      return503OnClosing: false,
      routerOptions: { maxParamLength: 256 },
      genReqId: ({ headers }) => {
        const sent = headers['x-request-id'];
        return typeof sent === 'string' && requestIdForm.test(sent) ? sent : parts.house.ids.next();
      },
      frameworkErrors: (error, request, reply) => void this.#fail(error, request, reply),
      clientErrorHandler: ({ code }, socket) => answerUnreadable(code, socket, () => this.#unreadableFrame()),
    });
    this.#decorate();
    for (const operation of parts.operations) if (operation.bulk === undefined) this.#route(operation, this.app);
    this.#routeBulk(parts.operations.filter(({ bulk }) => bulk !== undefined));
    for (const operation of parts.openOperations) this.#routeOpen(operation);
    for (const { path, method } of this.#served.mistaken()) {
      this.app.route({ method, url: path, handler: (request, reply) => this.#failUnrouted(request, reply) });
    }
  }

  /** New requests are turned away from here on; those under way are finished. */
  turnAway(): void {
    this.#isStopping = true;
  }

  async stop(): Promise<void> {
    this.turnAway();
    await closeGently(this.app);
  }

  #decorate(): void {
    const { app } = this;
    app.decorateRequest('caller', null);
    app.decorateRequest('rateLimit', this.#parts.budget.untouched);
    app.decorateRequest('startedAt', 0);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.setErrorHandler((error, request, reply) => this.#fail(error, request, reply));
    app.setNotFoundHandler((request, reply) => this.#failUnrouted(request, reply));
    app.addHook('onRequest', (request, _reply, done) => {
      request.startedAt = performance.now();
      this.#awaitBody(request);
      done(
        this.#isStopping ? new Refusal('stopping', 'This node is being stopped.', { retryAfterSeconds: 1 }) : undefined,
      );
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#parts.observer.answered(answeredRequest(request, reply));
      done();
    });
  }

  /** What is no bulk body has less time to arrive than the listener gives the longest. */
  #awaitBody({ raw, routeOptions }: FastifyRequest): void {
    const isEmpty = raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined;
    if (isEmpty || routeOptions.config.operation?.bulk !== undefined) return;
    const giveUp = (): void => answerUnreadable('ERR_HTTP_REQUEST_TIMEOUT', raw.socket, () => this.#unreadableFrame());
    const timer = setTimeout(giveUp, this.#parts.arrivalMs ?? arrivalMs).unref();
    raw.once('close', () => clearTimeout(timer));
  }

  /** Their bodies are taken in by ourselves, piece by piece. */
  #routeBulk(operations: readonly Operation[]): void {
    void this.app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
      for (const operation of operations) this.#route(operation, scope);
    });
  }

  #route(operation: Operation, app: FastifyInstance): void {
    app.route({
      method: operation.method,
      url: routeOf(operation.path),
      config: { operation },
      onRequest: (request, _reply, done) => this.#admit(operation, request, done),
      handler: async (request, reply) => this.#send(reply, request, await this.#perform(operation, request)),
    });
  }

  #admit(operation: Operation, request: FastifyRequest, done: (error?: Error) => void): void {
    try {
      if (!Object.values(request.params as Record<string, string>).every(canBeAnId)) throw pathNotFound();
      const admitted = this.#admission.admit(operation, request);
      if (admitted === undefined) done();
      else admitted.then(() => done()).catch(done);
    } catch (error) {
      done(error as Error);
    }
  }

  async #perform(operation: Operation, request: FastifyRequest): Promise<Rendered> {
    const { reach } = request.caller!;
    const tenant = `${reach.workspaceId}/${reach.environment}`;
    const sent = readRequest(operation, request);
    const input = operation.read(sent);
    const { inFlight } = this.#parts;
    await inFlight.enter(tenant);
    const leave: (() => void)[] = [() => inFlight.leave(tenant)];
    const leaveAll = (): void => leave.splice(0).forEach((one) => one());
    try {
      // However slowly a body comes in, nobody else's heavy work waits for it.
      const spool = operation.bulk && (await this.#takeIn(request));
      if (spool) leave.push(() => void spool.discard());
      const line = this.#lineOf(operation);
      await line?.enter(tenant);
      leave.push(() => line?.leave(tenant));
      const rendered = await this.#work(operation, request, { sent: withBulk(sent, request, spool), input });
      if (rendered.pieces !== undefined) return { ...rendered, pieces: inFlightUntilLast(rendered.pieces, leaveAll) };
      leaveAll();
      return rendered;
    } catch (error) {
      leaveAll();
      throw error;
    }
  }

  #lineOf({ heavy, thread }: Operation): InFlight | undefined {
    if (!heavy) return undefined;
    return thread === undefined ? this.#parts.heavy : this.#parts.threaded;
  }

  #takeIn(request: FastifyRequest): Promise<Spool> {
    const announced = Number(request.headers['content-length'] ?? 0);
    return Spool.of(request.body as Readable, { announced, bytesMax: bulkBytesMax });
  }

  #work(operation: Operation, request: FastifyRequest, { sent, input }: Read): Promise<Rendered> {
    const task = { operation, caller: request.caller!, requestId: request.id, sent, input };
    return this.#parts.perform(task);
  }

  #routeOpen(operation: OpenOperation): void {
    this.app.route({
      method: operation.method,
      url: routeOf(operation.path),
      config: { openOperation: operation },
      handler: async (request, reply) => {
        const hosts = this.#parts.hosts.of(request.headers.host);
        if (operation.host !== 'any' && !hosts.has(operation.host)) throw pathNotFound();
        return this.#send(reply, request, await operation.handle({ ...readOpenRequest(request), hosts }));
      },
    });
  }

  /** Every path answers every method: with its operation, or with which methods it has. */
  #failUnrouted(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const hosts = this.#parts.hosts.of(request.headers.host);
    const moved = hosts.has('legacy') ? this.#parts.movedTo(request.url) : undefined;
    if (moved !== undefined) return this.#send(reply, request, this.#pointTo(moved));
    const allowed = this.#served.allowed(request.url, hosts).join(', ');
    if (allowed === '') return this.#fail(pathNotFound(), request, reply);
    return this.#fail(new Refusal('method-not-allowed', `This path takes ${allowed}.`), request, reply, {
      allow: allowed,
    });
  }

  #pointTo(path: string): Rendered {
    return { status: 308, headers: { location: this.#parts.house.addresses.legacyUrl + path }, text: null };
  }

  #unreadableFrame(): UnreadableFrame {
    const { house, budget, wireFor } = this.#parts;
    const requestId = house.ids.next();
    const headers = this.#frameHeaders(requestId, budget.untouched);
    return { requestId, baseUrl: house.addresses.baseUrl, wire: wireFor(''), headers };
  }

  #fail(error: unknown, request: FastifyRequest, reply: FastifyReply, more: Record<string, string> = {}): FastifyReply {
    const operation = request.routeOptions.config.operation;
    if (isDefect(error)) this.#parts.observer.defect(error, request.id);
    if (error instanceof Refusal && error.code === 'database-away')
      this.#parts.observer.outage(error.cause, request.id);
    const wire = operation?.wire ?? this.#parts.wireFor(request.url);
    const { headers, ...rendered } = this.#renderProblem(error, request, wire);
    // Nobody reads the rest of a large body that is refused.
    const isCutShort = operation?.bulk !== undefined && !request.raw.complete;
    const closing = this.#isStopping || isCutShort ? { connection: 'close' } : {};
    return this.#send(reply, request, { ...rendered, headers: { ...headers, ...more, ...closing } });
  }

  #renderProblem(error: unknown, request: FastifyRequest, wire: Wire): Rendered {
    const { operation, openOperation } = request.routeOptions.config;
    const { baseUrl } = this.#parts.house.addresses;
    const refused = { operation, wire, requestId: request.id, baseUrl };
    return openOperation?.showProblem?.(describeProblem(error, refused)) ?? renderProblem(error, refused);
  }

  /** Written by ourselves: the framework would add a charset to media types that must not have one. */
  #send(reply: FastifyReply, request: FastifyRequest, rendered: Rendered): FastifyReply {
    reply.hijack();
    // An address that cannot be decoded fails before the request has been given anything of ours.
    const frame = this.#frameHeaders(request.id, request.rateLimit ?? this.#parts.budget.untouched);
    writeAnswer(reply.raw, rendered, frame);
    return reply;
  }

  #frameHeaders(requestId: string, rateLimit: string): Record<string, string> {
    return {
      'x-request-id': requestId,
      ratelimit: rateLimit,
      'ratelimit-policy': this.#parts.budget.policy,
      'x-content-type-options': 'nosniff',
    };
  }
}

/** A bulk body is known by its digest and read again from where it was kept. */
function withBulk(sent: Sent, { method, url }: FastifyRequest, spool: Spool | undefined): Sent {
  if (spool === undefined) return sent;
  const digest = (): Buffer => createHash('sha256').update(`${method} ${url}\n`).update(spool.digest).digest();
  return { ...sent, digest, spool };
}
