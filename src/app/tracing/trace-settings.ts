// Reads the settings of tracing, which have the names that OpenTelemetry gives them. Without a collector's address, nothing is traced.

import type { TraceSettings } from '../../gateways/tracing/otlp-tracer.ts';
import type { SettingReader } from '../setting-reader.ts';

export type { TraceSettings } from '../../gateways/tracing/otlp-tracer.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

const expectedAddress = 'the http or https address of a collector, such as http://127.0.0.1:4318';
const expectedPairs = 'pairs such as key=value,other=value, with values that are percent-encoded';

/** The pairs of `key=value,other=value`; undefined if they are not of this form. */
function parsePairs(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(',').map((pair) => /^([\w.-]{1,128})\s*=\s*([^=\s,;]{0,1024})$/.exec(pair.trim()));
  try {
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? fail(), decodeURIComponent(pair?.[2] ?? '')]));
  } catch {
    return undefined;
  }
}

function fail(): never {
  throw new Error('A pair is malformed.');
}

function readPairs(reader: SettingReader, name: string): Readonly<Record<string, string>> {
  const text = reader.checked(name, expectedPairs, (value) => parsePairs(value) !== undefined);
  return text === undefined ? {} : (parsePairs(text) ?? {});
}

/** Strangers do not decide what is recorded: with `parentbased_…`, the rest of the name decides for every request from outside. */
function readRatio(reader: SettingReader): number {
  const name = reader.oneOf('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on');
  const share = reader.checked('OTEL_TRACES_SAMPLER_ARG', 'a share from 0 to 1, such as 0.1', isShare);
  if (name.endsWith('always_off')) return 0;
  return name.endsWith('traceidratio') ? Number(share ?? 1) : 1;
}

function isShare(text: string): boolean {
  return /^(0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text);
}

export function readTraceSettings(reader: SettingReader): TraceSettings | undefined {
  const base = reader.checked('OTEL_EXPORTER_OTLP_ENDPOINT', expectedAddress, isAddress);
  const own = reader.checked('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', expectedAddress, isAddress);
  const settings = {
    headers: readPairs(reader, 'OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: reader.text('OTEL_SERVICE_NAME') ?? 'holdfast',
    resource: readPairs(reader, 'OTEL_RESOURCE_ATTRIBUTES'),
    ratio: readRatio(reader),
  };
  const url = own ?? (base === undefined ? undefined : `${base.replace(/\/$/, '')}/v1/traces`);
  const isDisabled = reader.oneOf('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  return url === undefined || isDisabled ? undefined : { url, ...settings };
}
