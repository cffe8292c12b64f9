// Which of the three hosts a request came to. When they are one address, it is all of them.

import type { Addresses } from '../../actions/house.ts';
import type { HostName } from './wire.ts';

const none: ReadonlySet<HostName> = new Set();

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
      const { host } = new URL(url);
      this.#byHost.set(host, (this.#byHost.get(host) ?? new Set<HostName>()).add(name));
    }
    this.#all = this.#byHost.size === 1 ? new Set<HostName>(['base', 'legacy', 'auth']) : null;
  }

  /** One address serves everything, whatever name it is called by; several serve their own paths only. */
  of(hostHeader: string | undefined): ReadonlySet<HostName> {
    return this.#all ?? this.#byHost.get((hostHeader ?? '').toLowerCase()) ?? none;
  }
}
