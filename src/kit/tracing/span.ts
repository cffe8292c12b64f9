// Spans of a trace, and the one that this piece of work belongs to. Knows no library: without a tracer there is no span, and nothing here
// does anything.

import { AsyncLocalStorage } from 'node:async_hooks';

type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Names and numbers only: nothing that a caller has written, and no personal data. */
export type SpanAttributes = Readonly<Record<string, string | number | string[]>>;

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
}

export interface Span {
  readonly traceId: string;
  /** The header with which others continue the trace. */
  readonly traceparent: string;
  /** Whether it is recorded. Others have a trace id for the log, and nothing below them. */
  readonly isSampled: boolean;
  begin(name: string, options?: SpanOptions): Span;
  set(attributes: SpanAttributes): void;
  /** `reason`: a code or the name of an error, never its text. */
  fail(reason: string): void;
  end(): void;
}

export interface Tracer {
  /** Begins a trace, if the sampler chooses it. */
  begin(name: string, options?: SpanOptions): Span;
  /** Continues the trace of a stranger's header, if it is well-formed. Whether it is recorded is decided here. */
  beginFor(traceparent: string | string[] | undefined, name: string, options?: SpanOptions): Span;
  /** Continues a trace that this service has recorded. */
  resume(traceparent: string, name: string, options?: SpanOptions): Span;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const active = new AsyncLocalStorage<Span>();

/** The span that this work belongs to; undefined if it is not recorded. */
export function activeSpan(): Span | undefined {
  return active.getStore();
}

/** Runs a task within a span; one that is not recorded is nobody's parent. */
export function runInSpan<T>(span: Span, task: () => T): T {
  return span.isSampled ? active.run(span, task) : task();
}

/** Runs a task within a span and ends it with the task. */
export async function completeSpan<T>(span: Span, task: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await runInSpan(span, () => task(span));
  } catch (error) {
    span.fail(errorName(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs a task within a span of its own, if the work that it belongs to is recorded. */
export function traced<T>(
  name: string,
  options: SpanOptions,
  task: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = active.getStore();
  return parent === undefined ? task(undefined) : completeSpan(parent.begin(name, options), task);
}

/** The code of an error if it has one, else its class. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
