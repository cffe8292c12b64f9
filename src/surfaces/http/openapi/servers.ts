// Which addresses of the document serve an operation. Where all three are one, nothing has to be said.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Addresses } from '../../../actions/core/context.ts';
import type { HostName } from '../negotiation/hosts.ts';

const hostPurposes: Readonly<Record<HostName, string>> = {
  base: 'v1 and Plain JSON',
  legacy: 'JSON:API',
  auth: 'access tokens',
};

const hostNames = Object.keys(hostPurposes) as HostName[];

function hostAddress(host: HostName, { baseUrl, legacyUrl, authUrl }: Addresses): string {
  return { base: baseUrl, legacy: legacyUrl, auth: authUrl }[host];
}

/** Each different address once, with what it is for. */
function listServers(hosts: readonly HostName[], addresses: Addresses): readonly JsonSchema[] {
  const byUrl = Map.groupBy(hosts, (host) => hostAddress(host, addresses));
  return [...byUrl].map(([url, served]) => ({ url, description: served.map((host) => hostPurposes[host]).join(', ') }));
}

function hostsAt(url: string, addresses: Addresses): readonly HostName[] {
  return hostNames.filter((host) => hostAddress(host, addresses) === url);
}

/** The address of the document as a whole: the one that serves v1. */
export function documentServers(addresses: Addresses): readonly JsonSchema[] {
  return listServers(hostsAt(addresses.baseUrl, addresses), addresses);
}

/** What an operation has to say of its own; the viewer, too, has to be told where to send what is tried out. */
export function operationServers(host: HostName | 'any', addresses: Addresses): JsonSchema {
  const hosts = host === 'any' ? hostNames : hostsAt(hostAddress(host, addresses), addresses);
  const servers = listServers(hosts, addresses);
  const [first] = servers;
  if (servers.length === 1 && first!['url'] === addresses.baseUrl) return {};
  return { servers, 'x-scalar-selected-server': first!['url'] };
}
