// The server addresses of operations. Where all three addresses are the same, operations do not state them.

import { keysOf } from '../../../kit/keys.ts';
import { defined } from '../../../kit/assert.ts';
import type { JsonSchema } from '../../../kit/field.ts';
import type { Addresses } from '../../../actions/core/context.ts';
import type { HostName } from '../negotiation/hosts.ts';

const hostPurposes: Readonly<Record<HostName, string>> = {
  base: 'v1 and Plain JSON',
  legacy: 'JSON:API',
  auth: 'access tokens',
};

const hostNames = keysOf(hostPurposes);

function hostAddress(host: HostName, { baseUrl, legacyUrl, authUrl }: Addresses): string {
  return { base: baseUrl, legacy: legacyUrl, auth: authUrl }[host];
}

type Server = { readonly url: string; readonly description: string };

/** Each distinct address with its purpose. */
function listServers(hosts: readonly HostName[], addresses: Addresses): readonly Server[] {
  const byUrl = Map.groupBy(hosts, (host) => hostAddress(host, addresses));
  return [...byUrl].map(([url, served]) => ({ url, description: served.map((host) => hostPurposes[host]).join(', ') }));
}

function hostsAt(url: string, addresses: Addresses): readonly HostName[] {
  return hostNames.filter((host) => hostAddress(host, addresses) === url);
}

/** The address of the document: the one that serves v1. */
export function documentServers(addresses: Addresses): readonly JsonSchema[] {
  return listServers(hostsAt(addresses.baseUrl, addresses), addresses);
}

/** The servers of an operation, if it is not the default one. The viewer needs to know which one to call. */
export function operationServers(host: HostName | 'any', addresses: Addresses): JsonSchema {
  const hosts = host === 'any' ? hostNames : hostsAt(hostAddress(host, addresses), addresses);
  const servers = listServers(hosts, addresses);
  const { url } = defined(servers[0], 'every host has an address');
  return servers.length === 1 && url === addresses.baseUrl ? {} : { servers, 'x-scalar-selected-server': url };
}
