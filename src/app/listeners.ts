// Takes the addresses of the service before anything else is done, and names the setting of one that cannot be taken.

import type { Addresses } from '../actions/core/context.ts';
import { systemClock } from '../kit/clock.ts';
import { systemIdSource } from '../kit/id.ts';
import { Listener, type ListenAddress } from '../surfaces/http/pipeline/listener.ts';
import { startingListener } from '../surfaces/http/pipeline/starting-response.ts';
import { wireFor } from '../surfaces/operations.ts';
import { showStartingToBrowser } from '../surfaces/web/problem-page.ts';
import type { Config } from './config.ts';
import { SettingFault } from './setting-reader.ts';

export interface Listeners {
  readonly service: Listener;
  /** The listener of `/metrics`, if it has an address of its own. */
  readonly metrics: Listener | undefined;
  readonly addresses: Addresses;
  /** The origin of `/metrics`, if it has an address of its own. */
  readonly metricsUrl: string | undefined;
  close(): Promise<void>;
}

function listenerUrl({ host: boundHost }: ListenAddress, { port }: Pick<Listener, 'port'>): string {
  const host = boundHost === '0.0.0.0' || boundHost === '::' ? 'localhost' : boundHost;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The origin that the service has with these settings. */
export function configuredBaseUrl(config: Config): string {
  return config.baseUrl ?? listenerUrl(config, config);
}

function makeAddresses(config: Config, service: Listener): Addresses {
  const baseUrl = config.baseUrl ?? listenerUrl(config, service);
  return { baseUrl, legacyUrl: config.legacyUrl ?? baseUrl, authUrl: config.authUrl ?? baseUrl };
}

/** Until the service takes them over, they answer that it is starting. */
export async function bindListeners(config: Config): Promise<Listeners> {
  const service = await bind(config, config, '');
  const metrics = config.metrics && (await bind(config, config.metrics, 'METRICS_').catch(closeAndThrow(service)));
  const bound = [service, ...(metrics === undefined ? [] : [metrics])];
  const addresses = makeAddresses(config, service);
  const respond = startingListener({
    addresses,
    ids: systemIdSource(systemClock),
    budget: config.workspaceSettings,
    wireFor,
    showProblem: showStartingToBrowser,
  });
  for (const listener of bound) listener.respondWith(respond);
  return {
    service,
    metrics,
    addresses,
    metricsUrl: config.metrics && metrics && listenerUrl(config.metrics, metrics),
    close: async () => void (await Promise.all(bound.map((listener) => listener.close()))),
  };
}

function closeAndThrow(service: Listener): (error: unknown) => Promise<never> {
  return async (error) => {
    await service.close();
    throw error;
  };
}

async function bind(config: Config, address: ListenAddress, prefix: '' | 'METRICS_'): Promise<Listener> {
  const { connectionLimits: limits, trustedProxies } = config;
  try {
    return await Listener.bind(address, { limits, trustedProxies });
  } catch (error) {
    throw describeBindFault(error as NodeJS.ErrnoException, address, prefix);
  }
}

/** `prefix` is that of the two settings. */
export function describeBindFault(
  error: NodeJS.ErrnoException,
  { host, port }: ListenAddress,
  prefix: '' | 'METRICS_',
): Error {
  const [hostSetting, portSetting] = [`${prefix}HOST`, `${prefix}PORT`];
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingFault(
        `${portSetting} ${port} is in use by another process on ${host}. Stop that one, or set ${portSetting} to another port.`,
      );
    case 'EACCES':
      return new SettingFault(
        `${portSetting} is ${port}, which this user may not listen on. Set ${portSetting} to 1024 or higher, or give the process the right to use lower ports.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SettingFault(
        `${hostSetting} is ${host}, which is not an address of this machine. Set ${hostSetting} to one, or to 0.0.0.0 for all.`,
      );
    default:
      return error;
  }
}
