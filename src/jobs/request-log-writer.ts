// Writes the request log off the request path: lines wait in memory for at most a second, and are written in batches, tenant by tenant. When
// the database is slow, lines are dropped and nobody waits. While nothing can be written, they wait in memory as far as there is room; those that
// have none are dropped and counted.

import { destinationsOf } from '../actions/access/held-lines.ts';
import type { AppContext } from '../actions/core/context.ts';
import { secondMs } from '../kit/clock.ts';
import {
  loggedPathLengthMax,
  requestLogLinesMax,
  type LoggedRequest,
  type RequestLine,
} from '../model/access/logged-request.ts';
import { allClients, type Scope } from '../model/access/scope.ts';
import { isUnwritable } from '../model/refusals/unwritable.ts';

const flushIntervalMs = secondMs;
/** A tenant with this many lines is written at once. */
const batchLines = 500;
/** How many lines of one tenant may wait to be written; further ones are dropped. */
const tenantLinesMax = 5_000;
/** How many lines may wait in all. */
const linesMax = 20_000;
/** How long a tenant's lines wait after nothing could be written. */
const unwritablePauseMs = 5 * secondMs;
/** Tenants that are written at the same time: a slow one does not hold up the others. */
const writersMax = 2;
/** After so many lines of a tenant, a node deletes those that are too many. */
const trimEveryLines = requestLogLinesMax / 10;

type WriterContext = Pick<AppContext, 'stores' | 'clock' | 'ids' | 'logShipping'>;

interface WriterObserver {
  /** Lines that were not written. */
  onDropped(count: number): void;
}

class TenantLines {
  readonly scope: Scope;
  waiting: LoggedRequest[] = [];
  isWriting = false;
  sinceTrimmed = 0;
  /** When it is tried again after nothing could be written. */
  restsUntil = 0;

  constructor({ workspaceId, environment }: RequestLine) {
    this.scope = {
      workspaceId,
      environment,
      visibleClients: allClients,
      credentialId: null,
    };
  }
}

export class RequestLogWriter {
  readonly #context: WriterContext;
  readonly #observer: WriterObserver;
  readonly #tenants = new Map<string, TenantLines>();
  readonly #timer: NodeJS.Timeout;
  readonly #writing = new Set<Promise<void>>();
  #lineCount = 0;
  #isStopped = false;

  constructor(context: WriterContext, observer: WriterObserver) {
    this.#context = context;
    this.#observer = observer;
    this.#timer = setInterval(() => this.#flush(1), flushIntervalMs).unref();
  }

  /** Only puts the line aside. */
  record(line: RequestLine): void {
    if (this.#isStopped) return;
    const tenant = this.#tenantOf(line);
    if (tenant.waiting.length >= tenantLinesMax || this.#lineCount >= linesMax) return this.#observer.onDropped(1);
    tenant.waiting.push(this.#toLogged(line));
    this.#lineCount++;
    if (tenant.waiting.length % batchLines === 0) this.#flush(batchLines);
  }

  /** Writes what waits, and takes no more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await Promise.all(this.#writing);
    this.#flush(1);
    while (this.#writing.size > 0) await Promise.all(this.#writing);
  }

  #tenantOf(line: RequestLine): TenantLines {
    const key = `${line.workspaceId}/${line.environment}`;
    const known = this.#tenants.get(key);
    if (known !== undefined) return known;
    const tenant = new TenantLines(line);
    this.#tenants.set(key, tenant);
    return tenant;
  }

  /** Member by member, which is faster than a copy without some. */
  #toLogged(line: RequestLine): LoggedRequest {
    const { status } = line;
    return {
      id: this.#context.ids.next(),
      at: this.#context.clock.now(),
      method: line.method,
      route: line.route,
      path: line.path.slice(0, loggedPathLengthMax),
      status,
      outcome: status < 400 ? 'answered' : status < 500 ? 'refused' : 'failed',
      code: line.code,
      durationMs: Math.round(line.durationMs),
      credentialId: line.credentialId,
      userId: line.userId,
      requestId: line.requestId,
      traceId: line.traceId,
    };
  }

  /** Starts writers for tenants with at least this many lines, those that waited longest first. */
  #flush(linesMin: number): void {
    for (const [key, tenant] of this.#tenants) {
      if (this.#writing.size >= writersMax) return;
      if (tenant.isWriting || tenant.waiting.length < linesMin) continue;
      if (!this.#isStopped && tenant.restsUntil > this.#context.clock.now()) continue;
      // Goes to the end of the line.
      this.#tenants.delete(key);
      this.#tenants.set(key, tenant);
      const writing = this.#write(tenant).finally(() => {
        this.#writing.delete(writing);
        this.#flush(this.#isStopped ? 1 : batchLines);
      });
      this.#writing.add(writing);
    }
  }

  async #write(tenant: TenantLines): Promise<void> {
    const lines = tenant.waiting;
    tenant.waiting = [];
    tenant.isWriting = true;
    tenant.sinceTrimmed += lines.length;
    const isTrimming = tenant.sinceTrimmed >= trimEveryLines;
    if (isTrimming) tenant.sinceTrimmed = 0;
    try {
      await this.#context.stores.writeEnqueued({ scope: tenant.scope }, ({ requestLog }) => {
        requestLog.enqueueLines(lines);
        if (isTrimming) requestLog.enqueueTrimming(destinationsOf(this.#context, 'requests'));
      });
      this.#lineCount -= lines.length;
    } catch (error) {
      if (isUnwritable(error) && !this.#isStopped) this.#keep(tenant, lines);
      else this.#drop(lines.length);
    } finally {
      tenant.isWriting = false;
    }
  }

  /** Those that came first are written first. */
  #keep(tenant: TenantLines, lines: LoggedRequest[]): void {
    const kept = lines.concat(tenant.waiting);
    tenant.waiting = kept.slice(0, tenantLinesMax);
    tenant.restsUntil = this.#context.clock.now() + unwritablePauseMs;
    this.#drop(kept.length - tenant.waiting.length);
  }

  #drop(count: number): void {
    this.#lineCount -= count;
    if (count > 0) this.#observer.onDropped(count);
  }
}
