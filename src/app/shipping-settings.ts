// Reads which logs leave the house and where to: as lines of JSON over HTTPS, into a file, as syslog, as OTLP.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { shippedLogs, type LogShipping, type ShippedLog } from '../model/operations/shipped-log.ts';
import type { SettingReader } from './setting-reader.ts';

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SyslogTarget {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
}

export interface ShippingSettings {
  readonly logs: readonly ShippedLog[];
  readonly https: HttpTarget | undefined;
  /** A path, or `-` for standard output. */
  readonly file: string | undefined;
  readonly syslog: SyslogTarget | undefined;
  readonly otlp: HttpTarget | undefined;
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  readonly authorities: string | undefined;
}

/** RFC 5425 and RFC 6587's usual port. */
const syslogPorts = { 'tls:': 6514, 'tcp:': 601 } as const;

const localHost = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function isHttpUrl(text: string): boolean {
  const url = /^https?:\/\/[^/]/.test(text) ? URL.parse(text) : null;
  return url !== null && url.username === '' && url.password === '' && url.hash === '' && /^[!-~]*$/.test(text);
}

function parseSyslogUrl(text: string): SyslogTarget | undefined {
  const [, scheme] = /^(tls|tcp):\/\/[^/]+\/?$/.exec(text) ?? [];
  // As a URL of HTTP, whose host is checked and written in one form.
  const url = scheme === undefined ? null : URL.parse(text.replace(/^\w+/, 'http'));
  if (scheme === undefined || url === null || url.username !== '' || url.port === '0') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // The port of HTTP is not kept by the URL.
  const port = /:80\/?$/.test(text)
    ? 80
    : url.port === ''
      ? syslogPorts[scheme === 'tls' ? 'tls:' : 'tcp:']
      : Number(url.port);
  return { host, port, isEncrypted: scheme === 'tls' };
}

/** What the request itself says. */
const ownHeaders = ['content-type', 'content-encoding', 'content-length', 'host', 'connection', 'transfer-encoding'];
/** Headers that can be added to a request. */
const headersMax = 20;

/** `Name: value`, one on each line; undefined if they are not of this form. */
function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(0, colon)).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const areWhole = headers.every(
    ([name, value]) => /^[\w-]{1,128}$/.test(name) && /^[ -~]{1,8192}$/.test(value) && !ownHeaders.includes(name),
  );
  return areWhole && headers.length > 0 && headers.length <= headersMax ? Object.fromEntries(headers) : undefined;
}

function readTarget(reader: SettingReader, name: string, expected: string): HttpTarget | undefined {
  const url = reader.checked(name, expected, isHttpUrl);
  const headers = reader.checked(
    `${name}_HEADERS`,
    'headers of the form `Name: value`, one on each line, such as `Authorization: Bearer …`, and none that the request itself has',
    (text) => parseHeaders(text) !== undefined,
  );
  if (url === undefined) {
    if (headers !== undefined) reader.faults.push(`${name}_HEADERS needs ${name}.`);
    return undefined;
  }
  return { url, headers: headers === undefined ? {} : (parseHeaders(headers) ?? {}) };
}

function readLogs(reader: SettingReader): readonly ShippedLog[] {
  const listed = (text: string): string[] => text.split(',').map((word) => word.trim());
  const isLogs = (text: string): boolean => listed(text).every((word) => shippedLogs.some((log) => log === word));
  const text = reader.checked('SHIP_LOGS', `a comma-separated list of ${shippedLogs.join(', ')}`, isLogs) ?? 'audit';
  return shippedLogs.filter((log) => listed(text).includes(log));
}

function readAuthorities(reader: SettingReader): string | undefined {
  const path = reader.text('SHIP_CA_FILE');
  if (path === undefined) return undefined;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch {
    // The same fault: a path that cannot be read.
  }
  reader.fault('SHIP_CA_FILE', 'a file with certificates in PEM that the service can read');
  return undefined;
}

export function readShippingSettings(reader: SettingReader): ShippingSettings {
  const file = reader.text('SHIP_TO_FILE');
  const syslog = reader.checked(
    'SHIP_TO_SYSLOG',
    'a syslog receiver, such as tls://siem.example.com:6514, or tcp:// without encryption',
    (text) => parseSyslogUrl(text) !== undefined,
  );
  const settings = {
    logs: readLogs(reader),
    https: readTarget(
      reader,
      'SHIP_TO_HTTPS',
      'the address that lines of JSON are posted to, such as https://siem.example.com/services/collector/raw, without a password in it',
    ),
    file: file === undefined || file === '-' ? file : resolve(file),
    syslog: syslog === undefined ? undefined : parseSyslogUrl(syslog),
    otlp: readTarget(
      reader,
      'SHIP_TO_OTLP',
      'the address that OTLP logs are posted to, such as https://collector.example.com:4318/v1/logs, without a password in it',
    ),
    authorities: readAuthorities(reader),
  };
  const isNamed = reader.text('SHIP_LOGS') !== undefined || reader.text('SHIP_CA_FILE') !== undefined;
  if (isNamed && logShipping(settings).destinations.length === 0)
    reader.faults.push(
      'SHIP_LOGS and SHIP_CA_FILE need a destination: SHIP_TO_HTTPS, SHIP_TO_FILE, SHIP_TO_SYSLOG or SHIP_TO_OTLP.',
    );
  return settings;
}

/** Destinations that lines would reach unencrypted over a network: the settings that name them. */
export function plainDestinations({ https, syslog, otlp }: ShippingSettings): readonly string[] {
  const isPlain = (target: HttpTarget | undefined): boolean => {
    const url = target === undefined ? undefined : new URL(target.url);
    return url?.protocol === 'http:' && !localHost.test(url.hostname.replace(/^\[|\]$/g, ''));
  };
  return [
    ...(isPlain(https) ? ['SHIP_TO_HTTPS'] : []),
    ...(syslog !== undefined && !syslog.isEncrypted && !localHost.test(syslog.host) ? ['SHIP_TO_SYSLOG'] : []),
    ...(isPlain(otlp) ? ['SHIP_TO_OTLP'] : []),
  ];
}

/** What is shipped and where to, without the addresses. */
export function logShipping({ logs, https, file, syslog, otlp }: ShippingSettings): LogShipping {
  const destinations = (
    [
      ['https', https],
      ['file', file],
      ['syslog', syslog],
      ['otlp', otlp],
    ] as const
  ).flatMap(([name, target]) => (target === undefined ? [] : [name]));
  return destinations.length === 0 ? { logs: [], destinations: [] } : { logs, destinations };
}
