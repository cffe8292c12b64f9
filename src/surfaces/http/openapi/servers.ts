// Which addresses of the document serve an operation. Where all three are one, nothing has to be said.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Addresses } from '../../../actions/house.ts';
import type { HostName } from '../wire.ts';

const purposes: Readonly<Record<HostName, string>> = {
  base: 'v1 and Plain JSON',
  legacy: 'JSON:API',
  auth: 'access tokens',
};

const hostNames = Object.keys(purposes) as HostName[];

function addressOf(host: HostName, { baseUrl, legacyUrl, authUrl }: Addresses): string {
  return { base: baseUrl, legacy: legacyUrl, auth: authUrl }[host];
}

/** Each different address once, with what it is for. */
function listServers(hosts: readonly HostName[], addresses: Addresses): readonly JsonSchema[] {
  const byUrl = Map.groupBy(hosts, (host) => addressOf(host, addresses));
  return [...byUrl].map(([url, served]) => ({ url, description: served.map((host) => purposes[host]).join(', ') }));
}

function hostsAt(url: string, addresses: Addresses): readonly HostName[] {
  return hostNames.filter((host) => addressOf(host, addresses) === url);
}

/** The address of the document as a whole: the one that serves v1. */
export function serversOf(addresses: Addresses): readonly JsonSchema[] {
  return listServers(hostsAt(addresses.baseUrl, addresses), addresses);
}

/** What an operation has to say of its own. */
export function serversFor(host: HostName | 'any', addresses: Addresses): { readonly servers?: readonly JsonSchema[] } {
  const servers =
    host === 'any'
      ? listServers(hostNames, addresses)
      : listServers(hostsAt(addressOf(host, addresses), addresses), addresses);
  return servers.length === 1 && servers[0]!['url'] === addresses.baseUrl ? {} : { servers };
}
