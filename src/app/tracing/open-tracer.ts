// Opens the tracer of a thread, if tracing is configured: OpenTelemetry is loaded only then.

import type { TraceSettings } from '../../gateways/tracing/otlp-tracer.ts';
import type { Tracer } from '../../kit/tracing/span.ts';
import { readRelease } from '../release.ts';
import { SettingFault } from '../setting-reader.ts';

export async function openTracer(settings: TraceSettings | undefined): Promise<Tracer | undefined> {
  if (settings === undefined) return undefined;
  const { OtlpTracer } = await import('../../gateways/tracing/otlp-tracer.ts').catch((error: unknown) => {
    const detail = 'install the optional packages of @opentelemetry that package.json lists, or do not set it';
    throw new SettingFault(`OTEL_EXPORTER_OTLP_ENDPOINT needs OpenTelemetry: ${detail}. (${String(error)})`);
  });
  return new OtlpTracer(settings, (await readRelease()).version);
}
