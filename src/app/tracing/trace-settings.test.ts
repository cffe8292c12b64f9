import { expect, test } from 'vitest';
import type { TraceSettings } from '../../gateways/tracing/otlp-tracer.ts';
import { SettingReader, type EnvironmentVariables } from '../setting-reader.ts';
import { readTraceSettings } from './trace-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const usual: TraceSettings = {
  url: 'http://127.0.0.1:4318/v1/traces',
  headers: {},
  serviceName: 'holdfast',
  resource: {},
  ratio: 1,
};

function read(settings: EnvironmentVariables): { traces: TraceSettings | undefined; faults: readonly string[] } {
  const reader = new SettingReader(settings);
  return { traces: readTraceSettings(reader), faults: reader.faults };
}

const valid: [EnvironmentVariables, TraceSettings | undefined][] = [
  [{}, undefined],
  [{ OTEL_SERVICE_NAME: 'office', OTEL_TRACES_SAMPLER: 'always_on' }, undefined],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, undefined],
  [endpoint, usual],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otel/' }, { ...usual, url: 'https://c.example/otel/v1/traces' }],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c.example/x' },
    { ...usual, url: 'http://c.example/x' },
  ],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'always_off' },
    { ...usual, ratio: 0 },
  ],
  [{ ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, usual],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
    { ...usual, ratio: 0.25 },
  ],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, tenant=a', OTEL_SERVICE_NAME: 'office' },
    { ...usual, headers: { authorization: 'Bearer x', tenant: 'a' }, serviceName: 'office' },
  ],
  [
    { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=live,host.name=one' },
    { ...usual, resource: { 'deployment.environment.name': 'live', 'host.name': 'one' } },
  ],
];

test.each(valid)('%j', (settings, traces) => {
  expect(read(settings)).toEqual({ traces, faults: [] });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ ...endpoint, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER'],
  [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG'],
  [{ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'live' }, 'OTEL_RESOURCE_ATTRIBUTES'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'hush' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
])('%j is refused', (settings, name) => {
  const { faults } = read(settings);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(new RegExp(`^${name} must be `));
  expect(faults[0]).not.toContain('hush');
});
