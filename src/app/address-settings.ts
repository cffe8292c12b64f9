// Reads where the service listens, how clients call it, and whom it believes about the address of a caller.

import { isIP } from 'node:net';
import type { ListenAddress } from '../surfaces/http/pipeline/listener.ts';
import type { SettingReader } from './setting-reader.ts';

export interface ServiceAddresses {
  readonly port: number;
  readonly host: string;
  /** The address of `/metrics`, if it has one of its own. */
  readonly metrics: ListenAddress | undefined;
  /** If undefined, the listener's own address, once its port is known. */
  readonly baseUrl: string | undefined;
  readonly legacyUrl: string | undefined;
  readonly authUrl: string | undefined;
  /** The origins whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** The peers whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);
}

function readHost(reader: SettingReader, name: string): string | undefined {
  return reader.checked(name, 'an address to listen on, such as 127.0.0.1 or 0.0.0.0', isHost);
}

function readMetricsAddress(reader: SettingReader): ListenAddress | undefined {
  const host = readHost(reader, 'METRICS_HOST') ?? '127.0.0.1';
  const port = reader.integer('METRICS_PORT', { min: 0, max: 65_535, defaultValue: 0 });
  if (reader.text('METRICS_PORT') !== undefined) return { host, port };
  if (reader.text('METRICS_HOST') !== undefined) reader.faults.push('METRICS_HOST needs METRICS_PORT.');
  return undefined;
}

export function readAddresses(reader: SettingReader): ServiceAddresses {
  return {
    port: reader.integer('PORT', { min: 0, max: 65_535, defaultValue: 8080 }),
    host: readHost(reader, 'HOST') ?? '127.0.0.1',
    metrics: readMetricsAddress(reader),
    baseUrl: reader.origin('BASE_URL'),
    legacyUrl: reader.origin('LEGACY_URL'),
    authUrl: reader.origin('AUTH_URL'),
    corsOrigins: reader.origins('CORS_ORIGINS'),
    trustedProxies: reader.networks('TRUSTED_PROXIES'),
  };
}
