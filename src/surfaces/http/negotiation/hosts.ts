// Finds which of the three hosts a request was sent to; if they share one address, all three.

import type { Addresses } from '../../../actions/core/context.ts';

export type HostName = 'base' | 'legacy' | 'auth';

/** Whether clients reach the service by TLS. */
export function isHttps({ baseUrl }: Pick<Addresses, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}

const noHosts: ReadonlySet<HostName> = new Set();

/** A default port may be given or left out. */
function hostSpellings(url: string): readonly string[] {
  const { protocol, host, port } = new URL(url);
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host];
}

export class Hosts {
  readonly #byHost = new Map<string, Set<HostName>>();
  readonly #all: ReadonlySet<HostName> | null;

  constructor({ baseUrl, legacyUrl, authUrl }: Addresses) {
    const named: [HostName, string][] = [
      ['base', baseUrl],
      ['legacy', legacyUrl],
      ['auth', authUrl],
    ];
    for (const [name, url] of named) {
      for (const host of hostSpellings(url)) {
        this.#byHost.set(host, (this.#byHost.get(host) ?? new Set<HostName>()).add(name));
      }
    }
    const isSingleHost = new Set(named.map(([, url]) => new URL(url).host)).size === 1;
    this.#all = isSingleHost ? new Set<HostName>(['base', 'legacy', 'auth']) : null;
  }

  /** A single address serves all paths under any name; several addresses serve their own paths only. */
  namesFor(hostHeader: string | undefined): ReadonlySet<HostName> {
    return this.#all ?? this.#byHost.get((hostHeader ?? '').toLowerCase()) ?? noHosts;
  }
}
