// Tests the settings of shipped logs: what is shipped where, and what is refused before a node starts.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { SettingFault, type EnvironmentVariables } from './setting-reader.ts';
import { logShipping } from './shipping-settings.ts';

function faultOf(settings: EnvironmentVariables): string {
  try {
    readConfig(settings);
  } catch (error) {
    if (error instanceof SettingFault) return error.message;
    throw error;
  }
  return '';
}

const inProduction = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://db/holdfast',
  ENCRYPTION_KEY: '9f2c47d1a85b3e60c4f7182d9b6ea35041cd87f2e93b5a6c70d418fe2b95a3c6',
};

test('without a destination nothing is shipped, and the audit log alone unless more is named', () => {
  expect(logShipping(readConfig({}).shipping)).toEqual({ logs: [], destinations: [] });
  const all = readConfig({
    SHIP_TO_OTLP: 'https://collector.example:4318/v1/logs',
    SHIP_TO_SYSLOG: 'tls://siem.example',
    SHIP_TO_HTTPS: 'https://siem.example/in',
    SHIP_TO_FILE: '-',
  }).shipping;
  expect(logShipping(all)).toEqual({ logs: ['audit'], destinations: ['https', 'file', 'syslog', 'otlp'] });
  expect(logShipping(readConfig({ SHIP_TO_FILE: '-', SHIP_LOGS: 'requests, audit' }).shipping).logs).toEqual([
    'audit',
    'requests',
  ]);
});

test.each([
  ['tls://siem.example', { host: 'siem.example', port: 6514, isEncrypted: true }],
  ['tcp://10.0.0.5', { host: '10.0.0.5', port: 601, isEncrypted: false }],
  ['tcp://10.0.0.5:80', { host: '10.0.0.5', port: 80, isEncrypted: false }],
  ['tls://[::1]:10514/', { host: '::1', port: 10514, isEncrypted: true }],
])('%s is a syslog receiver', (text, expected) => {
  expect(readConfig({ SHIP_TO_SYSLOG: text }).shipping.syslog).toEqual(expected);
});

test('headers are read from a file, one on each line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-headers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'headers');
  await writeFile(path, 'Authorization: Splunk 7e0f\n\nX-Scope: a: b\n');
  const { https } = readConfig({ SHIP_TO_HTTPS: 'https://siem.example/in', SHIP_TO_HTTPS_HEADERS_FILE: path }).shipping;
  expect(https).toEqual({
    url: 'https://siem.example/in',
    headers: { authorization: 'Splunk 7e0f', 'x-scope': 'a: b' },
  });
});

test.each<[string, EnvironmentVariables, string]>([
  ['another log', { SHIP_LOGS: 'audit,events', SHIP_TO_FILE: '-' }, 'SHIP_LOGS must be'],
  ['logs without a destination', { SHIP_LOGS: 'audit' }, 'need a destination'],
  ['a password in an address', { SHIP_TO_HTTPS: 'https://u:hush@siem.example/' }, 'SHIP_TO_HTTPS must be'],
  ['an address that is none', { SHIP_TO_OTLP: 'collector:4318' }, 'SHIP_TO_OTLP must be'],
  ['a syslog receiver over UDP', { SHIP_TO_SYSLOG: 'udp://siem.example:514' }, 'SHIP_TO_SYSLOG must be'],
  ['a syslog receiver with a path', { SHIP_TO_SYSLOG: 'tls://siem.example/x' }, 'SHIP_TO_SYSLOG must be'],
  ['headers without an address', { SHIP_TO_OTLP_HEADERS: 'A: b' }, 'SHIP_TO_OTLP_HEADERS needs SHIP_TO_OTLP'],
  [
    'a header that the request itself has',
    { SHIP_TO_HTTPS: 'https://siem.example/', SHIP_TO_HTTPS_HEADERS: 'Content-Length: 1' },
    'SHIP_TO_HTTPS_HEADERS must be',
  ],
  ['authorities that cannot be read', { SHIP_TO_FILE: '-', SHIP_CA_FILE: '/nowhere' }, 'SHIP_CA_FILE must be'],
  ['a log that is off', { SHIP_TO_FILE: '-', SHIP_LOGS: 'requests', REQUEST_LOG: 'off' }, 'REQUEST_LOG is off'],
  [
    'plain HTTP in production',
    { ...inProduction, SHIP_TO_HTTPS: 'http://siem.example/' },
    'SHIP_TO_HTTPS is not encrypted',
  ],
  [
    'plain OTLP in production',
    { ...inProduction, SHIP_TO_OTLP: 'http://10.0.0.5:4318/' },
    'SHIP_TO_OTLP is not encrypted',
  ],
  [
    'plain syslog in production',
    { ...inProduction, SHIP_TO_SYSLOG: 'tcp://10.0.0.5' },
    'SHIP_TO_SYSLOG is not encrypted',
  ],
])('%s is refused', (_what, settings, expected) => {
  const fault = faultOf(settings);
  expect(fault).toContain(expected);
  expect(fault.split('\n')).toHaveLength(1);
});

test('a header that is refused is not shown', () => {
  const settings = { SHIP_TO_HTTPS: 'https://siem.example/', SHIP_TO_HTTPS_HEADERS: 'hush' };
  expect(faultOf(settings)).not.toContain('hush');
});

test('on this machine, or where the operator says so, lines may go unencrypted in production, too', () => {
  const local = {
    SHIP_TO_HTTPS: 'http://localhost:1/',
    SHIP_TO_OTLP: 'http://[::1]:4318/',
    SHIP_TO_SYSLOG: 'tcp://127.0.0.1',
  };
  expect(faultOf({ ...inProduction, ...local })).toBe('');
  const plain = { SHIP_TO_SYSLOG: 'tcp://10.0.0.5', ALLOW_IN_PRODUCTION: 'plain-log-shipping' };
  expect(faultOf({ ...inProduction, ...plain })).toBe('');
});
