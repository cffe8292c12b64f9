// Looks a name up for a connection and lets through only what may be connected to. The connection is made to the addresses that
// were checked: a name that answers otherwise the next time gains nothing.

import { lookup, Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import type { TargetRules } from './webhook-target.ts';

/** A name leads somewhere that deliveries do not go. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The name leads to an address that is private or reserved.');
    this.name = 'AddressRefused';
  }
}

export interface LookupRules {
  /** All addresses of a name. */
  resolve(name: string): Promise<readonly string[]>;
  isAllowed(address: string): boolean;
}

/** One address that is not allowed is enough to refuse: which of several is connected to, others decide. */
export function checkedLookup({ resolve, isAllowed }: LookupRules): LookupFunction {
  return (name, options, callback) => {
    const lookUp = async (): Promise<void> => {
      const found = await resolve(name);
      if (found.length === 0) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' });
      if (!found.every(isAllowed)) throw new AddressRefused();
      const addresses = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    };
    lookUp().catch((error: NodeJS.ErrnoException) => callback(error, []));
  };
}

/**
 * Public names are asked of the name servers directly: the system's own lookup holds a thread for as long as a server takes, and
 * four slow ones would keep everybody else waiting. In development it is the system that knows names like localhost.
 */
export function makeLookup({ allowPrivate }: TargetRules): LookupFunction {
  if (allowPrivate) return checkedLookup({ resolve: resolveBySystem, isAllowed: () => true });
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return checkedLookup({ resolve: (name) => resolvePublic(resolver, name), isAllowed: isPublicAddress });
}

async function resolveBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** A name may have addresses of one family only. */
async function resolvePublic(resolver: Resolver, name: string): Promise<string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [ipv4, ipv6].flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return found;
}
