// Resolves a name for a connection and refuses private addresses. The connection uses the addresses that were checked, so that a name
// that resolves differently the next time (DNS rebinding) gains nothing.

import { lookup, Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import type { TargetRules } from './webhook-target.ts';

/** The name resolves to an address that deliveries may not be sent to. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The name resolves to a private or reserved address.');
    this.name = 'AddressRefused';
  }
}

interface LookupRules {
  /** Returns all addresses of a name. */
  resolve(name: string): Promise<readonly string[]>;
  isAllowed(address: string): boolean;
}

/** Refuses if any address is not allowed, because the client picks which of them to connect to. */
export function checkedLookup({ resolve, isAllowed }: LookupRules): LookupFunction {
  return (name, options, callback) => {
    const lookUp = async (): Promise<void> => {
      const found = await resolve(name);
      if (!found.every(isAllowed)) throw new AddressRefused();
      const addresses = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
      const [first] = addresses;
      if (first === undefined) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' });
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    lookUp().catch((error: NodeJS.ErrnoException) => callback(error, []));
  };
}

/** How long a name server has to respond. */
const nameServerMs = 2_000;
/** How often it is asked. */
const nameServerTries = 2;

/**
 * Queries the name servers directly for public names: the system's lookup blocks one of four threads until the server responds, so that
 * four slow servers would block everything. In development the system resolves names such as localhost.
 */
export function makeLookup({ allowPrivate }: TargetRules): LookupFunction {
  if (allowPrivate) return checkedLookup({ resolve: resolveBySystem, isAllowed: () => true });
  const resolver = new Resolver({ timeout: nameServerMs, tries: nameServerTries });
  return checkedLookup({ resolve: (name) => resolvePublic(resolver, name), isAllowed: isPublicAddress });
}

async function resolveBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** A name may have addresses of only one family. */
export async function resolvePublic(resolver: Resolver, name: string): Promise<string[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [ipv4, ipv6].flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  return found;
}
