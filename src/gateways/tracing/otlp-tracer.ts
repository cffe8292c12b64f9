// Records traces with OpenTelemetry and sends them to a collector (OTLP over HTTP, as JSON). Loaded only where tracing is configured.

import { randomBytes, randomInt } from 'node:crypto';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Context,
  type Span as RecordedSpan,
  type SpanContext,
  type Tracer as Recorder,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Span, SpanAttributes, SpanOptions, Tracer } from '../../kit/tracing/span.ts';
import { formatTraceparent, parseTraceparent, type TraceParent } from '../../kit/tracing/traceparent.ts';

export interface TraceSettings {
  /** Where spans are posted to. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  /** The share of traces that are recorded, 0 to 1. */
  readonly ratio: number;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
const randomSteps = 2 ** 32;

export class OtlpTracer implements Tracer {
  readonly #provider: BasicTracerProvider;
  readonly #recorder: Recorder;
  readonly #ratio: number;

  constructor({ url, headers, serviceName, resource, ratio }: TraceSettings, version: string) {
    const exporter = new OTLPTraceExporter({ url, headers: { ...headers } });
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ ...resource, 'service.name': serviceName, 'service.version': version }),
      // What is not chosen never gets here.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.#recorder = this.#provider.getTracer('holdfast', version);
    this.#ratio = ratio;
  }

  begin(name: string, options: SpanOptions = {}): Span {
    return this.#beginBelow(undefined, name, options);
  }

  beginFor(traceparent: string | string[] | undefined, name: string, options: SpanOptions = {}): Span {
    return this.#beginBelow(parseTraceparent(traceparent), name, options);
  }

  resume(traceparent: string, name: string, options: SpanOptions = {}): Span {
    const parent = parseTraceparent(traceparent);
    if (parent === undefined) return this.begin(name, options);
    return parent.isSampled ? this.#record(parent, name, options) : unrecordedSpan(parent.traceId);
  }

  /** Draws for itself: a stranger chooses the trace id, and must not choose what is recorded by it. */
  #beginBelow(parent: TraceParent | undefined, name: string, options: SpanOptions): Span {
    const isChosen = randomInt(randomSteps) < this.#ratio * randomSteps;
    return isChosen ? this.#record(parent, name, options) : unrecordedSpan(parent?.traceId);
  }

  #record(parent: TraceParent | undefined, name: string, options: SpanOptions): Span {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remoteContext(parent));
    return startSpan(this.#recorder, context, name, options);
  }

  async stop(): Promise<void> {
    await this.#provider.shutdown();
  }
}

function remoteContext({ traceId, spanId }: TraceParent): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

function startSpan(recorder: Recorder, context: Context, name: string, options: SpanOptions): Span {
  const { kind = 'internal', attributes = {} } = options;
  return new OtlpSpan(recorder, recorder.startSpan(name, { kind: kinds[kind], attributes }, context));
}

class OtlpSpan implements Span {
  readonly isSampled = true;
  readonly traceId: string;
  readonly traceparent: string;
  readonly #recorder: Recorder;
  readonly #span: RecordedSpan;

  constructor(recorder: Recorder, span: RecordedSpan) {
    this.#recorder = recorder;
    this.#span = span;
    const { traceId, spanId } = span.spanContext();
    this.traceId = traceId;
    this.traceparent = formatTraceparent({ traceId, spanId, isSampled: true });
  }

  begin(name: string, options: SpanOptions = {}): Span {
    return startSpan(this.#recorder, trace.setSpan(ROOT_CONTEXT, this.#span), name, options);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(reason: string): void {
    this.#span.setAttribute('error.type', reason);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}

/** A span that is not recorded: it has a trace id for the log. */
function unrecordedSpan(traceId = randomBytes(16).toString('hex')): Span {
  const spanId = randomBytes(8).toString('hex');
  const span: Span = {
    traceId,
    traceparent: formatTraceparent({ traceId, spanId, isSampled: false }),
    isSampled: false,
    begin: () => span,
    set: () => {},
    fail: () => {},
    end: () => {},
  };
  return span;
}
