// The HTTP listener. Every request takes the same steps: admission, waiting its turn, parsing, work, response.

import { setTimeout as delay } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Refusal } from '../../../kit/refusal.ts';
import { runInSpan } from '../../../kit/tracing/span.ts';
import { beginRequestSpan, endRequestSpan } from './request-span.ts';
import { closeGracefully } from './graceful-close.ts';
import { pathNotFound } from './admission.ts';
import { leaveSignalOf } from './leave-signal.ts';
import { answeredRequest } from './observer.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import { isStreamed, type Operation, type Wire } from '../operation/operation.ts';
import { describeProblem, renderProblem } from './perform-request.ts';
import { isDefect, isOutage } from '../operation/problem.ts';
import { endWhenBodyIsSlow } from './pace.ts';
import { parseOpenRequest, pathParameters } from './parse-request.ts';
import { isPossibleId, routerPattern } from '../negotiation/route-pattern.ts';
import { ServedPaths } from '../negotiation/served-paths.ts';
import type { HttpServerParts } from './server-parts.ts';
import { refuseUnread, respondToUnreadable } from './unreadable-request.ts';
import type { ConnectionRefusal } from './caller-connections.ts';
import { ResponseSender } from './response-sender.ts';
import { findTargetFault, usePathOnly } from '../negotiation/request-target.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';

/** The longest body of any other request. */
const bodyBytesMax = 1024 * 1024;
/** When connections are cut that have not ended, since a node stops within 15 seconds. */
const stopMsMax = 11_500;

function stopping(): Refusal {
  return new Refusal('stopping', 'This node is stopping. Send the request again.', { retryAfterSeconds: 1 });
}

const connectionDetails: Readonly<Record<ConnectionRefusal, string>> = {
  address: 'Too many connections are open from this address without a verified token or session.',
  node: 'Every connection that this node may have is answering a request.',
};

function tooManyConnections(by: ConnectionRefusal): Refusal {
  return new Refusal('too-many-connections', `${connectionDetails[by]} Try again in a few seconds.`, {
    retryAfterSeconds: 5,
  });
}

function isStreamedRoute({ config }: FastifyRequest['routeOptions']): boolean {
  return config.openOperation?.isUpload === true || (config.operation !== undefined && isStreamed(config.operation));
}

