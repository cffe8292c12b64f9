// Decides which IP addresses are public. Works with an allow list, so that unknown ranges count as private.

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The range allocated for global unicast (RFC 4291, section 2.4, IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64's well-known prefix (RFC 6052): the last 32 bits are the IPv4 address. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Looks public but belongs to the host: Azure serves virtual machines their settings here. */
const hostServices = new Set(['168.63.129.16']);

/** Returns false for text that is not an address. */
export function isPublicAddress(text: string): boolean {
  // Refuses shortened, octal and hexadecimal forms, which programs read differently.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4 ? isPublicIpv4(address) : isPublicIpv6(address);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !hostServices.has(address.toString());
}

/**
 * An IPv6-only network reaches IPv4 hosts through NAT64, so there the inner address decides. Other IPv6 forms of IPv4 addresses (mapped,
 * compatible, 6to4, Teredo) are not needed and always refused.
 */
function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.zoneId !== undefined) return false;
  if (address.match(nat64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.range() === 'unicast' && address.match(globalUnicast);
}