/** HEAD is answered by the handler of GET, without its body. */
function routedMethods(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function refuseSchemas(): never {
  throw new Error('Routes have no schemas of Fastify: requests are read by the kinds of their fields.');
}

/** Fastify would otherwise load its own, which take some megabytes. */
const noCompilers = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

const requestIdPattern = /^[\w.:-]{1,128}$/;

export class HttpServer {
  readonly app: FastifyInstance;
  readonly #parts: HttpServerParts;
  readonly #servedPaths: ServedPaths;
  readonly #sender: ResponseSender;
  #isStopping = false;

  constructor(parts: HttpServerParts) {
    this.#parts = parts;
    this.#sender = new ResponseSender(parts);
    this.#servedPaths = new ServedPaths([...parts.operations, ...parts.openOperations]);
    this.app = fastify({
      bodyLimit: bodyBytesMax,
      trustProxy: parts.trustedProxies.length > 0 && [...parts.trustedProxies],
      serverFactory: () => parts.listener.server,
      return503OnClosing: false,
      exposeHeadRoutes: false,
      schemaController: { compilersFactory: noCompilers },
      routerOptions: { maxParamLength: 256 },
      genReqId: ({ headers }) => {
        const parsed = headers['x-request-id'];
        return typeof parsed === 'string' && requestIdPattern.test(parsed) ? parsed : parts.context.ids.next();
      },
      frameworkErrors: (error, request, reply) => void this.#fail(error, request, reply),
      clientErrorHandler: ({ code }, socket) => respondToUnreadable(code, socket, () => this.#sender.unreadableReply()),
    });
    this.#decorate();
    for (const operation of parts.operations) if (!isStreamed(operation)) this.#route(operation, this.app);
    this.#routeStreamed(parts);
    for (const operation of parts.openOperations) if (operation.isUpload !== true) this.#routeOpen(operation, this.app);
    for (const { path, method } of this.#servedPaths.unsupportedMethods()) {
      this.app.route({
        method: routedMethods(method),
        url: path,
        handler: (request, reply) => this.#failUnrouted(request, reply),
      });
    }
  }

  /** Takes over from whatever has answered on the listener until now. */
  async serve(): Promise<void> {
    await this.app.ready();
    this.#parts.listener.respondWith((request, response) => {
      usePathOnly(request);
      this.app.routing(request, response);
    });
    this.#parts.listener.refuseWith((socket, by) => {
      refuseUnread(tooManyConnections(by), socket, this.#sender.unreadableReply());
    });
  }

  /** Refuses new requests from now on; those in progress are finished. */
  rejectNewRequests(): void {
    this.#isStopping = true;
    this.#sender.isLeaving = false;
  }

  /** Serves requests for `graceMs` more, asking callers to connect elsewhere; then finishes those in progress and closes. */
  async stop(graceMs = 0): Promise<void> {
    this.#sender.isLeaving = true;
    if (graceMs > 0) await delay(graceMs);
    this.rejectNewRequests();
    await closeGracefully(this.app, stopMsMax - graceMs);
  }

  #decorate(): void {
    const { app } = this;
    const { tracer } = this.#parts.context;
    app.decorateRequest('caller', null);
    app.decorateRequest('rateLimit', null);
    app.decorateRequest('startedAt', 0);
    app.decorateRequest('problemCode', null);
    app.decorateRequest('span', null);
    // Parses nothing by itself: only the pages for people read cookies, and they do so where they need one.
    void app.register(fastifyCookie, { hook: false });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.setErrorHandler((error, request, reply) => this.#fail(error, request, reply));
    app.setNotFoundHandler((request, reply) => this.#failUnrouted(request, reply));
    app.addHook('onRequest', (request, reply, done) => {
      request.startedAt = performance.now();
      if (tracer !== undefined) request.span = beginRequestSpan(tracer, request);
      this.#limitBodyTime(request, reply);
      const fault = this.#isStopping ? stopping() : (findTargetFault(request.raw) ?? this.#findMaintenance(request));
      const preflight = fault === undefined ? this.#preflight(request) : undefined;
      if (preflight === undefined) done(fault);
      else this.#sender.send(reply, request, preflight);
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#knowConnection(request);
      this.#parts.observer.answered(answeredRequest(request, reply));
      if (request.span !== null) endRequestSpan(request.span, reply, request.problemCode);
      done();
    });
  }

  /** In maintenance, only what says so is answered: whether the service is well, and how the page that says it looks. */
  #findMaintenance({ routeOptions }: FastifyRequest): Refusal | undefined {
    const { clock, operatorMode } = this.#parts.context;
    const isAnswered = routeOptions.config.openOperation?.isAlwaysAnswered === true;
    return operatorMode.current.mode === 'maintenance' && !isAnswered ? operatorMode.refusal(clock.now()) : undefined;
  }

  #preflight(request: FastifyRequest): RenderedResponse | undefined {
    return this.#parts.crossOrigin.preflight(request.raw, () => this.#allowedMethods(request));
  }

  #allowedMethods({ url, headers }: FastifyRequest): string {
    return this.#servedPaths.allowedMethods(url, this.#parts.hosts.namesFor(headers.host)).join(', ');
  }

  #limitBodyTime({ raw }: FastifyRequest, reply: FastifyReply): void {
    const isEmpty = raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined;
    if (isEmpty) return;
    endWhenBodyIsSlow(raw, () => {
      // A refusal that was sent before the body had arrived is all the answer there is.
      if (reply.raw.writableEnded) raw.socket.destroy();
      else respondToUnreadable('ERR_HTTP_REQUEST_TIMEOUT', raw.socket, () => this.#sender.unreadableReply());
    });
  }

  /** Registers bulk operations and uploads without a body parser: their bodies are streamed into a spool. */
  #routeStreamed({ operations, openOperations }: Pick<HttpServerParts, 'operations' | 'openOperations'>): void {
    void this.app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
      for (const operation of operations.filter(isStreamed)) this.#route(operation, scope);
      for (const operation of openOperations) if (operation.isUpload === true) this.#routeOpen(operation, scope);
    });
  }

  #route(operation: Operation, app: FastifyInstance): void {
    app.route({
      method: routedMethods(operation.method),
      url: routerPattern(operation.path),
      config: { operation },
      onRequest: (request, _reply, done) => this.#admit(operation, request, done),
      handler: async (request, reply) =>
        this.#sender.send(reply, request, await this.#perform(operation, request, reply)),
    });
  }

  #perform(operation: Operation, request: FastifyRequest, { raw }: FastifyReply): Promise<RenderedResponse> {
    const { performer } = this.#parts;
    const { span } = request;
    const perform = (): Promise<RenderedResponse> => performer.perform(operation, request, leaveSignalOf(raw));
    return span === null ? perform() : runInSpan(span, perform);
  }

  #admit(operation: Operation, request: FastifyRequest, done: (error?: Error) => void): void {
    try {
      if (!Object.values(pathParameters(request)).every(isPossibleId)) throw pathNotFound();
      const { admission } = this.#parts;
      const { span } = request;
      const admitted =
        span === null
          ? admission.admit(operation, request)
          : runInSpan(span, () => admission.admit(operation, request));
      const finish = (error?: Error): void => {
        this.#knowConnection(request);
        done(error);
      };
      if (admitted === undefined) finish();
      else admitted.then(() => finish()).catch(finish);
    } catch (error) {
      done(error as Error);
    }
  }

  /** A caller who was verified is no stranger, even if this request was refused. */
  #knowConnection({ caller, raw }: FastifyRequest): void {
    // A URL that cannot be decoded fails before the request is decorated.
    if (caller) this.#parts.listener.connections.know(raw.socket);
  }

  #routeOpen(operation: OpenOperation, app: FastifyInstance): void {
    app.route({
      method: routedMethods(operation.method),
      url: routerPattern(operation.path),
      ...(operation.bodyBytesMax === undefined ? {} : { bodyLimit: operation.bodyBytesMax }),
      config: { openOperation: operation },
      handler: async (request, reply) => {
        const hosts = this.#parts.hosts.namesFor(request.headers.host);
        if (operation.host !== 'any' && !hosts.has(operation.host)) throw pathNotFound();
        const parsed = {
          ...parseOpenRequest(request, this.#parts.spoolRoom),
          hosts,
          callerLeft: leaveSignalOf(reply.raw),
        };
        const { span } = request;
        const rendered = span === null ? operation.handle(parsed) : runInSpan(span, () => operation.handle(parsed));
        return this.#sender.send(reply, request, await rendered);
      },
    });
  }

  /** Handles requests without a route: redirects moved paths, and lists the allowed methods of paths that have others. */
  #failUnrouted(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const hosts = this.#parts.hosts.namesFor(request.headers.host);
    const moved = hosts.has('legacy') ? this.#parts.movedPath(request.url) : undefined;
    if (moved !== undefined) return this.#sender.send(reply, request, this.#redirectTo(moved));
    const allowed = this.#allowedMethods(request);
    if (allowed === '') return this.#fail(pathNotFound(), request, reply);
    return this.#fail(new Refusal('method-not-allowed', `This path supports ${allowed}.`), request, reply, {
      allow: allowed,
    });
  }

  #redirectTo(path: string): RenderedResponse {
    return { status: 308, headers: { location: this.#parts.context.addresses.legacyUrl + path }, text: null };
  }

  #fail(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    extraHeaders: Record<string, string> = {},
  ): FastifyReply {
    const operation = request.routeOptions.config.operation;
    if (isDefect(error)) this.#parts.observer.defect(error, request.id);
    if (isOutage(error)) this.#parts.observer.outage(error.cause, request.id);
    const wire = operation?.wire ?? this.#parts.wireFor(request.url);
    const { headers, ...rendered } = this.#renderProblem(error, request, wire);
    // Closes the connection, because the rest of a refused large body is not read.
    const isBodyUnread = isStreamedRoute(request.routeOptions) && !request.raw.complete;
    const closeHeader = this.#isStopping || isBodyUnread ? { connection: 'close' } : {};
    return this.#sender.send(reply, request, { ...rendered, headers: { ...headers, ...extraHeaders, ...closeHeader } });
  }

  #renderProblem(error: unknown, request: FastifyRequest, wire: Wire): RenderedResponse {
    const { operation, openOperation } = request.routeOptions.config;
    const { baseUrl } = this.#parts.context.addresses;
    const refused = { operation, wire, requestId: request.id, baseUrl };
    const isServed = operation !== undefined || openOperation !== undefined;
    const show = isServed ? openOperation?.showProblem : this.#parts.showProblem;
    return show?.(describeProblem(error, refused), request) ?? renderProblem(error, refused);
  }
}
